"""The first page, and the lists of other systems."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from config.http_cache import versioned
from config.kept_reads import kept
from config.lib import formatting
from ratings.home.queries import coming_events, first_day_in_time, just_rated, month_so_far
from ratings.lists import queries
from ratings.lists.definitions import by_kind, list_definitions

TOP = 10
TOP_OF_OTHERS = 5


@require_safe
@versioned
def home(request: HttpRequest) -> HttpResponse:
    """Show the search, the first places of a national list, its changes, how far the month is, and events."""
    national, others = by_kind(kept(list_definitions))
    published = kept(queries.publications)
    latest = published[0] if published else None
    today = timezone.localdate()
    asked = request.GET.get("list", "")
    shown = next((listing for listing in national if listing.code == asked), national[0] if national else None)
    rows = queries.tops(latest.run, [shown], size=TOP) if latest and shown else []
    context = {
        "latest": latest,
        "national": national,
        "others": others,
        "shown": shown,
        "rows": rows[0][1] if rows else [],
        "changes": queries.changes(latest.run, shown) if latest and shown else None,
        "month": month_so_far(latest.day if latest else today.replace(day=1), today=today),
        "rated": just_rated(latest.run) if latest else [],
        "coming": coming_events(today=today),
        "first_day": formatting.day(first_day_in_time(today=today)),
    }
    return render(request, "ratings/home/home.html", context)


@require_safe
@versioned
def other_systems(request: HttpRequest) -> HttpResponse:
    """Show the first places of the lists of other systems."""
    _, others = by_kind(kept(list_definitions))
    published = kept(queries.publications)
    latest = published[0] if published else None
    tops = queries.tops(latest.run, others, size=TOP_OF_OTHERS) if latest else []
    context = {"here": "lists", "latest": latest, "others": others, "tops": tops}
    return render(request, "ratings/home/other_systems.html", context)
