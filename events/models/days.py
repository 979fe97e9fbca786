"""The days of events and sections in the database."""

from django.db import models
from django.db.models import F, Q

from config.lib.days import FIRST_DAY, LAST_DAY


def days_constraints(name: str) -> list[models.CheckConstraint]:
    """Return the constraints of a row with `starts` and `ends`: in order, and plausible. `name`: the row's, in theirs."""
    return [
        models.CheckConstraint(
            condition=Q(ends__gte=F("starts")),
            name=f"{name}_ends_after_start",
            violation_error_message="The last day is before the first: correct one of them.",
        ),
        models.CheckConstraint(
            condition=Q(starts__gte=FIRST_DAY, ends__lte=LAST_DAY),
            name=f"{name}_days_plausible",
            violation_error_message="The days are not plausible: correct them.",
        ),
    ]
