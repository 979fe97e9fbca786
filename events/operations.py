"""Writes on events: register, move, accept, return. One transaction each; the clock and the actor are passed in."""

from collections.abc import Iterable
from datetime import date, datetime

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from accounts.trail.operations import record, record_all, role_of
from config.lib import formatting
from config.lib.days import next_month
from config.lib.texts import plain_text
from events.access import administrators_of, organisers_of
from events.models import (
    Appeal,
    BodyApproval,
    Entry,
    Event,
    EventMove,
    Kind,
    Penalty,
    RatingPeriod,
    Refusal,
    Section,
    Submission,
    SubmissionFinding,
)
from events.organising_body import OPEN_TO_APPROVAL, body_approval, organising_body
from events.penalty_decisions import UNANSWERED, apply_unanswered, penalty_words
from events.periods import get_or_create_period, period_for
from events.rules.abroad import grounded_reason
from events.rules.findings import Severity
from events.rules.states import ACCEPTED_OR_LATER, AWAITING_RESULTS, State, UnansweredError, check_move
from events.rules.states import EventError as EventError
from players.merged import lock_bearers
from players.models import Player, Region
from players.operations import assign_regions

BY_LINK = "player or team manager"
# What a move out of these states is called on the trail; other moves are called by the state they lead to.
_ACTIONS = {State.REFUSED: "refusal lifted", State.WITHDRAWN: "brought back"}
RECALLED, CORRECTED = "recalled", "request corrected"
BODY_APPROVED, APPROVAL_TAKEN_BACK = "organising body approved", "approval taken back"


def register_event(event: Event, *, at: datetime, by: User | None = None, reason: str = "") -> Event:
    """Save a new event, without sections yet, in the state registered. `reason`: why it comes late, kept on the move."""
    with transaction.atomic():
        event.save()
        move_event(event, State.REGISTERED, at=at, by=by, reason=reason)
    return event


def add_section(event: Event, section: Section) -> Section:
    """Save a new section of an event, after its present ones."""
    section.event, section.position = event, event.sections.count() + 1
    section.save()
    return section


def move_event(
    event: Event, target: State, *, at: datetime, by: User | None = None, reason: str = "", recalled: bool = False
) -> EventMove:
    """Move an event to a state and record the move. Raises MoveError if the table of states does not allow it.

    A move to refused also creates the refusal (article 11); a move from there lifts it. `recalled`: its region takes back what
    it had sent in.
    """
    with transaction.atomic():
        current = Event.objects.select_for_update().get(pk=event.pk)
        source, reason = State(current.state), plain_text(reason)
        check_move(source, target, reason)
        current.state = target.value
        current.save(update_fields=["state"])
        event.state = target.value
        if target is State.REFUSED:
            create_refusal(current, at=at, by=by, reason=reason)
        if source is State.REFUSED:
            current.refusals.filter(section=None, lifted_at=None).update(lifted_at=at)
        by_link = by is None and current.kind == Kind.ABROAD and target in (State.REGISTERED, State.SUBMITTED)
        role = BY_LINK if by_link else role_of(by)
        record(
            RECALLED if recalled else CORRECTED if source is target else _ACTIONS.get(source, target.value),
            current,
            at=at,
            by=by,
            role=role,
            before={"state": source.value},
            after={"state": target.value},
            reason=reason,
        )
        return EventMove.objects.create(
            event=current,
            source=source.value,
            target=target.value,
            at=at,
            actor=by,
            role=role,
            reason=reason,
            recalled=recalled,
        )


def create_refusal(
    event: Event, section: Section | None = None, *, at: datetime, by: User | None, reason: str
) -> Refusal:
    """Create the refusal of an event or of its section, of which those are notified at once who can be reached by mail (11)."""
    region, organisers = administrators_of(event.region), organisers_of(event)
    users = [*region, *organisers]
    refusal = Refusal.objects.create(
        event=event,
        section=section,
        at=at,
        by=by,
        reason=reason,
        notified_at=at if users or event.abroad_links.exists() else None,
        region_notified=bool(region),
    )
    refusal.notified_users.set(users)
    return refusal


