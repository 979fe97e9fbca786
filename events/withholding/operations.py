"""Writes: withdraw, ask to withdraw, bring back; report that an event is kept back; the answers. One transaction each."""

from datetime import date, datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from config.lib.database import save_recorded
from config.lib.texts import plain_text
from events.access import person_in_part
from events.appeals.decisions import lock_unanswered, record_answer
from events.models import Event, KeptBackReport, Kind, WithdrawalRequest
from events.operations import EventError, ReasonError, move_event
from events.registration.operations import refuse_long
from events.rules.deadlines import withdrawal_closes
from events.rules.states import AWAITING_RESULTS, WITHDRAWABLE, State
from events.wording import state_name

REPORTABLE = (*AWAITING_RESULTS, State.LATE, State.WITHDRAWN)


def withdraws_himself(user: User | None, event: Event, *, at: datetime) -> bool:
    """Return whether a user withdraws an event without asking: until its first day, and the bureau at any time (57.3)."""
    return user is None or user.is_officer or at < withdrawal_closes(event.starts)


def withdraw(event: Event, *, at: datetime, by: User | None, reason: str) -> None:
    """Withdraw a registration, or a request for one.

    Raises EventError if the user has to ask for it (57.3), if results are submitted, or if the reason is missing or too long.
    """
    refuse_long(reason)
    with transaction.atomic():
        if not withdraws_himself(by, _locked(event), at=at):
            raise EventError(
                gettext(
                    "Its first day of play has begun: ask to withdraw it, and the ratings officer decides (article 57.3)"
                )
            )
        move_event(event, State.WITHDRAWN, at=at, by=by, reason=plain_text(reason))
        for request in event.withdrawal_requests.filter(state=WithdrawalRequest.State.ASKED):
            record_answer(request, WithdrawalRequest.State.GRANTED, at=at, by=by, answer=reason)


def ask_withdrawal(event: Event, *, at: datetime, by: User | None, reason: str) -> WithdrawalRequest:
    """Ask the officer to withdraw an event (57.3).

    Raises EventError if it can no longer be withdrawn or this is asked already, ReasonError without a reason or for a long one.
    """
    reason = plain_text(reason)
    refuse_long(reason)
    if not reason:
        raise ReasonError(gettext("give the reason why it should be withdrawn"))
    with transaction.atomic():
        current = _locked(event)
        if current.state not in WITHDRAWABLE:
            raise EventError(
                gettext("it is %(state)s: it can no longer be withdrawn") % {"state": state_name(current.state)}
            )
        if current.withdrawal_requests.filter(state=WithdrawalRequest.State.ASKED).exists():
            raise EventError(gettext("this was asked already: the ratings officer will answer"))
        request = WithdrawalRequest(event=current, at=at, by=by, reason=reason)
        save_recorded(request, at=at, by=by)
    return request


def answer_withdrawal(request: WithdrawalRequest, *, granted: bool, at: datetime, by: User | None, answer: str) -> None:
    """Grant a request, which withdraws the event, or decline it.

    Raises EventError without a reason, if it is answered already, or if an event to withdraw is no longer registered.
    """
    states = WithdrawalRequest.State
    with transaction.atomic():
        current = lock_unanswered(request)
        if granted and current.event.state not in WITHDRAWABLE:
            raise EventError(f"the event is {current.event.state}: it can no longer be withdrawn; decline the request")
        record_answer(current, states.GRANTED if granted else states.DECLINED, at=at, by=by, answer=answer)
        if granted:
            move_event(current.event, State.WITHDRAWN, at=at, by=by, reason=current.answer)


def bring_back(event: Event, *, at: datetime, by: User | None, reason: str) -> None:
    """Register a withdrawn event again, also one that came late.

    Raises EventError without a reason, or if it is not withdrawn.
    """
    with transaction.atomic():
        if _locked(event).state != State.WITHDRAWN:
            raise EventError("it is not withdrawn")
        move_event(event, State.REGISTERED, at=at, by=by, reason=reason)


def why_not_reported(event: Event, *, today: date) -> str:
    """Return why an event cannot be reported as kept back on a day, or "" if it can be."""
    if event.kind == Kind.ABROAD:
        return gettext("The results of an event abroad are sent in by the player or the team manager (article 10).")
    if event.state not in REPORTABLE:
        return gettext("It is %(state)s: its results are not awaited.") % {"state": state_name(event.state)}
    if today <= event.ends:
        return gettext("It is not over yet: its results are awaited from the day after its last day on.")
    return ""


def report_kept_back(event: Event, *, party: str, account: str, at: datetime, by: User | None) -> KeptBackReport:
    """Tell the bureau, in the name of the Chief Organiser or the Chief Arbiter, that a played event is not submitted.

    A withdrawn event and a late registration that were played are reported, too. Raises EventError if its results are here or
    refused, or if it is reported already.
    """
    with transaction.atomic():
        current = _locked(event)
        problem = why_not_reported(current, today=timezone.localdate(at))
        if problem:
            raise EventError(problem)
        if current.kept_back_reports.filter(state=KeptBackReport.State.REPORTED).exists():
            raise EventError(gettext("It is reported already: the ratings officer will answer."))
        person = person_in_part(current, party, by)
        report = KeptBackReport(event=current, at=at, by=by, party=party, person=person, account=plain_text(account))
        save_recorded(report, at=at, by=by)
    return report


def answer_kept_back(report: KeptBackReport, *, taken_up: bool, at: datetime, by: User | None, answer: str) -> None:
    """Take up a report or dismiss it. Raises EventError without a reason, or if it is answered already."""
    states = KeptBackReport.State
    with transaction.atomic():
        current = lock_unanswered(report)
        record_answer(current, states.TAKEN_UP if taken_up else states.DISMISSED, at=at, by=by, answer=answer)


def _locked(event: Event) -> Event:
    return Event.objects.select_for_update().get(pk=event.pk)
