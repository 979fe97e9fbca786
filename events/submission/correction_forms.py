"""The forms beside the findings of an upload's report. Each turns what is entered into answers.

The kind of a finding's correction (`events.rules.corrections`) names its form. `events.submission.report` collects what the
forms ask for.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from typing import Any, cast

from django import forms
from django.utils import timezone

from config.lib import formatting
from config.lib.days import FIRST_BIRTH_DAY
from events.files.encodings import CODE_PAGES
from events.models import Arbiter, Section, Upload
from events.rules import corrections
from events.rules.player_details import has_full_first_name
from events.rules.sizes import LONGEST_NOTICE, LONGEST_PLACE
from events.submission.compare import without_births
from events.submission.uploads import Answer
from players.identity import is_chess_sa_id
from players.models import Player

OTHER = "other"


class CorrectionForm(forms.Form):
    """A form of a report: `name` and `key` identify it, `anchor` is its place on the page, `label` the text of its button.

    `heading`: above its findings; `stale`: the report no longer asks what the form answers.
    """

    name = heading = label = ""

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        self.upload, self.key, self.report = upload, key, upload.report
        self.anchor = "-".join(part for part in ("u" + str(upload.pk), self.name, key) if part)
        self.stale = False
        super().__init__(data, prefix=self.anchor, use_required_attribute=False)

    def answers(self) -> list[Answer]:
        """Return the answers of a valid form."""
        return list(self._answers())

    def _answers(self) -> Iterable[Answer]:
        raise NotImplementedError


# Of a report that was written before it named the regions.
_UNKNOWN_REGION = -1


class PlayerForm(CorrectionForm):
    """Who the player of a line is: a candidate, another player by number, or a new player."""

    name = corrections.PLAYER.form
    births_of: Collection[int] = ()  # the regions of whose players the reader may see the birth dates
    number = forms.CharField(label="Chess SA id", required=False, max_length=40)

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        super().__init__(upload, key, data)
        self.line = _line(self.report, key)
        self.stale = not self.line
        self.candidates = self.line.get("candidates", [])
        choices = [(player["number"], f"{player['name']}, {player['number']}") for player in self.candidates]
        choices += [(OTHER, "Another player"), (corrections.NEW, "A new player")]
        self.fields["who"] = forms.ChoiceField(
            choices=choices, widget=forms.RadioSelect, error_messages={"required": "Say who it is."}
        )
        self.order_fields(["who", "number"])

    @property
    def known(self) -> Iterator[tuple[Any, dict[str, Any]]]:
        """The candidates, each with its radio button; birth dates only of `births_of`."""
        for button, candidate in zip(self["who"], self.candidates, strict=False):
            region = candidate.get("region", _UNKNOWN_REGION)
            shown = region is None or region in self.births_of
            yield button, candidate if shown else {**candidate, "rows": without_births(candidate["rows"])}

    @property
    def others(self) -> list[Any]:
        """The radio buttons of another and of a new player."""
        return list(self["who"])[len(self.candidates) :]

    def clean(self) -> dict[str, Any]:
        """Check that the chosen player is on the register."""
        cleaned: dict[str, Any] = super().clean() or {}
        who, number = cleaned.get("who"), (cleaned.get("number") or "").strip()
        if who == OTHER:
            player = Player.objects.filter(number=number).first() if is_chess_sa_id(number) else None
            if player is None:
                self.add_error("number", "Enter a Chess SA id of nine digits that is on the register.")
            cleaned["player"] = player
        elif who and who != corrections.NEW:
            cleaned["player"] = Player.objects.filter(number=who).first()
            if cleaned["player"] is None:
                self.add_error("who", f"{who} is on the register no more: choose somebody else.")
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


class RoundDaysForm(CorrectionForm):
    """The days of rounds without a day in the file, with the registered days as initial values."""

    name, heading, label = corrections.ROUND_DAY.form, "Days of the rounds", "Set these days"

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        super().__init__(upload, key, data)
        self.stale = not self.report.get("days")
        for day in self.report.get("days", []):
            self.fields[str(day["round"])] = _day_field(f"Round {day['round']}", day["registered"])

    def clean(self) -> dict[str, Any]:
        """Require at least one day, and refuse days to come."""
        cleaned: dict[str, Any] = super().clean() or {}
        for name, day in list(cleaned.items()):
            if day and not FIRST_BIRTH_DAY <= day <= timezone.localdate():
                self.add_error(name, "Give the day on which the round was played.")
        if not self.errors and not any(cleaned.values()):
            raise forms.ValidationError("Give the day of at least one round.")
        return cleaned

    def _answers(self) -> Iterable[Answer]:
        for name, day in self.cleaned_data.items():
            if day:
                answer = f"Round {name} was played on {formatting.day(day)}."
                question = f"On which day was round {name} played?"
                yield Answer(corrections.ROUND_DAY.code, name, day.isoformat(), question, answer)


class PlayerDetailsForm(CorrectionForm):
    """Dates of birth, genders and first names of new players that are missing in the file."""

    name, heading, label = corrections.BIRTH_DATE.form, "Details of new players", "Add these details"

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        super().__init__(upload, key, data)
        self.stale = not self.report.get("people")
        for line in self.report.get("people", []):
            if line["birth"]:
                year = f" ({line['year']} in the file)" if line["year"] else ""
                self.fields[f"{corrections.BIRTH_DATE.code}-{line['start']}"] = _day_field(
                    f"{line['name']}: date of birth{year}"
                )
            if line["sex"]:
                self.fields[f"{corrections.GENDER.code}-{line['start']}"] = forms.ChoiceField(
                    label=f"{line['name']}: gender", required=False, choices=[("", ""), ("M", "M"), ("F", "F")]
                )
            if line.get("given"):
                self.fields[f"{corrections.FIRST_NAME.code}-{line['start']}"] = forms.CharField(
                    label=f"{line['name']}: full first name", required=False, max_length=LONGEST_PLACE
                )

    def clean(self) -> dict[str, Any]:
        """Require plausible dates, in the year of birth that the file gives."""
        cleaned: dict[str, Any] = super().clean() or {}
        for line in self.report.get("people", []):
            name = f"{corrections.BIRTH_DATE.code}-{line['start']}"
            born = cleaned.get(name)
            if born and not FIRST_BIRTH_DAY <= born <= timezone.localdate():
                message = f"{line['name']} was not born on {formatting.day(born)}: correct the date of birth."
                self.add_error(name, message)
            elif born and line["year"] and born.year != line["year"]:
                self.add_error(name, f"The file says that the year is {line['year']}: correct one of the two.")
            name = f"{corrections.FIRST_NAME.code}-{line['start']}"
            if cleaned.get(name) and not has_full_first_name(cleaned[name]):
                self.add_error(name, "Give at least one first name in full, not its initial.")
        if not self.errors and not any(cleaned.values()):
            raise forms.ValidationError("Give at least one of the details.")
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


class RegionsForm(CorrectionForm):
    """The regions meant by unknown codes, and whether file or register is right where they differ."""

    name, heading, label = corrections.REGION.form, "Regions of players", "Take these regions"

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        super().__init__(upload, key, data)
        regions = self.report.get("regions", {})
        self.lines = {str(line["start"]): line for line in regions.get("differing", [])}
        self.unknown = regions.get("unknown", [])
        self.stale = not (self.lines or self.unknown)
        codes = [("", "Choose"), *((code, code) for code in regions.get("codes", []))]
        for place, code in enumerate(self.unknown):
            self.fields[f"code-{place}"] = forms.ChoiceField(label=f"{code} is region", required=False, choices=codes)
        for start, line in self.lines.items():
            file, registered = line["file"], line["registered"]
            choices = [
                ("", "Choose"),
                (registered, f"{registered}, as on the register"),
                (file, f"{file}, as in the file"),
            ]
            self.fields[start] = forms.ChoiceField(label=f"{line['name']}: region", required=False, choices=choices)

    def clean(self) -> dict[str, Any]:
        """Require at least one answer."""
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and not any(cleaned.values()):
            raise forms.ValidationError("Choose at least one region.")
        return cleaned

    def _answers(self) -> Iterable[Answer]:
        for field, region in self.cleaned_data.items():
            if not region:
                continue
            if field.startswith("code-"):
                code = self.unknown[int(field.removeprefix("code-"))]
                key, question = f"{corrections.CODE_KEY}{code}", f"Which region is {code}?"
                yield Answer(corrections.REGION.code, key, region, question, f"{code} is {region}.")
                continue
            line = self.lines[field]
            right = "file" if region == line["file"] else "register"
            who = f"{line['name']} (start number {field})"
            yield Answer(
                corrections.REGION.code,
                field,
                region,
                f"{who}: {line['file']} or {line['registered']}?",
                f"{who} is of {region}, as the {right} says.",
            )


class FindingsForm(CorrectionForm):
    """The answer to a group of findings, which name the form."""

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        super().__init__(upload, key, data)
        asked = any(group["control"] == self.name for group in self.report.get("groups", []))
        codes = [kind.code for kind in corrections.KINDS.values() if kind.form == self.name]
        # Of what was answered, `answer_questions` tells how.
        self.stale = not asked and not upload.corrections.filter(kind__in=codes).exists()


class FileOrRegistrationForm(FindingsForm):
    """Whether the file or the registration is right."""

    kind: corrections.CorrectionKind
    question, right = "", {corrections.FILE: "", corrections.REGISTRATION: ""}
    which = forms.ChoiceField(
        choices=[(corrections.FILE, "The file is right"), (corrections.REGISTRATION, "The registration is right")],
        widget=forms.RadioSelect,
        error_messages={"required": "Say which is right."},
    )

    def _answers(self) -> Iterable[Answer]:
        which = self.cleaned_data["which"]
        yield Answer(self.kind.code, "", which, self.question, self.right[which])


class TimeControlForm(FindingsForm):
    """Which time control was played in all games, by both players, and why the other is wrong (articles 21, 22)."""

    name, heading, label = corrections.TIME_CONTROL.form, "Time control", "Take this time control"
    which = forms.ChoiceField(
        label="Time control of all games and both players",
        widget=forms.RadioSelect,
        error_messages={"required": "Say which was played."},
    )
    reason = forms.CharField(
        label="Reason",
        max_length=LONGEST_NOTICE,
        help_text="How you know, and why the other stands there. The ratings officer reads it.",
        error_messages={"required": "Give the reason: the ratings officer reads it."},
    )

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        super().__init__(upload, key, data)
        played = self.report.get("control", {})
        registered = played.get("registered", "")
        stated = played.get("all", [])
        self.right = {corrections.REGISTRATION: f"{registered}, as registered"}
        if len(stated) == 1:
            self.right[corrections.FILE] = f"{stated[0]}, as in the file"
        else:
            self.right |= {control: f"{control}, as in the file" for control in stated if control != registered}
        self.right[corrections.MIXED] = "Not the same for all: the section is not rated (articles 21, 22)"
        cast("forms.ChoiceField", self.fields["which"]).choices = list(self.right.items())

    def _answers(self) -> Iterable[Answer]:
        which, reason = self.cleaned_data["which"], self.cleaned_data["reason"]
        if which == corrections.MIXED:
            played = "The games had different time controls"
        else:
            played = f"All games were played with {self.right[which]}"
        yield Answer(corrections.TIME_CONTROL.code, "", which, "Which time control was played?", f"{played}: {reason}")


class SectionDaysForm(FileOrRegistrationForm):
    """On which days the section was played."""

    name, heading, label = corrections.SECTION_DAYS.form, "Days of the section", "Take these days"
    kind = corrections.SECTION_DAYS
    question = "On which days was the section played?"
    right = {
        corrections.FILE: "It was played on the file’s days.",
        corrections.REGISTRATION: "It was played on the registered days.",
    }


class ServingArbiterForm(FindingsForm):
    """An arbiter who served without being registered."""

    name, heading, label = corrections.ARBITER.form, "Arbiters", "Add arbiter"
    arbiter = forms.ModelChoiceField(
        Arbiter.objects.all(), empty_label="Choose an arbiter", error_messages={"required": "Choose an arbiter."}
    )

    def _answers(self) -> Iterable[Answer]:
        arbiter = self.cleaned_data["arbiter"]
        yield Answer(corrections.ARBITER.code, str(arbiter.pk), "", "Which arbiter served?", f"{arbiter} served, too.")


class CodePageForm(CorrectionForm):
    """The code page of a file that does not declare one."""

    name, label = corrections.ENCODING.form, "Read it so"
    code_page = forms.ChoiceField(label="Code page", choices=CODE_PAGES)

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        super().__init__(upload, key, data)
        self.stale = not self.report.get("samples")

    def _answers(self) -> Iterable[Answer]:
        chosen = self.cleaned_data["code_page"]
        label = dict(CODE_PAGES)[chosen]
        return [
            Answer(
                corrections.ENCODING.code, "", chosen, "How is the file written?", f"The file is written in {label}."
            )
        ]


class NoticeForm(forms.Form):
    """Whether a round was missed without notice, or to whom and why its absence was announced (articles 51, 52)."""

    notice = forms.ChoiceField(
        choices=[("without", "Without notice"), ("announced", "Announced, or for a good reason")],
        widget=forms.RadioSelect,
        error_messages={"required": "Say whether it was without notice."},
    )
    reason = forms.CharField(required=False, max_length=LONGEST_NOTICE, label="To whom, when, and why")

    def clean(self) -> dict[str, Any]:
        """Require the reason of an announced absence; drop it otherwise."""
        cleaned: dict[str, Any] = super().clean() or {}
        announced = cleaned.get("notice") == "announced"
        cleaned["reason"] = (cleaned.get("reason") or "").strip() if announced else ""
        if announced and not cleaned["reason"] and "reason" not in self.errors:
            self.add_error("reason", "Say to whom it was announced, when, and why.")
        return cleaned


class PenaltyNoticeForm(NoticeForm, CorrectionForm):
    """The answer for a penalty that the file proposes."""

    name = corrections.PENALTY.form

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        super().__init__(upload, key, data)
        proposals: list[dict[str, Any]] = self.report.get("proposals", [])
        self.proposal = next((proposal for proposal in proposals if proposal["key"] == key), {})
        self.stale = not self.proposal

    def _answers(self) -> Iterable[Answer]:
        reason = self.cleaned_data["reason"]
        notice = f"announced: {reason}" if reason else "without notice"
        what = f"{self.proposal['name']}, round {self.proposal['round']}"
        yield Answer(corrections.PENALTY.code, self.key, reason, what, f"{what}: {notice}")


FORMS: Mapping[str, type[CorrectionForm]] = {
    form.name: form
    for form in (
        PlayerForm,
        NewPlayersForm,
        RoundDaysForm,
        PlayerDetailsForm,
        RegionsForm,
        TimeControlForm,
        SectionDaysForm,
        ServingArbiterForm,
        CodePageForm,
        PenaltyNoticeForm,
    )
}


class FilesForm(forms.Form):
    """Uploaded files, for one section or for the sections named in them."""

    section = forms.ModelChoiceField(Section.objects.none(), required=False, empty_label="As the files’ names say")

    def __init__(self, sections: Any, data: Any = None) -> None:
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
    """Return a line of the report, open or matched, by start number; {} if there is none."""
    for part in ("questions", "unknown", "matched"):
        for line in report.get(part, []):
            if str(line["start"]) == start:
                return cast(dict[str, Any], line)
    return {}
