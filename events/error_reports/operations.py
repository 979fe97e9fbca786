"""Writes on reports of errors: send, confirm, attach proof, take up, answer. One transaction each (articles 63, 64)."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.models import User
from accounts.trail.operations import record
from config.lib.database import save_recorded
from config.lib.texts import plain_text
from events.attachments.operations import take
from events.error_reports.links import VALID
from events.models import Attachment, ErrorReport, Section
from events.operations import EventError
from players.models import Player

OPEN = (ErrorReport.State.RECEIVED, ErrorReport.State.LOOKED_AT)


@dataclass(frozen=True, slots=True)
class ReportedError:
    """What a report says. `month`: first day of the rating period in which it was played."""

    section: Section | None
    player: Player | None
    round: int | None
    month: date
    wrong: str
    right: str
    proof_url: str
    role: str
    name: str
    email: str


def report_error(error: ReportedError, *, at: datetime, by: User | None) -> tuple[ErrorReport, bool]:
    """Save a report; return it, and whether it is new. A user's is confirmed at once, a visitor's by its mailed link.

    What is sent twice is one report, also at the same moment.
    """
    facts = {
        "section": error.section, "player": error.player, "round": error.round, "month": error.month,
        "wrong": plain_text(error.wrong), "right": plain_text(error.right), "proof_url": error.proof_url,
        "role": error.role, "reporter_name": plain_text(error.name), "reporter_email": error.email.strip().lower(), "by": by,
    }  # fmt: skip
    with transaction.atomic():
        facts["player"] = _locked_player(error)
        twin = ErrorReport.objects.filter(**facts, state__in=OPEN).first()
        if twin is not None:
            return twin, False
        report = ErrorReport(**facts, at=at, confirmed_at=at if by else None)
        save_recorded(report, at=at, by=by)
    return report, True


def never_confirmed(at: datetime) -> QuerySet[ErrorReport]:
    """Return visitors' reports whose link no longer opens, and which were not confirmed by it."""
    return ErrorReport.objects.filter(confirmed_at=None, at__lte=at - VALID)


def _locked_player(error: ReportedError) -> Player | None:
    """Let reports on one section or player be taken one after the other, so that the second finds the first. Return the player
    as he is then: his data may be erased meanwhile, which locks him before his sections, too."""
    player = None
    if error.player is not None:
        player = Player.objects.select_for_update(of=("self",), no_key=True).get(pk=error.player.pk)
    if error.section is not None:
        Section.objects.select_for_update(no_key=True).get(pk=error.section.pk)
    return player


def confirm(report: ErrorReport, *, at: datetime) -> bool:
    """Confirm a visitor's report; return False if it is confirmed already. Raises EventError after the link's last day."""
    with transaction.atomic():
        current = ErrorReport.objects.select_for_update(of=("self",)).get(pk=report.pk)
        if current.confirmed_at is not None:
            return False
        if at >= current.at + VALID:
            raise EventError(gettext("The link held for %(days)s days: report the error again.") % {"days": VALID.days})
        current.confirmed_at = at
        save_recorded(current, at=at, by=None)
    return True


def attach_proof(report: ErrorReport, name: str, content: bytes, *, at: datetime, by: User | None) -> Attachment:
    """Attach a file to a confirmed report that is open. Raises EventError if it is not, or if the file is not taken."""
    with transaction.atomic():
        current = ErrorReport.objects.select_for_update(of=("self",)).get(pk=report.pk)
        if current.confirmed_at is None:
            raise EventError(gettext("Confirm the report first."))
        if current.state not in OPEN:
            raise EventError(
                gettext("The report is %(state)s: nothing can be added to it.") % {"state": current.get_state_display()}
            )
        return take(name, content, at=at, by=by, report=current)


def take_up(report: ErrorReport, *, at: datetime, by: User | None) -> None:
    """Mark a received report as being looked at. Raises EventError if it is not just received."""
    with transaction.atomic():
        current = _locked(report)
        if current.state != ErrorReport.State.RECEIVED:
            raise EventError(f"it is {current.get_state_display()} already")
        current.state = ErrorReport.State.LOOKED_AT
        save_recorded(current, at=at, by=by)
        event = current.section.event if current.section else None
        record("being looked at", current, at=at, by=by, part_of=event)


def answer_report(report: ErrorReport, *, corrected: bool, at: datetime, by: User | None, answer: str) -> None:
    """Answer a report as corrected or rejected, once and with a reason. Raises EventError."""
    answer = plain_text(answer)
    with transaction.atomic():
        current = _locked(report)
        if current.answered_at is not None:
            raise EventError(f"it is {current.state} already")
        state = ErrorReport.State.CORRECTED if corrected else ErrorReport.State.REJECTED
        if not answer:
            wanted = "what was corrected" if corrected else "why nothing is corrected"
            raise EventError(f"write the answer to the reporter as the reason: {wanted}")
        current.state, current.answer, current.answered_at, current.answered_by = state, answer, at, by
        save_recorded(current, at=at, by=by)
        event = current.section.event if current.section else None
        record(str(state), current, at=at, by=by, part_of=event, after={"report": state.label}, reason=current.answer)


def reopen_report(report: ErrorReport, *, at: datetime, by: User | None, reason: str) -> None:
    """Look at a report again that was answered as corrected, because the correction is no longer in force. Raises EventError if
    it is not answered so."""
    with transaction.atomic():
        current = _locked(report)
        if current.state != ErrorReport.State.CORRECTED:
            raise EventError(f"it is {current.state} and not corrected")
        former = current.answer
        current.state, current.answer, current.answered_at, current.answered_by = (
            ErrorReport.State.LOOKED_AT,
            "",
            None,
            None,
        )
        save_recorded(current, at=at, by=by)
        event = current.section.event if current.section else None
        record("reopened", current, at=at, by=by, part_of=event, before={"answer": former}, reason=reason)


def _locked(report: ErrorReport) -> ErrorReport:
    current = ErrorReport.objects.select_for_update(of=("self",)).get(pk=report.pk)
    if current.confirmed_at is None:
        raise EventError("its reporter has not confirmed it")
    return current
