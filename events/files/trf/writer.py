"""Writes a tournament as TRF26 in UTF-8 with LF. Pure.

Source: FIDE TRF26 (Council, 12 May 2025), records 012 to 222, 001, NRS, 310.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date

from config.lib.formatting import one_line
from events.files.arbiters import split_persons
from events.rules.constants import HOME
from events.rules.federations import FEDERATIONS
from events.rules.game_result import BYES, Result
from events.rules.tournament import Entrant, Pairing, Tournament

_LETTERS: dict[Result | None, tuple[str, str]] = {
    Result.WHITE_WINS: ("1", "0"),
    Result.BLACK_WINS: ("0", "1"),
    Result.DRAW: ("=", "="),
    Result.BOTH_LOSE: ("0", "0"),
    Result.WHITE_HALF: ("=", "0"),
    Result.BLACK_HALF: ("0", "="),
    Result.FORFEIT_WHITE_WINS: ("+", "-"),
    Result.FORFEIT_BLACK_WINS: ("-", "+"),
    Result.FORFEIT_BOTH_LOSE: ("-", "-"),
    Result.UNPLAYED_WHITE_WINS: ("W", "L"),
    Result.UNPLAYED_BLACK_WINS: ("L", "W"),
    Result.UNPLAYED_DRAW: ("D", "D"),
    None: (" ", " "),
}
_BYES: dict[Result | None, str] = {
    Result.PAIRING_BYE: "U",
    Result.FULL_BYE: "F",
    Result.HALF_BYE: "H",
    Result.ZERO_BYE: "Z",
}


def write_trf26(tournament: Tournament) -> bytes:
    """Return the tournament as a TRF26 file, without clubs, for which the format has no field.

    National ids, ratings and regions go to national lines (NRS) of the player's federation or the tournament's.

    Raises ValueError for a start number beyond 9999, a pairing of a player who is not an entrant, a player paired twice in
    a round, and a result without an opponent that is not a bye.
    """
    return "".join(f"{one_line(line)}\n" for line in _lines(tournament)).encode()


def _lines(tournament: Tournament) -> Iterator[str]:
    yield from _header(tournament)
    cells = _cells(tournament.pairings)
    if strangers := cells.keys() - {entrant.number for entrant in tournament.entrants}:
        raise ValueError(f"the pairings have the start number {min(strangers)}, the tournament has not")
    for entrant in tournament.entrants:
        yield _player(entrant, cells.get(entrant.number, {}), tournament)
    for entrant in tournament.entrants:
        if tag := _system(entrant, tournament):
            yield _national(entrant, tag)
    for number, team in enumerate(tournament.teams, 1):
        members = " ".join(f"{member:4}" for member in team.members)
        yield f"310 {number:3} {_fit(team.name, 32):32}{'':33}{members}".rstrip()
    yield from tournament.extra_lines


def _header(tournament: Tournament) -> Iterator[str]:
    entrants = tournament.entrants
    fields = (
        ("012", tournament.name),
        ("022", tournament.city),
        ("032", tournament.federation),
        ("042", _day(tournament.starts)),
        ("052", _day(tournament.ends)),
        ("062", str(len(entrants))),
        ("072", str(sum(_has_rating(entrant) for entrant in entrants))),
        ("082", str(len(tournament.teams))),
        ("092", tournament.kind),
        ("102", tournament.chief_arbiter),
        *(("112", deputy) for deputy in _deputies(tournament.deputy_arbiters)),
        ("122", tournament.time_control_text),
    )
    yield from (f"{tag} {one_line(value).strip()}".rstrip() for tag, value in fields)
    if any(tournament.round_dates):
        days = "".join(f"{day.strftime('%y/%m/%d') if day else '':10}" for day in tournament.round_dates)
        yield f"132{'':88}{days}".rstrip()
    if tournament.planned_rounds is not None:
        yield f"142 {tournament.planned_rounds}"
    if tournament.kind_code:
        yield f"192 {tournament.kind_code}"
    if tournament.time_control:
        more = (control for control in tournament.time_controls if control != tournament.time_control)
        for control in (tournament.time_control, *more):
            yield f"222 {control.base * 60}+{control.increment}"


def _deputies(deputies: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts of records 112: one that stands alone and would be read as a list of persons is a list of one."""
    if len(deputies) == 1 and len(split_persons(deputies[0])) > 1:
        return (f"{deputies[0]};",)
    return deputies


