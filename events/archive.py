"""Stores submitted files, once for each content, and the findings of their checks."""

import hashlib
from collections.abc import Iterable

from events.models import Submission, SubmissionFinding, SubmittedFile
from events.rules.findings import Finding


def store_file(content: bytes) -> SubmittedFile:
    """Return the stored file with a content, storing it if it is new."""
    digest = hashlib.sha256(content).hexdigest()
    return SubmittedFile.objects.get_or_create(sha256=digest, defaults={"content": content})[0]


def store_findings(submission: Submission, findings: Iterable[Finding]) -> None:
    """Store findings with a submission."""
    SubmissionFinding.objects.bulk_create(
        SubmissionFinding(
            submission=submission,
            severity=finding.severity,
            code=finding.code,
            message=finding.message,
            line=finding.line,
            column=finding.column,
            end_column=finding.end_column,
            article=finding.article,
        )
        for finding in findings
    )