def accept_event(
    event: Event, *, at: datetime, by: User | None = None, reason: str = "", penalty_reason: str = ""
) -> RatingPeriod:
    """Accept a submitted event for the periods in which its sections are rated, except refused ones (article 11).

    Returns the latest of these periods. Open holds are waived with the reason (article 12), and proposed penalties that have
    no answer are confirmed with the `penalty_reason` (`applied_unanswered`), which no officer has judged: articles 51 and 52
    say that the points will be deducted. Raises EventError if there is either without its own reason, if a penalty waits for an
    officer, if the body that organises a national event is not approved (62.4), if a section's last day is in the future, or if
    no section is left to rate.
    """
    reason, penalty_reason = plain_text(reason), plain_text(penalty_reason)
    with transaction.atomic():
        move = move_event(event, State.ACCEPTED, at=at, by=by, reason=reason)
        require_approved_body(Event.objects.select_related("region").get(pk=event.pk))
        sections = sections_to_rate(event)
        holds = open_holds(event)
        if holds.exists() and not reason:
            raise EventError(
                f"{event} has findings on hold: give the reason why it is rated all the same (article 12), or return it"
            )
        record_all(
            "waived",
            [
                (hold.submission.section, {"hold": hold.message})
                for hold in holds.select_related("submission__section__event")
            ],
            at=move.at,
            by=by,
            part_of=event,
            after={"hold": "waived"},
            reason=reason,
        )
        holds.update(waived_by=by, waived_at=move.at, waived_reason=reason)
        # Locked: what a region answers at this moment is its answer, and not "no answer was given".
        proposed = Penalty.objects.select_for_update(of=("self",)).filter(section__in=sections).order_by("pk")
        unanswered = list(proposed.filter(status=Penalty.Status.PROPOSED).select_related("player", "section__event"))
        waiting = [penalty for penalty in unanswered if penalty.final]
        if waiting:
            raise EventError(
                f"{event} has {formatting.count(len(waiting), 'penalty that waits', 'penalties that wait')} for a ratings"
                f" officer, such as {waiting[0]}: confirm or drop each first (articles 51, 52)"
            )
        if unanswered and not penalty_reason:
            raise UnansweredError(
                f"{event} has {formatting.count(len(unanswered), 'penalty', 'penalties')} without an answer"
                f" ({penalty_words(unanswered)}): decide each, or give the reason for applying penalties without an answer"
                " (articles 51, 52)"
            )
        apply_unanswered(event, unanswered, f"{UNANSWERED} {penalty_reason}", by=by, at=move.at)
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
        assign_missing_regions(event, sections, at=move.at, by=by)
    return max(periods, key=lambda period: period.month)


def assign_missing_regions(event: Event, sections: Iterable[Section], *, at: datetime, by: User | None) -> None:
    """Give players of sections that are to be rated who have no region the one of the file, or else the host region (article
    14.5)."""
    entries = Entry.objects.filter(section__in=sections, player__region=None).exclude(region=None)
    regions: dict[int, Region] = {}
    for entry in entries.select_related("region").order_by("pk"):
        if entry.region is not None:
            regions.setdefault(entry.player_id, entry.region)
    if regions:
        reason = "The register had no region: it is that of the file, or else the host region (article 14.5)."
        assign_regions(regions, at=at, by=by, part_of=event, reason=reason)


def require_approved_body(event: Event) -> None:
    """Raise EventError if a national event, saved as it stands or not, names a body that is not approved (article 62.4)."""
    if event.kind == Kind.NATIONAL and body_approval(event) is None:
        raise EventError(
            f"{event} is a national event, and the body that organises it, {organising_body(event)}, is not approved: approve"
            " it with a reason first (article 62.4)"
        )


def approve_body(event: Event, *, at: datetime, by: User | None, reason: str) -> BodyApproval:
    """Approve the body that organises a national event (article 62.4).

    Raises EventError without a reason, if the event is not national, or if its body is approved already.
    """
    reason = plain_text(reason)
    with transaction.atomic():
        current = Event.objects.select_for_update(of=("self",)).select_related("region").get(pk=event.pk)
        if current.kind != Kind.NATIONAL:
            raise EventError("it is not a national event: its organising body needs no approval")
        if body_approval(current) is not None:
            raise EventError(f"{organising_body(current)} is approved already")
        if not reason:
            raise EventError("give the reason why its organising body is approved")
        body = organising_body(current)
        approval = BodyApproval.objects.create(event=current, body=body, at=at, by=by, reason=reason)
        record(BODY_APPROVED, current, at=at, by=by, after={"body": body}, reason=approval.reason)
    return approval


