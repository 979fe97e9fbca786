"""Files of results that name a person whose data is erased: the bureau's own record takes their place."""

import json
from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any, Final

from django.db.models import Q, QuerySet

from config.lib.zips import START
from events.files.reader import read
from events.models import Attachment, Section, Submission, SubmittedFile, Upload
from players.identity import fold
from ratings.models import Amendment
from ratings.personal_data.erasure.names import Names
from ratings.personal_data.erasure.person import Person
from ratings.personal_data.stored_files import delete_unused, put_own_record

_CODINGS: Final = ("utf-8", "cp1252", "utf-16-le")


def replace_files(person: Person, sections: Collection[int], names: Names, *, at: datetime) -> None:
    """Put the bureau's own record in the place of every file of results of the sections, by their keys, and of every other one
    that names him: of one that was sent in again with another player on his line. What was sent in with a report of him, or
    with one of his events and for no section, is deleted."""
    submissions = Submission.objects.filter(section__in=sections).order_by("pk")
    amendments = Amendment.objects.filter(section__in=sections).exclude(file=None)
    uploads = Upload.objects.filter(section__in=sections)
    keys = {key for rows in (submissions, amendments, uploads) for key in rows.values_list("file", flat=True)}
    keys.update(_naming(names))
    events = Section.objects.filter(pk__in=sections).values("event")
    _delete_with_files(Attachment.objects.filter(report__player__in=person.keys))
    _delete_with_files(Upload.objects.filter(event__in=events, section=None, submission=None))
    for file in SubmittedFile.objects.filter(pk__in=keys).order_by("pk").iterator(chunk_size=1):
        _replace(file, names, at=at)


def _replace(file: SubmittedFile, names: Names, *, at: datetime) -> None:
    submission = file.submissions.select_related("section__event__region").order_by("pk").first()
    upload = file.uploads.exclude(section=None).select_related("section__event__region").order_by("pk").first()
    amendment = Amendment.objects.filter(file=file).select_related("section__event__region").order_by("pk").first()
    if submission is not None and submission.format == "abroad":
        content = names.replaced(json.loads(bytes(file.content)), tied=True)
        SubmittedFile.objects.filter(pk=file.pk).update(content=json.dumps(content).encode(), replaced_at=at)
    elif (owner := submission or upload or amendment) is not None:
        assert owner.section is not None  # noqa: S101 - those without one are left out
        put_own_record(file, owner.section, at=at)
    else:
        _delete_with_files(file.uploads.all())


def _naming(names: Names) -> Iterator[int]:
    """Yield the keys of all files of results as they came that name somebody. One file is in memory at a time."""
    called = {name for name in names.sure if "@" not in name and len(name.split()) > 1}
    folded = {_key(name) for name in called}
    written = {text.encode(coding, "ignore").lower() for name in called for text in _cases(name) for coding in _CODINGS}
    words = {max(name.replace(",", " ").split(), key=len) for name in called}
    parts = {text.encode(coding, "ignore").lower() for word in words for text in _cases(word) for coding in _CODINGS}
    of_results = Q(submissions__isnull=False) | Q(uploads__isnull=False) | Q(pk__in=_amending())
    files = SubmittedFile.objects.filter(of_results, replaced_at=None).distinct().order_by("pk")
    for key, content in files.values_list("pk", "content").iterator(chunk_size=1):
        lowered = bytes(content).lower()
        likely = lowered.startswith(START.lower()) or any(text in lowered for text in parts)
        if any(text in lowered for text in written) or (
            likely and any(_key(entrant.name) in folded for entrant in read(bytes(content)).entrants)
        ):
            yield key


def _amending() -> QuerySet[Amendment, Any]:
    return Amendment.objects.exclude(file=None).values("file")


def _key(name: str) -> str:
    return " ".join(sorted(fold(name).split()))


def _cases(text: str) -> set[str]:
    """Return a text as it stands and in one case: of letters with accents bytes know no small ones."""
    return {text, text.upper(), text.lower()}


def _delete_with_files(rows: "QuerySet[Attachment] | QuerySet[Upload]") -> None:
    files = list(rows.values_list("file", flat=True))
    rows.delete()
    delete_unused(files)
