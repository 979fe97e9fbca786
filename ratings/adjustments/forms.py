"""The desk's form of an adjustment."""

from typing import Any

from django import forms

from config.lib.forms import PlainTextField
from ratings.models import Adjustment
from ratings.periods import RunError
from ratings.rerating.adjustments import month_to_adjust


class AdjustmentForm(forms.ModelForm):
    """A player's adjustment in the calculation of the next month."""

    reason = PlainTextField(
        label="Reason",
        max_length=500,
        help_text="What was wrong, and from what it is known. It is shown in public with the adjustment.",
    )

    class Meta:
        model = Adjustment
        fields = ("player", "list", "points", "reason", "report")

    def clean(self) -> dict[str, Any]:
        """Check that the player can be adjusted on the list."""
        cleaned: dict[str, Any] = super().clean() or {}
        if all(cleaned.get(name) is not None for name in ("player", "list", "points")):
            try:
                month_to_adjust(cleaned["player"], cleaned["list"], cleaned["points"], cleaned.get("reason", ""))
            except RunError as error:
                self.add_error(None, str(error))
        return cleaned
