"""Which tests say that they show a rule: `@pytest.mark.rule("chessa 47", …)` above a test, or in a module's `pytestmark`."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeGuard

TESTS = Path(__file__).resolve().parents[1]


class MarkerError(ValueError):
    """A marker that names nothing, or stands where no test is."""


@dataclass(frozen=True, slots=True, order=True)
class Shown:
    """A test, and a rule that it shows. Without `test`: all tests of the file."""

    rule: str
    file: str
    test: str = ""


@cache
def shown_by_tests() -> tuple[Shown, ...]:
    """Every rule marker of the tests. MarkerError for one that names nothing or stands on no test."""
    return tuple(
        sorted(
            shown
            for path in sorted(TESTS.rglob("*.py"))
            for shown in shown_in(path.relative_to(TESTS).as_posix(), path.read_text(encoding="utf-8"))
        )
    )


def shown_in(file: str, text: str) -> Iterator[Shown]:
    """The rule markers of a test file."""
    tree = ast.parse(text)
    placed = []
    for node in tree.body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["pytestmark"]:
            marks = node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else [node.value]
            placed += [(mark, "") for mark in marks]
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            placed += [(mark, node.name) for mark in node.decorator_list]
    markers = {id(mark): (mark, test) for mark, test in placed if _is_rule(mark)}
    for found in ast.walk(tree):
        if _is_rule(found) and id(found) not in markers:
            raise MarkerError(f"{file}:{found.lineno}: a rule marker that stands on no test")
    tested = any(isinstance(node, ast.FunctionDef) and node.name.startswith("test_") for node in tree.body)
    for mark, test in markers.values():
        if not Path(file).name.startswith("test_") or not tested:
            raise MarkerError(f"{file}: a rule marker in a file without tests")
        yield from (Shown(rule, file, test) for rule in _named(mark, file))


def _is_rule(node: ast.AST) -> TypeGuard[ast.Call]:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "rule"
        and ast.unparse(node.func) == "pytest.mark.rule"
    )


def _named(mark: ast.Call, file: str) -> list[str]:
    names = [one.value for one in mark.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if not names or len(names) != len(mark.args) or mark.keywords:
        raise MarkerError(f"{file}:{mark.lineno}: a rule marker takes the names of rules, as texts")
    return names
