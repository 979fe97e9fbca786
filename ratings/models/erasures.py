"""Players whose data was erased."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Erasure(models.Model):
    """That a player's data was erased: by which pseudonym he is called since, when, by whom and why. Never what was erased."""

    player = models.OneToOneField("players.Player", on_delete=models.PROTECT, related_name="erasure")
    pseudonym = models.CharField(max_length=20)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()

    class Meta:
        ordering = ["-at", "-pk"]
        default_permissions = ("view",)
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="erasure_has_a_reason")]

    def __str__(self) -> str:
        return f"erasure of {self.pseudonym}"
