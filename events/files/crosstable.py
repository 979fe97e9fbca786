"""Reads and writes a crosstable as an arbiter types it: one short text for each player and round. Pure.

`12w1`: won with White against 12; `7b½`: drew with Black against 7; `3w`: paired, no result yet; `7 1`: colours unknown.
`bye`: pairing-allocated, one point; `bye½`, `bye1`: requested, half or one point; `-`: absent, no point. A game may be given
in one of its two cells or in both.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from events.rules.game_result import FORFEITS, POINTS, Result, mirrored
from events.rules.tournament import Pairing

Place = tuple[int, int]  # start number, round

# Texts of White's cell; Black's is in MIRROR.
_RESULTS: dict[str, Result] = {
    "1": Result.WHITE_WINS,
    "0": Result.BLACK_WINS,
    "½": Result.DRAW,
    "+": Result.FORFEIT_WHITE_WINS,
    "-": Result.FORFEIT_BLACK_WINS,
    "--": Result.FORFEIT_BOTH_LOSE,
    "1u": Result.UNPLAYED_WHITE_WINS,
    "0u": Result.UNPLAYED_BLACK_WINS,
    "½u": Result.UNPLAYED_DRAW,
    "0-0": Result.BOTH_LOSE,
    "½-0": Result.WHITE_HALF,
    "0-½": Result.BLACK_HALF,
}
_TEXT_OF = {result: text for text, result in _RESULTS.items()}
MIRROR: dict[str, str] = {text: _TEXT_OF[mirrored(result)] for text, result in _RESULTS.items()}
_BYES: dict[str, Result] = {
    "bye": Result.PAIRING_BYE,
    "bye1": Result.FULL_BYE,
    "bye½": Result.HALF_BYE,
    "-": Result.ZERO_BYE,
}
_OTHER_BYES = {"bye0": "-", "u": "bye", "f": "bye1", "h": "bye½", "z": "-"}  # single letters as in TRF's record 001
_TEXTS = _TEXT_OF | {result: text for text, result in _BYES.items()}
FORFEITED = sorted(text for text, result in _RESULTS.items() if result in FORFEITS)
_GAME = re.compile(r"([0-9]{1,4})(?:\s*([wb])\s*|\s+|(?=[^0-9\s])|$)(.*)")
_HALF = re.compile(r"1/2|(?<![0-9])0[.,]5|[.,]5|=")
_MAX_QUOTED = 12  # characters of a cell in a message


@dataclass(frozen=True, slots=True)
class StatedResult:
    """The content of a cell: a bye, or the opponent with the player's own colour and result.

    `colour`: `w`, `b` or "" if unknown; `result`: `1`, `½` …, or "" if there is none yet.
    """

    opponent: int | None
    colour: str = ""
    result: str = ""
    bye: Result | None = None

    @property
    def points(self) -> float:
        """The player's points; 0 without a result."""
        if self.bye is not None:
            return POINTS[self.bye][0]
        return POINTS[_RESULTS[self.result]][0] if self.result else 0.0


class CellError(ValueError):
    """A cell that cannot be read."""


def read_cell(text: str) -> StatedResult | None:
    """Return the content of a cell, None if it is blank. Raises CellError for an unknown text."""
    typed = " ".join(text.split()).lower().replace("–", "-").replace("−", "-")
    if not typed:
        return None
    halved = _HALF.sub("½", typed)
    bye = halved.replace(" ", "")
    if bye_result := _BYES.get(_OTHER_BYES.get(bye, bye)):
        return StatedResult(None, bye=bye_result)
    if game := _GAME.fullmatch(halved):
        number, colour, result = game.groups(default="")
        result = result.replace(" ", "")
        if int(number) and (not result or result in MIRROR):
            return StatedResult(int(number), colour, result)
    stripped = text.strip()
    start = stripped if len(stripped) <= _MAX_QUOTED else f"{stripped[:_MAX_QUOTED]}…"
    raise CellError(f"“{start}” cannot be read. Write it as 12w1, 7b½, 3w+ or bye.")


