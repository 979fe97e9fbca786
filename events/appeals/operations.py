"""Writes on refusals of single sections, appeals, and their answers (article 11). One transaction each."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from accounts.trail.operations import record
from config.lib import formatting
from config.lib.database import save_recorded
from events.appeals.decisions import lock_unanswered, record_answer
from events.models import Appeal, Event, RatingPeriod, Refusal, Section
from events.operations import EventError, lock_open_periods, move_event, open_period_for, sections_to_rate
from events.rules.deadlines import appeal_closes, last_day_before
from events.rules.states import ACCEPTED_OR_LATER, State

_REFUSABLE = (State.SUBMITTED, State.RETURNED, State.ACCEPTED, State.CALCULATED)


def refuse_section(section: Section, *, at: datetime, by: User | None, reason: str) -> Refusal:
    """Leave a section out of the rating of its event, with a reason for its region (article 11).

    Raises EventError without a reason, if the section is refused or published already, if its event has no results yet, or
    if no other section would be rated.
    """
    if not reason.strip():
        raise EventError("give the reason why the section is not rated (article 11)")
    with transaction.atomic():
        # Hazard: lock periods before events, as the publication does; the other order can deadlock.
        periods = RatingPeriod.objects.filter(sections__event=section.event_id).values("pk")
        locked_periods = list(RatingPeriod.objects.select_for_update().filter(pk__in=periods).order_by("pk"))
        lock_open_periods(RatingPeriod.objects.filter(sections=section), str(section))
        event = Event.objects.select_for_update().get(pk=section.event_id)
        if {row["pk"] for row in periods} != {period.pk for period in locked_periods}:
            raise EventError("somebody has just accepted or returned its event: look at it again")
        if event.state not in _REFUSABLE:
            raise EventError(f"its event is {event.state}: a section is refused once its results are in")
        rated = sections_to_rate(event)
        if not rated.filter(pk=section.pk).exists():
            raise EventError("it is refused already")
        if rated.count() == 1:
            raise EventError("no other section of its event is rated: refuse the event instead")
        Section.objects.filter(pk=section.pk).update(period=None)
        refusal = Refusal.objects.create(event=event, section=section, at=at, by=by, reason=reason.strip())
        record("refused", section, at=at, by=by, part_of=event, after={"section": "refused"}, reason=refusal.reason)
        _advance_event(event, at=at, by=by)
    return refusal


def _advance_event(event: Event, *, at: datetime, by: User | None) -> None:
    """Move an event to the state that its other sections have reached, if it waited only for the refused section."""
    if event.state not in (State.ACCEPTED, State.CALCULATED):
        return
    periods = RatingPeriod.objects.filter(pk__in=sections_to_rate(event).values("period"))
    states = {period.state for period in periods}
    calculated = {RatingPeriod.State.CALCULATED, *RatingPeriod.CLOSED}
    if event.state == State.ACCEPTED and states <= calculated:
        move_event(event, State.CALCULATED, at=at, by=by)
    if event.state == State.CALCULATED and states <= {RatingPeriod.State.PUBLISHED}:
        move_event(event, State.PUBLISHED, at=at, by=by)


def too_late(refusal: Refusal, *, at: datetime) -> str:
    """Return the message that the last day to appeal a refusal has passed at `at`, or ""."""
    closes = appeal_closes(refusal.at)
    if at < closes:
        return ""
    return f"The last day to appeal was {formatting.day(last_day_before(closes))} (article 11): the refusal stands."


def lodge_appeal(refusal: Refusal, *, appellant: str, grounds: str, at: datetime, by: User | None) -> Appeal:
    """Appeal a refusal for the aggrieved party. Raises EventError if it is too late, lifted, or appealed already."""
    with transaction.atomic():
        current = Refusal.objects.select_for_update(of=("self",)).get(pk=refusal.pk)
        if current.lifted_at is not None:
            raise EventError("The refusal is lifted: there is nothing to appeal.")
        if Appeal.objects.filter(refusal=current).exists():
            raise EventError("An appeal was lodged already, and a refusal is appealed once.")
        problem = too_late(current, at=at)
        if problem:
            raise EventError(problem)
        appeal = Appeal(refusal=current, at=at, by=by, appellant=appellant.strip(), grounds=grounds.strip())
        save_recorded(appeal, at=at, by=by)
    return appeal


def answer_appeal(appeal: Appeal, *, upheld: bool, at: datetime, by: User | None, answer: str) -> None:
    """Uphold an appeal, which lifts the refusal, or dismiss it, which makes the refusal final.

    Raises EventError without a reason, or if the appeal is answered already.
    """
    with transaction.atomic():
        current = lock_unanswered(appeal)
        record_answer(current, Appeal.State.UPHELD if upheld else Appeal.State.DISMISSED, at=at, by=by, answer=answer)
        if upheld:
            _lift(current.refusal, at=at, by=by, reason=current.answer)


def _lift(refusal: Refusal, *, at: datetime, by: User | None, reason: str) -> None:
    event = refusal.event
    if refusal.section is None:
        refused = event.moves.filter(target=State.REFUSED.value).latest("at", "pk")
        target = State.REGISTERED if refused.source == State.LATE else State.SUBMITTED
        move_event(event, target, at=at, by=by, reason=reason)
        return
    # Hazard: lock periods before events, as the publication does; the other order can deadlock.
    period = open_period_for(refusal.section.ends) if event.state in ACCEPTED_OR_LATER else None
    current = Event.objects.select_for_update().get(pk=event.pk)
    if (current.state in ACCEPTED_OR_LATER) != (period is not None):
        raise EventError("somebody has just accepted or returned its event: look at it again")
    Refusal.objects.filter(pk=refusal.pk).update(lifted_at=at)
    record(
        "refusal lifted",
        refusal.section,
        at=at,
        by=by,
        part_of=event,
        before={"section": "refused"},
        after={"section": "rated"},
        reason=reason,
    )
    Section.objects.filter(pk=refusal.section.pk).update(period=period)
