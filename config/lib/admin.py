"""What the admin pages of several apps have in common."""

from typing import Any

from django import forms
from django.contrib.admin.helpers import ActionForm
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from simple_history.admin import SimpleHistoryAdmin


class RecordedAdmin(SimpleHistoryAdmin):
    """Keeps every change. An old version is read, never put back: it would bring its state along, past the operations."""

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The changes of a row that the user may see."""
        self._guard(request, object_id)
        answer: HttpResponse = super().history_view(request, object_id, extra_context)
        return answer

    def history_form_view(
        self, request: HttpRequest, object_id: str, version_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """An old version."""
        if request.method == "POST":
            raise PermissionDenied
        self._guard(request, object_id)
        answer: HttpResponse = super().history_form_view(request, object_id, version_id, extra_context)
        return answer

    def _guard(self, request: HttpRequest, object_id: str) -> None:
        # django-simple-history goes past `get_queryset`; what is deleted belongs to no region any more.
        if self.get_object(request, unquote(object_id)) is None and not self.has_change_permission(request):
            raise Http404("There is no such row, or it is another region's.")


class ReasonForm(ActionForm):
    """An action with its reason."""

    reason = forms.CharField(required=False, label="Reason", max_length=500)
