"""Takes a list of players into the register, and takes it back. One transaction each; the clock and the actor are passed in."""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from simple_history.utils import bulk_create_with_history, bulk_update_with_history

from accounts.models import User
from accounts.trail.operations import record
from config.lib import formatting
from events.files.register_list import RegisterLine, RegisterList, read_register_list
from players.models import Player, Region, RegisterImport
from players.operations import NewPlayer, fill_derived, new_players
from ratings.moving_in.register_matching import CHUNK, Difference, Kind, differences

_FIELDS = (
    "fide_id", "last_name", "first_name", "folded_name", "birth_date", "birth_year", "sex", "title", "region", "federation",
    "club",
)  # fmt: skip


class RegisterImportError(Exception):
    """A list that is not taken, or an import that is not undone. Nothing was written; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class SentList:
    """A list as it was sent: content, file name, chosen columns (heading → column), answers as those of `differences`."""

    content: bytes
    filename: str
    columns: Mapping[str, str]
    answers: Mapping[int, str]
    leave_out_doubtful: bool = False


def read_list(sent: SentList) -> RegisterList:
    """Read a list with the regions on record."""
    regions = dict(Region.objects.values_list("code", "name"))
    return read_register_list(sent.content, regions=regions, columns=sent.columns)


def take_list(
    sent: SentList,
    listed: RegisterList,
    *,
    at: datetime,
    by: User | None,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> RegisterImport:
    """Take a list, as `read_list` has read it, into the register, whole or not at all.

    `progress` is told how many of how many lines are done. Raises RegisterImportError if the list has errors, a doubtful
    line without an answer, or a line that cannot be taken.
    """
    if listed.errors:
        raise RegisterImportError(f"{_counted(len(listed.errors), 'error')}; first: {listed.errors[0].as_line}")
    unknown = sent.answers.keys() - {line.line for line in listed.lines}
    if unknown:
        raise RegisterImportError(f"There is an answer to line {min(unknown)}, where the list has no player.")
    counts = Counter[Kind]()
    try:
        with transaction.atomic():
            list(Player.objects.select_for_update().order_by("-number")[:1])
            done = RegisterImport.objects.create(
                at=at,
                by=by,
                filename=sent.filename[:200],
                sha256=hashlib.sha256(sent.content).hexdigest(),
                new=0,
                changed=0,
                unchanged=0,
                left_out=0,
            )
            besides = {line.national_id for line in listed.lines if line.national_id}
            regions = {region.code: region for region in Region.objects.all()}
            for chunk in differences(listed.lines, sent.answers, leave_out_doubtful=sent.leave_out_doubtful):
                _refuse(chunk)
                counts.update(difference.kind for difference in chunk)
                _write(chunk, done, besides, regions)
                progress(counts.total(), len(listed.lines))
            done.new, done.changed = counts[Kind.NEW], counts[Kind.CHANGED]
            done.unchanged, done.left_out = counts[Kind.UNCHANGED], counts[Kind.LEFT_OUT]
            done.save()
            figures = {"new": str(done.new), "changed": str(done.changed), "file": sent.filename}
            record("register imported", done, at=at, by=by, after=figures)
    except IntegrityError as error:
        raise RegisterImportError(
            "The register has changed meanwhile, or one FIDE id stands for two players. Look at the differences again."
        ) from error
    return done


def undo_import(done: RegisterImport, *, at: datetime, by: User | None) -> None:
    """Take an import back: its new players leave the register, the changed ones are as they were.

    Raises RegisterImportError if it is undone already, or if something depends on it: a player was changed since, or has a
    game, a rating or a registration by now.
    """
    with transaction.atomic():
        done = RegisterImport.objects.select_for_update().get(pk=done.pk)
        if done.undone_at is not None:
            raise RegisterImportError(f"The {done} was undone on {formatting.day(done.undone_at.date())} already.")
        written = Player.history.filter(history_change_reason=str(done))
        changed_since = (
            Player.history.filter(
                number__in=written.values("number"),
                history_id__gt=written.order_by("history_id").values("history_id")[:1],
            )
            .exclude(history_change_reason=str(done))
            .order_by("history_id")
            .first()
        )
        if changed_since is not None:
            raise RegisterImportError(
                f"{changed_since.first_name} {changed_since.last_name} ({changed_since.number}) was changed since: the {done}"
                " can no longer be undone as a whole. Correct single players instead."
            )
        keys = list(written.filter(history_type="+").values_list("id", flat=True))
        try:
            for start in range(0, len(keys), CHUNK):
                Player.objects.filter(pk__in=keys[start : start + CHUNK]).delete()
        except ProtectedError as error:
            player = Player.objects.filter(pk__in=keys).filter(pk__in=_holders(error)).first()
            raise RegisterImportError(
                f"{player or 'One of its players'} has games, ratings or a registration by now: the {done} can no longer be"
                " undone."
            ) from error
        _restore(done, at=at, by=by)
        done.undone_at = at
        done.save(update_fields=["undone_at"])
        record("register import undone", done, at=at, by=by)


def _counted(count: int, noun: str) -> str:
    return formatting.count(count, noun)


def _refuse(chunk: Sequence[Difference]) -> None:
    for kind, words in (
        (Kind.REFUSED, "cannot be taken"),
        (Kind.DOUBTFUL, "may be on the register; answer which player it is, that it is a new one, or leave it out"),
    ):
        found = [difference for difference in chunk if difference.kind is kind]
        if found:
            first = found[0]
            whom = f" {first.player}:" if first.player and kind is Kind.DOUBTFUL else ""
            more = f" ({len(found) - 1} more such lines)" if len(found) > 1 else ""
            raise RegisterImportError(f"Line {first.line.line}, {first.line.name}, {words}:{whom} {first.why}{more}")


def _write(
    chunk: Sequence[Difference], done: RegisterImport, besides: Collection[str], regions: Mapping[str, Region]
) -> None:
    new = [difference.line for difference in chunk if difference.kind is Kind.NEW]
    created = new_players([_new_player(line, regions) for line in new], at=done.at, besides=besides)
    changed = [_changed(difference, regions) for difference in chunk if difference.kind is Kind.CHANGED]
    for player in (*created, *changed):
        fill_derived(player)
    options = {"default_user": done.by, "default_change_reason": str(done), "default_date": done.at}
    if created:
        bulk_create_with_history(created, Player, **options)
    if changed:
        bulk_update_with_history(changed, Player, _FIELDS, **options)


def _new_player(line: RegisterLine, regions: Mapping[str, Region]) -> NewPlayer:
    return NewPlayer(
        last_name=line.last_name,
        first_name=line.first_name,
        national_id=line.national_id,
        fide_id=line.fide_id,
        birth_date=line.birth.day,
        birth_year=line.birth.year,
        sex=line.sex,
        title=line.title,
        region=regions.get(line.region),
        federation=line.federation,
        club=line.club,
    )


def _changed(difference: Difference, regions: Mapping[str, Region]) -> Player:
    player, line = difference.player, difference.line
    assert player is not None  # noqa: S101 - for the types
    for change in difference.changes:
        if change.field == "birth":
            player.birth_date, player.birth_year = line.birth.day, line.birth.year
        elif change.field == "region":
            player.region = regions[line.region]
        elif change.field == "title":
            player.title_id = line.title
        else:
            setattr(player, change.field, getattr(line, change.field))
    return player


def _holders(error: ProtectedError) -> set[int]:
    return {
        key
        for row in error.protected_objects
        for name in ("player_id", "white_id", "black_id")
        if (key := getattr(row, name, None))
    }


def _restore(done: RegisterImport, *, at: datetime, by: User | None) -> None:
    """Give the changed players back what stood in the version before the import's."""
    changed = list(
        Player.history.filter(history_change_reason=str(done), history_type="~").values_list("id", "history_id")
    )
    for start in range(0, len(changed), CHUNK):
        players = Player.objects.in_bulk([key for key, _ in changed[start : start + CHUNK]])
        restored = []
        versions = Player.history.filter(id__in=players).select_related("title", "region").order_by("history_id")
        before = {}
        for version in versions:
            if version.history_change_reason != str(done):
                before[version.id] = version
        for key, player in players.items():
            version = before.get(key)
            if version is None:
                raise RegisterImportError(f"{player} has no version before the {done}: it can no longer be undone.")
            for name in _FIELDS:
                setattr(player, name, getattr(version, name))
            restored.append(player)
        bulk_update_with_history(
            restored, Player, _FIELDS, default_user=by, default_change_reason=f"{done} undone", default_date=at
        )
