"""Signed links to the page of a report, mailed to its reporter."""

from datetime import timedelta

from django.core import signing

from config.lib.tokens import row_of, signed_row
from events.models import ErrorReport

AGAIN = timedelta(minutes=10)  # after which who reports the same again gets another link
VALID = timedelta(days=7)  # to confirm; afterwards the page of a confirmed report stays

_SIGNER = signing.Signer(salt="events.error_reports.link")


def token_of(report: ErrorReport) -> str:
    """Return the part of the link's address that identifies a report."""
    return signed_row(_SIGNER, report)


def report_of(token: str) -> ErrorReport | None:
    """Return the report of a token; None if there is none."""
    return row_of(_SIGNER, token, ErrorReport.objects.select_related("section__event", "player"))
