"""Writes of the review page: a hold is waived by itself; a decision is made on what was shown. One transaction each."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256

from django.db import transaction
from django.db.models import Subquery
from django.utils import timezone

from accounts.models import User
from config.lib import formatting
from config.lib.texts import plain_text
from events.models import Event, EventMove, Penalty, Submission, SubmissionFinding
from events.operations import EventError, lock_event, open_holds, record_waiver
from events.rules.states import State
from players.administrators import called


class ChangedError(EventError):
    """What was decided on is no longer what the page showed."""


def version_of(
    event: Event, move: int | None, file: int | None, holds: Iterable[int], penalties: Iterable[tuple[int, str]]
) -> str:
    """Return a text that changes with all that a decision on an event rests on: the keys of its last move and its last file,
    its registration, the keys of the holds that are open, those of the penalties with their states. There may be thousands of
    either: of each the text has a hash."""
    decided = [f"{pk}{status[0]}" for pk, status in sorted(penalties)]
    hashes = [sha256(" ".join(keys).encode()).hexdigest()[:16] for keys in (map(str, sorted(holds)), decided)]
    return "-".join(map(str, (move or 0, file or 0, event.version, *hashes)))


def version_shown(event: Event) -> str:
    """Return the `version_of` an event as it is. Four queries."""
    move = event.moves.order_by("-pk").values_list("pk", flat=True).first()
    file = Submission.objects.filter(section__event=event).order_by("-pk").values_list("pk", flat=True).first()
    holds = open_holds(event).values_list("pk", flat=True)
    penalties = Penalty.objects.filter(section__event=event).values_list("pk", "status")
    return version_of(event, move, file, holds, penalties)


def note_opened(event: int, *, at: datetime) -> None:
    """Note that an officer has opened what was sent in: from now on its region no longer recalls it. One query."""
    # The recall locks this row: one of the two comes first.
    sent = EventMove.objects.filter(event=event, target=State.SUBMITTED.value).order_by("-pk").values("pk")[:1]
    moves = EventMove.objects.filter(pk=Subquery(sent), opened_at=None, event__state=State.SUBMITTED.value)
    moves.update(opened_at=at)


@contextmanager
def as_shown(event: Event, shown: str) -> Iterator[Event]:
    """Make a decision within this block, on an event that is still what the page showed; in one transaction.

    Yields the event as it is. Raises ChangedError, which says what has changed meanwhile.
    """
    with transaction.atomic():
        present = lock_event(event.pk)
        now = version_shown(present)
        if now != shown:
            raise ChangedError(
                f"{_what_changed(present, shown, now)} Look at it again; nothing of yours was carried out"
            )
        yield present


def _what_changed(event: Event, shown: str, now: str) -> str:
    then, since = shown.split("-"), now.split("-")
    if then[0] != since[0] or len(then) != len(since):
        move = event.moves.select_related("actor").last()
        if move is None:
            return f"The page of {event} did not come with what was sent."
        who = called(move.actor) if move.actor else move.role
        at = timezone.localtime(move.at)
        reason = f" “{move.reason}”" if move.reason else ""
        return f"{event} is {event.state} since {formatting.day(at)}, {at:%H:%M}, by {who}.{reason}"
    changed = (
        "",
        "a new file came",
        "its registration was changed",
        "its holds were decided",
        "its penalties were decided",
    )
    words = [text for text, old, new in zip(changed, then, since, strict=True) if old != new]
    return f"Since you opened the page of {event}, {' and '.join(words)}."


def waive_hold(event: Event, finding: int, *, at: datetime, by: User | None, reason: str) -> SubmissionFinding:
    """Waive one hold of a submitted event with its reason (article 12), as a row of the trail. Return it.

    Raises EventError without a reason, if the event is not with the officers, or if the hold is waived already or of a file
    that was replaced.
    """
    reason = plain_text(reason)
    with transaction.atomic():
        present = Event.objects.select_for_update().get(pk=event.pk)
        if present.state != State.SUBMITTED:
            raise EventError(f"{present} is {present.state} by now: its holds are no longer decided")
        hold = open_holds(present).filter(pk=finding).select_related("submission__section__event").first()
        if hold is None:
            raise EventError(_not_open(present, finding))
        if not reason:
            raise EventError("give the reason why this hold does not stand in the way (article 12)")
        hold.waived_by, hold.waived_at, hold.waived_reason = by, at, reason
        hold.save(update_fields=["waived_by", "waived_at", "waived_reason"])
        record_waiver(hold.submission.section, hold.message, at=at, by=by, reason=reason)
    return hold


def _not_open(event: Event, finding: int) -> str:
    waived = (
        SubmissionFinding.objects.filter(submission__section__event=event, pk=finding, waived_at__isnull=False)
        .select_related("waived_by")
        .first()
    )
    if waived is None or waived.waived_at is None:
        return "this hold is no longer there: a new file of the section was sent in, or the section is refused"
    who = called(waived.waived_by) if waived.waived_by else "the command line"
    at = timezone.localtime(waived.waived_at)
    return f"this hold was waived already, by {who} on {formatting.day(at)}, {at:%H:%M}: “{waived.waived_reason}”"
