"""The admin's form for a player."""

from typing import Any, ClassVar

from django import forms
from django.utils import timezone

from accounts.trail.admin_base import ChangeReasonForm
from config.lib.forms import PlayerNameField
from config.lib.names import wrong_words
from players.identity import fide_id_problem, folded_name
from players.merged import on_register


class PlayerForm(ChangeReasonForm):
    """A player. The year of birth follows a changed date; a namesake who may be the same person is asked about."""

    another_person = forms.BooleanField(
        required=False,
        label="Another person",
        help_text="Tick it when the register has somebody of this name and this is somebody else.",
    )

    class Meta:
        field_classes: ClassVar = {"last_name": PlayerNameField, "first_name": PlayerNameField}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.pk is not None:
            del self.fields["another_person"]

    def full_clean(self) -> None:
        """Refuse a player who was merged into another meanwhile."""
        super().full_clean()
        if self.is_bound and self.instance.merged_into is not None:
            self.add_error(None, f"This player was merged into {self.instance.merged_into} meanwhile: change that one.")

    def clean(self) -> dict[str, Any]:
        """Set the year from the date, and refuse another year that is typed beside it, and a namesake who is not confirmed."""
        cleaned: dict[str, Any] = super().clean() or {}
        born, year = cleaned.get("birth_date"), cleaned.get("birth_year")
        if born and year not in (None, born.year):
            if "birth_year" in self.changed_data:
                self.add_error("birth_year", f"The date of birth is of {born.year}: correct one of them.")
            else:
                cleaned["birth_year"] = born.year
        elif born:
            cleaned["birth_year"] = born.year
        if problem := fide_id_problem(cleaned.get("fide_id")):
            self.add_error("fide_id", problem)
        died = cleaned.get("died_on")
        if died and died > timezone.localdate():
            self.add_error("died_on", "This day has not come yet.")
        hidden = cleaned.get("hidden_since")
        if hidden and hidden > timezone.localdate():
            self.add_error("hidden_since", "This day has not come yet: a player is hidden at once.")
        if problem := wrong_words(f"{cleaned.get('first_name', '')} {cleaned.get('last_name', '')}"):
            self.add_error("last_name", problem)
        if self.instance.pk is None and not cleaned.get("another_person"):
            self._refuse_namesake(cleaned)
        return cleaned

    def _refuse_namesake(self, cleaned: dict[str, Any]) -> None:
        name = folded_name(cleaned.get("last_name") or "", cleaned.get("first_name") or "")
        born = cleaned.get("birth_date")
        for namesake in on_register().filter(folded_name=name).order_by("number"):
            if born and namesake.birth_date and born != namesake.birth_date:
                continue
            self.add_error(
                "another_person",
                f"{namesake} is on the register already. If this is somebody else, tick “Another person” and save again.",
            )
            return
