"""Mails about reports of errors: the link to confirm, the officers' notice, the answer."""

from datetime import timedelta
from typing import Any

from accounts.models import User
from accounts.outbox.operations import LINK_KEPT
from accounts.outbox.queue import send
from config.languages import in_english
from config.lib.site import site_address
from events.error_reports.links import VALID, token_of
from events.error_reports.queries import report_name, timeliness
from events.models import ErrorReport


def send_link(report: ErrorReport) -> None:
    """Mail a visitor the link to confirm a report."""
    _send("error_report_link", report, [report.reporter_email], valid=VALID)


def tell_officers(report: ErrorReport) -> None:
    """Tell the officers of a report."""
    officers = User.objects.filter(is_officer=True, is_active=True).values_list("email", flat=True)
    _send("error_report", report, sorted(officers))


def send_answer(report: ErrorReport) -> list[str]:
    """Mail the answer to the reporter. Return the addresses."""
    return _send("error_report_answer", report, [report.reporter_email])


def send_reopened(report: ErrorReport, reason: str) -> None:
    """Mail the reporter that the correction of what was reported is no longer in force, and why."""
    _send("error_report_reopened", report, [report.reporter_email], reason=reason)


@in_english()
def _send(
    name: str, report: ErrorReport, to: list[str], *, valid: timedelta = LINK_KEPT, reason: str = ""
) -> list[str]:
    context: dict[str, Any] = {
        "report": report,
        "name": report_name(report),  # to the reporter
        "reason": reason,
        "timeliness": timeliness(report),
        "days": VALID.days,
        "desk": site_address("admin:events_errorreport_changelist"),
    }
    links = {"link": site_address("events:error-report", token_of(report))}
    there = [address for address in to if "@" in address]  # the reporter's may have been erased
    return send(f"events/mail/{name}", context, there, about=report, links=links, valid=valid)
