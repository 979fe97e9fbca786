"""Reads the table of a file's players: a row for each line that is not known for certain."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils.translation import gettext

from events.files.day_order import stands_first
from events.models import Upload
from events.rules.corrections import FIDE_ID, NEW, PLAYER, REGION
from events.submission.compare import as_seen
from events.submission.newcomers.cells import (
    BIRTH,
    COLUMNS,
    GIVEN,
    ID,
    OTHER,
    SEX,
    WHO,
    columns_with_room,
    read_cell,
)
from events.submission.newcomers.operations import LEFT_OVER
from events.submission.words import candidate_shown
from players.identity import is_chess_sa_id, same_name_and_birth
from players.merged import on_register, player_of
from players.models import Player, Region
from players.search import suggested_players

ALIKE, UNKNOWN, NOT_LOOKED_UP, NEWCOMER, CHOSEN = "alike", "unknown", "not_looked_up", "new", "chosen"
OPEN = (ALIKE, NOT_LOOKED_UP, UNKNOWN)
REQUIRED = (BIRTH, SEX, GIVEN)  # articles 14.1 to 14.3
MOST_ROWS = 300  # on one page; the next come when these are settled
_ORDER = {ALIKE: 0, NOT_LOOKED_UP: 1, UNKNOWN: 2, NEWCOMER: 3, CHOSEN: 4}
_MOST_SEARCHED = 20  # typed names that are looked up on the register each time the page is shown


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row. `room`: it can be filled in; `said`: what the file says; `value`: what is given here; `waiting`: it is
    read when it is said who the player is."""

    field: str
    column: str
    label: str
    said: str = ""
    value: str = ""
    problem: str = ""
    hint: str = ""
    room: bool = False
    waiting: bool = False
    lacking: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """Somebody on the register who a line may be."""

    number: str
    shown: dict[str, Any]
    chosen: bool
    id: str


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the file. `undo`: the key of the answer who it is; `other`: the name or id that was typed for somebody else."""

    start: str
    name: str
    line: int | None
    state: str
    cells: list[Cell]
    choices: list[Choice] = field(default_factory=list)
    known: str = ""
    undo: int | None = None
    other: str = ""
    problem: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it is not said who the player is."""
        return self.state in OPEN

    @property
    def lacking(self) -> list[Cell]:
        """The cells that are empty though the regulations ask for them, or that cannot be read."""
        return [cell for cell in self.cells if cell.lacking or (cell.problem and not cell.waiting)]

    @property
    def fields(self) -> dict[str, str]:
        """What stands in the fields of the row."""
        given = {cell.field: cell.value for cell in self.cells if cell.room}
        chosen = next((choice.number for choice in self.choices if choice.chosen), "")
        return given | {f"{OTHER}-{self.start}": self.other, f"{WHO}-{self.start}": chosen}


@dataclass(frozen=True, slots=True)
class Table:
    """The table. `left_over`: pasted rows that belong to no line; `either`: birth dates that can be two days; `more`: lines
    that are not on the page, and of which something is left to be said."""

    rows: list[Row]
    left_over: str
    either: int
    more: int
    same: tuple[tuple[str, str], ...]

    def of(self, *states: str) -> list[Row]:
        """Return the rows in one of some states."""
        return [row for row in self.rows if row.state in states]

    @property
    def open(self) -> list[Row]:
        """The rows of which it is not said who they are."""
        return self.of(*OPEN)

    @property
    def lacking(self) -> int:
        """The number of cells of new players that are to be filled."""
        return sum(len(row.lacking) for row in self.of(NEWCOMER))

    @property
    def problems(self) -> list[tuple[str, str]]:
        """What cannot be read or found: field and message."""
        found = [(f"id_{OTHER}-{row.start}", f"{row.name}: {row.problem}") for row in self.rows if row.problem]
        return found + [
            (f"id_{cell.field}", f"{row.name}, {cell.label}: {cell.problem}")
            for row in self.rows
            for cell in row.cells
            if cell.problem and not cell.waiting
        ]

    @property
    def settled(self) -> bool:
        """Whether nothing is left to be said here."""
        return not (self.open or self.lacking or self.left_over or self.more)

    def fields(self) -> dict[str, str]:
        """Return what stands in all fields, as the page shows them."""
        return {name: text for row in self.rows for name, text in row.fields.items()}

    def next_open(self, after: str = "") -> str:
        """Return the id of the field that is to be answered next, after the row with a start number."""
        rows = self._in_order()
        first = next((place for place, row in enumerate(rows) if row.start == after), 0)
        return next(filter(None, map(_target, [*rows[first:], *rows[:first]])), "")

    def _in_order(self) -> list[Row]:
        return [*self.open, *self.of(NEWCOMER), *self.of(CHOSEN)]


