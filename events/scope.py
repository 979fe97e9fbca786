"""Which events a user may see, and which he may write.

Seen: officers all; administrators those of their region and the hybrid ones with a hub in it; arbiters those of their
appointments; a draft, who writes it, and officers. Written: those of the regions that one administers.
"""

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.rights import Role, in_office, roles_of
from events.models import Event, Kind
from events.states import EventError, State
from players.models import Region


def regions_of(user: User) -> QuerySet[Region]:
    """The regions whose events a user may register and submit (article 57)."""
    if user.is_superuser or Role.OFFICER in roles_of(user):
        return Region.objects.all()
    return Region.objects.filter(in_office("administrators__"), administrators__user=user).distinct()


def refuse_stranger(user: User | None, region: Region) -> None:
    """Before an event of a region is written. EventError for somebody of another; without a user, on the command line,
    everything may be written. An arbiter of the event, or a region with a hub, only reads it (article 57)."""
    if user is not None and not regions_of(user).filter(pk=region.pk).exists():
        raise EventError(f"the events of {region} are submitted by its own Regional Administrator")


def events_of(user: User) -> QuerySet[Event]:
    """The events that a user may see."""
    roles = roles_of(user)
    if user.is_superuser or Role.OFFICER in roles:
        return Event.objects.all()
    mine, draft = Q(pk__in=[]), Q(state=State.DRAFT)
    if Role.ADMINISTRATOR in roles:
        mine |= Q(region__in=regions_of(user)) | (~draft & Q(kind=Kind.HYBRID, hubs__in=regions_of(user)))
    if Role.ARBITER in roles:
        mine |= ~draft & Q(appointments__arbiter__user=user)
    return Event.objects.filter(mine).distinct()
