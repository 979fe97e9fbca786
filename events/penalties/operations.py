"""Deciding proposed penalties (articles 51–54): those of the event say what they know, an officer's word is final."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import transaction

from accounts.models import User
from events.models import Penalty, RatingPeriod, Section
from events.operations import EventError, lock_open_periods
from events.rules.penalties import Proposal, points_lost
from events.rules.states import State
from players.models import Player

# In these states those of the event say what they know.
ANSWERABLE = (State.REGISTERED, State.RETURNED, State.SUBMITTED, State.ACCEPTED)


def record_proposals(section: Section, proposals: Iterable[Proposal], players: Mapping[int, Player]) -> None:
    """Write what a section's results propose; `players` go by start number. It costs nothing until somebody confirms it."""
    Penalty.objects.bulk_create(
        Penalty(
            section=section,
            player=players[proposal.number],
            round=proposal.round,
            kind=proposal.kind.value,
            points=points_lost(proposal, section.ends),
        )
        for proposal in proposals
    )


def decide_penalties(
    penalties: Iterable[Penalty],
    status: Penalty.Status,
    *,
    at: datetime,
    by: User | None = None,
    reason: str = "",
    final: bool = False,
) -> None:
    """Confirm or drop penalties. `final`: an officer does it.

    EventError when one is part of a published list, is dropped without a reason, or was decided by an officer before and
    is none's now.
    """
    if status is Penalty.Status.DROPPED and not reason.strip():
        raise EventError("give the reason why the penalty is dropped")
    with transaction.atomic():
        chosen = Penalty.objects.select_for_update(of=("self",)).select_related("section__event", "player")
        for penalty in chosen.filter(pk__in=[one.pk for one in penalties]):
            lock_open_periods(RatingPeriod.objects.filter(sections=penalty.section_id), str(penalty))
            state = State(penalty.section.event.state)
            if not final and state is State.CALCULATED:
                raise EventError(f"{penalty}: the month is calculated; write to the bureau if that is not right")
            if not final and state not in ANSWERABLE:
                raise EventError(f"{penalty}: the event is {state}, and nothing is asked of it")
            if penalty.final and not final:
                raise EventError(
                    f"{penalty}: the ratings officer has decided; write to the bureau if that is not right"
                )
            record_decision(penalty, status, reason, by=by, at=at, final=final)


def record_decision(
    penalty: Penalty, status: str, reason: str, *, by: User | None, at: datetime | None, final: bool = False
) -> None:
    """Write what was decided of a penalty, by whom and when. Who may is for the caller to know."""
    penalty.status, penalty.reason = status, reason
    penalty.decided_by, penalty.decided_at, penalty.final = by, at, final
    penalty.save(update_fields=["status", "reason", "decided_by", "decided_at", "final"])