def _target(row: Row) -> str:
    if row.is_open:
        if row.choices:
            return f"id_take-{row.start}"
        return f"id_new-{row.start}"
    return f"id_{row.lacking[0].field}" if row.state == NEWCOMER and row.lacking else ""


def open_lines(report: Mapping[str, Any]) -> int:
    """Return the number of lines of a report of which it is not said who they are."""
    return sum(line["state"] in OPEN for line in report.get("lines", []))


def lacking_cells(upload: Upload) -> int:
    """Return the number of details of new players that an upload lacks."""
    given = {(answer.kind, answer.key) for answer in upload.corrections.all()}
    return sum(
        column in columns_with_room(line) and (column, str(line["start"])) not in given
        for line in upload.report.get("lines", [])
        if line["state"] == NEWCOMER
        for column in REQUIRED
    )


def read_table(upload: Upload, *, births_of: Collection[int | None], today: date, changing: str = "") -> Table:
    """Return the table of an upload. `births_of`: the regions of whose players the reader may see the birth dates; `changing`:
    the start number of a line that is known and to be said anew."""
    reader = _Reader(upload, births_of, today)
    lines = sorted(upload.report.get("lines", []), key=lambda line: _ORDER[reader.state(line)[0]])
    more = 0
    if len(lines) > MOST_ROWS:
        lines.sort(key=reader.is_settled)
        more = sum(not reader.is_settled(line) for line in lines[MOST_ROWS:])
    rows = [reader.row(line) for line in lines[:MOST_ROWS]]
    matched = next((line for line in upload.report.get("matched", []) if str(line["start"]) == changing), None)
    if matched is not None and changing not in {row.start for row in rows}:
        rows.insert(0, reader.changed_row(matched))
    return Table(
        rows=rows[:MOST_ROWS],
        left_over=upload.typed.get(LEFT_OVER, ""),
        either=reader.either(rows),
        more=more,
        same=tuple(reader.same(rows)),
    )


