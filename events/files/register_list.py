"""Reader of lists of players for the register: CSV or XLSX with columns in any order, the list that Chess SA publishes,
Swiss-Manager's list by headings. Pure.

What cannot be read is a finding at its line and column; an error blocks the whole list. Values are read as in a CSV of
results (`events.files.csv.values`). Of a list of 50,000 players little more is held than the line at hand.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from itertools import chain, islice
from typing import IO, NamedTuple

from config.lib import formatting
from config.lib.names import composed, has_letter, recased, unseen, wrong_in_list, wrong_words
from events.files.codes import Code
from events.files.collector import Report, quoted
from events.files.csv import values
from events.files.csv.table import CsvRow, likely_player_column, player_column
from events.files.dates import Birth
from events.files.day_order import DayOrder
from events.files.sheet import EMPTY, Row, sheet_rows
from events.files.trf.player_fields import OLD_TITLES
from events.rules.federations import FEDERATIONS
from events.rules.findings import Finding, Severity
from players.identity import CHESS_SA_DIGITS, fold, folded_words

LONGEST_PART = 80  # characters of surname, first names, club
MOST_PLAYERS = 50_000  # in one list

COLUMNS = (
    "name", "last_name", "first_name", "national_id", "fide_id", "id", "born", "sex", "title", "region", "federation", "club",
)  # fmt: skip
_SAMPLES = 3  # lines whose cells are shown beside the headings
WORDS = {  # the columns in words, where they need some
    "name": "whole name", "last_name": "surname", "first_name": "first names", "national_id": "Chess SA id",
    "fide_id": "FIDE id", "id": "id, Chess SA’s or FIDE’s", "born": "birth",
}  # fmt: skip
_IDS = ("national_id", "fide_id", "id")
_IGNORED = ("number", "rating")  # known, and nothing for the register
_TOO_LONG = (
    f"At most {MOST_PLAYERS:,} players are read, and there are more. Send the list in parts, each with the heading."
)
_CHESS_SA = "UNIQUE_NO"  # the heading of Chess SA's list: FED is the region, 1 January stands for the year alone


class RegisterLine(NamedTuple):  # made quickly, 50,000 times
    """A player of a list. What the list does not say is "", None or an empty `Birth`.

    `written`: the name as it stands there, surname first, where it is in capitals or small letters alone; else "".
    """

    line: int
    last_name: str
    first_name: str = ""
    national_id: str = ""
    fide_id: int | None = None
    birth: Birth = Birth()
    sex: str = ""
    title: str = ""
    region: str = ""
    federation: str = ""
    club: str = ""
    written: str = ""

    @property
    def name(self) -> str:
        """First name first."""
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def words(self) -> str:
        """The folded words of the name, sorted: the order of surname and first names does not matter."""
        return " ".join(sorted(folded_words(self.name)))


class RegisterReader:
    """Reads a list of players, perhaps zipped: iterate over it once for the lines without an error. Never raises.

    Afterwards `findings` and `faulty`, the number of lines with errors, are complete; the heading and `samples`, the first
    cells below each, are read when it is made.
    """

    def __init__(
        self, file: IO[bytes], *, regions: Mapping[str, str], columns: Mapping[str, str] | None = None
    ) -> None:
        """`file`: open and seekable; `regions`: code → name of the regions on record, by either of which a list names them;
        `columns`: heading → column where the heading does not tell, "" to leave a column out."""
        self.faulty = 0
        self._file = file
        self._report = Report()
        self._rows: Iterator[Row] = sheet_rows(file, self._report)
        first = next(self._rows, None)
        if first is None and not self._report.errors:
            self._report.add(Code.EMPTY_FILE, EMPTY)
        self.head = [cell.strip() for cell in first[2]] if first else []
        begins = list(islice(self._rows, _SAMPLES))
        self._rows = chain(begins, self._rows)
        self.samples = [
            [row[2][place].strip() for row in begins if place < len(row[2])] for place in range(len(self.head))
        ]
        self._places = _places(self.head, dict(columns or {}), self.samples, self._report) if first else {}
        self._ids = [kind for kind in _IDS if kind in self._places]
        self._has_body = not self._places.keys().isdisjoint(("region", "federation"))
        self._chess_sa = _CHESS_SA in (heading.upper() for heading in self.head)
        self._codes = {fold(name): code for code, name in regions.items()} | {fold(code): code for code in regions}
        self._order = DayOrder(self._birth_dates, Code.DAY_OR_MONTH_FIRST, Code.DATE_ORDER)

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """How the columns are read: heading and column, "" for one that is not read."""
        read = {place: column for column, place in self._places.items()}
        return tuple((heading, read.get(place, "")) for place, heading in enumerate(self.head))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found so far: errors, then the rest."""
        # The form in which Chess SA's list has its dates needs no remark.
        found = self._report.findings()
        return tuple(row for row in found if row.code != Code.BIRTH_DATE_FORMAT or not self._chess_sa)

    @property
    def errors(self) -> list[Finding]:
        """The findings that block the import."""
        return [finding for finding in self.findings if finding.severity is Severity.ERROR]

    def __iter__(self) -> Iterator[RegisterLine]:
        if self._report.errors:
            return
        ids, players, recast = _Ids(self._report, self._columns_of_ids()), 0, 0
        recast_first: RegisterLine | None = None
        for players, row in enumerate(self._rows, 1):
            if players > MOST_PLAYERS:
                self._report.add(Code.TOO_MANY_LINES, _TOO_LONG, row[0])
                break
            before = self._report.errors
            line = self._line(row)
            if line is None or self._report.errors > before or ids.repeats(line):
                self.faulty += 1
                continue
            if line.written:
                recast += 1
                recast_first = recast_first or line
            yield line
        if recast_first:
            self._report.add(Code.NAME_IN_ONE_CASE, _recast_words(recast_first, recast), recast_first.line)
        if not players and not self._report.errors:
            self._report.add(Code.EMPTY_FILE, "The list has a heading and no player below it.")

    def _columns_of_ids(self) -> dict[str, int | None]:
        """Return the column in which each kind of id stands, 1-based."""
        column = {name: place + 1 for name, place in self._places.items()}
        both = column.get("id")
        return {"Chess SA id": column.get("national_id", both), "FIDE id": column.get("fide_id", both)}

    def _birth_dates(self) -> Iterator[tuple[int, str]]:
        """Yield the cells of the birth dates, with their lines, in a reading of their own."""
        place, before = self._places["born"], self._file.tell()
        try:
            with closing(sheet_rows(self._file, Report())) as rows:
                for number, _, cells in islice(rows, 1, None):
                    if place < len(cells):
                        yield number, cells[place]
        finally:
            self._file.seek(before)

    def _line(self, cells_of: Row) -> RegisterLine | None:
        """Return a player; None, or an incomplete one, with an error."""
        number, separator, cells = cells_of
        report = self._report
        row = CsvRow(number, "", "", cells, self._places)
        if len(cells) > len(self.head) and any(cell.strip() for cell in cells[len(self.head) :]):
            message = (
                f"The line has {len(cells)} cells, the heading {len(self.head)}: which is which cannot be told. Put a cell"
                f" that holds the separator {quoted(separator or ',')} in quotation marks."
            )
            report.add(Code.EXTRA_CELLS, message, number)
            return None
        listed = _name(row, report)
        recast = recased(*listed)
        last_name, first_name = recast if max(map(len, recast)) <= LONGEST_PART else listed
        if not last_name:
            column = "last_name" if "last_name" in row.columns else "name"
            message = "The line has no name. Give the surname, or take the line out."
            report.add(Code.MISSING_NAME, message, *row.place(column))
            return None
        national_id = fide_id = ""
        for kind in self._ids:
            ids = values.identifier_of(row, kind, kind, values.text_of(row, kind, report), report)
            national_id, fide_id = national_id or ids[0], fide_id or ids[1]
        birth = Birth()
        if "born" in self._places:
            birth = values.birth_of(row, "born", report, spoiled=Code.SPOILED_DATE, order=self._order)
        if self._chess_sa and birth.day and (birth.day.month, birth.day.day) == (1, 1):
            birth = replace(birth, day=None)
        region = federation = ""
        if self._has_body:
            region, federation = _body(row, self._codes, chess_sa=self._chess_sa, report=report)
        return RegisterLine(
            line=number,
            last_name=last_name,
            first_name=first_name,
            national_id=national_id,
            fide_id=int(fide_id) if fide_id else None,
            birth=birth,
            sex=values.sex_of(row, "sex", report) if "sex" in self._places else "",
            title=_title(row, report) if "title" in self._places else "",
            region=region,
            federation=federation,
            club=_part(row, "club", report) if "club" in self._places else "",
            written=", ".join(filter(None, listed)) if (last_name, first_name) != listed else "",
        )


