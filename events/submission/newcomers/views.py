"""The page with the table of a file's players: who they are, and the details of new ones."""

import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.permissions import acting_user
from config.languages import counted, in_readers_style
from config.lib import formatting
from config.lib.pages import position
from config.lib.texts import plain_text
from events.access import may_write, visible_events
from events.files.collector import Report
from events.files.sheet import sheet_rows
from events.models import Correction, Upload
from events.operations import EventError
from events.rules.limits import MAX_BYTES
from events.rules.states import AWAITING_RESULTS
from events.submission.checker import renew
from events.submission.finding_words import finding_said
from events.submission.newcomers.cells import COLUMNS, LONGEST_CELL, OTHER, WHO
from events.submission.newcomers.operations import LEFT_OVER, keep_table
from events.submission.newcomers.pasted import MOST_PASTED, Placed, cut_row, place_rows, split_rows
from events.submission.newcomers.queries import ALIKE, CHOSEN, NEWCOMER, NOT_LOOKED_UP, UNKNOWN, Row, Table, read_table
from events.submission.tasks import bring_up_to_date, check_or_wake
from events.submission.uploads import (
    is_outdated,
    locked_not_submitted,
    not_submitted,
    remove_correction,
    remove_new_players,
)
from players.administrators import birth_date_regions
from players.identity import CHESS_SA_ID
from players.merged import player_of
from players.models import Player, Region

LONGEST_PASTE = 500_000  # characters
MOST_TAGS = 160_000  # of a spreadsheet: 3,000 players with twelve cells each, four for a cell
_MOST_READINGS = 3  # of what was sent, while others type
_MOST_LISTED = 6  # problems above the table; each stands in its cell, too
_OF_A_LINE = ("take", "new", "search", "undo")
_FIELD = re.compile(rf"({'|'.join((*COLUMNS, OTHER, WHO))})-([0-9]{{1,6}})")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def players(request: HttpRequest, event: int, upload: int) -> HttpResponse:
    """Show the table, and keep what is answered and typed in it."""
    user, now = acting_user(request), timezone.now()
    own = get_object_or_404(visible_events(user).select_related("region"), pk=event)
    if not may_write(user, own):
        raise PermissionDenied
    if request.method == "POST":
        bring_up_to_date(own, at=now)
    found = _upload(own.pk, upload)
    if found is not None and is_outdated(found, today=timezone.localdate(now)):
        renew(found, today=timezone.localdate(now))
    # Of a file that could not be read there is nobody to ask about.
    if (
        found is None
        or own.state not in AWAITING_RESULTS
        or not (found.report.get("lines") or found.report.get("matched"))
    ):
        return redirect("events:results", event)
    return _sent(request, found, now) if request.method == "POST" else _page(request, found)


def _upload(event: int, upload: int) -> Upload | None:
    own = not_submitted(Upload.objects.filter(event=event)).exclude(section=None)
    return own.select_related("section", "event__region", "file").filter(pk=upload).first()


def _table(request: HttpRequest, upload: Upload, changing: str = "") -> Table:
    births_of = birth_date_regions(acting_user(request))
    changing = changing or request.POST.get("line", "") or request.GET.get("line", "")
    return read_table(upload, births_of=births_of, today=timezone.localdate(), changing=changing)


@dataclass(slots=True)
class _Said:
    """What was sent: who lines are, the texts of changed fields, the order of dates; `problems`: field and message."""

    answers: list[tuple[str, Player | None]] = field(default_factory=list)
    typed: dict[str, str] = field(default_factory=dict)
    order: str = ""
    placed: int = 0
    problems: list[tuple[str, str]] = field(default_factory=list)


def _sent(request: HttpRequest, upload: Upload, now: datetime) -> HttpResponse:
    verb, _, start = request.POST.get("do", "").partition("-")
    said = _read_and_keep(request, upload, verb, start, now)
    check_or_wake(upload, at=now)
    for other in not_submitted(upload.event.uploads.select_related("file")).exclude(pk=upload.pk):
        if other.pending:
            check_or_wake(other, at=now)
    present = _upload(upload.event_id, upload.pk)
    if present is None:
        return redirect("events:results", upload.event_id)
    table = _table(request, present, start if verb == "search" else "")
    wrong = {f"id_{name}" for name in said.typed}
    problems = said.problems + [problem for problem in table.problems if problem[0] in wrong]
    if said.placed:
        text = counted(said.placed, "%(count)s cell was pasted.", "%(count)s cells were pasted.")
        messages.success(request, text)
    if problems:
        with in_readers_style():
            return _page(request, present, problems=problems, after=start, table=table)
    if table.settled and verb not in ("undo", "quiet"):
        text = gettext("%(file)s: it is said who all players are.")
        messages.success(request, text % {"file": present.name})
        return _to_next_question(request, present)
    quiet = "&quiet=1" if verb == "quiet" else ""
    return redirect(f"{reverse('events:players', args=[upload.event_id, upload.pk])}?at={start}{quiet}")


