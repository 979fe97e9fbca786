"""What waits for the bureau, as query sets: a tray of the desk counts one, and the desk's list filters by the same one.

`today` is the day by the clock; functions that need none take it all the same, so that each is called in one way.
"""

from datetime import date, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from events.models import (
    Appeal,
    Appointment,
    Arbiter,
    Declaration,
    ErrorReport,
    Event,
    Fee,
    KeptBackReport,
    Kind,
    Membership,
    NotRegisteredReport,
    Penalty,
    PermissionRequest,
    RatingPeriod,
    Refusal,
    Submission,
    SubmissionFinding,
    Upload,
    WithdrawalRequest,
)
from events.organising_body import waiting_for_approval
from events.readings.queries import readings
from events.rules.constants import HOME
from events.rules.fees import LICENCE_YEAR_BEGINS, fee_year, fee_year_days
from events.rules.findings import Severity
from events.rules.states import AWAITING_RESULTS, WITHDRAWABLE, State

UNPAID_WITHIN = timedelta(days=14)  # before an event, in which an officer still reaches its arbiters
COMING = timedelta(days=365)  # in which the list of arbiters looks for the next event that asks for a fee


def late_registrations(today: date) -> QuerySet[Event]:
    """Return the events that were registered late and wait for permission (articles 12.2, 60)."""
    return Event.objects.filter(state=State.LATE)


def from_abroad(today: date) -> QuerySet[Event]:
    """Return the submitted results from abroad (article 10)."""
    return Event.objects.filter(state=State.SUBMITTED, kind=Kind.ABROAD)


def submitted_with_holds(today: date) -> QuerySet[Event]:
    """Return the submitted events with a hold that nobody has waived, in the file that counts (article 12)."""
    return submitted_at_home(today).filter(pk__in=_with_open_holds())


def submitted_clean(today: date) -> QuerySet[Event]:
    """Return the submitted events that can be accepted as they are: nothing on hold, no penalty or body undecided."""
    undecided = undecided_penalties(today).values("section__event")
    bodies = waiting_for_approval().filter(state=State.SUBMITTED).values("pk")
    return submitted_at_home(today).exclude(
        Q(pk__in=_with_open_holds()) | Q(pk__in=undecided) | Q(pk__in=bodies),
    )


def submitted_at_home(today: date) -> QuerySet[Event]:
    """Return the submitted events but those abroad."""
    return Event.objects.filter(state=State.SUBMITTED).exclude(kind=Kind.ABROAD)


def _with_open_holds() -> QuerySet[Any, Any]:
    """Return the keys of the submitted events with an open hold of a latest file, without sections that were refused.

    Not one look-up for each event: PostgreSQL would reckon the page’s query so dear that it compiled it first, for a second.
    """
    later = Submission.objects.filter(section=OuterRef("submission__section"), pk__gt=OuterRef("submission"))
    holds = SubmissionFinding.objects.filter(
        ~_is_refused("submission__section"),
        ~Exists(later),
        submission__section__event__state=State.SUBMITTED,
        severity=Severity.HOLD.value,
        waived_at=None,
    )
    return holds.order_by().values("submission__section__event")


def _is_refused(section: str) -> Exists:
    """Return whether a row’s section was refused, so that nothing of it is decided any more."""
    return Exists(Refusal.objects.filter(section=OuterRef(section), lifted_at=None))


def undecided_penalties(today: date) -> QuerySet[Penalty]:
    """Return the proposed penalties that keep an event from being accepted, or its month from being published (51, 52)."""
    unpublished = Q(section__period__isnull=False) & ~Q(section__period__state__in=RatingPeriod.CLOSED)
    return Penalty.objects.filter(
        Q(section__event__state=State.SUBMITTED) | unpublished,
        ~_is_refused("section"),
        status=Penalty.Status.PROPOSED,
    )


def permissions_asked(today: date) -> QuerySet[PermissionRequest]:
    """Return the requests for permission without an answer, except of withdrawn events (article 18)."""
    asked = PermissionRequest.objects.filter(state=PermissionRequest.State.ASKED)
    return asked.exclude(section__event__state=State.WITHDRAWN)


def open_reports(today: date) -> QuerySet[ErrorReport]:
    """Return the reports of errors that reached the bureau and have no answer yet (articles 63, 64)."""
    unanswered = (ErrorReport.State.RECEIVED, ErrorReport.State.LOOKED_AT)
    return ErrorReport.objects.filter(confirmed_at__isnull=False, state__in=unanswered)


