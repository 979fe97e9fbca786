"""Checking an uploaded file: by a worker, or by the page that changed something. Doing it twice does no harm."""

import logging
from collections.abc import Iterable
from datetime import date, datetime

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F

from events.files.reader import read
from events.models import Arbiter, Correction, Event, Section, Submission, Upload
from events.operations import EventDetails, sections_to_rate
from events.registration.queries import registration_of
from events.rules.corrections import NEW, Corrections, corrections_from, still_holds
from events.rules.penalties import proposals
from events.rules.registration import SectionData
from events.rules.tournament import Tournament
from events.submission.differences import differences
from events.submission.matching import PAGE_HINTS
from events.submission.report import make_report, visible
from events.submission.uploads import OPEN, live
from events.submission.validation import CODE_PAGE, SectionFile, ValidatedFile, validate_file
from players.identity import fold

MOST_ATTEMPTS = 3
MOST_BEFORE = 3  # files of a section whose answers may go on holding
FAULT = "The file could not be checked, which is a fault of this software: tell the ratings bureau."

log = logging.getLogger(__name__)


def check(upload_id: int, *, at: datetime, today: date) -> None:
    """Bring an upload's report up to date, unless it is. What is asked for meanwhile is done at once, too."""
    while True:
        upload = (
            live(Upload.objects.all())
            .filter(pk=upload_id)
            .select_related("file", "event__region", "section", "by")
            .first()
        )
        if upload is None or upload.checked == upload.asked:
            return
        Upload.objects.filter(pk=upload.pk).update(attempts=F("attempts") + 1)
        try:
            if upload.section is None:
                _guess_section(upload, at=at)
            if not upload.checked:
                _carry_over(upload)
            report = report_of(upload, today=today)
        except (OperationalError, InterfaceError):  # the database was not there: `rescue_uploads` has it tried again
            log.warning("upload %s could not be checked now", upload.pk, exc_info=True)
            return
        except Exception:  # a fault of ours: it must not take the page with it, on which the file can be taken away
            log.exception("upload %s could not be checked", upload.pk)
            Upload.objects.filter(pk=upload.pk, asked=upload.asked).update(error=FAULT)
            return
        Upload.objects.filter(pk=upload.pk, asked=upload.asked).update(
            report=report,
            checked=upload.asked,
            attempts=0,
            error="",
            progress=100,
            stage="",
            event_version=upload.event.version,
        )


def report_of(upload: Upload, *, today: date) -> dict[str, object]:
    """The report of a file as it stands now, with what changed against the section's file before."""
    if upload.section is None:
        tournament = read_upload(upload, Corrections())
        read_ = {"name": visible(tournament.name), "players": len(tournament.entrants)}
        return {"read": read_, "counts": {}, "groups": []}

    def tell(stage: str, percent: int) -> None:
        Upload.objects.filter(pk=upload.pk).update(stage=stage, progress=percent)

    file = section_file(upload.section, upload)
    prepared = validate_file(file, today=today, tell=tell)
    report = make_report(prepared, file.planned)
    readable = not prepared.tournament.errors
    report["proposals"] = proposal_rows(prepared) if readable else []
    before = _file_before(upload)
    if before is not None:
        name, tournament = before
        report["before"] = name
        report["changes"] = [one.sentence for one in differences(tournament, prepared.read)]
    return report


def proposal_rows(prepared: ValidatedFile) -> list[dict[str, object]]:
    """The penalties that a file proposes, each with the key by which it is answered."""
    names = {entrant.number: entrant.name for entrant in prepared.tournament.entrants}
    decided = _decided(prepared)
    return [
        {
            "key": one.key,
            "kind": one.kind.value,
            "start": one.number,
            "name": names[one.number],
            "round": one.round,
            "rounds": one.rounds,
            "points": points,
            "decided": decided.get(one.key, ""),
        }
        for one, points in prepared.penalties
    ]


def _decided(prepared: ValidatedFile) -> dict[str, str]:
    """What the officer has decided of a section's penalties, in words, by the key of the proposal that it answers."""
    starts = {match.player.pk: match.entrant.number for match in prepared.matches if match.player is not None}
    section = prepared.file.section
    final = section.penalties.filter(final=True, player__in=starts) if section else []
    return {f"{one.kind}-{starts[one.player_id]}-{one.round}": one.said for one in final}


