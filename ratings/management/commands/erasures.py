"""`manage.py erasures`: which players' data was erased, and erasing it again after an older back-up was restored."""

import json
from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError
from django.db.models import F, QuerySet
from django.utils import timezone

from config.lib import formatting
from events.rules.states import EventError
from players.models import Player
from ratings.personal_data.erasure.operations import erase_player


class Erased(NamedTuple):
    """An erasure: key of the player, the name that he has since, and its moment. As text a line of JSON."""

    player: int
    pseudonym: str
    at: datetime

    def __str__(self) -> str:
        """Return the line of the list."""
        return json.dumps({"player": self.player, "pseudonym": self.pseudonym, "at": self.at.isoformat()}) + "\n"


class Command(BaseCommand):
    """List the erasures, write them to a file, or do them again from one."""

    help = (
        "List whose data was erased. A back-up that is older than an erasure brings the data back when it is restored: keep"
        " the list of --write beside the back-ups, and erase with --again after a restore. It holds no names."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file to write or to read."""
        choice = parser.add_mutually_exclusive_group()
        choice.add_argument("--write", metavar="FILE", help="write the list to a file, a line of JSON each")
        choice.add_argument("--again", metavar="FILE", help="erase again whom the list of a file names")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what is asked. Raises CommandError."""
        if options["again"]:
            self._again(Path(options["again"]))
            return
        done = [Erased(row.pk, row.last_name, row.erased_at) for row in _erased() if row.erased_at is not None]
        if options["write"]:
            self._write(Path(options["write"]), done)
        else:
            self.stdout.write("".join(map(str, done)), ending="")

    def _write(self, file: Path, done: list[Erased]) -> None:
        """Write the list. What a file that is there names, and is not erased here, stays: a back-up that was restored may hold
        whom it names, until --again."""
        known = {row.player for row in done}
        kept = [row for row in _read(file) if row.player not in known] if file.exists() else []
        half = file.with_name(f"{file.name}.part")
        try:
            half.write_text("".join(map(str, [*kept, *done])), encoding="utf-8")
            half.replace(file)
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}") from None
        self.stdout.write(f"{formatting.count(len(done), 'erasure')} written")
        if kept:
            named = formatting.count(len(kept), "erasure")
            self.stderr.write(f"{named} of {file} is not done in this database: --again does it")

    def _again(self, file: Path) -> None:
        count, problems = 0, list[str]()
        for key, pseudonym, at in _read(file):
            player = Player.objects.filter(pk=key).first()
            if player is None or player.erased_at is not None:
                continue  # of after the back-up, or erased in it
            if player.registered_at > at:
                problems.append(f"{player} came on the register after that erasure, under a key that was free again")
                continue
            reason = f"Erased on {formatting.day(timezone.localdate(at))}; a back-up of before was restored."
            try:
                erase_player(player, at=timezone.now(), by=None, reason=reason, pseudonym=pseudonym, again=True)
                count += 1
            except EventError as error:
                problems.append(str(error))
        self.stdout.write(f"{formatting.count(count, 'player')} erased again")
        if problems:
            raise CommandError("; ".join(dict.fromkeys(problems)))


def _read(file: Path) -> list[Erased]:
    """Return what a list says. Raises CommandError."""
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [Erased(int(row["player"]), str(row["pseudonym"]), datetime.fromisoformat(row["at"])) for row in rows]
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise CommandError(f"{file} is no list of erasures: {error}") from None


def _erased() -> QuerySet[Player]:
    """Return whose data was erased, those merged into a player after him: before the merge they were on their own."""
    order = ("erased_at", F("merged_into").asc(nulls_first=True), "pk")
    return Player.objects.filter(erased_at__isnull=False).order_by(*order)
