"""Who may read which attachments, and the attachments of an event."""

from collections import defaultdict
from collections.abc import Mapping

from django.db.models import QuerySet

from accounts.models import User
from events.access import writable_regions
from events.models import Attachment, Event


def visible_attachments(user: User) -> QuerySet[Attachment]:
    """Return the attachments that a user may read: officers all, others those of events that they may write.

    Arbiters of an event do not read them: a proof may concern another arbiter's payments.
    """
    if user.of_bureau:
        return Attachment.objects.all()
    return Attachment.objects.filter(event__region__in=writable_regions(user))


def proofs(event: Event) -> Mapping[str, list[Attachment]]:
    """Return the attachments to findings of an event: code of the finding → its attachments, oldest first. One query."""
    found: dict[str, list[Attachment]] = defaultdict(list)
    for attachment in event.attachments.exclude(about="").select_related("by"):
        found[attachment.about].append(attachment)
    return found
