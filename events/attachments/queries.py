"""Who may read which attachments, and the attachments of an event."""

from collections import defaultdict
from collections.abc import Mapping

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.permissions import Role, roles_of
from events.access import writable_regions
from events.models import Appeal, Attachment, Event


def visible_attachments(user: User) -> QuerySet[Attachment]:
    """Return the attachments that a user may read: officers all, others those of events that they may write.

    Evidence of an appeal is read by those who lodged it and by the appeals panel, the proof of an error by its reporter.
    Arbiters of an event do not read its proofs: one may concern another arbiter's payments.
    """
    if user.is_officer:
        return Attachment.objects.all()
    regions = writable_regions(user)
    of_region = Q(appeal__party=Appeal.Party.REGION)  # whoever is its administrator now
    readable = Q(event__region__in=regions) | (Q(appeal__by=user) & ~of_region) | Q(report__by=user)
    readable |= of_region & Q(appeal__refusal__event__region__in=regions)
    if Role.PANEL in roles_of(user):
        readable |= Q(appeal__isnull=False)
    return Attachment.objects.filter(readable)


def proofs(event: Event, user: User | None = None) -> Mapping[str, list[Attachment]]:
    """Return the attachments to findings of an event: code of the finding → its attachments, oldest first. One query.

    `user`: only those that this user may read.
    """
    found: dict[str, list[Attachment]] = defaultdict(list)
    readable = Attachment.objects.all() if user is None else visible_attachments(user)
    for attachment in readable.filter(event=event).exclude(about=""):
        found[attachment.about].append(attachment)
    return found
