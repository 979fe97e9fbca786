"""Who has something open on the officers' desk."""

from django.conf import settings
from django.db import models


class ReviewClaim(models.Model):
    """That an officer has opened a row on its review page, since when, and when he was last seen there.

    Others are shown it, and are not kept from deciding. `subject`: the row's key, by
    `accounts.trail.operations.key_of`.
    """

    subject = models.CharField(max_length=100, unique=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()
    seen = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.subject}: {self.by}"
