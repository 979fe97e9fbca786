"""Leads from a tray to what is to be decided first."""

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
    """Lead to the first row of a tray; to its list, which is empty then, if another user has decided all.

    Raises Http404 if there is no such tray, and PermissionDenied for users who may not act on it.
    """
    chosen = BY_CODE.get(tray)
    if chosen is None:
        raise Http404("There is no such tray.")
    if not acting_user(request).has_perm(chosen.right):
        raise PermissionDenied
    return HttpResponseRedirect(chosen.first_address(timezone.localdate()) or chosen.list_address())
