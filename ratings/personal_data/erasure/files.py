"""Files of results that name a person whose data is erased: the bureau's own record takes their place."""

import io
import json
import re
import struct
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zipfile import BadZipFile

from django.db.models import Q, QuerySet

from config.lib.names import normalized
from config.lib.zips import START, SentZip
from events.files.encodings import CODE_PAGES
from events.files.reader import read
from events.models import Attachment, Section, Submission, SubmissionFinding, SubmittedFile, Upload
from events.rules.limits import MAX_BYTES
from events.rules.states import DECIDED
from events.rules.tournament import Entrant
from events.submission.uploads import not_submitted
from players.identity import sorted_words
from ratings.models import AmendingFile, Amendment
from ratings.personal_data.erasure.names import Names
from ratings.personal_data.person import Person
from ratings.personal_data.stored_files import (
    CLEARED,
    delete_unused,
    forget_findings,
    put_own_record,
    superseded,
    unused,
)

_CODINGS: Final = ("utf-8", *(code_page for code_page, _ in CODE_PAGES), "utf-16-le", "utf-16-be")
_BETWEEN: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+")


def files_naming(sought: "Sought", *, after: int = 0) -> frozenset[int]:
    """Return the keys, `after` one, of all files of results as they came that name whoever is sought: in a line of a player, or
    anywhere in their text, as where a line or the whole file could not be read."""
    amending = Amendment.objects.exclude(file=None)
    used = [rows.values("file") for rows in (Submission.objects.all(), Upload.objects.all(), amending)]
    of_results = Q(pk__in=used[0]) | Q(pk__in=used[1]) | Q(pk__in=used[2])
    return frozenset(_naming(sought, SubmittedFile.objects.filter(of_results, pk__gt=after)))


def own_records(sections: Collection[int]) -> frozenset[int]:
    """Return the keys of the files of some sections in whose place the bureau's own record stands already."""
    of_sections = Q(submissions__section__in=sections) | Q(
        pk__in=Amendment.objects.filter(section__in=sections).values("file")
    )
    replaced = SubmittedFile.objects.exclude(replaced_at=None).filter(of_sections)
    return frozenset(replaced.values_list("pk", flat=True))


def unsent_naming(sought: "Sought") -> Upload | None:
    """Return an upload that can still be sent in and names whoever is sought, in its file or in what a check found; None if
    none does."""
    unsent = not_submitted(Upload.objects.exclude(event__state__in=DECIDED))
    files = list(_naming(sought, SubmittedFile.objects.filter(pk__in=unsent.values("file"))))
    return unsent.filter(_told_of(files, sought)).select_related("event").first()


def _told_of(files: Collection[int], sought: "Sought") -> Q:
    """Return the condition for uploads of some files, in which a check found a Chess SA id of whoever is sought, or whose table
    of players has a text that names him."""
    told = Q(file__in=files)
    for number in sought.numbers:
        told |= Q(report__icontains=number)
    typed = Upload.objects.exclude(typed={}).values_list("pk", "typed").iterator()
    return told | Q(pk__in=[key for key, texts in typed if any(map(sought.is_typed, texts.values()))])


def replace_files(
    person: Person,
    sections: Collection[int],
    files: Collection[int],
    names: Names,
    sought: "Sought",
    *,
    at: datetime,
) -> None:
    """Put the bureau's own record in the place of every file of results of the sections, and of the other `files` that name a
    person, all by their keys; what the checks found in them, or with one of his Chess SA ids, goes, but for what they found in
    those that are in force. What was sent in with a report of him, or with one of his events and for no section, is deleted."""
    submissions = Submission.objects.filter(section__in=sections)
    amendments = Amendment.objects.filter(section__in=sections).exclude(file=None)
    uploads = Upload.objects.filter(section__in=sections)
    keys = {key for rows in (submissions, amendments, uploads) for key in rows.values_list("file", flat=True)}
    keys.update(files)
    events = Section.objects.filter(pk__in=sections).values("event")
    _delete_with_files(Attachment.objects.filter(report__player__in=person.keys))
    _delete_with_files(Upload.objects.filter(event__in=events, section=None, submission=None))
    unused().delete()
    for file in SubmittedFile.objects.filter(pk__in=keys).order_by("pk").iterator(chunk_size=1):
        _replace(file, sections, names, sought.alone, at=at)
    forget_findings(SubmissionFinding.objects.filter(submission__in=superseded(keys)).exclude(message=CLEARED))
    _forget_findings(keys, sought)


