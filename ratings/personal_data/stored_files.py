"""What becomes of stored files when they are kept no longer: the bureau's own record of the section takes their place."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from events.models import Section, SubmittedFile
from events.public.tournament_file import trf26
from ratings.models import AmendingFile, Amendment


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
