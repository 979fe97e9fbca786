"""Which events a user may see, write, or appeal for.

Officers see all events; administrators those of their regions (of a provincial body: all of its province) and hybrid events
with a hub in them; arbiters those of their appointments. Drafts are seen only by those who may write them. Administrators
write the events of their regions, officers all. The appeals panel sees appealed events on the desk only. The Chief Organiser
and the Chief Arbiter of an event may turn to the bureau about it; the former is known by the Chess SA id of the user's record
as an arbiter.
"""

from django.db.models import OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from accounts.permissions import Role, in_office, roles_of
from events.models import Arbiter, Event, Kind, Party
from events.rules.states import EventError, State
from players.administrators import own_regions
from players.merged import numbers_that_lead_to, present_number
from players.models import Player, Region


def writable_regions(user: User) -> QuerySet[Region]:
    """Return the regions whose events a user may register and submit.

    They are those that the user administers (article 57); a provincial body's administrator has all of the province (62.3).
    """
    if user.is_officer:
        return Region.objects.all()
    own = own_regions(user)
    bodies = own.filter(provincial=True).values("province")
    return Region.objects.filter(Q(pk__in=own.values("pk")) | Q(province__in=bodies))


def administers(user: User, region: Region) -> bool:
    """Return whether a user administers a region today, also for its provincial body; officers administer none."""
    return not user.is_officer and writable_regions(user).filter(pk=region.pk).exists()


def organisers_of(event: Event) -> QuerySet[User]:
    """Return the active users who are the Chief Organiser of an event, usually one or none."""
    number = present_number(event.organiser_number)
    if not number:
        return User.objects.none()
    users = User.objects.filter(Q(arbiters__number=number) | Q(arbiters__player__number=number), is_active=True)
    return users.distinct()


def organiser_emails(event: Event) -> list[str]:
    """Return the addresses of `organisers_of`."""
    return _addresses(organisers_of(event))


def leader_emails(event: Event) -> list[str]:
    """Return the addresses of the active users who are the Chief Organiser or the Chief Arbiter of an event."""
    chief = User.objects.filter(is_active=True, arbiters__appointments__event=event, arbiters__appointments__position=1)
    return sorted({*organiser_emails(event), *chief.values_list("email", flat=True)})


def administrators_of(region: Region) -> QuerySet[User]:
    """Return the active users who administer a region today; if it has none, those who administer its provincial body."""
    in_force = in_office("administrations__")
    own = User.objects.filter(in_force, administrations__region=region, is_active=True).distinct()
    if own.exists():
        return own
    body = Q(administrations__region__provincial=True, administrations__region__province=region.province_id)
    return User.objects.filter(in_force, body, is_active=True).distinct()


def administrator_emails(region: Region) -> list[str]:
    """Return the addresses of `administrators_of`."""
    return _addresses(administrators_of(region))


def refusal_emails(event: Event) -> list[str]:
    """Return the addresses of those who are notified of a refusal: the region's administrators and the Chief Organiser."""
    return list(dict.fromkeys([*administrator_emails(event.region), *organiser_emails(event)]))


def _addresses(users: QuerySet[User]) -> list[str]:
    return sorted(set(users.values_list("email", flat=True)))


def may_write(user: User, event: Event) -> bool:
    """Return whether a user may register and submit an event."""
    return writable_regions(user).filter(pk=event.region_id).exists()


def require_write_access(user: User | None, region: Region) -> None:
    """Raise EventError if a user may not write events of a region. Without a user, on the command line, all may be written.

    Arbiters of an event, and regions with only a hub, may not write it (article 57).
    """
    if user is not None and not writable_regions(user).filter(pk=region.pk).exists():
        raise EventError(f"the events of {region} are submitted by its own Regional Administrator")


def visible_events(user: User) -> QuerySet[Event]:
    """Return the events that a user may see."""
    if user.is_officer:
        return Event.objects.all()
    roles = roles_of(user)
    visible, draft = Q(pk__in=[]), Q(state=State.DRAFT)
    if Role.ADMINISTRATOR in roles:
        visible |= Q(region__in=writable_regions(user)) | (
            ~draft & Q(kind=Kind.HYBRID, hubs__in=writable_regions(user))
        )
    if Role.ARBITER in roles:
        visible |= ~draft & Q(appointments__arbiter__user=user)
    return Event.objects.filter(visible).distinct()