def write_cells(pairings: Iterable[Pairing]) -> dict[Place, str]:
    """Return the texts of all cells that are not blank."""
    cells: dict[Place, str] = {}
    for pairing in pairings:
        if pairing.black is None:
            if pairing.result is not None:
                cells[pairing.white, pairing.round] = _TEXTS[pairing.result]
            continue
        text = _TEXTS[pairing.result] if pairing.result else ""
        colours = "wb" if pairing.colour_known else "  "
        for number, opponent, colour, own in (
            (pairing.white, pairing.black, colours[0], text),
            (pairing.black, pairing.white, colours[1], MIRROR.get(text, "")),
        ):
            cells[number, pairing.round] = f"{opponent}{colour}{own}".rstrip()
    return cells


def read_cells(
    cells: Mapping[Place, str], numbers: Collection[int]
) -> tuple[list[Pairing], dict[Place, str], dict[Place, StatedResult]]:
    """Return the pairings of a crosstable by round and White's number, the message for each wrong cell, and the contents.

    `numbers` are the start numbers of the players. Pairings of wrong cells are missing.
    """
    contents: dict[Place, StatedResult] = {}
    problems: dict[Place, str] = {}
    for place, text in sorted(cells.items()):
        try:
            cell = read_cell(text)
        except CellError as error:
            problems[place] = str(error)
            continue
        if cell is not None:
            contents[place] = cell
    for place, cell in contents.items():
        if problem := _cell_problem(place[0], cell, numbers):
            problems[place] = problem
    pairings = [pairing for place in contents if (pairing := _pairing(place, contents, problems))]
    _paired_twice(contents, problems)
    return sorted(pairings, key=lambda pairing: (pairing.round, pairing.white)), problems, contents


def _cell_problem(number: int, cell: StatedResult, numbers: Collection[int]) -> str:
    if number not in numbers:
        return f"Row {number} has a result and no player. Give the name, or clear the cell."
    if cell.opponent == number:
        return f"Player {number} cannot be the own opponent. Give the opponent’s number."
    if cell.opponent is not None and cell.opponent not in numbers:
        return f"There is no player {cell.opponent}. Correct the opponent’s number."
    return ""


def _pairing(place: Place, contents: Mapping[Place, StatedResult], problems: dict[Place, str]) -> Pairing | None:
    """Return the pairing of a cell. None for the second cell of a game, and for cells that contradict each other."""
    (number, round_), cell = place, contents[place]
    if place in problems:
        return None
    if cell.opponent is None:
        return Pairing(round_, number, None, cell.bye)
    there = (cell.opponent, round_)
    other = contents.get(there, StatedResult(number))
    if there in problems:
        return None
    if other.opponent != number:
        meets = "a bye" if other.opponent is None else f"an opponent {other.opponent}"
        problems[place] = f"The cell of player {cell.opponent} says {meets}. Correct one of the two, or clear it."
        return None
    if there in contents and cell.opponent < number:
        return None
    if cell.colour and cell.colour == other.colour:
        colour = "White" if cell.colour == "w" else "Black"
        for cell_place, opponent in ((place, cell.opponent), (there, number)):
            problems[cell_place] = f"Player {opponent} has {colour} in this game, too. Correct one of the two cells."
        return None
    if cell.result and other.result and MIRROR[cell.result] != other.result:
        for cell_place, opponent, result in ((place, cell.opponent, other.result), (there, number, cell.result)):
            problems[cell_place] = (
                f"The cell of player {opponent} has the result {result}, which does not go with this one. Correct one of the"
                " two, or clear it."
            )
        return None
    result = cell.result or MIRROR.get(other.result, "")
    black = cell.colour == "b" or other.colour == "w"
    colour_known = bool(cell.colour or other.colour)
    if not colour_known:
        black = cell.opponent < number
    white = (cell.opponent, number) if black else (number, cell.opponent)
    return Pairing(round_, *white, _RESULTS.get(MIRROR[result] if black and result else result), colour_known)


def _paired_twice(contents: Mapping[Place, StatedResult], problems: dict[Place, str]) -> None:
    """Report cells of a round that name one opponent whose own cell is blank."""
    claims: defaultdict[Place, list[int]] = defaultdict(list)
    for (number, round_), cell in contents.items():
        if cell.opponent is not None and (cell.opponent, round_) not in contents and (number, round_) not in problems:
            claims[cell.opponent, round_].append(number)
    for (opponent, round_), claimants in claims.items():
        for number in claimants if len(claimants) > 1 else ():
            rivals = " and ".join(str(claimant) for claimant in claimants if claimant != number)
            problems[number, round_] = (
                f"Player {opponent} meets {rivals} in this round, too. Correct the opponent’s number."
            )
