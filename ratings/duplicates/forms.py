"""The desk's forms to merge two players, to undo it, and to split one."""

from collections.abc import Sequence
from typing import Any

from django import forms

from config.lib.forms import LineField, PlainTextField, PlayerNameField, ShownErrors
from config.lib.names import wrong_words
from players.merged import player_of
from players.models import Player
from ratings.duplicates.comparison import PlayedSection
from ratings.merging.register import Compared

LONGEST_REASON = 500
OLD, NEW = "old", "new"


class PlayerField(LineField):
    """A player of the register by his Chess SA id."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=40, widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 11}), **options)

    def clean(self, value: Any) -> Any:
        """Return the player to whom the id leads. Raises ValidationError."""
        number = "".join(str(super().clean(value) or "").split())
        if not number:
            return None
        player = player_of(number)
        if player is None:
            raise forms.ValidationError(f"No player on the register has the Chess SA id {number[:20]}.")
        return player


class PairForm(ShownErrors, forms.Form):
    """The two players who are to be compared."""

    old = PlayerField(label="Who goes", help_text="A Chess SA id. It leads to the other from then on.")
    new = PlayerField(label="Who stays", help_text="A Chess SA id.")

    def clean(self) -> dict[str, Any]:
        """Refuse one player twice."""
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("old") is not None and cleaned.get("old") == cleaned.get("new"):
            self.add_error("new", "That is one player: give the id of the other one.")
        return cleaned


class ReasonOnlyForm(ShownErrors, forms.Form):
    """A reason."""

    reason = PlainTextField(label="Reason", max_length=LONGEST_REASON, widget=forms.TextInput(attrs={"size": 60}))


class MergeForm(ReasonOnlyForm):
    """Which fields of the register come from whom, and why the two are one person."""

    def __init__(self, data: Any = None, *, fields: Sequence[Compared], doubt: str) -> None:
        super().__init__(data)
        self.rows = [field for field in fields if field.differs]
        for row in self.rows:
            self.fields[f"take-{row.code}"] = forms.ChoiceField(
                label=row.label,
                choices=[(OLD, row.old or "–"), (NEW, row.new or "–")],
                initial=OLD if row.taken else NEW,
                widget=forms.RadioSelect,
            )
        if doubt:
            self.fields["sure"] = forms.BooleanField(
                label=f"They are one person, though {doubt}",
                error_messages={"required": "Say that you are sure, or correct the register first."},
            )
        self.order_fields([*(f"take-{row.code}" for row in self.rows), "sure", "reason"])

    @property
    def taken(self) -> list[str]:
        """The fields that come from the player who goes."""
        return [row.code for row in self.rows if self.cleaned_data[f"take-{row.code}"] == OLD]


class SplitForm(ReasonOnlyForm):
    """Which sections of a player are another person's, and who that is: on the register, or a new player."""

    other = PlayerField(
        label="The other person", required=False, help_text="A Chess SA id. Leave it empty for a new player."
    )
    last_name = PlayerNameField(label="Surname of a new player", max_length=80, required=False)
    first_name = PlayerNameField(label="First names of a new player", max_length=80, required=False)

    def __init__(
        self, data: Any = None, *, player: Player, sections: Sequence[PlayedSection], records: Sequence[Player]
    ) -> None:
        super().__init__(data)
        self.player = player
        self.by_key = {str(played.section.pk): played.section for played in sections}
        self.fields["sections"] = forms.MultipleChoiceField(
            label="Sections that are the other person’s",
            choices=[(str(played.section.pk), _said(played)) for played in sections],
            widget=forms.CheckboxSelectMultiple,
            required=False,
        )
        self.records = {str(row.pk): row for row in records}
        if records:
            self.fields["records"] = forms.MultipleChoiceField(
                label="Merged into him, and the other person’s",
                choices=[(key, str(row)) for key, row in self.records.items()],
                widget=forms.CheckboxSelectMultiple,
                required=False,
                help_text="The id leads to the other from then on, and what was taken over from it goes back.",
            )
        self.order_fields(["sections", "records", "other", "last_name", "first_name", "reason"])

    @property
    def chosen(self) -> list[Any]:
        """The chosen sections."""
        return [self.by_key[key] for key in self.cleaned_data["sections"]]

    @property
    def chosen_records(self) -> list[Player]:
        """The chosen players of those who were merged into this one."""
        return [self.records[key] for key in self.cleaned_data.get("records", ())]

    def clean(self) -> dict[str, Any]:
        """Require something that is another's, and one other person."""
        cleaned: dict[str, Any] = super().clean() or {}
        if "sections" not in self.errors and not cleaned.get("sections") and not cleaned.get("records"):
            self.add_error("sections", "Choose the sections that are the other person’s.")
        other, name = cleaned.get("other"), cleaned.get("last_name")
        if not self.errors and bool(other) == bool(name):
            self.add_error(
                "other", "Give the Chess SA id of the other person, or the surname of a new player: one of the two."
            )
        if problem := wrong_words(f"{cleaned.get('first_name', '')} {name or ''}"):
            self.add_error("last_name", problem)
        if other is not None and other == self.player:
            self.add_error("other", "That is the player himself: give the other person.")
        return cleaned


def _said(played: PlayedSection) -> str:
    rated = f"published in {played.month}" if played.month else "not published"
    return f"{played.day:%Y-%m-%d} {played.section}, {rated}"