def led_events(user: User) -> QuerySet[Event]:
    """Return the events other than drafts of which a user is the Chief Organiser or the Chief Arbiter (articles 13.5, 15.4)."""
    leading = Q(pk__in=[])
    for condition in _leading(user).values():
        leading |= condition
    return Event.objects.exclude(state=State.DRAFT).filter(leading).distinct()


def may_report_unregistered(user: User) -> bool:
    """Return whether a user may report an event that a region does not register (57.3): whoever has an arbiter's record.

    Organisers' accounts belong to one, too. Officers enter what reached the bureau in another way.
    """
    return user.is_officer or Arbiter.objects.filter(user=user).exists()


def organised_events(user: User) -> QuerySet[Event]:
    """Return the events of which a user is the Chief Organiser, without drafts."""
    return Event.objects.exclude(state=State.DRAFT).filter(_leading(user)[Party.ORGANISER])


def parties_led(user: User, event: Event) -> list[Party]:
    """Return whether a user is the Chief Organiser of an event, its Chief Arbiter, both, or neither."""
    row = Event.objects.filter(pk=event.pk)
    return [party for party, condition in _leading(user).items() if row.filter(condition).exists()]


def is_chief_organiser(user: User, event: Event) -> bool:
    """Return whether a user is the Chief Organiser of an event: the registration names one of the user's Chess SA ids."""
    return Party.ORGANISER in parties_led(user, event)


def asking_parties(user: User, event: Event) -> list[Party]:
    """Return in whose name a user asks for permission (18): who writes the event in anybody's, its leaders in their own."""
    if writable_regions(user).filter(pk=event.region_id).exists():
        return list(Party)
    return parties_led(user, event)


def _leading(user: User) -> dict[Party, Q]:
    """Return the condition of each part. An account is tied to an arbiter, and with him to a Chess SA id.

    Who led the event when it was played still does for the bureau, whoever is put in the place (57.3).
    """
    own = Arbiter.objects.filter(user=user)
    of_record = own.exclude(number="").values("number")
    people = Player.objects.filter(Q(number__in=of_record) | Q(pk__in=own.values("player")))
    of_player = numbers_that_lead_to(people)
    versions = Event.history.filter(id=OuterRef("pk"), history_date__date__lt=OuterRef("starts"))
    before_play = versions.order_by("-history_id").values("organiser_number")[:1]
    organised = Event.objects.annotate(before_play=Subquery(before_play)).filter(
        Q(before_play__in=of_record) | Q(before_play__in=of_player)
    )
    past = Q(past_appointments__arbiter__user=user, past_appointments__position=1, past_appointments__during=True)
    return {
        Party.ORGANISER: Q(organiser_number__in=of_record)
        | Q(organiser_number__in=of_player)
        | Q(pk__in=organised.values("pk")),
        Party.CHIEF_ARBITER: Q(appointments__arbiter__user=user, appointments__position=1) | past,
    }


def person_in_part(event: Event, party: str, by: User | None = None) -> str:
    """Return the name of an event's Chief Organiser or Chief Arbiter; "" if it is not known, and for its administrator.

    `by`: the user who acts in that part, who may have led the event before another; an officer acts for whoever is there now.
    """
    own = Arbiter.objects.filter(user=by).values_list("name", flat=True).first() if by and not by.is_officer else None
    if own and party in (Party.ORGANISER, Party.CHIEF_ARBITER):
        return own
    if party == Party.ORGANISER:
        return event.organiser_name
    chief = event.appointments.filter(position=1).select_related("arbiter").first()
    return chief.arbiter.name if chief and party == Party.CHIEF_ARBITER else ""


def appealed_events() -> QuerySet[Event]:
    """Return the events of which a refusal was appealed, answered or not."""
    return Event.objects.filter(refusals__appeal__isnull=False).distinct()


def desk_events(user: User) -> QuerySet[Event]:
    """Return the events that a user sees in the admin: the visible ones, and for the appeals panel the appealed ones."""
    visible = visible_events(user)
    if Role.PANEL not in roles_of(user):
        return visible
    return Event.objects.filter(Q(pk__in=visible.values("pk")) | Q(pk__in=appealed_events().values("pk")))
