"""Lines at the head of the public pages."""

from django.db import models


class Notice(models.Model):
    """A line that officers show at the head of every public page."""

    text = models.CharField(max_length=300)
    shown = models.BooleanField(default=True)

    def __str__(self) -> str:
        return self.text
