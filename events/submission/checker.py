"""Checks an uploaded file, in a worker or in a request. A second check does no harm."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet, Sum
from django.db.models.functions import Length

from config.lib.leases import spare_attempt
from config.lib.names import shown
from config.outages import GONE
from events.archive import read_tournament
from events.files.extent import extent_of
from events.models import Arbiter, Correction, Event, Penalty, Section, Submission, Upload
from events.operations import sections_to_rate
from events.registration.queries import section_data
from events.rules.corrections import ENCODING, FIRST_NAME, KINDS, NEW, PENALTY, PLAYER, Corrections, corrections_from
from events.rules.penalties import points_lost
from events.rules.section_guess import SectionGuess, SectionKnown, guess_section, keys_of
from events.rules.states import AWAITING_RESULTS
from events.rules.tournament import Tournament
from events.submission.differences import differences
from events.submission.hints import PAGE_HINTS
from events.submission.other_sections import arbiters_among
from events.submission.report import MOST_LINES, make_report, newcomer_of, visible
from events.submission.uploads import is_outdated, not_submitted, recheck_others
from events.submission.validation import SectionFile, Tell, ValidatedFile, validate_tournament
from players.id_bearers import known_as

MOST_ATTEMPTS = 3
MOST_BEFORE = 3  # earlier files of a section whose answers are carried over
# Of a file that is checked within a request, where a format without lines has players; how many times as much all those of an
# event may have.
_BYTES_AT_ONCE, _LINES_AT_ONCE, _TOGETHER = 50_000, 500, 4
FILES_AT_ONCE = 6  # that are checked one after the other within a request: each looks for its players on the register
FAULT = "The file could not be checked, which is a fault of this software: tell the ratings bureau."

log = logging.getLogger(__name__)


def check(upload_id: int, *, today: date) -> list[Upload]:
    """Bring an upload's report up to date, also for checks that are asked for meanwhile.

    Return the files of the event's other sections to be checked again: an arbiter plays here, or plays here no longer.
    """
    others: dict[int, Upload] = {}
    while True:
        upload = (
            not_submitted(Upload.objects.all())
            .filter(pk=upload_id)
            .select_related("file", "event__region", "section", "by")
            .first()
        )
        if upload is None or (upload.checked == upload.asked and not is_outdated(upload, today=today)):
            return list(others.values())
        Upload.objects.filter(pk=upload.pk).update(attempts=F("attempts") + 1)
        try:
            report = _report(upload, today=today, tell=partial(_tell, upload))
            Upload.objects.filter(pk=upload.pk, asked=upload.asked).update(
                report=report,
                checked=upload.asked,
                attempts=0,
                error="",
                progress=100,
                stage="",
                event_version=upload.event.version,
                checked_on=today,
            )
        except GONE as error:  # the database is down: `rescue_uploads` tries again
            log.warning("upload %s could not be checked now", upload.pk, exc_info=True)
            spare_attempt(Upload.objects.filter(pk=upload.pk), error)
            return list(others.values())
        except Exception:  # a fault of ours must not break the page, on which the file can be discarded
            log.exception("upload %s could not be checked", upload.pk)
            Upload.objects.filter(pk=upload.pk, asked=upload.asked).update(error=FAULT)
            return list(others.values())
        if arbiters_among(upload.report, report):
            others |= {other.pk: other for other in recheck_others(upload, at=upload.asked_at)}


def _tell(upload: Upload, stage: str, percent: int) -> None:
    if is_small(upload):  # it is done before a page could show how far it is
        return
    Upload.objects.filter(pk=upload.pk).update(stage=stage, progress=percent)


def renew_all(uploads: Iterable[Upload], *, today: date) -> None:
    """Give outdated uploads the reports that a check would write now, as `renew` does, or mark all as waiting if they are more
    than FILES_AT_ONCE: `rescue_uploads` has them checked."""
    outdated = [upload for upload in uploads if upload.section and is_outdated(upload, today=today)]
    for upload in outdated:
        if len(outdated) > FILES_AT_ONCE:
            upload.asked += 1
        else:
            renew(upload, today=today)


def renew(upload: Upload, *, today: date) -> None:
    """Give an outdated upload the report that a check would write now, or mark it as waiting if it is large.

    Nothing is written to the database.
    """
    if upload.section is None:  # its report depends on the file alone
        return
    if not is_small(upload):
        upload.asked += 1
        return
    try:
        upload.report = _report(upload, today=today, tell=lambda stage, percent: None)
    except GONE:
        raise
    except Exception:  # as in `check`
        log.exception("upload %s could not be checked", upload.pk)
        upload.error = FAULT


def is_small(upload: Upload) -> bool:
    """Return whether a file is small enough to be checked within a request, which may check those of the event's other sections
    as well, and reads the section's earlier ones."""
    mine = Upload.objects.filter(pk=upload.pk)
    if not are_small(mine) or not are_small_together(upload.event):
        return False
    if upload.section is None:
        return True
    earlier = _earlier(upload, upload.section)
    sent = None if earlier else _sent_without_upload(upload.section)
    if sent is not None:
        return are_small_contents([bytes(sent.file.content)], _TOGETHER)
    return are_small(Upload.objects.filter(pk__in=[file.pk for file in earlier]), _TOGETHER)


