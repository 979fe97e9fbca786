"""docs/conformance.md as text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePosixPath

from tests.conformance.markers import Shown, shown_by_tests
from tests.conformance.places import ROOT, Place, figures_of, places_of
from tests.conformance.rules import Rule, System, sources, systems

PAGE = ROOT / "docs" / "conformance.md"
_HEAD = """# Conformance

Every rule of the four rating systems: what it asks, where it lives in the code, and which tests show it. Tests are named
without `test_` and with blanks; “all” is every test of the file. **open** is what no test shows yet, or what is not built, with
the reason. **departs** is where an edition leaves the words of its document, and why. Places are found by the words of the
code (“article 47”) and by the figures that it reads.

This page is written by `python -m tests.conformance` from the sources, and a test fails when it is out of date.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A rule with its places and its tests."""

    rule: Rule
    places: Sequence[Place]
    tests: Sequence[Shown]

    @property
    def state(self) -> str:
        """One of `STATES`."""
        if self.rule.outside:
            return "nothing to do"
        if not self.tests:
            return "open"
        return "partly open" if self.rule.open else "shown"


STATES = ("shown", "partly open", "open", "nothing to do")


def page() -> str:
    """The whole page."""
    tests = shown_by_tests()
    tables = [(system, _rows(system, tests)) for system in systems()]
    parts = [_HEAD, _summary(tables), *(_section(system, rows) for system, rows in tables)]
    return "\n".join(parts)


def _rows(system: System, tests: Iterable[Shown]) -> list[Row]:
    by_rule: dict[str, list[Shown]] = {}
    for shown in tests:
        by_rule.setdefault(shown.rule, []).append(shown)
    return [Row(rule, places_of(rule), by_rule.get(rule.name, [])) for rule in system.rules]


def _summary(tables: Iterable[tuple[System, list[Row]]]) -> str:
    lines = ["| system | rules | " + " | ".join(STATES) + " |", "|---|" + "---:|" * (len(STATES) + 1)]
    for system, rows in tables:
        counts = [sum(row.state == state for row in rows) for state in STATES]
        lines.append(f"| {system.name} | {len(rows)} | " + " | ".join(map(str, counts)) + " |")
    return "\n".join([*lines, ""])


def _section(system: System, rows: Iterable[Row]) -> str:
    named = any(row.rule.source or row.rule.figures for row in rows)
    columns = ["rule", "asks", *(["source"] if named else []), "where", "tests"]
    lines = [f"## {system.name}", "", system.document, "", _cells(columns), "|---" * len(columns) + "|"]
    for row in rows:
        cells = [row.rule.id, _asks(row.rule), *([_source(row.rule)] if named else []), _where(row.places), _tests(row)]
        lines.append(_cells(cells))
    return "\n".join([*lines, ""])


def _cells(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _asks(rule: Rule) -> str:
    return f"{rule.title}<br>**departs**: {rule.departs}" if rule.departs else rule.title


def _source(rule: Rule) -> str:
    figures = figures_of(rule)
    found = dict.fromkeys(text for name, text in sources(rule.system) if name in figures)
    return rule.source or "; ".join(found)


def _where(places: Sequence[Place]) -> str:
    parts = []
    for file, group in groupby(places, key=lambda place: place.file):
        names = [f"`{place.name}`" for place in group if place.name]
        parts.append(f"`{file}`" + (f" {', '.join(names)}" if names else ""))
    return "<br>".join(parts)


def _tests(row: Row) -> str:
    parts = []
    for file, group in groupby(row.tests, key=lambda shown: shown.file):
        names = [shown.test.removeprefix("test_").replace("_", " ") or "all" for shown in group]
        parts.append(f"*{PurePosixPath(file).with_suffix('')}*: {'; '.join(names)}")
    rule = row.rule
    if rule.outside:
        parts.append(f"nothing to do: {rule.outside}")
    elif rule.open or not row.tests:
        parts.append(f"**open**: {rule.open or 'no test shows it yet'}")
    return "<br>".join(parts)
