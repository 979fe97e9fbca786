"""Who the players of a file are, and what the file does not say of new ones."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from typing import Any, cast

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.lib import formatting
from config.lib.days import is_birth_year
from events.models import Upload
from events.rules import corrections
from events.rules.player_details import has_full_first_name
from events.rules.sizes import LONGEST_PLACE
from events.submission.compare import as_seen
from events.submission.correction_forms.base import CorrectionForm, day_field
from events.submission.uploads import Answer
from events.submission.words import candidate_shown
from players.identity import is_chess_sa_id
from players.merged import player_of

OTHER = "other"


class PlayerForm(CorrectionForm):
    """Who the player of a line is: a candidate, another player by number, or a new player."""

    name = corrections.PLAYER.form
    births_of: Collection[int] = ()  # the regions of whose players the reader may see the birth dates
    number = forms.CharField(label=_("Chess SA id"), required=False, max_length=40)

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        super().__init__(upload, key, data)
        self.line = _line(self.report, key)
        self.stale = not self.line
        self.candidates = self.line.get("candidates", [])
        choices = [(player["number"], f"{player['name']}, {player['number']}") for player in self.candidates]
        choices += [(OTHER, gettext("Another player")), (corrections.NEW, gettext("A new player"))]
        self.fields["who"] = forms.ChoiceField(
            choices=choices, widget=forms.RadioSelect, error_messages={"required": _("Say who it is.")}
        )
        self.order_fields(["who", "number"])

    @property
    def known(self) -> Iterator[tuple[Any, dict[str, Any]]]:
        """The candidates, each with its radio button; birth dates only of `births_of`."""
        for button, candidate in zip(self["who"], self.candidates, strict=False):
            yield button, candidate_shown(as_seen(candidate, self.births_of))

    @property
    def others(self) -> list[Any]:
        """The radio buttons of another and of a new player."""
        return list(self["who"])[len(self.candidates) :]

    def clean(self) -> dict[str, Any]:
        """Check that the chosen player is on the register."""
        cleaned: dict[str, Any] = super().clean() or {}
        who, number = cleaned.get("who"), (cleaned.get("number") or "").strip()
        if who == OTHER:
            player = player_of(number) if is_chess_sa_id(number) else None
            if player is None:
                self.add_error("number", gettext("Enter a Chess SA id of nine digits that is on the register."))
            cleaned["player"] = player
        elif who and who != corrections.NEW:
            cleaned["player"] = player_of(who)
            if cleaned["player"] is None:
                text = gettext("%(number)s is on the register no more: choose somebody else.")
                self.add_error("who", text % {"number": who})
        return cleaned

    def _answers(self) -> Iterable[Answer]:
        player = self.cleaned_data.get("player")
        line = f"{self.line['name']} (start number {self.key})"
        answer = f"{line} is {player}." if player else f"{line} is a new player."
        value = player.number if player else corrections.NEW
        yield Answer(corrections.PLAYER.code, self.key, value, f"Who is {line}?", answer)


class NewPlayersForm(CorrectionForm):
    """The confirmation that all players without a candidate are new."""

    name = "new"

    def _answers(self) -> Iterable[Answer]:
        for line in self.report.get("unknown", []):
            who = f"{line['name']} (start number {line['start']})"
            yield Answer(
                corrections.PLAYER.code,
                str(line["start"]),
                corrections.NEW,
                f"Who is {who}?",
                f"{who} is a new player.",
            )


class PlayerDetailsForm(CorrectionForm):
    """Dates of birth, genders and first names of new players that are missing in the file."""

    name = corrections.BIRTH_DATE.form
    heading, label = _("Details of new players"), _("Add these details")

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        super().__init__(upload, key, data)
        self.stale = not self.report.get("people")
        for line in self.report.get("people", []):
            if line["birth"]:
                if line["year"]:
                    label = gettext("%(name)s: date of birth (%(year)s in the file)")
                else:
                    label = gettext("%(name)s: date of birth")
                self.fields[f"{corrections.BIRTH_DATE.code}-{line['start']}"] = day_field(label % line)
            if line["sex"]:
                self.fields[f"{corrections.GENDER.code}-{line['start']}"] = forms.ChoiceField(
                    label=gettext("%(name)s: gender") % line, required=False, choices=[("", ""), ("M", "M"), ("F", "F")]
                )
            if line.get("given"):
                self.fields[f"{corrections.FIRST_NAME.code}-{line['start']}"] = forms.CharField(
                    label=gettext("%(name)s: full first name") % line, required=False, max_length=LONGEST_PLACE
                )

    def clean(self) -> dict[str, Any]:
        """Require plausible dates, in the year of birth that the file gives."""
        cleaned: dict[str, Any] = super().clean() or {}
        for line in self.report.get("people", []):
            name = f"{corrections.BIRTH_DATE.code}-{line['start']}"
            born = cleaned.get(name)
            if born and (not is_birth_year(born.year) or born > timezone.localdate()):
                message = gettext("%(name)s was not born on %(day)s: correct the date of birth.")
                self.add_error(name, message % {"name": line["name"], "day": formatting.day(born)})
            elif born and line["year"] and born.year != line["year"]:
                message = gettext("The file says that the year is %(year)s: correct one of the two.")
                self.add_error(name, message % {"year": line["year"]})
            name = f"{corrections.FIRST_NAME.code}-{line['start']}"
            if cleaned.get(name) and not has_full_first_name(cleaned[name]):
                self.add_error(name, gettext("Give at least one first name in full, not its initial."))
        if not self.errors and not any(cleaned.values()):
            raise forms.ValidationError(gettext("Give at least one of the details."))
        return cleaned

    def _answers(self) -> Iterable[Answer]:
        names = {str(line["start"]): line["name"] for line in self.report.get("people", [])}
        for field, value in self.cleaned_data.items():
            code, _, start = field.partition("-")
            if not value:
                continue
            born = isinstance(value, date)
            text, shown = (value.isoformat(), formatting.day(value)) if born else (value, value)
            what = _DETAILS[code]
            yield Answer(code, start, text, f"{names[start]}: no {what}", f"{names[start]}: {what} {shown}.")


_DETAILS = {
    corrections.BIRTH_DATE.code: "date of birth",
    corrections.GENDER.code: "gender",
    corrections.FIRST_NAME.code: "full first name",
}


def _line(report: Mapping[str, Any], start: str) -> dict[str, Any]:
    """Return a line of the report, open or matched, by start number; {} if there is none."""
    for part in ("questions", "unknown", "not_looked_up", "matched"):
        for line in report.get(part, []):
            if str(line["start"]) == start:
                return cast(dict[str, Any], line)
    return {}
