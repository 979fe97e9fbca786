"""Hands a player who was merged into one by mistake over to another, whom a split has found to be the person."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django.db.models import Q

from accounts.models import User
from events.models import Arbiter, Correction, Upload
from events.rules.states import EventError
from players.models import Player
from players.operations import hide_merged, hide_player
from ratings.merging.operations import HANDED_OVER, SPLIT_SINCE, column_text, save_columns, without_fields
from ratings.merging.register import FIELDS
from ratings.merging.rows import arbiter_of, give_rows, move_fide_ratings, references, require_one_arbiter
from ratings.merging.versions import before_merge, forget_versions_of_others
from ratings.models import Merge

_NO_RESULTS: Final = frozenset(  # which go with the sections of a split
    ["players.player.merged_into", "events.abroadlink.player", "events.arbiter.player", "events.errorreport.player"]
)


def hand_over(row: Player, player: Player, other: Player, *, at: datetime, by: User | None, reason: str) -> list[str]:
    """Have the id of a player who was merged into one lead to another, who is hidden if he is, and gets his record as arbiter,
    links and reports. What was taken over from him, also by those between the two who were merged in turn, goes back, unless it
    was changed since; their merges are not undone any more. Within the caller's transaction, which holds the one and the other.

    Return the names of the fields that went back. Raises EventError if he is not merged into that player, or if both are on
    record as arbiters.
    """
    row = Player.objects.select_for_update(of=("self",)).get(pk=row.pk)
    if row.merged_into_id != player.pk:
        raise EventError(f"{row} is not merged into {player}: look at the page as it is")
    way = list(_way(row, player))
    merges = [merge for merge in way if HANDED_OVER not in merge.moved]
    if way and HANDED_OVER in way[0].moved:  # he was handed over already
        merges = []
    his = merges[0].moved.get("old", {}) if merges else {}
    went_back = [label for merge in reversed(merges) for label in _give_back(merge, row, his, at=at, by=by)]
    _take_fide_id(row, player, his.get("fide_id"), at=at, by=by)
    if row.fide_id is not None and other.fide_id is None:  # nobody can change it where he is merged
        fide_id = row.fide_id
        move_fide_ratings([row, other], {row.pk: None, other.pk: fide_id})
        save_columns(row, {"fide_id": None}, at=at, by=by, reason="")
        save_columns(other, {"fide_id": fide_id}, at=at, by=by, reason="split")
    save_columns(row, {"merged_into_id": other.pk}, at=at, by=by, reason="split")
    if way:
        _give_rows(way[0].moved, row, player, other, at=at, by=by)
    if row.hidden_since is not None and other.hidden_since is None:  # at whose wish is not known
        hide_player(other, since=row.hidden_since, at=at, by=by, reason=reason)
    else:
        hide_merged(other, at=at, by=by)
    for merge in merges:
        # What the one has of the other is not to be read, or fetched, by who may not see the other.
        forget_versions_of_others(merge.new_id, [row.pk], own=before_merge(merge))
        # Who went with him, and is split off later, takes along what is his.
        kept = without_fields(merge) if merge.old_id == row.pk else {**merge.moved, SPLIT_SINCE: True}
        Merge.objects.filter(pk=merge.pk).update(moved=kept)
    return went_back


def _give_rows(
    moved: dict[str, Any], row: Player, player: Player, other: Player, *, at: datetime, by: User | None
) -> None:
    """Let what was moved with a player, and is no result, name the other; an arbiter has the id again that he had. Raises
    EventError if the other is on record as another arbiter."""
    rows = moved.get("rows", {})  # of one who is erased nothing is known any more
    arbiters = Arbiter.objects.filter(
        Q(pk__in=rows.get("events.arbiter.player", ()), player=player)
        | Q(pk__in=moved.get("numbers", ()), number=player.number)
    )
    require_one_arbiter(arbiters.order_by("pk").first(), arbiter_of(other))
    for label, model, name in references():
        if label in _NO_RESULTS:
            keys = model._default_manager.filter(pk__in=rows.get(label, ()), **{name: player.pk})
            give_rows(model, name, list(keys.values_list("pk", flat=True)), other, at=at, by=by)
    Arbiter.objects.filter(pk__in=moved.get("numbers", ()), number=player.number).update(number=row.number)
    Correction.objects.filter(pk__in=moved.get("answers", ()), value=player.number).update(value=other.number)
    Upload.objects.filter(pk__in=map(int, moved.get("checks", ()))).update(checked_on=None)


def _way(row: Player, player: Player) -> Iterator[Merge]:
    """Yield the merges by which a player came to be merged into another, the first one first."""
    key = row.pk
    while key != player.pk:
        merge = Merge.objects.filter(old=key, undone_at=None).exclude(applied_at=None).select_related("new").first()
        if merge is None:
            return
        yield merge
        key = merge.new_id


def _give_back(merge: Merge, row: Player, his: dict[str, Any], *, at: datetime, by: User | None) -> Iterator[str]:
    """Set what a merge took over of `his` back to what it was, and yield the names of the fields."""
    keeper, before = Player.objects.get(pk=merge.new_id), merge.moved.get("new", {})
    _give_back_in_later(merge, his, before)
    given: dict[str, Any] = {}
    for code in merge.taken:
        label, columns = FIELDS[code]
        if code == "email" and "email" not in before:  # it is long ago (`ratings.personal_data.remains`)
            if keeper.email == _address_then(merge):
                given["email"] = ""
                yield label
        elif all(column_text(getattr(keeper, column)) == his.get(column) for column in columns):
            given |= {column: before[column] for column in columns}
            yield label
    if "fide_id" in given:
        _give_fide_id_back(merge, row, keeper, his["fide_id"], given.pop("fide_id"), at=at, by=by)
    if given:
        save_columns(keeper, given, at=at, by=by, reason="split")


def _give_back_in_later(merge: Merge, his: dict[str, Any], before: dict[str, Any]) -> None:
    """Set what a merge took over of `his` back in what later merges into the one who stayed keep to be undone: else it would
    come back with them."""
    columns = [column for code in merge.taken for column in FIELDS[code][1] if column in before and column in his]
    later = Merge.objects.filter(new=merge.new_id, pk__gt=merge.pk, undone_at=None).exclude(applied_at=None)
    for one in later:
        kept = one.moved.get("new", {})
        kept |= {column: before[column] for column in columns if column in kept and kept[column] == his[column]}
        Merge.objects.filter(pk=one.pk).update(moved=one.moved)


def _give_fide_id_back(
    merge: Merge, row: Player, keeper: Player, his: int, before: int | None, *, at: datetime, by: User | None
) -> None:
    """Set the FIDE id of a player that he has by a merge back to the one he had before, and `his` to the one whose it is."""
    bearer = Player.objects.filter(fide_id=before).exclude(pk__in=[row.pk, keeper.pk]).first() if before else None
    if bearer is not None and bearer.pk != merge.old_id:  # it is somebody else's by now
        bearer, before = None, None
    ids = {row.pk: his, keeper.pk: before}
    players = [row, keeper]
    if bearer is not None:  # who had it in exchange
        ids[bearer.pk] = None
        players.append(bearer)
    move_fide_ratings(players, ids)
    for player in (row, keeper):
        save_columns(player, {"fide_id": None}, at=at, by=by, reason="")
    if bearer is not None:
        _take_off(bearer, before, at=at, by=by)
    save_columns(keeper, {"fide_id": before}, at=at, by=by, reason="split")
    save_columns(row, {"fide_id": his}, at=at, by=by, reason="")


def _take_fide_id(row: Player, player: Player, his: int | None, *, at: datetime, by: User | None) -> None:
    """Give a player his FIDE id that another one, who was merged into the player later, has in exchange."""
    bearer = Player.objects.filter(fide_id=his, merged_into=player).exclude(pk=row.pk).first() if his else None
    if bearer is None:
        return
    move_fide_ratings([bearer, row], {bearer.pk: None, row.pk: his})
    _take_off(bearer, his, at=at, by=by)
    save_columns(row, {"fide_id": his}, at=at, by=by, reason="")


def _take_off(bearer: Player, fide_id: int | None, *, at: datetime, by: User | None) -> None:
    """Take a FIDE id, and what his history has of it, off a player who had it in exchange."""
    save_columns(bearer, {"fide_id": None}, at=at, by=by, reason="split")
    Player.history.filter(id=bearer.pk, fide_id=fide_id).update(fide_id=None)


def _address_then(merge: Merge) -> str:
    """Return the address that the one who stayed had by a merge."""
    versions = Player.history.filter(id=merge.new_id).exclude(before_merge(merge)).order_by("history_id")
    return versions.values_list("email", flat=True).first() or ""
