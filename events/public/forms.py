"""The search form of the list of events."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.search_form import RegionField


class EventFilter(forms.Form):
    """A part of the name, a region or province, a month. Sent in the address, so that a search can be linked to."""

    q = forms.CharField(
        label=_("Name of the event"),
        required=False,
        max_length=80,
        strip=True,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    region = RegionField(label=_("Host region or province"))
    month = forms.DateField(
        label=_("Month"),
        required=False,
        input_formats=["%Y-%m"],
        error_messages={"invalid": _("Write the month as year and month: 2026-10.")},
        widget=forms.DateInput(format="%Y-%m", attrs={"type": "month", "placeholder": "2026-10"}),
    )

    def choice(self) -> dict[str, Any]:
        """Return the arguments for `event_page`; {} if the form is invalid."""
        if not self.is_valid():
            return {}
        cleaned = self.cleaned_data
        return {"name": cleaned["q"], "place": cleaned["region"], "month": cleaned["month"]}
