"""Figures of regulations by edition: each with the article it comes from, in force from a day on. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any


class EditionError(ValueError):
    """An edition that does not exist, or a day before the first one."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A figure of a regulation with the place it comes from. `confirmed` is False where the source is only second-hand."""

    value: Any
    source: str
    confirmed: bool = True


@dataclass(frozen=True, slots=True)
class Edition:
    """Rules from a date on (`since` inclusive; None: from the beginning), named as rating cases name them."""

    name: str
    since: date | None
    constants: Mapping[str, Constant]
    note: str = ""

    def __getitem__(self, name: str) -> Any:
        """The value of a constant."""
        return self.constants[name].value

    def source(self, name: str) -> str:
        """The article or document of a constant."""
        return self.constants[name].source

    def extended(self, constants: Mapping[str, Constant]) -> "Edition":
        """This edition with more of its figures, which another part of the software needs."""
        return replace(self, constants={**self.constants, **constants})


def edition_named(editions: Sequence[Edition], name: str) -> Edition:
    """The edition of that name. EditionError if there is none."""
    for edition in editions:
        if edition.name == name:
            return edition
    raise EditionError(f"no edition “{name}”: choose one of {', '.join(edition.name for edition in editions)}")


def edition_on(editions: Sequence[Edition], day: date) -> Edition:
    """The edition in force on a day, of editions that stand oldest first. EditionError before the first."""
    in_force = [edition for edition in editions if edition.since is None or edition.since <= day]
    if not in_force:
        raise EditionError(f"no edition was in force on {day.isoformat()}: the first began on {editions[0].since}")
    return in_force[-1]


def edition_from(editions: Sequence[Edition], day: date) -> Edition:
    """The edition in force on a day; the first one also serves for the days before it."""
    first = editions[0].since
    return edition_on(editions, day if first is None else max(day, first))
