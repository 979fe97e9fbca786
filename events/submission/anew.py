"""A file that is sent in anew for a section that is rated: the content that the section would have. Nothing is kept."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime

from django.db import transaction

from accounts.models import User
from events.amending.content import Content, as_new, read_content
from events.archive import read_tournament
from events.models import Penalty, Section
from events.rules.corrections import Corrections
from events.rules.states import ACCEPTED_OR_LATER
from events.rules.tournament import Entrant
from events.submission.hints import ANEW_COMMAND_HINTS, MessageHints
from events.submission.recording import write_section
from events.submission.validation import SectionFile, ValidatedFile, validate_file
from players.identity import fold


def check_anew(
    section: Section,
    content: bytes,
    filename: str,
    *,
    today: date,
    base: int | None = None,
    increment: int | None = None,
    chosen: Mapping[int, str] | None = None,
    hints: MessageHints = ANEW_COMMAND_HINTS,
) -> ValidatedFile:
    """Check a file for a section that is rated. Time control: the section's unless given; days: the section's unless the file
    has its own; `chosen`: who a line is, by start number; `hints`: where that is said. A line with the name of a line of the
    present file is the player whom that line was taken for.

    Raises ValueError if a choice names a start number or a player that is not there.
    """
    read = read_tournament(content, filename, Corrections())
    file = SectionFile(
        content=content,
        filename=filename,
        starts=None if read.starts else section.starts,
        ends=None if read.ends else section.ends,
        base=section.base_minutes if base is None else base,
        increment=section.increment_seconds if increment is None else increment,
        event=section.event,
        format=section.format,
        section=section,
        open_in=ACCEPTED_OR_LATER,
        control_reason="" if base is None and increment is None else "an officer's correction",
        chosen={**_as_before(section, read.entrants), **(chosen or {})},
        hints=hints,
    )
    return validate_file(file, today=today)


def content_anew(section: Section, validated: ValidatedFile, *, at: datetime, by: User | None) -> Content:
    """Return the content that a checked file gives the section, with the penalties that are decided. What the file proposes
    beside them is not in it: an officer adds what applies. Raises EventError if the file has errors."""
    before = read_content(section)
    with transaction.atomic():
        written = Section.objects.select_related("event__region").get(pk=section.pk)
        write_section(written, validated, at=at, by=by)
        after = read_content(written)
        transaction.set_rollback(True)
    penalties = [row for row in after["penalties"] if row["status"] != Penalty.Status.PROPOSED]
    return as_new({**after, "penalties": penalties}, before)


def _as_before(section: Section, entrants: Sequence[Entrant]) -> dict[int, str]:
    """Return who a line is, by start number, for the names that one line of the present file and one of the new one have."""
    rows = section.entries.values_list("name_in_file", "player__number")
    present = Counter(fold(name) for name, _ in rows)
    numbers = {fold(name): number for name, number in rows}
    anew = Counter(fold(entrant.called) for entrant in entrants)
    return {
        entrant.number: numbers[name]
        for entrant in entrants
        if anew[name := fold(entrant.called)] == 1 and present[name] == 1
    }
