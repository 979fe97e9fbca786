"""Submits an event: its sections' files with the uploader's answers, to the ratings officer (articles 57, 61)."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import date, datetime

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext, gettext_noop, ngettext

from accounts.models import User
from accounts.trail.operations import record
from config.lib.texts import plain_text
from events.access import require_write_access
from events.models import Appointment, Arbiter, Correction, Declaration, Event, Penalty, Section, Submission, Upload
from events.operations import EventError, move_event, sections_to_rate
from events.penalty_decisions import record_penalty_decision
from events.rules.corrections import ARBITER, PENALTY
from events.rules.findings import Finding, Severity
from events.rules.penalties import Proposal
from events.rules.states import AWAITING_RESULTS, State
from events.submission.checker import section_file
from events.submission.recording import write_section
from events.submission.uploads import not_submitted, unanswered_proposals
from events.submission.validation import ValidatedFile, validate_file
from events.submission.words import line_shown
from events.wording import state_name
from players.models import Player

DECLARATION = gettext_noop("All that the files and this page say of the event is complete and correct.")


def obstacles(event: Event, files: Collection[Upload]) -> list[Finding]:
    """Return the errors that keep an event from being submitted. `files`: those that are still to be sent in, also such as are
    for no section yet."""
    if event.state not in AWAITING_RESULTS:
        message = gettext("The event is %(state)s: there is nothing to send in.") % {"state": state_name(event.state)}
        return [Finding(Severity.ERROR, "event-not-open", message)]
    uploads = {upload.section_id: upload for upload in files if upload.section_id}
    findings: list[Finding] = []
    returned = event.state == State.RETURNED
    for section in sections_to_rate(event):
        upload = uploads.get(section.pk)
        if upload is None:
            if not (returned and section.entries.exists()):
                message = gettext("%(section)s has no file yet. Upload it.") % {"section": section_words(section)}
                findings.append(Finding(Severity.ERROR, "file-missing", message, section=section.pk))
        elif upload.pending or upload.error:
            message = gettext("%(file)s is not checked yet.") % {"file": upload.name}
            findings.append(Finding(Severity.ERROR, "file-not-checked", message, section=section.pk))
        elif errors := upload.report.get("counts", {}).get("error", 0):
            message = ngettext(
                "%(file)s: %(count)s error to correct.", "%(file)s: %(count)s errors to correct.", errors
            ) % {"file": upload.name, "count": errors}
            findings.append(Finding(Severity.ERROR, "file-with-errors", message, section=section.pk))
        elif unanswered := unanswered_proposals(upload):
            message = ngettext(
                "%(file)s: %(count)s penalty without an answer.",
                "%(file)s: %(count)s penalties without an answer.",
                len(unanswered),
            ) % {"file": upload.name, "count": len(unanswered)}
            findings.append(
                Finding(Severity.ERROR, "penalties-unanswered", message, article="51, 52", section=section.pk)
            )
    if not uploads:
        message = (
            gettext(
                "No corrected file is uploaded yet. If the registration alone was wrong, use the file of a section again."
            )
            if returned
            else gettext("No file is uploaded yet.")
        )
        findings = [Finding(Severity.ERROR, "file-missing", message)]
    return [*(_unplaced(upload) for upload in files if upload.section_id is None), *findings]


def _unplaced(upload: Upload) -> Finding:
    """Return the error that a file is for no section yet: it is neither sent in nor passed over."""
    message = gettext("%(file)s is for no section yet: say which, or take it away.")
    return Finding(Severity.ERROR, "file-unplaced", message % {"file": upload.name})


def version_shown(event: Event, uploads: Iterable[Upload]) -> str:
    """Return a text that changes with the registration, the files and the answers that a page shows."""
    checks = sorted((upload.pk, upload.asked) for upload in uploads)
    return "-".join([str(event.version), *(f"{key}.{asked}" for key, asked in checks)])


def submit_event(
    event: Event, *, declared: bool, reason: str, at: datetime, today: date, by: User | None, shown: str | None = None
) -> None:
    """Check the files of an event's sections once more and submit them, in one transaction.

    `declared`: the declaration of article 57.2 is made; `shown`: what the page showed, by `version_shown`. Raises EventError if
    it is not declared, if something is missing, if holds have no reason, or if something has changed since `shown`.
    """
    reason = plain_text(reason)
    with transaction.atomic():
        present = require_ready(event, declared=declared, reason=reason, shown=shown, by=by)
        submit_ready(present, reason=reason, at=at, today=today, by=by)
    event.state = present.state


def submit_ready(event: Event, *, reason: str, at: datetime, today: date, by: User | None) -> None:
    """Submit an event as `require_ready` has returned it, in the caller's transaction. Raises EventError as `submit_event`
    does, by what is found in the files."""
    reason = plain_text(reason)
    sections = {section.pk: section for section in sections_to_rate(event)}
    uploads = {upload.section_id: upload for upload in files_to_submit(event) if upload.section_id in sections}
    for key in uploads:  # two sections may change their results for each other's
        sections[key].results_hash = ""
        sections[key].save(update_fields=["results_hash"])
    holds, newcomers = 0, frozenset[int]()
    for key, upload in uploads.items():
        # One event for all its sections: each reaches over the days of those before.
        upload.section = sections[key]
        upload.section.event = event
        validated = _validated(upload, newcomers, today=today)
        holds += len(validated.holds)
        write_upload(upload, validated, at=at, by=by)
        newcomers |= registered_with(upload.section, at=at)
    if holds:
        require_reason(reason)
    move_event(event, State.SUBMITTED, at=at, by=by, reason=reason)
    Declaration.objects.filter(event=event).delete()


def files_to_submit(event: Event) -> QuerySet[Upload]:
    """Return the files of an event that are still to be sent in, in the order of their sections, each to be read when it is
    needed: together they may have hundreds of megabytes."""
    files = not_submitted(event.uploads.all()).select_related("file").defer("file__content")
    return files.order_by("section__position", "pk")


def require_ready(event: Event, *, declared: bool, reason: str, shown: str | None, by: User | None) -> Event:
    """Lock an event and return it as it is now. Raises EventError as `submit_event` does, by the checks that were made."""
    if not declared:
        held = [upload for upload in not_submitted(event.uploads.all()) if upload.report.get("counts", {}).get("hold")]
        declare = gettext("Declare that all information is correct (article 57.2).")
        more = gettext("Say, too, why the findings on hold should not stand in the way.") if held and not reason else ""
        raise EventError(f"{declare} {more}".rstrip())
    present = Event.objects.select_for_update(of=("self",)).select_related("region").get(pk=event.pk)
    require_write_access(by, present.region)
    files = list(files_to_submit(present))
    missing = obstacles(present, files)
    if missing:
        raise EventError(missing[0].message)
    rated = set(sections_to_rate(present).values_list("pk", flat=True))
    if shown not in (None, version_shown(present, (upload for upload in files if upload.section_id in rated))):
        raise EventError(
            gettext("A file, an answer or the registration was changed since you opened the page: look at it again.")
        )
    return present


def require_reason(reason: str) -> None:
    """Raise EventError if it is not said why findings on hold should not stand in the way (article 12)."""
    if not plain_text(reason):
        raise EventError(
            gettext("Say why the findings on hold should not stand in the way: the ratings officer reads it.")
        )


def section_words(section: Section) -> str:
    """Return what a section is called at the beginning of a sentence."""
    return gettext("Section %(name)s") % {"name": section.name} if section.name else gettext("The section")


def _validated(upload: Upload, newcomers: frozenset[int], *, today: date) -> ValidatedFile:
    assert upload.section is not None  # noqa: S101 - for the types
    try:
        validated = validate_file(replace(section_file(upload.section, upload), newcomers=newcomers), today=today)
    except ValueError as error:
        raise EventError(f"{upload.name}: {error}") from error
    if validated.errors:
        raise EventError(
            gettext("%(file)s: %(error)s Check the file again.")
            % {"file": upload.name, "error": line_shown(validated.errors[0].as_line)}
        )
    return validated


def write_upload(upload: Upload, validated: ValidatedFile, *, at: datetime, by: User | None) -> Submission:
    """Write a checked file with its uploader's answers as the results of its section, in the caller's transaction."""
    section = validated.file.section
    assert section is not None  # noqa: S101 - for the types
    proposed = {proposal.key: proposal for proposal in validated.penalties}
    answers = upload.corrections.select_related("by")
    corrections = [answer for answer in answers if answer.kind != PENALTY.code or answer.key in proposed]
    notes = [Finding(Severity.NOTE, f"corrected-{correction.kind}", correction.answer) for correction in corrections]
    submission = write_section(section, validated, at=at, by=by, notes=notes)
    submission.declaration = DECLARATION
    submission.save(update_fields=["declaration"])
    Upload.objects.filter(pk=upload.pk).update(submission=submission)
    served = [int(correction.key) for correction in corrections if correction.kind == ARBITER.code]
    _appoint(section.event, served, at=at, by=by)
    _decide(section, [(proposed[answer.key], answer) for answer in corrections if answer.kind == PENALTY.code])
    return submission


def registered_with(section: Section, *, at: datetime) -> set[int]:
    """Return the keys of the players whom a section's file put on the register at a moment."""
    return set(Player.objects.filter(entries__section=section, registered_at=at).values_list("pk", flat=True))


