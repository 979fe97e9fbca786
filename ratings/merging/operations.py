"""Does a merge and undoes it: the register's part, and all rows that name the player who goes.

The caller holds the transaction and decides whether it may be done: `ratings.rerating.merges` at once, where no published
rating changes, and the publication of a re-rating otherwise.
"""

from datetime import date, datetime
from typing import Any

from accounts.models import User
from accounts.trail.operations import record
from config.lib.database import LONGEST_CHANGE_REASON, save_recorded
from config.lib.texts import shortened
from events.rules.states import EventError
from players.models import PRIVATE, Player
from players.operations import hide_merged
from ratings.merging.register import COLUMNS, merged_values
from ratings.merging.rows import move_back, move_fide_ratings, move_rows, published_sections, require_apart
from ratings.merging.versions import before_merge, forget_versions_of_others, latest_version
from ratings.models import Merge, Revision

_HIDDEN = frozenset({*PRIVATE, "folded_name"})
HANDED_OVER = "handed over"  # among what a merge has moved: the one who went was split off since
SPLIT_SINCE = "split since"  # another who had come with him was
_READ = dict.fromkeys(("birth_date", "died_on", "hidden_since"), date.fromisoformat) | {
    "registered_at": datetime.fromisoformat
}


def apply_merge(merge: Merge, *, at: datetime, by: User | None = None) -> None:
    """Merge the two players of a proposed merge. Raises EventError if they cannot be merged as they are now."""
    old, new = lock_both(merge)
    require_on_register(old, new)
    require_apart(old, new)
    late = published_sections(old)
    if late:
        raise EventError(
            f"{old} has played in {late[0]}, which has been published since: undo the merge and begin again"
        )
    merge.moved = {"old": _columns(old), "new": _columns(new), **move_rows(old, new, at=at, by=by)}
    merge.moved |= {"revisions": Revision.objects.count(), "version": latest_version()}
    values = merged_values(old, new, merge.taken)
    former = {"fide_id": new.fide_id if "fide_id" in merge.taken else old.fide_id, "merged_into_id": new.pk}
    move_fide_ratings([old, new], {old.pk: former["fide_id"], new.pk: values["fide_id"]})
    save_columns(old, {"fide_id": None}, at=at, by=by, reason="")
    save_columns(new, values, at=at, by=by, reason=str(merge))
    save_columns(old, former, at=at, by=by, reason=str(merge))
    hide_merged(new, at=at, by=by)
    merge.applied_at = at
    merge.save(update_fields=["moved", "applied_at"])
    changed = [column for column in values if column_text(values[column]) != merge.moved["new"][column]]
    record(
        "merged",
        new,
        at=at,
        by=by,
        before={_label(column): _shown(column, merge.moved["new"][column]) for column in changed},
        after={"merged": str(old)}
        | {_label(column): _shown(column, column_text(values[column])) for column in changed},
        reason=merge.reason,
    )