def _read_and_keep(request: HttpRequest, upload: Upload, verb: str, start: str, now: datetime) -> _Said:
    """Read what was sent, keep it, and return it with its problems.

    Hazard: it is read without a lock, which on SQLite would be the whole database's, and kept under one only if nobody has
    typed or answered anything since; else it is read once more.
    """
    present = upload
    for _ in range(_MOST_READINGS):
        said = _Said()
        try:
            before = _state(present)
            table = _table(request, present, start if verb in _OF_A_LINE else "")
            _read_fields(request, table, said)
            row = next((row for row in table.rows if row.start == start), None)
            _read_action(request, table, verb, row, said)
            with transaction.atomic():
                locked = locked_not_submitted(present)
                if _state(locked) == before:
                    _keep(request, locked, verb, start, row, said, now)
                    return said
            present = _upload(upload.event_id, upload.pk) or present
        except EventError as error:
            said.problems.append(("", formatting.sentence(str(error))))
            return said
    said.problems.append(("", gettext("Others are typing into the table at this moment: send it again.")))
    return said


def _state(upload: Upload) -> tuple[Any, ...]:
    """Return all that is typed and answered of a file's players."""
    return upload.typed, list(upload.corrections.order_by("pk").values_list("pk", "value"))


def _keep(
    request: HttpRequest, locked: Upload, verb: str, start: str, row: Row | None, said: _Said, now: datetime
) -> None:
    try:
        if said.answers or said.typed or said.order:
            by, today = acting_user(request), timezone.localdate(now)
            keep_table(locked, said.answers, said.typed, order=said.order, at=now, today=today, by=by)
        if verb == "undo" and row is not None:
            _undo(row, now)
        elif verb == "undoall":
            remove_new_players(locked, position(start), at=now)
    except EventError as error:
        said.problems.append(("", formatting.sentence(str(error))))


def _to_next_question(request: HttpRequest, upload: Upload) -> HttpResponse:
    """Lead to the results page, at the question that follows the players of a section."""
    address = f"{reverse('events:results', args=[upload.event_id])}?after={upload.section_id}"
    if "HX-Request" in request.headers:
        return HttpResponse(headers={"HX-Redirect": address})
    return redirect(address)


def _undo(row: Row, now: datetime) -> None:
    correction = Correction.objects.select_related("upload__event").filter(pk=row.undo or 0).first()
    if correction is None:
        raise EventError(gettext("That answer is taken back already."))
    remove_correction(correction, at=now)


def _read_fields(request: HttpRequest, table: Table, said: _Said) -> None:
    """Read the fields that were changed since the page was shown; what somebody else has changed meanwhile stays."""
    try:
        shown = json.loads(request.POST.get("shown", "{}"))
    except (ValueError, RecursionError):
        shown = {}
    shown = shown if isinstance(shown, dict) else {}
    present, starts = table.fields(), {row.start for row in table.rows}
    for name, sent in request.POST.items():
        match = _FIELD.fullmatch(name)
        if match is None or match[2] not in starts:
            continue
        text, now = plain_text(str(sent))[:LONGEST_CELL], present.get(name, "")
        before = shown.get(name, now)
        if text in (before, now):
            continue
        if now != before and name in shown and match[1] not in (WHO, OTHER):
            message = gettext("Somebody has entered %(present)s meanwhile. You typed %(text)s.")
            said.problems.append((f"id_{name}", message % {"present": now or "–", "text": text or "–"}))
            continue
        said.typed[name] = text
    left, now = plain_text(request.POST.get(LEFT_OVER, table.left_over)), table.left_over
    before = shown.get(LEFT_OVER, now)
    if left not in (before, now):
        both = left if now == before else "\n".join(filter(None, (now, left)))
        said.typed[LEFT_OVER] = both[:LONGEST_PASTE]


def _read_action(request: HttpRequest, table: Table, verb: str, row: Row | None, said: _Said) -> None:
    if verb in _OF_A_LINE and (row is None or not row.is_open) and not (row and verb == "undo"):
        raise EventError(gettext("This was answered meanwhile, or is asked no more: look at the page as it is now."))
    if verb == "others":
        said.answers = [(unknown.start, None) for unknown in table.of(UNKNOWN)]
    elif verb == "new" and row is not None:
        said.answers = [(row.start, None)]
    elif verb in ("take", "search") and row is not None:
        _take(row, said, searching=verb == "search")
    elif verb == "same":
        said.answers = [(start, player) for start, number in table.same if (player := player_of(number))]
    elif verb in ("day", "month"):
        said.order = verb
    elif verb == "paste":
        _paste(request, table, split_rows(said.typed.pop(LEFT_OVER, table.left_over)), said)
    elif verb == "sheet":
        _paste(request, table, _sheet(request), said)