def are_small_together(event: Event) -> bool:
    """Return whether all files of an event that are to be sent in are small enough for a request."""
    return are_small(not_submitted(Upload.objects.filter(event=event)), _TOGETHER)


def are_small(files: QuerySet[Upload], times: int = 1) -> bool:
    """Return whether files together are so many times as large, at most, as a small one."""
    if _bytes_of(files) > times * _BYTES_AT_ONCE:
        return False
    rows = list(files.values_list("file__content", "report__read__players"))
    players = sum(read or 0 for _, read in rows)  # a table may name two new ones on each line
    return players <= times * _LINES_AT_ONCE and are_small_contents([bytes(content) for content, _ in rows], times)


def are_small_contents(contents: Sequence[bytes], times: int = 1) -> bool:
    """Return whether files of these contents, in bytes, are so together, by what they hold at most (`extent_of`)."""
    extents = list(map(extent_of, contents))
    size, lines = sum(extent.bytes for extent in extents), sum(extent.lines for extent in extents)
    return size <= times * _BYTES_AT_ONCE and lines <= times * _LINES_AT_ONCE


def _bytes_of(files: QuerySet[Upload]) -> int:
    return files.order_by().aggregate(size=Sum(Length("file__content")))["size"] or 0


def _report(upload: Upload, *, today: date, tell: Tell) -> dict[str, Any]:
    """Return the report of a file, with the differences from the section's previous file.

    The first check also finds the section, and carries over answers to earlier files. The file is parsed once, and again if a
    carried-over answer is its code page.
    """
    tell("Reading the file", 10)
    tournament = _read(upload)
    guess = upload.report.get("guess")
    if upload.section is None:
        guessed = _guess_section(upload, tournament)
        guess = {"section": guessed.key, "reasons": guessed.reasons} if guessed else None
    if upload.section is None:
        read = {"name": visible(tournament.name), "players": len(tournament.entrants)}
        problem = visible(tournament.errors[0].as_line) if tournament.errors else ""
        return {"read": read, "counts": {}, "groups": [], "problem": problem, "guess": guess}
    earlier = _earlier(upload, upload.section)
    before = _read(earlier[0]) if earlier else None
    if not upload.checked and not upload.corrections.exists():
        tournament = _carry_over(upload, upload.section, tournament, earlier, before)
    validated = validate_tournament(section_file(upload.section, upload), tournament, today=today, tell=tell)
    report = make_report(validated, validated.file.planned)
    report["proposals"] = _proposal_rows(validated)
    report["officers"] = _officers_rows(validated)
    if guess and guess["section"] == upload.section.pk:  # not one that a user has moved
        report["guess"] = guess
    submission = None if earlier else _sent_without_upload(upload.section)
    if submission is not None:
        before = read_tournament(bytes(submission.file.content), submission.name, Corrections())
    if before is not None:
        report["before"] = submission.name if submission else earlier[0].name
        changes = [difference.sentence for difference in differences(before, tournament)]
        report["changes"], report["more_changes"] = changes[:MOST_LINES], len(changes[MOST_LINES:])
    return report


