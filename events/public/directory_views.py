"""Public pages of arbiters and regions."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from config.http_cache import versioned
from config.lib import formatting
from config.lib.parsing import BIGINT_DIGITS
from events.models import Appointment
from events.public import queries, regions
from events.rules.states import State
from events.wording import state_words


@require_safe
@versioned
def arbiter(request: HttpRequest, arbiter: int) -> HttpResponse:
    """Show an arbiter whom the page of an event names, with his appointments. Raises Http404 for others."""
    row = queries.public_arbiter(arbiter) if arbiter < 10**BIGINT_DIGITS else None
    if row is None:
        raise Http404("There is no such arbiter, or no public event names him.")
    appointments = [_appointment(appointment) for appointment in queries.public_appointments(row)]
    context = {"here": "events", "arbiter": row, "appointments": appointments}
    return render(request, "events/public/arbiter.html", context)


def _rounds(appointment: Appointment) -> str:
    values = {"first": appointment.first_round, "last": appointment.last_round}
    return gettext("rounds %(first)s–%(last)s") % values if appointment.first_round else ""


def _appointment(appointment: Appointment) -> dict[str, object]:
    event = appointment.event
    return {
        "event": event,
        "days": formatting.days(event.starts, event.ends),
        "role": gettext(appointment.role),
        "rounds": _rounds(appointment),
        "state_word": state_words(State(event.state)).word,
    }


@require_safe
@versioned
def all_regions(request: HttpRequest) -> HttpResponse:
    """Show the regions with their numbers of players and the averages of their ten best."""
    page = regions.regions_page()
    context = {"here": "lists", "page": page, "extent": regions.provinces(page.rows)}
    return render(request, "events/public/regions.html", context)


@require_safe
@versioned
def region(request: HttpRequest, code: str) -> HttpResponse:
    """Show a region: players, its ten best on each national list, its events. Raises Http404."""
    page = regions.regions_page(code)
    if not page.rows:
        raise Http404(f"There is no region {code}.")
    figures = page.rows[0]
    coming, latest = regions.region_events(figures.region, today=timezone.localdate())
    context = {"here": "lists", "page": page, "figures": figures, "coming": coming, "events": latest}
    return render(request, "events/public/region.html", context)