def take_back_approval(event: Event, *, at: datetime, by: User | None, reason: str) -> None:
    """Take back the approval of the body that organises a national event (62.4), before the event is accepted.

    Raises EventError without a reason, if its body is not approved, or if the event is accepted, refused or withdrawn.
    """
    reason = plain_text(reason)
    with transaction.atomic():
        current = Event.objects.select_for_update(of=("self",)).select_related("region").get(pk=event.pk)
        approval = body_approval(current)
        if approval is None:
            raise EventError(f"{organising_body(current)} is not approved: there is nothing to take back")
        if current.state not in OPEN_TO_APPROVAL:
            raise EventError(
                f"it is {current.state}: the approval of its organising body stays, return the event first"
            )
        if not reason:
            raise EventError("give the reason why the approval of its organising body is taken back")
        before = {"body": approval.body, "approved because": approval.reason}
        record(APPROVAL_TAKEN_BACK, current, at=at, by=by, before=before, reason=reason)
        approval.delete()


def record_waiver(section: Section, message: str, *, at: datetime, by: User | None, reason: str) -> None:
    """Put on the trail that a hold of a section's file is waived (article 12)."""
    record(
        "waived",
        section,
        at=at,
        by=by,
        part_of=section.event,
        before={"hold": message},
        after={"hold": "waived"},
        reason=reason,
    )


def open_holds(event: Event) -> QuerySet[SubmissionFinding]:
    """Return the holds of the files of an event, each section's latest, that nobody has waived; refused sections have none."""
    latest = Submission.objects.filter(section__in=sections_to_rate(event)).values("section").annotate(latest=Max("pk"))
    return SubmissionFinding.objects.filter(
        submission__in=latest.values("latest"), severity=Severity.HOLD.value, waived_at=None
    )


def sections_to_rate(event: Event) -> QuerySet[Section]:
    """Return the sections of an event except refused ones."""
    return event.sections.exclude(pk__in=section_refusals().filter(event=event).values("section"))


def section_refusals() -> QuerySet[Refusal]:
    """Return the standing refusals of single sections (article 11)."""
    return Refusal.objects.filter(section__isnull=False, lifted_at=None)


def open_period_for(ended: date) -> RatingPeriod:
    """Return the earliest open period for a section with last day `ended`, locked against publication."""
    month = period_for(ended)
    while True:
        period = RatingPeriod.objects.select_for_update().get(pk=get_or_create_period(month).pk)
        if not period.closed:
            return period
        month = next_month(month)


def lock_open_periods(periods: QuerySet[RatingPeriod], subject: str) -> None:
    """Lock periods against publication. Raises EventError, with `subject` as its subject, if one is or is being published."""
    for period in RatingPeriod.objects.select_for_update().filter(pk__in=periods.values("pk")):
        if period.state == RatingPeriod.State.PUBLISHED:
            raise EventError(f"{subject} is part of the published list of {period} and stays")
        if period.closed:
            raise EventError(f"{subject} is part of the list of {period}, which is being published, and stays")


def lock_event(key: int, *, organiser: str = "") -> Event:
    """Lock the periods of an event's sections, the player whose Chess SA id its Chief Organiser is to have, and the event.
    Return the event as it is, with its region."""
    # Hazard: lock periods before events, as the publication does; the other order can deadlock.
    periods = RatingPeriod.objects.filter(sections__event=key).values("pk")
    list(RatingPeriod.objects.select_for_update().filter(pk__in=periods).order_by("pk"))
    lock_bearers([organiser])
    return Event.objects.select_for_update(of=("self",)).select_related("region").get(pk=key)


