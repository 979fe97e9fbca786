"""Public pages of events."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from events import queries
from events.filters import EventFilter
from events.tables import section_tables
from events.trail import trail
from ratings.listings import listings
from ratings.queries import position, publications
from ratings.versions import versioned


@require_safe
@versioned
def events(request: HttpRequest) -> HttpResponse:
    """The events by their last day, the newest first, narrowed by what the form asks for."""
    form = EventFilter(request.GET or None)
    choice = form.choice()
    page = queries.event_page(
        **choice, after=position(request.GET.get("after")), before=position(request.GET.get("before"))
    )
    context = {"form": form, "narrowed": any(choice.values()), "page": page, "here": "events"}
    return render(request, "events/events.html", context)


@require_safe
@versioned
def event(request: HttpRequest, event: int) -> HttpResponse:
    """An event: its trail, its sections with standings and crosstables, its arbiters."""
    facts = queries.event_facts(event)
    if facts is None:
        raise Http404("There is no such event, or it is not registered yet.")
    today = timezone.localdate()
    context = {
        "here": "events",
        "event": facts,
        "sentence": queries.STATE_SENTENCES[facts.state],
        "steps": trail(facts.state, facts.starts, facts.ends, queries.event_moves(event), today=today),
        "arbiters": queries.event_arbiters(event),
        "sections": section_tables(
            queries.event_sections(event), publications(), listings(), results_shown=facts.results_shown
        ),
    }
    return render(request, "events/event.html", context)
