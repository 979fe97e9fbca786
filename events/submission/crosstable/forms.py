"""The parts of results entered by hand: a player's row, the days of the rounds."""

from typing import Any

from django import forms
from django.utils import timezone

from config.lib import formatting
from config.lib.days import FIRST_DAY
from config.lib.forms import Described
from events.files.dates import Birth, read_birth
from events.rules.tournament import Entrant
from events.submission.crosstable.document import LONGEST_NAME, EnteredPlayer
from events.submission.matching import chess_sa_id
from players.identity import FIRST_FIDE_ID, is_chess_sa_id
from players.models import Player

_TYPED = {"autocomplete": "off", "spellcheck": "false"}


class EntryRow(Described):
    """One player. A row without anything in it is nobody."""

    name = forms.CharField(
        label="Name",
        required=False,
        max_length=170,
        error_messages={"max_length": "At most 170 letters."},
        widget=forms.TextInput(attrs={**_TYPED, "data-suggest": "/players/suggest/", "data-column": "name"}),
    )
    national_id = forms.CharField(
        label="Chess SA id",
        required=False,
        max_length=11,
        error_messages={"max_length": "A Chess SA id has nine digits."},
        widget=forms.TextInput(attrs={**_TYPED, "inputmode": "numeric", "data-column": "national_id"}),
    )
    fide_id = forms.CharField(
        label="FIDE id",
        required=False,
        max_length=11,
        error_messages={"max_length": "A FIDE id has eleven digits at the most."},
        widget=forms.TextInput(attrs={**_TYPED, "inputmode": "numeric", "data-column": "fide_id"}),
    )
    born = forms.CharField(
        label="Born",
        required=False,
        max_length=20,
        error_messages={"max_length": "Write the date of birth as 2008-03-24, or the year."},
        widget=forms.TextInput(attrs={**_TYPED, "data-column": "born"}),
    )
    sex = forms.ChoiceField(
        label="Gender",
        required=False,
        choices=[("", ""), ("F", "F"), ("M", "M")],
        widget=forms.Select(attrs={"data-column": "sex"}),
    )

    def __init__(self, number: int, data: Any = None, *, initial: Any = None, old: Entrant | None = None) -> None:
        """The row of a start number; `old` is the line of the file before."""
        super().__init__(data, prefix=f"p{number}", initial=initial, use_required_attribute=False)
        self.number, self.old = number, old
        self.known: Player | None = None
        for name, bound in self.fields.items():
            bound.widget.attrs["aria-label"] = f"{bound.label} of player {number}"
            if name == "born":
                bound.widget.attrs["placeholder"] = "yyyy-mm-dd"

    @property
    def shown(self) -> str:
        """The name as it stands in the field."""
        return str(self["name"].value() or "")

    @property
    def filled(self) -> bool:
        """Whether there is a player in the row."""
        return any(str(one.value() or "").strip() for one in self)

    def clean_name(self) -> str:
        """One line, with a comma behind the last name unless the file has it without."""
        name = " ".join((self.cleaned_data["name"] or "").split())
        if name and "," not in name and not (self.old and name == " ".join(self.old.name.split())):
            raise forms.ValidationError("Write the last name, a comma and the first names: Mokoena, Naledi.")
        return name

    def clean_national_id(self) -> str:
        """Nine digits, or what the file has."""
        number: str = self.cleaned_data["national_id"]
        if number and not is_chess_sa_id(number) and not (self.old and number == chess_sa_id(self.old)):
            raise forms.ValidationError("A Chess SA id has nine digits.")
        return number

    def clean_fide_id(self) -> str:
        """A number that FIDE gives."""
        number: str = self.cleaned_data["fide_id"]
        if number and not (number.isascii() and number.isdigit() and int(number) >= FIRST_FIDE_ID):
            raise forms.ValidationError(f"A FIDE id is a number from {FIRST_FIDE_ID} on.")
        return str(int(number)) if number else ""

    def clean_born(self) -> Birth:
        """A day or a year that has been."""
        text: str = self.cleaned_data["born"]
        if not text:
            return Birth()
        birth = read_birth(text) if text.isascii() else None
        today = timezone.localdate()
        if birth is None or birth.year is None or birth.year > today.year or (birth.day and birth.day > today):
            raise forms.ValidationError("Write the date of birth as 2008-03-24, or the year.")
        return birth

    def clean(self) -> dict[str, Any]:
        """Somebody has a name, short enough for the file unless the register has the whole of it."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.filled and not self.shown.strip():
            self.add_error("name", "Give the name, or the Chess SA id of a player on the register.")
        if len(cleaned.get("name") or "") > LONGEST_NAME and self.known is None and not self._is_old():
            self.add_error(
                "name", f"The file has room for {LONGEST_NAME} letters: shorten the first names to initials."
            )
        return cleaned

    def _is_old(self) -> bool:
        return self.old is not None and self.old.name == self.cleaned_data.get("name")

    def typed(self) -> EnteredPlayer:
        """The player of a valid row."""
        return EnteredPlayer(
            number=self.number,
            name=self.cleaned_data["name"],
            national_id=self.cleaned_data["national_id"],
            fide_id=self.cleaned_data["fide_id"],
            birth=self.cleaned_data["born"],
            sex=self.cleaned_data["sex"],
            federation=self.known.federation if self.known else "RSA",
        )


class DaysForm(Described):
    """The day of each round."""

    def __init__(self, rounds: int, data: Any = None, *, initial: Any = None) -> None:
        """A field for each round, `d1` and on."""
        super().__init__(data, initial=initial, use_required_attribute=False)
        for number in range(1, rounds + 1):
            self.fields[f"d{number}"] = forms.DateField(
                label=f"Round {number}",
                required=False,
                widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
                error_messages={"invalid": "Write the day as year, month and day: 2026-05-17."},
            )

    def clean(self) -> dict[str, Any]:
        """Rounds are played in this age, and have been."""
        cleaned: dict[str, Any] = super().clean() or {}
        for name, day in list(cleaned.items()):
            if day and not FIRST_DAY <= day <= timezone.localdate():
                self.add_error(
                    name, f"{formatting.day(day)} cannot be meant: give the day on which the round was played."
                )
        return cleaned
