"""Sends an event in by its declaration: at once where its files are small, else by a worker."""

import logging
from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone, translation

from accounts.models import User
from config.lib.leases import spare_attempt
from config.lib.texts import plain_text
from config.outages import GONE
from events.models import Declaration, Event
from events.operations import EventError
from events.rules.states import AWAITING_RESULTS
from events.submission.checker import FILES_AT_ONCE, MOST_ATTEMPTS, are_small
from events.submission.mails import tell_not_sent, tell_sent
from events.submission.operations import files_to_submit, require_ready, require_reason, submit_event, submit_ready

log = logging.getLogger(__name__)


def declare(event: Event, *, declared: bool, reason: str, shown: str | None, at: datetime, by: User) -> bool:
    """Submit an event whose files are small; keep its declaration for a worker if they are large.

    Return whether it is submitted. The arguments and the EventError are those of `submit_event`; what only the check finds is
    kept with the declaration. One that waits already stays as it is.
    """
    with transaction.atomic():
        present = require_ready(event, declared=declared, reason=reason, shown=shown, by=by)
        files = files_to_submit(present)
        if files.count() <= FILES_AT_ONCE and are_small(files):
            submit_ready(present, reason=reason, at=at, today=timezone.localdate(at), by=by)
            tell_sent(present, at=at, by=by, reason=reason)
            event.state = present.state
            return True
        if any(upload.report["counts"].get("hold") for upload in files):
            require_reason(reason)
        if not is_declared(present):
            asked = {"by": by, "at": at, "reason": plain_text(reason), "shown": shown or ""}
            anew = {"language": translation.get_language(), "attempts": 0, "error": ""}
            Declaration.objects.update_or_create(event=present, defaults=asked | anew)
    return False


def submit_declared(event_id: int) -> Event | None:
    """Submit an event whose declaration waits. A second call does no harm.

    If it cannot be submitted, keep why with its declaration, and return the event if its files are to be checked again.
    """
    waiting = Declaration.objects.filter(event=event_id, error="").select_related("event__region", "by")
    found = waiting.first()
    if found is None or is_at_work(event_id):
        return None
    if found.attempts >= MOST_ATTEMPTS:
        give_up(found)
        return None
    row = Declaration.objects.filter(pk=found.pk, at=found.at)
    try:
        row.update(attempts=F("attempts") + 1)
        with transaction.atomic(), translation.override(found.language):
            Event.objects.select_for_update().get(pk=event_id)
            # As an erasure may have left it meanwhile; one that comes waits.
            found = waiting.select_for_update(of=("self",)).first()
            if found is not None:  # else another worker has done it
                at, by, reason = found.at, found.by, found.reason
                today, shown = timezone.localdate(at), found.shown or None
                submit_event(found.event, declared=True, reason=reason, shown=shown, at=at, today=today, by=by)
                tell_sent(found.event, at=at, by=by, reason=reason)
    except EventError as error:
        _not_sent(row, str(error))
        return Event.objects.filter(pk=event_id, state__in=AWAITING_RESULTS).first()
    except GONE as error:  # the database is down: `rescue_declarations` tries again
        log.warning("event %s could not be sent in now", event_id, exc_info=True)
        spare_attempt(row, error)
    except Exception:  # a fault of ours must not break the page, on which it is declared again
        log.exception("event %s could not be sent in", event_id)
        _not_sent(row, Declaration.FAULT)
    return None


def give_up(declaration: Declaration) -> None:
    """Do not send an event in that keeps killing workers."""
    row = Declaration.objects.filter(pk=declaration.pk, at=declaration.at, attempts=declaration.attempts)
    _not_sent(row, Declaration.FAULT)


def _not_sent(row: QuerySet[Declaration], error: str) -> None:
    """Keep why an event was not sent in, and tell the region."""
    with transaction.atomic():
        if row.filter(error="").update(error=error):
            declaration = row.select_related("event__region", "by").get()
            tell_not_sent(declaration.event, at=declaration.at, by=declaration.by, problem=error)


def is_declared(event: Event) -> bool:
    """Return whether an event waits to be sent in by a worker."""
    return Declaration.objects.filter(event=event, error="").exists()


def is_being_sent(event: Event) -> bool:
    """Return whether a worker has an event in hand that waits to be sent in."""
    return is_declared(event) and is_at_work(event.pk)


def is_at_work(event_id: int) -> bool:
    """Return whether somebody has the event in hand, as a worker has who sends it in: for minutes, if its files are large.
    SQLite, to which one writes at a time, has whoever asks wait instead."""
    with transaction.atomic():
        return not Event.objects.select_for_update(skip_locked=True).filter(pk=event_id).exists()
