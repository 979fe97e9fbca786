"""What a section's results propose: each forfeit after round 1 (51), each withdrawal once with its rounds (52)."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.rules.abroad import GameAbroad
from events.rules.game_result import BYES, Result, mirrored
from events.rules.penalties import (
    PenaltyKind,
    Proposal,
    SectionRounds,
    entry_errors,
    proposals,
    proposals_abroad,
    was_at_board,
)
from events.rules.tournament import Entrant, Pairing, Team, Tournament

GAME, LEFT, CAME = Result.WHITE_WINS, Result.FORFEIT_BLACK_WINS, Result.FORFEIT_WHITE_WINS
CARDS = {
    "1": GAME,  # a game
    "-": LEFT,  # he did not come
    "+": CAME,  # his opponent did not come
    "x": Result.FORFEIT_BOTH_LOSE,
    "?": None,  # paired, no result yet
    "U": Result.PAIRING_BYE,
    "H": Result.HALF_BYE,
    "F": Result.FULL_BYE,
    "Z": Result.ZERO_BYE,
}
MIRRORED = {letter: mirrored(result) for letter, result in CARDS.items() if result}
OPPONENTS = (
    10  # player 1 meets 11 in round 1, 12 in round 2 …; they meet nobody else and are left out of what is compared
)


def section(card: str, **fields: object) -> Tournament:
    """Player 1 with this card, a letter a round (a dot: not in the file), in an event whose players 2 and 3 play on."""
    rounds = len(card)
    own = [
        Pairing(number, 1, None if letter in "UHFZ" else OPPONENTS + number, CARDS[letter], line=100 + number)
        for number, letter in enumerate(card, start=1)
        if letter != "."
    ]
    others = [Pairing(number, 2, 3, Result.DRAW) for number in range(1, rounds + 1)]
    numbers = [1, 2, 3, *(OPPONENTS + number for number in range(1, rounds + 1))]
    entrants = tuple(Entrant(number, f"Player {number}", "Player", str(number), line=number) for number in numbers)
    return Tournament("TRF16", "ascii", rounds=rounds, entrants=entrants, pairings=(*own, *others), **fields)


def of_player(card: str, planned: int | None = None, *, format: str = "swiss", **fields: object) -> list[Proposal]:
    """What is proposed for player 1."""
    return [one for one in proposals(section(card, **fields), planned, format=format) if one.number == 1]


def short(found: list[Proposal]) -> list[tuple[str, int, int]]:
    return [(one.kind.value, one.round, one.rounds) for one in found]


@pytest.mark.rule("chessa 51")
@pytest.mark.parametrize(
    ("card", "rounds"),
    [
        ("-1111", []),  # round 1 is excluded
        ("1-111", [2]),
        ("1-1-1", [2, 4]),
        ("1x111", [2]),
        ("1111-", [5]),
        ("11--1", [3, 4]),
        ("1+111", []),
        ("11H1?", []),
        ("11111", []),
    ],
)
def test_each_forfeit_after_the_first_round(card: str, rounds: list[int]) -> None:
    assert short(of_player(card)) == [("forfeit", number, 1) for number in rounds]


@pytest.mark.rule("chessa 52")
@pytest.mark.parametrize(
    ("card", "first", "rounds"),
    [
        ("1ZZZZ", 2, 4),  # the earliest
        ("1....", 2, 4),
        ("111ZZ", 4, 2),
        ("11Z.Z", 3, 3),
        ("1111Z", 5, 1),  # missing in the last round only
        ("1111.", 5, 1),
        ("UZZZZ", 2, 4),  # a bye of the pairing program: he was there
        ("HZZZZ", 2, 4),
        ("+ZZZZ", 2, 4),
        ("1Z1ZZ", 4, 2),  # away once before, and back
        ("ZZ1ZZ", 4, 2),  # came late, left early
        ("-ZZZZ", 1, 5),  # article 52 does not exclude round 1, as article 51 does
        ("x....", 1, 5),
        ("--ZZZ", 1, 5),
        ("ZZ-ZZ", 3, 3),
    ],
)
def test_who_is_away_to_the_end_has_withdrawn(card: str, first: int, rounds: int) -> None:
    assert short(of_player(card)) == [("withdrawal", first, rounds)]


@pytest.mark.rule("chessa 52")
@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("11-ZZ", [("withdrawal", 3, 3)]),
        ("1--ZZ", [("withdrawal", 2, 4)]),
        ("11x..", [("withdrawal", 3, 3)]),
        ("1-1-Z", [("forfeit", 2, 1), ("withdrawal", 4, 2)]),
        ("1-HZZ", [("forfeit", 2, 1), ("withdrawal", 4, 2)]),
        ("1-Z-Z", [("forfeit", 2, 1), ("withdrawal", 4, 2)]),
    ],
)
def test_the_forfeit_before_is_part_of_the_withdrawal(card: str, expected: list[tuple[str, int, int]]) -> None:
    assert short(of_player(card)) == expected


@pytest.mark.rule("chessa 52")
@pytest.mark.parametrize(
    "card",
    [
        "ZZZZZ",  # never came
        ".....",
        "ZZ111",  # came late
        "11Z11",  # left out a round
        "111ZH",  # asked for a bye in the last round
        "1111H",
        "1111U",
        "111ZU",
        "1111?",  # paired
    ],
)
def test_no_withdrawal(card: str) -> None:
    assert of_player(card) == []


@pytest.mark.parametrize(("planned", "rounds"), [(None, 3), (5, 3), (4, 2), (9, 3)])
def test_the_end_is_the_last_round_played_and_no_play_off(planned: int | None, rounds: int) -> None:
    assert short(of_player("11ZZZ", planned)) == [("withdrawal", 3, rounds)]


@pytest.mark.rule("chessa 52")
@pytest.mark.parametrize(("boards", "rounds"), [(1, 2), (2, 4), (3, 4)])
def test_rounds_beyond_the_plan_count_when_half_of_the_participants_play_them(boards: int, rounds: int) -> None:
    """Eight players and five planned rounds; from round 4 on player 8 is away; rounds 6 and 7 have so many boards."""
    entrants = tuple(Entrant(number, f"P{number}", f"P{number}", "") for number in range(1, 9))
    pairings = [
        Pairing(round_, board, board + 4, GAME)
        for round_ in range(1, 8)
        for board in range(1, 5 if round_ < 4 else 4 if round_ < 6 else boards + 1)
    ]
    file = Tournament("", "", entrants=entrants, pairings=tuple(pairings))
    found = [proposal for proposal in proposals(file, 5) if proposal.number == 8]
    assert short(found) == [("withdrawal", 4, rounds)]


def test_rounds_that_nobody_played_are_nobodys_absence() -> None:
    tournament = section("11Z")
    later = tuple(Pairing(4, number, None, Result.ZERO_BYE) for number in (1, 2, 3))
    assert short(
        [one for one in proposals(Tournament("", "", entrants=tournament.entrants, pairings=tournament.pairings + later))
         if one.number in (1, 2)]
    ) == [("withdrawal", 3, 1)]  # fmt: skip


@pytest.mark.parametrize("format", ["team", "scheveningen", "round-robin", "double-round-robin"])
def test_withdrawals_are_a_swisss_only(format: str) -> None:
    assert short(of_player("1-1ZZ", format=format)) == [("forfeit", 2, 1)]


def test_a_file_of_teams_has_reserves_whatever_the_uploader_calls_it() -> None:
    assert of_player("111ZZ", teams=(Team("Baobabs", (1, 2)),)) == []


def test_the_lines_are_those_that_show_it() -> None:
    assert of_player("1-1-Z")[0].lines == (102,)
    assert of_player("1-1-Z")[1].lines == (104, 105)
    assert of_player("111..")[0].lines == (1,)


def test_a_double_forfeit_costs_both() -> None:
    entrants = tuple(Entrant(number, f"P{number}", f"P{number}", "") for number in (1, 2))
    games = (Pairing(1, 1, 2, GAME), Pairing(2, 2, 1, Result.FORFEIT_BOTH_LOSE), Pairing(3, 1, 2, GAME))
    found = proposals(Tournament("", "", entrants=entrants, pairings=games))
    assert [(one.number, one.round) for one in found] == [(1, 2), (2, 2)]


def test_an_empty_tournament_proposes_nothing() -> None:
    assert proposals(Tournament("", "")) == []


@given(st.text("1-+x?UHFZ.", max_size=9), st.none() | st.integers(0, 12))
def test_no_round_is_counted_twice_and_none_that_was_played(card: str, planned: int | None) -> None:
    covered = [number for one in of_player(card, planned) for number in range(one.round, one.round + one.rounds)]
    assert len(covered) == len(set(covered))
    assert all(card[number - 1] in "-xZ." for number in covered)
    assert all(number > 1 or card[0] in "-x" for number in covered)
    missing = {number for number, letter in enumerate(card, start=1) if number > 1 and letter in "-x"}
    assert missing <= set(covered)


@pytest.mark.rule("chessa 52")
@pytest.mark.parametrize(
    ("card", "format", "found"),
    [
        ("11-ZZ", "swiss", [("withdrawal", 3, 3)]),
        ("111ZZ", "swiss", [("withdrawal", 4, 2)]),
        ("111ZZ", "round-robin", []),
        ("1-1ZH", "swiss", [("forfeit", 2, 1)]),
        ("1-111", "swiss", [("forfeit", 2, 1)]),
        ("ZZZ", "swiss", []),
    ],
)
def test_a_players_own_rounds_abroad_propose_what_a_file_would(card: str, format: str, found: list) -> None:
    games = [
        GameAbroad(
            number,
            white=number % 2 == 0,
            result=CARDS[letter] if number % 2 == 0 or letter in "ZH" else MIRRORED[letter],
        )
        for number, letter in enumerate(card, start=1)
    ]
    assert short(proposals_abroad(games, 1, format=format)) == found


@pytest.mark.rule("chessa 51", "chessa 52")
@pytest.mark.parametrize(
    ("kind", "round_", "points", "fields"),
    [
        ("forfeit", 1, 20, ["round"]),
        ("forfeit", 2, 20, []),
        ("forfeit", 5, 20, []),
        ("forfeit", 6, 20, ["round"]),
        ("forfeit", 0, 20, ["round"]),
        ("forfeit", 2, 35, ["points"]),
        ("forfeit", 2, 40, ["points"]),
        ("withdrawal", 1, 100, []),
        ("withdrawal", 4, 40, []),
        ("withdrawal", 4, 60, ["points"]),
        ("withdrawal", 4, 20, ["points"]),
        ("withdrawal", 4, 0, ["points"]),
        ("withdrawal", 5, 20, []),
        ("withdrawal", 99, 7.5, ["round"]),
    ],
)
def test_what_an_officer_enters_is_held_to_the_articles(kind: str, round_: int, points: float, fields: list) -> None:
    """A section of five rounds."""
    errors = entry_errors(PenaltyKind(kind), round_, points, rounds=SectionRounds(5, 5), ends=date(2024, 3, 17))
    assert [error.field for error in errors] == fields


@pytest.mark.rule("chessa 52")
@pytest.mark.parametrize(
    ("round_", "allowed"),
    [(3, {60, 80, 100}), (5, {20, 40, 60}), (6, {20, 40}), (7, {20})],
)
def test_only_rounds_of_a_play_off_may_be_left_out_of_a_withdrawal(round_: int, allowed: set) -> None:
    """A section of five rounds for all and a play-off of two."""
    rounds, ends = SectionRounds(last=7, common=5), date(2024, 3, 17)
    taken = {
        points
        for points in range(0, 140, 10)
        if not list(entry_errors(PenaltyKind.WITHDRAWAL, round_, points, rounds=rounds, ends=ends))
    }
    assert taken == allowed


@pytest.mark.rule("chessa 52")
def test_the_points_that_are_due_are_named() -> None:
    (error,) = entry_errors(PenaltyKind.WITHDRAWAL, 3, 20, rounds=SectionRounds(5, 5), ends=date(2024, 3, 17))
    assert error.message == "A withdrawal in round 3 costs 60 points, 20 for that round and for each one after it."


@pytest.mark.rule("chessa 51", "chessa 52")
@pytest.mark.parametrize(
    ("kind", "round_", "points", "taken", "codes"),
    [
        ("forfeit", 4, 20, {3, 4, 5}, ["penalty-round-twice"]),
        ("forfeit", 2, 20, {3, 4, 5}, []),
        ("withdrawal", 3, 60, {4}, ["penalty-round-twice"]),
        ("withdrawal", 3, 60, {5}, ["penalty-round-twice"]),
        ("withdrawal", 3, 60, {2}, []),
    ],
)
def test_no_round_counts_twice(kind: str, round_: int, points: float, taken: set, codes: list) -> None:
    rounds = SectionRounds(5, 5)
    errors = entry_errors(PenaltyKind(kind), round_, points, rounds=rounds, ends=date(2024, 3, 17), taken=taken)
    assert [error.code for error in errors] == codes


@pytest.mark.rule("chessa 51", "chessa 52")
@pytest.mark.parametrize(
    ("kind", "round_", "points", "codes"),
    [
        ("forfeit", 3, 20, ["penalty-round-attended"]),
        ("forfeit", 4, 20, []),
        ("withdrawal", 3, 60, ["penalty-round-attended"]),
        ("withdrawal", 4, 40, []),
    ],
)
def test_no_points_are_lost_for_a_round_in_which_he_was_at_the_board(
    kind: str, round_: int, points: float, codes: list
) -> None:
    """A section of five rounds; he played the third."""
    rounds = SectionRounds(5, 5, {3: Result.DRAW})
    errors = list(entry_errors(PenaltyKind(kind), round_, points, rounds=rounds, ends=date(2024, 3, 17)))
    assert [error.code for error in errors] == codes
    assert all("round 3 (1/2-1/2)" in error.message for error in errors)


@pytest.mark.rule("chessa 51", "chessa 52")
@pytest.mark.parametrize(
    ("kind", "round_", "points", "refused"),
    [
        ("forfeit", 3, 20, [Result.PAIRING_BYE, Result.FULL_BYE, Result.HALF_BYE]),
        ("forfeit", 4, 20, []),
        ("withdrawal", 3, 60, [Result.PAIRING_BYE]),
        ("withdrawal", 4, 40, []),
    ],
)
def test_no_points_are_lost_for_a_round_with_a_bye(kind: str, round_: int, points: float, refused: list) -> None:
    """A section of five rounds; he had a bye in the third. Who is absent stands with a bye without points."""
    for bye in sorted(BYES):
        rounds = SectionRounds(5, 5, byes={3: bye})
        errors = list(entry_errors(PenaltyKind(kind), round_, points, rounds=rounds, ends=date(2024, 3, 17)))
        assert [error.code for error in errors] == (["penalty-round-bye"] if bye in refused else [])


@pytest.mark.rule("chessa 51")
@pytest.mark.parametrize(
    ("result", "came"),
    [
        (Result.WHITE_WINS, (True, True)),
        (Result.BOTH_LOSE, (True, True)),
        (Result.FORFEIT_WHITE_WINS, (True, False)),
        (Result.FORFEIT_BOTH_LOSE, (False, False)),
        (Result.UNPLAYED_DRAW, (False, False)),
        (Result.PAIRING_BYE, (False, False)),
    ],
)
def test_who_plays_or_wins_by_forfeit_was_at_the_board(result: Result, came: tuple[bool, bool]) -> None:
    assert tuple(was_at_board(result, white=white) for white in (True, False)) == came
