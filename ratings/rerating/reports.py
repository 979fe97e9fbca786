"""Answers the reports of errors from which corrections come (articles 63, 64), and reopens them when those are taken back."""

from collections.abc import Iterable
from datetime import date, datetime

from accounts.models import User
from config.languages import in_english
from config.lib import formatting
from events.error_reports.mails import send_answer, send_reopened
from events.error_reports.operations import OPEN, answer_report, reopen_report
from events.models import ErrorReport
from ratings.models import Rerating


@in_english()
def corrected_text(reason: str) -> str:
    """Return the answer to a report when the corrected lists are published."""
    return f"It is corrected, and the lists that it concerns are published anew. {reason}"


@in_english()
def let_stand_text(month: date, reason: str) -> str:
    """Return the answer to a report when what was published is let stand; `month`: whose calculation is adjusted."""
    return (
        "You are right. The lists that are published stay as they are; the ratings are corrected by an adjustment, shown as"
        f" such, from the list after the games of {formatting.month(month)} on (article 64). {reason}"
    )


def reports_of(rerating: Rerating) -> list[ErrorReport]:
    """Return the reports from which a re-rating's amendments come. One query."""
    return list(ErrorReport.objects.filter(amendments__rerating=rerating))


def answer_reports(reports: Iterable[ErrorReport], answer: str, *, at: datetime, by: User | None) -> None:
    """Answer the reports among these that are open as corrected, each once, and mail the answer to their reporters."""
    for report in _distinct(reports):
        if report.state in OPEN and report.confirmed_at is not None:
            answer_report(report, corrected=True, at=at, by=by, answer=answer)
            report.refresh_from_db()
            send_answer(report)


def reopen_reports(reports: Iterable[ErrorReport], *, at: datetime, by: User | None, reason: str) -> None:
    """Look again at those of these reports that were answered as corrected, and tell their reporters why."""
    for report in _distinct(reports):
        if report.state == ErrorReport.State.CORRECTED:
            reopen_report(report, at=at, by=by, reason=reason)
            report.refresh_from_db()
            send_reopened(report, reason)


def _distinct(reports: Iterable[ErrorReport]) -> list[ErrorReport]:
    keys = {report.pk for report in reports}
    return list(ErrorReport.objects.filter(pk__in=keys).select_related("section__event", "player").order_by("pk"))
