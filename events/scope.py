"""Which events a user may see.

Officers all; administrators those of their region and the hybrid ones with a hub in it; arbiters those of their appointments.
"""

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.rights import Role, in_office, roles_of
from events.models import Event, Kind
from players.models import Region


def regions_of(user: User) -> QuerySet[Region]:
    """The regions whose events a user may register and submit (article 57)."""
    if user.is_superuser or Role.OFFICER in roles_of(user):
        return Region.objects.all()
    return Region.objects.filter(in_office("administrators__"), administrators__user=user).distinct()


def events_of(user: User) -> QuerySet[Event]:
    """The events that a user may see."""
    roles = roles_of(user)
    if user.is_superuser or Role.OFFICER in roles:
        return Event.objects.all()
    mine = Q(pk__in=[])
    if Role.ADMINISTRATOR in roles:
        mine |= Q(region__in=regions_of(user)) | Q(kind=Kind.HYBRID, hubs__in=regions_of(user))
    if Role.ARBITER in roles:
        mine |= Q(appointments__arbiter__user=user)
    return Event.objects.filter(mine).distinct()
