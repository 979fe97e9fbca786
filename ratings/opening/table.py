"""Reader of standings as a table, CSV or XLSX: one for each list, or one for all with a column that names it. Pure.

The first line names the columns, in any order; docs/moving-in.md lists them. What cannot be read is a finding at its line and
column.
"""

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from events.files.codes import Code as FileCode
from events.files.collector import Report, quoted
from events.files.csv import values
from events.files.csv.table import CsvRow, likely_player_column, player_column
from events.files.day_order import DayOrder
from events.files.sheet import Row, read_sheet, sheet_rows
from players.identity import fold
from ratings.cases.fields import MOST_ACTIVITY, RATING_RANGE
from ratings.opening.cells import count_of, day_of, number_of, ratings_of, record_of, type_of
from ratings.opening.entries import MOST_LINES, PERFORMANCES, RATINGS, Code, Entry, Place, ReadFile
from ratings.systems.chessa.columns import RECENT

WINDOW = 24  # columns raw_1 … raw_24 (article 49)
_OF_TOURNAMENT = ("performance", "type", "ended")
_HIGHEST_K = 1_000.0
# Column → headings, folded and without spaces; the columns of a person are those of every list of players.
_COLUMNS = {
    "list": "list ratinglist lys",
    "raw": "raw rawrating rawrtg rou",
    "published": "published publishedrating rating rtg elo official officialrating",
    "highest": "highest highestrating highestpublished peak peakrating max maximum best",
    "k": "k kfactor",
    "pending_penalty": "pendingpenalty pendingpenalties pending penalty penalties",
    "activity": "activity activegames",
    "games": "games gamesplayed ratedgames numberofgames",
    "wins": "wins won",
    "draws": "draws drawn",
    "events": "events tournaments",
    "record": "record",
}
_HEADINGS = {heading: column for column, headings in _COLUMNS.items() for heading in headings.split()}
_IDS, _FIGURES = {"national_id", "fide_id", "id"}, {"raw", "published", "raw_1"}  # one of each is needed
_PERSON = ("name", "last_name", "first_name", "national_id", "fide_id", "id")
_NUMBERED = re.compile(r"(rawrating|rawhistory|raw|performance|perf|type|ended|end)([0-9]{1,2})")
_OF = {"rawrating": "raw", "rawhistory": "raw", "perf": "performance", "end": "ended"}


def read_table(
    content: bytes, *, month: date, lists: Mapping[str, tuple[str, bool]], chosen: str = "", filename: str = ""
) -> ReadFile:
    """Read a table of standings after a month, perhaps zipped. Never raises. With errors the entries serve for further
    findings alone.

    `lists`: code → (name, whether it is one of Chess SA's four); `chosen`: the list of a file that has no column for it.
    Without either the file name tells (`ratings_main.csv`).
    """
    report = Report()
    sheet = read_sheet(content, report)
    entries: list[Entry] = []
    if sheet is not None:
        head, rows = sheet
        places = _places(head, report)
        if "list" not in places:
            chosen = chosen or _list_of_name(filename, lists, report)
        if _IDS & places.keys() and _FIGURES & places.keys():
            order = DayOrder(lambda: _days(content, places), Code.AMBIGUOUS_DATE, Code.DATE_ORDER)
            rows = _as_many_as_can_be(rows, report)
            table = _Table.of(head, places, month, order, report)
            entries = list(_entries(table, rows, lists, chosen))
            if not entries and not report.errors:
                report.add(FileCode.EMPTY_FILE, "The file has a heading and no standing below it.")
    return ReadFile(tuple(entries), report.findings())


@dataclass(frozen=True, slots=True)
class _Table:
    """What is told once of all lines: the heading, the places of its columns, the month and how its dates are read."""

    head: Sequence[str]
    places: dict[str, int]
    month: date
    dates: DayOrder
    report: Report
    raws: Sequence[str] = ()  # columns of former ratings, up to the last that there is
    tournaments: Sequence[Mapping[str, str]] = ()  # the columns of each that has one, by what they say of it

    @classmethod
    def of(cls, head: Sequence[str], places: dict[str, int], month: date, dates: DayOrder, report: Report) -> "_Table":
        """Return what is told by a heading."""
        last = max((number for number in range(1, WINDOW + 1) if f"raw_{number}" in places), default=0)
        raws = [f"raw_{number}" for number in range(1, last + 1)]
        numbered = [{name: f"{name}_{number}" for name in _OF_TOURNAMENT} for number in range(1, RECENT + 1)]
        tournaments = [columns for columns in numbered if not places.keys().isdisjoint(columns.values())]
        return cls(head, places, month, dates, report, raws, tournaments)


