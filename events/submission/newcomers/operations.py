"""Writes what is said in the table of a file's players. One transaction each; every text is kept, read or not."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from config.languages import in_english
from config.lib.texts import plain_text
from events.models import Correction, Upload
from events.operations import EventError
from events.rules.corrections import FIDE_ID, NEW, PLAYER
from events.submission.newcomers.cells import BIRTH, COLUMNS, ID, Reading, cell_of, known_order, read_cell
from events.submission.uploads import (
    Answer,
    answer_questions,
    correction_of,
    locked_not_submitted,
    put_details_aside,
    request_check_locked,
)
from players.id_bearers import known_as
from players.models import Player, Region

LEFT_OVER = "pasted"  # the key of the rows that were pasted and belong to no line
_NOTHING = {"birth": "no date of birth", "sex": "no gender", "given": "no full first name", "fide": "no FIDE id"}


def keep_table(
    upload: Upload,
    answers: Sequence[tuple[str, Player | None]],
    typed: Mapping[str, str],
    *,
    order: str = "",
    at: datetime,
    today: date,
    by: User | None,
) -> None:
    """Keep who lines are, and what was typed of them; take the details of new players that can be read.

    `answers`: start number and player, None for a new one; `typed`: field → text, "" to take back what stood there; `order`:
    which of day and month stands first in dates that can be two days, "" if it is not said. What cannot be read, or is of a
    line of which it is not said who it is, stays as it was typed.
    Raises EventError if the file was replaced, if somebody else has answered otherwise meanwhile, or if its report has no such
    line: it is that of an earlier release, or of before the file had a section.
    """
    with transaction.atomic(), in_english():
        present = locked_not_submitted(upload)
        lines = {
            str(line["start"]): line for line in [*present.report.get("lines", []), *present.report.get("matched", [])]
        }
        if any(start not in lines for start, _ in answers):
            raise EventError(
                gettext("This was answered meanwhile, or is asked no more: look at the page as it is now.")
            )
        if answers:
            answer_questions(
                present, [_who_is(start, lines[start]["name"], player) for start, player in answers], at=at, by=by
            )
        _put(present, {field: plain_text(text) for field, text in typed.items()})
        said = {start for start, _ in answers}
        fields = [
            field
            for field in present.typed
            if field in typed or cell_of(field)[1] in said or cell_of(field)[0] == BIRTH
        ]
        _take_readable(present, fields, order=order, at=at, today=today, by=by)
        present.save(update_fields=["typed"])
        put_details_aside(present)
        request_check_locked(present, at=at)


def _who_is(start: str, name: str, player: Player | None) -> Answer:
    line = f"{name} (start number {start})"
    answer = f"{line} is {known_as(player)}." if player else f"{line} is a new player."
    return Answer(PLAYER.code, start, player.number if player else NEW, f"Who is {line}?", answer)


def _put(upload: Upload, texts: Mapping[str, str]) -> None:
    """Keep texts in place of what stands in their cells."""
    taken = {(answer.kind, answer.key): answer for answer in upload.corrections.all()}
    gone: list[int] = []
    for field, text in texts.items():
        column, start = cell_of(field)
        kind = FIDE_ID.code if column == ID else column
        answer = taken.get((kind, start)) if column in COLUMNS else None
        if answer is not None:
            if answer.value == text:
                continue
            gone.append(answer.pk)
        upload.typed.pop(field, None)
        if text:
            upload.typed[field] = text
    upload.corrections.filter(pk__in=gone).delete()


def _take_readable(
    upload: Upload, fields: Iterable[str], *, order: str, at: datetime, today: date, by: User | None
) -> None:
    """Take what can be read of some fields. Hazard: thousands may be kept that cannot be read; each is read when
    it is typed, and when it is said who its line is, but dates of birth whenever another may tell their order."""
    new = set(upload.corrections.filter(kind=PLAYER.code, value=NEW).values_list("key", flat=True))
    lines = {str(line["start"]): line for line in upload.report.get("lines", []) if str(line["start"]) in new}
    waiting = {field: upload.typed[field] for field in fields if cell_of(field)[1] in lines}
    order = order or known_order(text for field, text in waiting.items() if cell_of(field)[0] == BIRTH)
    regions = dict(Region.objects.values_list("code", "name"))
    taken: dict[tuple[str, str], Correction] = {}
    for field, text in waiting.items():
        column, start = cell_of(field)
        if column not in COLUMNS:
            continue
        line = lines[start]
        reading = read_cell(column, text, line, regions=regions, today=today, order=order)
        if reading.problem:
            continue
        del upload.typed[field]
        if reading.kind:
            answer = _answer(start, line["name"], reading)
            taken[answer.kind, start] = correction_of(upload, answer, at=at, by=by)
    upload.corrections.bulk_create(
        taken.values(),
        update_conflicts=True,
        unique_fields=["upload", "kind", "key"],
        update_fields=["value", "question", "answer", "at", "by"],
    )


def _answer(start: str, name: str, reading: Reading) -> Answer:
    who = f"{name} (start number {start})"
    if reading.kind == PLAYER.code:
        return Answer(PLAYER.code, start, reading.value, f"Who is {who}?", f"{who} is {reading.shown}.")
    if reading.kind in _NOTHING:
        question, answer = f"{name}: {_NOTHING[reading.kind]}", f"{name}: {reading.shown}."
    else:
        question, answer = f"{name}: no region", f"{name}: region {reading.shown}."
    return Answer(reading.kind, start, reading.value, question, answer)