def _appoint(event: Event, arbiters: list[int], *, at: datetime, by: User | None) -> None:
    before = list(event.appointments.select_related("arbiter"))
    appointed = {appointment.arbiter_id for appointment in before}
    last = event.appointments.aggregate(last=Max("position"))["last"] or 0
    there = set(Arbiter.objects.filter(pk__in=arbiters).values_list("pk", flat=True))
    fresh = [arbiter for arbiter in arbiters if arbiter in there - appointed]
    Appointment.objects.bulk_create(
        Appointment(event=event, arbiter_id=arbiter, position=last + place, since=at)
        for place, arbiter in enumerate(fresh, start=1)
    )
    if fresh:
        after = event.appointments.select_related("arbiter")
        old, new = (", ".join(row.arbiter.name for row in rows) for rows in (before, after))
        record(
            "arbiters changed",
            event,
            at=at,
            by=by,
            before={"arbiters": old},
            after={"arbiters": new},
            reason="The region answered, beside a finding on the file, that they served.",  # it need not name them
        )


def _decide(section: Section, answers: list[tuple[Proposal, Correction]]) -> None:
    """Write the answers about proposed penalties, except those that an officer has decided."""
    players = dict(section.entries.values_list("number", "player_id"))
    penalties = {
        (penalty.kind, penalty.player_id, penalty.round): penalty for penalty in section.penalties.filter(final=False)
    }
    for proposal, answer in answers:
        penalty = penalties.get((proposal.kind.value, players[proposal.number], proposal.round))
        if penalty is None:
            continue
        status = Penalty.Status.DROPPED if answer.value else Penalty.Status.CONFIRMED
        if (status, answer.value) != (penalty.status, penalty.reason):  # else it is the answer to the file before
            record_penalty_decision(penalty, status, answer.value, by=answer.by, at=answer.at)
