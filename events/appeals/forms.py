"""The forms for a request for permission and for an appeal."""

from collections.abc import Sequence
from typing import Any

from django import forms

from config.lib.forms import Described, PlainTextField, number_field
from events.appeals.size_requests import section_name
from events.attachments.forms import AttachmentField
from events.models import Event, Party, PermissionRequest, Refusal, Section
from events.rules.attachments import TAKEN
from events.rules.sizes import LONGEST_GROUNDS, LONGEST_NAME, MOST_ROUNDS, MOST_ROUNDS_WHY

_MOST_PLAYERS = 999


def _text_field(label: str, help_text: str, required: str) -> forms.CharField:
    return PlainTextField(
        label=label,
        help_text=help_text,
        max_length=LONGEST_GROUNDS,
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={"required": required, "max_length": f"At most {LONGEST_GROUNDS} characters; shorten it."},
    )


class _SectionField(forms.ModelChoiceField):
    """A section of one event, labelled by its name."""

    def label_from_instance(self, obj: Section) -> str:
        """Return the section's name as on the pages of its event."""
        return section_name(obj)


class PermissionForm(Described):
    """The section that is smaller than article 17 demands, its size, the reason, and in whose name it is asked (article 18)."""

    party = forms.ChoiceField(
        label="In the name of the",
        required=False,
        help_text="Article 18 names the Chief Organiser and the Chief Arbiter.",
    )
    section = _SectionField(
        Section.objects.none(), empty_label="Choose a section", error_messages={"required": "Choose the section."}
    )
    players = number_field(
        "Players",
        1,
        _MOST_PLAYERS,
        required=True,
        help_text="That it has or will have. Of teams: the players of the smallest one.",
    )
    rounds = number_field(
        "Rounds", 1, MOST_ROUNDS, required=True, help_text="That are played to the end.", why=MOST_ROUNDS_WHY
    )
    reason = _text_field(
        "Why the section is so small",
        "What was tried to keep to the size, such as merging groups, and why it was not possible.",
        "Give the reason why the section is so small.",
    )

    def __init__(self, event: Event, parties: Sequence[Party], *args: Any, **kwargs: Any) -> None:
        """Offer the event's sections without an open request, a single one preselected, and these parties."""
        super().__init__(*args, **kwargs)
        self._party = parties[0].value
        party = self.fields["party"]
        assert isinstance(party, forms.ChoiceField)  # noqa: S101 - for the types
        party.choices = [(choice.value, choice.label) for choice in parties]
        if len(parties) == 1:
            party.widget = forms.HiddenInput()
            party.initial = self._party
        field = self.fields["section"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - for the types
        waiting = PermissionRequest.objects.filter(state=PermissionRequest.State.ASKED)
        sections = event.sections.exclude(permission_requests__in=waiting).order_by("position")
        field.queryset = sections
        self.offered = len(sections) > 0
        if len(sections) == 1:
            field.initial = sections[0].pk

    def clean_party(self) -> str:
        """Return the party that was chosen, the first one if none was."""
        return self.cleaned_data["party"] or self._party


class AppealForm(Described):
    """The refusal to appeal, the aggrieved party, and the grounds (article 11)."""

    refusal = forms.ModelChoiceField(
        Refusal.objects.none(),
        label="What was refused",
        empty_label=None,
        error_messages={"required": "Choose the refusal.", "invalid_choice": "Choose a refusal of this event."},
    )
    appellant = forms.CharField(
        label="Aggrieved party",
        max_length=LONGEST_NAME,
        help_text="On whose behalf you appeal: the region, the organiser, a player, a team.",
        error_messages={
            "required": "Say on whose behalf you appeal.",
            "max_length": f"At most {LONGEST_NAME} characters.",
        },
    )
    grounds = _text_field(
        "Grounds of the appeal",
        "Answer the reason of the refusal, and name what shows it.",
        "Give the grounds of the appeal.",
    )
    evidence = AttachmentField(
        label="Evidence, if any",
        required=False,
        help_text=f"{TAKEN}. Read by you, the appeals panel and the ratings officers; never public.",
    )

    def __init__(self, event: Event, choices: list[tuple[int, str]], *args: Any, **kwargs: Any) -> None:
        """Offer the refusals in `choices`. Others of the event are accepted here: `lodge_appeal` says why they cannot be."""
        super().__init__(*args, **kwargs)
        field = self.fields["refusal"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - for the types
        field.queryset = event.refusals.all()
        field.widget.choices = choices
        if len(choices) == 1:
            field.widget = forms.HiddenInput()
            field.initial = choices[0][0]
