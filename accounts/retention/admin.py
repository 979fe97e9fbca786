"""The officers' page of how long personal data is kept."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html

from accounts.models import Retention
from accounts.retention.queries import retention
from accounts.trail.admin_base import REASON, ChangeReasonForm, TrailAdmin
from config.lib.admin import never

_WORDS = (
    'The page <a href="{}">Personal data</a> tells everybody what stands here. Every night what is over its time is'
    " cleared; how much of what stands on the trail. Nothing is cleared that a rating is calculated from."
)


class RetentionForm(ChangeReasonForm):
    """How long what is kept, with the reason of a change."""


@admin.register(Retention)
class RetentionAdmin(TrailAdmin):
    """The one row of rules, as one page."""

    form = RetentionForm
    has_add_permission = never
    has_delete_permission = never

    def get_fieldsets(self, request: HttpRequest, obj: Retention | None = None) -> Any:
        """Return whom to write to, then how long what is kept, then the reason."""
        names = [name for name in self.get_fields(request, obj) if name not in ("contact", REASON)]
        parts: list[Any] = [
            (None, {"fields": ["contact"], "description": format_html(_WORDS, reverse("ratings:privacy"))}),
            ("How long it is kept", {"fields": names}),
        ]
        return [*parts, (None, {"fields": [REASON]})] if REASON in self.get_fields(request, obj) else parts

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Lead to the page of the one row."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return HttpResponseRedirect(reverse("admin:accounts_retention_change", args=[retention().pk]))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the page under its name, with one button."""
        context = {"title": "Personal data", "subtitle": None, "show_save_and_continue": False}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **context})

    def response_change(self, request: HttpRequest, obj: Retention) -> HttpResponse:
        """Show the page again, with what was saved."""
        self.message_user(request, "Saved, with the reason on the trail.", messages.SUCCESS)
        return HttpResponseRedirect(request.path)
