"""Combines the rounds of two players' lines into pairings. Pure.

Legal pairs of results: FIDE TRF16 and TRF26, record 001.
"""

from collections.abc import Iterable, Iterator, Mapping

from events.files.checks import check_pairing_byes
from events.files.codes import Code
from events.files.collector import Report, quoted
from events.files.trf.cells import TrfCell
from events.files.trf.players import PlayerLine
from events.rules.game_result import PENALISED, Result
from events.rules.tournament import Pairing

# Letters of White's and Black's lines → result.
PAIRS: dict[tuple[str, str], Result | None] = {
    ("1", "0"): Result.WHITE_WINS,
    ("0", "1"): Result.BLACK_WINS,
    ("=", "="): Result.DRAW,
    ("+", "-"): Result.FORFEIT_WHITE_WINS,
    ("-", "+"): Result.FORFEIT_BLACK_WINS,
    ("-", "-"): Result.FORFEIT_BOTH_LOSE,
    ("W", "L"): Result.UNPLAYED_WHITE_WINS,
    ("L", "W"): Result.UNPLAYED_BLACK_WINS,
    ("D", "D"): Result.UNPLAYED_DRAW,
    ("0", "0"): Result.BOTH_LOSE,
    ("0", "L"): Result.BOTH_LOSE,
    ("L", "0"): Result.BOTH_LOSE,
    ("=", "0"): Result.WHITE_HALF,
    ("0", "="): Result.BLACK_HALF,
    ("", ""): None,
}
_BYES = {"F": Result.FULL_BYE, "H": Result.HALF_BYE, "Z": Result.ZERO_BYE, "U": Result.PAIRING_BYE}
# TRF06 had no letters for byes, and some programs still write these.
_LEGACY_LETTERS = {"+": "F", "=": "H", "-": "Z"}
_LOSSES = {"0": "Z", "L": "Z"}
# Points without an opponent: perhaps the file lacks the opponent.
_WINS = {"1": Result.FULL_BYE, "W": Result.FULL_BYE, "D": Result.HALF_BYE}


def pair_up(lines: Mapping[int, PlayerLine], unread: frozenset[int], report: Report) -> Iterator[Pairing]:
    """Yield the pairings of all rounds, by round and White's start number; report contradictions.

    `unread`: start numbers whose lines are unreadable or repeated. Their opponents are not reported again.
    """
    rounds = max((line.rounds for line in lines.values()), default=0)
    for number in range(1, rounds + 1):
        round_pairings: list[Pairing] = []
        for player, line in lines.items():
            cell = line.cells.get(number)
            if cell is None or not cell.readable:
                continue
            pairing = (
                _game(number, player, cell, lines, unread, report)
                if cell.opponent
                else _bye(number, player, cell, report)
            )
            if pairing:
                round_pairings.append(pairing)
        check_pairing_byes(round_pairings, report)
        yield from sorted(round_pairings, key=lambda pairing: pairing.white)


def count_slots(lines: Iterable[PlayerLine]) -> tuple[int, int]:
    """Return the number of player-rounds with a forfeit against an opponent, and with a bye."""
    forfeits = byes = 0
    for line in lines:
        for cell in line.cells.values():
            if cell.opponent:
                forfeits += cell.result in ("+", "-")
            else:
                byes += cell.result in _BYES or cell.result in _LEGACY_LETTERS
    return forfeits, byes


def _bye(number: int, player: int, cell: TrfCell, report: Report) -> Pairing | None:
    column = cell.column + 7
    if not cell.result:
        return None
    result = _BYES.get(cell.result)
    if letter := _LEGACY_LETTERS.get(cell.result) or _LOSSES.get(cell.result):
        message = f"{quoted(cell.result)} without an opponent is read as the bye {letter}."
        report.add(Code.LEGACY_BYE, message, cell.line, column)
        result = _BYES[letter]
    if result is None:
        result = _WINS[cell.result]
        message = (
            f"Player {player} has the result {quoted(cell.result)} in round {number} but no opponent; a bye (H F Z U) or the "
            "opponent’s start number was expected. It is taken as a bye and not rated."
        )
        report.add(Code.RESULT_WITHOUT_OPPONENT, message, cell.line, column)
    return Pairing(number, player, None, result, line=cell.line, column=column)