def _forget_findings(files: Collection[int], sought: "Sought") -> None:
    """Forget what the checks found in files, and what they say of his Chess SA ids: names and lines stand there in pieces. What
    can still be sent in is checked again."""
    unchecked = {"checked": 0, "attempts": 0, "progress": 0, "stage": "", "error": ""}
    keys = list(Upload.objects.filter(_told_of(files, sought)).values_list("pk", flat=True))
    Upload.objects.filter(pk__in=keys).update(report={}, typed={})
    Upload.objects.filter(pk__in=keys, submission=None).update(**unchecked)
    told = Q(pk=None)
    for number in sought.numbers:
        told |= Q(error__contains=number) | Q(findings__icontains=number)
    AmendingFile.objects.filter(told).update(
        error="It could not be taken, and what was found is erased with personal data.", findings=[], more_findings=0
    )


def _replace(file: SubmittedFile, sections: Collection[int], names: Names, alone: Names, *, at: datetime) -> None:
    submission = file.submissions.select_related("section__event__region").order_by("pk").first()
    amendment = Amendment.objects.filter(file=file).select_related("section__event__region").order_by("pk").first()
    if submission is not None and submission.format == "abroad":
        content = (names if submission.section_id in sections else alone).replaced(
            json.loads(bytes(file.content)), tied=True
        )
        SubmittedFile.objects.filter(pk=file.pk).update(content=json.dumps(content).encode(), replaced_at=at)
    elif (owner := submission or amendment) is not None:
        put_own_record(file, owner.section, at=at)
    else:  # it was not sent in: of a section without results there is no record
        _delete_with_files(file.uploads.all())


@dataclass(frozen=True, slots=True)
class Sought:
    """What tells a person in a file of results. `sure` and `shared`: names, folded; a shared one is his with a birth date among
    `private`, which has his FIDE ids, too. `traces`: one of these bytes, in small letters, stands in each file with a line of
    his. `ids`: all his ids, as they stand in text. `alone`: what names him in texts that are about others."""

    sure: Collection[str]
    shared: Collection[str]
    numbers: Collection[str]
    private: Collection[str]
    traces: Collection[bytes]
    ids: re.Pattern[str]
    alone: Names

    @classmethod
    def of(cls, person: Person, names: Names) -> "Sought":
        """Return what tells a person with such names. Hazard: what his ids were is read from his history on the register."""
        numbers, fide_ids = person.numbers, person.fide_ids
        called = {name for name in (*names.sure, *names.shared) if "@" not in name and len(name.split()) > 1}
        ids = {text for text in names.private if text.isdecimal()}
        texts = {*numbers, *ids}.union(*map(_traces, called))
        traces = {text.encode(coding, "ignore") for text in texts for coding in _CODINGS} - {b""}
        traces |= {struct.pack("<I", int(text)) for text in ids if int(text) < 1 << 32}  # as Swiss-Manager keeps it
        sure = {sorted_words(name) for name in called.intersection(names.sure)}
        written = re.compile(rf"(?<!\w)(?:{'|'.join(sorted({*numbers, *map(str, fide_ids)}))})(?!\w)")
        return cls(
            sure,
            {sorted_words(name) for name in called} - sure,
            numbers,
            names.private,
            {trace.lower() for trace in traces},
            written,
            _alone(names),
        )

    def is_on(self, entrant: Entrant) -> bool:
        """Return whether a line of a file is his."""
        key, born = sorted_words(entrant.name), entrant.birth_date
        return (
            key in self.sure
            or entrant.national_id in self.numbers
            or entrant.fide_id in self.private
            or (key in self.shared and born is not None and born.isoformat() in self.private)
        )

    def is_typed(self, text: str) -> bool:
        """Return whether a line of a typed or pasted text has an id or all words of a name of his, in whatever cells."""
        for line in text.splitlines():
            words = set(sorted_words(re.sub(r"[\t,;]", " ", line)).split())
            if self.stands_in(line) or any(words.issuperset(name.split()) for name in (*self.sure, *self.shared)):
                return True
        return False

    def stands_in(self, text: str) -> bool:
        """Return whether an id of his stands in a text."""
        return self.ids.search(text) is not None


