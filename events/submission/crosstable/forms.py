"""The forms of results entered by hand: a player's row, the days of the rounds."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.languages import in_readers_style
from config.lib import formatting
from config.lib.days import FIRST_DAY
from config.lib.forms import Described, LineField, day_field
from config.lib.names import shown
from events.files.dates import Birth, read_birth
from events.rules.tournament import Entrant
from events.submission.crosstable.document import LONGEST_NAME, EnteredPlayer
from events.submission.persons import chess_sa_id
from players.identity import FIDE_ID_DIGITS, FIRST_FIDE_ID, is_chess_sa_id
from players.models import Player

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def _typed(label: "StrOrPromise", length: int, too_long: "StrOrPromise", column: str, **attrs: str) -> LineField:
    shared = {"autocomplete": "off", "spellcheck": "false", **attrs, "data-column": column}
    widget = forms.TextInput(attrs=shared)
    return LineField(
        label=label, required=False, max_length=length, error_messages={"max_length": too_long}, widget=widget
    )


class EntryRow(Described):
    """The row of a player; a blank row is ignored. `old`: the player's line in the file before."""

    name = _typed(_("Name"), 170, _("At most 170 letters."), "name", **{"data-suggest": "/players/suggest/"})
    national_id = _typed(_("Chess SA id"), 11, _("A Chess SA id has nine digits."), "national_id", inputmode="numeric")
    fide_id = _typed(
        _("FIDE id"), FIDE_ID_DIGITS, _("A FIDE id has eleven digits at the most."), "fide_id", inputmode="numeric"
    )
    born = _typed(_("Born"), 20, _("Write the date of birth as 2008-03-24, or the year."), "born")
    sex = forms.ChoiceField(
        label=_("Gender"),
        required=False,
        choices=[("", ""), ("F", "F"), ("M", "M")],
        widget=forms.Select(attrs={"data-column": "sex"}),
    )

    def __init__(self, number: int, data: Any = None, *, initial: Any = None, old: Entrant | None = None) -> None:
        super().__init__(data, prefix=f"p{number}", initial=initial, use_required_attribute=False)
        self.number, self.old = number, old
        self.known: Player | None = None
        for name, bound in self.fields.items():
            bound.widget.attrs["aria-label"] = gettext("%(field)s of player %(number)s") % {
                "field": bound.label,
                "number": number,
            }
            if name == "born":
                bound.widget.attrs["placeholder"] = gettext("yyyy-mm-dd")

    @property
    def shown(self) -> str:
        """The name in the field, with signs for what cannot be seen."""
        return shown(str(self["name"].value() or ""))

    @property
    def filled(self) -> bool:
        """Whether anything was entered."""
        return any(str(field.value() or "").strip() for field in self)

    def clean_name(self) -> str:
        """Return the name with single blanks. It has a comma after the last name, unless the file has it without."""
        name = " ".join((self.cleaned_data["name"] or "").split())
        if name and "," not in name and not (self.old and name == " ".join(self.old.name.split())):
            raise forms.ValidationError(gettext("Write the last name, a comma and the first names: Mokoena, Naledi."))
        return name

    def clean_national_id(self) -> str:
        """Check that the id has nine digits, or is that of the file."""
        number: str = self.cleaned_data["national_id"]
        if number and not is_chess_sa_id(number) and not (self.old and number == chess_sa_id(self.old)):
            raise forms.ValidationError(gettext("A Chess SA id has nine digits."))
        return number

    def clean_fide_id(self) -> str:
        """Check that the id can be one of FIDE's; return it without leading zeros."""
        number: str = self.cleaned_data["fide_id"]
        if number and not (number.isascii() and number.isdigit() and int(number) >= FIRST_FIDE_ID):
            raise forms.ValidationError(gettext("A FIDE id is a number from %(first)s on.") % {"first": FIRST_FIDE_ID})
        return str(int(number)) if number else ""

    def clean_born(self) -> Birth:
        """Return the date or year of birth, which must not be in the future."""
        text: str = self.cleaned_data["born"]
        if not text:
            return Birth()
        birth = read_birth(text) if text.isascii() else None
        today = timezone.localdate()
        if birth is None or birth.year is None or birth.year > today.year or (birth.day and birth.day > today):
            raise forms.ValidationError(gettext("Write the date of birth as 2008-03-24, or the year."))
        return birth

    def clean(self) -> dict[str, Any]:
        """Require a name that fits into the file, unless the register or the file before has it in full."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.filled and not self.shown.strip():
            self.add_error("name", gettext("Give the name, or the Chess SA id of a player on the register."))
        if len(cleaned.get("name") or "") > LONGEST_NAME and self.known is None and not self._is_old():
            problem = gettext("The file has room for %(most)s letters: shorten the first names to initials.")
            self.add_error("name", problem % {"most": LONGEST_NAME})
        return cleaned

    def _is_old(self) -> bool:
        return self.old is not None and self.old.name == self.cleaned_data.get("name")

    def typed(self) -> EnteredPlayer:
        """Return the player of a valid row."""
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
    """The day of each round, fields `d1`, `d2` and so on."""

    def __init__(self, rounds: int, data: Any = None, *, initial: Any = None) -> None:
        super().__init__(data, initial=initial, use_required_attribute=False)
        for number in range(1, rounds + 1):
            self.fields[f"d{number}"] = day_field(gettext("Round %(number)s") % {"number": number})

    def clean(self) -> dict[str, Any]:
        """Check that the days are plausible and not in the future."""
        cleaned: dict[str, Any] = super().clean() or {}
        for name, day in list(cleaned.items()):
            if day and not FIRST_DAY <= day <= timezone.localdate():
                problem = gettext("%(day)s cannot be meant: give the day on which the round was played.")
                with in_readers_style():
                    self.add_error(name, problem % {"day": formatting.day(day)})
        return cleaned
