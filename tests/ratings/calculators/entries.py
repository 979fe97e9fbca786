"""Entries of the calculators, as the parameters of an address."""

from typing import Any

from ratings.calculators.parts import Part
from ratings.calculators.views import CALCULATORS
from ratings.cases.answer import answer_case
from ratings.cases.fields import Node

FORMS = {one.code: one.form for one in CALCULATORS}


def games(*rows: tuple[Any, str], colours: str = "") -> dict[str, str]:
    """Games as (opponent's rating, result), with colours as a text of `w` and `b`."""
    entry = {}
    for number, (rating, result) in enumerate(rows, start=1):
        entry |= {f"o{number}": str(rating), f"r{number}": result}
        if colours:
            entry[f"c{number}"] = colours[number - 1]
    return entry


def form(system: str, entry: dict[str, str]):
    """The form of an entry, checked."""
    made = FORMS[system](entry)
    made.is_valid()
    return made


def calculate(system: str, entry: dict[str, str]) -> list[Part]:
    """The answer to a valid entry."""
    made = form(system, entry)
    assert not made.errors, made.errors
    return made.answer()


def figures(system: str, entry: dict[str, str]) -> dict[str, Any]:
    """The player's figures as `manage.py rate` gives them for the entry's case file."""
    made = form(system, entry)
    assert not made.errors, made.errors
    return answer_case(Node(made.case(), ""))["players"]["1"]
