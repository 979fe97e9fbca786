"""Reader of lists of players for the register: CSV or XLSX with columns in any order, the list that Chess SA publishes,
Swiss-Manager's list by headings. Pure.

What cannot be read is a finding at its line and column; an error blocks the whole list. Values are read as in a CSV of
results (`events.files.csv.values`).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from config.lib.names import composed, unseen
from events.files.codes import Code
from events.files.collector import Report, quoted
from events.files.csv import values
from events.files.csv.table import CsvRow, player_column
from events.files.dates import Birth
from events.files.sheet import Row, read_sheet
from events.files.trf.player_fields import OLD_TITLES
from events.rules.federations import FEDERATIONS
from events.rules.findings import Finding, Severity
from players.identity import fold

LONGEST_PART = 80  # characters of surname, first names, club

COLUMNS = (
    "name", "last_name", "first_name", "national_id", "fide_id", "id", "born", "sex", "title", "region", "federation", "club",
)  # fmt: skip
_IGNORED = ("number", "rating")  # known, and nothing for the register
_CHESS_SA = "UNIQUE_NO"  # the heading of Chess SA's list: FED is the region, 1 January stands for the year alone


@dataclass(frozen=True, slots=True)
class RegisterLine:
    """A player of a list. What the list does not say is "", None or an empty `Birth`."""

    line: int
    last_name: str
    first_name: str = ""
    national_id: str = ""
    fide_id: int | None = None
    birth: Birth = field(default_factory=Birth)
    sex: str = ""
    title: str = ""
    region: str = ""
    federation: str = ""
    club: str = ""

    @property
    def name(self) -> str:
        """First name first."""
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def words(self) -> str:
        """The folded words of the name, sorted: the order of surname and first names does not matter."""
        return " ".join(sorted(fold(self.name).split()))


@dataclass(frozen=True, slots=True)
class RegisterList:
    """The players of a list, the findings of its reading, and how its columns were read: heading → column, "" for not read."""

    lines: tuple[RegisterLine, ...] = ()
    findings: tuple[Finding, ...] = field(default=())
    columns: tuple[tuple[str, str], ...] = ()

    @property
    def errors(self) -> list[Finding]:
        """The findings that block the import."""
        return [finding for finding in self.findings if finding.severity is Severity.ERROR]


def read_register_list(
    content: bytes, *, regions: Mapping[str, str], columns: Mapping[str, str] | None = None
) -> RegisterList:
    """Read a list of players, perhaps zipped. Never raises.

    `regions`: code → name of the regions on record, by either of which a list names them; `columns`: heading → column where
    the heading does not tell, "" to leave a column out.
    """
    report = Report()
    table = read_sheet(content, report)
    head: list[str] = []
    lines: list[RegisterLine] = []
    places: dict[str, int] = {}
    if table is not None:
        head, rows = table
        places = _places(head, dict(columns or {}), report)
        if not report.errors:
            lines = list(_lines(head, places, rows, regions, report))
            _check_twice(lines, report)
            if not lines and not report.errors:
                report.add(Code.EMPTY_FILE, "The list has a heading and no player below it.")
    read = {place: column for column, place in places.items()}
    return RegisterList(
        () if report.errors else tuple(lines),
        # The form in which Chess SA's list has its dates needs no remark.
        tuple(row for row in report.findings() if row.code != Code.BIRTH_DATE_FORMAT or not _is_of_chess_sa(head)),
        tuple((heading, read.get(place, "")) for place, heading in enumerate(head)),
    )


def _places(head: list[str], chosen: dict[str, str], report: Report) -> dict[str, int]:
    """Return column → place, by the headings and what was chosen for them."""
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
    return places


def _words(column: str) -> str:
    return {"national_id": "Chess SA id", "fide_id": "FIDE id", "born": "birth"}.get(column, column.replace("_", " "))


def _lines(
    head: list[str], places: dict[str, int], rows: Iterable[Row], regions: Mapping[str, str], report: Report
) -> Iterator[RegisterLine]:
    chess_sa = _is_of_chess_sa(head)
    codes = {fold(name): code for code, name in regions.items()} | {fold(code): code for code in regions}
    for number, text, separator, cells in rows:
        row = CsvRow(number, text, separator, cells, places)
        if len(cells) > len(head) and any(cell.strip() for cell in cells[len(head) :]):
            message = (
                f"The line has {len(cells)} cells, the heading {len(head)}: which is which cannot be told. Put a cell that"
                f" holds the separator {quoted(separator)} in quotation marks."
            )
            report.add(Code.EXTRA_CELLS, message, *row.place_of(len(head)))
            continue
        last_name, first_name = _name(row, report)
        if not last_name:
            report.add(
                Code.MISSING_NAME, "The line has no name. Give the surname, or take the line out.", *row.place("name")
            )
            continue
        national_id = fide_id = ""
        for kind in ("national_id", "fide_id", "id"):
            ids = values.identifier_of(row, kind, kind, values.text_of(row, kind, report), report)
            national_id, fide_id = national_id or ids[0], fide_id or ids[1]
        birth = values.birth_of(row, "born", report)
        if chess_sa and birth.day and (birth.day.month, birth.day.day) == (1, 1):
            birth = replace(birth, day=None)
        region, federation = _body(row, codes, chess_sa=chess_sa, report=report)
        yield RegisterLine(
            line=number,
            last_name=last_name,
            first_name=first_name,
            national_id=national_id,
            fide_id=int(fide_id) if fide_id else None,
            birth=birth,
            sex=values.sex_of(row, "sex", report),
            title=OLD_TITLES.get(row.value("title")) or values.title_of(row, "title", report),
            region=region,
            federation=federation,
            club=_part(row, "club", report),
        )


def _is_of_chess_sa(head: list[str]) -> bool:
    return _CHESS_SA in (heading.upper() for heading in head)


def _name(row: CsvRow, report: Report) -> tuple[str, str]:
    last_name, first_name = _part(row, "last_name", report), _part(row, "first_name", report)
    if not last_name:
        whole = _part(row, "name", report, longest=2 * LONGEST_PART)
        last_name, _, first = (part.strip() for part in whole.partition(","))
        first_name = first or first_name
        if whole and not first_name:
            message = (
                f"{quoted(whole)} has no comma between surname and first names; all of it is taken as the surname."
            )
            report.add(Code.NAME_WITHOUT_COMMA, message, *row.place("name"))
    return last_name, first_name


def _part(row: CsvRow, column: str, report: Report, *, longest: int = LONGEST_PART) -> str:
    """Return a name or a part of it; what is too long or cannot be seen is an error."""
    text = composed(values.text_of(row, column, report))
    problem = unseen(text)
    if not problem and len(text) > longest:
        problem = (
            f"The {_words(column)} {quoted(text)} has {len(text)} characters; {longest} are kept at most. Shorten it."
        )
    if problem:
        report.add(Code.UNREADABLE_NAME, problem, *row.place(column))
    return text


def _body(row: CsvRow, codes: Mapping[str, str], *, chess_sa: bool, report: Report) -> tuple[str, str]:
    """Return (region, federation). A region's code may stand in the column of the federation."""
    region, federation = values.text_of(row, "region", report), values.text_of(row, "federation", report)
    if not region and federation and (chess_sa or (federation not in FEDERATIONS and fold(federation) in codes)):
        region, federation = federation, ""
    code = codes.get(fold(region), "")
    if region and not code:
        message = (
            f"The region {quoted(region)} is not on record; it is left out. Add it under Regions first, or correct it."
        )
        report.add(Code.UNKNOWN_REGION, message, *row.place("region" if "region" in row.columns else "federation"))
    return code, values.federation_of(federation, row.place("federation"), report)


def _check_twice(lines: Collection[RegisterLine], report: Report) -> None:
    """Report ids that stand twice, and two lines that nothing tells apart."""
    seen: dict[tuple[str, object], int] = {}
    for line in lines:
        for kind, key in (("Chess SA id", line.national_id), ("FIDE id", line.fide_id)):
            first = seen.setdefault((kind, key), line.line)
            if key and first != line.line:
                message = f"The {kind} {key} stands on line {first}, too. Correct it, or take one of the lines out."
                report.add(Code.DUPLICATE_ID, message, line.line)
        if line.national_id or line.fide_id:
            continue
        first = seen.setdefault((line.words, line.birth.day or line.birth.year), line.line)
        if first != line.line:
            message = (
                f"{quoted(line.name)} is not told apart from line {first}. Give an id or birth date, or leave one out."
            )
            report.add(Code.DUPLICATE_NAME, message, line.line)