def lock_section(section: Section) -> None:
    """Lock a section's event and period before the section is saved, and refresh its `period` and `results_hash`.

    Raises EventError if it is part of a published list (article 64), if it is new in an accepted event, or if its last day
    belongs to another month than that for which it was accepted (61, 65).
    """
    event = lock_event(section.event_id)
    if section.pk is None:
        if event.state in ACCEPTED_OR_LATER:
            raise EventError(f"{event} is {event.state}, and a new section would not be rated: return it first")
        return
    lock_open_periods(RatingPeriod.objects.filter(sections=section.pk), str(section))
    section.refresh_from_db(fields=["period", "results_hash"])
    if section.period and (month := period_for(section.ends)) != section.period.month:
        raise EventError(
            f"It was accepted for {section.period}; with its last day on {section.ends:%-d %b %Y} it would be rated in"
            f" {month:%Y-%m}. Return the event first"
        )


def lock_for_removal(section: Section) -> None:
    """Lock a section before it is deleted, as `lock_section` does. Raises EventError also if it has results or files."""
    lock_section(section)
    if section.entries.exists() or section.games.exists() or section.submissions.exists():
        raise EventError(gettext("%(section)s has results and cannot be taken out") % {"section": section})
    if section.uploads.exists():
        raise EventError(
            gettext("%(section)s has an uploaded file, which stays on record: it cannot be taken out")
            % {"section": section}
        )
    if section.permission_requests.exists():
        raise EventError(
            gettext("permission was asked for %(section)s, which stays on record: it cannot be taken out")
            % {"section": section}
        )


def return_event(event: Event, *, at: datetime, reason: str, by: User | None = None, ground: str = "") -> None:
    """Return an event to its Regional Administrator; its sections leave their rating periods.

    `ground`: one of `events.rules.abroad.Ground`, of results from abroad. Raises EventError if a section is part of a published
    list, or if results from abroad are returned without a ground.
    """
    if event.kind == Kind.ABROAD:
        reason = grounded_reason(ground, reason)
    with transaction.atomic():
        lock_open_periods(RatingPeriod.objects.filter(sections__event=event), str(event))
        move_event(event, State.RETURNED, at=at, by=by, reason=reason)
        event.sections.update(period=None)


def refuse_event(event: Event, *, at: datetime, reason: str, by: User | None = None, ground: str = "") -> None:
    """Refuse an event with a reason (article 11), results from abroad on a ground, as `return_event`.

    Raises EventError also if the appeals panel decided that it is rated (`require_undecided`).
    """
    if event.kind == Kind.ABROAD:
        reason = grounded_reason(ground, reason)
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=event.pk)
        require_undecided(event)
        move_event(event, State.REFUSED, at=at, by=by, reason=reason)


def require_undecided(event: Event, section: Section | None = None) -> None:
    """Refuse to refuse again what the appeals panel decided is rated, until results are sent in again (article 11).

    A decision on the event is one on each of its sections, and one on a section stands in the way of refusing the event.
    Raises EventError.
    """
    upheld = Appeal.objects.filter(refusal__event=event, state=Appeal.State.UPHELD)
    if section is not None:
        upheld = upheld.filter(Q(refusal__section=section) | Q(refusal__section=None))
    latest = upheld.order_by("-answered_at").first()
    if latest is None or latest.answered_at is None:
        return
    sent = event.moves.filter(target=State.SUBMITTED.value, source__in=AWAITING_RESULTS, at__gt=latest.answered_at)
    if not sent.exists():
        day = formatting.day(timezone.localdate(latest.answered_at))
        raise EventError(
            f"the appeals panel upheld the appeal for {latest.refusal} on {day}, and what it decided stays (article 11):"
            f" “{latest.answer}” It can be refused again once results are sent in anew"
        )


class StaleError(EventError):
    """The registration was saved by another user since the form was loaded."""


def require_unmerged(player: Player) -> None:
    """Raise EventError for a player, locked by the caller, who was merged since what names him was looked at."""
    if player.merged_into_id is not None:
        raise EventError(
            gettext("%(player)s was merged into another player just now: send it again") % {"player": player}
        )


class GoneError(EventError):
    """What was to be changed was deleted by another user since it was shown."""


class ReasonError(EventError):
    """A reason is missing or too long."""


class LateError(ReasonError):
    """The last day to register has passed, and no reason was given."""
