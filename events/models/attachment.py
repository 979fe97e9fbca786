"""Files sent in as evidence: proof for what a finding asks, evidence of an appeal."""

from django.conf import settings
from django.db import models

from events.rules.attachments import KINDS, LONGEST_FILE_NAME


class Attachment(models.Model):
    """A PDF or picture sent in as evidence. Never public: `events.attachments.queries` says who may read it.

    `event`: the event that it concerns, if any. `about`: the code of the finding that it answers, or "" for other evidence.
    `appeal`: the appeal that it supports. `report`: the report of an error that it proves. `kind` is a code of
    `events.rules.attachments.KINDS`, found from the content.
    """

    event = models.ForeignKey(
        "events.Event", null=True, blank=True, on_delete=models.CASCADE, related_name="attachments"
    )
    about = models.CharField(max_length=60, blank=True)
    appeal = models.ForeignKey(
        "events.Appeal", null=True, blank=True, on_delete=models.CASCADE, related_name="attachments"
    )
    report = models.ForeignKey(
        "events.ErrorReport", null=True, blank=True, on_delete=models.CASCADE, related_name="attachments"
    )
    file = models.ForeignKey("events.SubmittedFile", on_delete=models.PROTECT, related_name="attachments")
    name = models.CharField(max_length=LONGEST_FILE_NAME)
    kind = models.CharField(max_length=4, choices=[(kind.code, kind.label) for kind in KINDS.values()])
    note = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return self.name
