"""Deciding proposed penalties (articles 51–54)."""

from django.db import transaction

from events.models import Penalty
from events.operations import EventError, hold_open
from ratings.models import RatingPeriod


def decide_penalties(penalties: list[Penalty], status: Penalty.Status, *, reason: str = "") -> None:
    """Confirm or drop penalties. EventError when one is part of a published list, or is dropped without a reason."""
    if status is Penalty.Status.DROPPED and not reason.strip():
        raise EventError("give the reason why the penalty is dropped")
    with transaction.atomic():
        chosen = Penalty.objects.select_for_update(of=("self",))
        for penalty in chosen.filter(pk__in=[one.pk for one in penalties]):
            hold_open(RatingPeriod.objects.filter(sections=penalty.section_id), str(penalty))
            penalty.status = status
            penalty.reason = reason
            penalty.save(update_fields=["status", "reason"])
