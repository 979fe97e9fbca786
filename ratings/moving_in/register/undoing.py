"""Takes an import of the register back, whole or not at all, as long as nothing depends on it."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import IntegrityError, connection, models, transaction
from django.db.models import Max, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from accounts.trail.operations import record
from config.lib import formatting
from players.models import Player, RegisterImport
from ratings.models import ImportJob, LikelyDuplicate, ListedPlayer, LiveRating
from ratings.moving_in.jobs.operations import ImportRefusedError
from ratings.moving_in.jobs.progress import Tell
from ratings.moving_in.register.lines import CHUNK
from ratings.moving_in.register.writing import FIELDS, change_players, many_players, remove_players

_UNDOING = "Taking the import back"
_NOT_DEPENDENT = (LikelyDuplicate, ListedPlayer, LiveRating)  # they follow what the register says


def undo(job: ImportJob, tell: Tell, at: datetime) -> None:
    """Take the import of a job back. Raises ImportRefusedError."""
    undo_import(RegisterImport.objects.get(pk=job.summary["import"]), at=at, by=job.asked_by, tell=tell)


def undo_import(done: RegisterImport, *, at: datetime, by: User | None, tell: Tell = lambda stage, share: None) -> None:
    """Take an import back: its new players leave the register, the changed ones are as they were.

    Raises ImportRefusedError if it is undone already, or if something depends on it: a player was changed since, or has a
    game, a rating or anything else by now.
    """
    with transaction.atomic():
        done = RegisterImport.objects.select_for_update().get(pk=done.pk)
        if done.undone_at is not None:
            raise ImportRefusedError(f"The {done} was undone on {formatting.day(done.undone_at.date())} already.")
        # Whoever changes one of them meanwhile waits, or is seen.
        written = Player.objects.select_for_update(of=("self",)).filter(pk__in=_written(done).values("id"))
        for _ in written.order_by("pk").values_list("pk").iterator():
            pass
        if hindrance := what_depends(done):
            raise ImportRefusedError(hindrance)
        try:
            with many_players():
                _remove(done, tell, at=at, by=by)
                _restore(done, tell, at=at, by=by)
            connection.check_constraints()
        except IntegrityError as error:
            message = f"Something of before the {done} is gone, or depends on it by now: it can no longer be undone."
            raise ImportRefusedError(message) from error
        done.undone_at = at
        done.save(update_fields=["undone_at"])
        record("register import undone", done, at=at, by=by)


def what_depends(done: RegisterImport) -> str:
    """Return why an import can no longer be undone: a player whom it wrote, and what he has by now; "" if it can be."""
    later = Player.history.filter(id=OuterRef("id"), history_id__gt=OuterRef("history_id")).order_by("history_id")
    changed = _written(done).filter(models.Exists(later)).order_by("history_id").first()
    if changed is not None:
        return (
            f"{changed.first_name} {changed.last_name} ({changed.number}) was changed since: the {done} can no longer be"
            " undone as a whole. Correct single players instead."
        )
    for model, name in _of_players():
        row = model._base_manager.filter(
            **{f"{name}__in": _written(done).filter(history_type="+").values("id")}
        ).first()
        if row is not None:
            player = Player.objects.filter(pk=getattr(row, f"{name}_id")).first()
            what = "games" if model._meta.model_name == "game" else f"a {model._meta.verbose_name}"
            return f"{player} has {what} by now: the {done} can no longer be undone."
    return ""


def _written(done: RegisterImport) -> QuerySet[Any]:
    """Return the versions of players that an import wrote."""
    versions: QuerySet[Any] = Player.history.filter(history_change_reason=str(done))
    return versions


def _of_players() -> Iterator[tuple[type[models.Model], str]]:
    """Yield every model with a column that names a player, games first."""
    found = [
        (relation.related_model, relation.field.name)
        for relation in Player._meta.get_fields(include_hidden=True)
        if isinstance(relation, models.ManyToOneRel) and relation.related_model not in _NOT_DEPENDENT
    ]
    found.sort(key=lambda pair: pair[0]._meta.model_name != "game")
    yield from found


def _remove(done: RegisterImport, tell: Tell, *, at: datetime, by: User | None) -> None:
    keys = list(_written(done).filter(history_type="+").values_list("id", flat=True))
    for start in range(0, len(keys), CHUNK):
        chunk = keys[start : start + CHUNK]
        LikelyDuplicate.objects.filter(Q(first__in=chunk) | Q(second__in=chunk)).delete()
        remove_players(chunk, at=at, by=by, reason=f"{done} undone")
        tell(_UNDOING, 0.7 * start / len(keys))


def _restore(done: RegisterImport, tell: Tell, *, at: datetime, by: User | None) -> None:
    """Give the changed players back what stood in the version before the import's."""
    attributes = [field.attname for field in Player._meta.concrete_fields if field.name in FIELDS]
    written = list(_written(done).filter(history_type="~").values_list("id", "history_id"))
    for start in range(0, len(written), CHUNK):
        of_import = dict(written[start : start + CHUNK])
        players = Player.objects.in_bulk(of_import)
        earlier = Player.history.filter(id=OuterRef("id"), history_id__lt=OuterRef("history_id"))
        latest = earlier.order_by().values("id").annotate(last=Max("history_id")).values("last")
        last = Player.history.filter(history_id__in=of_import.values()).annotate(before=Subquery(latest))
        versions = Player.history.filter(history_id__in=last.values("before"))
        before = {version.id: version for version in versions}
        for key, player in players.items():
            if key not in before:
                raise ImportRefusedError(f"{player} has no version before the {done}: it can no longer be undone.")
            for attribute in attributes:
                setattr(player, attribute, getattr(before[key], attribute))
        change_players(list(players.values()), at=at, by=by, reason=f"{done} undone")
        tell(_UNDOING, 0.7 + 0.3 * start / len(written))
