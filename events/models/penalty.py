"""Rating points that a player loses for a forfeit or a withdrawal (articles 51–54)."""

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_noop
from simple_history.models import HistoricalRecords

from config.lib import formatting
from events.rules.penalties import PenaltyKind


class Penalty(models.Model):
    """Rating points that a player loses for a round, or for that and all later rounds. Only confirmed penalties count.

    `decided_by`: the last user who confirmed or dropped it, of the event or an officer. `final`: an officer's decision, or one
    that waits for an officer.
    """

    class Kind(models.TextChoices):
        """Why the points are lost."""

        FORFEIT = PenaltyKind.FORFEIT.value, gettext_noop("forfeit without notice (article 51)")
        WITHDRAWAL = PenaltyKind.WITHDRAWAL.value, gettext_noop("withdrawal without notice (article 52)")

    class Status(models.TextChoices):
        """What has been decided."""

        PROPOSED = "proposed", "proposed"
        CONFIRMED = "confirmed", "confirmed"
        DROPPED = "dropped", "dropped"

    section = models.ForeignKey("events.Section", on_delete=models.CASCADE, related_name="penalties")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="penalties")
    round = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    points = models.DecimalField(max_digits=6, decimal_places=2)
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.PROPOSED)
    reason = models.TextField(blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, editable=False, on_delete=models.PROTECT
    )
    decided_at = models.DateTimeField(null=True, blank=True, editable=False)
    final = models.BooleanField(default=False, editable=False)
    history = HistoricalRecords()

    class Meta:
        ordering = ["section", "round", "pk"]
        verbose_name_plural = "penalties"
        constraints = [
            models.UniqueConstraint(
                fields=["section", "player", "round"], condition=Q(status="confirmed"), name="penalty_once_a_round"
            ),
            models.UniqueConstraint(
                fields=["section", "player", "round", "kind"],
                condition=~Q(status="dropped"),
                name="penalty_kind_once_a_round",
            ),
            models.CheckConstraint(
                condition=Q(points__gt=0),
                name="penalty_points_positive",
                violation_error_message="A penalty costs points: enter how many, as the article says.",
            ),
        ]

    @property
    def decision(self) -> str:
        """The decision in words; "" while the penalty is proposed."""
        return {self.Status.CONFIRMED: "without notice", self.Status.DROPPED: f"announced: {self.reason}"}.get(
            self.Status(self.status), ""
        )

    @property
    def points_text(self) -> str:
        """The points without noughts at the end: `20`."""
        return f"{Decimal(self.points).normalize():f}"

    @property
    def cost(self) -> str:
        """The points with their noun: `1 point`, `20 points`."""
        return formatting.points(float(self.points))

    def __str__(self) -> str:
        return f"{self.player}: {self.cost}, {self.section}, round {self.round}"
