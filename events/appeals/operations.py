"""Writes on refusals of single sections, appeals, and their answers (article 11). One transaction each."""

from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from accounts.trail.operations import record
from config.lib import formatting
from config.lib.database import save_recorded
from config.lib.texts import plain_text
from events.access import administers, is_chief_organiser, organised_events, writable_regions
from events.appeals.decisions import lock_unanswered, record_answer
from events.attachments.operations import take
from events.models import Appeal, Event, Kind, RatingPeriod, Refusal, Section
from events.operations import (
    EventError,
    assign_missing_regions,
    create_refusal,
    lock_open_periods,
    move_event,
    open_period_for,
    require_undecided,
    sections_to_rate,
)
from events.rules.abroad import grounded_reason
from events.rules.deadlines import appeal_closes, last_day_before, midnight_after
from events.rules.states import ACCEPTED_OR_LATER, State

_REFUSABLE = (State.SUBMITTED, State.RETURNED, State.ACCEPTED, State.CALCULATED)


NOTICE_RECORDED = 14  # days within which an officer records a notice by letter


def refuse_section(section: Section, *, at: datetime, by: User | None, reason: str, ground: str = "") -> Refusal:
    """Leave a section out of the rating of its event, with a reason for its region (article 11).

    `ground`: of a section abroad, as `return_event` takes it. Raises EventError without a reason or that ground, if the section
    is refused or published already, if its event has no results yet, if the appeals panel decided that it is rated, or if no
    other section would be rated.
    """
    reason = plain_text(reason)
    if not reason:
        raise EventError("give the reason why the section is not rated (article 11)")
    if section.event.kind == Kind.ABROAD:
        reason = grounded_reason(ground, reason)
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
        require_undecided(event, section)
        rated = sections_to_rate(event)
        if not rated.filter(pk=section.pk).exists():
            raise EventError("it is refused already")
        if rated.count() == 1:
            raise EventError("no other section of its event is rated: refuse the event instead")
        Section.objects.filter(pk=section.pk).update(period=None)
        refusal = create_refusal(event, section, at=at, by=by, reason=reason)
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
    closes = appeal_closes(refusal.notified_at)
    if closes is None or at < closes:
        return ""
    return gettext("The last day to appeal was %(day)s (article 11): the refusal stands.") % {
        "day": formatting.day(last_day_before(closes))
    }


def record_notice(refusal: Refusal, day: date | None, *, at: datetime, by: User | None, reason: str) -> None:
    """Record that those who may appeal a refusal were notified of it on a day, other than by mail (article 11).

    A notice on record is corrected to a later day only, as when its mail came back; of the day on which the mail reached
    the Chief Organiser alone, a letter is the region's notice. Raises EventError without a reason,
    if the refusal is lifted, and for a day before the refusal, still to come, or more than NOTICE_RECORDED days ago: the days
    to appeal are not over before anybody can know of it.
    """
    reason = plain_text(reason)
    if not reason:
        raise EventError("say how they were notified, as the reason: by letter, by telephone")
    with transaction.atomic():
        current = Refusal.objects.select_for_update(of=("self",)).select_related("event", "section").get(pk=refusal.pk)
        if current.lifted_at is not None:
            raise EventError("the refusal is lifted: there is nothing to notify of")
        known = current.notified_at and timezone.localdate(current.notified_at)
        if known and day and (day < known or (day == known and current.region_notified)):
            raise EventError(f"they were notified on {formatting.day(known)} already: only a later day corrects it")
        last = timezone.localdate(at)
        first = max(timezone.localdate(current.at), last - timedelta(days=NOTICE_RECORDED))
        if day is None or not first <= day <= last:
            raise EventError(f"give the day of the notice, from {formatting.day(first)} to {formatting.day(last)}")
        current.region_notified = True
        notice = max(current.at, midnight_after(day - timedelta(days=1)))
        if current.notified_at is not None and day == known:
            notice = current.notified_at
        set_notified(current, notice, at=at, by=by, reason=reason)


def set_notified(refusal: Refusal, notice: datetime, *, at: datetime, by: User | None, reason: str) -> None:
    """Write the moment of a refusal's notice, and put it on the trail. The caller has locked the refusal."""
    before = formatting.day(timezone.localdate(refusal.notified_at)) if refusal.notified_at else ""
    refusal.notified_at = notice
    refusal.save(update_fields=["notified_at", "region_notified"])
    record(
        "refusal notified",
        refusal.section or refusal.event,
        at=at,
        by=by,
        part_of=refusal.event,
        before={"notified": before},
        after={"notified": formatting.day(timezone.localdate(notice))},
        reason=plain_text(reason),
    )


def lodge_appeal(
    refusal: Refusal,
    *,
    appellant: str,
    grounds: str,
    at: datetime,
    by: User | None,
    party: Appeal.Party = Appeal.Party.REGION,
    evidence: tuple[str, bytes] | None = None,
) -> Appeal:
    """Appeal a refusal for the aggrieved party. Without a user it is lodged by a mailed link or the command line.

    `evidence`: the name and content of a file. Raises EventError if the user is no aggrieved party, if the refusal is lifted,
    appealed already, or too old, or if the file is not taken.
    """
    grounds = plain_text(grounds)
    with transaction.atomic():
        current = Refusal.objects.select_for_update(of=("self",)).select_related("event__region").get(pk=refusal.pk)
        if by is not None:
            party = _party(by, current.event)
        if not grounds:
            raise EventError(
                gettext("Say why the refusal should be lifted: give the grounds of the appeal (article 11).")
            )
        if current.lifted_at is not None:
            raise EventError(gettext("The refusal is lifted: there is nothing to appeal."))
        if Appeal.objects.filter(refusal=current).exists():
            raise EventError(gettext("An appeal was lodged already, and a refusal is appealed once."))
        problem = too_late(current, at=at)
        if problem:
            raise EventError(problem)
        appeal = Appeal(refusal=current, at=at, by=by, party=party, appellant=plain_text(appellant), grounds=grounds)
        save_recorded(appeal, at=at, by=by)
        if evidence is not None:
            take(*evidence, at=at, by=by, appeal=appeal)
    return appeal


