"""Hands a player who was merged into one by mistake over to another, whom a split has found to be the person."""

from datetime import datetime
from typing import Any

from accounts.models import User
from events.rules.states import EventError
from players.models import Player
from ratings.merging.operations import column_text, save_columns, without_fields
from ratings.merging.register import FIELDS
from ratings.merging.rows import move_fide_ratings
from ratings.merging.versions import before_merge, forget_versions_of_others
from ratings.models import Merge


def hand_over(row: Player, player: Player, other: Player, *, at: datetime, by: User | None) -> list[str]:
    """Have the id of a player who was merged into one lead to another. What the one took over from him goes back, unless it was
    changed since; the merge is not undone any more. Within the caller's transaction, which holds the one and the other.

    Return the names of the fields that went back. Raises EventError if he is not merged into that player.
    """
    row = Player.objects.select_for_update(of=("self",)).get(pk=row.pk)
    if row.merged_into_id != player.pk:
        raise EventError(f"{row} is not merged into {player}: look at the page as it is")
    merges = list(Merge.objects.filter(old=row).exclude(applied_at=None).order_by("pk"))
    went_back = [label for merge in merges for label in _give_back(merge, row, player, at=at, by=by)]
    save_columns(row, {"merged_into_id": other.pk}, at=at, by=by, reason="split")
    for merge in merges:
        # What the one has of the other is not to be read, or fetched, by who may not see the other.
        forget_versions_of_others(merge.new_id, [row.pk], own=before_merge(merge))
        Merge.objects.filter(pk=merge.pk).update(moved=without_fields(merge))
    return went_back


def _give_back(merge: Merge, row: Player, player: Player, *, at: datetime, by: User | None) -> list[str]:
    if merge.new_id != player.pk or not {"old", "new"} <= merge.moved.keys():
        return []
    old, new = merge.moved["old"], merge.moved["new"]
    given: dict[str, Any] = {}
    labels = []
    for code in merge.taken:
        label, columns = FIELDS[code]
        # Without the address, when it is long ago (`ratings.personal_data.remains`).
        if all(column in new and column_text(getattr(player, column)) == old.get(column) for column in columns):
            given |= {column: new[column] for column in columns}
            labels.append(label)
    if "fide_id" in given:
        move_fide_ratings(row, player, {row.pk: old["fide_id"], player.pk: new["fide_id"]})
        save_columns(player, {"fide_id": None}, at=at, by=by, reason="")
        save_columns(row, {"fide_id": old["fide_id"]}, at=at, by=by, reason="")
    if given:
        save_columns(player, given, at=at, by=by, reason="split")
    return labels
