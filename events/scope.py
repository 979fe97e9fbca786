"""Which events a user may see: officers all, administrators their region's, arbiters those of their appointments."""

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.rights import Role, roles_of
from events.models import Event


def events_of(user: User) -> QuerySet[Event]:
    """The events that a user may see."""
    roles = roles_of(user)
    if user.is_superuser or Role.OFFICER in roles:
        return Event.objects.all()
    mine = Q(pk__in=[])
    if Role.ADMINISTRATOR in roles:
        mine |= Q(region__administrators__user=user, region__administrators__until__isnull=True)
    if Role.ARBITER in roles:
        mine |= Q(appointments__arbiter__user=user)
    return Event.objects.filter(mine).distinct()
