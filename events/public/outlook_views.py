"""The page that shows an event's own people what its results would give."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.permissions import acting_user
from config.languages import in_readers_style
from config.lib import formatting
from events.access import may_write, visible_events
from events.models import Kind
from events.public.outlook import before_sending, sent_in
from events.rules.states import AWAITING_RESULTS, WITH_OUTLOOK, State


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def outlook(request: HttpRequest, event: int) -> HttpResponse:
    """Show what the files would give before they are sent in, and what was sent in until it is published.

    The first is the answer to a form: the files are written and taken back, and a GET writes nothing.
    """
    user = acting_user(request)
    shown = get_object_or_404(visible_events(user).select_related("region"), pk=event)
    state = State(shown.state)
    if state is State.DRAFT:
        return redirect("events:edit", event)
    if shown.kind == Kind.ABROAD or state not in (*AWAITING_RESULTS, *WITH_OUTLOOK):
        return redirect("events:event", event)
    sent = state in WITH_OUTLOOK
    if sent == (request.method == "POST"):  # sent in meanwhile, or the address of the answer asked for again
        return redirect("events:preview" if sent else "events:results", event)
    with in_readers_style():
        outlooks = sent_in(shown) if sent else before_sending(shown, by=user)
        context = {
            "here": "events",
            "event": shown,
            "days": formatting.days(shown.starts, shown.ends),
            "sent": sent,
            "mine": may_write(user, shown),
            "sections": outlooks.sections,
            "previews": outlooks.previews,
        }
        return render(request, "events/submission/preview.html", context)
