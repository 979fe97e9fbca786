"""All findings of a file as CSV, of which a page shows a part. In English."""

from collections.abc import Iterable, Iterator
from typing import Any

from config.lib.csv_lines import csv_lines
from config.lib.spreadsheets import cell
from events.models import Submission
from events.submission.page_parts import asked_groups
from events.submission.report import place_in_words

_FINDING = ("severity", "article", "place", "message")


def reported_findings(report: dict[str, Any]) -> str:
    """Return the findings of a report, in the order of the page."""
    findings = (finding for group in asked_groups(report) for finding in group["findings"])
    return _table(_FINDING, ([finding[name] for name in _FINDING] for finding in findings))


def submitted_findings(submission: Submission) -> str:
    """Return the findings of a submitted file, with the reasons why holds were waived. One query."""
    rows = (
        [
            finding.severity,
            finding.article,
            place_in_words(finding.line, finding.column, finding.end_column),
            finding.message,
            finding.waived_reason,
        ]
        for finding in submission.findings.all()
    )
    return _table((*_FINDING, "waived"), rows)


def _table(heading: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    return "".join(csv_lines(_rows(heading, rows)))


def _rows(heading: Iterable[str], rows: Iterable[Iterable[Any]]) -> Iterator[list[str]]:
    yield list(heading)
    for row in rows:
        yield [cell(str(text)) for text in row]
