"""What becomes of stored files when they are kept no longer: the bureau's own record of the section takes their place."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from events.models import Section, Submission, SubmissionFinding, SubmittedFile
from events.public.tournament_file import trf26
from ratings.models import AmendingFile, Amendment

CLEARED: Final = "(cleared)"  # in the place of a name, or of what had one


def put_own_record(file: SubmittedFile, section: Section, *, at: datetime) -> None:
    """Put a section as the bureau has it, as TRF26, in the place of the file that was sent in. Every reader of files reads on;
    the hash stays that of the file that came, so that it is known again."""
    try:
        content = trf26(section)
    except ValueError:
        content = b""  # the section has what no file can hold
    SubmittedFile.objects.filter(pk=file.pk).update(content=content, replaced_at=at)


def unused() -> QuerySet[SubmittedFile]:
    """Return the files that nothing refers to any more: of an amendment that was given up, of a proof that was taken away."""
    amending = (~Exists(model.objects.filter(file=OuterRef("pk"))) for model in (Amendment, AmendingFile))
    return SubmittedFile.objects.filter(*amending, submissions=None, uploads=None, attachments=None)


def delete_unused(keys: Collection[int]) -> None:
    """Delete those of some files that nothing refers to any more."""
    unused().filter(pk__in=keys).delete()


def superseded(files: Collection[int]) -> QuerySet[Submission]:
    """Return the submissions of some files, by their keys, that are not in force: their section was sent in again, or is
    corrected by a new file."""
    of_section = Submission.objects.filter(section=OuterRef("section")).order_by("-pk")
    anew = Amendment.objects.exclude(file=None).values("section")
    return Submission.objects.filter(file__in=files).filter(
        ~Q(pk=Subquery(of_section.values("pk")[:1])) | Q(section__in=anew)
    )


def forget_findings(findings: Iterable[SubmissionFinding]) -> None:
    """Delete findings, but for what an officer waived: that he did stays, and why."""
    waived = {finding.pk: bool(finding.waived_at) for finding in findings}
    rows = SubmissionFinding.objects.filter(pk__in=waived)
    rows.filter(pk__in=[key for key, is_waived in waived.items() if is_waived]).update(message=CLEARED)
    rows.filter(pk__in=[key for key, is_waived in waived.items() if not is_waived]).delete()
