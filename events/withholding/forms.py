"""The form by which a Chief Organiser or Chief Arbiter tells the bureau that his event is kept back."""

from collections.abc import Sequence
from typing import Any

from django import forms

from config.lib.forms import Described
from events.models import Party
from events.rules.sizes import LONGEST_GROUNDS


class KeptBackForm(Described):
    """In whose name the report is made, and what happened."""

    party = forms.ChoiceField(label="In the name of the", error_messages={"required": "Say in whose name you report."})
    account = forms.CharField(
        label="What happened",
        help_text="Whom you asked for the results to be sent in, when, and what the answer was.",
        max_length=LONGEST_GROUNDS,
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={
            "required": "Say what happened.",
            "max_length": f"At most {LONGEST_GROUNDS} characters; shorten it.",
        },
    )

    def __init__(self, parties: Sequence[Party], *args: Any, **kwargs: Any) -> None:
        """Offer these parties; a single one is not asked about."""
        super().__init__(*args, **kwargs)
        field = self.fields["party"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - for the types
        field.choices = [(party.value, party.label) for party in parties]
        if len(parties) == 1:
            field.widget, field.initial = forms.HiddenInput(), parties[0].value
