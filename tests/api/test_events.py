"""Events and sections: the figures of the pages, and nothing that no officer has accepted."""

from datetime import UTC, date, datetime

import pytest

from events.models import Arbiter, Entry, Game, Refusal, Section, Team
from events.rules.states import State
from ratings.models import Performance
from tests.pages import builders

pytestmark = pytest.mark.django_db


def test_events_come_latest_first_and_go_on(get):
    for day in range(1, 6):
        builders.event(f"Open {day}", ends=date(2024, 5, day))
    names, address = [], "events/?limit=2"
    while address:
        page = get(address.removeprefix("http://testserver/api/v1/"))
        names += [row["name"] for row in page["results"]]
        address = page["next"]
    assert names == [f"Open {day}" for day in (5, 4, 3, 2, 1)]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("q=open", ["May Open"]),
        ("month=2024-04", ["April Rapid"]),
        ("region=LCP", ["April Rapid"]),
        ("province=GP", ["May Open"]),
        ("state=submitted", ["April Rapid"]),
        ("state=refused", []),
    ],
)
def test_words_narrow_the_events(get, words, found):
    builders.event("May Open", ends=date(2024, 5, 4))
    builders.event("April Rapid", ends=date(2024, 4, 4), region="LCP", state=State.SUBMITTED)
    assert [row["name"] for row in get(f"events/?{words}")["results"]] == found


@pytest.mark.parametrize("words", ["month=2024-13", "month=May", "state=draft", "region=x", "after=x"])
def test_a_wrong_word_is_named(get, words):
    assert get(f"events/?{words}", 400)["errors"][0]["place"] == f"query.{words.partition('=')[0]}"


@pytest.mark.usefixtures("federation")
def test_an_event_has_its_timeline_sections_and_arbiters(get):
    event = Section.objects.get(event__name="March Open").event
    shown = get(f"events/{event.pk}/")
    assert [step["label"] for step in shown["timeline"]] == [
        "Registered", "Played", "Submitted", "Accepted", "Rated", "Published",
    ]  # fmt: skip
    assert shown["timeline"][1]["day"] == "2024-03-17"
    assert [(arbiter["role"], arbiter["name"]) for arbiter in shown["arbiters"]] == [
        ("Chief Arbiter", "Lindiwe Arendse")
    ]
    (section,) = shown["section_list"]
    assert (section["period"], section["rated"], section["refused"]) == ("2024-03", True, False)


@pytest.mark.usefixtures("federation")
def test_a_section_has_the_standings_of_the_page_with_their_numbers(get, client):
    section = Section.objects.get(event__name="April Rapid")
    shown = get(f"sections/{section.pk}/")
    page = client.get(f"/events/{section.event_id}/").content.decode()
    assert (shown["games"], shown["rounds"], shown["list_date"]) == (15, 5, "2024-05-01")
    first = shown["standings"][0]
    assert [change["list"] for change in first["changes"]] == ["main", "rapid", "us"]
    for row in shown["standings"]:
        for change in row["changes"]:
            kept = Performance.objects.get(section=section, player__number=row["number"], list__code=change["list"])
            assert change["change"] == pytest.approx(float(kept.change), rel=1e-12)
            assert change["change_shown"] in page
        for text in (row["points_shown"], row["rating_before_shown"], row["performance_shown"]):
            assert text in page
        for round_ in row["rounds"]:
            met = shown["standings"][round_["opponent_line"] - 1]
            other = met["rounds"][round_["round"] - 1]
            assert (other["opponent_line"], other["points"]) == (row["line"], 1.0 - round_["points"])
            assert {round_["colour"], other["colour"]} == {"white", "black"}
    assert sum(row["points"] for row in shown["standings"]) == 15


def test_a_guest_and_a_bye_have_no_line(get):
    section = builders.event("May Open").sections.get()
    tom, anri = builders.players(2)
    builders.play(section, [(1, tom, anri, "1-0"), (2, tom, None, "bye")])
    builders.visitor(section, anri)
    tom_row, anri_row = get(f"sections/{section.pk}/")["standings"]
    assert (tom_row["rounds"][1]["outcome"], tom_row["rounds"][1]["opponent_line"]) == ("unplayed", None)
    assert anri_row["rounds"][1] == {
        "round": 2, "opponent_line": None, "opponent_name": None, "colour": None, "points": None, "result": None,
        "outcome": "none",
    }  # fmt: skip
    assert (anri_row["rounds"][8]["opponent_name"], anri_row["rounds"][8]["opponent_line"]) == ("Ingrid Abroad", None)


