"""Refusals, the appeals against them, and requests for permission (articles 11 and 18)."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from simple_history.models import HistoricalRecords


class Refusal(models.Model):
    """That an event, or one section of it, is not rated: the notice to its region with the reasons (article 11).

    Without a section it stands for the whole event. `lifted_at` is set when the event or section is to be rated after all.
    """

    event = models.ForeignKey("events.Event", on_delete=models.CASCADE, related_name="refusals")
    section = models.ForeignKey(
        "events.Section", null=True, blank=True, on_delete=models.RESTRICT, related_name="refusals"
    )
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.TextField()
    lifted_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event"],
                condition=Q(section__isnull=True, lifted_at__isnull=True),
                name="refusal_of_event_once",
            ),
            models.UniqueConstraint(
                fields=["section"], condition=Q(lifted_at__isnull=True), name="refusal_of_section_once"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="refusal_with_a_reason"),
            models.CheckConstraint(
                condition=Q(lifted_at__isnull=True) | Q(lifted_at__gte=F("at")), name="refusal_lifted_after_it_was_made"
            ),
        ]

    def __str__(self) -> str:
        return str(self.section or self.event)


class Answerable(models.Model):
    """Something that a region asks and an officer answers, with a reason."""

    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    answer = models.TextField(blank=True)
    answered_at = models.DateTimeField(null=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        abstract = True


def _answered(waiting: str, *answers: str) -> Q:
    """Either it waits and has no answer, or it has one with its time and reason."""
    return Q(state=waiting, answered_at__isnull=True, answer="") | (
        Q(state__in=answers, answered_at__isnull=False) & ~Q(answer="")
    )


class PermissionRequest(Answerable):
    """A request that a section be rated although it is below the smallest size (article 18).

    `players` and `rounds` are the size that it has or will have; of teams: boards or players of the smallest one.
    """

    class State(models.TextChoices):
        """What became of it."""

        ASKED = "asked", "asked"
        GRANTED = "granted", "granted"
        DECLINED = "declined", "declined"

    section = models.ForeignKey("events.Section", on_delete=models.CASCADE, related_name="permission_requests")
    players = models.PositiveSmallIntegerField()
    rounds = models.PositiveSmallIntegerField()
    reason = models.TextField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.ASKED)
    history = HistoricalRecords()

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["section"], condition=Q(state="asked"), name="permission_asked_once_at_a_time"
            ),
            models.CheckConstraint(
                condition=_answered("asked", "granted", "declined"), name="permission_answered_with_a_reason"
            ),
            models.CheckConstraint(condition=Q(players__gte=1, rounds__gte=1), name="permission_size_positive"),
        ]

    def __str__(self) -> str:
        return str(self.section)


class Appeal(Answerable):
    """An appeal against a refusal, on behalf of the aggrieved party (article 11). A refusal is appealed once."""

    class State(models.TextChoices):
        """What became of it."""

        LODGED = "lodged", "lodged"
        UPHELD = "upheld", "upheld"
        DISMISSED = "dismissed", "dismissed"

    refusal = models.OneToOneField(Refusal, on_delete=models.CASCADE, related_name="appeal")
    appellant = models.CharField(max_length=120)
    grounds = models.TextField()
    state = models.CharField(max_length=9, choices=State.choices, default=State.LODGED)
    history = HistoricalRecords()

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=_answered("lodged", "upheld", "dismissed"), name="appeal_answered_with_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return str(self.refusal)
