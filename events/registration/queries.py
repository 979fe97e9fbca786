"""Reads a registration as instances of the models, and as the data that `events.rules.registration` takes."""

from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext

from events.arbiters.lookup import entered_as_players, others_with_ids_of, paid_fees
from events.models import Appointment, Event, Section
from events.rules.registration import ArbiterData, RegistrationData, SectionData
from events.rules.states import State
from players.id_bearers import IdBearers
from players.identity import fold
from players.models import Region


@dataclass(frozen=True, slots=True)
class PlannedSection:
    """A section with the day of each round in order; None for a day that is not known yet."""

    section: Section
    days: tuple[date | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Registration:
    """A registration as instances of the models, saved or not; sections and appointments in order."""

    event: Event
    hubs: tuple[Region, ...] = ()
    sections: tuple[PlannedSection, ...] = ()
    appointments: tuple[Appointment, ...] = ()


def read_registration(event: Event) -> Registration:
    """Return the registration of a saved event. Four queries."""
    return Registration(
        event,
        tuple(event.hubs.order_by("code")),
        tuple(
            PlannedSection(section, tuple(round_.date for round_ in section.rounds.all()))
            for section in event.sections.prefetch_related("rounds")
        ),
        tuple(event.appointments.select_related("arbiter").order_by("position")),
    )


def registration_data(registration: Registration) -> RegistrationData:
    """Return a registration, saved or being filled in, as data for the rules. Four queries."""
    event = registration.event
    arbiters = [row.arbiter for row in registration.appointments if row.arbiter_id]
    paid, players = paid_fees(arbiters), entered_as_players(event, arbiters)
    others = others_with_ids_of(arbiters)
    return RegistrationData(
        name=event.name,
        kind=event.kind,
        region=event.region.code if event.region_id else "",
        federation=event.federation,
        hubs=tuple(region.code for region in registration.hubs),
        starts=event.starts,
        ends=event.ends,
        place=event.place,
        organiser_name=event.organiser_name,
        organiser_number=event.organiser_number,
        fide_rated=event.fide_rated,
        norm_event=event.norm_event,
        organising_body=event.organising_body,
        results_url=event.results_url,
        sections=tuple(section_data(row.section, row.days) for row in registration.sections),
        arbiters=tuple(
            ArbiterData(
                name=row.arbiter.name if row.arbiter_id else "",
                first=row.first_round,
                last=row.last_round,
                federation=row.arbiter.federation if row.arbiter_id else "",
                paid=paid.get(row.arbiter_id, ()),
                plays=row.arbiter_id in players,
                id_of=others.get(row.arbiter_id, ""),
                key=row.arbiter_id,
            )
            for row in registration.appointments
        ),
    )


def section_data(section: Section, days: tuple[date | None, ...]) -> SectionData:
    """Return a section, with the days of its rounds, as data for the rules. No query."""
    return SectionData(
        name=section.name,
        format=section.format,
        disabled=section.disabled,
        base=section.base_minutes,
        increment=section.increment_seconds,
        rounds=section.planned_rounds,
        starts=section.starts,
        ends=section.ends,
        days=days,
        key=section.pk,
    )


def registration_of(event: Event) -> RegistrationData:
    """Return the registration of a saved event as data for the rules. Eight queries at most."""
    return registration_data(read_registration(event))


def regions_called(text: str) -> list[Region]:
    """Return the regions that a typed text may mean: that of its code or whole name alone, else all whose names have its
    words or their beginnings. One query.
    """
    wanted = fold(text)
    regions = list(Region.objects.all())
    exact = [one for one in regions if wanted in (fold(one.code), fold(one.name), fold(str(one)))]
    return exact or [one for one in regions if wanted and _begins(wanted.split(), fold(one.name).split())]


def _begins(wanted: list[str], words: list[str]) -> bool:
    return all(any(word.startswith(beginning) for word in words) for beginning in wanted)


def possible_duplicates(
    name: str, starts: date | None, ends: date | None, *, beside: Event | None = None
) -> list[Event]:
    """Return the events of all regions, except `beside`, with a day in common and a similar name. One query.

    Drafts, withdrawn and refused events are left out. Names are similar if one has all words of the other, two at least, or
    if their words are equal.
    """
    words = set(fold(name).split())
    if not (words and starts and ends):
        return []
    hidden = (State.DRAFT, State.WITHDRAWN, State.REFUSED)
    overlapping = Event.objects.filter(starts__lte=ends, ends__gte=starts).exclude(state__in=hidden)
    return [
        event
        for event in overlapping.select_related("region")
        if event != beside and _same_name(words, set(fold(event.name).split()))
    ]


def _same_name(words: set[str], others: set[str]) -> bool:
    fewer, more = sorted((words, others), key=len)
    return words == others or (len(fewer) > 1 and fewer <= more)


def organiser_problem(name: str | None, number: str | None) -> str:
    """Return that a Chief Organiser's Chess SA id is another player's by the register; "" if it is not, or without either."""
    other = IdBearers([number]).other_than(name, number) if name and number else None
    if other is None:
        return ""
    problem = gettext("%(number)s is %(name)s on the register: correct the id or the name.")
    if other.erased_at:  # whom the pseudonym would tell (`id_bearers.known_as`)
        problem = gettext("%(number)s is not the id of %(given)s: correct the id or the name.")
    return problem % {"number": number, "name": other.name, "given": name}
