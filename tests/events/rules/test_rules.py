"""The checks of the regulations on a section's file, each on both sides of its limit."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from config.lib import formatting
from events.rules.deadlines import last_day_to_submit
from events.rules.game_result import Result
from events.rules.section_file import SectionFacts, check_section, smallest_section
from events.rules.tournament import Entrant, Pairing, Team, TimeControl, Tournament
from tests.fuzz.readers import least_seconds

TODAY = date(2024, 3, 10)
ENTRANTS = tuple(
    Entrant(
        number,
        f"Player {number}",
        "Player",
        f"Naledi {number}",
        sex="M",
        fide_id="1",
        birth_date=date(2000, 1, 1),
        line=number,
    )
    for number in range(1, 7)
)


def games(rounds, *boards):
    """The pairs of players meet in every round, with the other colours each time."""
    return tuple(
        Pairing(number, *(pair if number % 2 else reversed(pair)), Result.DRAW)
        for number in range(1, rounds + 1)
        for pair in boards
    )


CLEAN = SectionFacts(
    tournament=Tournament(
        format="TRF16",
        encoding="utf-8",
        name="Open",
        rounds=5,
        round_dates=(date(2024, 3, 2),) * 5,
        entrants=ENTRANTS,
        pairings=games(5, (1, 2), (3, 4), (5, 6)),
    ),
    time_control=TimeControl(90, 30),
    format="swiss",
    starts=date(2024, 3, 2),
    ends=date(2024, 3, 3),
    organiser="Thandi Nkosi",
    organiser_number="100000009",
    chief_arbiter="Grace Tenza",
    fide_rated=True,
)


def found(today=TODAY, tournament=None, **fields):
    """(severity, code, article) of what the checks find when the clean section has these fields instead."""
    facts = replace(CLEAN, tournament=replace(CLEAN.tournament, **(tournament or {})), **fields)
    return [(one.severity.value, one.code, one.article) for one in check_section(facts, today=today)]


def without(**fields):
    return (replace(ENTRANTS[0], **fields), *ENTRANTS[1:])


def test_a_clean_section():
    assert found() == []


@pytest.mark.rule(
    "chessa 13.1",
    "chessa 13.2",
    "chessa 13.3",
    "chessa 13.5",
    "chessa 14.2",
    "chessa 14.3",
    "chessa 14.4",
    "chessa 15",
    "chessa 22",
    "chessa 23",
)
@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ({"starts": date(2023, 3, 3)}, None),
        ({"starts": date(2023, 3, 2)}, ("error", "date-implausible", "13.2")),
        ({"tournament": {"planned_rounds": 142}}, None),
        ({"tournament": {"planned_rounds": 143}}, ("error", "planned-rounds-implausible", "13.3")),
        ({"starts": date(1969, 12, 31)}, ("error", "date-implausible", "13.2")),
        ({"tournament": {"name": ""}}, ("hold", "event-name-missing", "13.1")),
        ({"today": date(2024, 3, 2)}, ("error", "not-ended", "13.2")),
        ({"tournament": {"rounds": 6}}, ("hold", "round-dates-missing", "13.3")),
        ({"tournament": {"round_dates": (None,) * 5}}, ("hold", "round-dates-missing", "13.3")),
        ({"starts": date(2024, 3, 3)}, ("hold", "round-dates-outside", "13.3")),
        ({"starts": date(2024, 3, 1), "ends": date(2024, 3, 1)}, ("hold", "round-dates-outside", "13.3")),
        ({"organiser": ""}, ("hold", "organiser-missing", "13.5")),
        ({"organiser_number": ""}, ("hold", "organiser-id-missing", "13.5")),
        ({"organiser_number": "12345678"}, ("hold", "organiser-id-missing", "13.5")),
        (
            {"tournament": {"entrants": without(birth_date=None, birth_year=2000)}},
            ("hold", "birth-dates-missing", "14.2"),
        ),
        ({"tournament": {"entrants": without(sex="")}}, ("hold", "sex-missing", "14.3")),
        ({"tournament": {"entrants": without(fide_id="")}}, ("hold", "fide-ids-missing", "14.4")),
        ({"chief_arbiter": ""}, ("hold", "arbiter-missing", "15")),
        ({"time_control": TimeControl(4, 59)}, None),
        ({"time_control": TimeControl(4, 0)}, ("error", "too-fast", "23")),
        ({"time_control": TimeControl(0, 5)}, None),
        ({"time_control": TimeControl(0, 4)}, ("error", "too-fast", "23")),
        ({"tournament": {"time_control": TimeControl(90, 30)}}, None),
        ({"tournament": {"time_control": TimeControl(90, 0)}}, ("error", "time-control-differs", "22")),
        ({"fide_rated": False, "tournament": {"entrants": without(fide_id="")}}, None),
        ({"starts": date(2024, 3, 3), "tournament": {"round_dates": (date(2024, 3, 3),) * 5}}, None),
        ({"today": date(2024, 3, 3)}, None),
    ],
)
def test_each_rule(case, expected):
    assert found(**case) == ([expected] if expected else [])


@pytest.mark.rule("chessa 9", "chessa 10", "chessa 43")
@pytest.mark.parametrize(
    ("case", "held"),
    [
        pytest.param({"tournament": {"federation": "RSA"}}, False, id="at home"),
        pytest.param({"tournament": {"federation": ""}}, False, id="not told"),
        pytest.param({"tournament": {"federation": "FID"}}, False, id="no federation"),
        pytest.param({"tournament": {"federation": "NAM"}}, True, id="the file's"),
        pytest.param({"tournament": {"federation": "RSA"}, "federation": "NAM"}, True, id="the registration's"),
        pytest.param({"tournament": {"federation": "NAM"}, "federation": "NAM"}, True, id="both"),
        pytest.param({"tournament": {"federation": "NAM"}, "federation": "NAM", "abroad": True}, False, id="abroad"),
    ],
)
def test_a_file_of_another_federation_is_held_unless_the_event_is_registered_as_one_abroad(case, held):
    assert found(**case) == [("hold", "federation-elsewhere", "10")] * held


@pytest.mark.rule("chessa 13.2")
def test_dates_in_the_wrong_order():
    assert ("error", "dates-reversed", "13.2") in found(starts=date(2024, 3, 4), ends=date(2024, 3, 3))


@pytest.mark.rule("chessa 17", "chessa 17.1", "chessa 17.2", "chessa 17.3", "chessa 17.4")
@pytest.mark.parametrize(
    ("section_format", "players", "rounds"),
    [("swiss", 6, 5), ("round-robin", 6, 5), ("double-round-robin", 4, 6), ("team", 4, 5), ("scheveningen", 5, 5)],
)
def test_the_smallest_section_of_each_format(section_format, players, rounds):
    """Article 17."""

    def codes(size, length):
        by_team = section_format in ("team", "scheveningen")
        entrants = [replace(ENTRANTS[0], number=number) for number in range(1, size + 1)]
        teams = (Team("A", tuple(range(1, size + 1))), Team("B", tuple(range(101, 110)))) if by_team else ()
        pairs = [(number, 100 + number) for number in range(1, 10) if not by_team or number <= max(size, 5)]
        if not by_team:
            pairs = [(number, number % size + 1) for number in range(1, size + 1)]
        tournament = {
            "entrants": tuple(entrants), "teams": teams, "rounds": length, "round_dates": (date(2024, 3, 2),) * length,
            "pairings": games(length, *pairs),
        }  # fmt: skip
        return [code for _, code, _ in found(tournament=tournament, format=section_format)]

    assert codes(players, rounds) == []
    assert codes(players - 1, rounds) == ["too-few-players"]
    assert codes(players, rounds - 1) == ["too-few-rounds"]


def test_one_round_is_named_as_one():
    facts = replace(CLEAN, tournament=replace(CLEAN.tournament, rounds=1, pairings=games(1, (1, 2), (3, 4), (5, 6))))
    (message,) = [one.message for one in check_section(facts, today=TODAY) if one.code == "too-few-rounds"]
    assert message == "1 round with a game; a Swiss section needs at least 5. Ask permission."


@pytest.mark.rule("chessa 17", "chessa 18")
def test_players_participate_who_played_and_rounds_are_completed_in_which_a_game_was_played():
    """One of six never played, as in the example of article 18; of five rounds one was only byes and forfeits."""
    five = games(5, (1, 2), (3, 4), (4, 5))
    absent = tuple(Pairing(number, 6, None, Result.ZERO_BYE) for number in range(1, 6))
    assert found(tournament={"pairings": five + absent}) == [("hold", "too-few-players", "17")]
    forfeits = (*five, Pairing(5, 6, 1, Result.FORFEIT_BLACK_WINS))
    assert found(tournament={"pairings": forfeits}) == [("hold", "too-few-players", "17")]
    assert found(tournament={"pairings": (*five, Pairing(5, 6, 1, Result.BLACK_WINS))}) == []
    byes = (*games(4, (1, 2), (3, 4), (5, 6)), Pairing(5, 1, None, Result.PAIRING_BYE))
    assert found(tournament={"pairings": (*byes, Pairing(5, 2, 3, Result.FORFEIT_BOTH_LOSE))}) == [
        ("hold", "too-few-rounds", "17")
    ]


@pytest.mark.rule("chessa 17.3")
def test_players_who_stand_in_hundreds_of_teams_are_counted_in_no_time():
    """A file of 5 MB, of 780 teams of one thousand players, took six seconds."""
    numbers = tuple(range(1, 401))
    pairs = [(number, number + 200) for number in numbers[:200]]
    teams = tuple(Team(f"Team {number}", numbers) for number in range(400))
    facts = replace(CLEAN, format="team", tournament=replace(CLEAN.tournament, teams=teams, pairings=games(60, *pairs)))
    assert least_seconds(lambda: list(smallest_section(facts)), 0.2) <= 0.2


def test_a_team_has_the_boards_of_its_players_who_played_in_one_match():
    """Five are named, of whom four play in different matches but never more than three in one."""
    teams = (Team("A", (1, 2, 3, 4, 5)), Team("B", (101, 102, 103, 104)))
    three = (*games(4, (1, 101), (2, 102), (3, 103)), Pairing(5, 4, 104, Result.DRAW))
    assert found(format="team", tournament={"teams": teams, "pairings": three}) == [("hold", "too-few-players", "17")]
    four = (*three, *games(1, (4, 104)))
    assert found(format="team", tournament={"teams": teams, "pairings": four}) == []


@pytest.mark.rule("chessa 17.3")
@pytest.mark.parametrize("section_format", ["team", "scheveningen"])
def test_a_team_section_without_teams_is_asked_about(section_format):
    assert found(format=section_format) == [("hold", "teams-missing", "17")]


@pytest.mark.rule("chessa 17.5")
@pytest.mark.parametrize("section_format", ["swiss", "double-round-robin", "team"])
@pytest.mark.parametrize(
    ("size", "length", "expected"),
    [(4, 3, []), (3, 3, ["too-few-players"]), (4, 2, ["too-few-rounds"])],
)
def test_the_smallest_section_for_disabled_players_whatever_its_format(section_format, size, length, expected):
    entrants = tuple(replace(ENTRANTS[0], number=number) for number in range(1, size + 1))
    tournament = {"entrants": entrants, "rounds": length, "round_dates": (date(2024, 3, 2),) * length}
    tournament["pairings"] = games(length, *((number, number % size + 1) for number in range(1, size + 1)))
    shown = found(tournament=tournament, format=section_format, disabled=True)
    assert [code for _, code, _ in shown] == expected


@pytest.mark.rule("chessa 61")
@pytest.mark.parametrize(
    ("ends", "last"),
    [
        (date(2024, 3, 1), date(2024, 4, 30)),
        (date(2024, 3, 31), date(2024, 4, 30)),
        (date(2024, 1, 31), date(2024, 2, 29)),
        (date(2023, 1, 31), date(2023, 2, 28)),
        (date(2024, 11, 30), date(2024, 12, 31)),
        (date(2024, 12, 1), date(2025, 1, 31)),
    ],
)
def test_the_last_day_for_a_file(ends, last):
    """Article 61: the period after the one in which the event ended."""
    assert last_day_to_submit(ends) == last
    facts = replace(CLEAN, starts=ends, ends=ends, tournament=replace(CLEAN.tournament, round_dates=(ends,) * 5))
    assert [one.code for one in check_section(facts, today=last)] == []
    (late,) = check_section(facts, today=last + timedelta(days=1))
    assert (late.code, late.severity, late.article) == ("too-late", "hold", "61")
    assert formatting.day(last) in late.message


@pytest.mark.rule("chessa 14.3")
def test_who_lacks_something_is_named_as_far_as_that_helps():
    facts = replace(CLEAN, tournament=replace(CLEAN.tournament, entrants=without(sex="")))
    (one,) = check_section(facts, today=TODAY)
    assert (one.line, one.message) == (1, "Player 1 (1): no gender (M or F). Complete them.")
    nobody = tuple(replace(entrant, sex="") for entrant in ENTRANTS)
    (one,) = check_section(replace(CLEAN, tournament=replace(CLEAN.tournament, entrants=nobody)), today=TODAY)
    assert one.message.startswith("All 6 players: no gender")


@pytest.mark.rule("chessa 21", "chessa 22")
def test_several_time_controls_block_until_it_is_said_which_was_played():
    two = {"time_controls": (TimeControl(90, 30), TimeControl(15, 10))}
    assert found(tournament=two) == [("error", "time-controls-several", "21, 22")]
    assert found(tournament=two, control_answered=True) == [("note", "time-control-given", "22")]
    mixed = found(tournament=two, control_answered=True, control_mixed=True)
    assert mixed == [("hold", "time-controls-mixed", "21, 22")]
