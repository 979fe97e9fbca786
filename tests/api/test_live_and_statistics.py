"""The live list and the statistics of a list: the figures of the pages, exact."""

from datetime import date, timedelta

import pytest

from events.rules.states import State
from players.models import Player
from ratings.live.operations import refresh_live
from ratings.models import LiveRating
from tests.api.conftest import AT
from tests.pages import builders

pytestmark = pytest.mark.django_db
TOM = "100000001"


@pytest.fixture
def may(federation):
    """An accepted event of May with a newcomer, and a submitted one."""
    (newcomer,) = builders.players(1, last="Adams")
    builders.round_robin(builders.event("May Open", ends=date(2024, 5, 18)).sections.get(), [*federation[:3], newcomer])
    builders.event("Waiting Open", ends=date(2024, 5, 19), state=State.SUBMITTED)
    assert refresh_live(at=AT + timedelta(minutes=1))
    return newcomer


def test_the_live_list_says_what_it_stands_on_and_is_not_official(get, may):
    live = get("lists/main/live/")
    assert (live["official"], live["period"], live["as_of"], live["list_date"], live["games"], live["submitted"]) == (
        False, "2024-05", "2024-05-22T08:31:00Z", "2024-06-01", 6, 1,
    )  # fmt: skip
    assert [(event["event_name"], event["region"], event["ends"]) for event in live["events"]] == [
        ("May Open", "GAU", "2024-05-18")
    ]


def test_its_lines_have_the_figures_of_the_page(get, may, client):
    page = client.get("/lists/main/live/").content.decode()
    rows = get("lists/main/live/")["results"]
    assert len(rows) == 7
    for row in rows:
        kept = LiveRating.objects.get(list__code="main", player__number=row["number"])
        assert row["rating"] == pytest.approx(float(kept.published), rel=1e-13)
        line = page.partition(f"/players/{row['number']}/")[2].partition("</tr>")[0]
        for shown in (row["rating_shown"], row["change_shown"], row["published_shown"] or "new", row["name"]):
            assert shown in line
    (new,) = (row for row in rows if row["number"] == may.number)
    assert (new["published"], new["change"], new["change_shown"]) == (None, None, "new")


def test_its_pages_and_words(get, may):
    first = get("lists/main/live/?limit=4")
    second = get(first["next"].removeprefix("http://testserver/api/v1/"))
    assert first["results"] + second["results"] == get("lists/main/live/")["results"]
    assert (first["previous"], second["next"]) == (None, None)
    assert [row["name"] for row in get("lists/main/live/?q=zol")["results"]] == ["Zola Cele"]
    assert get("lists/main/live/?province=EC")["results"] == []
    get("lists/main/live/?sex=F", 400)
    get("lists/fast/live/", 404)


def test_before_it_is_calculated_it_is_not_there(get):
    builders.federation()
    assert "is not calculated yet" in get("lists/main/live/", 404)["detail"]
    assert get(f"players/{TOM}/")["live"] is None


def test_a_players_live_ratings_stand_beside_the_published_ones(get, may):
    player = get(f"players/{TOM}/")
    live = player["live"]
    assert (live["official"], live["period"], live["as_of"]) == (False, "2024-05", "2024-05-22T08:31:00Z")
    assert [row["list"] for row in live["ratings"]] == ["main", "standard", "rapid", "us"]
    (main,) = (row for row in get("lists/main/live/")["results"] if row["number"] == TOM)
    assert (live["ratings"][0]["rating"], live["ratings"][0]["rating_shown"]) == (main["rating"], main["rating_shown"])
    assert live["ratings"][0]["published"] == player["ratings"][0]["rating"]
    new = get(f"players/{may.number}/")
    assert (new["ratings"], [row["published"] for row in new["live"]["ratings"]]) == ([], [None] * 3)


def test_the_statistics_are_those_of_the_page(get, client):
    builders.players(12, birth_year=2012)
    made = list(Player.objects.order_by("number"))
    Player.objects.filter(pk__in=[player.pk for player in made[4:]]).update(sex="M")
    builders.round_robin(builders.event().sections.get(), made)
    builders.publish(builders.MARCH)
    page = client.get("/statistics/main/2024-03/").content.decode()
    answer = get("statistics/main/2024-03/")
    assert (answer["list"], answer["list_date"], answer["players"]) == ("main", "2024-04-01", 12)
    assert sum(band["players"] for band in answer["distribution"]) == 12
    assert all(band["below"] == band["first"] + 100 for band in answer["distribution"])
    (group,) = answer["ages"]
    assert (group["age_group"], group["women"]["players"], group["men"]["players"]) == ("U12", 4, 8)
    assert (group["women"]["average"], group["everybody"]["average"]) == (None, None)  # one would give the other away
    assert group["men"]["average_shown"] in page
    (region,) = answer["regions"]
    assert (region["region"], region["players"], region["active"]) == ("GAU", 12, 12)
    assert region["best_average_shown"] in page
    assert [(host["region"], host["events"], host["sections"]) for host in answer["events"]] == [("GAU", 1, 1)]
    assert (answer["improved_in_month"], answer["improved_in_year"]) == ([], None)
    assert answer["junior_group"] == "U20"
    assert [row["number"] for row in answer["women"]] == [
        player.number for player in made[:4]
    ]  # in the order of the names, which is that of strength
    for row in (*answer["juniors"], *answer["women"]):
        assert row["rating_shown"] in page
        assert row["name"] in page


@pytest.mark.usefixtures("federation")
def test_what_there_are_no_statistics_of(get):
    assert get("statistics/main/2024-04/?fields=players") == {"players": 6}
    assert get("statistics/us/2024-04/")["regions"][0]["active"] is None
    assert len(get("statistics/main/2024-04/")["improved_in_month"]) > 0
    get("statistics/main/2024-05/", 404)
    get("statistics/fast/2024-04/", 404)


def test_they_cost_a_fixed_number_of_queries(queries, may):
    queries("/api/v1/lists/main/live/", 7)
    queries("/api/v1/lists/main/live/?limit=2", 7)
    queries(f"/api/v1/players/{TOM}/", 6)
    queries("/api/v1/statistics/main/2024-04/", 10)
