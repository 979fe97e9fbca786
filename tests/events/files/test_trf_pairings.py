"""Rounds: two lines make one pairing, and what they may say together."""

from itertools import product

import pytest

from events.files.reader import read
from events.rules.findings import Severity
from events.rules.game_result import Result
from events.rules.tournament import Pairing
from tests.events.files.builders import player, trf, two

# FIDE TRF16, TRF26: results of a pair, White's first.
LEGAL = {
    "10": Result.WHITE_WINS,
    "01": Result.BLACK_WINS,
    "==": Result.DRAW,
    "+-": Result.FORFEIT_WHITE_WINS,
    "-+": Result.FORFEIT_BLACK_WINS,
    "--": Result.FORFEIT_BOTH_LOSE,
    "WL": Result.UNPLAYED_WHITE_WINS,
    "LW": Result.UNPLAYED_BLACK_WINS,
    "DD": Result.UNPLAYED_DRAW,
}
PENALTIES = {
    "00": Result.BOTH_LOSE,
    "0L": Result.BOTH_LOSE,
    "L0": Result.BOTH_LOSE,
    "=0": Result.WHITE_HALF,
    "0=": Result.BLACK_HALF,
}
LETTERS = "10=+-WDL"


@pytest.mark.parametrize("pair", ["".join(pair) for pair in product(LETTERS, repeat=2)])
def test_legal_pairs_are_read_and_all_others_refused(pair: str) -> None:
    tournament = read(two(f"   2 w {pair[0]}", f"   1 b {pair[1]}"))
    if pair in LEGAL or pair in PENALTIES:
        (pairing,) = tournament.pairings
        assert (pairing.white, pairing.black) == (1, 2)
        assert pairing.result is {**LEGAL, **PENALTIES}[pair]
        assert tournament.errors == ()
        holds = [finding.code for finding in tournament.findings if finding.severity is Severity.HOLD]
        assert holds == (["penalty-result"] if pair in PENALTIES else [])
    else:
        assert tournament.pairings == ()
        assert [finding.code for finding in tournament.errors] == ["illegal-result-pair"]


@pytest.mark.parametrize("pair", ["wl", "dd"])
def test_small_letters_are_read(pair: str) -> None:
    (pairing,) = read(two(f"   2 W {pair[0]}", f"   1 B {pair[1]}")).pairings
    assert pairing.result is LEGAL[pair.upper()]


@pytest.mark.parametrize(
    ("colours", "white", "known"),
    [
        ("wb", 1, True),
        ("bw", 2, True),
        ("w-", 1, True),
        ("-w", 2, True),
        (" b", 1, True),
        ("--", 1, False),
        ("  ", 1, False),
    ],
)
def test_colours(colours: str, white: int, known: bool) -> None:
    (pairing,) = read(two(f"   2 {colours[0]} =", f"   1 {colours[1]} =")).pairings
    assert (pairing.white, pairing.colour_known) == (white, known)


@pytest.mark.parametrize(
    ("cell", "result"),
    [
        ("0000 - U", Result.PAIRING_BYE),
        ("0000 - F", Result.FULL_BYE),
        ("0000 - H", Result.HALF_BYE),
        ("0000 - Z", Result.ZERO_BYE),
        ("       h", Result.HALF_BYE),
        ("0000 - +", Result.FULL_BYE),
        ("0000 - =", Result.HALF_BYE),
        ("0000 - -", Result.ZERO_BYE),
        ("       -", Result.ZERO_BYE),
    ],
)
def test_byes_new_and_old(cell: str, result: Result) -> None:
    tournament = read(trf(player(1, cell)))
    assert tournament.pairings == (Pairing(1, 1, None, result, line=11, column=99),)
    assert (tournament.bye_slots, tournament.forfeit_slots, tournament.played_games) == (1, 0, 0)
    assert tournament.errors == ()


@pytest.mark.parametrize("cell", ["", "0000 -", "    -  ", "0000"])
def test_a_blank_round_is_no_bye(cell: str) -> None:
    tournament = read(trf(player(1, cell, "0000 - H")))
    assert [pairing.round for pairing in tournament.pairings] == [2]
    assert tournament.rounds == 2


@pytest.mark.parametrize(
    ("letter", "result", "code"),
    [
        ("1", Result.FULL_BYE, "result-without-opponent"),
        ("W", Result.FULL_BYE, "result-without-opponent"),
        ("D", Result.HALF_BYE, "result-without-opponent"),
        ("0", Result.ZERO_BYE, "legacy-bye"),
        ("L", Result.ZERO_BYE, "legacy-bye"),
    ],
)
def test_points_from_nobody_are_held(letter: str, result: Result, code: str) -> None:
    tournament = read(trf(player(1, f"0000 - {letter}")))
    assert [pairing.result for pairing in tournament.pairings] == [result]
    assert tournament.bye_slots == 0
    assert code in [finding.code for finding in tournament.findings]


def test_a_forfeit_needs_no_colour() -> None:
    tournament = read(two("   2 - +", "   1 - -"))
    (pairing,) = tournament.pairings
    assert pairing.result is Result.FORFEIT_WHITE_WINS
    assert (pairing.white, pairing.colour_known) == (1, False)
    assert (tournament.forfeit_slots, tournament.bye_slots) == (2, 0)


def test_a_paired_game_without_result_waits() -> None:
    tournament = read(two("   2 w", "   1 b"))
    (pairing,) = tournament.pairings
    assert pairing.result is None
    assert (tournament.played_games, tournament.rounds) == (0, 1)
    assert tournament.errors == ()


def test_one_pairing_each_game_whatever_the_order_of_lines() -> None:
    lines = [
        player(1, "   2 w 1", "   3 b ="),
        player(2, "   1 b 0", "0000 - U"),
        player(3, "0000 - H", "   1 w ="),
    ]
    expected = [(1, 1, 2), (1, 3, None), (2, 2, None), (2, 3, 1)]
    for order in (lines, lines[::-1], [lines[1], lines[2], lines[0]]):
        pairings = read(trf(*order)).pairings
        assert [(pairing.round, pairing.white, pairing.black) for pairing in pairings] == expected


def test_a_contradiction_is_told_on_both_lines() -> None:
    tournament = read(trf(player(1, "   2 w 1"), player(2, "   3 w 1"), player(3, "   2 b 0")))
    assert [(error.code, error.line) for error in tournament.errors] == [("contradictory-pairing", 11)]
    assert [(pairing.white, pairing.black) for pairing in tournament.pairings] == [(2, 3)]


def test_no_second_error_for_a_line_that_has_one() -> None:
    tournament = read(trf(player(1, "   2 w 1"), player(2, "   1 b 0"), player(2, "   1 b 0")))
    assert [error.code for error in tournament.errors] == ["duplicate-start-number"]


@pytest.mark.parametrize(
    ("place", "column"), [(89, 90), (90, 90), (95, 96), (97, 96), (99, 96), (100, 96)], ids=lambda value: str(value)
)
def test_text_between_the_fields_is_noted(place: int, column: int) -> None:
    line = list(player(1, "0000 - Z", "0000 - Z", points="0.0"))
    line[place] = "#"
    stray = [finding for finding in read(trf("".join(line))).findings if finding.code == "stray-text"]
    assert [finding.column for finding in stray] == [column]


def test_the_last_round_may_be_trimmed() -> None:
    assert read(two("   2 w 1  0000 - -", "   1 b 0            ")).rounds == 2
