"""Files submitted for a section, and the findings of the checks."""

from pathlib import PurePath

from django.conf import settings
from django.db import models
from django.db.models import Q

from events.rules.findings import Severity

SEVERITY_CHOICES = [(severity.value, severity.value) for severity in Severity]


class SubmittedFile(models.Model):
    """The content of a file, byte for byte, stored once for each content. Names are on uploads and submissions.

    A file that was kept long enough, or names a person whose data was erased, is replaced by the section as the bureau has it,
    as TRF26 (`replaced_at`); `sha256` stays that of what was sent in.
    """

    sha256 = models.CharField(max_length=64, unique=True)
    content = models.BinaryField()
    replaced_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"SHA-256 {self.sha256[:12]}…"

    def name_of(self, sent: str) -> str:
        """Return under which name the content is saved that was sent in as `sent`."""
        return sent if self.replaced_at is None else f"{PurePath(sent).stem}.trf"


class Submission(models.Model):
    """One submission of a section's results. A returned section is submitted again; the latest submission counts, by its key:
    the clock may have been ahead."""

    section = models.ForeignKey("events.Section", on_delete=models.CASCADE, related_name="submissions")
    file = models.ForeignKey(SubmittedFile, on_delete=models.PROTECT, related_name="submissions")
    name = models.CharField("file", max_length=255)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT)
    format = models.CharField(max_length=20)
    encoding = models.CharField(max_length=20)
    declaration = models.CharField("declared (article 57.2)", max_length=200, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.section} ({self.name})"


class SubmissionFinding(models.Model):
    """A finding of the checks. An officer can waive a hold with a reason (article 12)."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="findings")
    severity = models.CharField(max_length=5, choices=SEVERITY_CHOICES)
    code = models.CharField(max_length=60)
    message = models.TextField()
    line = models.PositiveIntegerField(null=True)
    column = models.PositiveIntegerField(null=True)
    end_column = models.PositiveIntegerField(null=True)
    article = models.CharField(max_length=20, blank=True)
    waived_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT)
    waived_at = models.DateTimeField(null=True)
    waived_reason = models.TextField(blank=True)

    class Meta:
        ordering = ["submission", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(waived_at__isnull=True) | ~Q(waived_reason=""), name="finding_waived_with_a_reason"
            )
        ]

    def __str__(self) -> str:
        return f"{self.severity}: {self.message}"
