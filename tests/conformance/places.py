"""Where the code names a rule, or uses a figure of one: file and innermost function, class or constant."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.conformance.rules import Rule, sources
from tests.conformance.words import named_rules

ROOT = Path(__file__).resolve().parents[2]
HOMES = ("accounts", "config", "events", "players", "ratings", "templates")
DEMONSTRATION = "demo"  # names rules that it acts out; they do not live there
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A file of the checkout and a name in it; without a name the file as a whole."""

    file: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A file: its text, its names with the lines that they cover (outermost first), and who reads which figure."""

    file: str
    text: str
    names: tuple[tuple[int, int, str], ...]
    readers: tuple[tuple[str, int], ...]

    def name_at(self, line: int) -> str:
        """The innermost name on a line."""
        return next((name for first, last, name in reversed(self.names) if first <= line <= last), "")


@cache
def sources_of_code() -> tuple[Source, ...]:
    """Every source file and template."""
    paths = (path for home in (*HOMES, DEMONSTRATION) for path in sorted((ROOT / home).rglob("*")))
    return tuple(
        source_of(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
        for path in paths
        if path.suffix in (".py", ".html") and "migrations" not in path.parts
    )


def source_of(file: str, text: str) -> Source:
    """A file as text: names are found in Python only."""
    if not file.endswith(".py"):
        return Source(file, text, (), ())
    tree = ast.parse(text)
    readers = tuple(
        (node.slice.value, node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, str)
    )
    return Source(file, text, tuple(_names(tree.body)), readers)


def _names(body: list[ast.stmt], outer: str = "") -> Iterator[tuple[int, int, str]]:
    for node in body:
        last = node.end_lineno or node.lineno
        if isinstance(node, _NAMED):
            name = f"{outer}{node.name}"
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            yield first, last, name
            if isinstance(node, ast.ClassDef):
                yield from _names(node.body, f"{name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [f"{outer}{one.id}" for one in targets if isinstance(one, ast.Name)]
            if names:
                yield node.lineno, last, names[0]
            yield from _figures(node)


def _figures(node: ast.stmt) -> Iterator[tuple[int, int, str]]:
    """The figures of a table of editions: `"name": Constant(…)`."""
    for table in ast.walk(node):
        for key, value in zip(table.keys, table.values, strict=True) if isinstance(table, ast.Dict) else ():
            called = value.func if isinstance(value, ast.Call) else None
            if isinstance(key, ast.Constant) and isinstance(called, ast.Name) and called.id == "Constant":
                yield key.lineno, value.end_lineno or value.lineno, str(key.value)


@cache
def namings(system: str) -> tuple[tuple[str, Place], ...]:
    """(rule id, place) wherever the code names a rule of a system; one of the CFC only where the CFC is dealt with."""
    return tuple(
        (rule, Place(source.file, source.name_at(source.text.count("\n", 0, start) + 1)))
        for source in sources_of_code()
        if system != "cfc" or "cfc" in source.file
        for start, rule in named_rules(source.text, system)
    )


def figures_of(rule: Rule) -> set[str]:
    """The constants that belong to a rule: those it lists, and those whose source names it."""
    named = {
        name for name, text in sources(rule.system) if rule.id in {one for _, one in named_rules(text, rule.system)}
    }
    return named | set(rule.figures)


def readers(system: str, figures: set[str]) -> Iterator[Place]:
    """The functions that use one of a system's constants."""
    for source in sources_of_code():
        for figure, line in source.readers:
            place = Place(source.file, source.name_at(line))
            if figure in figures and _deals_with(system, place):
                yield place


def _deals_with(system: str, place: Place) -> bool:
    if place.file == "ratings/systems/adapters.py":
        return place.name.startswith(system.title())
    return place.file.startswith(
        (f"ratings/systems/{system}", *(("events/", "players/") if system == "chessa" else ()))
    )


def places_of(rule: Rule) -> list[Place]:
    """Where a rule lives."""
    found = {place for name, place in namings(rule.system) if name == rule.id}
    found |= set(readers(rule.system, figures_of(rule)))
    found |= {Place(*place.split("::")) for place in rule.places}
    return sorted(place for place in found if not place.file.startswith(f"{DEMONSTRATION}/"))


def exists(place: Place) -> bool:
    """Whether the file has that name."""
    return any(
        source.file == place.file and (not place.name or place.name in {name for _, _, name in source.names})
        for source in sources_of_code()
    )
