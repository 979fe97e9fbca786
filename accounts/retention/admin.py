"""The officers' page of how long personal data is kept."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from accounts.models import Retention
from accounts.trail.admin_base import REASON, ChangeReasonForm
from accounts.trail.one_row import OneRowAdmin

_WORDS = (
    'The page <a href="{}">Personal data</a> tells everybody what stands here. Every night what is over its time is'
    " cleared; how much of what stands on the trail. Nothing is cleared that a rating is calculated from."
)
_NO_CONTACT = format_html(
    "<b>{}</b> ",
    "No address is set: the public page names none, and whoever asks for his own or his child’s data does not know where.",
)


class RetentionForm(ChangeReasonForm):
    """How long what is kept, with the reason of a change."""


@admin.register(Retention)
class RetentionAdmin(OneRowAdmin):
    """The one row of rules, as one page."""

    form = RetentionForm
    page_title = "Personal data"
    saved = "Saved, with the reason on the trail."

    def get_fieldsets(self, request: HttpRequest, obj: Retention | None = None) -> Any:
        """Return whom to write to, then how long what is kept, then the reason."""
        names = [name for name in self.get_fields(request, obj) if name not in ("contact", REASON)]
        lacking = _NO_CONTACT if obj is not None and not obj.contact else ""
        words = format_html("{}" + _WORDS, lacking, reverse("ratings:privacy"))
        parts: list[Any] = [
            (None, {"fields": ["contact"], "description": words}),
            ("How long it is kept", {"fields": names}),
        ]
        return [*parts, (None, {"fields": [REASON]})] if REASON in self.get_fields(request, obj) else parts
