"""The desk's page of a table with one row."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from accounts.trail.admin_base import TrailAdmin
from config.lib.admin import never


class OneRowAdmin(TrailAdmin):
    """A table with one row, as one page under its name with one button."""

    page_title: str
    saved: str  # what is said after a change
    has_add_permission = never
    has_delete_permission = never

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Lead to the page of the one row."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}_change"
        return HttpResponseRedirect(reverse(name, args=[self.model._base_manager.get().pk]))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the page under its name, with one button."""
        context = {"title": self.page_title, "subtitle": None, "show_save_and_continue": False}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **context})

    def response_change(self, request: HttpRequest, obj: Model) -> HttpResponse:
        """Show the page again, with what was saved."""
        self.message_user(request, self.saved, messages.SUCCESS)
        return HttpResponseRedirect(request.path)
