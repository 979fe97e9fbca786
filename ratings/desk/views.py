"""Leads from a tray to what is to be decided first."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.permissions import acting_user
from ratings.desk.trays import BY_CODE


@require_safe
@never_cache
def begin(request: HttpRequest, tray: str) -> HttpResponse:
    """Lead to the first row of a tray; to its list if another user has decided all, or decides what is left.

    Raises Http404 if there is no such tray, and PermissionDenied for users who may not act on it.
    """
    chosen = BY_CODE.get(tray)
    if chosen is None:
        raise Http404("There is no such tray.")
    user, today = acting_user(request), timezone.localdate()
    if not user.has_perm(chosen.right):
        raise PermissionDenied
    first = chosen.first_address(user, today)
    if first is None and chosen.rows(today).exists():
        messages.info(
            request, f"{chosen.title}: you have a part in all that wait, so another member decides (article 11)."
        )
    return HttpResponseRedirect(first or chosen.list_address())
