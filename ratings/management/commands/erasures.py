"""`manage.py erasures`: which players' data was erased, and erasing it again after an older back-up was restored."""

import json
from argparse import ArgumentParser
from collections.abc import Container, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from config.lib import formatting
from events.models import Arbiter
from events.rules.states import EventError
from players.models import Player
from ratings.models import ImportJob, ImportPiece
from ratings.moving_in.jobs.operations import ImportRefusedError, cancel_job, discard_job
from ratings.personal_data.erasure.operations import erase_player


class Erased(NamedTuple):
    """An erasure: key of the player, the name that he has since, its moment, the keys of his records as arbiter and of the
    accounts of these, and when he came on the register (not in lists of former releases). As text a line of JSON."""

    player: int
    pseudonym: str
    at: datetime
    arbiters: tuple[int, ...] = ()
    users: tuple[int, ...] = ()
    registered: datetime | None = None

    def __str__(self) -> str:
        """Return the line of the list."""
        beside = {name: keys for name in ("arbiters", "users") if (keys := getattr(self, name))}
        line = {"player": self.player, "pseudonym": self.pseudonym, "at": self.at.isoformat(), **beside}
        if self.registered:
            line["registered"] = self.registered.isoformat()
        return json.dumps(line) + "\n"


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
        listed = _read(file)
        keys = {row.player for row in listed}
        for row in listed:
            player = Player.objects.filter(pk=row.player).select_related("merged_into").first()
            if player is None or player.erased_at is not None:
                continue  # of after the back-up, or erased in it
            if _is_another(player, row):
                problems.append(f"{player} came on the register after that erasure, under a key that was free again")
                continue
            if problem := _merged(player, keys):
                problems.append(problem)
                continue
            reason = f"Erased on {formatting.day(timezone.localdate(row.at))}; a back-up of before was restored."
            try:
                self._discard_undecided()
                arbiters, users = _of_then(row)
                erase_player(
                    player, at=timezone.now(), by=None, reason=reason, pseudonym=row.pseudonym, again=True,
                    arbiters=arbiters, users=users,
                )  # fmt: skip
                count += 1
            except (EventError, ImportRefusedError) as error:
                problems.append(str(error))
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


def _is_another(player: Player, row: Erased) -> bool:
    """Return whether a player came on the register after an erasure, under a key that was free again. Merges since the back-up
    may have put his registration back, and a clock that was ahead both moments forth."""
    return player.registered_at > row.at or (row.registered is not None and player.registered_at < row.registered)


def _of_then(row: Erased) -> tuple[list[int], list[int]]:
    """Return the keys of his records and accounts, without those that were free again and were given to others since."""
    arbiters = Arbiter.history.filter(id__in=row.arbiters, history_date__lte=row.at).values_list("id", flat=True)
    users = User.objects.filter(pk__in=row.users, date_joined__lte=row.at).values_list("pk", flat=True)
    return sorted(set(arbiters)), list(users)


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
    for row in _erased():
        arbiters = Arbiter.objects.filter(Q(player=row) | Q(number=row.number)).order_by("pk")
        users = arbiters.exclude(user=None).values_list("user", flat=True)
        if row.erased_at is not None:
            keys = tuple(arbiters.values_list("pk", flat=True))
            yield Erased(row.pk, row.last_name, row.erased_at, keys, tuple(users), row.registered_at)


def _read(file: Path) -> list[Erased]:
    """Return what a list says. Raises CommandError."""
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [
            Erased(
                int(row["player"]),
                str(row["pseudonym"]),
                datetime.fromisoformat(row["at"]),
                tuple(map(int, row.get("arbiters", ()))),
                tuple(map(int, row.get("users", ()))),
                datetime.fromisoformat(row["registered"]) if "registered" in row else None,
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
    return Player.objects.filter(erased_at__isnull=False).order_by(*order)