def _alone(names: Names) -> Names:
    """Return what names him in texts that are about others: not what is another's name, too."""
    return Names(names.pseudonym, sure=names.sure, private=names.private, others=names.others)


def _texts(part: bytes) -> Iterator[str]:
    """Yield what stands in a file of results or a part of it, read in each code that it may have."""
    for coding in _CODINGS:
        if coding.startswith("utf-16") and b"\0" not in part:
            continue  # a plain letter has one there
        # Among bytes that are no text, a letter of two of them may begin at any.
        for begins in (0, 1) if coding.startswith("utf-16") else (0,):
            text = normalized("NFC", part[begins:].decode(coding, "ignore"))
            # A table has semicolons between the parts of a name, a file of records their lengths, or nothing to a width.
            yield _BETWEEN.sub(" ", text).replace(";", ",")


def _parts(content: bytes) -> Iterator[bytes]:
    """Yield a file of results, and of a zip what each of its files is called and holds, one in memory at a time."""
    yield content
    if content.startswith(START):
        with suppress(BadZipFile), SentZip(io.BytesIO(content)) as archive:
            for member in archive.files:
                yield member.filename.encode("utf-8", "replace")
                if member.file_size <= MAX_BYTES:
                    yield archive.read(member)


def _traced(content: bytes, sought: "Sought") -> Iterator[bytes]:
    """Yield those parts of a file of results that may name whoever is sought."""
    for part in _parts(content):
        folded = part.lower()
        if any(trace in folded for trace in sought.traces):
            yield part


def _naming(sought: "Sought", files: QuerySet[SubmittedFile]) -> Iterator[int]:
    """Yield the keys of those of some files, as they came, that name whoever is sought. One file is in memory at a time."""
    as_they_came = files.filter(replaced_at=None).order_by("pk")
    for key, content in as_they_came.values_list("pk", "content").iterator(chunk_size=1):
        if next(_traced(bytes(content), sought), None) is None:
            continue
        if Submission.objects.filter(file=key, format="abroad").exists():
            form = json.loads(bytes(content))
            named = sought.alone.replaced(form, tied=True) != form
        else:
            named = any(map(sought.is_on, read(bytes(content)).entrants)) or any(
                sought.stands_in(text) or sought.alone.replaced(text, tied=False) != text
                for part in _traced(bytes(content), sought)
                for text in _texts(part)
            )
        if named:
            yield key


def _traces(name: str) -> set[str]:
    """Return texts of which one stands in each file with a name: its longest part that has one form in all code pages and both
    forms of Unicode; without one, its longest word in each form and in small letters, capitals and as it is written."""
    composed = normalized("NFC", name)
    if plain := re.findall(r"[a-z]{3,}", composed.lower()):
        return {max(plain, key=len)}
    word: str = max(re.findall(r"\w+", composed), key=len, default="")
    written = {word, word.lower(), word.upper()}
    return written | {normalized("NFD", cased) for cased in written}


def _delete_with_files(rows: "QuerySet[Attachment] | QuerySet[Upload]") -> None:
    files = list(rows.values_list("file", flat=True))
    rows.delete()
    delete_unused(files)
