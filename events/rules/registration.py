"""What the regulations ask of a registration. Each rule is a function that carries its article. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from events.rules import deadlines
from events.rules.arbiters import uncovered
from events.rules.constants import HOME
from events.rules.findings import Finding, field_error
from events.rules.time_controls import too_fast


@dataclass(frozen=True, slots=True)
class SectionData:
    """A section as it is planned; what is not known yet is None. `days` are those of the rounds, in their order; `key` is
    its own in the database, None for one that is not kept yet."""

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
    """An arbiter as he is planned: for the rounds from `first` to `last`, or for all.

    `paid` are his membership fees as (fee year, day of payment); `plays` says that he is entered as a player.
    """

    name: str
    first: int | None = None
    last: int | None = None
    federation: str = HOME
    paid: tuple[tuple[int, date], ...] = ()
    plays: bool = False
    key: int | None = None  # of the arbiter's record


@dataclass(frozen=True, slots=True)
class RegistrationData:
    """An event as it is planned; what is not known yet is None or empty."""

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
    results_url: str = ""
    sections: tuple[SectionData, ...] = ()
    arbiters: tuple[ArbiterData, ...] = ()

    @property
    def arbiters_named(self) -> list[ArbiterData]:
        """The arbiters without the rows that are blank yet."""
        return [one for one in self.arbiters if one.name]


def registration_closes(event: RegistrationData) -> datetime | None:
    """The first moment that is too late, in South African time; None without a start, or abroad, where article 10 holds."""
    if event.starts is None or event.kind == "abroad":
        return None
    return deadlines.registration_closes(event.starts, fide_rated=event.fide_rated, norm_event=event.norm_event)


def is_late(event: RegistrationData, *, at: datetime) -> bool:
    """Whether a registration at this moment is late (article 60)."""
    closes = registration_closes(event)
    return closes is not None and at >= closes


def is_later_than_agreed(before: RegistrationData, after: RegistrationData, *, at: datetime) -> bool:
    """Whether a change of a registered event would be late: another kind or section, or an earlier last day, once it has
    passed.

    A section is the one that was registered by its key, its format and its time control: with others it is another.
    """
    if before.kind != after.kind:
        return is_late(before, at=at) or is_late(after, at=at)
    closes, agreed = registration_closes(after), registration_closes(before)
    more = not {_what(one) for one in after.sections} <= {_what(one) for one in before.sections}
    return is_late(after, at=at) and (more or agreed is None or (closes is not None and closes < agreed))


def _what(section: SectionData) -> tuple[object, ...]:
    return section.key, section.format, section.disabled, section.base, section.increment


_FIXED = {
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
    """Whether an event has been played: its last day has passed."""
    return event.ends is not None and today > event.ends


def changed_after_play(before: RegistrationData, after: RegistrationData) -> list[str]:
    """What a change would make of an event that was another plan, in words.

    Once it has been played only place, organiser, arbiters, days of the rounds and the link to the results may be completed.
    """
    changed = [words for name, words in _FIXED.items() if getattr(before, name) != getattr(after, name)]
    played = [replace(one, days=()) for one in before.sections]
    return changed + ["the sections"] * (played != [replace(one, days=()) for one in after.sections])


def rounds_without_arbiter(section: SectionData, arbiters: Sequence[ArbiterData]) -> list[int]:
    """The planned rounds of a section for which nobody is appointed (article 6)."""
    return uncovered(range(1, (section.rounds or 0) + 1), [(one.first, one.last) for one in arbiters])


def registration_errors(event: RegistrationData) -> Iterator[Finding]:
    """What must still be given before the event can be registered, each at the form's field, in the order of the form."""
    if not event.name:
        yield field_error("name", "event-name-missing", "Give the complete name.", "13.1")
    if event.kind == "hybrid" and event.region not in event.hubs:
        message = "Choose the regions with a playing hub; the host region is one of them."
        yield field_error("hubs", "hub-missing", message, "62.2")
    if event.kind == "abroad" and event.federation in ("", HOME):
        message = "Give the federation, FIDE’s three letters; an event in South Africa is none abroad."
        yield field_error("federation", "federation-missing", message, "10")
    if event.kind == "abroad" and not event.fide_rated:
        message = "An event abroad is rated only when it is FIDE rated."
        yield field_error("fide_rated", "not-fide-rated", message, "10")
    if event.kind == "abroad" and not event.results_url:
        yield field_error("results_url", "results-link-missing", "Give the address of the official results.", "10")
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
    for place, section in enumerate(event.sections):
        yield from _section_errors(event, place, section)


def stands_above(event: RegistrationData, place: int) -> bool:
    """Whether an arbiter has a row for the same rounds before this one."""
    one = event.arbiters[place]
    return any(other.key == one.key is not None and _meet(other, one) for other in event.arbiters[:place])


def _meet(one: ArbiterData, other: ArbiterData) -> bool:
    """Whether two rows have a round in common; without rounds a row is for all."""
    if one.first is None or one.last is None or other.first is None or other.last is None:
        return True
    return one.first <= other.last and other.first <= one.last


def _section_errors(event: RegistrationData, place: int, section: SectionData) -> Iterator[Finding]:
    if section.rounds is None:
        yield field_error(f"section-{place}-rounds", "rounds-missing", "Give the number of rounds.", "13.3")
    ends = section.ends or event.ends
    if section.base is not None and ends and (message := too_fast(section.base, section.increment, ends)):
        yield field_error(f"section-{place}-base", "too-fast", message, "23")


def a_year_on(day: date, *, today: date) -> date:
    """The same weekday a year later, or as many years later as it takes to come after today; at most three days off."""
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
