"""The filter of a published list."""

from typing import Any

from django import forms

from players.search_form import PlayerFilter
from ratings.lists.activity import ActivityWindow

_ACTIVE = "active"


class ListFilter(PlayerFilter):
    """The search form of a list, with the choice of active players (article 55) where the list has a window of activity."""

    def __init__(self, *args: Any, activity: ActivityWindow | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if activity:
            self.fields["activity"] = forms.ChoiceField(
                label="Players",
                required=False,
                choices=[("", "all players"), (_ACTIVE, f"active ({activity.length_text})")],
            )

    @property
    def only_active(self) -> bool:
        """Whether only active players are asked for; False if the form is invalid."""
        return self.is_valid() and self.cleaned_data.get("activity") == _ACTIVE

    @property
    def sought_text(self) -> str:
        """Which players are asked for, in words: `active player with this name or number in this region`."""
        choice = self.choice()
        parts = [
            "active player" if self.only_active else "player",
            "with this name or number" if choice.words or choice.digits else "",
            "in this region" if choice.place else "",
        ]
        return " ".join(part for part in parts if part)