def test_a_draft_is_not_there(get):
    event = builders.event("May Open", state=State.DRAFT)
    get(f"events/{event.pk}/", 404)
    get(f"sections/{event.sections.get().pk}/", 404)
    assert get("events/")["results"] == []


@pytest.mark.parametrize("state", [State.SUBMITTED, State.RETURNED, State.REFUSED])
def test_results_before_acceptance_are_not_public(get, state):
    event = builders.event("May Open", state=state)
    builders.play(event.sections.get(), [(1, *builders.players(2), "1-0")])
    shown = get(f"sections/{event.sections.get().pk}/")
    assert (shown["results_public"], shown["standings"], shown["games"]) == (False, [], 0)
    assert get("players/")["results"] == []


def test_a_refused_section_shows_no_results(get):
    event = builders.event("May Open", sections=("A", "B"))
    first, second = event.sections.order_by("position")
    builders.play(first, [(1, *builders.players(2), "1-0")])
    Refusal.objects.create(event=event, section=first, at=datetime(2024, 3, 20, tzinfo=UTC), reason="clocks")
    shown = get(f"sections/{first.pk}/")
    assert (shown["refused"], shown["results_public"], shown["standings"]) == (True, False, [])
    assert get(f"sections/{second.pk}/")["results_public"] is True
    assert "clocks" not in str(shown)


@pytest.mark.usefixtures("federation")
def test_events_cost_few_queries(queries):
    section = Section.objects.get(event__name="April Rapid")
    # versions, events, their sections
    queries("/api/v1/events/?limit=1", 3)
    queries("/api/v1/events/?limit=500", 3)
    queries(f"/api/v1/events/{section.event_id}/", 4)
    # versions, event of the section, event, its sections, lists, months; entries, games, performances
    queries(f"/api/v1/sections/{section.pk}/", 9)
    Game.objects.filter(section=section, round__gt=1).delete()
    queries(f"/api/v1/sections/{section.pk}/", 9)


@pytest.mark.usefixtures("federation")
def test_an_arbiter_has_his_appointments_to_public_events(get):
    section = Section.objects.get(event__name="March Open")
    arbiter = section.event.appointments.get().arbiter
    hidden = builders.event("Hidden Open", state=State.DRAFT)
    hidden.appointments.create(arbiter=arbiter, position=5)
    shown = get(f"arbiters/{arbiter.pk}/")
    assert (shown["name"], shown["title"]) == ("Lindiwe Arendse", arbiter.title)
    assert "March Open" in [row["event_name"] for row in shown["appointments"]]
    assert "Hidden Open" not in [row["event_name"] for row in shown["appointments"]]
    assert get(f"events/{section.event_id}/")["arbiters"][0]["address"].endswith(f"/arbiters/{arbiter.pk}/")


def test_an_arbiter_of_no_public_event_is_not_there(get):
    arbiter = Arbiter.objects.create(name="Nomsa Dlamini", title="NA")
    builders.event("Hidden Open", state=State.DRAFT).appointments.create(arbiter=arbiter, position=5)
    get(f"arbiters/{arbiter.pk}/", 404)


def test_events_by_their_days_and_kind(get):
    builders.event("May Open", ends=date(2024, 5, 4))
    builders.event("June Open", ends=date(2024, 6, 4))
    for words, names in (
        ("from=2024-05-05", ["June Open"]),
        ("to=2024-05-04", ["May Open"]),
        ("from=2024-05-04&to=2024-06-03", ["May Open"]),
        ("kind=abroad", []),
    ):
        assert [row["name"] for row in get(f"events/?{words}")["results"]] == names


@pytest.mark.usefixtures("federation")
def test_a_section_leads_to_its_tournament_file(get, client):
    section = Section.objects.get(event__name="March Open")
    address = get(f"sections/{section.pk}/")["file"]
    file = client.get(address.removeprefix("http://testserver"))
    assert file.content.startswith(b"012 March Open")
    again = client.get(f"/api/v1/sections/{section.pk}.trf", headers={"accept": "text/plain"})
    assert again.content == file.content
    for name in ("Content-Type", "Content-Disposition"):
        assert again.headers[name] == file.headers[name]
    Refusal.objects.create(event=section.event, section=section, at=datetime(2024, 4, 1, tzinfo=UTC), reason="x")
    assert get(f"sections/{section.pk}/")["file"] is None
    for number in (section.pk, 10**30):
        get(f"sections/{number}.trf", 404)


