"""Writing events: register, move, accept. One transaction each; the clock and the actor are passed in."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from accounts.models import User
from config.lib.days import next_month
from events.models import Event, EventMove, Format, Kind, RatingPeriod, Refusal, Section, Submission, SubmissionFinding
from events.periods import open_period, period_for
from events.rules.findings import Severity
from events.rules.states import EventError as EventError
from events.rules.states import State, check_move
from players.models import Region


@dataclass(frozen=True, slots=True)
class EventDetails:
    """What a registration says of an event (articles 13, 62)."""

    name: str
    region: Region
    starts: date
    ends: date
    kind: Kind = Kind.OVER_THE_BOARD
    place: str = ""
    federation: str = "RSA"
    organiser_name: str = ""
    organiser_number: str = ""
    fide_rated: bool = False
    norm_event: bool = False
    results_url: str = ""


@dataclass(frozen=True, slots=True)
class SectionDetails:
    """What a registration says of a section (articles 17, 19)."""

    base: int
    increment: int
    starts: date
    ends: date
    name: str = ""
    format: Format = Format.SWISS
    planned_rounds: int | None = None
    disabled: bool = False


def register_event(details: EventDetails, *, at: datetime, by: User | None = None) -> Event:
    """An event that is registered, without sections yet."""
    with transaction.atomic():
        event = Event.objects.create(**{name: getattr(details, name) for name in details.__dataclass_fields__})
        move_event(event, State.REGISTERED, at=at, by=by)
    return event


def add_section(event: Event, details: SectionDetails) -> Section:
    """A section of an event, after those it has."""
    return Section.objects.create(
        event=event,
        position=event.sections.count() + 1,
        name=details.name,
        format=details.format,
        disabled=details.disabled,
        base_minutes=details.base,
        increment_seconds=details.increment,
        planned_rounds=details.planned_rounds,
        starts=details.starts,
        ends=details.ends,
    )


def move_event(event: Event, target: State, *, at: datetime, by: User | None = None, reason: str = "") -> EventMove:
    """Take an event a step further and put the step on its trail. MoveError when the table of states has no such step.

    A step to refused is the notice of a refusal (article 11), a step from there lifts it.
    """
    with transaction.atomic():
        present = Event.objects.select_for_update().get(pk=event.pk)
        source = State(present.state)
        check_move(source, target, reason)
        present.state = target.value
        present.save(update_fields=["state"])
        event.state = target.value
        if target is State.REFUSED:
            Refusal.objects.create(event=present, at=at, by=by, reason=reason)
        if source is State.REFUSED:
            present.refusals.filter(section=None, lifted_at=None).update(lifted_at=at)
        return EventMove.objects.create(
            event=present, source=source.value, target=target.value, at=at, actor=by, reason=reason
        )


def accept_event(event: Event, *, at: datetime, by: User | None = None, reason: str = "") -> RatingPeriod:
    """Take a submitted event into the period that it is rated in, without the sections that are refused (article 11).

    Returns the latest period of its sections. Holds that are still open are waived with the reason
    (article 12); EventError when there are some and it is missing, and when a section's last day is still to come.
    """
    with transaction.atomic():
        move = move_event(event, State.ACCEPTED, at=at, by=by, reason=reason)
        sections = sections_to_rate(event)
        latest = Submission.objects.filter(section__in=sections).values("section").annotate(latest=Max("pk"))
        holds = SubmissionFinding.objects.filter(
            submission__in=latest.values("latest"), severity=Severity.HOLD.value, waived_at=None
        )
        if holds.exists() and not reason.strip():
            raise EventError(
                f"{event} has findings on hold: give the reason why it is rated all the same (article 12), or return it"
            )
        holds.update(waived_by=by, waived_at=move.at, waived_reason=reason)
        periods = []
        for section in sections:
            if section.ends > timezone.localdate(at):
                raise EventError(
                    f"{section} ends on {section.ends:%-d %b %Y}, which is still to come: accept it when it has been played,"
                    " or correct the day"
                )
            section.period = open_period_for(section.ends)
            section.save(update_fields=["period"])
            periods.append(section.period)
        if not periods:
            raise EventError(f"{event} has no section to rate")
    return max(periods, key=lambda period: period.month)


def sections_to_rate(event: Event) -> QuerySet[Section]:
    """The sections of an event but those that are refused."""
    refused = Refusal.objects.filter(event=event, section__isnull=False, lifted_at=None)
    return event.sections.exclude(pk__in=refused.values("section"))


def open_period_for(ended: date) -> RatingPeriod:
    """The period for a section, locked so that it is not published meanwhile."""
    month = period_for(ended)
    while True:
        period = RatingPeriod.objects.select_for_update().get(pk=open_period(month).pk)
        if not period.closed:
            return period
        month = next_month(month)


def hold_open(periods: QuerySet[RatingPeriod], what: str) -> None:
    """Lock periods, so that they are not published meanwhile. EventError when one is, or is being, published."""
    for period in RatingPeriod.objects.select_for_update().filter(pk__in=periods.values("pk")):
        if period.state == RatingPeriod.State.PUBLISHED:
            raise EventError(f"{what} is part of the published list of {period} and stays")
        if period.closed:
            raise EventError(f"{what} is part of the list of {period}, which is being published, and stays")


# In these states an event's sections have the month in which they are rated.
_PLACED = (State.ACCEPTED, State.CALCULATED, State.PUBLISHED)


def hold_section(section: Section) -> None:
    """Before a section is written: lock its event and the month that it is rated in, and take over what both say by then.

    EventError when it is part of a published list (64), when it would be new to an event that is accepted, or would by its
    last day belong to another month than the one that it was accepted for (61, 65).
    """
    event = Event.objects.select_for_update().get(pk=section.event_id)
    hold_open(RatingPeriod.objects.filter(sections=section.pk), str(section))
    if section.pk is None:
        if event.state in _PLACED:
            raise EventError(f"{event} is {event.state}, and a new section would not be rated: return it first")
        return
    section.refresh_from_db(fields=["period", "results_hash"])
    if section.period and (month := period_for(section.ends)) != section.period.month:
        raise EventError(
            f"It was accepted for {section.period}; with its last day on {section.ends:%-d %b %Y} it would be rated in"
            f" {month:%Y-%m}. Return the event first"
        )


def hold_removal(section: Section) -> None:
    """Before a section is deleted: the same. EventError besides when it has results or a file, which stay on record."""
    hold_section(section)
    if section.entries.exists() or section.games.exists() or section.submissions.exists():
        raise EventError(f"{section} has results and cannot be taken out")
    if section.uploads.exists():
        raise EventError(f"{section} has an uploaded file, which stays on record: it cannot be taken out")
    if section.permission_requests.exists():
        raise EventError(f"permission was asked for {section}, which stays on record: it cannot be taken out")


def return_event(event: Event, *, at: datetime, reason: str, by: User | None = None) -> None:
    """Send an event back to its Regional Administrator: its sections leave the period that they were accepted for.

    EventError when a section is part of a published list.
    """
    with transaction.atomic():
        hold_open(RatingPeriod.objects.filter(sections__event=event), str(event))
        move_event(event, State.RETURNED, at=at, by=by, reason=reason)
        event.sections.update(period=None)


class StaleError(EventError):
    """Somebody else saved the registration meanwhile."""


class ReasonError(EventError):
    """A reason that is missing, or longer than anybody reads."""


class LateError(ReasonError):
    """The last day to register has passed, and no reason was given."""
