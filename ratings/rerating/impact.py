"""What a re-rating changes: each player's published rating, old and new, by month and list."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from players.models import Player
from ratings.models import RatingList, RatingRun, Rerating
from ratings.runs.differences import differing

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Change:
    """A player's published rating on a list of a month, as it was and as it becomes, and his places; None: not on the list."""

    month: str  # 2024-03, the month of the games
    list_id: int
    player_id: int
    old: float | None
    new: float | None
    old_position: int | None
    new_position: int | None

    @property
    def size(self) -> float:
        """By how much the rating changes; infinite for who comes on the list or leaves it."""
        return float("inf") if self.old is None or self.new is None else abs(self.new - self.old)


def changes(rerating: Rerating) -> Iterator[Change]:
    """Yield what a calculated re-rating changes, by month, greatest first in each list."""
    for run in rerating.runs.select_related("period").order_by("period__month"):
        yield from changes_of(run)


def changes_of(run: RatingRun) -> list[Change]:
    """Return what a run of a re-rating changes, by list, greatest first. Four queries."""
    order = dict(RatingList.objects.values_list("pk", "position"))
    rows = [Change(str(run.period), *row) for row in differing(former_run(run).pk, run.pk)]
    return sorted(rows, key=lambda change: (order[change.list_id], -change.size, change.player_id))


def numbered_changes(rerating: Rerating) -> Iterator[dict[str, Any]]:
    """Yield what a calculated re-rating changes by the words of addresses: month, list, player's Chess SA id, old and new."""
    lists = dict(RatingList.objects.values_list("pk", "code"))
    rows = list(changes(rerating))
    numbers: dict[int, str] = {}
    keys = sorted({change.player_id for change in rows})
    for start in range(0, len(keys), _AT_ONCE):
        players = Player.objects.filter(pk__in=keys[start : start + _AT_ONCE])
        numbers |= dict(players.values_list("pk", "number"))
    for change in rows:
        yield {
            "month": change.month,
            "list": lists[change.list_id],
            "player": numbers[change.player_id],
            "old": change.old,
            "new": change.new,
        }


def summary(rerating: Rerating) -> list[dict[str, Any]]:
    """Return for each month and list that changes how many players change, how many come on the list and leave it, and the
    greatest change of a rating; in order."""
    lists = dict(RatingList.objects.values_list("pk", "code"))
    counted: dict[tuple[str, int], dict[str, Any]] = {}
    for change in changes(rerating):
        key = (change.month, change.list_id)
        row = counted.setdefault(
            key,
            {"month": change.month, "list": lists[change.list_id], "players": 0, "new": 0, "gone": 0, "greatest": 0.0},
        )
        row["players"] += 1
        row["new"] += change.old is None
        row["gone"] += change.new is None
        if change.old is not None and change.new is not None:
            row["greatest"] = max(row["greatest"], change.size)
    return list(counted.values())


def former_run(run: RatingRun) -> RatingRun:
    """Return the run whose lists a run of a re-rating replaces, or has replaced: the one that was published before it."""
    own = run.revisions.order_by("number").first()
    revisions = run.period.revisions.select_related("run").order_by("-number")
    former = (revisions.filter(number__lt=own.number) if own else revisions).first()
    assert former is not None  # noqa: S101 - a published period has a revision
    return former.run
