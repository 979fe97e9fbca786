"""Deciding proposed penalties (articles 51–54)."""

from django.db import transaction

from events.models import Penalty
from events.operations import EventError


def decide_penalties(penalties: list[Penalty], status: Penalty.Status, *, reason: str = "") -> None:
    """Confirm or drop penalties. EventError when one is in a published list, or is dropped without a reason."""
    if status is Penalty.Status.DROPPED and not reason.strip():
        raise EventError("give the reason why the penalty is dropped")
    with transaction.atomic():
        chosen = Penalty.objects.select_for_update(of=("self",)).select_related("section__period")
        for penalty in chosen.filter(pk__in=[one.pk for one in penalties]):
            if penalty.section.period is not None and penalty.section.period.published_run_id:
                raise EventError(f"{penalty} is part of the published list of {penalty.section.period} and stays")
            penalty.status = status
            penalty.reason = reason
            penalty.save(update_fields=["status", "reason"])
