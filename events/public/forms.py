"""The search form of the list of events."""

from datetime import date
from typing import Any

from django import forms

from players.search import regions_by_province


class EventFilter(forms.Form):
    """A part of the name, a region or province, a month. Read from the address, so that a search can be linked to."""

    q = forms.CharField(
        label="Name of the event",
        required=False,
        max_length=80,
        strip=True,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    region = forms.ChoiceField(
        label="Host region or province",
        required=False,
        error_messages={"invalid_choice": "“%(value)s” is no region or province: choose one of the list."},
    )
    month = forms.DateField(
        label="Month",
        required=False,
        input_formats=["%Y-%m"],
        error_messages={"invalid": "Write the month as year and month: 2026-10."},
        widget=forms.DateInput(format="%Y-%m", attrs={"type": "month", "placeholder": "2026-10"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["region"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [("", "all regions"), *regions_by_province()]

    def choice(self) -> dict[str, Any]:
        """What the form asks for, as `event_page` takes it; nothing of it when it is not valid."""
        if not self.is_valid():
            return {}
        region: str = self.cleaned_data["region"]
        month: date | None = self.cleaned_data["month"]
        by_province = region.startswith("province-")
        return {
            "name": self.cleaned_data["q"],
            "region": "" if by_province else region,
            "province": region.removeprefix("province-") if by_province else "",
            "month": month,
        }
