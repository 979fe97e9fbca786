"""Which events a user may see, and which he may write.

Seen: officers all; administrators those of their region (of a provincial body: of its regions) and the hybrid ones with a
hub in it; arbiters those of their appointments; a draft, who writes it, and officers. Written: those of the regions that one
administers.
"""

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.permissions import Role, in_office, roles_of
from events.models import Event, Kind
from events.rules.states import EventError, State
from players.administrators import own_regions
from players.models import Region


def writable_regions(user: User) -> QuerySet[Region]:
    """The regions whose events a user may register and submit: the own ones (article 57), and of who administers a
    provincial body, those of the province (62.3)."""
    if user.of_bureau:
        return Region.objects.all()
    own = own_regions(user)
    bodies = own.filter(provincial=True).values("province")
    return Region.objects.filter(Q(pk__in=own.values("pk")) | Q(province__in=bodies))


def administrators_of(region: Region) -> list[str]:
    """The addresses of who administers a region today; of a region without anybody, who acts for its province."""
    return _addresses(Q(administrations__region=region)) or _addresses(
        Q(administrations__region__provincial=True, administrations__region__province=region.province_id)
    )


def _addresses(administering: Q) -> list[str]:
    found = User.objects.filter(in_office("administrations__"), administering, is_active=True)
    return sorted(set(found.values_list("email", flat=True)))


def require_write_access(user: User | None, region: Region) -> None:
    """Before an event of a region is written. EventError for somebody of another; without a user, on the command line,
    everything may be written. An arbiter of the event, or a region with a hub, only reads it (article 57)."""
    if user is not None and not writable_regions(user).filter(pk=region.pk).exists():
        raise EventError(f"the events of {region} are submitted by its own Regional Administrator")


def visible_events(user: User) -> QuerySet[Event]:
    """The events that a user may see."""
    if user.of_bureau:
        return Event.objects.all()
    roles = roles_of(user)
    mine, draft = Q(pk__in=[]), Q(state=State.DRAFT)
    if Role.ADMINISTRATOR in roles:
        mine |= Q(region__in=writable_regions(user)) | (~draft & Q(kind=Kind.HYBRID, hubs__in=writable_regions(user)))
    if Role.ARBITER in roles:
        mine |= ~draft & Q(appointments__arbiter__user=user)
    return Event.objects.filter(mine).distinct()
