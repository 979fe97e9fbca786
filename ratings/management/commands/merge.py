"""`manage.py merge OLD NEW --reason TEXT [--publish]`: two players on the register who are one person."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from events.rules.states import EventError
from players.merged import player_of
from players.models import Player
from ratings.management.rerating import end_abandoned, process_in_foreground
from ratings.models import Amendment, Rerating
from ratings.periods import RunError
from ratings.rerating.merges import merge_players
from ratings.rerating.operations import start_rerating


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
            end_abandoned(self.stderr.write)
            rerating = _merged(old, new, reason=options["reason"], sure=options["sure"])
            if rerating is None:
                self.stdout.write(f"{old} is {new} now; no published rating changes")
                return
            process_in_foreground(rerating, publish=options["publish"], write=self.stdout.write, say=self.stderr.write)
        except (EventError, RunError) as error:
            raise CommandError(str(error)) from None


@transaction.atomic
def _merged(old: Player, new: Player, *, reason: str, sure: bool) -> Rerating | None:
    """Merge two players, or propose it and return the re-rating that would publish it: both at one moment, or neither."""
    now = timezone.now()
    merge = merge_players(old, new, reason=reason, at=now, sure=sure)
    if merge.applied_at:
        return None
    amendments = list(Amendment.objects.filter(Amendment.OPEN, section__in=merge.sections))
    return start_rerating(None, amendments, reason=merge.reason, at=now)


def _player(number: str) -> Player:
    player = player_of(number)
    if player is None:
        raise CommandError(f"no player on the register has the Chess SA id {number}")
    return player
