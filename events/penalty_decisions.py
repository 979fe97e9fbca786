"""Decisions on penalties, written with their lines of the trail, and penalties in words (articles 51, 52)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import QuerySet
from simple_history.utils import get_history_manager_for_model

from accounts.models import User
from accounts.trail.operations import record, record_all
from config.lib import formatting
from config.lib.shown_rows import first_of
from config.lib.texts import plain_text
from events.models import Event, Penalty
from events.rules.penalties import rounds_covered
from events.rules.states import EventError

_AT_ONCE = 500  # rows of a statement: SQLite takes so many keys
UNANSWERED = "No answer was given: applied when the event was accepted (articles 51, 52)."


def penalty_words(penalties: Iterable[Penalty]) -> str:
    """Return penalties in words: player, points, round; of the first MOST_SHOWN, and how many more there are."""
    shown = first_of(penalties)
    words = [f"{penalty.player}, {penalty.cost}, {penalty.kind} in round {penalty.round}" for penalty in shown.rows]
    return "; ".join([*words, f"and {shown.more} more"] if shown.more else words)


def applied_unanswered(event: Event, *, at: datetime) -> str:
    """Return in words the penalties that were applied without an answer when the event was accepted at `at`; "" without any."""
    applied = list(
        Penalty.objects.filter(
            section__event=event, status=Penalty.Status.CONFIRMED, decided_at=at, reason__startswith=UNANSWERED
        ).select_related("player")
    )
    if not applied:
        return ""
    number = formatting.count(len(applied), "penalty without an answer is", "penalties without an answer are")
    return f"{number} applied (articles 51, 52): {penalty_words(applied)}."


def record_penalty_decision(
    penalty: Penalty, status: str, reason: str, *, by: User | None, at: datetime, final: bool = False
) -> None:
    """Write a decision on a penalty, and put it on the trail. Whether the user may decide is checked by the caller.

    Raises EventError if one is confirmed that takes points for a round for which the player loses some already.
    """
    reason = plain_text(reason)
    if status == Penalty.Status.CONFIRMED:
        _require_rounds_free(penalty, _confirmed_beside(penalty))
    record(
        status,
        penalty,
        at=at,
        by=by,
        part_of=penalty.section.event,
        before={"penalty": penalty.status},
        after={"penalty": status},
        reason=reason,
    )
    penalty.status, penalty.reason = status, reason
    penalty.decided_by, penalty.decided_at, penalty.final = by, at, final
    penalty.save(update_fields=["status", "reason", "decided_by", "decided_at", "final"])


def apply_unanswered(event: Event, penalties: Sequence[Penalty], reason: str, *, by: User | None, at: datetime) -> None:
    """Confirm an event's proposed penalties as `record_penalty_decision` does each: thousands of them, in a few statements."""
    confirmed = defaultdict[tuple[int, int], list[Penalty]](list)
    for other in Penalty.objects.filter(section__event=event, status=Penalty.Status.CONFIRMED):
        confirmed[other.section_id, other.player_id].append(other)
    for penalty in penalties:
        others = confirmed[penalty.section_id, penalty.player_id]
        _require_rounds_free(penalty, sorted(others, key=lambda other: (other.round, other.pk)))
        others.append(penalty)
    lines = [(penalty, {"penalty": penalty.status}) for penalty in penalties]
    status = Penalty.Status.CONFIRMED
    record_all(status, lines, at=at, by=by, part_of=event, after={"penalty": status}, reason=reason)
    written = {"status": status, "reason": reason, "decided_by": by, "decided_at": at, "final": False}
    for first in range(0, len(penalties), _AT_ONCE):
        some = penalties[first : first + _AT_ONCE]
        Penalty.objects.filter(pk__in=[penalty.pk for penalty in some]).update(**written)
        for penalty in some:
            for name, value in written.items():
                setattr(penalty, name, value)
        get_history_manager_for_model(Penalty).bulk_history_create(some, update=True, default_change_reason=None)


def _confirmed_beside(penalty: Penalty) -> QuerySet[Penalty]:
    confirmed = penalty.section.penalties.filter(player=penalty.player_id, status=Penalty.Status.CONFIRMED)
    return confirmed.exclude(pk=penalty.pk)


def _require_rounds_free(penalty: Penalty, others: Iterable[Penalty]) -> None:
    """Raise EventError if a penalty takes points for a round for which one of the others of its player does."""
    ends = penalty.section.ends
    rounds = set(rounds_covered(penalty.round, float(penalty.points), ends))
    for other in others:
        twice = rounds.intersection(rounds_covered(other.round, float(other.points), ends))
        if twice:
            raise EventError(
                f"{penalty}: for round {min(twice)} he loses points already, by the {other.kind} in round {other.round}, and no"
                " round counts twice: drop one of the two (articles 51, 52)"
            )