def may_lodge(user: User, event: Event) -> bool:
    """Return whether a user is an aggrieved party of an event: its Regional Administrator or its Chief Organiser."""
    return administers(user, event.region) or is_chief_organiser(user, event)


def _party(by: User, event: Event) -> Appeal.Party:
    if administers(by, event.region):
        return Appeal.Party.REGION
    if is_chief_organiser(by, event):
        return Appeal.Party.ORGANISER
    raise EventError(
        gettext(
            "An appeal is lodged by the aggrieved party: the Regional Administrator, the Chief Organiser, or who sent in the"
            " results from abroad (article 11)."
        )
    )


def answer_appeal(appeal: Appeal, *, upheld: bool, at: datetime, by: User, answer: str) -> None:
    """Uphold an appeal, which lifts the refusal, or dismiss it, which makes the refusal final.

    Raises EventError if the user is not on the appeals panel or has a part in the matter, without a reason, or if the appeal
    is answered already.
    """
    with transaction.atomic():
        # The refusal before its appeal, as `take_back` locks them.
        Refusal.objects.select_for_update(of=("self",)).get(pk=appeal.refusal_id)
        current = lock_unanswered(appeal)
        _require_impartial(current, by)
        record_answer(current, Appeal.State.UPHELD if upheld else Appeal.State.DISMISSED, at=at, by=by, answer=answer)
        if upheld:
            _lift(current.refusal, at=at, by=by, reason=current.answer, permitted=True)


def impartial_appeals(appeals: QuerySet[Appeal], by: User) -> QuerySet[Appeal]:
    """Return those of the appeals in which a member of the appeals panel has no part: neither refused nor is an aggrieved
    party (`may_lodge`)."""
    own = appeals.exclude(refusal__by=by).exclude(by=by).exclude(refusal__event__in=organised_events(by).values("pk"))
    return own if by.is_officer else own.exclude(refusal__event__region__in=writable_regions(by).values("pk"))


def why_not_impartial(appeal: Appeal, by: User) -> str:
    """Return why a member of the appeals panel does not answer an appeal; "" if the member does."""
    if appeal.refusal.by_id == by.pk:
        return "you refused it yourself: another member of the appeals panel answers (article 11)"
    if not impartial_appeals(Appeal.objects.filter(pk=appeal.pk), by).exists():
        return "you are a party to it: another member of the appeals panel answers (article 11)"
    return ""


def _require_impartial(appeal: Appeal, by: User) -> None:
    if not by.is_panel:
        raise EventError("an appeal is answered by the appeals panel (article 11)")
    if why := why_not_impartial(appeal, by):
        raise EventError(why)


def take_back(refusal: Refusal, *, at: datetime, by: User | None, reason: str) -> None:
    """Take back a refusal made in error: the event or section returns to where it was, and an open appeal is settled.

    It is taken back by the officer who refused, or by any other once that one is no longer an officer. Raises EventError
    without a reason, for another officer's refusal, or if it is lifted or its appeal is answered.
    """
    reason = plain_text(reason)
    if not reason:
        raise EventError("give the reason why the refusal is taken back")
    with transaction.atomic():
        current = Refusal.objects.select_for_update(of=("self",)).select_related("by", "event").get(pk=refusal.pk)
        if current.lifted_at is not None:
            raise EventError("the refusal is lifted already")
        appeal = Appeal.objects.select_for_update(of=("self",)).filter(refusal=current).first()
        if appeal is not None and appeal.answered_at is not None:
            raise EventError(f"its appeal is {appeal.state}: what the appeals panel decided stays (article 11)")
        owner = current.by
        if by is not None and owner is not None and owner.pk != by.pk and owner.is_active and owner.is_officer:
            raise EventError(f"{owner} refused it, and takes it back; the aggrieved party may appeal (article 11)")
        if appeal is not None:
            record_answer(appeal, Appeal.State.SETTLED, at=at, by=by, answer=reason)
        _lift(current, at=at, by=by, reason=reason, permitted=False)
        Refusal.objects.filter(pk=current.pk).update(taken_back_by=by, taken_back_reason=reason)


def standing_refusal(event: Event, section: Section | None = None) -> Refusal:
    """Return the refusal of an event, or of its section, that is not lifted. Raises EventError if there is none."""
    refusal = Refusal.objects.filter(event=event, section=section, lifted_at=None).first()
    if refusal is None:
        raise EventError("it is not refused")
    return refusal


def _lift(refusal: Refusal, *, at: datetime, by: User | None, reason: str, permitted: bool) -> None:
    """Lift a refusal. `permitted`: the late registration (60) that was refused is permitted, too; else it waits again."""
    event = refusal.event
    if refusal.section is None:
        refused = event.moves.filter(target=State.REFUSED.value).latest("pk")
        target = State.SUBMITTED if refused.source != State.LATE else State.REGISTERED if permitted else State.LATE
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
    if period is not None:
        assign_missing_regions(event, [refusal.section], at=at, by=by)
