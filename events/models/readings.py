"""The readings of the regulations that the bureau may choose, and that are no figures of an edition."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from config.lib.formatting import MONTHS

LONGEST_ACTIVITY = 120  # months


class Readings(models.Model):
    """How the bureau reads some articles. The table has one row, which its migration adds; read it by `readings()`."""

    aoc_year_begins = models.PositiveSmallIntegerField(
        "first month of the AOC’s fee year", choices=list(enumerate(MONTHS, start=1)), default=1
    )
    activity_months = models.PositiveSmallIntegerField(
        "months of games that make a player active",
        default=12,
        validators=[MinValueValidator(1), MaxValueValidator(LONGEST_ACTIVITY)],
    )
    whole_birth_dates = models.BooleanField("whole birth dates in downloads", default=False)

    class Meta:
        verbose_name = verbose_name_plural = "readings"
        default_permissions = ("view", "change")
        constraints = [
            models.CheckConstraint(condition=Q(pk=1), name="readings_have_one_row"),
            models.CheckConstraint(condition=Q(aoc_year_begins__range=(1, 12)), name="readings_month_of_a_year"),
            models.CheckConstraint(
                condition=Q(activity_months__range=(1, LONGEST_ACTIVITY)), name="readings_activity_plausible"
            ),
        ]

    def __str__(self) -> str:
        return "Readings"
