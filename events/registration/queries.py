"""Reading a registration as a plan, for the rules of `events.rules.registration`."""

from datetime import date

from events.arbiters.lookup import entered_as_players, paid_fees
from events.models import Event
from events.rules.registration import ArbiterData, RegistrationData, SectionData
from events.rules.states import State
from players.identity import fold


def registration_of(event: Event) -> RegistrationData:
    """An event as it is kept. Seven queries at the most."""
    appointed = list(event.appointments.select_related("arbiter").order_by("position"))
    arbiters = [one.arbiter for one in appointed]
    paid, players = paid_fees(arbiters), entered_as_players(event, arbiters)
    return RegistrationData(
        name=event.name,
        kind=event.kind,
        region=event.region.code,
        federation=event.federation,
        hubs=tuple(event.hubs.order_by("code").values_list("code", flat=True)),
        starts=event.starts,
        ends=event.ends,
        place=event.place,
        organiser_name=event.organiser_name,
        organiser_number=event.organiser_number,
        fide_rated=event.fide_rated,
        norm_event=event.norm_event,
        results_url=event.results_url,
        sections=tuple(
            SectionData(
                name=one.name,
                format=one.format,
                disabled=one.disabled,
                base=one.base_minutes,
                increment=one.increment_seconds,
                rounds=one.planned_rounds,
                starts=one.starts,
                ends=one.ends,
                days=tuple(round_.date for round_ in one.rounds.all()),
                key=one.pk,
            )
            for one in event.sections.prefetch_related("rounds")
        ),
        arbiters=tuple(
            ArbiterData(
                name=one.arbiter.name,
                first=one.first_round,
                last=one.last_round,
                federation=one.arbiter.federation,
                paid=paid.get(one.arbiter_id, ()),
                plays=one.arbiter_id in players,
                key=one.arbiter_id,
            )
            for one in appointed
        ),
    )


def possible_duplicates(
    name: str, starts: date | None, ends: date | None, *, beside: Event | None = None
) -> list[Event]:
    """The events of any region that are known to everybody, have a day in common and the same name, or one that holds all
    words of the other; `beside` is not one. One query."""
    words = set(fold(name).split())
    if not (words and starts and ends):
        return []
    hidden = (State.DRAFT, State.WITHDRAWN, State.REFUSED)
    found = Event.objects.filter(starts__lte=ends, ends__gte=starts).exclude(state__in=hidden).select_related("region")
    return [one for one in found if one != beside and _same_name(words, set(fold(one.name).split()))]


def _same_name(words: set[str], others: set[str]) -> bool:
    fewer, more = sorted((words, others), key=len)
    return words == others or (len(fewer) > 1 and fewer <= more)
