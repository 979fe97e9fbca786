"""A file that is sent in anew for a published section: small ones are checked in the request, large ones by a worker.

A worker writes in one transaction, with the file's row locked: if it dies, another takes the file up when the lease has run
out. Clock and actor are passed in.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.models import User
from config.lib import formatting
from config.lib.leases import free, lease_length, spare_attempt
from config.lib.shown_rows import Shown, first_of
from config.lib.texts import plain_name, plain_text, shortened
from config.outages import GONE
from events.archive import store_file
from events.models import ErrorReport, Section
from events.operations import EventError
from events.submission.anew import check_anew, content_anew
from events.submission.checker import are_small_contents
from events.submission.hints import ANEW_FORM_HINTS
from events.submission.validation import ValidatedFile
from players.models import Player
from ratings.models import AmendingFile
from ratings.rerating.amendments import amend, amended_content, require_as_shown, require_correctable

MOST_ATTEMPTS = 3
MOST_ENTRIES = 500  # of a section that is written anew within a request
FAULT = "it could not be read, which is a fault of this software: its log says more"

log = logging.getLogger(__name__)


def is_small(section: Section, content: bytes) -> bool:
    """Return whether a file, and the section that it replaces, are small enough for a request."""
    return are_small_contents([content]) and section.entries.count() <= MOST_ENTRIES


def check_file(
    section: Section, content: bytes, name: str, *, base: int, increment: int, chosen: Mapping[int, str], at: datetime
) -> ValidatedFile:
    """Check a file for a published section that is rated by a time control (minutes, seconds a move); `chosen`: start number →
    Chess SA id. Raises EventError for a choice of a player who is not there."""
    as_it_is = (base, increment) == (section.base_minutes, section.increment_seconds)
    try:
        return check_anew(
            section,
            content,
            name,
            today=timezone.localdate(at),
            base=None if as_it_is else base,
            increment=None if as_it_is else increment,
            chosen=chosen,
            hints=ANEW_FORM_HINTS,
        )
    except ValueError as error:
        raise EventError(str(error)) from None


def findings_of(validated: ValidatedFile) -> Shown[str]:
    """Return the first findings of a checked file, a line each."""
    return first_of(finding.as_line for finding in validated.findings)


def keep_file(
    section: Section,
    content: bytes,
    name: str,
    *,
    base: int,
    increment: int,
    chosen: Mapping[int, str],
    reason: str,
    report: ErrorReport | None,
    shown: str,
    at: datetime,
    by: User | None,
) -> AmendingFile:
    """Keep a large file for a worker, in the place of one that could not be taken. The caller wakes the worker.

    The arguments are those of `check_file` and `amend`. Raises EventError as `amend`, and if another file waits.
    """
    with transaction.atomic():
        section = Section.objects.select_for_update(of=("self",)).select_related("event").get(pk=section.pk)
        require_correctable(section, reason=reason)
        if AmendingFile.objects.filter(section=section, error="").exists():
            raise EventError("a new file for the section waits to be read: look at the page as it is")
        require_as_shown(amended_content(section), shown)
        AmendingFile.objects.filter(section=section).delete()
        return AmendingFile.objects.create(
            section=section,
            file=store_file(content),
            name=shortened(plain_name(name), 255),
            base_minutes=base,
            increment_seconds=increment,
            chosen=chosen,
            reason=plain_text(reason),
            report=report,
            shown=shown,
            at=at,
            by=by,
        )


def give_up_file(section: Section, key: int) -> None:
    """Give a new file up. Raises EventError if it is being read, was taken, or is not the one of this key any more."""
    with transaction.atomic():
        rows = AmendingFile.objects.filter(pk=key, section=section)
        row = rows.select_for_update(of=("self",), skip_locked=True).first()
        if row is None:
            raise EventError("the new file is being read, was taken or is given up already: look at the page as it is")
        row.delete()


def refuse_waiting(error: str) -> None:
    """Take none of the new files that wait, for a reason that the page of each one's section says."""
    _fail(AmendingFile.objects.filter(error=""), error)


def to_read(*, at: datetime) -> QuerySet[AmendingFile]:
    """Return the files that wait for a worker, or whose worker gave no sign while its lease lasted."""
    return AmendingFile.objects.filter(free(at=at), error="")


def process_file(key: int, *, clock: Callable[[], datetime] = timezone.now) -> None:
    """Make an amendment of a new file, unless another worker has it. Why it is none is kept on its row. A second call does no
    harm."""
    if not _claim(key, at=clock()):
        return
    waiting = AmendingFile.objects.filter(pk=key, error="")
    findings: Shown[str] = first_of([])
    try:
        row = waiting.select_related("file", "section__event__region", "section__period").first()
        if row is None or row.file is None:
            return
        at = clock()
        validated = check_file(
            row.section,
            bytes(row.file.content),
            row.name,
            base=row.base_minutes,
            increment=row.increment_seconds,
            chosen={int(number): player for number, player in row.chosen.items()},
            at=at,
        )
        findings = findings_of(validated)
        with transaction.atomic():
            present = waiting.select_for_update(of=("self",), skip_locked=True).first()
            if present is None:  # it is given up
                return
            _require_players(validated)
            after = content_anew(row.section, validated, at=at, by=None)
            amend(
                row.section,
                lambda _: after,
                reason=present.reason,
                at=at,
                by=present.by,
                report=present.report,
                file=present.file,
                shown=present.shown,
            )
            present.delete()
    except EventError as error:
        _fail(waiting, str(error), findings)
    except GONE as error:  # it is tried again when the lease has run out
        log.warning("new file %s could not be read now", key, exc_info=True)
        spare_attempt(waiting, error)
    except Exception:
        log.exception("new file %s could not be read", key)
        _fail(waiting, FAULT)


def _require_players(validated: ValidatedFile) -> None:
    """Raise EventError if a player of a checked file was merged or erased meanwhile."""
    players = [match.player.pk for match in validated.matches if match.player is not None]
    present = Player.objects.filter(merged_into=None, erased_at=None).in_bulk(players)
    if len(present) < len(set(players)):
        raise EventError("a player of the file was merged or erased while it was read: send it again")


def _claim(key: int, *, at: datetime) -> bool:
    with transaction.atomic():
        rows = to_read(at=at).filter(pk=key)
        row = rows.select_for_update(of=("self",), skip_locked=True).first()
        if row is None:
            return False
        if row.attempts >= MOST_ATTEMPTS:
            _fail(rows, FAULT)
            return False
        rows.update(attempts=F("attempts") + 1, lease_until=at + lease_length())
        return True


def _fail(rows: QuerySet[AmendingFile], error: str, findings: Shown[str] | None = None) -> None:
    """Keep why a new file was not taken, and not the file itself, which is sent anew."""
    found = {"findings": findings.rows, "more_findings": findings.more} if findings else {}
    rows.update(error=f"{formatting.sentence(error).removesuffix('.')}.", file=None, lease_until=None, **found)
