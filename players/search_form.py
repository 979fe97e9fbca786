"""The search form of the lists and of the register."""

from dataclasses import replace
from typing import Any

from django import forms

from players.search import Choice, name_choice, regions_by_province

PROVINCE = "province-"


class PlayerFilter(forms.Form):
    """Words of a name, or a number, and a region or province. Read from the address, so that a search can be linked to."""

    q = forms.CharField(
        label="Name or number",
        required=False,
        max_length=80,
        strip=True,
        widget=forms.TextInput(
            attrs={"type": "search", "autocomplete": "off", "spellcheck": "false", "data-suggest": "/players/suggest/"}
        ),
    )
    region = forms.ChoiceField(
        label="Region or province",
        required=False,
        error_messages={"invalid_choice": "“%(value)s” is no region or province: choose one of the list."},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["region"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [("", "all regions"), *regions_by_province()]

    def choice(self) -> Choice:
        """What the form asks for; nothing of it when it is not valid."""
        if not self.is_valid():
            return Choice()
        region: str = self.cleaned_data["region"]
        by_province = region.startswith(PROVINCE)
        return replace(
            name_choice(self.cleaned_data["q"]),
            region="" if by_province else region,
            province=region.removeprefix(PROVINCE) if by_province else "",
        )
