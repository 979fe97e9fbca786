"""What a region's page of the desk shows beside its record: who administers it, its province, its open events, its activity."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q, QuerySet

from accounts.models import User
from config.lib import formatting
from events.access import administrators_of
from events.models import Event, Kind
from events.public.regions import regions_page
from events.rules.states import DECIDED, HOLDERS, State
from players.models import Region, RegionalAdministrator

MOST = 20  # events


@dataclass(frozen=True, slots=True)
class OpenEvent:
    """An event that is not decided to the end, and with whom it is."""

    event: Event
    days: str
    holder: str


@dataclass(frozen=True, slots=True)
class Year:
    """What became of the events that a region hosted in a year, in numbers."""

    year: int
    rated: int
    open: int
    refused: int
    withdrawn: int


@dataclass(frozen=True, slots=True)
class RegionOnTheDesk:
    """What is known of a region. `acting`: who acts for it while it has no administrator of its own (article 62.3).

    `others`: the other regions of its province; `players`: its players in words, `window`: the months that make them active.
    """

    code: str
    terms: list[RegionalAdministrator]
    in_office: RegionalAdministrator | None
    acting: list[User]
    others: list[Region]
    events: list[OpenEvent]
    more_events: int
    years: list[Year]
    players: str
    window: str


def region_on_the_desk(region: Region, *, today: date) -> RegionOnTheDesk:
    """Return what the desk shows of a region. About fifteen short queries."""
    terms = list(region.administrators.select_related("user"))
    in_office = next((term for term in terms if term.until is None), None)
    hosted = Event.objects.filter(region=region).exclude(kind=Kind.ABROAD)
    events = hosted.exclude(state__in=DECIDED)
    shown = [
        OpenEvent(event, formatting.days(event.starts, event.ends), HOLDERS[State(event.state)])
        for event in events.order_by("ends", "pk")[:MOST]
    ]
    others = Region.objects.filter(province=region.province_id).exclude(pk=region.pk) if region.province_id else []
    code = Region.objects.values_list("code", flat=True).get(pk=region.pk)  # not one that is typed and refused
    public = regions_page(code)
    return RegionOnTheDesk(
        code=code,
        terms=terms,
        in_office=in_office,
        acting=[] if in_office else list(administrators_of(region)),
        others=list(others),
        events=shown,
        more_events=max(events.count() - len(shown), 0),
        years=_years(hosted, today),
        players=public.rows[0].summary,
        window=public.window,
    )


def _years(hosted: QuerySet[Event], today: date) -> list[Year]:
    """Return the last three years and those to come in which the region hosts events, the latest first."""
    by_year = hosted.filter(ends__year__gt=today.year - 3).order_by().values_list("ends__year")
    counted = by_year.annotate(
        rated=Count("pk", filter=Q(state=State.PUBLISHED)),
        open=Count("pk", filter=~Q(state__in=DECIDED)),
        refused=Count("pk", filter=Q(state=State.REFUSED)),
        withdrawn=Count("pk", filter=Q(state=State.WITHDRAWN)),
    )
    return [Year(*row) for row in counted.order_by("-ends__year")]
