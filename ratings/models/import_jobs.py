"""Lists that officers bring in, and the work on them."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q


class ImportJob(models.Model):
    """A list that an officer brings in. The row is the job: workers hold it by a lease, the queue only wakes them.

    It is read and compared, shown to the officer, taken when he confirms, and perhaps undone. `options`: how he wants it read;
    `summary`: what the work found that its page shows. Both belong to the kind.
    """

    class Kind(models.TextChoices):
        """What the list brings."""

        REGISTER = "register", "register of players"
        OPENING = "opening", "opening balance"
        HISTORY = "history", "list of a former bureau"
        TRIAL = "trial", "trial month"
        FIDE = "fide", "FIDE’s list"

    class State(models.TextChoices):
        """How far the job is."""

        READING = "reading", "being read"
        COMPARING = "comparing", "being compared again"
        READY = "ready", "to be confirmed"
        FAULTY = "faulty", "blocked by errors"
        TAKING = "taking", "being taken"
        TAKEN = "taken", "taken"
        UNDOING = "undoing", "being undone"
        UNDONE = "undone", "undone"
        FAILED = "failed", "failed"
        DISCARDED = "discarded", "discarded"

    UNDER_WAY: ClassVar[tuple[str, ...]] = (State.READING, State.COMPARING, State.TAKING, State.UNDOING)

    kind = models.CharField(max_length=10, choices=Kind.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.READING)
    filename = models.CharField(max_length=200)
    size = models.PositiveBigIntegerField(help_text="Bytes.")
    sha256 = models.CharField(max_length=64)
    options = models.JSONField(default=dict)
    summary = models.JSONField(default=dict)
    stage = models.CharField(max_length=80, blank=True)
    progress = models.PositiveSmallIntegerField(default=0, help_text="Per cent.")
    lease = models.UUIDField(null=True, editable=False)
    lease_until = models.DateTimeField(null=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    asked_at = models.DateTimeField(help_text="When the work under way was asked for.")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = "list brought in"
        verbose_name_plural = "lists brought in"
        constraints = [models.CheckConstraint(condition=Q(progress__lte=100), name="import_progress_per_cent")]

    def __str__(self) -> str:
        return f"{self.filename} ({self.get_kind_display()})"

    @property
    def under_way(self) -> bool:
        """Whether a worker has the job, or is waited for."""
        return self.state in self.UNDER_WAY


class ImportPiece(models.Model):
    """A stretch of the file of a job. Large files are kept in pieces, so that no process holds them whole."""

    job = models.ForeignKey(ImportJob, on_delete=models.CASCADE, related_name="pieces")
    position = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["job", "position"], name="import_piece_once")]

    def __str__(self) -> str:
        return f"piece {self.position} of {self.job_id}"
