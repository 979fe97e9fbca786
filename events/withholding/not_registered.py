"""Reports of events that a region does not register, and their answers (articles 12.2, 57.3)."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from config.lib.database import save_recorded
from config.lib.texts import plain_text
from events.access import may_report_unregistered
from events.appeals.decisions import lock_unanswered, record_answer
from events.models import Arbiter, NotRegisteredReport
from events.operations import EventError
from players.models import Region


@dataclass(frozen=True, slots=True)
class UnregisteredEvent:
    """What a report says of its event."""

    name: str
    region: Region
    place: str
    starts: date
    ends: date


def report_not_registered(
    event: UnregisteredEvent, *, party: str, account: str, at: datetime, by: User
) -> NotRegisteredReport:
    """Tell the bureau, in the name of the Chief Organiser or the Chief Arbiter, that a region does not register an event.

    Raises EventError if the user may not report it, or has reported it and the answer waits.
    """
    if not may_report_unregistered(by):
        raise EventError(gettext("The Chief Organiser or the Chief Arbiter reports it (article 57.3)."))
    with transaction.atomic():
        # The lock lets the second of two reports at the same moment find the first.
        region = Region.objects.select_for_update(no_key=True, of=("self",)).get(pk=event.region.pk)
        facts = {"name": plain_text(event.name), "region": region, "starts": event.starts}
        if NotRegisteredReport.objects.filter(**facts, by=by, state=NotRegisteredReport.State.REPORTED).exists():
            raise EventError(gettext("It is reported already: the ratings officer will answer."))
        record = None if by.is_officer else Arbiter.objects.filter(user=by).first()
        report = NotRegisteredReport(
            **facts,
            place=plain_text(event.place),
            ends=event.ends,
            party=party,
            person=record.name if record else "",
            account=plain_text(account),
            at=at,
            by=by,
        )
        save_recorded(report, at=at, by=by)
    return report


def answer_not_registered(
    report: NotRegisteredReport, *, taken_up: bool, at: datetime, by: User | None, answer: str
) -> None:
    """Take up a report or dismiss it. Raises EventError without a reason, or if it is answered already."""
    states = NotRegisteredReport.State
    with transaction.atomic():
        current = lock_unanswered(report)
        record_answer(current, states.TAKEN_UP if taken_up else states.DISMISSED, at=at, by=by, answer=answer)
