"""Records proposed penalties and decisions on them (articles 51–54). An officer's decision is final."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import transaction

from accounts.models import User
from events.models import Penalty, RatingPeriod, Section
from events.operations import EventError, lock_open_periods, record_penalty_decision
from events.rules.penalties import Proposal, points_lost
from events.rules.states import State
from players.models import Player

# States in which the event's administrator and arbiters may answer.
ANSWERABLE = (State.REGISTERED, State.RETURNED, State.SUBMITTED, State.ACCEPTED)


def record_proposals(section: Section, proposals: Iterable[Proposal], players: Mapping[int, Player]) -> None:
    """Write the penalties proposed for a section, not in force until confirmed. `players`: by start number."""
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
    """Confirm or drop penalties. `final`: an officer decides.

    Raises EventError if a penalty is part of a published list or dropped without a reason, or if without `final` an officer has
    decided it or the event no longer takes answers.
    """
    if status is Penalty.Status.DROPPED and not reason.strip():
        raise EventError("give the reason why the penalty is dropped")
    with transaction.atomic():
        chosen = Penalty.objects.select_for_update(of=("self",)).select_related("section__event", "player")
        for penalty in chosen.filter(pk__in=[penalty.pk for penalty in penalties]):
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
            record_penalty_decision(penalty, status, reason, by=by, at=at, final=final)
