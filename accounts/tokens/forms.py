"""The form that makes a token."""

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from accounts.models import Token
from accounts.tokens.operations import LONGEST
from config.lib.forms import Described, LineField, day_field


class TokenForm(Described):
    """Name, scopes and last day of a new token."""

    name = LineField(
        label=gettext_lazy("Name"),
        max_length=60,
        help_text=gettext_lazy("What uses it, such as the pairing program and its computer."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("It may"),
        choices=Token.Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": gettext_lazy("Choose at least one thing that the token may do."),
            "invalid_choice": gettext_lazy("Choose from the list."),
        },
    )
    last_day = day_field(gettext_lazy("Last day"), required=True)

    def __init__(self, *args: Any, today: date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["last_day"]
        field.widget.attrs |= {"min": today.isoformat(), "max": (today + LONGEST).isoformat()}
        field.help_text = gettext("On which it is taken; at most %(days)s days ahead.") % {"days": LONGEST.days}

    @property
    def chosen(self) -> list[Token.Scope]:
        """The scopes that were chosen."""
        return [Token.Scope(value) for value in self.cleaned_data["scopes"]]
