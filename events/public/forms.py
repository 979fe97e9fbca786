"""The search form of the list of events."""

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy as _

from config.lib.forms import PlainTextField, ShownErrors
from config.lib.plain_select import PlainSelect
from events.public.calendar import CalendarChoice
from events.rules.time_controls import TYPES_OF_GAME
from players.search_form import RegionField


class EventFilter(ShownErrors, forms.Form):
    """A part of the name, a region or province, a month. Sent in the address, so that a search can be linked to."""

    q = PlainTextField(
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


class CalendarFilter(ShownErrors, forms.Form):
    """A host region or province and a type of game, in the address of the calendar and of its feed."""

    region = RegionField(label=_("Host region or province"))
    type = forms.ChoiceField(
        label=_("Type of game"),
        required=False,
        choices=[("", _("all types")), *((name, _(name)) for name in TYPES_OF_GAME)],
        widget=PlainSelect,
        error_messages={"invalid_choice": _("“%(value)s” is no type of game: choose one of the list.")},
    )

    def choice(self) -> CalendarChoice | None:
        """Return the choice; None if the form is invalid."""
        if not self.is_valid():
            return None
        return CalendarChoice(self.cleaned_data["region"], self.cleaned_data["type"])

    @property
    def query(self) -> str:
        """The choice as it stands in an address: `region=GAU&type=rapid`, "" for everything."""
        given = {name: self.data.get(name, "") for name in self.fields}
        return urlencode({name: value for name, value in given.items() if value})

    @property
    def words(self) -> list[str]:
        """The choice in words, as the lists of the form have it."""
        named = [dict(_flat(self.fields[name].choices)).get(self.data.get(name, ""), "") for name in self.fields]  # type: ignore[attr-defined]
        return [str(words) for name, words in zip(self.fields, named, strict=True) if self.data.get(name) and words]


def _flat(choices: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    for value, label in choices:
        yield from label if isinstance(label, list | tuple) else [(value, label)]