def _game(
    number: int, player: int, cell: TrfCell, lines: Mapping[int, PlayerLine], unread: frozenset[int], report: Report
) -> Pairing | None:
    """Return the pairing of a game at the player who is first in the file; None at the other, and for contradictions."""
    opponent = cell.opponent
    place = (cell.line, cell.column, cell.column + 3)
    if opponent == player:
        message = f"Player {player} meets player {player} in round {number}. Give the opponent’s number."
        report.add(Code.SELF_PAIRING, message, *place)
        return None
    if opponent not in lines or opponent in unread or player in unread:
        if opponent not in unread and player not in unread:
            message = f"Player {player} meets {opponent} in round {number}, but the file has no player {opponent}."
            report.add(Code.OPPONENT_NOT_IN_FILE, message, *place)
        return None
    other = lines[opponent].cells.get(number)
    if other is not None and not other.readable:
        return None
    if other is None or other.opponent != player:
        _contradiction(number, player, opponent, other, place, report)
        return None
    if cell.line > other.line:
        return None
    return _decide(number, (player, cell), (opponent, other), report)


def _contradiction(
    number: int, player: int, opponent: int, other: TrfCell | None, place: tuple[int, int, int], report: Report
) -> None:
    meeting = f"Player {player} meets {opponent} in round {number}, but {opponent} "
    if other is None or not other.opponent:
        report.add(Code.ONE_SIDED_PAIRING, f"{meeting}has no opponent there. Correct one of the two lines.", *place)
    else:
        report.add(
            Code.CONTRADICTORY_PAIRING, f"{meeting}meets {other.opponent} there. Correct one of the lines.", *place
        )


def _decide(number: int, first: tuple[int, TrfCell], second: tuple[int, TrfCell], report: Report) -> Pairing | None:
    (white, white_cell), (black, black_cell), colour_known = _colours(number, first, second, report)
    place = (first[1].line, first[1].column + 7)
    letters = (white_cell.result, black_cell.result)
    if bye := next((letter for letter in letters if letter in _BYES), ""):
        message = (
            f"Round {number} of {white} and {black} has the bye {bye}, but a bye has no opponent. Give the result of the "
            "game, or 0000 for the opponent."
        )
        report.add(Code.BYE_WITH_OPPONENT, message, *place)
        return None
    if letters not in PAIRS:
        message = (
            f"Round {number}: {white} has {letters[0] or 'no result'}, {black} has {letters[1] or 'no result'}; the two "
            "do not go together. Correct the line that is wrong."
        )
        report.add(Code.ILLEGAL_RESULT_PAIR, message, *place)
        return None
    result = PAIRS[letters]
    if result is None:
        message = (
            f"Round {number}: {white} against {black} has no result. Enter it, or say that the game was adjourned."
        )
        report.add(Code.UNFINISHED_GAME, message, *place)
    elif result in PENALISED:
        message = (
            f"Round {number}: {white} against {black} ended {letters[0]}-{letters[1]}, which only an arbiter’s penalty "
            "explains; an officer decides what is rated."
        )
        report.add(Code.PENALTY_RESULT, message, *place)
    return Pairing(number, white, black, result, colour_known, *place)


def _colours(
    number: int, first: tuple[int, TrfCell], second: tuple[int, TrfCell], report: Report
) -> tuple[tuple[int, TrfCell], tuple[int, TrfCell], bool]:
    """Return White, Black and whether the colours are known; report colours that do not fit."""
    first_colour, second_colour = first[1].colour, second[1].colour
    place = (first[1].line, first[1].column + 5)
    if first_colour and first_colour == second_colour:
        colour = "White" if first_colour == "w" else "Black"
        message = f"Round {number}: {first[0]} and {second[0]} both have {colour}. Correct one of them."
        report.add(Code.SAME_COLOURS, message, *place)
    elif bool(first_colour) != bool(second_colour):
        message = f"Round {number}: only one of {first[0]} and {second[0]} has a colour; the other gets the other one."
        report.add(Code.COLOUR_INFERRED, message, *place)
    if first_colour != second_colour:
        return (first, second, True) if first_colour == "w" or second_colour == "b" else (second, first, True)
    return (first, second, False) if first[0] < second[0] else (second, first, False)
