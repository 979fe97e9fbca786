"""A crosstable as an arbiter types it: one short text for each player and round. Pure.

`12w1` won with White against 12, `7b½` drew with Black against 7, `3w` is paired and has no result yet; `7 1` where the colours
are not known. `bye` is the pairing's, worth a point, `bye½` one of half a point, `bye1` of a full one, `-` none: not there.
A game may stand in one of its two cells or in both.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from events.rules.game_result import FORFEITS, POINTS, Result
from events.rules.tournament import Pairing

Place = tuple[int, int]  # start number, round

# A result as White types it; Black's text is that of the mirror.
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
MIRROR: dict[str, str] = {
    "1": "0",
    "0": "1",
    "½": "½",
    "+": "-",
    "-": "+",
    "--": "--",
    "1u": "0u",
    "0u": "1u",
    "½u": "½u",
    "0-0": "0-0",
    "½-0": "0-½",
    "0-½": "½-0",
}
_BYES: dict[str, Result] = {
    "bye": Result.PAIRING_BYE,
    "bye1": Result.FULL_BYE,
    "bye½": Result.HALF_BYE,
    "-": Result.ZERO_BYE,
}
_OTHER_BYES = {"bye0": "-", "u": "bye", "f": "bye1", "h": "bye½", "z": "-"}  # the letters are those of record 001
_TEXTS = {result: text for text, result in (*_RESULTS.items(), *_BYES.items())}
FORFEITED = sorted(text for text, result in _RESULTS.items() if result in FORFEITS)
_GAME = re.compile(r"([0-9]{1,4})(?:\s*([wb])\s*|\s+|(?=[^0-9\s])|$)(.*)")
_HALF = re.compile(r"1/2|(?<![0-9])0[.,]5|[.,]5|=")
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class StatedResult:
    """What one cell says: the opponent with the player's own colour (`w`, `b` or nothing) and result (`1`, `½` …, nothing
    for none yet), or a bye."""

    opponent: int | None
    colour: str = ""
    result: str = ""
    bye: Result | None = None

    @property
    def points(self) -> float:
        """What it is worth to the player."""
        if self.bye is not None:
            return POINTS[self.bye][0]
        return POINTS[_RESULTS[self.result]][0] if self.result else 0.0


class CellError(ValueError):
    """A cell that cannot be read."""


def read_cell(text: str) -> StatedResult | None:
    """What a cell says; None for a blank one. CellError for a text that means nothing."""
    typed = " ".join(text.split()).lower().replace("–", "-").replace("−", "-")
    if not typed:
        return None
    halved = _HALF.sub("½", typed)
    bye = halved.replace(" ", "")
    if found := _BYES.get(_OTHER_BYES.get(bye, bye)):
        return StatedResult(None, bye=found)
    if game := _GAME.fullmatch(halved):
        number, colour, result = game.groups(default="")
        result = result.replace(" ", "")
        if int(number) and (not result or result in MIRROR):
            return StatedResult(int(number), colour, result)
    shown = text.strip()
    raise CellError(
        f"“{shown[:_SHOWN]}{'…' if len(shown) > _SHOWN else ''}” cannot be read. Write it as 12w1, 7b½, 3w+ or bye."
    )


def write_cells(pairings: Iterable[Pairing]) -> dict[Place, str]:
    """The texts of all cells that are not blank."""
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
    """The pairings of a typed crosstable by round and White's number, what is wrong with which cell, and what each says.

    `numbers` are the start numbers of the players. With a problem left the pairings are not complete.
    """
    said: dict[Place, StatedResult] = {}
    problems: dict[Place, str] = {}
    for place, text in sorted(cells.items()):
        try:
            cell = read_cell(text)
        except CellError as error:
            problems[place] = str(error)
            continue
        if cell is not None:
            said[place] = cell
    for place, cell in said.items():
        if problem := _alone(place[0], cell, numbers):
            problems[place] = problem
    pairings = [one for place in said if (one := _pairing(place, said, problems))]
    _paired_twice(said, problems)
    return sorted(pairings, key=lambda pairing: (pairing.round, pairing.white)), problems, said


def _alone(number: int, cell: StatedResult, numbers: Collection[int]) -> str:
    """What is wrong with a cell whatever the others say."""
    if number not in numbers:
        return f"Row {number} has a result and no player. Give the name, or clear the cell."
    if cell.opponent == number:
        return f"Player {number} cannot be the own opponent. Give the opponent’s number."
    if cell.opponent is not None and cell.opponent not in numbers:
        return f"There is no player {cell.opponent}. Correct the opponent’s number."
    return ""


def _pairing(place: Place, said: Mapping[Place, StatedResult], problems: dict[Place, str]) -> Pairing | None:
    """The pairing of a cell, once for its two sides; None for the second, and where the two do not agree."""
    (number, round_), cell = place, said[place]
    if place in problems:
        return None
    if cell.opponent is None:
        return Pairing(round_, number, None, cell.bye)
    there = (cell.opponent, round_)
    other = said.get(there, StatedResult(number))
    if there in problems:
        return None
    if other.opponent != number:
        meets = "a bye" if other.opponent is None else f"an opponent {other.opponent}"
        problems[place] = f"The cell of player {cell.opponent} says {meets}. Correct one of the two, or clear it."
        return None
    if there in said and cell.opponent < number:
        return None
    if cell.colour and cell.colour == other.colour:
        colour = "White" if cell.colour == "w" else "Black"
        for here, opponent in ((place, cell.opponent), (there, number)):
            problems[here] = f"Player {opponent} has {colour} in this game, too. Correct one of the two cells."
        return None
    if cell.result and other.result and MIRROR[cell.result] != other.result:
        for here, opponent, result in ((place, cell.opponent, other.result), (there, number, cell.result)):
            problems[here] = (
                f"The cell of player {opponent} has the result {result}, which does not go with this one. Correct one of the"
                " two, or clear it."
            )
        return None
    result = cell.result or MIRROR.get(other.result, "")
    black = cell.colour == "b" or other.colour == "w"
    known = bool(cell.colour or other.colour)
    if not known:
        black = cell.opponent < number
    white = (cell.opponent, number) if black else (number, cell.opponent)
    return Pairing(round_, *white, _RESULTS.get(MIRROR[result] if black and result else result), known)


def _paired_twice(said: Mapping[Place, StatedResult], problems: dict[Place, str]) -> None:
    """Two cells that name the same opponent, whose own cell is blank."""
    claims: defaultdict[Place, list[int]] = defaultdict(list)
    for (number, round_), cell in said.items():
        if cell.opponent is not None and (cell.opponent, round_) not in said and (number, round_) not in problems:
            claims[cell.opponent, round_].append(number)
    for (opponent, round_), claimants in claims.items():
        for number in claimants if len(claimants) > 1 else ():
            others = " and ".join(str(one) for one in claimants if one != number)
            problems[number, round_] = (
                f"Player {opponent} meets {others} in this round, too. Correct the opponent’s number."
            )
