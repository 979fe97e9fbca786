"""A re-rating in the foreground of a command."""

import json
from collections.abc import Callable
from contextlib import suppress

from django.db.models import Q
from django.utils import timezone

from config.lib.leases import free, lease_length
from events.rules.states import EventError
from ratings.models import Merge, Rerating
from ratings.periods import RunError
from ratings.rerating.adjustments import adjustment_line, let_stand
from ratings.rerating.impact import numbered_changes
from ratings.rerating.merges import undo_merge
from ratings.rerating.operations import request_publication, withdraw
from ratings.rerating.worker import process_rerating


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
        with suppress(RunError):  # it is published or let stand, or a worker has it
            withdraw(rerating, at=timezone.now())


def end_abandoned(say: Callable[[str], object]) -> None:
    """End the re-ratings of commands that were killed, which no worker has taken up since: what was being published is
    published, all others are withdrawn, and merges that a command proposed for them are given up."""
    now = timezone.now()
    left = free(at=now) & Q(state__in=Rerating.UNDER_WAY)
    left |= Q(state=Rerating.State.CALCULATED, finished_at__lt=now - lease_length())
    for key in Rerating.objects.filter(left, by=None).values_list("pk", flat=True):
        merges = list(Merge.objects.filter(rerating=key, by=None))
        rerating = process_rerating(key)
        with suppress(RunError):  # it is published
            withdraw(rerating, at=timezone.now())
            rerating.refresh_from_db()
        say(f"{rerating}, of a command that was broken off, is {rerating.get_state_display()}")
        for merge in merges:
            give_up(merge)


def give_up(merge: Merge) -> None:
    """Undo a merge that a command proposed, unless it is published, or a worker has its re-rating."""
    with suppress(EventError):
        undo_merge(merge, reason="Not published.", at=timezone.now())


def _process(rerating: Rerating, state: Rerating.State) -> None:
    processed = process_rerating(rerating.pk)
    if processed.state != state:
        reason = f"{processed} is {processed.get_state_display()}: another worker has it"
        raise RunError(processed.error or reason)
