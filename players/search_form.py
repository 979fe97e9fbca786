"""The search form of the lists and of the register, and the field of a region or province."""

from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from config.kept_reads import kept
from config.lib.forms import PlainTextField, ShownErrors
from config.lib.plain_select import PlainSelect
from players.models import Province, Region
from players.search import LONGEST_SEARCH, Choice, RegionChoice, name_choice

_PROVINCE = "province-"


class RegionField(forms.ChoiceField):
    """A choice of a region (`GAU`) or a province (`province-GP`); its value is a `RegionChoice`.

    A form reads the provinces and regions anew, with two queries, unless a page has them kept.
    """

    widget = PlainSelect

    def __init__(self, *, label: Any) -> None:
        message = gettext_lazy("“%(value)s” is no region or province: choose one of the list.")
        super().__init__(label=label, required=False, error_messages={"invalid_choice": message})

    def __deepcopy__(self, memo: dict[int, Any]) -> "RegionField":
        field = super().__deepcopy__(memo)
        field.choices = kept(_places)
        return field

    def clean(self, value: Any) -> RegionChoice:
        """Return the choice. Raises ValidationError if it is not on the list."""
        code: str = super().clean(value)
        if code.startswith(_PROVINCE):
            return RegionChoice(province=code.removeprefix(_PROVINCE))
        return RegionChoice(region=code)


def _places() -> list[Any]:
    provinces = [(f"{_PROVINCE}{code}", name) for code, name in Province.objects.values_list("code", "name")]
    regions = [(code, f"{code} · {name}") for code, name in Region.objects.values_list("code", "name")]
    return [("", gettext("all regions")), (gettext("Provinces"), provinces), (gettext("Regions"), regions)]


class PlayerFilter(ShownErrors, forms.Form):
    """Words of a name, or a number, and a region or province. Sent in the address, so that a search can be linked to."""

    q = PlainTextField(
        label=gettext_lazy("Name or number"),
        required=False,
        max_length=LONGEST_SEARCH,
        strip=True,
        widget=forms.TextInput(
            attrs={"type": "search", "autocomplete": "off", "spellcheck": "false", "data-suggest": "/players/suggest/"}
        ),
    )
    region = RegionField(label=gettext_lazy("Region or province"))

    def choice(self) -> Choice:
        """Return the search; an empty one if the form is invalid."""
        if not self.is_valid():
            return Choice()
        return replace(name_choice(self.cleaned_data["q"]), place=self.cleaned_data["region"])
