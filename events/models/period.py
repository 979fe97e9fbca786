"""Rating periods: the months in which events are rated (article 4.6)."""

from datetime import date
from typing import ClassVar

from django.db import models
from django.db.models import Q

from config.lib.days import next_month


class RatingPeriod(models.Model):
    """One calendar month. The rating run sets `state` as it calculates and publishes.

    Sections can be added and removed until the period is closed. Hazard: lock the period before moving a section.
    """

    class State(models.TextChoices):
        """How far the calculation of the month is."""

        OPEN = "open", "open"
        CALCULATING = "calculating", "calculating"
        CALCULATED = "calculated", "calculated"
        PUBLISHING = "publishing", "publishing"
        PUBLISHED = "published", "published"

    CLOSED: ClassVar[tuple[str, ...]] = (State.PUBLISHING, State.PUBLISHED)

    month = models.DateField(unique=True)
    state = models.CharField(max_length=11, choices=State.choices, default=State.OPEN, editable=False)
    published_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["month"]
        constraints = [
            models.CheckConstraint(condition=Q(month__day=1), name="period_month_begins_on_the_first"),
            models.CheckConstraint(
                condition=Q(state="published", published_at__isnull=False)
                | (~Q(state="published") & Q(published_at__isnull=True)),
                name="period_published_at_when_published",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}"

    @property
    def calculated_on(self) -> date:
        """The day of calculation: the first day of the next period (articles 65, 66)."""
        return next_month(self.month)

    @property
    def closed(self) -> bool:
        """Whether the period is published or being published, so that its sections may no longer change."""
        return self.state in self.CLOSED
