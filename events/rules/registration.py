"""The rules for registrations, with their articles. Pure."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from events.rules import deadlines
from events.rules.arbiters import uncovered
from events.rules.constants import HOME
from events.rules.federations import FEDERATIONS, unknown_federation
from events.rules.findings import Finding, field_error
from events.rules.time_controls import speed_errors


@dataclass(frozen=True, slots=True)
class SectionData:
    """A planned section; values not known yet are None. `days`: of the rounds; `key`: primary key, None if unsaved."""

    name: str = ""
    format: str = "swiss"
    disabled: bool = False
    base: int | None = None
    increment: int = 0
    rounds: int | None = None
    starts: date | None = None
    ends: date | None = None
    days: tuple[date | None, ...] = ()
    key: int | None = None


@dataclass(frozen=True, slots=True)
class ArbiterData:
    """A planned appointment of an arbiter, for the rounds from `first` to `last`, or for all rounds.

    `paid`: membership fees as (fee year, day of payment); `plays`: the arbiter is entered as a player; `id_of`: the player of
    another name who has an id of the arbiter's, or "".
    """

    name: str
    first: int | None = None
    last: int | None = None
    federation: str = HOME
    paid: tuple[tuple[int, date], ...] = ()
    plays: bool = False
    id_of: str = ""
    key: int | None = None  # primary key of the arbiter


@dataclass(frozen=True, slots=True)
class RegistrationData:
    """A planned event; values not known yet are None or empty."""

    name: str = ""
    kind: str = "otb"
    region: str = ""
    federation: str = HOME
    hubs: tuple[str, ...] = ()
    starts: date | None = None
    ends: date | None = None
    place: str = ""
    organiser_name: str = ""
    organiser_number: str = ""
    fide_rated: bool = False
    norm_event: bool = False
    organising_body: str = ""
    results_url: str = ""
    sections: tuple[SectionData, ...] = ()
    arbiters: tuple[ArbiterData, ...] = ()

    @property
    def arbiters_named(self) -> list[ArbiterData]:
        """The arbiters without blank rows."""
        return [arbiter for arbiter in self.arbiters if arbiter.name]


def registration_closes(event: RegistrationData) -> datetime | None:
    """Return the first moment that is too late to register; None without a first day, and for events abroad (article 10)."""
    if event.starts is None or event.kind == "abroad":
        return None
    return deadlines.first_late_moment(event.starts, fide_rated=event.fide_rated, norm_event=event.norm_event)


def is_late_to_register(event: RegistrationData, *, at: datetime) -> bool:
    """Return whether a registration at a moment is late (article 60)."""
    closes = registration_closes(event)
    return closes is not None and at >= closes


def is_later_than_agreed(before: RegistrationData, after: RegistrationData, *, at: datetime) -> bool:
    """Return whether a change of a registered event would be late.

    It is if, after the last day to register, the kind changes, a section is added, or that last day becomes an earlier one.
    A section with another format or time control counts as added.
    """
    if before.kind != after.kind:
        return is_late_to_register(before, at=at) or is_late_to_register(after, at=at)
    closes, agreed = registration_closes(after), registration_closes(before)
    added = set(map(_identity, after.sections)) - set(map(_identity, before.sections))
    return is_late_to_register(after, at=at) and (
        bool(added) or agreed is None or (closes is not None and closes < agreed)
    )


def _identity(section: SectionData) -> tuple[object, ...]:
    return section.key, section.format, section.disabled, section.base, section.increment


# Fields of an event that stay as registered once it was played or has results, in words.
FIXED = {
    "name": "the name",
    "kind": "the kind of event",
    "region": "the host region",
    "hubs": "the regions with a hub",
    "starts": "the first day",
    "ends": "the last day",
    "fide_rated": "whether it is FIDE rated",
    "norm_event": "whether it is a norm event",
}


def is_over(event: RegistrationData, *, today: date) -> bool:
    """Return whether an event's last day has passed."""
    return event.ends is not None and today > event.ends


def is_put_off_after_start(before: RegistrationData, after: RegistrationData, *, today: date) -> bool:
    """Return whether a change gives a later first or last day to an event that has begun (article 57.3)."""
    if before.starts is None or after.starts is None or before.starts > today:
        return False
    later_end = before.ends is not None and after.ends is not None and after.ends > before.ends
    return after.starts > before.starts or later_end


def changed_after_play(before: RegistrationData, after: RegistrationData) -> list[str]:
    """Return in words what a change alters of an event that can no longer be altered after it was played.

    Then only place, organiser, arbiters, days of the rounds and the link to the results may be completed.
    """
    changed = [label for name, label in FIXED.items() if getattr(before, name) != getattr(after, name)]
    sections = [[replace(section, days=()) for section in plan.sections] for plan in (before, after)]
    return changed + ["the sections"] * (sections[0] != sections[1])


def rounds_without_arbiter(section: SectionData, arbiters: Sequence[ArbiterData]) -> list[int]:
    """Return the planned rounds of a section without an appointed arbiter (article 6)."""
    return uncovered(range(1, (section.rounds or 0) + 1), [(arbiter.first, arbiter.last) for arbiter in arbiters])


