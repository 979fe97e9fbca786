"""Uploaded files before their submission, and the uploader's corrections."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Upload(models.Model):
    """A file for a section that is checked and corrected before its submission.

    `asked` counts the requested checks; `checked` is the number of the check that `report` is of. They differ while a worker
    still has to check. A file that was replaced or removed has `discarded_at` and stays on record. `typed`: what was entered
    in the table of its players and is not taken yet, since it cannot be read or it is not said who the player is: field → text.
    """

    event = models.ForeignKey("events.Event", on_delete=models.CASCADE, related_name="uploads")
    section = models.ForeignKey(
        "events.Section", null=True, blank=True, on_delete=models.CASCADE, related_name="uploads"
    )
    file = models.ForeignKey("events.SubmittedFile", on_delete=models.PROTECT, related_name="uploads")
    name = models.CharField(max_length=255)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT)
    asked = models.PositiveIntegerField(default=1)
    asked_at = models.DateTimeField()
    checked = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    progress = models.PositiveSmallIntegerField(default=0)
    stage = models.CharField(max_length=60, blank=True)
    error = models.TextField(blank=True)
    report = models.JSONField(default=dict, blank=True)
    typed = models.JSONField(default=dict, blank=True)
    event_version = models.PositiveIntegerField(default=0)
    checked_on = models.DateField(null=True, blank=True)
    submission = models.OneToOneField(
        "events.Submission", null=True, blank=True, on_delete=models.SET_NULL, related_name="upload"
    )
    instead_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )  # the upload that it replaced
    discarded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["section"],
                condition=Q(submission__isnull=True, discarded_at__isnull=True),
                name="upload_one_for_a_section",
            ),
            models.CheckConstraint(condition=Q(progress__lte=100), name="upload_progress_is_a_percentage"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def pending(self) -> bool:
        """Whether a requested check is not done yet."""
        return self.checked != self.asked and not self.error


class Correction(models.Model):
    """An answer of the uploader to a finding. `question` is the text of the finding. Undoing deletes the row.

    `kind` is the code of an entry of `events.rules.corrections.KINDS`, which says what `key` and `value` are.
    """

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="corrections")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=40, blank=True)
    value = models.TextField(blank=True)
    question = models.TextField()
    answer = models.TextField()
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["upload", "kind", "key"], name="correction_once_a_question")]

    def __str__(self) -> str:
        return self.answer


class Reminder(models.Model):
    """A reminder sent to a region `days` days before an event's results were due, so that it is sent only once."""

    event = models.ForeignKey("events.Event", on_delete=models.CASCADE, related_name="reminders")
    days = models.PositiveSmallIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "days"], name="reminder_sent_once")]

    def __str__(self) -> str:
        return f"{self.event}: {self.days} days before"
