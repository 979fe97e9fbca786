"""An arbiter's page, for the arbiter and for officers."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.permissions import acting_user
from config.lib import formatting
from config.lib.parsing import whole_number
from events.arbiters.queries import arbiter_page, arbiters_of
from events.models import Arbiter
from events.readings.queries import readings
from events.rules.activity import ROLES


@login_required
@never_cache
@require_safe
def me(request: HttpRequest) -> HttpResponse:
    """Show the page of the arbiter who is logged in. Raises Http404 if the account is not an arbiter's."""
    own = arbiters_of(acting_user(request))
    if not own:
        raise Http404("This account is not linked to an arbiter. The ratings officers link it.")
    return _answer(request, own[0], own=True)


@login_required
@never_cache
@require_safe
def arbiter(request: HttpRequest, arbiter: int) -> HttpResponse:
    """Show an arbiter's page to the arbiter and to users who may see fees. Raises Http404 for others."""
    user = acting_user(request)
    row = get_object_or_404(Arbiter, pk=arbiter)
    own = row.user_id == user.pk
    if not own and not user.has_perm("events.view_membership"):
        raise Http404("There is no such page, or it is another arbiter’s.")
    return _answer(request, row, own=own)


def _answer(request: HttpRequest, arbiter: Arbiter, *, own: bool) -> HttpResponse:
    today = timezone.localdate()
    page = arbiter_page(
        arbiter, today=today, begins=readings().aoc_year_begins, year=_year(request.GET.get("year", ""))
    )
    if page is None:
        raise Http404("There is no appointment in that year.")
    context = {
        "here": "arbiter" if own else "",
        "arbiter": arbiter,
        "own": own,
        "page": page,
        "membership_facts": [page.membership],
        "roles": [gettext(role) for role in ROLES],
        "title": gettext(arbiter.get_title_display()),
        "today": formatting.day(today),
        "may_edit": acting_user(request).has_perm("events.change_arbiter"),
    }
    return render(request, "events/arbiters/arbiter.html", context)


def _year(text: str) -> int | None:
    if not text:
        return None
    year = whole_number(text, digits=4)
    if year is None or len(text) < 4:
        raise Http404("There is no such year: write it as 2024.")
    return year
