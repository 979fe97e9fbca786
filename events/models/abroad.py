"""Links that are mailed to players and team managers, to submit results from abroad (article 10)."""

from django.db import models
from django.utils.translation import gettext_noop


class AbroadLink(models.Model):
    """A mailed link: the player whose results it is for, the address, and the event submitted by it.

    `event` is empty until results are submitted, except for a link to correct a returned event. `address` is never public.
    """

    class Sender(models.TextChoices):
        """Who answers for the results (article 10)."""

        PLAYER = "player", gettext_noop("the player")
        MANAGER = "manager", gettext_noop("the team manager")

    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="abroad_links")
    sender = models.CharField(max_length=7, choices=Sender.choices)
    address = models.EmailField(max_length=254)
    at = models.DateTimeField()
    event = models.ForeignKey(
        "events.Event", null=True, blank=True, on_delete=models.CASCADE, related_name="abroad_links"
    )

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = "mailed link"
        indexes = [
            models.Index(fields=["address", "at"], name="abroad_link_of_address"),
            models.Index(fields=["player", "at"], name="abroad_link_of_player"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(sender__in=["player", "manager"]), name="abroad_link_sender_known"
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_sender_display()}, for {self.player}"
