"""Checks that a file, or its results, do not count for another section already: a section is rated once."""

import hashlib
from collections.abc import Collection

from events.models import Section, Submission, Upload
from events.rules.findings import Finding, Severity
from events.rules.states import State
from events.submission.hints import MessageHints
from events.submission.uploads import not_submitted

_FINAL = (State.PUBLISHED, State.REFUSED)
_ONE_OF_TWO = "Each section has its own games: take one of the two files away."


def repeats(
    section: Section | None, content: bytes, fingerprint: str, *, open_in: Collection[State], hints: MessageHints
) -> list[Finding]:
    """Return an error if another section has the file or its results. `section`: None for a new one.

    Only the latest file of a section counts. Sections of this event that get a new file, too, are left out, since two files
    may have been mixed up.
    """
    digest = hashlib.sha256(content).hexdigest()
    replaced = _replaced(section, open_in)
    beside = not_submitted(Upload.objects.filter(section__in=replaced)).filter(file__sha256=digest).first()
    if beside is not None:
        message = f"This very file is uploaded for {beside.section}, too. {_ONE_OF_TWO}"
        return [Finding(Severity.ERROR, "file-submitted-before", message)]
    own = [section.pk] if section else []  # a section may be corrected by its own file
    same = Submission.objects.filter(file__sha256=digest).exclude(section__in=[*own, *replaced])
    same = same.exclude(section__event__state=State.REGISTERED.value)  # what was recalled is not sent in
    for submission in same.select_related("section__event"):
        if submission.section.submissions.first() == submission:
            correction = _how_to_correct(submission.section, section, open_in, hints)
            message = f"This very file was submitted before, for {submission.section}. {correction}"
            return [Finding(Severity.ERROR, "file-submitted-before", message)]
    sections = Section.objects.filter(results_hash=fingerprint).exclude(pk__in=[*own, *replaced])
    other = sections.select_related("event").first() if fingerprint else None
    if other is None:
        return []
    message = f"The same results were submitted before, for {other}. {_how_to_correct(other, section, open_in, hints)}"
    return [Finding(Severity.ERROR, "results-submitted-before", message)]


def _replaced(section: Section | None, open_in: Collection[State]) -> list[int]:
    """Return the keys of the event's other sections that get a new file."""
    if section is None or section.event.state not in open_in:
        return []
    uploads = not_submitted(section.event.uploads.exclude(section=section).exclude(section=None))
    return [pk for pk in uploads.values_list("section", flat=True) if pk is not None]


def _how_to_correct(other: Section, section: Section | None, open_in: Collection[State], hints: MessageHints) -> str:
    if section and other.event_id == section.event_id and other.event.state in open_in:
        return _ONE_OF_TWO
    if other.event.state == State.RETURNED:
        return f"It was returned: submit the file for section {other.pk} ({hints.section.format(other.pk)})."
    if other.event.state in _FINAL:
        return f"A section is rated once, and this one is {other.event.state} and stays as it is."
    return f"A section is rated once; to correct it, have it returned, then submit it for section {other.pk}."
