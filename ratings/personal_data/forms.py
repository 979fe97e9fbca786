"""The form by which a person's data is erased."""

from django import forms

from config.lib.forms import LineField, PlainTextField, ShownErrors
from players.models import Player


class ErasureForm(ShownErrors, forms.Form):
    """The player's Chess SA id, typed as a confirmation, and the reason."""

    number = LineField(
        label="His Chess SA id", max_length=9, help_text="Type it, so that it is the right player.", strip=True
    )
    reason = PlainTextField(
        label="Reason",
        max_length=500,
        help_text="Who asked for it and how it was made sure who he is. It stays on the trail: name nobody.",
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )

    def __init__(self, player: Player, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self.player = player

    def clean_number(self) -> str:
        """Refuse another player's id."""
        number: str = self.cleaned_data["number"]
        if number != self.player.number:
            raise forms.ValidationError(
                f"This is not the id of {self.player.name}: it stands on his page of the register."
            )
        return number