def open_appeals(today: date) -> QuerySet[Appeal]:
    """Return the appeals without an answer (article 11)."""
    return Appeal.objects.filter(state=Appeal.State.LODGED)


def played_not_sent_in(today: date) -> QuerySet[Event]:
    """Return the events at home that were played and whose results are not sent in (article 61)."""
    return Event.objects.filter(state__in=AWAITING_RESULTS, ends__lt=today).exclude(kind=Kind.ABROAD)


def unchecked(today: date) -> QuerySet[Event]:
    """Return the events with a file that could not be checked, which is a fault of this software."""
    faulty = Upload.objects.filter(event=OuterRef("pk"), submission=None, discarded_at=None).exclude(error="")
    return Event.objects.filter(Exists(faulty), state__in=AWAITING_RESULTS)


def not_sent(today: date) -> QuerySet[Event]:
    """Return the events that were declared and could not be sent in, which is a fault of this software."""
    faulty = Declaration.objects.filter(event=OuterRef("pk"), error=Declaration.FAULT)
    return Event.objects.filter(Exists(faulty), state__in=AWAITING_RESULTS)


def unpaid_arbiters(today: date) -> QuerySet[Arbiter]:
    """Return the arbiters at an event of the next days of whom a fee is asked that is not paid (articles 7, 12.3)."""
    return _arbiters_of(unpaid_appointments(today))


def unpaid_in_a_year(today: date) -> QuerySet[Arbiter]:
    """Return the arbiters at an event of the coming year of whom a fee is asked that is not paid (articles 7, 12.3)."""
    return _arbiters_of(unpaid_appointments(today, within=COMING))


def _arbiters_of(appointments: QuerySet[Appointment]) -> QuerySet[Arbiter]:
    return Arbiter.objects.filter(Exists(appointments.filter(arbiter=OuterRef("pk"))))


def unpaid_appointments(today: date, *, within: timedelta = UNPAID_WITHIN) -> QuerySet[Appointment]:
    """Return the appointments at an event that begins within some days, not today, without a fee that it asks for."""
    coming = Appointment.objects.filter(
        arbiter__federation=HOME,
        event__starts__gt=today,
        event__starts__lte=today + within,
        event__state__in=(State.LATE, State.REGISTERED),
    ).exclude(event__kind=Kind.ABROAD)
    member = _paid(Fee.AOC, today, today + within, begins=readings().aoc_year_begins)
    licensed = _paid(Fee.FIDE, today, today + within, begins=LICENCE_YEAR_BEGINS)
    return coming.filter(~member | (Q(event__fide_rated=True) & ~licensed))


def _paid(fee: Fee, today: date, until: date, *, begins: int) -> Any:
    """Return the condition: the fee for the year of the event, which begins between two days, is paid."""
    paid: Any = Q(pk__in=[])
    for year in range(fee_year(today, begins=begins), fee_year(until, begins=begins) + 1):
        first, last = fee_year_days(year, begins=begins)
        fees = Membership.objects.filter(
            arbiter=OuterRef("arbiter"), fee=fee, year=year, paid_on__lt=OuterRef("event__starts")
        )
        paid |= Q(event__starts__gte=first, event__starts__lte=last) & Exists(fees)
    return paid


def bodies_to_approve(today: date) -> QuerySet[Event]:
    """Return the national events whose organising body is not approved (article 62.4)."""
    return waiting_for_approval()


def withdrawals_asked(today: date) -> QuerySet[WithdrawalRequest]:
    """Return the requests to withdraw an event, without an answer, that can still be granted (article 57.3)."""
    return WithdrawalRequest.objects.filter(state=WithdrawalRequest.State.ASKED, event__state__in=WITHDRAWABLE)


def kept_back(today: date) -> QuerySet[KeptBackReport]:
    """Return the reports of results kept back, without an answer (article 57.3)."""
    return KeptBackReport.objects.filter(state=KeptBackReport.State.REPORTED)


def not_registered(today: date) -> QuerySet[NotRegisteredReport]:
    """Return the reports of events that a region does not register, without an answer (article 57.3)."""
    return NotRegisteredReport.objects.filter(state=NotRegisteredReport.State.REPORTED)