class _Ids:
    """What tells the lines of a list apart: what a line gives of it → the line's number."""

    def __init__(self, report: Report, columns: Mapping[str, int | None]) -> None:
        """`columns`: in which each kind of id stands."""
        self._report, self._columns = report, columns
        self._of_kind: dict[str, dict[int, int]] = {"Chess SA id": {}, "FIDE id": {}}
        self._without_ids: dict[int, int] = {}  # hashes, which are smaller than names

    def repeats(self, line: RegisterLine) -> bool:
        """Keep what tells a line apart; return whether a line before has it already, with a finding."""
        number, before = line.line, self._report.errors
        for kind, key in (("Chess SA id", int(line.national_id or 0)), ("FIDE id", line.fide_id)):
            if key and (first := self._of_kind[kind].setdefault(key, number)) != number:
                self._report_id(kind, key, first, number)
        if not line.national_id and not line.fide_id:
            key = hash((line.words, line.birth.day or line.birth.year))
            if (first := self._without_ids.setdefault(key, number)) != number:
                self._report_name(first, number)
        return self._report.errors > before

    def _report_id(self, kind: str, key: int, first: int, line: int) -> None:
        if not self._report.counts(Code.DUPLICATE_ID):
            shown = f"{key:09d}" if kind == "Chess SA id" else key
            message = f"The {kind} {shown} stands on line {first}, too. Correct it, or take one of the lines out."
            self._report.add(Code.DUPLICATE_ID, message, line, self._columns[kind])

    def _report_name(self, first: int, line: int) -> None:
        if not self._report.counts(Code.DUPLICATE_NAME):
            message = f"It is not told apart from line {first}: the same name and birth. Give an id, or leave one of them out."
            self._report.add(Code.DUPLICATE_NAME, message, line)


