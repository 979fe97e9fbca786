"""All findings and players of a file as CSV, of which a page shows a part. In English."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from config.lib.csv_lines import csv_lines
from config.lib.spreadsheets import cell
from events.models import Submission
from events.submission.compare import as_seen
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


def matched_players(report: dict[str, Any], births_of: Collection[int | None]) -> str:
    """Return the lines of a file that are players on the register, with what they were recognised by.

    `births_of`: the regions of whose players the reader may see the birth dates.
    """
    lines = (as_seen(line, births_of) for line in report.get("matched", []))
    rows = ([line["start"], line["name"], line["known"], line["number"], line["reason"]] for line in lines)
    return _table(("no", "in_file", "register", "chess_sa_id", "why"), rows)


def _table(heading: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    return "".join(csv_lines(_rows(heading, rows)))


def _rows(heading: Iterable[str], rows: Iterable[Iterable[Any]]) -> Iterator[list[str]]:
    yield list(heading)
    for row in rows:
        yield [cell(str(text)) for text in row]
