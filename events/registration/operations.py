"""Writes registrations: save, register or ask for permission, discard, copy. One transaction each."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Model, Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from accounts.trail.operations import record
from config.languages import in_readers_style
from config.lib import formatting
from config.lib.days import is_plausible
from config.lib.texts import plain_text
from events.arbiters.operations import asks_reason, end_appointments, terms_of
from events.models import Appointment, Event, Kind, Round, Section
from events.operations import (
    EventError,
    GoneError,
    LateError,
    ReasonError,
    StaleError,
    lock_for_removal,
    move_event,
)
from events.registration.queries import (
    PlannedSection,
    Registration,
    organiser_problem,
    read_registration,
    registration_of,
)
from events.registration.words import FINDINGS, as_sentence, listed_changes
from events.rules import registration as rules
from events.rules.deadlines import registration_article
from events.rules.sizes import LONGEST_REASON
from events.rules.states import State
from events.wording import state_name
from players.merged import lock_bearers
from players.models import Player

Row = TypeVar("Row", bound=Model)

_BY_BUREAU = gettext_noop("%(late)s Say why the bureau takes it in all the same (article 12.2).")
EDITABLE = (State.DRAFT, State.LATE, State.REGISTERED, State.RETURNED)


class SentTwiceError(EventError):
    """The page was sent before, by a double click. `event`: the event that it created."""

    def __init__(self, event: Event) -> None:
        super().__init__(gettext("%(event)s is saved already: this page was sent before") % {"event": event})
        self.event = event


def is_editable(event: Event) -> bool:
    """Return whether the registration can be changed; returned results from abroad are corrected in their own form."""
    return event.state in EDITABLE and not (event.kind == Kind.ABROAD and event.state == State.RETURNED)


def why_locked(event: Event, *, at: datetime) -> str:
    """Return why all but the days of the rounds, place, organiser, arbiters and link of an event stay as registered.

    "" while they can be changed, as far as the regulations let them.
    """
    if event.state in (State.DRAFT, State.LATE):
        return ""
    if event.ends < timezone.localdate(at):
        return gettext(
            "The event has been played. This stays as it was registered; the ratings officer corrects what is wrong."
        )
    if _has_results(event):
        return gettext(
            "Its results are here. This stays as it was registered; the ratings officer corrects what is wrong."
        )
    return ""


def save_registration(
    registration: Registration, *, at: datetime, by: User | None = None, change_reason: str = ""
) -> Event:
    """Write a registration: a new draft, or over the event whose key its event has. Return the event.

    `change_reason`: why arbiters or Chief Organiser change, asked for from the event's first day on (articles 6, 57).

    Raises SentTwiceError if the page of a new event was saved before; StaleError if another user has saved the event since
    the registration's version; EventError if it can no longer be changed, if a registered event would become incomplete, late
    (article 60), another than the one that was played, or put off after it began (57.3), if a section with results would be
    deleted, if the arbiters or the Chief Organiser change without a reason, or if his Chess SA id is that of a player whose
    data was erased meanwhile.
    """
    entered, before = registration.event, None
    with transaction.atomic():
        lock_bearers([entered.organiser_number])
        erased = Player.objects.filter(number=entered.organiser_number).exclude(erased_at=None)
        if erased.exists() and (problem := organiser_problem(entered.organiser_name, entered.organiser_number)):
            raise EventError(problem)
        if entered.pk is None:
            present = _begun(entered)
        else:
            present = _locked(entered)
            if present.version != entered.version:
                raise StaleError(gettext("somebody else saved this registration meanwhile"))
            if not is_editable(present):
                raise EventError(
                    gettext("an event that is %(state)s is no longer changed here")
                    % {"state": state_name(present.state)}
                )
            before = registration_of(present) if present.state != State.DRAFT else None
            _record_organiser(present, entered, at=at, by=by, reason=plain_text(change_reason))
            _take_over(present, entered)
            present.version += 1
            present.save()
        present.hubs.set(registration.hubs)
        _write_sections(present, registration.sections)
        _write_appointments(present, registration.appointments, at=at, by=by, reason=change_reason)
        if before is not None and present.state == State.LATE:
            _require_complete(before, registration_of(present))
        elif before is not None:
            _keep_registered(before, registration_of(present), at=at, results=_has_results(present))
    return present


def _take_over(target: Row, source: Row) -> Row:
    """Copy the editable fields except the key from `source` to `target`. Return `target`."""
    for field in source._meta.concrete_fields:
        if field.editable and not field.primary_key:
            setattr(target, field.attname, getattr(source, field.attname))
    return target


def _record_organiser(present: Event, entered: Event, *, at: datetime, by: User | None, reason: str) -> None:
    """Put a change of the Chief Organiser on the trail, who may report that a played event is kept back (57.3).

    Raises EventError if he changes from the first day on without a reason.
    """
    old, new = (f"{row.organiser_name} {row.organiser_number}".strip() for row in (present, entered))
    if old in ("", new) or not asks_reason(present, at=at):
        return
    if not reason:
        raise EventError(
            gettext(
                "The event has begun: say why its Chief Organiser changes. Who organised it on its first day stays on record."
            )
        )
    before, after = {"Chief Organiser": old}, {"Chief Organiser": new}
    record("organiser changed", present, at=at, by=by, before=before, after=after, reason=reason)


def _begun(entered: Event) -> Event:
    event = _take_over(Event(page=entered.page), entered)
    try:
        with transaction.atomic():
            event.save()
    except IntegrityError:
        # another request with this page may have been committed while this one waited
        saved = Event.objects.filter(page=entered.page).first() if entered.page else None
        if saved is None:
            raise
        raise SentTwiceError(saved) from None
    return event


def _locked(event: Event) -> Event:
    present = Event.objects.select_for_update().filter(pk=event.pk).first()
    if present is None:
        raise GoneError(
            gettext("the draft was discarded meanwhile: what is still wanted of it goes into a new registration")
        )
    return present


def _write_sections(event: Event, rows: tuple[PlannedSection, ...]) -> None:
    kept = {row.section.pk: row for row in rows if row.section.pk}
    for section in event.sections.all():
        if section.pk not in kept:
            lock_for_removal(section)
            section.delete()
    standing = list(event.sections.order_by("position"))
    fresh = [row for row in rows if row.section.pk not in {section.pk for section in standing}]
    # Positions of sections that stay only become smaller, in their order, so that they are unique at each step: where the
    # ratings officer began with 0, so does this.
    first = min(1, standing[0].position) if standing else 1
    pairs = [(section, kept[section.pk]) for section in standing] + [(Section(), row) for row in fresh]
    for position, (section, row) in enumerate(pairs, start=first):
        _take_over(section, row.section)
        section.event, section.position = event, position
        section.save()
        Round.objects.bulk_create(
            (Round(section=section, number=number, date=day) for number, day in enumerate(row.days, start=1)),
            update_conflicts=True,
            unique_fields=["section", "number"],
            update_fields=["date"],
        )
        if not section.games.exists():
            section.rounds.filter(number__gt=len(row.days)).delete()


def _write_appointments(
    event: Event, rows: tuple[Appointment, ...], *, at: datetime, by: User | None, reason: str
) -> None:
    before, reason = list(event.appointments.all()), plain_text(reason)
    appointments = [_take_over(Appointment(), row) for row in rows]
    for position, appointment in enumerate(appointments, start=1):
        appointment.event, appointment.position = event, position
    end_appointments(event, before, appointments, at=at, by=by, reason=reason)
    if reason and terms_of(before).keys() != terms_of(appointments).keys():
        old, new = (", ".join(row.arbiter.name for row in rows_of) for rows_of in (before, appointments))
        record(
            "arbiters changed", event, at=at, by=by, before={"arbiters": old}, after={"arbiters": new}, reason=reason
        )
    event.appointments.all().delete()
    Appointment.objects.bulk_create(appointments)


def _has_results(event: Event) -> bool:
    sections = Section.objects.filter(event=event)
    return sections.filter(Q(entries__isnull=False) | Q(submissions__isnull=False)).exists()


def _keep_registered(
    before: rules.RegistrationData, after: rules.RegistrationData, *, at: datetime, results: bool
) -> None:
    over = rules.is_over(before, today=timezone.localdate(at))
    changed = rules.changed_after_play(before, after) if over or results else []
    if changed:
        played = gettext(
            "It has been played, and this stays as it was registered: %(changed)s. Place, organiser, arbiters, days of the"
            " rounds and the link to the results may be completed; what is wrong, the ratings officer corrects."
        )
        sent_in = gettext(
            "Its results are here, and this stays as it was registered: %(changed)s. Place, organiser, arbiters, days of the"
            " rounds and the link to the results may be completed; what is wrong, the ratings officer corrects."
        )
        raise EventError((played if over else sent_in) % {"changed": listed_changes(changed)})
    if rules.is_put_off_after_start(before, after, today=timezone.localdate(at)):
        raise EventError(
            gettext(
                "It has begun, and its days are no longer put off: the ratings officer corrects what is wrong. If it is not"
                " played, ask to withdraw it (article 57.3)."
            )
        )
    _require_complete(before, after)
    if rules.is_later_than_agreed(before, after, at=at):
        raise EventError(
            gettext(
                "%(late)s Register what is new as an event of its own and ask for permission there, or leave it out."
            )
            % {"late": late_text(after)}
        )


def _require_complete(before: rules.RegistrationData, after: rules.RegistrationData) -> None:
    # What was registered before sections needed names may still be completed.
    kept_names = [section.name for section in before.sections] == [section.name for section in after.sections]
    errors = (row for row in rules.registration_errors(after) if not (kept_names and row.code == "section-name"))
    error = next(errors, None)
    if error is not None:
        raise EventError(gettext("A registered event stays complete: %(problem)s") % {"problem": as_sentence(error)})


def late_text(plan: rules.RegistrationData) -> str:
    """Return the message that the last day to register has passed."""
    closes = rules.registration_closes(plan)
    if closes is None:
        return ""
    last = timezone.localdate(closes) - timedelta(days=1)
    article = registration_article(fide_rated=plan.fide_rated, norm_event=plan.norm_event)
    with in_readers_style():
        day = formatting.day(last)
    return gettext("The last day to register this event was %(day)s (article %(article)s).") % {
        "day": day,
        "article": article,
    }


def register(event: Event, *, at: datetime, by: User | None, reason: str = "") -> State:
    """Register a draft, or ask the officer for permission if it is late. Return its new state.

    What an officer registers late is registered at once, with his reason (article 12.2).
    Raises EventError if the registration is incomplete; LateError if it is late and has no reason (article 60).
    """
    with transaction.atomic():
        present = _locked(event)
        if present.state != State.DRAFT:
            raise EventError(
                gettext("an event that is %(state)s is not registered again") % {"state": state_name(present.state)}
            )
        plan = registration_of(present)
        error = next(rules.registration_errors(plan), None)
        if error is not None:
            raise EventError(FINDINGS.said(error.message))
        refuse_long(reason)
        late, reason = rules.is_late_to_register(plan, at=at), plain_text(reason)
        by_officer = by is not None and by.is_officer
        if late and not reason:
            ask = gettext("%(late)s Say why it comes late: the ratings officer decides.")
            raise LateError((gettext(_BY_BUREAU) if by_officer else ask) % {"late": late_text(plan)})
        if late:
            move_event(event, State.LATE, at=at, by=by, reason=reason)
        if not late or by_officer:
            move_event(event, State.REGISTERED, at=at, by=by, reason=reason if late else "")
    return State(event.state)


def late_reason(event: Event) -> str:
    """Return why an event that waits for permission is late, as its region said last."""
    move = event.moves.filter(target=State.LATE.value).last()
    return move.reason if move else ""


def ask_again(event: Event, *, at: datetime, by: User | None, reason: str) -> None:
    """Put on record that the request for a late registration was corrected, with its reason; without one that of before holds.

    Raises EventError if an officer has decided it meanwhile; ReasonError if the reason is longer than is kept.
    """
    refuse_long(reason)
    with transaction.atomic():
        if _locked(event).state != State.LATE:
            raise EventError(gettext("the ratings officer has decided meanwhile: look at the page as it is now"))
        move_event(event, State.LATE, at=at, by=by, reason=plain_text(reason) or late_reason(event))


def require_late_reason(event: Event, reason: str, *, at: datetime) -> str:
    """Return the reason to keep with the registration of a new event by the bureau: "" for one that is in time (60).

    Raises LateError if it is late and there is no reason (12.2); ReasonError if the reason is longer than is kept.
    """
    plan = rules.RegistrationData(
        kind=event.kind, starts=event.starts, fide_rated=event.fide_rated, norm_event=event.norm_event
    )
    refuse_long(reason)
    reason = plain_text(reason)
    if not rules.is_late_to_register(plan, at=at):
        return ""
    if not reason:
        raise LateError(gettext(_BY_BUREAU) % {"late": late_text(plan)})
    return reason


def refuse_long(reason: str) -> None:
    """Raise ReasonError if a reason is longer than is kept."""
    length = len(reason.replace("\r\n", "\n"))  # as browsers count
    if length > LONGEST_REASON:
        raise ReasonError(
            gettext("The reason has %(length)s characters; at most %(most)s are kept. Shorten it.")
            % {"length": length, "most": LONGEST_REASON}
        )


def grant_late(event: Event, *, at: datetime, by: User | None, reason: str) -> None:
    """Register an event although it is late. Raises EventError if it does not wait for permission."""
    with transaction.atomic():
        if _locked(event).state != State.LATE:
            raise EventError("it does not wait for permission")
        move_event(event, State.REGISTERED, at=at, by=by, reason=reason)


def discard_draft(event: Event) -> None:
    """Delete a draft. Raises EventError if the event is no draft or has results."""
    with transaction.atomic():
        present = _locked(event)
        if present.state != State.DRAFT:
            raise EventError(gettext("it is no draft any more: withdraw it instead"))
        if Section.objects.filter(event=present, entries__isnull=False).exists():
            raise EventError(gettext("it has results and stays on record"))
        present.delete()


def copy_event(event: Event, *, at: datetime) -> Event:
    """Create a draft from an event, with its days moved by whole years into the future, to the same weekdays.

    Its year in the name is replaced too. Raises EventError for an event whose copy would lie beyond the calendar's last year.
    """
    moved = rules.a_year_on(event.starts, today=timezone.localdate(at)) - event.starts
    if not is_plausible(event.ends + moved):
        year = (event.ends + moved).year
        raise EventError(gettext("its copy would be in %(year)s, which cannot be meant") % {"year": year})
    kept, draft = read_registration(event), _take_over(Event(), event)
    draft.starts, draft.ends, draft.results_url = event.starts + moved, event.ends + moved, ""
    draft.name = re.sub(rf"\b{event.starts.year}\b", str(draft.starts.year), event.name)
    sections = tuple(_moved(row, moved) for row in kept.sections)
    return save_registration(replace(kept, event=draft, sections=sections), at=at)


def _moved(row: PlannedSection, by: timedelta) -> PlannedSection:
    section = _take_over(Section(), row.section)
    section.starts, section.ends = section.starts + by, section.ends + by
    return PlannedSection(section, tuple(day + by if day else None for day in row.days))