def _recast_words(first: RegisterLine, count: int) -> str:
    more = f", and {formatting.count(count - 1, 'more name')}" if count > 1 else ""
    return (
        f"The name {quoted(first.written)} is in capitals or small letters alone and is taken as {quoted(first.name)}{more}."
        " Each line shows both; what is not right is corrected in the list or, once it is taken, on the register."
    )


def _places(head: list[str], chosen: dict[str, str], samples: list[list[str]], report: Report) -> dict[str, int]:
    """Return column → place, by the headings and what was chosen for them."""
    given = {column for heading in head if (column := chosen.get(heading, player_column(heading)))}
    read_as = []
    for place, heading in enumerate(head):
        likely = "" if heading in chosen or player_column(heading) else likely_player_column(heading)
        if likely and likely not in given and _fits(likely, samples[place]):
            chosen[heading] = likely
            given.add(likely)
            read_as.append(f"{quoted(heading)} is taken as the {_words(likely)}")
    if read_as:
        message = f"By its heading {' and '.join(read_as)}. Where that is wrong, give the column another meaning."
        report.add(Code.LIKELY_COLUMN, message, 1)
    places: dict[str, int] = {}
    unknown = []
    for place, heading in enumerate(head):
        column = chosen.pop(heading) if heading in chosen else player_column(heading)
        if column in _IGNORED or (not column and not heading):
            continue
        if column not in COLUMNS:
            unknown.append(heading)
        elif column in places:
            message = (
                f"Two columns, {quoted(head[places[column]])} and {quoted(heading)}, give the {_words(column)}. Leave one of"
                " them out."
            )
            report.add(Code.REPEATED_COLUMN, message, 1)
        else:
            places[column] = place
    for heading in chosen:
        message = f"There is no column {quoted(heading)}; there are {', '.join(map(quoted, head))}."
        report.add(Code.MISSING_COLUMN, message, 1)
    if "name" not in places and "last_name" not in places:
        message = (
            "No column gives the name: the first line names the columns, among them Surname and First name, or Name. Here it"
            f" has {', '.join(quoted(heading) for heading in head[:8])}."
        )
        report.add(Code.MISSING_COLUMN, message, 1)
    elif unknown:
        report.add(Code.UNKNOWN_COLUMN, f"Not read: {', '.join(map(quoted, unknown[:8]))}.", 1)
    if not report.errors and places.keys().isdisjoint(_IDS):
        report.add(Code.NO_IDS, _no_ids(head, places, samples), 1)
    return places


