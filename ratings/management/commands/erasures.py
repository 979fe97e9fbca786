"""`manage.py erasures`: which players' data was erased, and erasing it again after an older back-up was restored."""

import json
import logging
from argparse import ArgumentParser
from collections.abc import Container, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError
from django.db import InterfaceError, OperationalError
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.trail.operations import key_of
from config.lib import formatting
from events.models import Arbiter
from events.rules.states import EventError
from players.models import Player
from ratings.models import Erasure, ImportJob, ImportPiece
from ratings.moving_in.jobs.operations import ImportRefusedError, cancel_job, discard_job
from ratings.personal_data.erasure.jobs import FAULT
from ratings.personal_data.erasure.operations import erase_player
from ratings.personal_data.erasure.person import since

log = logging.getLogger(__name__)


class Erased(NamedTuple):
    """An erasure: key of the player, the name that he has since, its moment, and his rows as `Erasure.rows`, none of one that a
    former release did. As text a line of JSON."""

    player: int
    pseudonym: str
    at: datetime
    rows: dict[str, str]

    def __str__(self) -> str:
        """Return the line of the list."""
        line = {"player": self.player, "pseudonym": self.pseudonym, "at": self.at.isoformat(), "rows": self.rows}
        return json.dumps(line) + "\n"

    def is_same(self, other: "Erased") -> bool:
        """Return whether another line is about the same player, and not about another under a key that was free again."""
        key = key_of(Player(pk=self.player))
        registered = {line.rows[key] for line in (self, other) if line.rows.get(key)}
        return self.player == other.player and len(registered) < 2

    def is_his(self, row: Player | Arbiter | User) -> bool:
        """Return whether a row of this database is his, and not another's under a key that was free again after a restore."""
        known = self.rows.get(key_of(row))
        if known:
            return known == since(row)
        registered = row.registered_at if isinstance(row, Player) else None
        return registered is not None and registered <= self.at

    def rows_of(self, model: type[Any]) -> list[int]:
        """Return the keys of those rows of a model that are his."""
        label = f"{model._meta.label_lower} "
        keys = [key.removeprefix(label) for key in self.rows if key.startswith(label)]
        return [row.pk for row in model.objects.filter(pk__in=keys) if self.is_his(row)]


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
        done = list(_done())
        if options["write"]:
            self._write(Path(options["write"]), done)
        else:
            self.stdout.write("".join(map(str, done)), ending="")

    def _write(self, file: Path, done: list[Erased]) -> None:
        """Write the list. What a file that is there names, and is not erased here, stays: a back-up that was restored may hold
        whom it names, until --again."""
        listed = _read(file) if file.exists() else []
        kept = [row for row in listed if not any(row.is_same(other) for other in done)]
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
        listed = _read(file)
        keys = {row.player for row in listed}
        for row in listed:
            player = Player.objects.filter(pk=row.player).select_related("merged_into").first()
            if player is None or player.erased_at is not None:
                continue  # of after the back-up, or erased in it
            if not row.is_his(player):
                problems.append(f"{player} came on the register after that erasure, under a key that was free again")
                continue
            if problem := _merged(player, keys):
                problems.append(problem)
                continue
            reason = f"Erased on {formatting.day(timezone.localdate(row.at))}; a back-up of before was restored."
            try:
                self._discard_undecided()
                erase_player(
                    player, at=timezone.now(), by=None, reason=reason, pseudonym=row.pseudonym, again=True,
                    arbiters=row.rows_of(Arbiter), users=row.rows_of(User),
                )  # fmt: skip
                count += 1
            except (EventError, ImportRefusedError) as error:
                problems.append(str(error))
            except (OperationalError, InterfaceError):  # no player after him could be erased either
                raise
            except Exception:
                log.exception("player %s could not be erased again", player.pk)
                problems.append(f"player {player.pk}: {FAULT}")
        self.stdout.write(f"{formatting.count(count, 'player')} erased again")
        if problems:
            raise CommandError("; ".join(dict.fromkeys(problems)))

    def _discard_undecided(self) -> None:
        """Put away the lists that were neither taken nor discarded when the back-up was made, were a worker at one or not: one
        may name him, and each can be brought in again. Raises ImportRefusedError if one is worked on anew meanwhile."""
        for job in ImportJob.objects.filter(pk__in=ImportPiece.objects.values("job")):
            if job.state in ImportJob.UNDER_WAY:
                cancel_job(job, at=timezone.now(), by=None)
            discard_job(job, at=timezone.now(), by=None)
            self.stderr.write(f"the list {job} is put away: it was not decided, and may name him. Bring it in again.")


def _merged(player: Player, erased: Container[int]) -> str:
    """Return that in this database a player is one with somebody who was not erased, and what to do; "" if he is not."""
    into = [player.merged_into] if player.merged_into else []
    one_with_him = (*into, *Player.objects.filter(merged_into=player, erased_at=None))
    other = next((row for row in one_with_him if row.pk not in erased), None)
    if other is None:
        return ""
    return (
        f"{player} and {other}, who was not erased, are merged in this database: undo that merge, or split them, and give"
        " this command again"
    )


def _done() -> Iterator[Erased]:
    rows = [rows for rows in Erasure.objects.order_by("at").values_list("rows", flat=True) if rows]
    for player in _erased():
        if player.erased_at is not None:
            his: dict[str, str] = next((known for known in rows if key_of(player) in known), {})
            yield Erased(player.pk, player.last_name, player.erased_at, his)


def _read(file: Path) -> list[Erased]:
    """Return what a list says. Raises CommandError."""
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [
            Erased(
                int(row["player"]),
                str(row["pseudonym"]),
                datetime.fromisoformat(row["at"]),
                {str(key): str(since) for key, since in dict(row.get("rows", {})).items()},
            )
            for row in rows
        ]
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CommandError(f"{file} is no list of erasures: {error}") from None


def _erased() -> QuerySet[Player]:
    """Return whose data was erased, those merged into a player after him: before the merge they were on their own."""
    order = ("erased_at", F("merged_into").asc(nulls_first=True), "pk")
    rows = Player.objects.filter(erased_at__isnull=False).order_by(*order)
    return rows.only("last_name", "erased_at")  # a database of another release may lack columns
