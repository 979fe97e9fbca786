"""Writes uploaded files of an event's sections and the answers to their checks. One transaction each."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from config.lib.texts import plain_name
from events.archive import sha256_of, store_file
from events.files.collector import quoted
from events.files.reader import refusal
from events.models import Correction, Event, Kind, Section, Upload
from events.operations import EventError, sections_to_rate
from events.rules.corrections import ARBITER, DETAILS, NEW, PENALTY, PLAYER
from events.rules.limits import MAX_BYTES
from events.rules.states import AWAITING_RESULTS
from events.submission.finding_words import finding_said
from events.submission.words import ANSWERS, too_large
from events.wording import state_name

# In which one user sends one file only once: a web server that has just started takes some seconds for each.
_AT_ONCE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: kind, key and value as in `events.rules.corrections`, and question and answer in words."""

    kind: str
    key: str
    value: str
    question: str
    answer: str


def not_submitted(uploads: QuerySet[Upload]) -> QuerySet[Upload]:
    """Return the uploads that are neither submitted nor discarded."""
    return uploads.filter(submission=None, discarded_at=None)


def unanswered_proposals(upload: Upload) -> list[str]:
    """Return the keys of the penalties that a checked file proposes and neither its uploader nor an officer has answered."""
    answered = {correction.key for correction in upload.corrections.all() if correction.kind == PENALTY.code}
    proposed = upload.report.get("proposals", [])
    return [row["key"] for row in proposed if not row["decided"] and row["key"] not in answered]


def is_outdated(upload: Upload, *, today: date) -> bool:
    """Return whether an upload can be submitted and its report is of another version of the registration, or of another day."""
    checked = not upload.pending and not upload.error and upload.event.state in AWAITING_RESULTS
    another_day = upload.event_version != upload.event.version or upload.checked_on != today
    # a report that was written before it had them lacks the lines of the table of players
    return checked and (another_day or ("matched" in upload.report and "lines" not in upload.report))


def take_file(
    event: Event, *, name: str, content: bytes, at: datetime, by: User | None, section: Section | None = None
) -> Upload:
    """Store a file for a section of an event, in place of the section's present one. Return the upload, still to be checked.

    Without `section` it is for the event's only section, or for the one that the check finds. One user's file that
    comes several times at once is taken once. Raises EventError if the event
    takes no results, or if the file is too large or no tournament file.
    """
    name = plain_name(name)
    if len(content) > MAX_BYTES:
        raise EventError(too_large(name, len(content)))
    problem = refusal(content, name)
    if problem:
        said = finding_said(problem)
        if quoted(name) in said:
            raise EventError(said)
        raise EventError(gettext("%(file)s is not taken: %(problem)s") % {"file": name, "problem": said})
    with transaction.atomic():
        present = _open_event(event)
        again = _sent_just_now(present, section, name=name, content=content, at=at, by=by)
        if again is not None:
            return again
        sections = list(sections_to_rate(present)[:2])
        if section is not None:
            _require_not_refused(section)
        if section is None and len(sections) == 1:
            section = sections[0]
        before = not_submitted(section.uploads.all()).first() if section is not None else None
        if before is not None:
            Upload.objects.filter(pk=before.pk).update(discarded_at=at)
        _recheck_neighbours(present, at=at)
        return Upload.objects.create(
            event=present,
            section=section,
            file=store_file(content),
            name=name[:255],
            at=at,
            asked_at=at,
            by=by,
            instead_of=before,
        )


def _sent_just_now(
    event: Event, section: Section | None, *, name: str, content: bytes, at: datetime, by: User | None
) -> Upload | None:
    """Return the upload that a button pressed once more, or a browser that tried again, sends a second time."""
    sent = not_submitted(event.uploads.all()).filter(name=name[:255], by=by, file__sha256=sha256_of(content), error="")
    if section is not None:
        sent = sent.filter(section=section)
    return sent.filter(at__gte=at - _AT_ONCE, at__lte=at + _AT_ONCE).first()