def _take(row: Row, said: _Said, *, searching: bool) -> None:
    """Take the chosen candidate, or whom the field for somebody else gives by an id; a name in it is looked up first."""
    names = {name: f"{name}-{row.start}" for name in (OTHER, WHO)}
    other = said.typed.get(names[OTHER], row.other if searching else "")
    number = re.search(rf"(?<![0-9]){CHESS_SA_ID}(?![0-9])", other)
    if number is None and (other or searching):
        return
    chosen = number[0] if number else said.typed.get(names[WHO], row.fields[names[WHO]])
    player = player_of(chosen) if chosen else None
    if player is not None:
        said.answers = [(row.start, player)]
        said.typed |= dict.fromkeys(names.values(), "")
    elif number is None:
        text = (
            gettext("%(number)s is on the register no more: choose somebody else.")
            if chosen
            else gettext("Say who it is.")
        )
        said.problems.append((f"id_{names[OTHER]}", f"{row.name}: {text % {'number': chosen}}"))


def _sheet(request: HttpRequest) -> list[list[str]]:
    file = request.FILES.get("sheet")
    if file is None:
        raise EventError(gettext("Choose a file first."))
    if (file.size or 0) > MAX_BYTES:
        raise EventError(gettext("At most %(most)s MB can be read.") % {"most": MAX_BYTES // 1_000_000})
    report = Report()
    read = sheet_rows(io.BytesIO(file.read()), report, most_bytes=2 * MAX_BYTES, most_tags=MOST_TAGS)
    rows = [cut_row(row[-1]) for row in islice(read, MOST_PASTED)]
    found = report.findings()
    if report.errors and found[0].line:
        words = {"line": found[0].line, "message": finding_said(found[0].message)}
        raise EventError(gettext("Line %(line)s: %(message)s") % words)
    if report.errors or not rows:
        raise EventError(finding_said(found[0].message) if found else gettext("The file is empty."))
    return rows


def _paste(request: HttpRequest, table: Table, rows: Sequence[Sequence[str]], said: _Said) -> None:
    """Place the rows; those that belong to no line stay in the field below the table."""
    if not rows:
        raise EventError(gettext("Copy the rows in the spreadsheet first, then paste them here."))
    new, regions = table.of(NEWCOMER), _region_words()
    match = _FIELD.fullmatch(request.POST.get("cell", ""))
    at = (match[1], match[2]) if match and match[1] in COLUMNS else None
    placed: Placed | None = None
    for candidates in (table.of(ALIKE, NOT_LOOKED_UP, UNKNOWN, NEWCOMER), new):
        lines = [{"start": row.start, "name": row.name} for row in candidates]
        placed = placed or place_rows(rows, lines, regions=regions, at=at)
    if placed is None:
        said.typed[LEFT_OVER] = "\n".join("\t".join(row) for row in rows)[:LONGEST_PASTE]
        raise_later = gettext(
            "It cannot be told whose rows these are. Copy the column of names, too, or put the cursor into the first cell."
        )
        said.problems.append((f"id_{LEFT_OVER}", raise_later))
        return
    present = table.fields()
    for name, text in placed.cells.items():
        if present.get(name) != text:
            said.typed[name] = text
    said.placed = len(placed.cells)
    said.typed[LEFT_OVER] = "\n".join(placed.left)[:LONGEST_PASTE]
    if placed.left:
        text = counted(
            len(placed.left),
            "%(count)s row belongs to no line of the table. It stands below.",
            "%(count)s rows belong to no line of the table. They stand below.",
        )
        said.problems.append((f"id_{LEFT_OVER}", text))


def _region_words() -> list[str]:
    return [word for pair in Region.objects.values_list("code", "name") for word in pair]


def _page(
    request: HttpRequest,
    upload: Upload,
    *,
    problems: Sequence[tuple[str, str]] = (),
    after: str = "",
    table: Table | None = None,
) -> HttpResponse:
    table = table or _table(request, upload)
    at = after or request.GET.get("line", "") or request.GET.get("at", "")
    quiet = "quiet" in request.GET
    context = {
        "here": "events",
        "event": upload.event,
        "upload": upload,
        "table": table,
        "last_new": max((row.undo or 0 for row in table.of(NEWCOMER)), default=0),
        "groups": [
            (ALIKE, table.of(ALIKE)),
            (NOT_LOOKED_UP, table.of(NOT_LOOKED_UP)),
            (UNKNOWN, table.of(UNKNOWN)),
            (NEWCOMER, table.of(NEWCOMER)),
            (CHOSEN, table.of(CHOSEN)),
        ],
        "with_names": any(cell.room for row in table.rows for cell in row.cells[:1]),
        "shown": json.dumps(table.fields() | {LEFT_OVER: table.left_over}),
        "focus": "" if quiet else table.next_open(at) or "id_back",
        "next_open": table.next_open(),
        "line": request.POST.get("line", "") or request.GET.get("line", ""),
        "problems": problems[:_MOST_LISTED],
        "more_problems": len(problems[_MOST_LISTED:]),
        "left_over": LEFT_OVER,
        "regions": Region.objects.order_by("code"),
    }
    return render(request, "events/submission/players.html", context, status=422 if problems else 200)
