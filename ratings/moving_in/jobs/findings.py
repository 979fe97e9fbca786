"""The findings of a list in the summary of its job: errors, for which nothing of it can be taken, and what else to look at."""

from collections.abc import Mapping
from typing import Any

from events.rules.findings import Finding, Severity


def kept(finding: Finding) -> dict[str, Any]:
    """Return a finding as a job's summary keeps it among its `findings`, with its place in words."""
    return {**finding.as_dict(), "place": finding.place}


def has_errors(summary: Mapping[str, Any]) -> bool:
    """Return whether the list that was read has errors."""
    return any(_is_error(finding) for finding in summary.get("findings", ()))


def shown(summary: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the findings as the pages of all kinds show them: `errors`, and `notes`, what else was found."""
    findings = summary.get("findings", [])
    return {
        "errors": [finding for finding in findings if _is_error(finding)],
        "notes": [finding for finding in findings if not _is_error(finding)],
    }


def _is_error(finding: Mapping[str, Any]) -> bool:
    return bool(finding["severity"] == Severity.ERROR)
