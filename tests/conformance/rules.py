"""The rules of the four systems, from `rules/*.toml`."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from config.lib.editions import Edition
from ratings.systems.cfc import constants as cfc
from ratings.systems.chessa import constants as chessa
from ratings.systems.icu import constants as icu
from ratings.systems.uscf import constants as uscf

RULES = Path(__file__).parent / "rules"
EDITIONS: dict[str, tuple[Edition, ...]] = {
    "chessa": chessa.EDITIONS,
    "icu": icu.EDITIONS,
    "uscf": uscf.EDITIONS,
    "cfc": cfc.EDITIONS,
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: `figures` are its constants in the editions, `places` those that neither words nor figures lead to.

    `departs` says where an edition leaves the words of its document, and why; `open` what is not built or not shown yet;
    `outside` why there is nothing for software to do.
    """

    system: str
    id: str
    title: str
    source: str = ""
    figures: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    departs: str = ""
    open: str = ""
    outside: str = ""

    @property
    def name(self) -> str:
        """The rule as a marker names it."""
        return f"{self.system} {self.id}"


@dataclass(frozen=True, slots=True)
class System:
    """A rating system and its rules, in the order of its documents."""

    code: str
    name: str
    document: str
    rules: tuple[Rule, ...]


def systems() -> tuple[System, ...]:
    """All four."""
    return tuple(_system(code) for code in EDITIONS)


def _system(code: str) -> System:
    data = tomllib.loads((RULES / f"{code}.toml").read_text(encoding="utf-8"))
    rules = tuple(_rule(code, row) for row in data["rule"])
    return System(code, data["name"], data["document"], rules)


def _rule(system: str, row: dict[str, str | list[str]]) -> Rule:
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    return Rule(system=system, **values)  # type: ignore[arg-type]


def sources(system: str) -> Iterator[tuple[str, str]]:
    """Every constant of a system's editions with its source, oldest edition first."""
    for edition in EDITIONS[system]:
        for name, constant in edition.constants.items():
            yield name, constant.source
