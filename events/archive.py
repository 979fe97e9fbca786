"""Stores submitted files, once for each content, and the findings of their checks; reads them again."""

import hashlib
from collections.abc import Iterable
from dataclasses import replace

from django.db import transaction

from events.files.codes import Code
from events.files.encodings import CODE_PAGE
from events.files.reader import read
from events.models import Section, Submission, SubmissionFinding, SubmittedFile, Upload
from events.rules.corrections import Corrections, corrections_from
from events.rules.findings import Finding
from events.rules.section_file import SectionFacts
from events.rules.tournament import TimeControl, Tournament


def sha256_of(content: bytes) -> str:
    """Return the hash under which a file is kept."""
    return hashlib.sha256(content).hexdigest()


def store_file(content: bytes) -> SubmittedFile:
    """Return the stored file with a content, storing it if it is new. Until the caller's transaction ends it is not cleared as
    one that nothing refers to."""
    with transaction.atomic():
        kept = SubmittedFile.objects.select_for_update(no_key=True)
        return kept.get_or_create(sha256=sha256_of(content), defaults={"content": content})[0]


def store_findings(submission: Submission, findings: Iterable[Finding]) -> None:
    """Store findings with a submission."""
    SubmissionFinding.objects.bulk_create(
        SubmissionFinding(
            submission=submission,
            severity=finding.severity,
            code=finding.code,
            message=finding.message,
            line=finding.line if len(finding.lines) < 2 else None,  # one of forty would be the wrong place
            column=finding.column,
            end_column=finding.end_column,
            article=finding.article,
        )
        for finding in findings
    )


def read_tournament(content: bytes, filename: str, corrections: Corrections) -> Tournament:
    """Return the content of a file, read in the code page that its uploader chose, which then is no question any more."""
    tournament = read(content, filename, corrections.encoding or CODE_PAGE)
    if not corrections.encoding:
        return tournament
    asked = Code.ENCODING_GUESSED.value
    return replace(tournament, findings=tuple(found for found in tournament.findings if found.code != asked))


def submitted_tournament(submission: Submission) -> Tournament:
    """Return the content of a submitted file, with the answers that were given to its checks."""
    upload = Upload.objects.filter(submission=submission).first()
    corrections = corrections_from(upload.corrections.values_list("kind", "key", "value") if upload else ())
    return corrections.applied(read_tournament(bytes(submission.file.content), submission.name, corrections))


def section_facts(section: Section, tournament: Tournament) -> SectionFacts:
    """Return a section as it stands, with its file, as input of the checks: without what else a check asks for."""
    return SectionFacts(
        tournament=tournament,
        time_control=TimeControl(section.base_minutes, section.increment_seconds),
        format=section.format,
        starts=section.starts,
        ends=section.ends,
        organiser="",
        chief_arbiter="",
        disabled=section.disabled,
    )
