"""The search form of the lists and of the register."""

from typing import Any

from django import forms

from players.identity import fold
from players.queries import regions_by_province
from ratings.queries import Choice

PROVINCE = "province-"


class PlayerFilter(forms.Form):
    """Words of a name, or a number, and a region or province. Read from the address, so that a search can be linked to."""

    q = forms.CharField(
        label="Name or number",
        required=False,
        max_length=80,
        strip=True,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off", "spellcheck": "false"}),
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
        region = self.cleaned_data["region"]
        text = self.cleaned_data["q"]
        digits = "".join(text.split())
        if digits.isascii() and digits.isdigit():
            words: list[str] = []
            number = digits[:18]
        else:
            # What folds to nothing finds nobody, rather than everybody.
            words, number = fold(text).split() or ([text] if text else []), ""
        by_province = region.startswith(PROVINCE)
        return Choice(
            words=tuple(words),
            digits=number,
            region="" if by_province else region,
            province=region.removeprefix(PROVINCE) if by_province else "",
        )