def _as_many_as_can_be(rows: Iterable[Row], report: Report) -> Iterator[Row]:
    """Yield the lines of a table, also those that give no standing, up to the most that there can be."""
    for count, row in enumerate(rows):
        if count == MOST_LINES:
            message = f"The table has more than {MOST_LINES:,} lines: no more were read. Send a list at a time."
            report.add(FileCode.TOO_MANY_LINES, message, row[0])
            return
        yield row


def _days(content: bytes, places: Mapping[str, int]) -> Iterator[tuple[int, str]]:
    """Yield the cells of the dates of a table, with their lines."""
    columns = [place for column, place in places.items() if column.startswith("ended_")]
    for number, _, cells in islice(sheet_rows(io.BytesIO(content), Report()), 1, None):
        for place in columns:
            if place < len(cells):
                yield number, cells[place]


def column_of(heading: str) -> str:
    """Return what a column gives, by its heading: `raw`, `raw_5`, `ended_2`, `national_id` …; "" if unknown."""
    word = fold(heading).replace(" ", "") if len(heading) < 100 else ""
    if word in _HEADINGS:
        return _HEADINGS[word]
    if numbered := _NUMBERED.fullmatch(word):
        column, most = _OF.get(numbered[1], numbered[1]), int(numbered[2])
        return f"{column}_{most}" if 1 <= most <= (WINDOW if column == "raw" else RECENT) else ""
    person = player_column(heading)
    return person if person in _PERSON else ""


def _likely_id(head: list[str]) -> int | None:
    """Return the place of the column whose heading is one that federations give their ids, such as Membership no."""
    return next((place for place, heading in enumerate(head) if likely_player_column(heading) == "national_id"), None)


def _places(head: list[str], report: Report) -> dict[str, int]:
    places: dict[str, int] = {}
    unknown = []
    for place, heading in enumerate(head):
        column = column_of(heading)
        if not column:
            if heading and not player_column(heading):
                unknown.append(heading)
        elif column in places:
            message = (
                f"Two columns, {quoted(head[places[column]])} and {quoted(heading)}, give the same. Leave one out."
            )
            report.add(FileCode.REPEATED_COLUMN, message, 1)
        else:
            places[column] = place
    if places.keys().isdisjoint(_IDS) and (likely := _likely_id(head)) is not None:
        places["national_id"] = likely
        unknown.remove(head[likely])
    if places.keys().isdisjoint(_IDS):
        message = (
            "No column gives the Chess SA id: the first line names the columns, among them Id. Here it has"
            f" {', '.join(map(quoted, head[:8]))}."
        )
        report.add(FileCode.MISSING_COLUMN, message, 1)
    if places.keys().isdisjoint(_FIGURES):
        message = "No column gives a rating: Raw, Published or Rating was expected in the first line."
        report.add(FileCode.MISSING_COLUMN, message, 1)
    if unknown and not report.errors:
        report.add(FileCode.UNKNOWN_COLUMN, f"Not read: {', '.join(map(quoted, unknown[:8]))}.", 1)
    return places


def _list_of_name(filename: str, lists: Mapping[str, tuple[str, bool]], report: Report) -> str:
    words = set(fold(filename.rpartition("/")[2].rpartition(".")[0].replace("_", " ").replace("-", " ")).split())
    codes = [code for code in lists if code in words]
    if len(codes) == 1:
        report.add(Code.LIST_BY_FILE_NAME, f"By its name the file is of the list {lists[codes[0]][0]}.")
        return codes[0]
    report.add(
        Code.MISSING_LIST,
        f"The file does not say of which list it is: add a column List with {', '.join(lists)}, or choose the list.",
    )
    return ""


def _entries(table: _Table, rows: Iterable[Row], lists: Mapping[str, tuple[str, bool]], chosen: str) -> Iterator[Entry]:
    head, places, report = table.head, table.places, table.report
    codes = {fold(name): code for code, (name, _) in lists.items()} | {fold(code): code for code in lists}
    seen: dict[tuple[str, str], int] = {}
    for number, _, cells in rows:
        row = CsvRow(number, "", "", cells, places)
        if len(cells) > len(head) and any(cell.strip() for cell in cells[len(head) :]):
            message = (
                f"The line has {len(cells)} cells, the heading {len(head)}: which is which cannot be told. A number with a"
                " decimal comma, or a name with the separator, stands in quotation marks."
            )
            report.add(FileCode.EXTRA_CELLS, message, number)
            continue
        code = chosen
        if "list" in places:
            code = codes.get(fold(row.value("list")), "")
            if not code:
                message = f"{quoted(row.value('list'))} is no list: give one of {', '.join(lists)}."
                report.add(Code.UNKNOWN_LIST, message, *row.place("list"))
        entry = _entry(row, code, code not in lists or lists[code][1], table)
        if not code or not (entry.number or entry.fide_id):
            continue
        key = (entry.number or f"FIDE {entry.fide_id}", code)
        first = seen.setdefault(key, number)
        if first != number:
            message = f"{key[0]} stands on line {first} for {lists[code][0]}, too. Take one of the lines out."
            report.add(Code.PLAYER_TWICE, message, *row.place(_id_column(row)))
        yield entry


