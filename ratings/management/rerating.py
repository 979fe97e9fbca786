"""A re-rating in the foreground of a command."""

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import date

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from config.lib.leases import free, lease_length
from config.lib.texts import plain_text
from events.periods import lock_periods
from events.rules.states import EventError
from ratings.models import Amendment, Rerating
from ratings.periods import RunError
from ratings.rerating.adjustments import adjustment_line, let_stand
from ratings.rerating.chain import published_chain
from ratings.rerating.impact import numbered_changes
from ratings.rerating.merges import open_merges, undo_merge
from ratings.rerating.operations import request_publication, withdraw
from ratings.rerating.worker import process_rerating
from ratings.runs.inputs import read_input


def process_in_foreground(
    rerating: Rerating,
    *,
    publish: bool,
    write: Callable[[str], object],
    say: Callable[[str], object],
    from_now_on: bool = False,
) -> None:
    """Calculate a re-rating, write what changes as lines of JSON, and publish it, or else withdraw it; say in words what was
    done.

    `from_now_on`: let what is published stand instead, and write the adjustments of the next month. Raises RunError if it
    cannot be calculated or published, or if a worker has it.
    """
    try:
        _process(rerating, Rerating.State.CALCULATED)
        if from_now_on:
            for adjustment in let_stand(rerating, at=timezone.now()):
                write(json.dumps(adjustment_line(adjustment)))
            return
        rows = 0
        for row in numbered_changes(rerating):
            write(json.dumps(row))
            rows += 1
        changed = f"published ratings that change from {rerating.first} on: {rows}"
        if publish:
            request_publication(rerating, at=timezone.now())
            _process(rerating, Rerating.State.PUBLISHED)
            say(f"{changed}; the corrected lists are published")
        else:
            say(f"{changed}; nothing is kept without --publish")
    finally:
        _withdraw(rerating)


def end_abandoned(say: Callable[[str], object]) -> None:
    """End the re-ratings of commands that were killed, which no worker has taken up since: what was being published is
    published, all others are withdrawn."""
    now = timezone.now()
    left = free(at=now) & Q(state__in=Rerating.UNDER_WAY)
    left |= Q(state=Rerating.State.CALCULATED, finished_at__lt=now - lease_length())
    left |= Q(state=Rerating.State.FAILED)
    for key in Rerating.objects.filter(left, by=None).values_list("pk", flat=True):
        rerating = process_rerating(key)
        _withdraw(rerating)
        rerating.refresh_from_db()
        say(f"{rerating}, of a command that was broken off, is {rerating.get_state_display()}")


def published_already(first: date, *, reason: str) -> Rerating | None:
    """Return the published re-rating that another one from `first` on, for this reason, would only repeat; None if there is
    something left to do. In the caller's transaction, which locks the months: none of them is published meanwhile.

    So a command that was killed can be given again, whether or not it had published by then, or a worker has since. Raises
    RunError if `first` cannot be re-rated.
    """
    lock_periods()
    periods = published_chain(first)
    rerating = periods[0].publication.run.rerating
    if rerating is None or rerating.reason != plain_text(reason):
        return None
    if Amendment.objects.filter(Amendment.OPEN).exists() or open_merges():
        return None
    return rerating if all(read_input(period).is_of(period.publication.run) for period in periods) else None


def _withdraw(rerating: Rerating) -> None:
    """Withdraw a re-rating, and with it the merge that a command has proposed at its moment; nothing if it is published or let
    stand, or a worker has it."""
    now = timezone.now()
    with suppress(RunError), transaction.atomic():
        merges = list(rerating.merges.filter(by=None, at=rerating.queued_at))
        withdraw(rerating, at=now)
        for merge in merges:
            with suppress(EventError), transaction.atomic():  # else something of it was changed: it stays proposed
                undo_merge(merge, reason="Not published.", at=now)


def _process(rerating: Rerating, state: Rerating.State) -> None:
    processed = process_rerating(rerating.pk)
    if processed.state != state:
        reason = f"{processed} is {processed.get_state_display()}: another worker has it"
        raise RunError(processed.error or reason)
