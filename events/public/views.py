"""Public pages of events."""

from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from config.http_cache import versioned
from config.kept_reads import kept
from config.lib import formatting
from config.lib.days import FIRST_DAY, LAST_DAY
from config.lib.pages import position
from events.access import led_events, visible_events, writable_regions
from events.dashboard.queries import own_event
from events.models import Event, Kind
from events.public import queries
from events.public.calendar import EVERYTHING, feed_entries, month_days, months_around
from events.public.event_facts import event_facts
from events.public.forms import CalendarFilter, EventFilter
from events.public.icalendar import calendar as icalendar
from events.public.outlook import Outlooks, sent_in
from events.public.page_size import fit_page
from events.public.tables import section_tables
from events.public.tournament_file import file_headers, trf26
from events.rules.states import ACCEPTED_OR_LATER, AWAITING_RESULTS, State
from events.withholding.operations import why_not_reported
from players.models import Region
from players.search import NO_REGION
from ratings.lists.definitions import list_definitions
from ratings.lists.queries import publications
from ratings.rerating.queries import section_corrections


@require_safe
@versioned
def events(request: HttpRequest) -> HttpResponse:
    """Show the events by their last day, newest first, filtered by the form."""
    form = EventFilter(request.GET or None)
    choice = form.choice()
    page = queries.event_page(
        **choice, after=position(request.GET.get("after")), before=position(request.GET.get("before"))
    )
    place = choice.get("place", NO_REGION)
    region = Region.objects.filter(code=place.region).first() if place.region else None
    context = {"form": form, "narrowed": any(choice.values()), "page": page, "here": "events", "region": region}
    return render(request, "events/public/events.html", context)


@require_safe
@versioned
def event(request: HttpRequest, event: int) -> HttpResponse:
    """Show an event: its timeline, its sections with standings and crosstables, its arbiters."""
    facts = event_facts(event)
    if facts is None:
        raise Http404("There is no such event, or it is not registered yet.")
    row = facts.event
    today, state, abroad = timezone.localdate(), State(row.state), row.kind == Kind.ABROAD
    sections = queries.event_sections(event)
    private = _private_context(request, event)
    mine = private.get("row")
    own = mine is not None and bool(mine.results) and state is State.SUBMITTED and not abroad
    outlooks = sent_in(row) if own else Outlooks([], [])
    of_section = {one.part.section.pk: one for one in outlooks.sections}
    tables = section_tables(
        sections,
        kept(publications),
        kept(list_definitions),
        results_shown=state in ACCEPTED_OR_LATER,
    )
    fit_page(tables)
    context = {
        "here": "events",
        "event": row,
        "abroad": abroad,
        "awaited": state in AWAITING_RESULTS and not abroad and row.ends < today,
        "days": formatting.days(row.starts, row.ends),
        "national": facts.national_body(),
        "home": row.federation if abroad else row.region.name,
        **private,
        "previews": outlooks.previews,
        "sentence": queries.state_sentence(row),
        "steps": facts.steps(today=today),
        "appointments": facts.appointments,
        "hubs": facts.hubs,
        "sections": [(table, of_section.get(table.facts.id)) for table in tables],
        "corrections": section_corrections(section.id for section in sections),
    }
    return render(request, "events/public/event.html", context)


@require_safe
@versioned
def section_file(request: HttpRequest, event: int, section: int) -> HttpResponse:
    """Answer with the results of a section as a TRF26 file, once they are public. Raises Http404."""
    found = queries.public_section(section, event=event)
    if found is None:
        raise Http404("There is no such section, or its results are not public.")
    return HttpResponse(trf26(found), headers=file_headers(found))


def _private_context(request: HttpRequest, event: int) -> dict[str, Any]:
    """Return context for users who have a part in the event: their actions and what was said of it; {} for others."""
    user = request.user
    if not isinstance(user, User):
        return {}
    leads = led_events(user).filter(pk=event).exists()
    if not leads and not visible_events(user).filter(pk=event).exists():
        return {}
    now = timezone.now()
    own = own_event(user, event, at=now, today=timezone.localdate(now))
    writes = writable_regions(user).filter(events=event).exists()
    reasons = queries.event_reasons(event, moves=writes) if writes or leads else []
    today = timezone.localdate(now)
    reportable = own is None and not why_not_reported(Event.objects.get(pk=event), today=today)
    return {"row": own, "reasons": reasons, "in_admin": own is None, "reportable": reportable}


@require_safe
@versioned
def calendar(request: HttpRequest) -> HttpResponse:
    """Show the registered events of a month, by default this month; of a region and a type of game, if they are chosen."""
    today = timezone.localdate()
    month = _month(request.GET.get("month", "")) or today.replace(day=1)
    form = CalendarFilter(request.GET)
    choice = form.choice() or EVERYTHING
    before, after = months_around(month, choice.place)
    query = form.query if form.is_valid() else ""
    context = {
        "here": "events",
        "month": month,
        "title": formatting.month(month),
        "form": form,
        "query": query,
        "narrowed": ", ".join(form.words) if query else "",
        "days": month_days(month, today=today, choice=choice),
        "before": before and (before.strftime("%Y-%m"), formatting.month(before)),
        "after": after and (after.strftime("%Y-%m"), formatting.month(after)),
        "this_month": month == today.replace(day=1),
        "feed": request.build_absolute_uri(reverse("events:feed") + (f"?{query}" if query else "")),
    }
    return render(request, "events/public/calendar.html", context)


def _month(text: str) -> date | None:
    """Return the first day of a month written `2026-05`, None for "". Raises Http404 for any other text."""
    if not text:
        return None
    try:
        month = datetime.strptime(text, "%Y-%m").date()  # noqa: DTZ007 - only the month is used
    except ValueError:
        month = date.min
    if not FIRST_DAY <= month <= LAST_DAY:
        raise Http404("There is no such month: write it as 2026-05.")
    return month


@require_safe
@versioned
def calendar_feed(request: HttpRequest) -> HttpResponse:
    """Answer with the registered events as an iCalendar feed, those of a region or type of game alone if the address says so.

    Raises Http404 for a region or type that there is not: who subscribed to it would get all events instead.
    """
    form = CalendarFilter(request.GET)
    choice = form.choice()
    if choice is None:
        raise Http404("There is no such region or type of game.")
    name = ", ".join([f"{settings.BRAND.federation}: rated events", *form.words])
    content = icalendar(name, feed_entries(today=timezone.localdate(), site=settings.SITE_URL, choice=choice))
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'inline; filename="calendar.ics"'
    return response