def push_file(section: Section, *, name: str, content: bytes, at: datetime, by: User | None) -> Upload:
    """Store a file that a program sends for a section, as `take_file` does; return the upload.

    The section's present file stays, with its answers, if it has the same bytes and name. Raises EventError.
    """
    name = plain_name(name)
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=section.event_id)
        present = not_submitted(section.uploads.all()).filter(name=name[:255], file__sha256=sha256_of(content)).first()
        if present is not None:
            return present
        return take_file(section.event, name=name, content=content, at=at, by=by, section=section)


def assign(upload: Upload, section: Section, *, at: datetime) -> None:
    """Move a file to a section. The section's present file takes its place, or is discarded if it had none.

    Raises EventError if the section is another event's, or refused.
    """
    with transaction.atomic():
        present = locked_not_submitted(upload)
        if section.event_id != present.event_id:
            raise EventError(
                gettext("%(section)s belongs to another event: choose a section of this one.") % {"section": section}
            )
        _require_not_refused(section)
        if present.section_id != section.pk:
            _move(present, section, at=at)
        request_check_locked(present, at=at)
        _recheck_neighbours(present.event, at=at)


def _move(upload: Upload, section: Section, *, at: datetime) -> None:
    left, place = upload.instead_of, upload.section_id
    there = not_submitted(section.uploads.all()).first()
    # the database allows one live file a section: this one must leave its section first
    Upload.objects.filter(pk=upload.pk).update(section=None)
    if there is not None and place is not None:
        Upload.objects.filter(pk=there.pk).update(section=place, instead_of=left)
        request_check_locked(there, at=at)
        upload.instead_of = there.instead_of
    elif there is not None:
        Upload.objects.filter(pk=there.pk).update(discarded_at=at)
        upload.instead_of = there
    else:
        upload.instead_of = None
        _bring_back(left, place, at=at)
    upload.section = section
    upload.save(update_fields=["section", "instead_of"])


def discard(upload: Upload, *, at: datetime) -> Upload | None:
    """Discard a file that is not submitted. Return the one that it had replaced, which is to be checked again, or None."""
    with transaction.atomic():
        present = locked_not_submitted(upload)
        present.discarded_at = at
        present.save(update_fields=["discarded_at"])
        _recheck_neighbours(present.event, at=at)
        return _bring_back(present.instead_of, present.section_id, at=at)


def _recheck_neighbours(event: Event, *, at: datetime) -> None:
    """Have files checked again that repeated another section's, or whose arbiters play there: it gets another file now."""
    for upload in not_submitted(event.uploads.all()):
        codes = {finding["code"] for group in upload.report.get("groups", []) for finding in group["findings"]}
        if codes & {"file-submitted-before", "results-submitted-before", "arbiter-plays"}:
            request_check_locked(upload, at=at)


def _bring_back(before: Upload | None, place: int | None, *, at: datetime) -> Upload | None:
    """Restore a discarded file, unless it is submitted or belongs to another section by now. Return it or None."""
    if before is None or before.submission_id is not None or before.section_id != place:
        return None
    Upload.objects.filter(pk=before.pk).update(discarded_at=None)
    request_check_locked(before, at=at)
    return before


def answer_questions(upload: Upload, answers: Sequence[Answer], *, at: datetime, by: User | None) -> None:
    """Store answers and ask for another check.

    Raises EventError if the file was replaced, or if one of the questions was answered otherwise meanwhile.
    """
    with transaction.atomic():
        present = locked_not_submitted(upload)
        new = {(answer.kind, answer.key): correction_of(present, answer, at=at, by=by) for answer in reversed(answers)}
        present.corrections.bulk_create(new.values(), ignore_conflicts=True)
        given = {(one.kind, one.key): one for one in present.corrections.all()}
        for answer in answers:
            correction = given[answer.kind, answer.key]
            if correction.value != answer.value:
                raise EventError(
                    gettext("This was answered meanwhile: %(answer)s Undo that first, if it is not right.")
                    % {"answer": ANSWERS.said(correction.answer)}
                )
        request_check_locked(present, at=at)
        if any(answer.kind == ARBITER.code for answer in answers):  # who served, served the event
            recheck_others(present, at=at)


