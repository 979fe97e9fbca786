"""The forms that stand beside the findings of an upload's report: each turns what is entered into answers.

Which form a finding gets says the kind of its correction (`events.rules.corrections`), by the form's name. What a form asks
line by line, `events.submission.report` has collected.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, cast

from django import forms
from django.utils import timezone

from config.lib import formatting
from config.lib.days import FIRST_BIRTH_DAY
from events.files.encodings import CODE_PAGES
from events.models import Arbiter, Section, Upload
from events.rules.corrections import (
    ARBITER,
    BIRTH_DATE,
    ENCODING,
    FILE,
    GENDER,
    NEW,
    PENALTY,
    PLAYER,
    REGISTRATION,
    ROUND_DAY,
    SECTION_DAYS,
    TIME_CONTROL,
    CorrectionKind,
)
from events.submission.uploads import Answer
from players.identity import is_chess_sa_id
from players.models import Player

OTHER = "other"
LONGEST_REASON = 500


class CorrectionForm(forms.Form):
    """A form of a report. `name` tells which it is when it comes back; `anchor` is its place on the page.

    `heading` stands above the findings that it settles, `label` on its button.
    """

    name = heading = label = ""

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        """For an upload, and where there are several of its kind, for one of them."""
        self.upload, self.key, self.report = upload, key, upload.report
        self.anchor = "-".join(part for part in ("u" + str(upload.pk), self.name, key) if part)
        super().__init__(data, prefix=self.anchor, use_required_attribute=False)

    @property
    def stale(self) -> bool:
        """Whether the report no longer asks what the form answers."""
        return False

    def answers(self) -> list[Answer]:
        """What a valid form says."""
        raise NotImplementedError


class PlayerForm(CorrectionForm):
    """Who a line is: a candidate, another player by his number, or somebody new."""

    name = PLAYER.form
    number = forms.CharField(label="Chess SA id", required=False, max_length=40)

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        """The candidates of the line, and the two other ways."""
        super().__init__(upload, key, data)
        self.line = _line(self.report, key)
        self.candidates = self.line.get("candidates", [])
        choices = [(player["number"], f"{player['name']}, {player['number']}") for player in self.candidates]
        choices += [(OTHER, "Another player"), (NEW, "A new player")]
        self.fields["who"] = forms.ChoiceField(
            choices=choices, widget=forms.RadioSelect, error_messages={"required": "Say who it is."}
        )
        self.order_fields(["who", "number"])

    @property
    def stale(self) -> bool:
        """The line is settled by an answer."""
        return not self.line

    @property
    def known(self) -> Iterator[tuple[Any, dict[str, Any]]]:
        """The candidates, each with its button."""
        yield from zip(self["who"], self.candidates, strict=False)

    @property
    def others(self) -> list[Any]:
        """The buttons of the two other ways."""
        return list(self["who"])[len(self.candidates) :]

    def clean(self) -> dict[str, Any]:
        """Another player is on the register."""
        cleaned: dict[str, Any] = super().clean() or {}
        who, number = cleaned.get("who"), (cleaned.get("number") or "").strip()
        if who == OTHER:
            player = Player.objects.filter(number=number).first() if is_chess_sa_id(number) else None
            if player is None:
                self.add_error("number", "Enter a Chess SA id of nine digits that is on the register.")
            cleaned["player"] = player
        elif who and who != NEW:
            cleaned["player"] = Player.objects.filter(number=who).first()
            if cleaned["player"] is None:
                self.add_error("who", f"{who} is on the register no more: choose somebody else.")
        return cleaned

    def answers(self) -> list[Answer]:
        """One."""
        player = self.cleaned_data.get("player")
        line = f"{self.line['name']} (start number {self.key})"
        answer = f"{line} is {player}." if player else f"{line} is a new player."
        return [Answer(PLAYER.code, self.key, player.number if player else NEW, f"Who is {line}?", answer)]


class NewPlayersForm(CorrectionForm):
    """All who are like nobody on the register are new."""

    name = "new"

    def answers(self) -> list[Answer]:
        """One for each."""
        return [
            Answer(
                PLAYER.code,
                str(line["start"]),
                NEW,
                f"Who is {line['name']} (start number {line['start']})?",
                f"{line['name']} (start number {line['start']}) is a new player.",
            )
            for line in self.report.get("unknown", [])
        ]


class RoundDaysForm(CorrectionForm):
    """The days of rounds that the file gives none for; those that are registered stand in the fields."""

    name, heading, label = ROUND_DAY.form, "Days of the rounds", "Set these days"

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        """A field for each round."""
        super().__init__(upload, key, data)
        for day in self.report.get("days", []):
            self.fields[str(day["round"])] = _day_field(f"Round {day['round']}", day["registered"])

    @property
    def stale(self) -> bool:
        """Every day is known."""
        return not self.report.get("days")

    def clean(self) -> dict[str, Any]:
        """At least one day, and none to come."""
        cleaned: dict[str, Any] = super().clean() or {}
        for name, day in list(cleaned.items()):
            if day and not FIRST_BIRTH_DAY <= day <= timezone.localdate():
                self.add_error(name, "Give the day on which the round was played.")
        if not self.errors and not any(cleaned.values()):
            raise forms.ValidationError("Give the day of at least one round.")
        return cleaned

    def answers(self) -> list[Answer]:
        """One for each round."""
        return [
            Answer(
                ROUND_DAY.code,
                name,
                day.isoformat(),
                f"On which day was round {name} played?",
                f"Round {name} was played on {formatting.day(day)}.",
            )
            for name, day in self.cleaned_data.items()
            if day
        ]


class PlayerDetailsForm(CorrectionForm):
    """Dates of birth and genders of new players that the file does not give."""

    name, heading, label = BIRTH_DATE.form, "Details of new players", "Add these details"

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        """Two fields at the most for each player."""
        super().__init__(upload, key, data)
        for line in self.report.get("people", []):
            if line["birth"]:
                year = f" ({line['year']} in the file)" if line["year"] else ""
                self.fields[f"{BIRTH_DATE.code}-{line['start']}"] = _day_field(f"{line['name']}: date of birth{year}")
            if line["sex"]:
                self.fields[f"{GENDER.code}-{line['start']}"] = forms.ChoiceField(
                    label=f"{line['name']}: gender", required=False, choices=[("", ""), ("M", "M"), ("F", "F")]
                )

    @property
    def stale(self) -> bool:
        """Every detail is known."""
        return not self.report.get("people")

    def clean(self) -> dict[str, Any]:
        """Plausible days, in the year that the file gives."""
        cleaned: dict[str, Any] = super().clean() or {}
        for line in self.report.get("people", []):
            name = f"{BIRTH_DATE.code}-{line['start']}"
            born = cleaned.get(name)
            if born and not FIRST_BIRTH_DAY <= born <= timezone.localdate():
                message = f"{line['name']} was not born on {formatting.day(born)}: correct the date of birth."
                self.add_error(name, message)
            elif born and line["year"] and born.year != line["year"]:
                self.add_error(name, f"The file says that the year is {line['year']}: correct one of the two.")
        if not self.errors and not any(cleaned.values()):
            raise forms.ValidationError("Give at least one date of birth or gender.")
        return cleaned

    def answers(self) -> list[Answer]:
        """One for each detail."""
        names = {str(line["start"]): line["name"] for line in self.report.get("people", [])}
        answers = []
        for field, value in self.cleaned_data.items():
            code, _, start = field.partition("-")
            if not value:
                continue
            born = isinstance(value, date)
            text, shown = (value.isoformat(), formatting.day(value)) if born else (value, value)
            what = "date of birth" if code == BIRTH_DATE.code else "gender"
            answers.append(Answer(code, start, text, f"{names[start]}: no {what}", f"{names[start]}: {what} {shown}."))
        return answers


class FileOrRegistrationForm(CorrectionForm):
    """Which of the two holds, what the file says or what is registered."""

    kind: CorrectionKind
    question, right = "", {FILE: "", REGISTRATION: ""}
    which = forms.ChoiceField(
        choices=[(FILE, "The file is right"), (REGISTRATION, "The registration is right")],
        widget=forms.RadioSelect,
        error_messages={"required": "Say which is right."},
    )

    def answers(self) -> list[Answer]:
        """One."""
        which = self.cleaned_data["which"]
        return [Answer(self.kind.code, "", which, self.question, self.right[which])]


class TimeControlForm(FileOrRegistrationForm):
    """Which time control was played."""

    name, heading, label = TIME_CONTROL.form, "Time control", "Take this time control"
    kind = TIME_CONTROL
    question = "Which time control was played?"
    right = {FILE: "The file’s time control was played.", REGISTRATION: "The registered time control was played."}

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        """With the two time controls behind the choices."""
        super().__init__(upload, key, data)
        played = self.report.get("control", {"file": "", "registered": ""})
        cast("forms.ChoiceField", self.fields["which"]).choices = [
            (FILE, f"The file is right: {played['file']}"),
            (REGISTRATION, f"The registration is right: {played['registered']}"),
        ]


class SectionDaysForm(FileOrRegistrationForm):
    """On which days the section was played."""

    name, heading, label = SECTION_DAYS.form, "Days of the section", "Take these days"
    kind = SECTION_DAYS
    question = "On which days was the section played?"
    right = {FILE: "It was played on the file’s days.", REGISTRATION: "It was played on the registered days."}


class ServingArbiterForm(CorrectionForm):
    """An arbiter who served, and is not on the registration."""

    name, heading, label = ARBITER.form, "Arbiters", "Add arbiter"
    arbiter = forms.ModelChoiceField(
        Arbiter.objects.all(), empty_label="Choose an arbiter", error_messages={"required": "Choose an arbiter."}
    )

    def answers(self) -> list[Answer]:
        """One."""
        arbiter = self.cleaned_data["arbiter"]
        return [Answer(ARBITER.code, str(arbiter.pk), "", "Which arbiter served?", f"{arbiter} served, too.")]


class CodePageForm(CorrectionForm):
    """The code page of a file that does not tell its own."""

    name, label = ENCODING.form, "Read it so"
    code_page = forms.ChoiceField(label="Code page", choices=CODE_PAGES)

    def answers(self) -> list[Answer]:
        """One."""
        chosen = self.cleaned_data["code_page"]
        label = dict(CODE_PAGES)[chosen]
        return [Answer(ENCODING.code, "", chosen, "How is the file written?", f"The file is written in {label}.")]


class NoticeForm(forms.Form):
    """Whether a round was missed without notice, or how it was announced (articles 51, 52)."""

    notice = forms.ChoiceField(
        choices=[("without", "Without notice"), ("announced", "Announced, or for a good reason")],
        widget=forms.RadioSelect,
        error_messages={"required": "Say whether it was without notice."},
    )
    reason = forms.CharField(required=False, max_length=LONGEST_REASON, label="To whom, when, and why")

    def clean(self) -> dict[str, Any]:
        """What was announced has its reason; what was not needs none."""
        cleaned: dict[str, Any] = super().clean() or {}
        announced = cleaned.get("notice") == "announced"
        cleaned["reason"] = (cleaned.get("reason") or "").strip() if announced else ""
        if announced and not cleaned["reason"] and "reason" not in self.errors:
            self.add_error("reason", "Say to whom it was announced, when, and why.")
        return cleaned


class PenaltyNoticeForm(NoticeForm, CorrectionForm):
    """One penalty that the file proposes."""

    name = PENALTY.form

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        """For one proposal."""
        super().__init__(upload, key, data)
        proposals: list[dict[str, Any]] = self.report.get("proposals", [])
        self.proposal = next((proposal for proposal in proposals if proposal["key"] == key), {})

    @property
    def stale(self) -> bool:
        """The file proposes it no longer."""
        return not self.proposal

    def answers(self) -> list[Answer]:
        """One."""
        reason = self.cleaned_data["reason"]
        notice = f"announced: {reason}" if reason else "without notice"
        what = f"{self.proposal['name']}, round {self.proposal['round']}"
        return [Answer(PENALTY.code, self.key, reason, what, f"{what}: {notice}")]


FORMS: Mapping[str, type[CorrectionForm]] = {
    form.name: form
    for form in (
        PlayerForm,
        NewPlayersForm,
        RoundDaysForm,
        PlayerDetailsForm,
        TimeControlForm,
        SectionDaysForm,
        ServingArbiterForm,
        CodePageForm,
        PenaltyNoticeForm,
    )
}


class FilesForm(forms.Form):
    """Files that are uploaded, for a section or for those that their names tell."""

    section = forms.ModelChoiceField(Section.objects.none(), required=False, empty_label="As the files’ names say")

    def __init__(self, sections: Any, data: Any = None) -> None:
        """The event's sections."""
        super().__init__(data)
        cast("forms.ModelChoiceField[Section]", self.fields["section"]).queryset = sections


def _day_field(label: str, initial: str = "") -> forms.DateField:
    return forms.DateField(
        label=label,
        required=False,
        initial=initial,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={"invalid": "Enter a day as 2026-05-16."},
    )


def _line(report: Mapping[str, Any], start: str) -> dict[str, Any]:
    """A line of the report by its start number: one in question, or one that was found already."""
    for part in ("questions", "unknown", "matched"):
        for line in report.get(part, []):
            if str(line["start"]) == start:
                return cast(dict[str, Any], line)
    return {}
