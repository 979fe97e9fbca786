"""Putting right what is published (articles 63, 64): amended sections, and the months that are calculated again for them."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q


class Rerating(models.Model):
    """The published months from the first one concerned on, calculated again as one chain and published together.

    The row is the job: workers hold it by a lease, as a run. `reason` is public. `impact`: by month and list, how many
    players' published ratings change, as `ratings.rerating.impact` counts them.
    """

    class State(models.TextChoices):
        """How far it is."""

        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        CALCULATED = "calculated", "calculated"
        PUBLISHING = "publishing", "publishing"
        PUBLISHED = "published", "published"
        FAILED = "failed", "failed"
        WITHDRAWN = "withdrawn", "withdrawn"
        UNDONE = "undone", "taken back"
        LET_STAND = "let stand", "let stand, corrected from the next list on"

    UNDER_WAY: ClassVar[tuple[str, ...]] = (State.QUEUED, State.RUNNING, State.PUBLISHING)

    first = models.ForeignKey("events.RatingPeriod", on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    stage = models.CharField(max_length=60, blank=True)
    progress = models.PositiveSmallIntegerField(default=0, help_text="Per cent.")
    lease = models.UUIDField(null=True, editable=False)
    lease_until = models.DateTimeField(null=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    impact = models.JSONField(default=list, editable=False)
    queued_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    publication_asked_at = models.DateTimeField(null=True, editable=False)
    published_at = models.DateTimeField(null=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name="started by", null=True, on_delete=models.PROTECT, related_name="+"
    )
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-pk"]
        verbose_name = "re-rating"
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="rerating_has_a_reason"),
            models.CheckConstraint(condition=Q(progress__lte=100), name="rerating_progress_per_cent"),
        ]

    def __str__(self) -> str:
        return f"re-rating {self.pk} from {self.first}"


class Amendment(models.Model):
    """What is right of a published section: its content as it was and as it is to be (`events.amending.content`).

    Nothing is changed before the re-rating that it belongs to is published; `rerating` is empty while it waits for one. With a
    re-rating that is let stand, the section stays as it is published, and adjustments correct the next list (`let_stand_at`).
    """

    OPEN: ClassVar[Q] = Q(applied_at__isnull=True, let_stand_at__isnull=True)

    section = models.ForeignKey("events.Section", on_delete=models.PROTECT, related_name="amendments")
    before = models.JSONField(editable=False)
    after = models.JSONField(editable=False)
    reason = models.TextField(help_text="Why, and from what it is known. Shown in public with the correction.")
    reports = models.ManyToManyField("events.ErrorReport", blank=True, related_name="amendments")
    file = models.ForeignKey(
        "events.SubmittedFile", null=True, blank=True, editable=False, on_delete=models.PROTECT, related_name="+"
    )
    rerating = models.ForeignKey(
        Rerating, null=True, blank=True, editable=False, on_delete=models.PROTECT, related_name="amendments"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, editable=False, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(editable=False)
    applied_at = models.DateTimeField(null=True, editable=False)
    let_stand_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["section"],
                condition=Q(applied_at__isnull=True, let_stand_at__isnull=True),
                name="one_open_amendment_a_section",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="amendment_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"amendment of {self.section}"


class AmendingFile(models.Model):
    """A large file that was sent in anew for a published section, until a worker has made an amendment of it.

    `file`: none once it could not be taken; `chosen`: start number → Chess SA id; `shown`: what the page showed of the section,
    by `config.lib.shown.digest`. `error`: why it was not taken, "" as long as it waits; `findings`: the first of its check
    then, `more_findings`: how many others.
    """

    section = models.OneToOneField("events.Section", on_delete=models.CASCADE, related_name="amending_file")
    file = models.ForeignKey("events.SubmittedFile", null=True, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=255)
    base_minutes = models.PositiveSmallIntegerField()
    increment_seconds = models.PositiveSmallIntegerField()
    chosen = models.JSONField(default=dict)
    reason = models.TextField()
    report = models.ForeignKey("events.ErrorReport", null=True, on_delete=models.SET_NULL, related_name="+")
    shown = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    error = models.TextField(blank=True)
    findings = models.JSONField(default=list)
    more_findings = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["at", "pk"]
        verbose_name = "new file for a section"
        verbose_name_plural = "new files for sections"
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"new file for {self.section}"
