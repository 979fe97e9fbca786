"""An explanation as pages show it: tables, single figures and links, each figure short or in full. Pure."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from config.lib import formatting
from ratings.systems.base import Cell, CellKind, Explanation, Step, Words

LEAST_DECIMALS = 2
LONG = 16
_PLACES = ("article", "section", "rating", "texts", "bonus", "rule", "specification")

_WORDS = (CellKind.TEXT, CellKind.PENALTY, CellKind.ADJUSTMENT)

Row = Mapping[str, Cell]  # by label, which heads its column
Link = Callable[[Cell], str]  # the address that a cell leads to; empty: none
Say = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure or word with its label. `link` empty: none; `number`: set to the right; `kind`: of its cell, if there is one."""

    label: str
    text: str
    number: bool
    link: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class TableGroup:
    """Rows of a table under one heading; without a heading all of them."""

    heading: Figure | None
    rows: tuple[tuple[Figure, ...], ...]


@dataclass(frozen=True, slots=True)
class StepTable:
    """Rows with the same columns, as (label, whether a number)."""

    columns: tuple[tuple[str, bool], ...]
    groups: tuple[TableGroup, ...]

    @property
    def wide(self) -> bool:
        """Whether it needs the width of the page."""
        return len(self.columns) > 5

    @property
    def folds(self) -> bool:
        """Whether a narrow screen must fold the rows."""
        return self.wide or (len(self.columns) > 3 and not all(number for _, number in self.columns))

    @property
    def long(self) -> bool:
        """Whether the table is a long and narrow column of figures, better opened on demand."""
        return not self.folds and len(self.groups) == 1 and len(self.groups[0].rows) > LONG


@dataclass(frozen=True, slots=True)
class Block:
    """Either a table or a few single figures."""

    table: StepTable | None
    facts: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A step, ready for a template."""

    label: str
    formula: str
    blocks: tuple[Block, ...]
    result: tuple[Figure, ...]
    source: str
    remark: str
    last: bool


def shown_steps(
    explanation: Explanation,
    *,
    full: bool = False,
    link: Link | None = None,
    without: Collection[CellKind] = (),
    say: Say = str,
) -> list[ShownStep]:
    """Return the steps of an explanation. `full`: figures unrounded; `without`: kinds of cells that are left out.

    `say`: gives the texts in the reader's language, as they stand by default.
    """
    writer, last = _Writer(full, link or _no_link, without, say), len(explanation.steps)
    return [writer.step(step, last=number == last) for number, step in enumerate(explanation.steps, start=1)]


def cell_text(words: Words, *, full: bool = False) -> str:
    """Sentences, the figures in them with two decimals or in full."""
    if isinstance(words, str):
        return words
    return "".join(part if isinstance(part, str) else figure_text(Cell("", part), full=full) for part in words)


def figure_text(cell: Cell, *, full: bool = False) -> str:
    """Return a figure with two decimals, fewer where it counts something, or in full; a dash for none; words as they are."""
    value = cell.value
    if value is None:
        return formatting.NONE
    if isinstance(value, str):
        return formatting.day(date.fromisoformat(value)) if cell.kind is CellKind.DAY else value
    if isinstance(value, tuple):
        return cell_text(value, full=full)
    value = float(value)
    if full:
        text = formatting.in_style(repr(value).removesuffix(".0"))
    else:
        decimals = cell.decimals
        if decimals and cell.kind is not CellKind.SCORE:
            decimals = max(decimals, LEAST_DECIMALS)
        text = formatting.decimal(value, decimals)
    if cell.kind is CellKind.CHANGE and value > 0:
        text = f"+{text}"
    return text.replace("-", formatting.MINUS)


@dataclass(frozen=True, slots=True)
class _Writer:
    full: bool
    link: Link
    without: Collection[CellKind]
    say: Say

    def step(self, step: Step, *, last: bool) -> ShownStep:
        rows = [tuple(cell for cell in row if cell.kind not in self.without) for row in step.rows]
        return ShownStep(
            label=self.say(step.label),
            formula=self.say(step.formula),
            blocks=tuple(self.blocks(rows)),
            result=self.facts(step.result),
            source=formatting.sentence(self.say(step.source)) if step.source.startswith(_PLACES) else step.source,
            remark=self.say(cell_text(step.remark, full=self.full)),
            last=last,
        )

    def blocks(self, rows: Sequence[tuple[Cell, ...]]) -> Iterator[Block]:
        """Rows of a single cell, or a row alone, are single figures; rows that share a column are a table."""
        for single, group in groupby(rows, key=lambda row: len(row) == 1):
            together = list(group)
            if single or len(together) == 1:
                yield Block(None, tuple(figure for row in together for figure in self.facts(row)))
            else:
                yield Block(self.table(together), ())

    def facts(self, row: Sequence[Cell]) -> tuple[Figure, ...]:
        return tuple(self.figure(cell) for cell in row)

    def figure(self, cell: Cell) -> Figure:
        text = figure_text(cell, full=self.full)
        if cell.kind in _WORDS or (not cell.ref and cell.kind in (CellKind.EVENT, CellKind.OUTSIDE)):
            text = self.say(text)
        return Figure(
            self.label(cell.label), text, not isinstance(cell.value, str | tuple), self.link(cell), cell.kind.value
        )

    def table(self, rows: Sequence[tuple[Cell, ...]]) -> StepTable:
        """Games stand under their event, other rows one after the other."""
        events = [next((cell for cell in row if cell.kind is CellKind.EVENT), None) for row in rows]
        grouped = any(events) and any(cell.kind is CellKind.ROUND for row in rows for cell in row)
        hidden = CellKind.EVENT if grouped else None
        labels = dict.fromkeys(cell.label for row in rows for cell in row if cell.kind is not hidden)
        labelled = [{cell.label: cell for cell in row} for row in rows]
        columns = tuple((label, self.is_number(label, labelled)) for label in labels)
        groups = []
        for event, group in groupby(zip(events, labelled, strict=True), key=lambda pair: pair[0] if grouped else None):
            heading = None if event is None else self.figure(event)
            groups.append(TableGroup(heading, tuple(self.row(row, columns) for _, row in group)))
        return StepTable(tuple((self.label(label), number) for label, number in columns), tuple(groups))

    def row(self, row: Row, columns: Sequence[tuple[str, bool]]) -> tuple[Figure, ...]:
        return tuple(
            self.figure(row[label]) if label in row else Figure(self.label(label), "", number, "")
            for label, number in columns
        )

    def label(self, label: str) -> str:
        return self.say(label.replace("'s ", "’s "))

    def is_number(self, label: str, rows: Sequence[Row]) -> bool:
        cells = [row[label] for row in rows if label in row]
        return all(cell.kind is CellKind.DAY or not isinstance(cell.value, str | tuple) for cell in cells)


def _no_link(cell: Cell) -> str:
    return ""