def section_file(section: Section, upload: Upload) -> SectionFile:
    """An upload as it is prepared: the file beside its registration and the uploader's answers."""
    event, corrections = section.event, _corrections(upload)
    appointed = list(event.appointments.order_by("position").values_list("arbiter__name", flat=True))
    appointed += Arbiter.objects.filter(pk__in=corrections.arbiters).values_list("name", flat=True)
    return SectionFile(
        content=bytes(upload.file.content),
        filename=upload.name,
        base=section.base_minutes,
        increment=section.increment_seconds,
        event=EventDetails(**{name: getattr(event, name) for name in EventDetails.__dataclass_fields__}),
        format=section.format,
        section=section,
        open_in=OPEN,
        planned=_planned(event, section),
        chief_arbiter=next(iter(appointed), ""),
        corrections=corrections,
        ways=PAGE_HINTS,
    )


def read_upload(upload: Upload, corrections: Corrections) -> Tournament:
    """What an upload's file says, in the code page that its uploader chose."""
    return read(bytes(upload.file.content), upload.name, corrections.encoding or CODE_PAGE)


def _corrections(upload: Upload) -> Corrections:
    return corrections_from(upload.corrections.values_list("kind", "key", "value"))


def _planned(event: Event, section: Section) -> SectionData:
    places = list(event.sections.order_by("position", "pk").values_list("pk", flat=True))
    return registration_of(event).sections[places.index(section.pk)]


def _before(upload: Upload) -> Upload | None:
    return (
        Upload.objects.filter(section=upload.section, pk__lt=upload.pk).order_by("-pk").select_related("file").first()
    )


def _file_before(upload: Upload) -> tuple[str, Tournament] | None:
    """The section's file before this one, by name: uploaded here, or submitted elsewhere."""
    before = _before(upload)
    if before is not None:
        return before.name, read_upload(before, _corrections(before))
    submission = Submission.objects.filter(section=upload.section).select_related("file").first()
    return (submission.name, read(bytes(submission.file.content), submission.name)) if submission else None


def _guess_section(upload: Upload, *, at: datetime) -> None:
    """Take a file for the one section whose name stands in the tournament's or in the file's own; else somebody says it."""
    tournament = read_upload(upload, Corrections())
    words = set(fold(f"{tournament.name} {upload.name}").split())
    found = [
        section
        for section in sections_to_rate(upload.event)
        if section.name and set(fold(section.name).split()) <= words
    ]
    if len(found) != 1 or tournament.errors:
        return
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=upload.event_id)
        if live(found[0].uploads.all()).exists():
            return
        Upload.objects.filter(pk=upload.pk, section=None).update(section=found[0])
    upload.section = found[0]


def _carry_over(upload: Upload) -> None:
    """The answers to the section's files before go on holding, the latest first, down to the one that was submitted; each is
    still to be seen and undone."""
    section = upload.section
    if section is None or upload.corrections.exists():
        return
    held: dict[tuple[str, str], Correction] = {}
    for before in _earlier(upload, section):
        answers = list(before.corrections.all())
        if not answers:
            continue
        corrections = _corrections(before)
        old, new = read_upload(before, corrections), read_upload(upload, corrections)
        found = proposals(new, new.planned_rounds or section.planned_rounds, format=section.format)
        proposed = {one.key for one in found}
        if before.submission_id is not None:
            _now_registered(answers, section)
        for one in answers:
            open_ = one.kind != Correction.Kind.PENALTY or one.key in proposed or new.errors
            if open_ and still_holds(one.kind, one.key, one.value, old, new):
                held.setdefault((one.kind, one.key), one)
    Correction.objects.bulk_create((_again(one, upload) for one in held.values()), ignore_conflicts=True)


def _earlier(upload: Upload, section: Section) -> list[Upload]:
    """The section's files before, the latest first: those since it was submitted, and that one."""
    before = Upload.objects.filter(section=section, pk__lt=upload.pk).order_by("-pk").select_related("file")
    submitted = before.exclude(submission=None).first()
    since = before.filter(pk__gt=submitted.pk if submitted else 0)[:MOST_BEFORE]
    return [*since, *([submitted] if submitted else [])]


def _now_registered(corrections: Iterable[Correction], section: Section) -> None:
    """Whoever was new when the file was sent in is the player who was put on the register then."""
    players = {entry.number: entry.player for entry in section.entries.select_related("player")}
    for correction in corrections:
        if (
            correction.kind == Correction.Kind.PLAYER
            and correction.value == NEW
            and (player := players.get(int(correction.key)))
        ):
            correction.value, correction.answer = (
                player.number,
                f"{correction.answer.partition(' is a new')[0]} is {player}.",
            )


def _again(correction: Correction, upload: Upload) -> Correction:
    kept = ("kind", "key", "value", "question", "answer", "at", "by")
    return Correction(upload=upload, **{name: getattr(correction, name) for name in kept})
