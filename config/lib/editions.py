"""Figures of regulations by edition, each with its article, in force from a day on. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any


class EditionError(ValueError):
    """An edition that does not exist, or a day before the first one."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A figure of a regulation with its article or document. `confirmed` is False where the source is second-hand."""

    value: Any
    source: str
    confirmed: bool = True


@dataclass(frozen=True, slots=True)
class Edition:
    """The figures in force from `since` (inclusive; None: from the beginning), named as rating cases name them.

    `by_name`: never in force by the day of an event, and chosen by its name alone.
    """

    name: str
    since: date | None
    constants: Mapping[str, Constant]
    note: str = ""
    by_name: bool = False

    def __getitem__(self, name: str) -> Any:
        """Return the value of a constant. Raises KeyError."""
        return self.constants[name].value

    def source(self, name: str) -> str:
        """Return the article or document of a constant. Raises KeyError."""
        return self.constants[name].source

    def extended(self, constants: Mapping[str, Constant]) -> "Edition":
        """Return this edition with more constants, which another part of the software needs."""
        return replace(self, constants={**self.constants, **constants})


def edition_named(editions: Sequence[Edition], name: str) -> Edition:
    """Return the edition of that name. Raises EditionError if there is none."""
    for edition in editions:
        if edition.name == name:
            return edition
    raise EditionError(f"no edition “{name}”: choose one of {', '.join(edition.name for edition in editions)}")


def dated(editions: Sequence[Edition]) -> list[Edition]:
    """Return the editions that come into force on a day, without those that are chosen by name alone."""
    return [edition for edition in editions if not edition.by_name]


def edition_on(editions: Sequence[Edition], day: date) -> Edition:
    """Return the edition in force on a day; `editions` are in order, oldest first. Raises EditionError before the first."""
    in_force = [edition for edition in dated(editions) if edition.since is None or edition.since <= day]
    if not in_force:
        raise EditionError(f"no edition was in force on {day.isoformat()}: the first began on {editions[0].since}")
    return in_force[-1]


def edition_from(editions: Sequence[Edition], day: date) -> Edition:
    """Return the edition in force on a day, and the first edition for earlier days."""
    first = editions[0].since
    return edition_on(editions, day if first is None else max(day, first))