def _proposal_rows(validated: ValidatedFile) -> list[dict[str, object]]:
    """Return the penalties that a file proposes, each with the key of its answer and the officer's decision in words."""
    if not validated.penalties or validated.ends is None:
        return []
    names = {entrant.number: entrant.name for entrant in validated.tournament.entrants}
    players = {match.entrant.number: match.player.pk for match in validated.matches if match.player is not None}
    section = validated.file.section
    # one that was dropped and entered anew is the latter
    final = sorted(
        section.penalties.filter(final=True) if section else (),
        key=lambda penalty: penalty.status != penalty.Status.DROPPED,
    )
    decided = {(penalty.kind, penalty.player_id, penalty.round): penalty for penalty in final}
    return [
        {
            "key": proposal.key,
            "kind": proposal.kind.value,
            "start": proposal.number,
            "name": shown(names[proposal.number]),
            "round": proposal.round,
            "rounds": proposal.rounds,
            "points": points_lost(proposal, validated.ends),
            "decided": _decision(
                decided.get((proposal.kind.value, players.get(proposal.number, 0), proposal.round)),
                points_lost(proposal, validated.ends),
            ),
        }
        for proposal in validated.penalties
    ]


def _decision(penalty: Penalty | None, points: float) -> str:
    """Return an officer's decision in words, "" for none, and that it is taken anew if the file costs other points."""
    decision = penalty.decision if penalty else ""
    if penalty is None or not decision or float(penalty.points) == points:
        return decision
    return f"{decision}; that was for {penalty.cost}, so the officer decides anew"


def _officers_rows(validated: ValidatedFile) -> list[dict[str, object]]:
    """Return the officers' penalties of a file's section that the file does not propose."""
    section = validated.file.section
    if section is None:
        return []
    players = {match.entrant.number: match.player.pk for match in validated.matches if match.player is not None}
    proposed = {(proposal.kind.value, players.get(proposal.number), proposal.round) for proposal in validated.penalties}
    return [
        {
            "kind": penalty.kind,
            "name": penalty.player.name,
            "round": penalty.round,
            "points": float(penalty.points),
            "decided": penalty.decision,
        }
        for penalty in section.penalties.filter(final=True).select_related("player")
        if (penalty.kind, penalty.player_id, penalty.round) not in proposed
    ]


def section_file(section: Section, upload: Upload) -> SectionFile:
    """Return an upload as data for the check: the file, its registration and the uploader's answers."""
    event, corrections = section.event, _corrections(upload)
    appointed = list(event.appointments.order_by("position").values_list("arbiter__name", flat=True))
    appointed += Arbiter.objects.filter(pk__in=corrections.arbiters).values_list("name", flat=True)
    return SectionFile(
        content=bytes(upload.file.content),
        filename=upload.name,
        base=section.base_minutes,
        increment=section.increment_seconds,
        event=event,
        format=section.format,
        section=section,
        open_in=AWAITING_RESULTS,
        planned=section_data(section, tuple(round_.date for round_ in section.rounds.all())),
        chief_arbiter=next(iter(appointed), ""),
        corrections=corrections,
        hints=PAGE_HINTS,
    )


def _read(upload: Upload) -> Tournament:
    return read_tournament(bytes(upload.file.content), upload.name, _corrections(upload))


def _corrections(upload: Upload) -> Corrections:
    return corrections_from((answer.kind, answer.key, answer.value) for answer in upload.corrections.all())


def _guess_section(upload: Upload, tournament: Tournament) -> SectionGuess | None:
    """Return for which section a file is, and assign it, if the section has no file yet and the file can be read in full.

    Else the user places the file: what is guessed is offered first.
    """
    sections = list(sections_to_rate(upload.event).prefetch_related("entries__player"))
    files = {
        file.section_id: file
        for file in not_submitted(upload.event.uploads.filter(section__in=sections))
        if file.section_id
    }
    known = [
        SectionKnown(section.pk, section.name, frozenset(_players_so_far(section, files.get(section.pk))))
        for section in sections
    ]
    guess = guess_section(known, tournament, upload.name, year=upload.event.ends.year)
    if guess is None or tournament.errors:
        return guess
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=upload.event_id)
        guessed = next(section for section in sections if section.pk == guess.key)
        if not_submitted(guessed.uploads.all()).exists():
            return guess
        Upload.objects.filter(pk=upload.pk, section=None).update(section=guessed)
    upload.section = guessed
    return guess


def _players_so_far(section: Section, file: Upload | None) -> Iterator[str]:
    """Yield what the players of a section's results, and of its file that is to be sent in, are recognised by."""
    for entry in section.entries.all():
        yield from keys_of(entry.name_in_file, entry.player.number, entry.chess_sa_id_in_file)
    report = file.report if file else {}
    for part in ("matched", "questions", "unknown", "not_looked_up"):
        for line in report.get(part, ()):
            yield from keys_of(line["name"], line.get("number", ""), line.get("national_id", ""))
    for person in map(newcomer_of, report.get("new", ())):
        yield from keys_of(f"{person.last_name} {person.first_name}", person.national_id)


