"""Players: ratings side by side, history, games, explanations, and many looked up at once."""

from datetime import date

import pytest

from ratings.models import Performance, Rating
from tests.pages import builders

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("federation")]

TOM = "100000001"


def test_players_are_found_by_name_in_any_order(get):
    assert [row["name"] for row in get("players/?q=sipho dlam")["results"]] == ["Sipho Dlamini"]
    assert [row["number"] for row in get("players/?q=1000000&limit=2")["results"]] == [TOM, "100000002"]
    (main, *_), latest = get(f"players/?q={TOM}")["results"][0]["ratings"], get(f"players/{TOM}/")["ratings"]
    assert main["rating"] == latest[0]["rating"]


def test_pages_of_players_go_on_by_name(get):
    names, address = [], "players/?limit=4"
    while address:
        page = get(address.removeprefix("http://testserver/api/v1/"))
        names += [row["name"] for row in page["results"]]
        address = page["next"]
    assert names == [row["name"] for row in get("players/")["results"]]


def test_all_ratings_of_a_player_stand_side_by_side(get, client):
    page = client.get(f"/players/{TOM}/").content.decode()
    player = get(f"players/{TOM}/")
    assert [row["list"] for row in player["ratings"]] == ["main", "standard", "rapid", "us"]
    assert {name for name in player if "birth" in name} == {"birth_year"}
    for row in player["ratings"]:
        kept = Rating.objects.get(list__code=row["list"], player__number=TOM, run__period__month=date(2024, 4, 1))
        assert (row["rating"], row["raw"]) == pytest.approx((float(kept.published), float(kept.raw)), rel=1e-13)
        assert row["rating_shown"] in page
        assert row["change_shown"] in page
    assert [row["activity_games"] for row in player["ratings"]] == [10, 5, 5, None]


def test_a_history_has_every_month_on_every_list(get, client):
    rows = get(f"players/{TOM}/history/")["results"]
    assert {(row["period"], row["list"]) for row in rows} == {
        ("2024-03", "main"), ("2024-03", "standard"), ("2024-03", "us"),
        ("2024-04", "main"), ("2024-04", "standard"), ("2024-04", "rapid"), ("2024-04", "us"),
    }  # fmt: skip
    assert [row["period"] for row in get(f"players/{TOM}/history/?list=main")["results"]] == ["2024-04", "2024-03"]
    kept = client.get(f"/players/{TOM}/history.csv").content.decode()
    assert all(repr(row["rating"]) in kept for row in rows)


def test_games_say_who_was_met_with_which_rating(get):
    games = get(f"players/{TOM}/games/")["results"]
    assert len(games) == 10
    first = games[-1]
    assert (first["event_name"], first["round"], first["opponent"]["name"]) == ("March Open", 1, "Chloé Fourie")
    assert (first["opponent_rating"], first["opponent_rating_shown"]) == (None, "unrated")
    april = [game for game in games if game["period"] == "2024-04"]
    started = Rating.objects.get(list__code="main", player__number="100000006", run__period__month=date(2024, 3, 1))
    (rating,) = {game["opponent_rating"] for game in april if game["opponent"]["name"] == "Chloé Fourie"}
    assert rating == pytest.approx(float(started.raw), rel=1e-13)


def test_what_the_games_of_a_section_earned_adds_up_to_what_the_section_did(get):
    games = [game for game in get(f"players/{TOM}/games/")["results"] if game["period"] == "2024-04"]
    (section,) = [played for played in get(f"players/{TOM}/events/")["results"] if played["period"] == "2024-04"]
    assert len(games) == 5
    for change in section["changes"]:
        earned = [figures for game in games for figures in game["earned"] if figures["list"] == change["list"]]
        if change["list"] in ("main", "rapid"):
            assert len(earned) == 5
            assert sum(figures["change"] for figures in earned) == pytest.approx(change["change"])
    assert {figures["list"] for game in games for figures in game["earned"]} == {"main", "rapid"}
    first = next(figures for figures in games[0]["earned"] if figures["list"] == "rapid")
    assert 0 < first["expected"] < 1
    assert first["opponent_rated"] is False  # his first rapid game


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("colour=white", 6),
        ("colour=black", 4),
        ("opponent=100000002", 2),
        ("list=rapid", 5),
        ("list=main", 10),
        ("list=blitz", 0),
        ("from=2024-03-18", 5),
        ("from=2024-03-17&to=2024-03-17", 5),
        ("to=2024-03-16", 0),
    ],
)
def test_words_narrow_games(get, words, number):
    assert len(get(f"players/{TOM}/games/?{words}")["results"]) == number