def registration_errors(event: RegistrationData) -> Iterator[Finding]:
    """Yield what is missing before the event can be registered, at the form's fields, in the order of the form."""
    if not event.name:
        yield field_error("name", "event-name-missing", "Give the complete name.", "13.1")
    yield from hub_errors(event.kind, event.region, event.hubs)
    if event.kind == "national" and not event.organising_body:
        message = "Name the province, region or approved entity that organises it."
        yield field_error("organising_body", "organising-body-missing", message, "62.4")
    yield from border_errors(event.kind, event.federation, fide_rated=event.fide_rated, results_url=event.results_url)
    if event.starts is None or event.ends is None:
        yield field_error("starts", "dates-missing", "Give the first and the last day.", "13.2")
    if event.kind != "abroad":
        if not event.organiser_name:
            message = "Give name and surname of the Chief Organiser."
            yield field_error("organiser_name", "organiser-missing", message, "13.5")
        if not event.organiser_number:
            message = "Give the Chief Organiser’s Chess SA id."
            yield field_error("organiser_number", "organiser-id-missing", message, "13.5")
        if not event.arbiters:
            yield field_error("arbiter-0-arbiter", "arbiter-missing", "Choose the Chief Arbiter.", "15")
    for place, arbiter in enumerate(event.arbiters):
        if stands_above(event, place):
            message = f"{arbiter.name} stands above for the same rounds; enter the name once."
            yield field_error(f"arbiter-{place}-arbiter", "arbiter-repeated", message, "15")
    if not event.sections:
        message = "Give the time control of at least one section."
        yield field_error("section-0-base", "time-control-missing", message, "19")
    for place, message in section_name_errors([section.name for section in event.sections]):
        yield field_error(f"section-{place}-name", "section-name", message, "13.1")
    for place, section in enumerate(event.sections):
        yield from _section_errors(event, place, section)


def hub_errors(kind: str, region: object, hubs: Container[object]) -> Iterator[Finding]:
    """Yield an error for a hybrid event whose host region has no playing hub (62.2)."""
    if kind == "hybrid" and region not in hubs:
        message = "Choose the regions with a playing hub; the host region is one of them."
        yield field_error("hubs", "hub-missing", message, "62.2")


def border_errors(kind: str, federation: str, *, fide_rated: bool, results_url: str) -> Iterator[Finding]:
    """Yield errors for an event abroad in South Africa, or without FIDE rating or link, and for others outside it (9, 10)."""
    if kind == "abroad" and federation in ("", HOME):
        message = "Give the federation, FIDE’s three letters; an event in South Africa is none abroad."
        yield field_error("federation", "federation-missing", message, "10")
    elif kind == "abroad" and federation not in FEDERATIONS:
        yield field_error("federation", "federation-unknown", unknown_federation(federation), "10")
    if kind != "abroad" and federation != HOME:
        message = (
            f"The federation of an event in South Africa is {HOME}. What is played outside the borders is registered as an"
            " event abroad."
        )
        yield field_error("federation", "federation-elsewhere", message, "10")
    if kind == "abroad" and not fide_rated:
        message = "An event abroad is rated only when it is FIDE rated."
        yield field_error("fide_rated", "not-fide-rated", message, "10")
    if kind == "abroad" and not results_url:
        yield field_error("results_url", "results-link-missing", "Give the address of the official results.", "10")


def section_name_errors(names: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield (place, message) for the sections of an event, several by their names, without a name of their own (13.1).

    Case and blanks do not make another name.
    """
    seen: set[str] = set()
    for place, name in enumerate(names):
        plain = " ".join(name.casefold().split())
        if len(names) > 1 and not plain:
            yield place, "Name the section: the event has several."
        if plain in seen - {""}:
            yield place, f"Another section of the event is called {name.strip()}: give each its own name."
        seen.add(plain)


def stands_above(event: RegistrationData, place: int) -> bool:
    """Return whether an earlier row than the one at `place` names its arbiter for at least one of its rounds."""
    row = event.arbiters[place]
    return any(other.key == row.key is not None and _overlap(other, row) for other in event.arbiters[:place])


def _overlap(row: ArbiterData, other: ArbiterData) -> bool:
    if row.first is None or row.last is None or other.first is None or other.last is None:
        return True  # one of them is for all rounds
    return row.first <= other.last and other.first <= row.last


def _section_errors(event: RegistrationData, place: int, section: SectionData) -> Iterator[Finding]:
    if section.rounds is None:
        yield field_error(f"section-{place}-rounds", "rounds-missing", "Give the number of rounds.", "13.3")
    ends = section.ends or event.ends
    if section.base is not None and ends:
        yield from speed_errors(section.base, section.increment, ends, field=f"section-{place}-base")


def a_year_on(day: date, *, today: date) -> date:
    """Return the same weekday a year later, or more years if that is not after today; at most three days off the date."""
    year = day.year + 1
    while True:
        anniversary = _in_year(day, year)
        moved = anniversary + timedelta(days=(day.weekday() - anniversary.weekday() + 3) % 7 - 3)
        if moved > today:
            return moved
        year += 1


def _in_year(day: date, year: int) -> date:
    leap_day = (day.month, day.day) == (2, 29)
    return date(year, 2, 28) if leap_day else day.replace(year=year)