def correction_of(upload: Upload, answer: Answer, *, at: datetime, by: User | None) -> Correction:
    """Return an answer as a row that is not saved yet."""
    return Correction(
        upload=upload,
        kind=answer.kind,
        key=answer.key,
        value=answer.value,
        question=answer.question,
        answer=answer.answer,
        at=at,
        by=by,
    )


def remove_correction(correction: Correction, *, at: datetime) -> None:
    """Take an answer back, and ask for another check. EventError when the file has given way to another."""
    with transaction.atomic():
        present = locked_not_submitted(correction.upload)
        present.corrections.filter(pk=correction.pk).delete()
        put_details_aside(present)
        request_check_locked(present, at=at)
        if correction.kind == ARBITER.code:
            recheck_others(present, at=at)


def put_details_aside(upload: Upload) -> None:
    """Keep the details of lines that are new players no more as typed text, for when they are again. The upload is locked.

    Hazard: a birth date given for a new player must not be compared with the register's, which it would find out.
    """
    rows = upload.corrections
    new = set(rows.filter(kind=PLAYER.code, value=NEW).values_list("key", flat=True))
    aside = [answer for answer in rows.filter(kind__in=DETAILS) if answer.key not in new]
    if aside:
        upload.typed = {f"{answer.kind}-{answer.key}": answer.value for answer in aside} | upload.typed
        upload.save(update_fields=["typed"])
        rows.filter(pk__in=[answer.pk for answer in aside]).delete()


def recheck_others(upload: Upload, *, at: datetime) -> list[Upload]:
    """Have the checked files of the other sections of the event checked again. Return them."""
    others = not_submitted(Upload.objects.filter(event=upload.event_id)).exclude(section=None).exclude(pk=upload.pk)
    found = list(others.filter(checked=F("asked")).select_related("file"))
    Upload.objects.filter(pk__in=[other.pk for other in found]).update(
        asked=F("asked") + 1, asked_at=at, attempts=0, error=""
    )
    return found


def remove_new_players(upload: Upload, last: int | None, *, at: datetime) -> None:
    """Take back that lines are new players, all at once; with a `last` answer not what was answered after it."""
    with transaction.atomic():
        present = locked_not_submitted(upload)
        new = present.corrections.filter(kind=PLAYER.code, value=NEW)
        (new if last is None else new.filter(pk__lte=last)).delete()
        put_details_aside(present)
        request_check_locked(present, at=at)


def request_check(upload: Upload, *, at: datetime) -> None:
    """Ask for another check, by a worker or within the request. Raises EventError if the file was replaced."""
    with transaction.atomic():
        request_check_locked(locked_not_submitted(upload), at=at)


def request_check_locked(upload: Upload, *, at: datetime) -> None:
    """Ask for another check of a file that is locked."""
    Upload.objects.filter(pk=upload.pk).update(asked=F("asked") + 1, asked_at=at, attempts=0, error="")


def _open_event(event: Event) -> Event:
    present = Event.objects.select_for_update().get(pk=event.pk)
    if present.kind == Kind.ABROAD:
        raise EventError(
            gettext("An event abroad has no file: its player’s games are sent in under “Results from abroad”.")
        )
    if present.state not in AWAITING_RESULTS:
        raise EventError(
            gettext("%(event)s is %(state)s: results are sent in for a registered or a returned event.")
            % {"event": present, "state": state_name(present.state)}
        )
    return present


def _require_not_refused(section: Section) -> None:
    if not sections_to_rate(section.event).contains(section):
        raise EventError(
            gettext("%(section)s is refused: it is rated only if an appeal is upheld (article 11).")
            % {"section": section}
        )


def locked_not_submitted(upload: Upload) -> Upload:
    """Lock a file that is still to be sent in, and return it. Raises EventError if it was replaced, or sent in."""
    _open_event(upload.event)
    present = Upload.objects.select_for_update(of=("self",)).get(pk=upload.pk)
    if present.discarded_at is not None or present.submission_id is not None:
        raise EventError(
            gettext("%(file)s has given way to another file, or is sent in: look at the page as it is now.")
            % {"file": present}
        )
    return present
