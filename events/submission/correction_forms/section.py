"""What a file says of its section: days, time control, arbiters, code page; and the files of the sections."""

from collections.abc import Iterable
from datetime import date
from typing import Any, cast

from django import forms
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from config.lib import formatting
from config.lib.forms import PlainTextField, ShownErrors
from config.lib.pure_texts import PureTexts
from events.files.encodings import CODE_PAGES
from events.forms import ArbiterField
from events.models import Arbiter, Section, Upload
from events.rules import corrections
from events.rules.sizes import LONGEST_NOTICE
from events.submission.correction_forms.base import CorrectionForm, FindingsForm, day_field
from events.submission.uploads import Answer


class RoundDaysForm(CorrectionForm):
    """The days of rounds without a day in the file, with the registered days as initial values."""

    name, heading, label = corrections.ROUND_DAY.form, _("Days of the rounds"), _("Set these days")
    in_parts = True

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        super().__init__(upload, key, data)
        self.stale = not self.report.get("days")
        for day in self.report.get("days", []):
            self.fields[str(day["round"])] = day_field(gettext("Round %(round)s") % day, day["registered"])

    def clean(self) -> dict[str, Any]:
        """Require at least one day; refuse days to come and days outside those of the event (article 13.3)."""
        cleaned: dict[str, Any] = super().clean() or {}
        span = [date.fromisoformat(day) for day in self.report.get("span", ())]
        for name, day in list(cleaned.items()):
            shown = formatting.day(day) if day else ""
            if day and day > timezone.localdate():
                message = gettext("%(day)s is still to come: give the day on which the round was played.")
                self.add_error(name, message % {"day": shown})
            elif day and span and not span[0] <= day <= span[1]:
                message = gettext(
                    "%(day)s lies outside the event’s days, %(days)s. Correct the day; if the round was played then, the"
                    " file has to say so."
                )
                self.add_error(name, message % {"day": shown, "days": formatting.days(*span)})
        if not self.errors and not any(cleaned.values()):
            raise forms.ValidationError(gettext("Give the day of at least one round."))
        return cleaned

    def _answers(self) -> Iterable[Answer]:
        for name, day in self.cleaned_data.items():
            if day:
                answer = f"Round {name} was played on {formatting.day(day)}."
                question = f"On which day was round {name} played?"
                yield Answer(corrections.ROUND_DAY.code, name, day.isoformat(), question, answer)


class FileOrRegistrationForm(FindingsForm):
    """Whether the file or the registration is right."""

    kind: corrections.CorrectionKind
    question, right = "", {corrections.FILE: "", corrections.REGISTRATION: ""}
    which = forms.ChoiceField(
        choices=[
            (corrections.FILE, _("The file is right")),
            (corrections.REGISTRATION, _("The registration is right")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": _("Say which is right.")},
    )

    def _answers(self) -> Iterable[Answer]:
        which = self.cleaned_data["which"]
        yield Answer(self.kind.code, "", which, self.question, self.right[which])


class SectionDaysForm(FileOrRegistrationForm):
    """On which days the section was played."""

    name, heading, label = corrections.SECTION_DAYS.form, _("Days of the section"), _("Take these days")
    kind = corrections.SECTION_DAYS
    question = "On which days was the section played?"
    right = {
        corrections.FILE: "It was played on the file’s days.",
        corrections.REGISTRATION: "It was played on the registered days.",
    }


# What the choices of a time control are called; the answers name it in English.
_CONTROLS = PureTexts(
    gettext_noop("%(control)s, as registered"),
    gettext_noop("%(control)s, as in the file"),
    gettext_noop("Not the same for all: the section is not rated (articles 21, 22)"),
)


class TimeControlForm(FindingsForm):
    """Which time control was played in all games, by both players, and why the other is wrong (articles 21, 22)."""

    name, heading, label = corrections.TIME_CONTROL.form, _("Time control"), _("Take this time control")
    which = forms.ChoiceField(
        label=_("Time control of all games and both players"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Say which was played.")},
    )
    reason = PlainTextField(
        label=_("Reason"),
        max_length=LONGEST_NOTICE,
        help_text=_("How you know, and why the other stands there. The ratings officer reads it."),
        error_messages={"required": _("Give the reason: the ratings officer reads it.")},
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
        choices = [(which, _CONTROLS.said(text)) for which, text in self.right.items()]
        cast("forms.ChoiceField", self.fields["which"]).choices = choices

    def _answers(self) -> Iterable[Answer]:
        which, reason = self.cleaned_data["which"], self.cleaned_data["reason"]
        if which == corrections.MIXED:
            played = "The games had different time controls"
        else:
            played = f"All games were played with {self.right[which]}"
        yield Answer(corrections.TIME_CONTROL.code, "", which, "Which time control was played?", f"{played}: {reason}")


class ServingArbiterForm(FindingsForm):
    """An arbiter who served without being registered."""

    name, heading, label = corrections.ARBITER.form, _("Arbiters"), _("Add arbiter")
    arbiter = ArbiterField(
        Arbiter.objects.all(),
        label=_("Arbiter"),
        empty_label=_("Choose an arbiter"),
        error_messages={"required": _("Choose an arbiter.")},
    )

    def _answers(self) -> Iterable[Answer]:
        arbiter = self.cleaned_data["arbiter"]
        yield Answer(corrections.ARBITER.code, str(arbiter.pk), "", "Which arbiter served?", f"{arbiter} served, too.")


class NamedArbitersForm(CorrectionForm):
    """Who on the register of arbiters those are whom the file names otherwise: with initials, for example."""

    name, heading, label = corrections.NAMED_ARBITER.form, _("Arbiters of the file"), _("It is the same person")
    in_parts = True

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        super().__init__(upload, key, data)
        self.asked = {str(row["place"]): row for row in self.report.get("arbiters", [])}
        self.stale = not self.asked
        for place, row in self.asked.items():
            self.fields[place] = forms.ChoiceField(
                label=gettext("Who is %(name)s?") % {"name": row["name"]},
                choices=[*((text, known) for text, known in row["alike"]), ("", gettext("Nobody of these"))],
                required=False,
                initial=row["alike"][0][0],
            )

    def clean(self) -> dict[str, Any]:
        """Require one answer."""
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and not any(cleaned.values()):
            raise forms.ValidationError(
                gettext(
                    "Choose who it is. If it is nobody of these, correct the file, or leave it to the ratings officer."
                )
            )
        return cleaned

    def _answers(self) -> Iterable[Answer]:
        for place, text in self.cleaned_data.items():
            if text:
                row = self.asked[place]
                question = f"Who is {row['name']}, whom the file names as arbiter?"
                answer = f"{row['name']} is {dict(row['alike'])[text]} of the register of arbiters."
                yield Answer(corrections.NAMED_ARBITER.code, place, text, question, answer)


class CodePageForm(CorrectionForm):
    """The code page of a file that does not declare one."""

    name, label = corrections.ENCODING.form, _("Read it so")
    code_page = forms.ChoiceField(label=_("Code page"), choices=CODE_PAGES)

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


class FilesForm(ShownErrors, forms.Form):
    """Uploaded files, for one section or for the sections named in them."""

    section = forms.ModelChoiceField(Section.objects.none(), required=False, empty_label=_("As the files’ names say"))

    def __init__(self, sections: Any, data: Any = None) -> None:
        super().__init__(data)
        cast("forms.ModelChoiceField[Section]", self.fields["section"]).queryset = sections
