"""The text layouts of FIDE's lists: fixed columns, whose places the heading tells. Pure.

Some lines have an entry in the column of other titles that is longer than it; all that follows is then moved to the right.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from events.files.fide_list.listed import (
    KINDS,
    FideListError,
    ListedPlayer,
    Source,
    Told,
    UnreadablePlayerError,
    has_unseen,
    listed_player,
    month_in,
)

LONGEST_LINE = 1_000
_MOST_BLANK_LINES = 10_000
_PERSON = ("id", "name", "fed", "sex", "tit", "wtit", "otit")
_ALL = tuple(f"{letter}{part}" for letter in "srb" for part in ("rtng", "gm", "k"))
_END = ("b-day", "flag")
_FLAG_WIDTH = 4
_MOST_MOVED = 4  # characters


class Columns(NamedTuple):
    """The places of the columns, from 0. `figures`: start of rating, games, K and the end, for each kind; None: not there.

    `after`: that of what follows the other titles.
    """

    name: int
    fed: int
    sex: int
    title: int
    women: int
    after: int
    figures: tuple[tuple[int, int, int, int] | None, ...]
    birth: int
    flag: int

    @property
    def width(self) -> int:
        """The length of a line."""
        return self.flag + _FLAG_WIDTH


class Heading(NamedTuple):
    """What the first line tells. `kinds`: those of KINDS in the list; `month`: None if only the file's name may tell it."""

    columns: Columns
    kinds: tuple[str, ...]
    month: date | None


def read_heading(line: str, *, kind: str) -> Heading:
    """Read the first line. `kind`: that of a list of one kind, "" if unknown. Raises FideListError."""
    tokens = [
        (match[0].lower().replace("_", " "), match.start()) for match in re.finditer(r"ID[ _]Number|\S+", line, re.I)
    ]
    names = ["id" if name == "id number" else name for name, _ in tokens]
    starts = [start for _, start in tokens]
    figures = len(_PERSON) + (names[len(_PERSON) : len(_PERSON) + 1] == ["foa"])
    parts = names[figures:-2]
    single = len(parts) == 3 and parts[1:] == ["gms", "k"]
    if tuple(names[: len(_PERSON)]) != _PERSON or tuple(names[-2:]) != _END or not (single or tuple(parts) == _ALL):
        raise FideListError(
            "Line 1: these are not the columns of FIDE’s list. It begins with “ID Number, Name, Fed, Sex, Tit, WTit, OTit”,"
            " followed by the ratings, “B-day” and “Flag”. Download it again and leave it as it is."
        )
    ends = starts[figures:]
    places: list[tuple[int, int, int, int] | None] = [
        (ends[3 * number], ends[3 * number + 1], ends[3 * number + 2], ends[3 * number + 3])
        for number in range(len(parts) // 3)
    ]
    kinds: tuple[str, ...] = KINDS
    if single:
        if kind not in KINDS:
            raise FideListError(
                "This list holds one kind of rating and does not say which. Say it: standard, rapid or blitz."
            )
        kinds = (kind,)
        places = [places[0] if name == kind else None for name in KINDS]
    name, fed, sex, title, women, _, after = starts[1:8]
    columns = Columns(name, fed, sex, title, women, after, tuple(places), birth=starts[-2], flag=starts[-1])
    return Heading(columns, kinds, month_in(parts[0]) if single else None)


def text_players(stream: Source, columns: Columns, unreadable: Told, cleaned: Told) -> Iterator[ListedPlayer]:
    """Yield the players below the heading. `unreadable` is told why lines are left out, `cleaned` the names of lines with
    characters that cannot be seen, without them. Raises FideListError."""
    number, blank = 1, 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        if line.endswith(b"\n") and not line.strip(b"\r\n \x1a"):
            blank += 1
            if blank > _MOST_BLANK_LINES:
                raise FideListError(f"Until line {number} there are {blank} blank ones: this is not FIDE’s list.")
            continue
        if not line.endswith(b"\n"):
            if len(line) >= LONGEST_LINE:
                raise FideListError(f"Line {number} has more than {LONGEST_LINE} characters: this is not FIDE’s list.")
            if len(line) < columns.birth:
                raise FideListError(
                    f"Line {number}, the last one, is cut off: the list is not whole. Download it again."
                )
        text = line.decode("latin-1").rstrip("\r\n\x1a")
        try:
            player = _player(text, columns)
        except UnreadablePlayerError as error:
            unreadable(f"line {number}", str(error))
            continue
        if has_unseen(text):
            cleaned(f"line {number}", player.name)
        yield player


def _player(line: str, columns: Columns) -> ListedPlayer:
    moved = len(line) - columns.width
    if moved > 0:
        return _read(line, columns, moved)
    try:
        return _read(line, columns, 0)
    except UnreadablePlayerError:
        # A line without blanks at its end does not tell by its length that it is moved, but the other titles do.
        moved = len(line[columns.after - 1 :].partition(" ")[0]) - 1
        if not 0 < moved <= _MOST_MOVED:
            raise
        return _read(line, columns, moved)


def _read(line: str, columns: Columns, moved: int) -> ListedPlayer:
    """Return the player of a line whose columns after the other titles are `moved` to the right."""
    birth = columns.birth + moved
    if len(line) <= birth:
        raise UnreadablePlayerError("line, which is cut off,", line[:15].strip())
    return listed_player(
        line[: columns.name].strip(),
        line[columns.name : columns.fed].strip(),
        line[columns.fed : columns.sex].strip(),
        line[columns.sex : columns.title].strip(),
        line[columns.title : columns.women].strip(),
        line[birth : columns.flag + moved].strip(),
        line[columns.flag + moved :].strip(),
        [
            place
            and (
                line[place[0] + moved : place[1] + moved].strip(),
                line[place[1] + moved : place[2] + moved].strip(),
                line[place[2] + moved : place[3] + moved].strip(),
            )
            for place in columns.figures
        ],
    )
