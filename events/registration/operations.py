"""Writing registrations: save, register or ask for permission, withdraw, copy. One transaction each."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from events.models import Appointment, Arbiter, Event, Format, Kind, Round, Section
from events.operations import (
    EventDetails,
    EventError,
    LateError,
    ReasonError,
    SectionDetails,
    StaleError,
    lock_for_removal,
    move_event,
)
from events.registration.queries import registration_of
from events.rules.deadlines import registration_article
from events.rules.registration import (
    RegistrationData,
    a_year_on,
    changed_after_play,
    is_late,
    is_later_than_agreed,
    is_over,
    registration_closes,
    registration_errors,
)
from events.rules.sizes import LONGEST_REASON
from events.rules.states import State
from players.models import Region

EDITABLE = (State.DRAFT, State.REGISTERED, State.RETURNED)


class SentTwiceError(EventError):
    """The page was sent before: a double click. `event` is what came of it."""

    def __init__(self, event: Event) -> None:
        super().__init__(f"{event} is saved already: this page was sent before")
        self.event = event


@dataclass(frozen=True, slots=True)
class SectionEntry:
    """A section of a registration with the days of its rounds; `section` is the key of the one that it changes."""

    details: SectionDetails
    days: tuple[date | None, ...] = ()
    section: int | None = None


@dataclass(frozen=True, slots=True)
class ArbiterEntry:
    """An arbiter of a registration, for the rounds from `first` to `last` or for all."""

    arbiter: Arbiter
    first: int | None = None
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Registration:
    """All that a registration says; sections and arbiters in their order."""

    details: EventDetails
    hubs: tuple[Region, ...] = ()
    sections: tuple[SectionEntry, ...] = ()
    arbiters: tuple[ArbiterEntry, ...] = ()


def is_editable(event: Event) -> bool:
    """Whether the registration is changed here; what came back from abroad is corrected where its results are sent in."""
    return event.state in EDITABLE and not (event.kind == Kind.ABROAD and event.state == State.RETURNED)


def save_registration(
    registration: Registration,
    *,
    at: datetime,
    event: Event | None = None,
    version: int = 0,
    page: UUID | None = None,
) -> Event:
    """Write a registration whole: a new draft, or over an event that was read at `version`.

    `page` is the key of the page of a new one: SentTwiceError when it was saved before, and nothing is written. StaleError
    when somebody else saved it meanwhile; EventError when it can no longer be changed, when a registered event would lack
    something, be late by the change (article 60) or be another than the one that was played, or when a section with results
    would go.
    """
    fields = {name: getattr(registration.details, name) for name in EventDetails.__dataclass_fields__}
    with transaction.atomic():
        if event is None:
            present, before = _begun(fields, page), None
        else:
            present = _locked(event)
            if present.version != version:
                raise StaleError("somebody else saved this registration meanwhile")
            if not is_editable(present):
                raise EventError(f"an event that is {present.state} is no longer changed here")
            before = registration_of(present) if present.state != State.DRAFT else None
            for name, value in fields.items():
                setattr(present, name, value)
            present.version += 1
            present.save()
        present.hubs.set(registration.hubs)
        _write_sections(present, registration.sections)
        _write_arbiters(present, registration.arbiters)
        if before is not None:
            _keep_registered(before, registration_of(present), at=at, results=_has_results(present))
    return present


def _begun(fields: dict[str, Any], page: UUID | None) -> Event:
    try:
        with transaction.atomic():
            return Event.objects.create(**fields, page=page)
    except IntegrityError:
        # The page's first sending may have been committed while this one waited for it.
        saved = Event.objects.filter(page=page).first() if page else None
        if saved is None:
            raise
        raise SentTwiceError(saved) from None


def _locked(event: Event) -> Event:
    return Event.objects.select_for_update().get(pk=event.pk)


def _write_sections(event: Event, entries: tuple[SectionEntry, ...]) -> None:
    kept = {entry.section: entry for entry in entries if entry.section}
    for section in event.sections.all():
        if section.pk not in kept:
            lock_for_removal(section)
            section.delete()
    standing = list(event.sections.order_by("position"))
    fresh = [entry for entry in entries if entry.section not in {section.pk for section in standing}]
    # Positions only fall for those that stay, in their order: no two are the same on the way.
    pairs = [(section, kept[section.pk]) for section in standing] + [(Section(event=event), entry) for entry in fresh]
    for position, (section, entry) in enumerate(pairs, start=1):
        details = entry.details
        section.position, section.name, section.format = position, details.name, details.format
        section.disabled = details.disabled
        section.base_minutes, section.increment_seconds = details.base, details.increment
        section.planned_rounds, section.starts, section.ends = details.planned_rounds, details.starts, details.ends
        section.save()
        for number, day in enumerate(entry.days, start=1):
            Round.objects.update_or_create(section=section, number=number, defaults={"date": day})
        if not section.games.exists():
            section.rounds.filter(number__gt=len(entry.days)).delete()


def _write_arbiters(event: Event, entries: tuple[ArbiterEntry, ...]) -> None:
    event.appointments.all().delete()
    Appointment.objects.bulk_create(
        Appointment(event=event, arbiter=one.arbiter, position=place, first_round=one.first, last_round=one.last)
        for place, one in enumerate(entries, start=1)
    )


def _has_results(event: Event) -> bool:
    sections = Section.objects.filter(event=event)
    return sections.filter(Q(entries__isnull=False) | Q(submissions__isnull=False)).exists()


def _keep_registered(before: RegistrationData, after: RegistrationData, *, at: datetime, results: bool) -> None:
    over = is_over(before, today=timezone.localdate(at))
    changed = changed_after_play(before, after) if over or results else []
    if changed:
        raise EventError(
            f"{'It has been played' if over else 'Its results are here'}, and this stays as it was registered:"
            f" {', '.join(changed)}. Place, organiser, arbiters, days of the rounds and the link to the results may be"
            " completed; what is wrong, the ratings officer corrects."
        )
    error = next(registration_errors(after), None)
    if error is not None:
        raise EventError(f"A registered event stays complete: {error.as_sentence}")
    if is_later_than_agreed(before, after, at=at):
        raise EventError(
            f"{late_text(after)} Register what is new as an event of its own and ask for permission there, or leave it out."
        )


def late_text(plan: RegistrationData) -> str:
    """That the last day to register has passed, with the day and the article."""
    closes = registration_closes(plan)
    if closes is None:
        return ""
    last = timezone.localdate(closes) - timedelta(days=1)
    article = registration_article(fide_rated=plan.fide_rated, norm_event=plan.norm_event)
    return f"The last day to register this event was {last:%-d %b %Y} (article {article})."


def register(event: Event, *, at: datetime, by: User | None, reason: str = "") -> State:
    """Register a draft; one that is late goes to the officer with its reason. Returns the state that it has then.

    EventError when something is missing; LateError when it is late and has no reason (article 60).
    """
    with transaction.atomic():
        present = _locked(event)
        if present.state != State.DRAFT:
            raise EventError(f"an event that is {present.state} is not registered again")
        plan = registration_of(present)
        error = next(registration_errors(plan), None)
        if error is not None:
            raise EventError(error.message)
        late = is_late(plan, at=at)
        _refuse_long(reason)
        if late and not reason.strip():
            raise LateError(f"{late_text(plan)} Say why it comes late: the ratings officer decides.")
        target = State.LATE if late else State.REGISTERED
        move_event(event, target, at=at, by=by, reason=reason.strip() if late else "")
    return target


def _refuse_long(reason: str) -> None:
    length = len(reason.replace("\r\n", "\n"))  # as the browser counts it
    if length > LONGEST_REASON:
        raise ReasonError(f"The reason has {length} characters; at most {LONGEST_REASON} are kept. Shorten it.")


def grant_late(event: Event, *, at: datetime, by: User | None, reason: str) -> None:
    """Register an event although it came late. EventError when it does not wait for that."""
    with transaction.atomic():
        if _locked(event).state != State.LATE:
            raise EventError("it does not wait for permission")
        move_event(event, State.REGISTERED, at=at, by=by, reason=reason)


def withdraw(event: Event, *, at: datetime, by: User | None, reason: str) -> None:
    """Take back a registration, or a request for one, before results are submitted. MoveError if not, or without a reason;
    ReasonError when it is too long."""
    _refuse_long(reason)
    move_event(event, State.WITHDRAWN, at=at, by=by, reason=reason.strip())


def discard_draft(event: Event) -> None:
    """Delete a draft. EventError when it is none any more, or has results."""
    with transaction.atomic():
        present = _locked(event)
        if present.state != State.DRAFT:
            raise EventError("it is no draft any more: withdraw it instead")
        if Section.objects.filter(event=present, entries__isnull=False).exists():
            raise EventError("it has results and stays on record")
        present.delete()


def copy_event(event: Event, *, at: datetime) -> Event:
    """A new draft like an event, its days moved by a year (or as many as it takes to lie ahead) to the same weekdays.

    A year that stands in its name moves along.
    """
    moved = a_year_on(event.starts, today=timezone.localdate(at)) - event.starts
    starts = event.starts + moved
    name = re.sub(rf"\b{event.starts.year}\b", str(starts.year), event.name)
    details = EventDetails(**{field: getattr(event, field) for field in EventDetails.__dataclass_fields__})
    details = replace(details, name=name, starts=starts, ends=event.ends + moved, results_url="")
    sections = tuple(
        SectionEntry(
            SectionDetails(
                base=one.base_minutes,
                increment=one.increment_seconds,
                starts=one.starts + moved,
                ends=one.ends + moved,
                name=one.name,
                format=Format(one.format),
                planned_rounds=one.planned_rounds,
                disabled=one.disabled,
            ),
            tuple(round_.date + moved if round_.date else None for round_ in one.rounds.all()),
        )
        for one in event.sections.prefetch_related("rounds")
    )
    arbiters = tuple(
        ArbiterEntry(one.arbiter, one.first_round, one.last_round)
        for one in event.appointments.select_related("arbiter").order_by("position")
    )
    return save_registration(Registration(details, tuple(event.hubs.all()), sections, arbiters), at=at)
