"""Players whose data was erased, or is to be."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Erasure(models.Model):
    """That a player's data is to be erased, or was: when, by whom and why, and by which pseudonym he is called since.

    Never what was erased: `error`, why it could not be, may name him, and is "" once it was. `rows`: which players, arbiters
    and accounts he was when it was asked for, or done, as keys of the trail, and since when each was there, by which it is
    known from another of that key.
    """

    class State(models.TextChoices):
        """Where it stands. A worker ends WAITING in one of the others."""

        WAITING = "waiting", "waiting for a worker"
        FAILED = "failed", "could not be done"
        DONE = "done", "done"

    player = models.OneToOneField("players.Player", on_delete=models.PROTECT, related_name="erasure")
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    asked_at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()
    at = models.DateTimeField("erased at", null=True)
    pseudonym = models.CharField(max_length=20, default="", blank=True)
    error = models.TextField(default="", blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    rows = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-asked_at", "-pk"]
        default_permissions = ("view",)
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="erasure_has_a_reason"),
            models.CheckConstraint(
                condition=(Q(state="done", at__isnull=False, error="") & ~Q(pseudonym=""))
                | (~Q(state="done") & Q(at=None, pseudonym="")),
                name="erasure_has_a_pseudonym_once_done",
            ),
        ]

    def __str__(self) -> str:
        return f"erasure of {self.pseudonym or self.player}"
