"""Lists and months: the figures of the pages, exact."""

import csv
import io
import json
import re
from datetime import datetime
from decimal import Decimal
from email.utils import parsedate_to_datetime
from urllib.parse import urlencode

import pytest

from events.models import RatingPeriod
from players.models import Player
from ratings.models import Rating
from tests.pages import builders
from tests.pages.builders import APRIL

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("federation")]


def test_the_lists_stand_in_their_order_with_what_they_count(get):
    lists = get("lists/")["results"]
    assert [(row["code"], row["counts"], row["official"]) for row in lists] == [
        ("main", ["standard", "rapid", "blitz"], True),
        ("standard", ["standard"], True),
        ("rapid", ["rapid"], True),
        ("blitz", ["blitz"], True),
        ("us", ["standard", "rapid", "blitz"], False),
    ]


def test_a_list_names_the_months_in_which_it_has_players(get):
    assert get("lists/main/")["periods"] == ["2024-04", "2024-03"]
    assert get("lists/rapid/")["periods"] == ["2024-04"]
    assert get("lists/rapid/")["latest"]["list_date"] == "2024-05-01"
    assert (get("lists/blitz/")["periods"], get("lists/blitz/")["latest"]) == ([], None)


def test_a_line_has_the_figures_of_the_page_and_the_numbers_behind_them(get, client):
    page = client.get("/lists/main/2024-04/").content.decode()
    rows = get("lists/main/2024-04/")["results"]
    assert [row["position"] for row in rows] == [1, 2, 3, 4, 5, 6]
    for row in rows:
        kept = Rating.objects.get(list__code="main", player__number=row["number"], run__period__month=APRIL)
        # SQLite gives a Decimal of fifteen digits only
        assert row["rating"] == pytest.approx(float(kept.published), rel=1e-13)
        assert row["change"] == pytest.approx(float(kept.published - kept.previous), abs=1e-9)
        assert row["rating_rounded"] == int(kept.published + Decimal("0.5"))
        line = page.partition(f"/players/{row['number']}/")[2].partition("</tr>")[0]
        for shown in (row["rating_shown"], row["change_shown"], row["name"], row["region"], str(row["birth_year"])):
            assert shown in line


def test_a_page_leads_to_those_around_it(get):
    numbers, address, previous = [], "lists/main/2024-04/?limit=4", []
    while address:
        page = get(address.removeprefix("http://testserver/api/v1/"))
        numbers += [row["number"] for row in page["results"]]
        previous.append(page["previous"])
        address = page["next"]
    assert numbers == [row["number"] for row in get("lists/main/2024-04/")["results"]]
    back = get(previous[-1].removeprefix("http://testserver/api/v1/"))
    assert [row["number"] for row in back["results"]] == numbers[:4]
    assert previous[0] is None


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("q=zol", ["Zola Cele"]),
        ("q=CHLOE", ["Chloé Fourie"]),
        ("region=GAU&limit=1", ["Tom Ashby"]),
        ("region=LCP", []),
        ("province=GP&limit=1", ["Tom Ashby"]),
        ("sex=M", []),
        ("born_from=2002", []),
        ("born_until=2001&limit=1", ["Tom Ashby"]),
        ("active=true&limit=1", ["Tom Ashby"]),
        ("active=false", []),
        ("title=GM", []),
        ("club=Bishops", ["Anri Botha"]),
        ("club=bishop", []),
        ("age_group=U20", []),
        ("sort=change&limit=1", ["Tom Ashby"]),
        ("sort=rank&limit=1", ["Tom Ashby"]),
    ],
)
def test_words_narrow_a_list(get, words, found):
    Player.objects.filter(last_name="Botha").update(club="Bishops")
    assert [row["name"] for row in get(f"lists/main/2024-04/?{words}")["results"]] == found


@pytest.mark.rule("chessa 16")
def test_an_age_group_is_that_of_the_year_of_the_list_as_on_the_page(get, client):
    made = Player.objects.order_by("number")
    for player, year in zip(made, (2003, 2004, 2015, 1974, 1975, None), strict=True):
        Player.objects.filter(pk=player.pk).update(birth_year=year, birth_date=None)
    for group, chosen in (("U20", [1, 2]), ("50%2B", [3]), ("U10", [2])):
        rows = get(f"lists/main/2024-04/?age_group={group}")["results"]
        page = client.get(f"/lists/main/2024-04/?group={group}").content.decode()
        assert [row["number"] for row in rows] == [made[place].number for place in chosen]
        assert re.findall(r'<tr id="n(\d+)">', page) == [row["number"] for row in rows]
    for group in ("U19", "x", "50"):
        (error,) = get(f"lists/main/2024-04/?{urlencode({'age_group': group})}", 400)["errors"]
        assert error["place"] == "query.age_group"


@pytest.mark.parametrize("order", ["name", "change"])
def test_the_orders_of_the_page_go_on_from_page_to_page_and_stream(get, client, order):
    page = client.get(f"/lists/main/2024-04/?sort={order}").content.decode()
    numbers, address = [], f"lists/main/2024-04/?sort={order}&limit=4"
    while address:
        answer = get(address.removeprefix("http://testserver/api/v1/"))
        numbers += [row["number"] for row in answer["results"]]
        address = answer["next"]
    assert numbers == re.findall(r'<tr id="n(\d+)">', page)
    whole = client.get(
        f"/api/v1/lists/main/2024-04/?sort={order}&fields=number", headers={"accept": "application/x-ndjson"}
    )
    assert re.findall(r"\d{9}", whole.getvalue().decode()) == numbers


