"""`manage.py erasures`: which players' data was erased, or is to be, and who is hidden; and erasing and hiding them again after
an older back-up was restored."""

import json
import logging
from argparse import ArgumentParser
from collections.abc import Container, Iterator
from contextlib import suppress
from datetime import date, datetime
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from accounts.models import Decision, User
from accounts.trail.operations import key_of
from config.lib import formatting
from config.outages import GONE
from events.models import Arbiter
from events.rules.states import EventError
from players.models import Player
from players.operations import hide_player
from ratings.models import Erasure, ImportJob, ImportPiece
from ratings.moving_in.jobs.operations import ImportRefusedError, cancel_job, discard_job
from ratings.personal_data.erasure.jobs import ASKED, FAULT
from ratings.personal_data.erasure.operations import erase_player
from ratings.personal_data.person import since

log = logging.getLogger(__name__)


class Listed(NamedTuple):
    """What a back-up of before does not know of a player: that his data was erased, with the `pseudonym` that he has since; or
    is to be, without one; or since which day he is `hidden`.

    `player`: his key; `at`: when it was done or asked for; `rows`: his rows as `Erasure.rows`, none of an erasure that a former
    release did. As text a line of JSON.
    """

    player: int
    at: datetime
    rows: dict[str, str]
    pseudonym: str = ""
    hidden: date | None = None

    def __str__(self) -> str:
        """Return the line of the list."""
        what = {"hidden": self.hidden.isoformat()} if self.hidden else {"pseudonym": self.pseudonym}
        return json.dumps({"player": self.player, **what, "at": self.at.isoformat(), "rows": self.rows}) + "\n"

    @property
    def day(self) -> str:
        """The day on which it was done or asked for, in words."""
        return formatting.day(timezone.localdate(self.at))

    def replaces(self, other: "Listed") -> bool:
        """Return whether another line is no more needed beside this one: it is about the same player, not about another under
        a key that was free again, and says the same, or what an erasure did away with."""
        key = key_of(Player(pk=self.player))
        registered = {line.rows[key] for line in (self, other) if line.rows.get(key)}
        says_the_same = (bool(self.pseudonym), bool(self.hidden)) == (bool(other.pseudonym), bool(other.hidden))
        is_same = self.player == other.player and len(registered) < 2
        return is_same and (says_the_same or bool(self.pseudonym))

    def is_known(self) -> bool:
        """Return whether this database knows of it, so that what holds is how it stands here: who was hidden may be shown again
        at his wish, and what was to be erased may not be any more. An erasure that was done holds for good."""
        if self.pseudonym:
            return False
        players = [self.player, *Player.objects.filter(merged=self.player).values_list("pk", flat=True)]
        if self.hidden:
            versions = Player.history.filter(id__in=players, hidden_since__isnull=False)
            return bool(versions.filter(history_date__gte=self.at).exists())
        subjects = [key_of(Player(pk=key)) for key in players]
        return Decision.objects.filter(action=ASKED, subject__in=subjects, at__gte=self.at).exists()

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
    """List the erasures and who is hidden, write them to a file, or do them again from one."""

    help = (
        "List whose data was erased or is to be, and who is hidden. A back-up that is older than that brings them back when it"
        " is restored: keep the list of --write beside the back-ups, and erase and hide with --again after a restore. It holds"
        " no names."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file to write or to read."""
        choice = parser.add_mutually_exclusive_group()
        choice.add_argument("--write", metavar="FILE", help="write the list to a file, a line of JSON each")
        choice.add_argument("--again", metavar="FILE", help="erase and hide again whom the list of a file names")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what is asked. Raises CommandError."""
        if options["again"]:
            self._again(Path(options["again"]))
            return
        present = [*_done(), *_asked(), *_hidden()]
        if options["write"]:
            self._write(Path(options["write"]), present)
        else:
            self.stdout.write("".join(map(str, present)), ending="")

    def _write(self, file: Path, present: list[Listed]) -> None:
        """Write the list. What a file that is there says, and this database does not know, stays: a back-up that was restored
        may hold whom it names, until --again."""
        listed = _read(file) if file.exists() else []
        kept = [row for row in listed if not any(other.replaces(row) for other in present) and not row.is_known()]
        half = file.with_name(f"{file.name}.part")
        try:
            half.unlink(missing_ok=True)
            half.touch(mode=0o600)  # who was erased is for nobody else to read
            half.write_text("".join(map(str, [*kept, *present])), encoding="utf-8")
            half.replace(file)
        except OSError as error:
            with suppress(OSError):  # what stands in its place may be a folder
                half.unlink(missing_ok=True)
            raise CommandError(f"{file} cannot be written: {error.strerror}") from None
        self.stdout.write(f"{formatting.count(len(present), 'line')} written")
        if kept:
            named = f"{formatting.count(len(kept), 'line')} of {file}"
            is_not, it = ("is not", "it") if len(kept) == 1 else ("are not", "them")
            self.stderr.write(f"{named} {is_not} done in this database: --again does {it}, or says why not")

    def _again(self, file: Path) -> None:
        erased, hidden, problems = 0, 0, list[str]()
        listed = _read(file)
        keys = {row.player for row in listed if row.pseudonym}
        for row in listed:
            player = Player.objects.filter(pk=row.player).select_related("merged_into").first()
            if player is None or player.erased_at is not None or row.is_known():
                continue  # of after the back-up, or in it
            if not row.is_his(player):
                problems.append(f"{player} came on the register after that, under a key that was free again")
            elif row.pseudonym:
                if problem := _merged(player, keys) or self._erase(row, player):
                    problems.append(problem)
                else:
                    erased += 1
            elif row.hidden is None:
                problems.append(
                    f"the erasure of {player.number} was asked for on {row.day} and not done: ask for it again on the desk"
                )
            elif player.hidden_since is None:
                reason = f"Hidden on {row.day}; a back-up of before was restored."
                hide_player(player, since=row.hidden, at=timezone.now(), by=None, reason=reason)
                hidden += 1
        self.stdout.write(f"{formatting.count(erased, 'player')} erased again")
        if hidden:
            self.stdout.write(f"{formatting.count(hidden, 'player')} hidden again")
        if problems:
            raise CommandError("; ".join(dict.fromkeys(problems)))

    def _erase(self, row: Listed, player: Player) -> str:
        """Erase a player again. Return why that could not be done; "" if it was."""
        reason = f"Erased on {row.day}; a back-up of before was restored."
        try:
            self._discard_undecided()
            erase_player(
                player, at=timezone.now(), by=None, reason=reason, pseudonym=row.pseudonym, again=True,
                shown=row.rows, arbiters=row.rows_of(Arbiter), users=row.rows_of(User),
            )  # fmt: skip
        except (EventError, ImportRefusedError) as error:
            return str(error)
        except GONE:  # no player after him could be erased either
            raise
        except Exception:
            log.exception("player %s could not be erased again", player.pk)
            return f"player {player.pk}: {FAULT}"
        return ""

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


def _done() -> Iterator[Listed]:
    rows = [rows for rows in Erasure.objects.order_by("at").values_list("rows", flat=True) if rows]
    for player in _erased():
        if player.erased_at is not None:
            his: dict[str, str] = next((known for known in rows if key_of(player) in known), {})
            yield Listed(player.pk, player.erased_at, his, pseudonym=player.last_name)


def _asked() -> Iterator[Listed]:
    """Yield whose data is to be erased, and those merged into him, as `_hidden` does."""
    undone = Erasure.objects.exclude(state=Erasure.State.DONE).order_by("asked_at")
    for key, at, rows in undone.values_list("player_id", "asked_at", "rows"):
        merged = Player.objects.filter(merged_into=key).order_by("pk").values_list("pk", flat=True)
        yield from (Listed(player, at, rows) for player in (key, *merged))


def _hidden() -> Iterator[Listed]:
    """Yield who is hidden, those merged into a hidden player after him: before the merge they were on their own."""
    is_hidden = Q(hidden_since__isnull=False) | Q(merged_into__hidden_since__isnull=False)
    columns = ("hidden_since", "registered_at", "merged_into__hidden_since", "merged_into__registered_at")
    rows = Player.objects.filter(is_hidden, erased_at=None).select_related("merged_into").order_by("pk")
    for player in rows.only("merged_into", *columns):  # a database of another release may lack others
        row = player.merged_into if player.hidden_since is None and player.merged_into else player
        versions = Player.history.filter(id=row.pk).order_by("-history_id").values_list("history_date", "hidden_since")
        moments = [at for at, _ in takewhile(lambda version: version[1] is not None, versions)]
        at = moments[-1] if moments else row.registered_at
        yield Listed(player.pk, at, {key_of(player): since(player)}, hidden=row.hidden_since)


def _read(file: Path) -> list[Listed]:
    """Return what a list says. Raises CommandError."""
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [
            Listed(
                int(row["player"]),
                datetime.fromisoformat(row["at"]),
                {str(key): str(since) for key, since in dict(row.get("rows", {})).items()},
                pseudonym="" if "hidden" in row else str(row["pseudonym"]),
                hidden=date.fromisoformat(row["hidden"]) if "hidden" in row else None,
            )
            for row in rows
        ]
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CommandError(f"{file} is no list of erasures: {error}") from None


def _erased() -> QuerySet[Player]:
    """Return whose data was erased, those merged into a player after him: before the merge they were on their own."""
    order = ("erased_at", F("merged_into").asc(nulls_first=True), "pk")
    rows = Player.objects.filter(erased_at__isnull=False).order_by(*order)
    return rows.only("last_name", "erased_at")  # a database of another release may lack columns
