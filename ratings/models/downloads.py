"""The files of a published month."""

from django.db import models

from ratings.models.runs import RatingRun


class Download(models.Model):
    """A file made of a published month, once: never changed afterwards. `sha256`: of its content, in hexadecimal."""

    run = models.ForeignKey(RatingRun, on_delete=models.PROTECT, related_name="downloads")
    name = models.CharField(max_length=80)
    content = models.BinaryField()
    size = models.PositiveIntegerField(help_text="Bytes.")
    sha256 = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["run", "name"], name="download_name_unique_in_run")]

    def __str__(self) -> str:
        return self.name
