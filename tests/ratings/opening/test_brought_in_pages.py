"""Months that were brought in: every page and answer that shows a published month shows them, and says what they are."""

import json
from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from ratings.downloads.operations import make_downloads
from ratings.live.operations import refresh_live
from ratings.models import Download, Rating, RatingList, RatingRun
from ratings.opening.operations import take_history, take_opening
from ratings.opening.reading import SentFile, read_standings
from ratings.runs.review import reviews
from tests.builders import CLOCK, event_of, officer, people, period, publish

JANUARY, FEBRUARY, MARCH = date(2024, 1, 1), date(2024, 2, 1), date(2024, 3, 1)

pytestmark = pytest.mark.django_db


@pytest.fixture
def players():
    """Players with a former list of January, an opening balance of February, and a month of their own."""
    found = people(3)
    RatingList.objects.create(code="irish", name="Irish", position=5, system="icu")
    history = "UNIQUE_NO,SURNAME,FIRSTNAME,BDATE,SEX,TITLE,RATING,FED\n" + "".join(
        f"{player.number},{player.last_name},{player.first_name},1900/01/01,M,,{1390 + index},GAU\n"
        for index, player in enumerate(found)
    )
    sent = SentFile(history.encode(), "ratings_main.csv")
    take_history(read_standings([sent], JANUARY), at=CLOCK, by=None)
    lines = ["id,list,raw,published,raw_2,games"]
    lines += [f"{player.number},main,{1400 + index}.5,{1405 + index},1390," for index, player in enumerate(found)]
    lines += [f"{player.number},irish,{1500 + index},,,30" for index, player in enumerate(found)]
    sent = SentFile("\n".join(lines).encode(), "standings.csv")
    take_opening(read_standings([sent], FEBRUARY), at=CLOCK, by=None)
    event_of([(found[0], found[1], "1-0"), (found[1], found[2], "1-0")])
    publish(MARCH)
    for month in (JANUARY, FEBRUARY, MARCH):
        make_downloads(period(month).publication.run_id, at=CLOCK)
    return found


@pytest.mark.parametrize("language", ["en-gb", "af"])
def test_every_page_shows_them(client, players, language):
    number = players[0].number
    client.cookies["language"] = language
    for month in ("2024-01", "2024-02", "2024-03"):
        for address in (
            f"/lists/main/{month}/", f"/lists/main/{month}/players.csv", f"/statistics/main/{month}/", f"/downloads/{month}/",
            f"/players/{number}/{month}/main/",
        ):  # fmt: skip
            answer = client.get(address)
            assert answer.status_code == 200, address
    for address in (
        "/", "/lists/", "/lists/other-systems/", f"/players/{number}/", f"/players/{number}/history.csv",
        f"/players/{number}/statistics/", f"/players/{number}/2024-02/irish/", f"/compare/?players={number}",
        f"/players/{number}/feed.xml", "/lists/main/live/", f"/calculators/chessa/?player={number}",
    ):  # fmt: skip
        assert client.get(address).status_code == 200, address


def test_the_pages_say_what_they_are(client, players):
    number = players[0].number
    page = client.get(f"/players/{number}/").content.decode()
    assert "calculated from the opening balance of 1\u00a01 March 2024".replace("1\u00a0", "") in page.replace(
        "\u00a0", " "
    )
    assert "what stands before it are lists of the former bureau" in page
    assert "22 of the 24 former raw ratings were not brought and count 1\u202f200 (article 49)." in page
    assert "This is the opening balance" in client.get("/lists/main/2024-02/").content.decode()
    assert "published by the former bureau" in client.get("/lists/main/2024-01/").content.decode()
    opened = client.get(f"/players/{number}/2024-02/main/").content.decode()
    assert "What was brought in" in opened
    assert "1\u202f400.5" in opened
    months = client.get("/lists/").content.decode()
    assert "opening balance" in months
    assert "list of the former bureau" in months


def test_the_api_says_where_a_month_comes_from(client, players):
    number = players[0].number
    rows = client.get("/api/v1/periods/").json()["results"]
    assert [row["origin"] for row in rows] == ["calculated", "opening", "history"]
    explained = client.get(f"/api/v1/players/{number}/explanations/2024-02/main/").json()
    assert (explained["origin"], explained["steps"], explained["rating"]) == ("opening", [], 1405.0)
    assert client.get("/api/v1/periods/2024-02/case/").status_code == 404
    assert len(client.get(f"/api/v1/players/{number}/history/").json()["results"]) == 6


def test_they_cannot_be_recomputed_and_that_is_said(client, players):
    number = players[0].number
    for month in ("2024-01", "2024-02"):
        assert client.get(f"/players/{number}/{month}/case.json").status_code == 404
    with pytest.raises(
        CommandError, match="2024-02 is the opening balance and was not calculated here: “export_opening"
    ):
        call_command("export_period", "2024-02")
    with pytest.raises(CommandError, match="2024-01 is a list of a former bureau"):
        call_command("export_period", "2024-01")
    with pytest.raises(CommandError, match="2024-01 is a list of a former bureau: of its standings only"):
        call_command("export_opening", "2024-01")
    RatingList.objects.create(code="us", name="US", position=6, system="uscf")
    with pytest.raises(CommandError, match="begin with 2024-03"):
        call_command("fill_list", "us", "2024-02")
    call_command("fill_list", "us", "2024-03")
    assert reviews(RatingRun.objects.get(kind="opening")) == []
    assert not Download.objects.filter(run__period__month=FEBRUARY, name="case.zip").exists()
    assert Download.objects.filter(run__period__month=JANUARY, name="ratings_main.zip").exists()
    out = StringIO()
    call_command("periods", stdout=out)
    assert "2024-02 published (opening balance)" in out.getvalue()


def test_the_month_after_is_explained_from_the_balance(client, players):
    """The explanation of the first month agrees, its case recomputes it, and the former list was not calculated with."""
    number = players[0].number
    page = client.get(f"/players/{number}/2024-03/main/").content.decode()
    assert "These steps lead to" not in page
    case = client.get(f"/players/{number}/2024-03/case.json").json()
    standing = next(player for player in case["players"] if player["id"] == number)["lists"]["main"]
    assert standing["raw_history"] == [1400.5, 1390]
    out = StringIO()
    call_command("export_period", "2024-03", stdout=out)
    whole = json.loads(out.getvalue())
    assert next(player for player in whole["players"] if player["id"] == number)["lists"]["main"]["raw_history"] == [
        1400.5,
        1390,
    ]
    refresh_live(at=timezone.now())
    assert not Rating.objects.filter(run__period__month=JANUARY, raw__isnull=False).exists()


def test_the_desk_shows_them(client, players):
    client.force_login(officer())
    for run in RatingRun.objects.all():
        assert client.get(f"/admin/ratings/ratingrun/{run.pk}/change/").status_code == 200
    assert "opening balance" in client.get("/admin/events/ratingperiod/").content.decode()
