"""An explanation as pages show it: tables, single figures and links, each figure short or in full. Pure."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from config.lib import formatting
from ratings.systems.base import Cell, Explanation, Step, Words

LEAST_DECIMALS = 2
LONG = 16
GROUP = "Tournament"
_DATES = frozenset({"End date"})
_POINTS = frozenset({"Score", "Score S", "Games before", "Games", "Games n", "Wins − losses"})
_SIGNED = frozenset({"Change", "Total", "K (S − E)"})
_PLACES = ("article", "section", "rating", "texts", "bonus", "rule", "specification")

Row = Mapping[str, Cell]
Link = Callable[[str, Row], str]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure or word with its label. `link` empty: none; `number`: set to the right."""

    label: str
    text: str
    number: bool
    link: str


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
    explanation: Explanation, *, full: bool = False, link: Link | None = None, without: Collection[str] = ()
) -> list[ShownStep]:
    """The steps of an explanation. `full`: figures unrounded; `link` (label, row) gives addresses; `without` labels."""
    writer, last = _Writer(full, link or _no_link, without), len(explanation.steps)
    return [writer.step(step, last=number == last) for number, step in enumerate(explanation.steps, start=1)]


def cell_text(words: Words, *, full: bool = False) -> str:
    """Sentences, the figures in them with two decimals or in full."""
    if isinstance(words, str):
        return words
    return "".join(part if isinstance(part, str) else figure_text(Cell("", part), full=full) for part in words)


def figure_text(cell: Cell, *, full: bool = False, signed: bool = False) -> str:
    """A figure with two decimals, fewer where it counts something, or in full; a dash for none; words as they are."""
    value = cell.value
    if value is None:
        return formatting.NONE
    if isinstance(value, str):
        return formatting.day(date.fromisoformat(value)) if cell.label in _DATES else value
    if isinstance(value, tuple):
        return cell_text(value, full=full)
    value = float(value)
    if full:
        text = repr(value).removesuffix(".0")
    else:
        decimals = cell.decimals
        if decimals and cell.label not in _POINTS:
            decimals = max(decimals, LEAST_DECIMALS)
        text = formatting.decimal(value, decimals)
    if (signed or cell.label in _SIGNED) and value > 0:
        text = f"+{text}"
    return text.replace("-", formatting.MINUS)


@dataclass(frozen=True, slots=True)
class _Writer:
    full: bool
    link: Link
    without: Collection[str]

    def step(self, step: Step, *, last: bool) -> ShownStep:
        rows = [tuple(cell for cell in row if cell.label not in self.without) for row in step.rows]
        return ShownStep(
            label=step.label,
            formula=step.formula,
            blocks=tuple(self.blocks(rows)),
            result=self.facts(step.result),
            source=formatting.sentence(step.source) if step.source.startswith(_PLACES) else step.source,
            remark=cell_text(step.remark, full=self.full),
            last=last,
        )

    def blocks(self, rows: Sequence[tuple[Cell, ...]]) -> Iterator[Block]:
        """Rows of a single cell, or a row alone, are single figures; rows that share a column are a table."""
        for single, found in groupby(rows, key=lambda row: len(row) == 1):
            together = list(found)
            if single or len(together) == 1:
                yield Block(None, tuple(figure for row in together for figure in self.facts(row)))
            else:
                yield Block(self.table(together), ())

    def facts(self, row: Sequence[Cell]) -> tuple[Figure, ...]:
        named = {cell.label: cell for cell in row}
        # What adds up to a total of changes is a change too.
        signed = any(cell.label == "Total" for cell in row)
        return tuple(self.figure(cell, named, signed=signed) for cell in row)

    def figure(self, cell: Cell, row: Row, *, signed: bool = False) -> Figure:
        text = figure_text(cell, full=self.full, signed=signed)
        return Figure(_typeset(cell.label), text, not isinstance(cell.value, str | tuple), self.link(cell.label, row))

    def table(self, rows: Sequence[tuple[Cell, ...]]) -> StepTable:
        labels = list(dict.fromkeys(cell.label for row in rows for cell in row))
        named = [{cell.label: cell for cell in row} for row in rows]
        heads = [str(row[GROUP].value) if GROUP in row else "" for row in named]
        grouped = GROUP in labels and "Round" in labels
        shown = [label for label in labels if not (grouped and label == GROUP)]
        columns = tuple((label, self.is_number(label, named)) for label in shown)
        heads_of_columns = tuple((_typeset(label), number) for label, number in columns)
        groups = []
        for _, found in groupby(zip(heads, named, strict=True), key=lambda pair: pair[0] if grouped else ""):
            together = [row for _, row in found]
            heading = self.figure(together[0][GROUP], together[0]) if grouped else None
            groups.append(TableGroup(heading, tuple(self.row(row, columns) for row in together)))
        return StepTable(heads_of_columns, tuple(groups))

    def row(self, row: Row, columns: Sequence[tuple[str, bool]]) -> tuple[Figure, ...]:
        return tuple(
            self.figure(row[label], row) if label in row else Figure(_typeset(label), "", number, "")
            for label, number in columns
        )

    def is_number(self, label: str, rows: Sequence[Row]) -> bool:
        cells = [row[label] for row in rows if label in row]
        return all(not isinstance(cell.value, str | tuple) for cell in cells)


def _typeset(label: str) -> str:
    return label.replace("'s ", "’s ")


def _no_link(label: str, row: Row) -> str:
    return ""