def _heading(place: tuple[int, int | None, int | None], report: Report) -> str:
    return report.headings[place[1] - 1] if place[1] else ""


def _id_column(row: CsvRow) -> str:
    return next((name for name in ("national_id", "id", "fide_id") if row.value(name)), "national_id")


def _entry(row: CsvRow, code: str, is_national: bool, table: _Table) -> Entry:
    """Return what a line says; an error has a finding. `code`: of its list, "" if that is not known."""
    report = table.report
    national_id = fide_id = ""
    errors = report.errors
    for kind in ("national_id", "id", "fide_id"):
        ids = values.identifier_of(row, kind, kind, values.text_of(row, kind, report), report)
        national_id, fide_id = national_id or ids[0], fide_id or ids[1]
    if not national_id and not fide_id and report.errors == errors:
        place = row.place(next(name for name in ("national_id", "id", "fide_id") if name in row.columns))
        report.add(Code.MISSING_ID, "The line has no Chess SA id. Give it, or take the line out.", *place)
    errors = report.errors
    raw, published = (number_of(row, name, RATINGS, report, unrated=True) for name in ("raw", "published"))
    history = _history(row, raw, table.raws, report)
    raw = history[0] if raw is None and history else raw
    performances = _performances(row, code, is_national, table)
    highest = number_of(row, "highest", RATINGS, report, unrated=True)
    unread = report.errors > errors
    if raw is None and published is None and (highest is not None or performances) and not unread:
        message = "Somebody without a rating has no highest rating and no performances: give the rating, or clear them."
        report.add(Code.FIGURES_WITHOUT_RATING, message, *row.place("raw" if "raw" in row.columns else "published"))
    last, first = row.value("last_name"), row.value("first_name")
    return Entry(
        place=Place(*(place := row.place(_id_column(row))), heading=_heading(place, report)),
        number=national_id,
        list=code,
        fide_id=int(fide_id) if fide_id else None,
        name=f"{first} {last}".strip() or row.value("name"),
        raw=raw,
        published=published,
        highest=highest,
        k=number_of(row, "k", (1.0, _HIGHEST_K), report),
        history=history or (() if raw is None else (raw,)),
        performances=performances,
        pending_penalty=number_of(row, "pending_penalty", (0.0, RATING_RANGE[1]), report) or 0.0,
        activity=count_of(row, "activity", report, most=MOST_ACTIVITY) or 0,
        games=count_of(row, "games", report),
        wins=count_of(row, "wins", report) or 0,
        draws=count_of(row, "draws", report) or 0,
        events=count_of(row, "events", report) or 0,
        record=record_of(row, report),
    )


def _history(row: CsvRow, raw: float | None, columns: Sequence[str], report: Report) -> tuple[float, ...]:
    """Return the raw ratings, newest first; a gap is an error: what came before it cannot be put in its month."""
    given = ratings_of(row, columns, report)
    while given and given[-1] is None:
        given.pop()
    if raw is not None and given and given[0] is None and "raw_1" not in row.columns:
        given[0] = raw  # a file whose former ratings begin with raw_2
    ratings = tuple(rating for rating in given if rating is not None)
    if len(ratings) < len(given):
        missing = given.index(None)
        message = (
            f"Raw {missing + 1} is missing, and raw {len(given)} is not: give it. If the player was unrated before, clear the"
            " older ones, too."
        )
        report.add(Code.HISTORY_GAP, message, *row.place(columns[missing]))
        return ()
    if ratings and raw is not None and ratings[0] != raw:
        message = (
            f"Raw 1, {ratings[0]:g}, is not the raw rating, {raw:g}: the former ratings begin with the newest, which is that of"
            " the balance itself. Correct one of them."
        )
        report.add(Code.HISTORY_BEGINS, message, *row.place("raw_1"))
    return ratings


def _performances(row: CsvRow, code: str, is_national: bool, table: _Table) -> tuple[tuple[float, int, int], ...]:
    performances, report = [], table.report
    for names in table.tournaments:
        if not any(map(row.value, names.values())):
            continue
        performance = number_of(row, names["performance"], PERFORMANCES, report)
        kind = type_of(row, names["type"], code, is_national, report)
        ended = day_of(row, names["ended"], table.month, table.dates, report)
        for name in ("performance", "ended"):
            if not row.value(names[name]):
                label = names[name].replace("_", " ").capitalize()
                message = (
                    f"{label} is missing: a tournament has performance, type and date. Give it, or clear the others."
                )
                report.add(Code.INCOMPLETE_PERFORMANCE, message, *row.place(names[name]))
        if performance is not None and kind is not None and ended is not None:
            performances.append((performance, ended.toordinal(), kind))
    return tuple(sorted(performances, key=lambda recent: -recent[1]))