def _earlier(upload: Upload, section: Section) -> list[Upload]:
    """Return earlier files of the section, latest first: MOST_BEFORE since its last submission, and the submitted one."""
    before = Upload.objects.filter(section=section, pk__lt=upload.pk).order_by("-pk").prefetch_related("corrections")
    submitted = before.exclude(submission=None).first()
    since = before.filter(pk__gt=submitted.pk if submitted else 0)[:MOST_BEFORE]
    return [*since, *([submitted] if submitted else [])]


def _sent_without_upload(section: Section) -> Submission | None:
    """Return what was sent in of a section that has no earlier upload, as by a command."""
    return Submission.objects.filter(section=section).select_related("file").first()


def _carry_over(
    upload: Upload, section: Section, tournament: Tournament, earlier: Sequence[Upload], before: Tournament | None
) -> Tournament:
    """Copy answers to earlier files that still hold for a new one; of several answers to a question the latest counts.

    `before`: the latest of the `earlier` files. Return the tournament, read again if its code page was answered.
    """
    answered = [(file, list(file.corrections.all())) for file in earlier]
    encoding = _code_page(upload, answered) if tournament.sample_names else None
    if encoding is not None:
        chosen = corrections_from([(ENCODING.code, "", encoding.value)])
        tournament = read_tournament(bytes(upload.file.content), upload.name, chosen)
    starts = _starts_of_proposals(earlier)
    held = {(ENCODING.code, ""): encoding} if encoding is not None else {}
    for file, answers in answered:
        if not answers:
            continue
        old = before if file is earlier[0] and before is not None else _read(file)
        if file.submission_id is not None:
            _now_registered(answers, section)
        for answer in answers:
            # the key of a penalty's answer names a proposal, which is about one player
            key = str(starts.get(answer.key, 0)) if answer.kind == PENALTY.code else answer.key
            if KINDS[answer.kind].still_holds(key, answer.value, old, tournament):
                held.setdefault((answer.kind, answer.key), answer)
    upload.typed = _still_typed(earlier, before, tournament)
    Upload.objects.filter(pk=upload.pk).update(typed=upload.typed)
    Correction.objects.bulk_create((_again(answer, upload) for answer in held.values()), ignore_conflicts=True)
    return tournament


def _code_page(upload: Upload, answered: Iterable[tuple[Upload, Iterable[Correction]]]) -> Correction | None:
    """Return the latest answer that says how a file is written: of the section, else of the event, whose files one program
    has written."""
    own = [answer for _, answers in answered for answer in answers if answer.kind == ENCODING.code]
    if own:
        return own[0]
    others = Correction.objects.filter(kind=ENCODING.code, upload__event=upload.event_id).exclude(upload=upload)
    return others.order_by("-pk").first()


def _still_typed(earlier: Sequence[Upload], before: Tournament | None, tournament: Tournament) -> dict[str, str]:
    """Return what was typed in the table of players of the file before, and not taken, of the lines that are still the same
    person's."""
    if not earlier or before is None:
        return {}
    return {
        field: text
        for field, text in earlier[0].typed.items()
        if "-" not in field or FIRST_NAME.still_holds(field.partition("-")[2], text, before, tournament)
    }


def _starts_of_proposals(files: Sequence[Upload]) -> dict[str, int]:
    """Return key → start number of the penalties that some files proposed. Hazard: of all that were sent there is no end."""
    proposed = [file.report.get("proposals", ()) for file in files]
    return {row["key"]: row["start"] for rows in proposed for row in rows}


def _now_registered(corrections: Iterable[Correction], section: Section) -> None:
    """Replace answers that a player is new by the player who was registered with that file."""
    players = {entry.number: entry.player for entry in section.entries.select_related("player")}
    for correction in corrections:
        if correction.kind == PLAYER.code and correction.value == NEW and (player := players.get(int(correction.key))):
            correction.value, correction.answer = (
                player.number,
                f"{correction.answer.partition(' is a new')[0]} is {known_as(player)}.",
            )


def _again(correction: Correction, upload: Upload) -> Correction:
    kept = ("kind", "key", "value", "question", "answer", "at", "by_id")
    return Correction(upload=upload, **{name: getattr(correction, name) for name in kept})
