"""The public page of a live list."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from config.http_cache import versioned
from config.kept_reads import kept
from config.languages import counted
from config.lib import formatting
from config.lib.pages import position
from players.search_form import PlayerFilter
from ratings.lists.addresses import addressed_list
from ratings.lists.definitions import list_definitions
from ratings.live import queries


@require_safe
@versioned
def live_list(request: HttpRequest, code: str) -> HttpResponse:
    """Show today's standing of the open month on a list."""
    lists = kept(list_definitions)
    listing = addressed_list(lists, code)
    live = queries.live()
    context: dict[str, Any] = {"here": "lists", "listing": listing, "lists": lists, "live": live}
    if live:
        form = PlayerFilter(request.GET or None)
        is_valid = not form.is_bound or form.is_valid()
        as_of = timezone.localtime(live.as_of)
        events = queries.live_events(live.sections)
        context |= {
            "form": form,
            "choice": form.choice(),
            "page": queries.live_page(
                listing,
                form.choice(),
                after=position(request.GET.get("after")),
                before=position(request.GET.get("before")),
            )
            if is_valid
            else None,
            "as_of": f"{formatting.day(as_of.date())}, {as_of:%H:%M}",
            "month": formatting.month(live.month),
            "official_day": formatting.long_day(live.day),
            "games": counted(live.games, "%(count)s game", "%(count)s games"),
            "sections": counted(len(events), "%(count)s section", "%(count)s sections"),
            "events": [(row, formatting.day(row.ends)) for row in events],
            "submitted": _still_to_come(queries.submitted_events()),
        }
        if context["page"]:
            context["caption"] = context["page"].caption(found=bool(context["choice"]), always_stretch=True)
    return render(request, "ratings/live/live.html", context)


def _still_to_come(submitted: int) -> str:
    if not submitted:
        return gettext("No submitted event is still to be accepted.")
    return counted(
        submitted,
        "%(count)s submitted event is still to be accepted.",
        "%(count)s submitted events are still to be accepted.",
    )
