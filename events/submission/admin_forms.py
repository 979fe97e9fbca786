"""The admin's form to upload a tournament file."""

from typing import Any

from django import forms
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from config.lib.forms import LineField, PlainTextField, ShownErrors
from config.lib.parsing import whole_number
from events.models import Event, Format, Kind, Section, Submission
from events.operations import EventError
from events.registration.operations import require_late_reason
from events.rules.limits import LARGEST, MAX_BYTES
from events.rules.sizes import LONGEST_NAME, LONGEST_NOTICE, LONGEST_REASON, MOST_TIME
from events.rules.states import State
from events.submission.checker import are_small_contents
from events.submission.hints import FORM_HINTS
from events.submission.validation import SectionFile, ValidatedFile, validate_file
from events.submission.words import too_large
from players.identity import CHESS_SA_DIGITS
from players.models import Region

_FIELD_OF = {"dates-missing": "starts", "date-implausible": "starts", "dates-reversed": "ends", "not-ended": "ends"}
_FIELD_OF |= dict.fromkeys(("time-control-differs", "time-controls-several"), "control_reason")


class UploadForm(ShownErrors, forms.ModelForm):
    """A tournament file and what it lacks. Validating the form reads and checks the file."""

    upload = forms.FileField(
        label="Tournament file",
        help_text=f"TRF16, TRF26, Swiss-Manager’s TUNX, SwissPerfect’s zip or a CSV of results, {LARGEST}.",
    )
    event_name = LineField(max_length=LONGEST_NAME, required=False, help_text="Default: what the file says.")
    region = forms.ModelChoiceField(Region.objects.all(), required=False, label="Host region")
    returned_section = forms.ModelChoiceField(
        Section.objects.none(), required=False, label="Returned section", help_text="That this file corrects."
    )
    base = forms.IntegerField(min_value=0, max_value=MOST_TIME, label="Base time, minutes")
    increment = forms.IntegerField(min_value=0, max_value=MOST_TIME, initial=0, label="Increment, seconds a move")
    control_reason = PlainTextField(
        max_length=LONGEST_NOTICE,
        required=False,
        label="Why this time control",
        help_text="Where the file states another: how it is known that this one was played in all games, by both players.",
    )
    # not `format` or `section`: those are fields of the model, which the form would read from its instance
    section_format = forms.ChoiceField(choices=Format.choices, label="Format")
    starts = forms.DateField(required=False, help_text="Default: what the file says.")
    ends = forms.DateField(required=False, help_text="Default: what the file says.")
    organiser_name = LineField(max_length=LONGEST_NAME, required=False, label="Chief Organiser")
    organiser_number = LineField(max_length=CHESS_SA_DIGITS, required=False, label="Chief Organiser’s Chess SA id")
    late_reason = PlainTextField(
        max_length=LONGEST_REASON,
        required=False,
        label="Why it comes late",
        help_text="Of an event that is not registered, after the last day to register it (article 60): why the bureau takes it"
        " in all the same (article 12.2).",
    )
    create_players = forms.BooleanField(
        required=False, label="New players", help_text="Whoever is not certainly known is a new player (article 56)."
    )

    players = PlainTextField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 30}),
        help_text="Who a line of the file is, one a line: start number and Chess SA id, as 12=100000123.",
    )

    validated: ValidatedFile

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["returned_section"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - for the types
        field.queryset = Section.objects.filter(event__state=State.RETURNED).exclude(event__kind=Kind.ABROAD)

    class Meta:
        model = Submission
        fields: tuple[str, ...] = ()

    def clean_players(self) -> dict[int, str]:
        """Return start number → Chess SA id."""
        chosen: dict[int, str] = {}
        for line in filter(str.strip, self.cleaned_data["players"].splitlines()):
            written, _, player = (part.strip() for part in line.partition("="))
            number = whole_number(written, digits=5)
            if number is None or not player:
                raise forms.ValidationError(
                    f"“{line.strip()}”: write the start number and the Chess SA id as 12=100000123."
                )
            if number in chosen:
                raise forms.ValidationError(f"Start number {number} stands twice: say once who it is.")
            chosen[number] = player
        return chosen

    def clean(self) -> dict[str, Any]:
        """Read and check the file; its errors become errors of the form."""
        cleaned: dict[str, Any] = super().clean() or {}
        section = cleaned.get("returned_section")
        if not self.errors and section is None and cleaned.get("region") is None:
            self.add_error("region", "Give the host region, or the returned section that this file corrects.")
        if self.errors:
            return cleaned
        upload = cleaned["upload"]
        if upload.size > MAX_BYTES:
            self.add_error("upload", too_large(upload.name or "The file", upload.size))
            return cleaned
        content = upload.read()
        if not are_small_contents([content]):
            self._refuse_large(section)
            return cleaned
        today = timezone.localdate()
        self.event = Event(
            name=cleaned["event_name"],
            region=section.event.region if section else cleaned["region"],
            starts=cleaned["starts"] or today,
            ends=cleaned["ends"] or today,
            organiser_name=cleaned["organiser_name"],
            organiser_number=cleaned["organiser_number"],
        )
        file = SectionFile(
            content=content,
            filename=upload.name,
            base=cleaned["base"],
            increment=cleaned["increment"],
            event=self.event,
            starts=cleaned["starts"],
            ends=cleaned["ends"],
            format=cleaned["section_format"],
            control_reason=cleaned["control_reason"],
            chosen=cleaned["players"],
            create_players=cleaned["create_players"],
            section=section,
            hints=FORM_HINTS,
        )
        try:
            self.validated = validate_file(file, today=today)
        except ValueError as error:
            self.add_error("players", str(error))
            return cleaned
        for finding in self.validated.errors:
            self.add_error(_FIELD_OF.get(finding.code, "upload"), finding.as_line)
        if section is None and not self.errors:
            self._check_lateness(cleaned["late_reason"])
        return cleaned

    def _refuse_large(self, section: Section | None) -> None:
        """Say where a file is sent in that a worker has to check: the page of an event's results, once it is registered."""
        results = reverse("events:results", args=[section.event_id]) if section else ""
        where = "on the page of the event’s results" if section else "on its event’s page, once that is registered"
        self.add_error(
            "upload",
            f"The file is too large to be checked here, while you wait: send it in {where}, by the link below.",
        )
        address, words = (
            (results, "Results of the event") if section else (reverse("events:register"), "Register the event")
        )
        self["upload"].help_text = format_html('<a href="{}">{}</a>', address, words)

    def _check_lateness(self, reason: str) -> None:
        self.event.starts = self.validated.starts or self.event.starts
        self.event.ends = self.validated.ends or self.event.ends
        try:
            require_late_reason(self.event, reason, at=timezone.now())
        except EventError as error:
            self.add_error("late_reason", str(error))