def revert_merge(merge: Merge, *, at: datetime, by: User | None = None, reason: str = "") -> None:
    """Make the two players of a merge two again, each with the rows and the register's fields that he had; the merge is then
    proposed as before. Raises EventError if something has been changed since."""
    old, new = lock_both(merge)
    if old.erased_at is not None or new.erased_at is not None:
        raise EventError(f"the data of {new} was erased since: what stood there before the merge is kept no more")
    if new.merged_into_id is not None:
        raise EventError(f"{new} has been merged into another player since: undo that merge first")
    if old.merged_into_id != new.pk or HANDED_OVER in merge.moved or SPLIT_SINCE in merge.moved:
        raise EventError(f"{new} was split since: it cannot be undone")
    # Without the addresses, when it is long ago (`ratings.personal_data.remains`).
    touched = {
        column: value for column, value in _columns(new).items() if value != merge.moved["new"].get(column, value)
    }
    expected = {
        column: column_text(value)
        for column, value in merged_values(
            _with(old, merge.moved["old"]), _with(new, merge.moved["new"]), merge.taken
        ).items()
    }
    changed = [column for column, value in touched.items() if value != expected.get(column, value)]
    if changed:
        raise EventError(
            f"{_label(changed[0])} of {new} has been changed since the merge: set it back first, or split the player"
        )
    move_back(old, new, merge.moved, at=at, by=by)
    old.refresh_from_db()
    new.refresh_from_db()
    move_fide_ratings([old, new], {old.pk: merge.moved["old"]["fide_id"], new.pk: merge.moved["new"]["fide_id"]})
    save_columns(new, {"fide_id": None}, at=at, by=by, reason="")
    save_columns(old, merge.moved["old"], at=at, by=by, reason=f"undone: {merge}")
    save_columns(new, merge.moved["new"], at=at, by=by, reason=f"undone: {merge}")
    for player in (old, new):
        hide_merged(player, at=at, by=by)
    # What one had of the other meanwhile is not to be read in his history by who may not see the other.
    for player, other in ((new, old), (old, new)):
        forget_versions_of_others(player.pk, [other.pk], own=before_merge(merge))
    record("merge undone", new, at=at, by=by, after={"two again": str(old)}, reason=reason or merge.reason)
    merge.moved, merge.applied_at = {}, None
    merge.save(update_fields=["moved", "applied_at"])


def without_fields(merge: Merge) -> dict[str, Any]:
    """Return what a merge has moved, without what stood in the register of the two, so that it is not undone any more. That
    there is an address to be cleared (`ratings.personal_data.remains`) stays."""
    addresses = {side: {"email": ""} if "email" in merge.moved.get(side, {}) else {} for side in ("old", "new")}
    return {**merge.moved, **addresses, HANDED_OVER: True}


def only_marks(merge: Merge) -> dict[str, Any]:
    """Return of what a merge has moved only that somebody was split off since: all else is erased."""
    return {mark: True for mark in (HANDED_OVER, SPLIT_SINCE) if mark in merge.moved}


def lock_both(merge: Merge) -> tuple[Player, Player]:
    """Return both players of a merge, locked."""
    keys = [merge.old_id, merge.new_id]
    rows = {
        player.pk: player
        for player in Player.objects.select_for_update(of=("self",)).filter(pk__in=keys).order_by("pk")
    }
    return rows[merge.old_id], rows[merge.new_id]


def require_on_register(*players: Player) -> None:
    """Raise EventError for a player who is merged already, or whose data was erased."""
    for player in players:
        if player.erased_at is not None:
            raise EventError(
                f"the data of {player} was erased: he becomes nobody else, and nobody becomes him. If the other record is of"
                " the same person, and he wishes it, erase that, too"
            )
        if player.merged_into is not None:
            raise EventError(f"{player} is merged into {player.merged_into} already: choose that one")


def _columns(player: Player) -> dict[str, Any]:
    return {column: column_text(getattr(player, column)) for column in COLUMNS}


def column_text(value: Any) -> Any:
    """Return the value of a column as a merge keeps it: a day or moment as text."""
    return value.isoformat() if isinstance(value, date) else value


def _values(columns: dict[str, Any]) -> dict[str, Any]:
    return {
        column: _READ[column](value) if column in _READ and isinstance(value, str) else value
        for column, value in columns.items()
    }


def _with(player: Player, columns: dict[str, Any]) -> Player:
    return Player(pk=player.pk, number=player.number, **_values(columns))


def save_columns(player: Player, values: dict[str, Any], *, at: datetime, by: User | None, reason: str) -> None:
    """Write columns as they are given, or as a merge keeps them: names and addresses are what was on the register. Without a
    reason no history."""
    values = _values(values)
    for column, value in values.items():
        setattr(player, column, value)
    if not reason:
        Player.objects.filter(pk=player.pk).update(**values)
        return
    player._change_reason = shortened(reason, LONGEST_CHANGE_REASON)  # type: ignore[attr-defined]
    save_recorded(player, at=at, by=by)


def _label(column: str) -> str:
    return next(str(field.verbose_name) for field in Player._meta.fields if field.attname == column)


def _shown(column: str, value: Any) -> str:
    return "(hidden)" if column in _HIDDEN else str(value or "")