def test_other_systems_lists_have_no_activity(get):
    assert {row["active"] for row in get("lists/main/2024-04/")["results"]} == {True}
    assert {row["active"] for row in get("lists/us/2024-04/?active=false")["results"]} == {None}


def test_only_the_fields_asked_for_are_answered(get):
    assert get("lists/main/2024-04/?fields=rating_shown,number&limit=1")["results"] == [
        {"number": "100000001", "rating_shown": get("lists/main/2024-04/")["results"][0]["rating_shown"]}
    ]
    (error,) = get("lists/main/2024-04/?fields=birth_date", 400)["errors"]
    assert error["place"] == "query.fields"
    assert "birth_year" in error["message"]


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("text/csv;q=0.1, application/json", "application/json"),
        ("application/json;q=0.1, text/csv;q=0.9", "text/csv"),
        ("application/x-ndjson;q=0.4, text/csv;q=0.5", "text/csv"),
        ("text/csv, */*;q=0.1", "text/csv"),
        ("*/*", "application/json"),
        ("", "application/json"),
    ],
)
def test_the_weights_of_the_header_accept_count(client, accept, media_type):
    answer = client.get("/api/v1/lists/main/2024-04/", headers={"accept": accept})
    assert answer.headers["Content-Type"].partition(";")[0] == media_type


@pytest.mark.parametrize("media_type", ["application/x-ndjson", "text/csv"])
def test_a_whole_list_comes_at_once(client, get, media_type):
    builders.players(600, last="Zwane")  # more than a page of the stream, without ratings
    answer = client.get("/api/v1/lists/main/2024-04/", headers={"accept": media_type})
    assert answer.headers["Content-Type"].startswith(media_type)
    text = b"".join(answer.streaming_content).decode()
    rows = get("lists/main/2024-04/")["results"]
    if media_type == "text/csv":
        read = list(csv.DictReader(io.StringIO(text, newline="")))
        assert [float(row["rating"]) for row in read] == [row["rating"] for row in rows]
        assert list(read[0]) == list(rows[0])
    else:
        assert [json.loads(line) for line in text.splitlines()] == rows
    refused = client.get("/api/v1/lists/main/2024-04/?limit=3", headers={"accept": media_type})
    assert refused.status_code == 400


def test_a_stream_goes_on_after_its_first_page(client, monkeypatch):
    monkeypatch.setattr("api.lists.views.MOST", 4)
    answer = client.get("/api/v1/lists/main/2024-04/?fields=position", headers={"accept": "application/x-ndjson"})
    assert re.findall(r"\d+", answer.getvalue().decode()) == ["1", "2", "3", "4", "5", "6"]


def test_a_month_that_is_calculated_and_not_published_is_not_there(get):
    builders.round_robin(
        builders.event("May Open", ends=APRIL.replace(month=5, day=11)).sections.get(), builders.players(4)
    )
    builders.calculate(APRIL.replace(month=5))
    get("lists/main/2024-05/", 404)
    get("periods/2024-05/", 404)
    assert "2024-05" not in get("lists/main/")["periods"]
    assert [row["period"] for row in get("periods/")["results"]] == ["2024-04", "2024-03"]


def test_what_is_not_there_is_a_problem_that_says_so(get):
    assert "There is no rating list “fast”." in get("lists/fast/", 404)["detail"]
    assert "2031-01" in get("lists/main/2031-01/", 404)["detail"]


@pytest.mark.parametrize("size", [1, 6])
def test_a_page_of_a_list_costs_as_many_queries_whatever_its_size(queries, size):
    # versions, lists, months, rows, number of rows
    queries(f"/api/v1/lists/main/2024-04/?limit={size}", 5)


def test_lists_and_months_cost_few_queries(queries):
    queries("/api/v1/lists/", 2)
    queries("/api/v1/lists/main/", 4)
    queries("/api/v1/periods/", 2)
    queries("/api/v1/regions/", 2)
    queries("/api/v1/provinces/", 3)


def test_a_month_has_its_state_and_hash_and_answers_about_it_their_moment(get, client):
    latest = RatingPeriod.objects.select_related("publication__run").filter(publication__isnull=False).latest("month")
    shown = get(f"periods/{latest.month:%Y-%m}/")
    assert (shown["state"], shown["hash"]) == ("published", latest.publication.run.input_hash)
    assert len(shown["hash"]) == 64
    moment = datetime.fromisoformat(shown["published_at"])
    assert moment == latest.published_at
    month, player = f"{latest.month:%Y-%m}", Player.objects.first().number
    for path in (
        "periods/", f"periods/{month}/", f"lists/main/{month}/", f"statistics/main/{month}/",
        f"players/{player}/explanations/{month}/main/",
    ):  # fmt: skip
        answer = client.get(f"/api/v1/{path}")
        assert parsedate_to_datetime(answer.headers["Last-Modified"]) == moment.replace(microsecond=0)
        assert answer.headers["ETag"]
    assert "Last-Modified" not in client.get(f"/api/v1/players/{player}/").headers