def test_events_say_what_they_earned_on_each_list(get, client):
    april, march = get(f"players/{TOM}/events/")["results"]
    assert [change["list"] for change in april["changes"]] == ["main", "rapid", "us"]
    assert march["changes"][-1]["change_shown"] == "new"
    page = client.get(f"/players/{TOM}/").content.decode()
    for change in april["changes"][:2]:
        kept = Performance.objects.get(player__number=TOM, section=april["section"], list__code=change["list"])
        assert change["change"] == pytest.approx(float(kept.change), rel=1e-13)
        assert change["change_shown"] in page
    assert march["performance"] == pytest.approx(1455.0)


def test_results_that_are_not_accepted_are_not_among_the_games(get):
    waiting = builders.event("May Open", ends=date(2024, 5, 4), state=builders.State.SUBMITTED)
    builders.play(waiting.sections.get(), [(1, *builders.Player.objects.all()[:2], "1-0")])
    assert len(get(f"players/{TOM}/games/")["results"]) == 10
    assert len(get(f"players/{TOM}/events/")["results"]) == 2


def test_a_guest_abroad_brings_his_own_rating(get):
    section = builders.Section.objects.get(event__name="April Rapid")
    builders.visitor(section, builders.Player.objects.get(number=TOM))
    game = get(f"players/{TOM}/games/?from=2024-04-01")["results"][0]
    assert game["opponent"] == {"number": None, "name": "Ingrid Abroad"}
    assert (game["opponent_rating"], game["opponent_rating_shown"]) == (1700.0, "FIDE 1700")


@pytest.mark.parametrize("code", ["main", "us"])
def test_an_explanation_leads_to_the_published_rating(get, client, code):
    explained = get(f"players/{TOM}/explanations/2024-04/{code}/")
    assert explained["explained"] == pytest.approx(explained["rating"], abs=1e-9)
    steps = explained["steps"] or explained["events"][0]["steps"]
    page = client.get(f"/players/{TOM}/2024-04/{code}/").content.decode()
    assert len(steps) > 3
    for step in steps:
        for cell in [cell for row in step["rows"] for cell in row] + step["result"]:
            assert str(cell["shown"]).replace("'", "’") in page.replace("&#x27;", "’").replace("&#39;", "’")
    met = [cell for step in steps for row in step["rows"] for cell in row if cell["kind"] == "player"]
    assert {cell["player"] for cell in met} == {f"10000000{place}" for place in range(2, 7)}


def test_there_is_no_explanation_without_a_rating(get):
    get(f"players/{TOM}/explanations/2024-03/rapid/", 404)
    get(f"players/{TOM}/explanations/2024-05/main/", 404)
    get("players/999999999/explanations/2024-03/main/", 404)


def test_many_players_are_looked_up_at_once(post):
    asked = [
        {"number": "100000002"},
        {"name": "Cele, Zola", "birth_year": 2001},
        {"name": "Zola Cele", "birth_year": 1950},
        {"number": "100000002", "name": "Zola Cele"},
        {"name": "Nobody, Known"},
    ]
    results = post("players/lookup/", {"players": asked})["results"]
    found = [[(row["player"]["name"], row["certain"]) for row in result["candidates"]] for result in results]
    assert found[0] == [("Anri Botha", True)]
    assert found[1] == [("Zola Cele", False)]
    assert found[2] == []
    assert found[3] == [("Anri Botha", False), ("Zola Cele", False)]
    assert found[4] == []
    assert results[1]["candidates"][0]["reason"] == "same name; same year of birth"


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ({"players": [{"number": "1"}]}, "players[0].number"),
        ({"players": [{"number": "100000002"}, {}]}, "players[1]"),
        ({"players": []}, "players"),
        ({"players": [{"name": "x"}] * 501}, "players"),
        ({}, "players"),
        ([], ""),
    ],
)
def test_a_wrong_look_up_names_the_place(post, document, place):
    assert post("players/lookup/", document, 400)["errors"][0]["place"] == place


@pytest.mark.parametrize("number", [1, 500])
def test_a_look_up_costs_as_many_queries_whatever_its_length(post, django_assert_num_queries, number):
    with django_assert_num_queries(2):
        post("players/lookup/", {"players": [{"name": f"Cele {index}"} for index in range(number)]})


def test_a_player_costs_few_queries(queries):
    # versions, player, lists, months, live list, all figures
    queries(f"/api/v1/players/{TOM}/", 6)
    queries(f"/api/v1/players/{TOM}/history/", 5)
    # versions, player, months, standings, lists, games, ratings at the start, performances, penalties
    queries(f"/api/v1/players/{TOM}/games/", 9)
    queries(f"/api/v1/players/{TOM}/events/?limit=1", 8)
    queries("/api/v1/players/?limit=1", 6)
    queries("/api/v1/players/?limit=500", 5)  # the lists are kept