class _Reader:
    """What the rows of a table have in common."""

    def __init__(self, upload: Upload, births_of: Collection[int | None], today: date) -> None:
        self.typed, self.births_of, self.today = upload.typed, births_of, today
        self.answers: dict[tuple[str, str], Any] = {
            (answer.kind, answer.key): answer for answer in upload.corrections.all()
        }
        self.questions = {str(line["start"]): line for line in upload.report.get("questions", [])}
        self.regions = dict(Region.objects.values_list("code", "name"))
        self.host = upload.event.region.code
        self._searched: dict[str, list[Player]] = {}

    def state(self, line: dict[str, Any]) -> tuple[str, str]:
        """Return the state of a line, and who it is."""
        answer = self.answers.get((PLAYER.code, str(line["start"])))
        state, known = line["state"], line["known"]
        if answer is not None:
            # of a large file the report comes later than the answer
            state = NEWCOMER if answer.value == NEW else CHOSEN
            known = known or ("" if answer.value == NEW else answer.value)
        elif state in (NEWCOMER, CHOSEN):
            state = UNKNOWN
        return state, known

    def is_settled(self, line: dict[str, Any]) -> bool:
        """Return whether it is said who a line is, and all that is asked of a new player."""
        state, _ = self.state(line)
        start, room = str(line["start"]), columns_with_room(line)
        return state not in OPEN and (
            state != NEWCOMER
            or not (
                any(column in room and (column, start) not in self.answers for column in REQUIRED)
                or any(f"{column}-{start}" in self.typed for column in COLUMNS)
            )
        )

    def row(self, line: dict[str, Any]) -> Row:
        """Return the row of a line."""
        start = str(line["start"])
        answer = self.answers.get((PLAYER.code, start))
        state, known = self.state(line)
        candidates = self.questions.get(start, {}).get("candidates", []) if state in OPEN else []
        choices, problem = self._choices(start, candidates) if state in OPEN else ([], "")
        return Row(
            start=start,
            name=line["name"],
            line=line["line"],
            state=state,
            cells=[self._cell(column, line, state) for column in COLUMNS],
            choices=choices,
            known=known,
            undo=answer.pk if answer else None,
            other=self.typed.get(f"{OTHER}-{start}", "") if state in OPEN else "",
            problem=problem,
        )

    def changed_row(self, matched: dict[str, Any]) -> Row:
        """Return the row of a line that is known, with who it is by now."""
        start = str(matched["start"])
        seen = candidate_shown(as_seen(matched, self.births_of))
        choices, problem = self._choices(start, [])
        if not choices:
            present = {"number": matched["number"], "name": matched["known"], "reason": seen["reason"]}
            choices = [Choice(matched["number"], present, chosen=True, id=f"id_who-{start}-0")]
        other = self.typed.get(f"{OTHER}-{start}", "")
        return Row(start, matched["name"], None, ALIKE, [], choices, other=other, problem=problem)

    def _choices(self, start: str, candidates: Iterable[dict[str, Any]]) -> tuple[list[Choice], str]:
        found, problem = self._found(self.typed.get(f"{OTHER}-{start}", ""))
        people = [candidate_shown(as_seen(candidate, self.births_of)) for candidate in candidates]
        numbers = {person["number"] for person in people}
        people = [*(_person(player) for player in found if player.number not in numbers), *people]
        chosen = self.typed.get(f"{WHO}-{start}", "")
        if chosen not in {person["number"] for person in people}:
            chosen = people[0]["number"] if people else ""
        return [
            Choice(person["number"], person, person["number"] == chosen, f"id_{WHO}-{start}-{place}")
            for place, person in enumerate(people)
        ], problem

    def _found(self, text: str) -> tuple[list[Player], str]:
        """Return the players who are called so, or have the id."""
        if not text:
            return [], ""
        digits = "".join(text.split())
        if is_chess_sa_id(digits):
            player = player_of(digits)
            found = [player] if player else []
        else:
            if text not in self._searched and len(self._searched) >= _MOST_SEARCHED:
                return [], gettext("This is looked up once others are settled.")
            if text not in self._searched:
                self._searched[text] = list(suggested_players(on_register(), text))
            found = self._searched[text]
        if found:
            return found, ""
        if digits.isdecimal():
            return [], gettext("Enter a Chess SA id of nine digits that is on the register.")
        return [], gettext("Nobody on the register is called so.")

    def _cell(self, column: str, line: dict[str, Any], state: str) -> Cell:
        start = str(line["start"])
        name = f"{column}-{start}"
        kind = FIDE_ID.code if column == ID else column
        answer, text = self.answers.get((kind, start)), self.typed.get(name, "")
        new = state == NEWCOMER
        room = new and (column in columns_with_room(line) or bool(text))
        problem = ""
        if text and new:
            reading = read_cell(column, text, line, regions=self.regions, today=self.today)
            problem = reading.problem
        value = text or (answer.value if answer is not None else "")
        hint = gettext("%(year)s in the file") % {"year": line["year"]} if column == BIRTH and line["year"] else ""
        if column == REGION.code and new:
            hint = line["region"].strip() or self.host
        return Cell(
            field=name,
            column=column,
            label=_label(column),
            said=_said(column, line),
            value=value,
            problem=problem,
            hint=hint,
            room=room,
            waiting=bool(text) and not new,
            lacking=new and room and not value and column in REQUIRED,
        )

    def either(self, rows: Iterable[Row]) -> int:
        """Return the number of birth dates that can be two days."""
        return sum(
            cell.column == BIRTH and bool(cell.problem) and stands_first(cell.value) == ""
            for row in rows
            for cell in row.cells
        )

    def same(self, rows: Iterable[Row]) -> Iterator[tuple[str, str]]:
        """Yield start number and player of each line with exactly one candidate of the same name and birth date."""
        for row in rows:
            if row.state != ALIKE:
                continue
            candidates = self.questions.get(row.start, {}).get("candidates", [])
            seen = [as_seen(candidate, self.births_of) for candidate in candidates]
            alike = [candidate["number"] for candidate in seen if same_name_and_birth(candidate["reason"])]
            if len(alike) == 1:
                yield row.start, alike[0]


def _person(player: Player) -> dict[str, Any]:
    region = f"{player.region.code} {player.region.name}" if player.region else ""
    return {"number": player.number, "name": player.name, "reason": region}


def _said(column: str, line: Mapping[str, Any]) -> str:
    if column == ID:
        return " ".join(filter(None, (line["national_id"], line["fide_id"])))
    if column == GIVEN:
        return ""
    if column == BIRTH:
        return "" if line["year"] else str(line["born"])
    return str(line["sex" if column == SEX else "region"]).strip()


def _label(column: str) -> str:
    return {
        GIVEN: gettext("Full first name"),
        BIRTH: gettext("Born"),
        SEX: gettext("Gender"),
        REGION.code: gettext("Region"),
        ID: gettext("Id"),
    }[column]
