"""Declarations by which a worker sends events in."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_noop


class Declaration(models.Model):
    """The declaration of article 57.2 for an event whose files a worker checks once more and sends in, until it has done so.

    `at`: the moment of the declaration, which is that of the submission; `reason`: what the officer should know; `shown`: what
    the page showed, by `events.submission.operations.version_shown`; `language`: of who declared. `error`: why it was not sent
    in, "" as long as it waits.
    """

    FAULT = gettext_noop("The event could not be sent in, which is a fault of this software: tell the ratings bureau.")

    event = models.OneToOneField("events.Event", on_delete=models.CASCADE, related_name="declaration")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    reason = models.TextField(blank=True)
    shown = models.TextField(blank=True)
    language = models.CharField(max_length=10)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"declaration of {self.event}"