def test_a_section_has_tie_breaks_in_the_order_of_its_columns(get):
    first, second, third, fourth = builders.players(4)
    section = builders.event().sections.get()
    pairings = [(1, first, second, "1-0"), (1, third, fourth, "1-0"), (2, first, third, "1/2-1/2")]
    builders.play(section, [*pairings, (2, second, fourth, "1/2-1/2")])
    shown = get(f"sections/{section.pk}/")
    leader = shown["standings"][0]
    assert [row["code"] for row in shown["tie_breaks"]] == [row["code"] for row in leader["tie_breaks"]]
    assert [(row["value"], row["value_shown"]) for row in leader["tie_breaks"]] == [
        (2.0, "2.0"), (1.5, "1.5"), (1.25, "1.25"), (1, "1"),
    ]  # fmt: skip
    assert [row["rank"] for row in shown["standings"]] == [1, 1, 3, 3]
    assert "shares a place" in shown["places_note"]
    assert (shown["teams"], leader["team"], leader["board"]) == ([], None, None)
    assert [
        (pairing["board"], pairing["white"], pairing["result"])
        for pairing in shown["pairings"][1]["groups"][0]["pairings"]
    ] == [(1, first.number, "1/2-1/2"), (2, second.number, "1/2-1/2")]


def test_a_team_event_has_its_teams_boards_and_matches(get):
    """Two matches drawn and won by board points: 1½ to ½, then 1 to 1."""
    players = builders.players(4)
    section = builders.event().sections.get()
    a1, b1, a2, b2 = players
    pairings = [(1, a1, b1, "1-0"), (1, b2, a2, "1/2-1/2"), (2, b1, a1, "1-0"), (2, a2, b2, "1-0")]
    builders.play(section, pairings)
    for number, (name, members) in enumerate((("Rooks", (a1, a2)), ("Knights", (b1, b2))), start=1):
        team = Team.objects.create(section=section, number=number, name=name)
        for board, player in enumerate(members, start=1):
            Entry.objects.filter(section=section, player=player).update(team=team, board=board)
    shown = get(f"sections/{section.pk}/")
    assert shown["teams"] == [
        {
            "place": place, "name": name, "match_points": points, "board_points": scored, "board_points_shown": text,
            "won": won, "drawn": 1, "lost": lost,
        }
        for place, name, points, scored, text, won, lost in (
            (1, "Rooks", 3, 2.5, "2½", 1, 0), (2, "Knights", 1, 1.5, "1½", 0, 1),
        )
    ]  # fmt: skip
    assert {row["name"]: (row["team"], row["board"]) for row in shown["standings"]} == {
        a1.name: ("Rooks", 1), a2.name: ("Rooks", 2), b1.name: ("Knights", 1), b2.name: ("Knights", 2),
    }  # fmt: skip
    (group,) = shown["pairings"][0]["groups"]
    assert group["match"] == {"first": "Rooks", "second": "Knights", "first_points": 1.5, "second_points": 0.5}
    assert [(row["board"], row["white"], row["result"]) for row in group["pairings"]] == [
        (1, a1.number, "1-0"), (2, b2.number, "1/2-1/2"),
    ]  # fmt: skip


@pytest.mark.usefixtures("federation")
def test_a_region_has_its_players_and_its_best(get):
    shown = get("regions/GAU/")
    assert (shown["code"], shown["players"], shown["active"]) == ("GAU", 6, 6)
    main = shown["best"][0]
    rows = get("lists/main/2024-04/?region=GAU&limit=10")["results"]
    assert [(best["number"], best["rating"], best["rating_shown"]) for best in main["players"]] == [
        (row["number"], row["rating"], row["rating_shown"]) for row in rows
    ]
    assert main["average"] == pytest.approx(sum(row["rating"] for row in rows) / len(rows))
    assert get("regions/LCP/")["best"][0] == {"list": "main", "average": None, "average_shown": "–", "players": []}
    get("regions/XXX/", 404)


@pytest.mark.usefixtures("federation")
def test_players_are_narrowed_to_a_list(get):
    builders.players(7)
    on_main = {row["number"] for row in get("lists/main/2024-04/")["results"]}
    assert {row["number"] for row in get("players/?list=main")["results"]} == on_main
    assert len(get("players/")["results"]) > len(on_main)
    assert get("players/?list=blitz")["results"] == get("players/?list=nothing")["results"] == []
