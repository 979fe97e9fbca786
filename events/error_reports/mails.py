"""Mails about reports of errors: the link to confirm, the officers' notice, the answer."""

import logging

from django.http import HttpRequest
from django.urls import reverse

from accounts.models import User
from events.error_reports.links import VALID, token_of
from events.error_reports.queries import timeliness
from events.mails import send_from_site
from events.models import ErrorReport

_log = logging.getLogger(__name__)


def send_link(request: HttpRequest, report: ErrorReport) -> None:
    """Mail a visitor the link to confirm a report. Raises OSError if it cannot be sent."""
    _send(request, "error_report_link", report, [report.reporter_email])


def tell_officers(request: HttpRequest, report: ErrorReport) -> None:
    """Tell the officers of a report. A mail that cannot be sent is only logged: the report is on their desk anyway."""
    officers = User.objects.filter(is_officer=True, is_active=True).values_list("email", flat=True)
    try:
        _send(request, "error_report", report, sorted(officers))
    except OSError:
        _log.exception("the officers could not be told of the report %s of an error", report.pk)


def send_answer(request: HttpRequest, report: ErrorReport) -> list[str]:
    """Mail the answer to the reporter. Return the addresses. Raises OSError if it cannot be sent."""
    return _send(request, "error_report_answer", report, [report.reporter_email])


def _send(request: HttpRequest, name: str, report: ErrorReport, to: list[str]) -> list[str]:
    context = {
        "report": report,
        "timeliness": timeliness(report),
        "days": VALID.days,
        "link": request.build_absolute_uri(reverse("events:error-report", args=[token_of(report)])),
        "desk": request.build_absolute_uri(reverse("admin:events_errorreport_changelist")),
    }
    return send_from_site(request, name, context, to)
