"""Reports of errors in sections that are rated (article 63)."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy
from simple_history.models import HistoricalRecords

from events.rules.sizes import LONGEST_NAME


class ErrorReport(models.Model):
    """A report that a game, a player's line or a section is wrong (article 63), and its answer.

    It names a section, a player, or both; without a section it is about the player's figures of `month`, the first day of the
    rating period in which was played what it is about. A visitor's report counts once its mailed link is confirmed. Name and
    address of the reporter are never public.
    """

    class State(models.TextChoices):
        """How far it is."""

        RECEIVED = "received", gettext_lazy("received")
        LOOKED_AT = "looked at", gettext_lazy("being looked at")
        CORRECTED = "corrected", gettext_lazy("corrected")
        REJECTED = "rejected", gettext_lazy("rejected")

    class Role(models.TextChoices):
        """As whom it is reported."""

        PLAYER = "player", gettext_lazy("player")
        ORGANISER = "organiser", gettext_lazy("organiser")
        ARBITER = "arbiter", gettext_lazy("arbiter")
        ADMINISTRATOR = "administrator", gettext_lazy("Regional Administrator")

    section = models.ForeignKey(
        "events.Section", null=True, blank=True, on_delete=models.PROTECT, related_name="error_reports"
    )
    player = models.ForeignKey(
        "players.Player", null=True, blank=True, on_delete=models.PROTECT, related_name="error_reports"
    )
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    month = models.DateField("played in")
    wrong = models.TextField("what is wrong")
    right = models.TextField("what is right")
    proof_url = models.URLField("proof", max_length=300, blank=True)
    role = models.CharField("reported as", max_length=13, choices=Role.choices)
    reporter_name = models.CharField(max_length=LONGEST_NAME)
    reporter_email = models.EmailField(max_length=254)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="error_reports")
    at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=9, choices=State.choices, default=State.RECEIVED)
    answer = models.TextField(blank=True)
    answered_at = models.DateTimeField(null=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    history = HistoricalRecords()

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(section__isnull=False) | Q(player__isnull=False), name="error_report_names_what"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["received", "looked at"], answered_at__isnull=True, answer="")
                | (Q(state__in=["corrected", "rejected"], answered_at__isnull=False) & ~Q(answer="")),
                name="error_report_answered_with_a_reason",
            ),
        ]

    @property
    def on_trail(self) -> str:
        """What the report is called among the decisions on its event."""
        return f"report of an error in {self} by {self.reporter_name}"

    def __str__(self) -> str:
        parts = [
            str(self.section) if self.section else f"{self.month:%Y-%m}",
            f"round {self.round}" if self.round else "",
            self.player.name if self.player else "",
        ]
        return ", ".join(part for part in parts if part)
