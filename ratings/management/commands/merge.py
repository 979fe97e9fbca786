"""`manage.py merge OLD NEW --reason TEXT [--publish]`: two players on the register who are one person."""

import json
from contextlib import suppress
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from events.rules.states import EventError
from players.models import Player
from ratings.models import Amendment, Merge, Rerating
from ratings.periods import RunError
from ratings.rerating.impact import numbered_changes
from ratings.rerating.merges import merge_players, undo_merge
from ratings.rerating.operations import request_publication, start_rerating, withdraw
from ratings.rerating.worker import process_rerating


class Command(BaseCommand):
    """Merge at once where no published rating changes; else print what changes, and with --publish publish it."""

    help = (
        "Merge the player OLD into NEW, both Chess SA ids. Where published ratings change, print what changes as lines of JSON"
        " and keep nothing; with --publish, publish the corrected lists."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the two players and the reason."""
        parser.add_argument("old", help="Chess SA id of the player who goes; it leads to the other from then on")
        parser.add_argument("new", help="Chess SA id of the player who stays")
        parser.add_argument("--reason", required=True, help="kept with the merge, and shown with corrected lists")
        parser.add_argument("--sure", action="store_true", help="they are one person though the births differ")
        parser.add_argument("--publish", action="store_true", help="publish the corrected lists")

    def handle(self, *args: Any, **options: Any) -> None:
        """Merge, calculating in the foreground."""
        old, new = (_player(options[name]) for name in ("old", "new"))
        try:
            merge = merge_players(old, new, reason=options["reason"], at=timezone.now(), sure=options["sure"])
        except EventError as error:
            raise CommandError(str(error)) from None
        if merge.applied_at:
            self.stdout.write(f"{old} is {new} now; no published rating changes")
            return
        try:
            self._rerate(merge, publish=options["publish"])
        except (EventError, RunError) as error:
            raise CommandError(str(error)) from None
        finally:
            with suppress(EventError):  # it is published, or a worker has it
                undo_merge(merge, reason="Not published.", at=timezone.now())

    def _rerate(self, merge: Merge, *, publish: bool) -> None:
        amendments = list(Amendment.objects.filter(Amendment.OPEN, section__in=merge.sections))
        rerating = start_rerating(None, amendments, reason=merge.reason, at=timezone.now())
        try:
            _require(process_rerating(rerating.pk), Rerating.State.CALCULATED)
            for row in numbered_changes(rerating):
                self.stdout.write(json.dumps(row))
            if publish:
                request_publication(rerating, at=timezone.now())
                _require(process_rerating(rerating.pk), Rerating.State.PUBLISHED)
        finally:
            with suppress(RunError):  # it is published, or a worker has it
                withdraw(rerating, at=timezone.now())


def _player(number: str) -> Player:
    player = Player.objects.filter(number=number).select_related("merged_into").first()
    if player is None:
        raise CommandError(f"no player on the register has the Chess SA id {number}")
    return player


def _require(rerating: Rerating, state: Rerating.State) -> None:
    if rerating.state != state:
        raise RunError(rerating.error or f"{rerating} is {rerating.get_state_display()}: another worker has it")
