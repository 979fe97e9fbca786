"""The forms by which a Chief Organiser or Chief Arbiter tells the bureau that his event is kept back or not registered."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.lib.forms import DayField, Described, LineField, PlainTextField
from events.forms import LONG_TEXT
from events.models import Party
from events.rules.sizes import LONGEST_GROUNDS, LONGEST_NAME, LONGEST_PLACE
from players.models import Region


class KeptBackForm(Described):
    """In whose name the report is made, and what happened."""

    party = forms.ChoiceField(
        label=_("In the name of the"), error_messages={"required": _("Say in whose name you report.")}
    )
    account = PlainTextField(
        label=_("What happened"),
        help_text=_("Whom you asked for the results to be sent in, when, and what the answer was."),
        max_length=LONGEST_GROUNDS,
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={"required": _("Say what happened."), "max_length": LONG_TEXT},
    )

    def __init__(self, parties: Sequence[Party], *args: Any, **kwargs: Any) -> None:
        """Offer these parties; a single one is not asked about."""
        super().__init__(*args, **kwargs)
        field = self.fields["party"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - for the types
        field.choices = [(party.value, gettext(party.label)) for party in parties]
        if len(parties) == 1:
            field.widget, field.initial = forms.HiddenInput(), parties[0].value


class NotRegisteredForm(Described):
    """An event that its region does not register: what and where it is, in whose name it is reported, what happened."""

    name = LineField(
        label=_("Name of the event"),
        max_length=LONGEST_NAME,
        error_messages={"required": _("Give the name of the event.")},
    )
    region = forms.ModelChoiceField(
        Region.objects.order_by("name"),
        label=_("Region that does not register it"),
        error_messages={"required": _("Choose the region."), "invalid_choice": _("Choose one of the list.")},
    )
    place = LineField(
        label=_("Place"), max_length=LONGEST_PLACE, error_messages={"required": _("Say where it is played.")}
    )
    starts = DayField(label=_("First day"), required=True)
    ends = DayField(label=_("Last day"), required=True)
    party = forms.ChoiceField(
        label=_("In the name of the"),
        choices=[(Party.ORGANISER.value, _("Chief Organiser")), (Party.CHIEF_ARBITER.value, _("Chief Arbiter"))],
        error_messages={"required": _("Say in whose name you report.")},
    )
    account = PlainTextField(
        label=_("What happened"),
        help_text=_("Whom you asked to register it, when, and what the answer was."),
        max_length=LONGEST_GROUNDS,
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={"required": _("Say what happened."), "max_length": LONG_TEXT},
    )

    def clean(self) -> dict[str, Any]:
        """Refuse a last day before the first."""
        cleaned: dict[str, Any] = super().clean() or {}
        starts, ends = cleaned.get("starts"), cleaned.get("ends")
        if starts and ends and ends < starts:
            self.add_error("ends", gettext("The last day is before the first."))
        return cleaned
