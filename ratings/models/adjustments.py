"""Adjustments: what was published is let stand, and the next list corrected (article 64)."""

from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

MOST_POINTS = 1000


class Adjustment(models.Model):
    """Points by which a month's calculation corrects a player's raw rating on a list, because what was published is wrong.

    `rerating`: the re-rating that was let stand for it, None for one entered by hand. It counts from when it is made, and
    stands as soon as the list of its month is published; until then it can be withdrawn.
    """

    IN_FORCE: ClassVar[Q] = Q(withdrawn_at__isnull=True)

    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="adjustments")
    list = models.ForeignKey("ratings.RatingList", on_delete=models.PROTECT, related_name="+")
    period = models.ForeignKey("events.RatingPeriod", on_delete=models.PROTECT, related_name="adjustments")
    points = models.DecimalField(
        max_digits=6,
        decimal_places=2,
        validators=[MinValueValidator(-MOST_POINTS), MaxValueValidator(MOST_POINTS)],
        help_text="Added to the raw rating; less than 0 takes points away.",
    )
    reason = models.TextField(
        help_text="What was wrong, and from what it is known. Shown in public with the adjustment."
    )
    rerating = models.ForeignKey(
        "ratings.Rerating", null=True, blank=True, editable=False, on_delete=models.PROTECT, related_name="adjustments"
    )
    report = models.ForeignKey(
        "events.ErrorReport", null=True, blank=True, on_delete=models.PROTECT, related_name="adjustments"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, editable=False, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(editable=False)
    withdrawn_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="adjustment_has_a_reason"),
            models.CheckConstraint(condition=~Q(points=0), name="adjustment_is_not_nothing"),
        ]

    @property
    def points_text(self) -> str:
        """The points with their sign: `+12.5`."""
        return f"{self.points.normalize():+f}".replace("-", "−")

    def __str__(self) -> str:
        return f"{self.points_text} for {self.player} on {self.list}, {self.period}"
