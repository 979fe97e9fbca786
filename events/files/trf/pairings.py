"""Combines the rounds of two players' lines into pairings. Pure.

Legal pairs of results: FIDE TRF16 and TRF26, record 001.
"""

from collections.abc import Iterable, Iterator, Mapping

from events.files.checks import check_pairing_byes
from events.files.codes import Code
from events.files.collector import Report, quoted
from events.files.trf.cells import TrfCell, column_of
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
        pairings = _Round(number, lines, unread, report).pairings()
        check_pairing_byes(pairings, report)
        yield from sorted(pairings, key=lambda pairing: pairing.white)


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


class _Round:
    """One round of all players, of whom each is named by his start number."""

    def __init__(self, number: int, lines: Mapping[int, PlayerLine], unread: frozenset[int], report: Report) -> None:
        self.number, self.lines, self.unread, self.report = number, lines, unread, report
        self.column = column_of(number)
        self.cells = {player: line.cells[number] for player, line in lines.items() if number in line.cells}

    def pairings(self) -> list[Pairing]:
        """Return the pairings in the order of the file; report contradictions."""
        pairings = []
        for player, cell in self.cells.items():
            if not cell.readable:
                continue
            pairing = self._game(player, cell) if cell.opponent else self._bye(player, cell)
            if pairing:
                pairings.append(pairing)
        return pairings

    def _bye(self, player: int, cell: TrfCell) -> Pairing | None:
        line, column = self.lines[player].line, self.column + 7
        if not cell.result:
            return None
        result = _BYES.get(cell.result)
        if letter := _LEGACY_LETTERS.get(cell.result) or _LOSSES.get(cell.result):
            message = f"{quoted(cell.result)} without an opponent is read as the bye {letter}."
            self.report.add(Code.LEGACY_BYE, message, line, column)
            result = _BYES[letter]
        if result is None:
            result = _WINS[cell.result]
            message = (
                f"Player {player} has the result {quoted(cell.result)} in round {self.number} but no opponent; a bye (H F Z U)"
                " or the opponent’s start number was expected. It is taken as a bye and not rated."
            )
            self.report.add(Code.RESULT_WITHOUT_OPPONENT, message, line, column)
        return Pairing(self.number, player, None, result, True, line, column)

    def _game(self, player: int, cell: TrfCell) -> Pairing | None:
        """Return the pairing of a game at the player who is first in the file; None at the other, and for contradictions."""
        opponent = cell.opponent
        if opponent == player:
            message = f"Player {player} meets player {player} in round {self.number}. Give the opponent’s number."
            self._add(Code.SELF_PAIRING, message, player)
            return None
        if opponent in self.unread or player in self.unread:
            return None
        other = self.cells.get(opponent)
        if other is None and opponent not in self.lines:
            message = f"Player {player} meets {opponent} in round {self.number}, but the file has no player {opponent}."
            self._add(Code.OPPONENT_NOT_IN_FILE, message, player)
            return None
        if other is not None and not other.readable:
            return None
        if other is None or other.opponent != player:
            self._contradiction(player, opponent, other)
            return None
        if self.lines[player].line > self.lines[opponent].line:
            return None
        return self._decide((player, cell), (opponent, other))

    def _add(self, code: Code, message: str, player: int) -> None:
        """Add a finding at a player's opponent."""
        self.report.add(code, message, self.lines[player].line, self.column, self.column + 3)

    def _contradiction(self, player: int, opponent: int, other: TrfCell | None) -> None:
        code = Code.CONTRADICTORY_PAIRING if other and other.opponent else Code.ONE_SIDED_PAIRING
        if self.report.counts(code):
            return
        meeting = f"Player {player} meets {opponent} in round {self.number}, but {opponent} "
        if other and other.opponent:
            message = f"{meeting}meets {other.opponent} there. Correct one of the lines."
        else:
            message = f"{meeting}has no opponent there. Correct one of the two lines."
        self._add(code, message, player)

    def _decide(self, first: tuple[int, TrfCell], second: tuple[int, TrfCell]) -> Pairing | None:
        (white, white_cell), (black, black_cell), colour_known = self._colours(first, second)
        place = (self.lines[first[0]].line, self.column + 7)
        letters = (white_cell.result, black_cell.result)
        if letters not in PAIRS:
            self._no_pair(white, black, letters, place)
            return None
        result = PAIRS[letters]
        if result is None:
            meeting = f"Round {self.number}: {white} against {black}"
            message = f"{meeting} has no result. Enter it, or say that the game was adjourned."
            self.report.add(Code.UNFINISHED_GAME, message, *place)
        elif result in PENALISED:
            message = (
                f"Round {self.number}: {white} against {black} ended {letters[0]}-{letters[1]}, which only an arbiter’s penalty"
                " explains; an officer decides what is rated."
            )
            self.report.add(Code.PENALTY_RESULT, message, *place)
        return Pairing(self.number, white, black, result, colour_known, *place)

    def _no_pair(self, white: int, black: int, letters: tuple[str, str], place: tuple[int, int]) -> None:
        """Report two results that do not go together."""
        if bye := next((letter for letter in letters if letter in _BYES), ""):
            message = (
                f"Round {self.number} of {white} and {black} has the bye {bye}, but a bye has no opponent. Give the result of"
                " the game, or 0000 for the opponent."
            )
            self.report.add(Code.BYE_WITH_OPPONENT, message, *place)
        else:
            message = (
                f"Round {self.number}: {white} has {letters[0] or 'no result'}, {black} has {letters[1] or 'no result'}; the"
                " two do not go together. Correct the line that is wrong."
            )
            self.report.add(Code.ILLEGAL_RESULT_PAIR, message, *place)

    def _colours(
        self, first: tuple[int, TrfCell], second: tuple[int, TrfCell]
    ) -> tuple[tuple[int, TrfCell], tuple[int, TrfCell], bool]:
        """Return White, Black and whether the colours are known; report colours that do not fit."""
        first_colour, second_colour = first[1].colour, second[1].colour
        place = (self.lines[first[0]].line, self.column + 5)
        if first_colour and first_colour == second_colour:
            colour = "White" if first_colour == "w" else "Black"
            message = f"Round {self.number}: {first[0]} and {second[0]} both have {colour}. Correct one of them."
            self.report.add(Code.SAME_COLOURS, message, *place)
        elif bool(first_colour) != bool(second_colour):
            message = f"Round {self.number}: only one of {first[0]} and {second[0]} has a colour; the other gets the other one."
            self.report.add(Code.COLOUR_INFERRED, message, *place)
        if first_colour != second_colour:
            return (first, second, True) if first_colour == "w" or second_colour == "b" else (second, first, True)
        return (first, second, False) if first[0] < second[0] else (second, first, False)