def _system(entrant: Entrant, tournament: Tournament) -> str:
    """Return the federation of a player's national line: the player's, else the tournament's, or "" for no line.

    Without either a Chess SA id stands in the column of FIDE's ids; there, zeros at its front would be lost.
    """
    if entrant.national_federation:
        return entrant.national_federation
    if entrant.national_id.startswith("0") and tournament.federation not in FEDERATIONS:
        return HOME
    has_national_data = bool(entrant.national_id or entrant.national_rating is not None or entrant.region)
    return tournament.federation if has_national_data and tournament.federation in FEDERATIONS else ""


def _has_rating(entrant: Entrant) -> bool:
    """Return whether a player's rating can be written: columns 49-52 hold four figures, and 0 is no rating."""
    return entrant.rating is not None and 0 < entrant.rating <= 9999


def _player(entrant: Entrant, cells: dict[int, str], tournament: Tournament) -> str:
    points = "" if entrant.points is None or entrant.points >= 100 else f"{entrant.points:.1f}"
    rating = f"{entrant.rating:4}" if _has_rating(entrant) else ""
    identifier = entrant.fide_id or ("" if _system(entrant, tournament) else entrant.national_id)
    line = (
        f"{_fixed('001', entrant, entrant.title)} {_fit(entrant.name, 33):33} {rating:4} "
        f"{_fit(entrant.federation.upper(), 3):3} {_fit(identifier, 11):>11} {_born(entrant):10} {_fit(points, 4):>4} "
        f"{_number(entrant.rank, 4)}"
    )
    games = "".join(f"  {cells.get(number, ''):8}" for number in range(1, max(cells, default=0) + 1))
    return f"{line}{games}".rstrip()


def _national(entrant: Entrant, tag: str) -> str:
    fixed = _fixed(tag, entrant, "")
    return (
        f"{fixed} {_fit(entrant.name, 33):33} {_number(entrant.national_rating, 4)} {_fit(entrant.region, 3):3} "
        f"{_fit(entrant.national_id, 11):>11} {_born(entrant):10}"
    ).rstrip()


def _fixed(tag: str, entrant: Entrant, title: str) -> str:
    """Return columns 1-13. Raises ValueError for a start number that does not fit."""
    if not 1 <= entrant.number <= 9999:
        raise ValueError(f"start number {entrant.number} does not fit columns 5-8")
    sex = {"M": "m", "F": "w"}.get(entrant.sex, "")
    return f"{tag} {entrant.number:4} {sex:1}{title:>3}"


def _cells(pairings: Iterable[Pairing]) -> defaultdict[int, dict[int, str]]:
    """Return the columns of each round, as 92-99 of the first, by start number and round. Raises ValueError."""
    cells: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for pairing in pairings:
        for number, cell in _sides(pairing):
            if pairing.round in cells[number]:
                raise ValueError(f"player {number} is paired twice in round {pairing.round}")
            cells[number][pairing.round] = cell
    return cells


def _sides(pairing: Pairing) -> Iterator[tuple[int, str]]:
    if pairing.black is None:
        if pairing.result not in BYES:
            raise ValueError(f"round {pairing.round} of {pairing.white} has no opponent and is no bye")
        yield pairing.white, f"0000 - {_BYES[pairing.result]}"
        return
    white, black = _LETTERS[pairing.result]
    colours = ("w", "b") if pairing.colour_known else ("-", "-")
    yield pairing.white, f"{pairing.black:4} {colours[0]} {white}"
    yield pairing.black, f"{pairing.white:4} {colours[1]} {black}"


def _born(entrant: Entrant) -> str:
    if entrant.birth_date:
        return _day(entrant.birth_date)
    return f"{entrant.birth_year}/00/00" if entrant.birth_year else ""


def _day(day: date | None) -> str:
    return f"{day.year:04}/{day:%m/%d}" if day else ""


def _number(value: int | None, width: int) -> str:
    text = "" if value is None else str(value)
    return f"{text if len(text) <= width else '':>{width}}"


def _fit(text: str, width: int) -> str:
    return one_line(text).strip()[:width].rstrip()