def _fits(column: str, values: list[str]) -> bool:
    """Return whether the first values below a heading can be those of a column that it may be."""
    return column != "national_id" or all(_is_id(value) for value in values if value)


def _is_id(value: str) -> bool:
    return value.isascii() and value.isdecimal() and len(value) <= CHESS_SA_DIGITS


def _no_ids(head: list[str], places: Mapping[str, int], samples: list[list[str]]) -> str:
    """Return what is said of a list without ids, with the columns that are not read and may hold them."""
    free = set(range(len(head))) - set(places.values())
    likely = [place for place in free if player_column(head[place]) not in _IGNORED and any(samples[place])]
    may = [quoted(head[place]) for place in sorted(likely) if all(_is_id(value) for value in samples[place] if value)]
    text = (
        "No column gives an id, Chess SA’s or FIDE’s: players are known again by name and birth alone, and new ones get the"
        " next free number."
    )
    if not may:
        return text
    return (
        f"{text} If {' or '.join(may[:4])} gives it, say so where the columns are shown, and have the list read again."
    )


def _words(column: str) -> str:
    return WORDS.get(column, column.replace("_", " "))


def _name(row: CsvRow, report: Report) -> tuple[str, str]:
    last_name, first_name = _part(row, "last_name", report), _part(row, "first_name", report)
    if not last_name:
        whole = _part(row, "name", report, longest=2 * LONGEST_PART)
        last_name, _, first = (part.strip() for part in whole.partition(","))
        first_name = (first or first_name) if has_letter(first or first_name) else ""
        if whole and not first_name:
            message = (
                f"{quoted(whole)} has no comma between surname and first names; all of it is taken as the surname."
            )
            report.add(Code.NAME_WITHOUT_COMMA, message, *row.place("name"))
        for column, part in (("last_name", last_name), ("first_name", first_name)):
            _check_length(row, "name", column, part, report)
        problem = "" if wrong_words(whole) else wrong_words(f"{first_name} {last_name}")
    else:
        problem = wrong_words(f"{first_name} {last_name}")
    if problem:
        report.add(Code.UNREADABLE_NAME, problem, *row.place("first_name"))
    return last_name, first_name


def _part(row: CsvRow, column: str, report: Report, *, longest: int = LONGEST_PART) -> str:
    """Return a name or a part of it; what is too long or cannot be seen is an error."""
    if column not in row.columns:
        return ""
    text = values.text_of(row, column, report)
    if not text or (column == "first_name" and _is_sign(text)):
        return ""
    if len(text) <= 4 * longest:  # letters and their marks may be written one by one
        text = composed(text)
        problem = unseen(text) if column == "club" else wrong_in_list(text)
        if problem:
            report.add(Code.UNREADABLE_NAME, problem, *row.place(column))
            return text[:longest]
    _check_length(row, column, column, text, report, longest=longest)
    return text[:longest]


def _is_sign(text: str) -> bool:
    """Return whether a text is a sign in the place of none, as a dash: without letters and figures, and all of it is seen."""
    return not any(map(str.isalnum, text)) and not unseen(text)


def _title(row: CsvRow, report: Report) -> str:
    return OLD_TITLES.get(row.value("title")) or values.title_of(row, "title", report)


def _check_length(
    row: CsvRow, place: str, column: str, text: str, report: Report, *, longest: int = LONGEST_PART
) -> None:
    if len(text) > longest:
        message = (
            f"The {_words(column)} {quoted(text)} has {len(text)} characters; {longest} are kept at most. Shorten it."
        )
        report.add(Code.UNREADABLE_NAME, message, *row.place(place))


def _body(row: CsvRow, codes: Mapping[str, str], *, chess_sa: bool, report: Report) -> tuple[str, str]:
    """Return (region, federation). A region's code may stand in the column of the federation."""
    region, federation = values.text_of(row, "region", report), values.text_of(row, "federation", report)
    if not region and federation and (chess_sa or (federation not in FEDERATIONS and fold(federation) in codes)):
        region, federation = federation, ""
    code = codes.get(fold(region), "")
    if region and not code and not report.counts(Code.UNKNOWN_REGION):
        message = (
            f"The region {quoted(region)} is not on record; it is left out. Add it under Regions first, or correct it."
        )
        report.add(Code.UNKNOWN_REGION, message, *row.place("region" if "region" in row.columns else "federation"))
    return code, values.federation_of(federation, lambda: row.place("federation"), report)
