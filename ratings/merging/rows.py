"""The rows that name a player: moved to another one, and back to the last row."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Model, Q, QuerySet

from accounts.models import User
from config.lib.database import save_recorded
from events.models import Arbiter, Correction, Entry, Game, Guest, Penalty, RatingPeriod, Section, Upload
from events.rules.corrections import PLAYER
from events.rules.states import ACCEPTED_OR_LATER, EventError
from events.submission.uploads import not_submitted
from players.models import FideQuestion, FideRating, Player
from ratings.models import DistinctPair, Erasure, LikelyDuplicate, Merge

# What officers say of two players stays, what a search found, and whose erasure was asked for; what FIDE’s list says of one
# goes with his FIDE id.
_KEPT: tuple[type[Model], ...] = (Merge, DistinctPair, LikelyDuplicate, FideRating, FideQuestion, Erasure)


def references() -> Iterator[tuple[str, type[Model], str]]:
    """Yield the columns of all tables that name a player: label, model, name of the field. The figures of runs are not among
    them: a run is never changed."""
    for relation in Player._meta.get_fields(include_hidden=True):
        field = getattr(relation, "field", None)
        if not relation.auto_created or field is None or not field.db_constraint:
            continue
        model = field.model
        if model not in _KEPT:
            yield f"{model._meta.label_lower}.{field.name}", model, field.name


def played_in(player: Player) -> QuerySet[Section]:
    """Return the sections in which a player has an entry, a game or a penalty."""
    return Section.objects.filter(
        Q(pk__in=Entry.objects.filter(player=player).values("section"))
        | Q(pk__in=Game.objects.filter(white=player).values("section"))
        | Q(pk__in=Game.objects.filter(black=player).values("section"))
        | Q(pk__in=Penalty.objects.filter(player=player).values("section"))
    )


def published_sections(player: Player) -> list[Section]:
    """Return the sections of a player that are part of published lists, in their order."""
    published = played_in(player).filter(period__state=RatingPeriod.State.PUBLISHED, event__state__in=ACCEPTED_OR_LATER)
    return list(published.select_related("event", "period").order_by("period__month", "ends", "pk"))


def require_apart(old: Player, new: Player) -> None:
    """Raise EventError if two players met, or were in one section: then they are two people, or the section is wrong."""
    met_abroad = Guest.objects.filter(player__in=[old, new])
    common = played_in(old).filter(
        Q(pk__in=played_in(new).values("pk")) | Q(pk__in=met_abroad.filter(player=new).values("section"))
    ) | played_in(new).filter(pk__in=met_abroad.filter(player=old).values("section"))
    section = common.select_related("event").order_by("ends", "pk").first()
    if section is not None:
        raise EventError(
            f"{old} and {new} both played in {section}: they are two people, or one of them was taken for another there;"
            " correct that first"
        )


def move_rows(old: Player, new: Player, *, at: datetime, by: User | None) -> dict[str, Any]:
    """Move every row that names one player to another, and return what was moved, for `move_back`. The caller holds the
    transaction. Raises EventError if both are on record as arbiters."""
    require_one_arbiter(arbiter_of(old), arbiter_of(new))
    moved: dict[str, Any] = {"rows": {}, "answers": [], "numbers": [], "checks": {}}
    for label, model, name in references():
        rows = model._default_manager.filter(**{name: old.pk})
        keys = list(rows.order_by("pk").values_list("pk", flat=True))
        if keys:
            give_rows(model, name, keys, new, at=at, by=by)
            moved["rows"][label] = keys
    moved["numbers"] = _rename(Arbiter.objects.filter(number=old.number), "number", new.number)
    files = not_submitted(Upload.objects.all())
    answers = Correction.objects.filter(upload__in=files, kind=PLAYER.code, value=old.number)
    moved["answers"] = _rename(answers, "value", new.number)
    # A report that names him is of before: its file is to be checked again.
    checks = {
        str(key): checked and checked.isoformat()
        for key, report, checked in files.values_list("pk", "report", "checked_on")
        if old.number in json.dumps(report)
    }
    Upload.objects.filter(pk__in=map(int, checks)).update(checked_on=None)
    moved["checks"] = checks
    return moved


def give_rows(
    model: type[Model], name: str, keys: Sequence[int], player: Player, *, at: datetime, by: User | None
) -> None:
    """Let rows name a player. Those of the register, who were merged before, get a version by which `verify` knows them."""
    model._default_manager.filter(pk__in=keys).update(**{name: player.pk})
    if model is Player:
        for row in Player.objects.filter(pk__in=keys):
            save_recorded(row, at=at, by=by)


def move_back(old: Player, new: Player, moved: dict[str, Any], *, at: datetime, by: User | None) -> None:
    """Give rows that were moved back to the player from whom they came. Raises EventError if one has been changed since."""
    models = {label: (model, name) for label, model, name in references()}
    former: tuple[type[Model], str] = (Erasure, "player")  # moved by an earlier release
    for label, keys in moved["rows"].items():
        model, name = models.get(label, former)
        rows = model._default_manager.filter(pk__in=keys, **{name: new.pk})
        if rows.count() != len(keys):
            raise EventError(_changed(model, name, keys, new))
        give_rows(model, name, keys, old, at=at, by=by)
    Arbiter.objects.filter(pk__in=moved["numbers"], number=new.number).update(number=old.number)
    Correction.objects.filter(pk__in=moved["answers"], value=new.number).update(value=old.number)
    files = Upload.objects.filter(pk__in=map(int, moved["checks"]))
    waiting = set(files.filter(checked_on=None).values_list("pk", flat=True))
    files.update(checked_on=None)
    for key in waiting:
        files.filter(pk=key).update(checked_on=moved["checks"][str(key)])


def move_fide_ratings(players: Collection[Player], fide_ids: Mapping[int, int | None]) -> None:
    """Give the FIDE ratings of some players to the bearers of their FIDE ids; `fide_ids`: the new one by key of the player. The
    players still have their former ones."""
    changed = [player for player in players if fide_ids[player.pk] != player.fide_id]
    ratings: dict[int | None, list[FideRating]] = {
        player.fide_id: list(player.fide_ratings.all()) for player in changed if player.fide_id
    }
    FideRating.objects.filter(player__in=changed).delete()
    for player in changed:
        for row in ratings.get(fide_ids[player.pk], ()):
            row.player = player
            row.save(force_insert=True)


def arbiter_of(player: Player) -> Arbiter | None:
    """Return the record as arbiter that names a player, or has his Chess SA id."""
    return Arbiter.objects.filter(Q(player=player) | Q(number=player.number)).order_by("pk").first()


def require_one_arbiter(one: Arbiter | None, other: Arbiter | None) -> None:
    """Raise EventError for two records as arbiters that would be one player's."""
    if one and other and one != other:
        raise EventError(
            f"both are on record as arbiters, {one} and {other}: take player and id off one of the two first"
        )


def _rename(rows: QuerySet[Any], name: str, value: str) -> list[int]:
    keys = list(rows.values_list("pk", flat=True))
    rows.model._default_manager.filter(pk__in=keys).update(**{name: value})
    return keys


def _changed(model: type[Model], name: str, keys: list[int], new: Player) -> str:
    there = set(model._default_manager.filter(pk__in=keys, **{name: new.pk}).values_list("pk", flat=True))
    row = model._default_manager.filter(pk__in=set(keys) - there).first()
    what = f"{model._meta.verbose_name} “{row}”" if row else f"{model._meta.verbose_name} that was moved"
    return (
        f"the merge cannot be undone: a {what} has been changed since. Split the player instead: name the sections that are"
        " the other’s"
    )
