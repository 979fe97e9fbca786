"""Sends in an event's files by the code that does it, and takes it back: what they would give, before they are sent in."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext

from accounts.models import User
from events.models import Entry, Event, Game, Section, Upload
from events.operations import EventError, sections_to_rate
from events.rules.corrections import NEW, PLAYER, Corrections
from events.rules.findings import Severity
from events.rules.game_result import PLAYED
from events.submission.checker import are_small, are_small_together, section_file
from events.submission.operations import registered_with, write_upload
from events.submission.uploads import not_submitted, unanswered_proposals
from events.submission.validation import ValidatedFile, validate_file
from players.models import Player

_PLAYED = [result.value for result in PLAYED]


@dataclass(slots=True)
class Part:
    """A section as it would be sent in. `problem`: why nothing of it is shown, or "".

    `errors`: the findings that still block its file; `unknown`: lines of players who would be new, which was not confirmed
    yet; `undecided`: lines of which it is open who they are; `games`: played games of theirs; `penalties`: without an answer.
    """

    section: Section
    problem: str = ""
    errors: int = 0
    unknown: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    games: int = 0
    penalties: int = 0


@dataclass(slots=True)
class Rehearsal:
    """The sections of an event with their results on the database, until the block ends.

    `newcomers`: keys of the players who are on the register only as long; `undecided`: those of them who stand for lines of
    which it is open who they are.
    """

    parts: list[Part]
    newcomers: set[int] = field(default_factory=set)
    undecided: set[int] = field(default_factory=set)

    def leave_out_undecided(self) -> None:
        """Take away the games of lines of which it is open who they are, and count them: they change no rating yet."""
        for part in self.parts:
            theirs = Q(white__in=self.undecided) | Q(black__in=self.undecided)
            games = Game.objects.filter(theirs, section=part.section)
            part.games = games.filter(result__in=_PLAYED).count()
            games.delete()
        Entry.objects.filter(section__in=[part.section for part in self.parts], player__in=self.undecided).delete()


@contextmanager
def rehearsed(event: Event, *, at: datetime, today: date, by: User | None) -> Iterator[Rehearsal]:
    """Send in the files of an event as they are within this block, and undo it when it ends. Blocking findings do not count.

    Unknown players are new, and lines of which it is open who they are belong to players of their own. Files that cannot be
    read, or are too large to be checked within a request, are left out with the problem.
    """
    with transaction.atomic():
        # Hazard: lock the event first, as sending in does; the other order can deadlock.
        present = Event.objects.select_for_update(of=("self",)).select_related("region").get(pk=event.pk)
        sections = list(sections_to_rate(present).order_by("position", "pk"))
        files = not_submitted(present.uploads.filter(section__in=sections)).select_related("file")
        uploads = {upload.section_id: upload for upload in files}
        for section in sections:
            if section.pk in uploads:  # as sending in does: two sections may change their results for each other's
                section.results_hash = ""
                section.save(update_fields=["results_hash"])
        rehearsal, small = Rehearsal([]), are_small_together(present)
        for section in sections:
            section.event = present
            part = Part(section)
            rehearsal.parts.append(part)
            if section.pk in uploads and not (small and are_small(files.filter(section=section))):
                part.problem = gettext("The files are too large to be shown before they are sent in.")
            elif section.pk in uploads:
                _write(part, uploads[section.pk], rehearsal, at=at, today=today, by=by)
            elif not section.entries.exists():
                part.problem = gettext("No file yet.")
        yield rehearsal
        transaction.set_rollback(True)


def _write(part: Part, upload: Upload, rehearsal: Rehearsal, *, at: datetime, today: date, by: User | None) -> None:
    upload.section = part.section
    file = section_file(part.section, upload)
    confirmed = file.corrections.new
    supposed = _with_new(file.corrections, [line["start"] for line in upload.report.get("unknown", ())])
    file = replace(file, corrections=supposed, newcomers=frozenset(rehearsal.newcomers))
    try:
        validated = validate_file(file, today=today)
    except ValueError as error:
        part.problem = str(error)
        return
    if validated.tournament.errors:
        part.problem = gettext("The file cannot be read in full: its errors are corrected first.")
        return
    part.errors = upload.report.get("counts", {}).get("error", len(validated.errors))
    part.penalties = len(unanswered_proposals(upload))
    undecided = _take_open(part, validated, confirmed)
    lenient = _without_errors(validated, undecided, confirmed)
    try:
        with transaction.atomic():
            write_upload(upload, lenient, at=at, by=by)
    except (EventError, IntegrityError):
        part.problem = gettext("The file contradicts itself or another section: its errors are corrected first.")
        return
    fresh = registered_with(part.section, at=at)
    rehearsal.newcomers |= fresh
    stand_ins = Player.objects.filter(pk__in=fresh, entries__section=part.section, entries__number__in=undecided)
    rehearsal.undecided |= set(stand_ins.values_list("pk", flat=True))


def _with_new(corrections: Corrections, unknown: Iterable[int]) -> Corrections:
    """Return the answers with lines of unknown players as new ones: a player new in two sections is one here, too."""
    new = {str(number): NEW for number in unknown}
    return Corrections({**corrections.answers, PLAYER.code: {**new, **corrections.of(PLAYER)}})


def _take_open(part: Part, validated: ValidatedFile, confirmed: frozenset[int]) -> set[int]:
    """Note whose lines are open. Return the start numbers of those of which it is open who they are."""
    supposed = validated.file.corrections.new
    undecided: set[int] = set()
    taken: set[int] = set()
    for match in validated.matches:
        number = match.entrant.number
        twice = match.player is not None and match.player.pk in taken
        if match.player is not None:
            taken.add(match.player.pk)
        if twice or (match.player is None and not match.unknown and number not in supposed):
            undecided.add(number)
            part.undecided.append(match.entrant.called)
        elif match.player is None and number not in confirmed:
            part.unknown.append(match.entrant.called)
    return undecided


def _without_errors(validated: ValidatedFile, undecided: set[int], confirmed: frozenset[int]) -> ValidatedFile:
    """Return a checked file as if nothing blocked it. What is not confirmed has no ids: they may be another player's."""
    matches = tuple(
        replace(match, player=None, entrant=replace(match.entrant, national_id="", fide_id=""))
        if match.entrant.number in undecided or (match.player is None and match.entrant.number not in confirmed)
        else match
        for match in validated.matches
    )
    return replace(
        validated,
        tournament=replace(validated.tournament, entrants=tuple(match.entrant for match in matches)),
        matches=matches,
        fingerprint="",  # another section may have the same results, which is one of the errors
        findings=tuple(finding for finding in validated.findings if finding.severity is not Severity.ERROR),
    )
