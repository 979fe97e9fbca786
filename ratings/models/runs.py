"""Runs: what the lists of a period come from, which of them is published, and which were."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q


class RatingRun(models.Model):
    """What a period's lists come from. A calculation is a job: workers hold the row by a lease, the queue only wakes them.

    The runs of a re-rating (`rerating`) are calculated as one chain, by the lease of the re-rating.
    """

    class Kind(models.TextChoices):
        """Where the figures come from."""

        CALCULATED = "calculated", "calculated from the games of the month"
        OPENING = "opening", "opening balance"
        HISTORY = "history", "list of a former bureau"

    class State(models.TextChoices):
        """How far the run is."""

        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        CALCULATED = "calculated", "calculated"
        PUBLISHING = "publishing", "publishing"
        PUBLISHED = "published", "published"
        REPLACED = "replaced", "replaced by a corrected list"
        FAILED = "failed", "failed"
        SUPERSEDED = (
            "superseded",
            "out of date",
        )  # its input has changed; its figures go when the next run is calculated

    UNDER_WAY: ClassVar[tuple[str, ...]] = (State.QUEUED, State.RUNNING, State.PUBLISHING)

    period = models.ForeignKey("events.RatingPeriod", on_delete=models.PROTECT, related_name="runs")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.CALCULATED, editable=False)
    rerating = models.ForeignKey(
        "ratings.Rerating", null=True, blank=True, editable=False, on_delete=models.PROTECT, related_name="runs"
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    stage = models.CharField(max_length=60, blank=True)
    progress = models.PositiveSmallIntegerField(default=0, help_text="Per cent.")
    lease = models.UUIDField(null=True, editable=False)
    lease_until = models.DateTimeField(null=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    input_hash = models.CharField(max_length=64, blank=True)
    list_hashes = models.JSONField(default=dict, editable=False)
    against = models.JSONField(default=dict, editable=False)  # how it differs from the month's run before it
    edition = models.CharField(max_length=20, blank=True)
    sections = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    players = models.PositiveIntegerField(default=0)
    remarks = models.TextField(blank=True, help_text="What could not be rated on a list, and why.")
    error = models.TextField(blank=True)
    reason = models.TextField(blank=True)
    queued_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    publication_asked_at = models.DateTimeField(null=True, editable=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name="started by", null=True, on_delete=models.PROTECT, related_name="+"
    )
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    whole_birth_dates = models.BooleanField(
        null=True, editable=False, help_text="Whether its files have them; unknown until they are made."
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["period"],
                condition=Q(
                    rerating__isnull=True,
                    state__in=["queued", "running", "calculated", "publishing", "published"],
                ),
                name="one_run_in_force_a_period",
            ),
            models.UniqueConstraint(fields=["rerating", "period"], name="rerating_calculates_a_period_once"),
            models.CheckConstraint(condition=Q(progress__lte=100), name="run_progress_per_cent"),
        ]

    def __str__(self) -> str:
        return f"run {self.pk} of {self.period}"


class PublishedRun(models.Model):
    """The pointer that readers follow from a period to its published lists. The run that it leads to is not deleted."""

    period = models.OneToOneField(
        "events.RatingPeriod", primary_key=True, on_delete=models.PROTECT, related_name="publication"
    )
    run = models.OneToOneField(RatingRun, on_delete=models.PROTECT, related_name="publication")
    files_asked_at = models.DateTimeField(help_text="Since when the files of the run are to be made.")

    def __str__(self) -> str:
        return f"{self.period}: {self.run}"


class Revision(models.Model):
    """Which run a period's published lists came from, from when on. The first is number 1; rows are only added."""

    period = models.ForeignKey("events.RatingPeriod", on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveSmallIntegerField()
    run = models.ForeignKey(RatingRun, on_delete=models.PROTECT, related_name="revisions")
    published_at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    rerating = models.ForeignKey("ratings.Rerating", null=True, on_delete=models.PROTECT, related_name="revisions")
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ["period", "number"]
        constraints = [
            models.UniqueConstraint(fields=["period", "number"], name="revision_number_once_in_period"),
            models.CheckConstraint(condition=Q(number__gte=1), name="revision_number_from_one"),
            models.CheckConstraint(condition=Q(number=1) | ~Q(reason=""), name="revision_says_why"),
        ]

    def __str__(self) -> str:
        return f"{self.period}, revision {self.number}"
