"""The forms for a request for permission and for an appeal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.lib.forms import Described, LineField, PlainTextField, number_field
from events.appeals.size_requests import section_name
from events.attachments.forms import TAKEN, AttachmentField
from events.forms import LONG_TEXT, MOST_ROUNDS_WHY, SHORT_TEXT
from events.models import Event, Party, PermissionRequest, Refusal, Section
from events.rules.sizes import LONGEST_GROUNDS, LONGEST_NAME, MOST_ROUNDS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_MOST_PLAYERS = 999


def _text_field(label: "StrOrPromise", help_text: "StrOrPromise", required: "StrOrPromise") -> forms.CharField:
    return PlainTextField(
        label=label,
        help_text=help_text,
        max_length=LONGEST_GROUNDS,
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={"required": required, "max_length": LONG_TEXT},
    )


class _SectionField(forms.ModelChoiceField):
    """A section of one event, labelled by its name."""

    def label_from_instance(self, obj: Section) -> str:
        """Return the section's name as on the pages of its event."""
        return section_name(obj)


class PermissionForm(Described):
    """The section that is smaller than article 17 demands, its size, the reason, and in whose name it is asked (article 18)."""

    party = forms.ChoiceField(
        label=_("In the name of the"),
        required=False,
        help_text=_("Article 18 names the Chief Organiser and the Chief Arbiter."),
    )
    section = _SectionField(
        Section.objects.none(),
        label=_("Section"),
        empty_label=_("Choose a section"),
        error_messages={"required": _("Choose the section.")},
    )
    players = number_field(
        _("Players"),
        1,
        _MOST_PLAYERS,
        required=True,
        help_text=_("That it has or will have. Of teams: the players of the smallest one."),
    )
    rounds = number_field(
        _("Rounds"), 1, MOST_ROUNDS, required=True, help_text=_("That are played to the end."), why=MOST_ROUNDS_WHY
    )
    reason = _text_field(
        _("Why the section is so small"),
        _("What was tried to keep to the size, such as merging groups, and why it was not possible."),
        _("Give the reason why the section is so small."),
    )

    def __init__(self, event: Event, parties: Sequence[Party], *args: Any, **kwargs: Any) -> None:
        """Offer the event's sections without an open request, a single one preselected, and these parties."""
        super().__init__(*args, **kwargs)
        self._party = parties[0].value
        party = self.fields["party"]
        assert isinstance(party, forms.ChoiceField)  # noqa: S101 - for the types
        party.choices = [(choice.value, gettext(choice.label)) for choice in parties]
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


class CorrectedRequestForm(PermissionForm):
    """The size and the reason of a request that waits for its answer."""

    def __init__(self, request: PermissionRequest, data: Any = None) -> None:
        """Show what was asked; section and party stay."""
        asked = {"players": request.players, "rounds": request.rounds, "reason": request.reason}
        super().__init__(request.section.event, [Party(request.party)], data, initial=asked)
        for name in ("party", "section"):
            del self.fields[name]


class AppealForm(Described):
    """The refusal to appeal, the aggrieved party, and the grounds (article 11)."""

    refusal = forms.ModelChoiceField(
        Refusal.objects.none(),
        label=_("What was refused"),
        empty_label=None,
        error_messages={"required": _("Choose the refusal."), "invalid_choice": _("Choose a refusal of this event.")},
    )
    appellant = LineField(
        label=_("Aggrieved party"),
        max_length=LONGEST_NAME,
        help_text=_("On whose behalf you appeal: the region, the organiser, a player, a team."),
        error_messages={"required": _("Say on whose behalf you appeal."), "max_length": SHORT_TEXT},
    )
    grounds = _text_field(
        _("Grounds of the appeal"),
        _("Answer the reason of the refusal, and name what shows it."),
        _("Give the grounds of the appeal."),
    )
    evidence = AttachmentField(
        label=_("Evidence, if any"),
        required=False,
        help_text=format_lazy(
            _("{taken}. Read by you, the appeals panel and the ratings officers; never public."), taken=TAKEN
        ),
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
