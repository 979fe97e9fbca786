"""Checks of the players' names and regions in a section's file (articles 14.1, 14.5). Pure."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from events.rules.constants import HOME
from events.rules.corrections import FIRST_NAME, REGION, region_code
from events.rules.findings import Finding, Severity, listed, several
from events.rules.tournament import Entrant
from players.identity import fold


@dataclass(frozen=True, slots=True)
class RegisterDetails:
    """Which details of a player the register already has. `region`: the code of the region, or ""."""

    birth_date: bool = False
    sex: bool = False
    fide_id: bool = False
    region: str = ""


def is_full_name(entrant: Entrant) -> bool:
    """Return whether a line gives a surname and at least one full first name (article 14.1)."""
    return bool(fold(entrant.last_name)) and has_full_first_name(entrant.first_name, entrant.last_name)


def has_full_first_name(first_name: str, last_name: str = "") -> bool:
    """Return whether one of the first names is more than initials: `Naledi`, `J. Pieter`; not `N`, `J. P.`, `JP`.

    Two or three capitals are initials unless the last name is written in capitals, too. A letter of a script without capitals
    is a name.
    """
    all_capitals = last_name.isupper()
    for word in fold(first_name).split():
        if len(word) == 1:
            full = word.upper() == word.lower()
        else:
            full = len(word) > 3 or all_capitals or word.upper() not in first_name.split()
        if full:
            return True
    return False


def incomplete_names(entrants: Iterable[Entrant], known: Collection[int]) -> Iterable[Finding]:
    """Yield a hold for players who are not on the register and whose surname or first name is missing (article 14.1).

    `known`: the start numbers of players on the register.
    """
    lacking = [entrant for entrant in entrants if entrant.number not in known and not is_full_name(entrant)]
    if lacking:
        names = listed([f"{entrant.called} ({entrant.number})" for entrant in lacking])
        message = (
            f"Not on the register, and without surname and a full first name: {names}. Give at least one first name."
        )
        yield Finding(
            Severity.HOLD,
            "name-incomplete",
            message,
            line=lacking[0].line,
            article="14.1",
            correction=FIRST_NAME.code,
            lines=several(entrant.line for entrant in lacking),
        )


def region_of(entrant: Entrant) -> str:
    """Return the code of the region that a line gives, in capitals; "" without one, and in another federation's data."""
    return region_code(entrant) if entrant.national_federation in ("", HOME) else ""


def with_name(code: str, names: Mapping[str, str]) -> str:
    """Return the code of a region with its name: `GAU Gauteng`."""
    return f"{code} {names[code]}" if names.get(code) else code


def unknown_regions(entrants: Iterable[Entrant], codes: Collection[str]) -> dict[str, list[Entrant]]:
    """Return the codes in a file that are no region's, each with its lines."""
    found: dict[str, list[Entrant]] = {}
    for entrant in entrants:
        code = region_of(entrant)
        if code and code not in codes:
            found.setdefault(code, []).append(entrant)
    return found


def differing_regions(
    entrants: Iterable[Entrant], codes: Collection[str], known: Mapping[int, RegisterDetails]
) -> list[Entrant]:
    """Return the lines whose region is another than the register's."""
    return [
        entrant
        for entrant in entrants
        if (code := region_of(entrant)) in codes
        and (details := known.get(entrant.number))
        and details.region not in ("", code)
    ]


def region_to_assign(entrant: Entrant, codes: Collection[str], host: str) -> str:
    """Return the code of the region that a player without one gets: the file's if it is a region's, else the host region's."""
    code = region_of(entrant)
    return code if code in codes else host


def regions(
    entrants: Collection[Entrant],
    codes: Mapping[str, str],
    known: Mapping[int, RegisterDetails],
    confirmed: Collection[int] = (),
    *,
    host: str = "",
) -> Iterable[Finding]:
    """Yield findings of article 14.5: an error for an unknown code, a hold for a region that is not the register's.

    Players on the register without a region are noted with the one that they get. `codes`: of all regions, with their names;
    `confirmed`: start numbers of which the uploader says that the file is right; `host`: code of the host region.
    """
    for code, lines in unknown_regions(entrants, codes).items():
        names = listed([f"{entrant.called} ({entrant.number})" for entrant in lines])
        message = f"No region has the code {code}: {names}. Say which region is meant."
        yield Finding(
            Severity.ERROR,
            "region-unknown",
            message,
            line=lines[0].line,
            article="14.5",
            correction=REGION.code,
            lines=several(entrant.line for entrant in lines),
        )
    differing = differing_regions(entrants, codes, known)
    for asked in (True, False):
        lines = [entrant for entrant in differing if (entrant.number not in confirmed) is asked]
        if not lines:
            continue
        names = listed(
            [
                f"{entrant.called} ({entrant.number}): {with_name(region_of(entrant), codes)} in the file,"
                f" {with_name(known[entrant.number].region, codes)} on the register"
                for entrant in lines
            ]
        )
        if asked:
            message = f"Another region than on the register: {names}. Say which is right."
            correction = REGION.code
        else:
            message = f"Another region than on the register, and the uploader says that the file is right: {names}."
            message, correction = f"{message} An officer corrects the register, or decides.", ""
        code = "region-differs" if asked else "region-changed"
        yield Finding(
            Severity.HOLD,
            code,
            message,
            line=lines[0].line,
            article="14.5",
            correction=correction,
            lines=several(entrant.line for entrant in lines),
        )
    without = [entrant for entrant in entrants if (details := known.get(entrant.number)) and not details.region]
    if without:
        names = listed(
            [
                f"{entrant.called} ({entrant.number}): {with_name(region_to_assign(entrant, codes, host), codes)}"
                for entrant in without
            ]
        )
        message = (
            f"On the register without a region. Each gets the one of the file, or else the host region, when it is accepted:"
            f" {names}."
        )
        yield Finding(
            Severity.NOTE,
            "region-assigned",
            message,
            line=without[0].line,
            article="14.5",
            lines=several(entrant.line for entrant in without),
        )
