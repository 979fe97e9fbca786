"""Checks players' points against their results and the tournament's values of results. Pure.

Sources: TRF26 records 162 and 299, JaVaFo's XXS, bbpPairings' BBW to BBU.
"""

import re
from collections.abc import Iterable, Mapping

from config.lib import formatting
from events.files.codes import Code
from events.files.collector import Report
from events.files.trf.cells import TrfCell
from events.files.trf.lines import Records, content_of
from events.files.trf.players import PlayerLine

# JaVaFo's names of the kinds of result; for games the colour comes first.
DEFAULT: dict[str, float] = {
    "WW": 1.0,
    "BW": 1.0,
    "WD": 0.5,
    "BD": 0.5,
    "WL": 0.0,
    "BL": 0.0,
    "ZPB": 0.0,
    "HPB": 0.5,
    "FPB": 1.0,
    "PAB": 1.0,
    "FW": 1.0,
    "FL": 0.0,
}
_SYMBOLS = {
    "W": ("WW", "BW", "FW", "FPB", "PAB"),
    "D": ("WD", "BD", "HPB"),
    "L": ("WL", "BL"),
    "A": ("ZPB", "FL"),
    "P": ("PAB",),
    "X": ("HPB",),
}
_BBP = {
    "BBW": ("WW", "BW", "FW", "FPB"),
    "BBD": ("WD", "BD", "HPB"),
    "BBL": ("WL", "BL"),
    "BBZ": ("ZPB",),
    "BBF": ("FL",),
    "BBU": ("PAB",),
}
_SHORT = {"W": ("WW", "BW"), "D": ("WD", "BD")}
_PAIR_162 = re.compile(r"([A-Z])\s+(\d{1,2}(?:\.\d)?)(?!\S)")
_PAIR_XXS = re.compile(r"([A-Z]{1,3})\s*=\s*(\d{1,2}(?:\.\d+)?)")
_TOLERANCE = 0.01


def point_values(records: Records) -> dict[str, float]:
    """Return the points of each kind of result, by the names of record XXS."""
    values = dict(DEFAULT)
    for line in records.of("162"):
        for symbol, value in sorted(_PAIR_162.findall(line.text[4:]), key=lambda pair: "WDLAPX".find(pair[0])):
            values.update(dict.fromkeys(_SYMBOLS.get(symbol, ()), float(value)))
    for tag, names in _BBP.items():
        for line in records.of(tag):
            if re.fullmatch(r"\d{1,2}(?:\.\d+)?", content_of(line)):
                values.update(dict.fromkeys(names, float(content_of(line))))
    for line in records.of("XXS"):
        for name, value in _PAIR_XXS.findall(line.text):
            for code in _SHORT.get(name, (name,)):
                if code in values:
                    values[code] = float(value)
    return values


def check_points(lines: Iterable[PlayerLine], records: Records, report: Report) -> None:
    """Report players whose points differ from the sum of their results, except those whom record 299 changes."""
    values = point_values(records)
    changed = _changed_points(records)
    if changed is None:
        return
    for line in lines:
        entrant = line.entrant
        if entrant.points is None or not line.whole or entrant.number in changed:
            continue
        counted = sum(_worth(cell, values) for cell in line.cells.values())
        if abs(counted - entrant.points) > _TOLERANCE:
            worth = f"the results on the line are worth {counted:g}"
            message = f"Player {entrant.number} has {formatting.points(entrant.points)}, but {worth}."
            report.add(Code.POINTS_DIFFER, message, entrant.line, 81, 84)


def _changed_points(records: Records) -> set[int] | None:
    """Return the start numbers whose points record 299 changes; None if it changes those of all players."""
    numbers: set[int] = set()
    for line in records.of("299"):
        on_line = {int(number) for number in re.findall(r"\d{1,4}", line.text[23:])}
        if not on_line:
            return None
        numbers |= on_line
    return numbers


def _worth(cell: TrfCell, values: Mapping[str, float]) -> float:
    side = "B" if cell.colour == "b" else "W"
    match cell.result:
        case "1" | "W":
            return values[side + "W"]
        case "=" | "D":
            return values[side + "D"] if cell.opponent else values["HPB"]
        case "0" | "L":
            return values[side + "L"]
        case "+":
            return values["FW"] if cell.opponent else values["FPB"]
        case "-":
            return values["FL"] if cell.opponent else values["ZPB"]
        case "H" | "F" | "U" | "Z":
            return values[{"H": "HPB", "F": "FPB", "U": "PAB", "Z": "ZPB"}[cell.result]]
        case _:
            return 0.0
