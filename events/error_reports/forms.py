"""The forms of a report of an error: what is wrong and right, who reports, and the proof."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.forms import AddressField
from accounts.models import User
from accounts.permissions import Role, roles_of
from config.lib.forms import Described, LineField, PageAddressField, PlainChoice, PlainTextField, number_field
from events.attachments.forms import TAKEN, AttachmentField
from events.forms import LONG_TEXT, MOST_ROUNDS_WHY, SHORT_TEXT
from events.models import ErrorReport
from events.rules.sizes import LONGEST_GROUNDS, LONGEST_NAME, MOST_ROUNDS
from players.models import Player

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_PROOF = format_lazy(_("{taken}. Read by you and the ratings officers; never public."), taken=TAKEN)
_ROLES = {Role.ADMINISTRATOR: ErrorReport.Role.ADMINISTRATOR, Role.ARBITER: ErrorReport.Role.ARBITER}


def _text(label: "StrOrPromise", help_text: "StrOrPromise", required: "StrOrPromise") -> forms.CharField:
    return PlainTextField(
        label=label,
        help_text=help_text,
        max_length=LONGEST_GROUNDS,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": required, "max_length": LONG_TEXT},
    )


class ReportForm(Described):
    """A report: which game, player or section, what is wrong, what is right, the proof, and who reports."""

    number = PlainChoice(
        label=_("Player"), help_text=_("Whose game or line it is; leave it blank for the whole section.")
    )
    round = number_field(
        _("Round"), 1, MOST_ROUNDS, help_text=_("Of the game, if it is about one."), why=MOST_ROUNDS_WHY
    )
    wrong = _text(_("What is wrong"), _("As it stands on the page."), _("Say what is wrong."))
    right = _text(_("What is right"), _("As it was played, or as it should be."), _("Say what is right."))
    proof_url = PageAddressField(
        label=_("Proof: a link"),
        required=False,
        max_length=300,
        help_text=_("To the pairings, a picture of the score sheet, the official results."),
        widget=forms.URLInput(attrs={"placeholder": "https://"}),
        error_messages={"max_length": SHORT_TEXT, "invalid": _("Write the link in full, as https://example.org/.")},
    )
    proof = AttachmentField(label=_("Proof: a file"), required=False, help_text=_PROOF)
    role = forms.ChoiceField(
        label=_("You are"),
        error_messages={"required": _("Say as whom you report it."), "invalid_choice": _("Choose one of the list.")},
    )
    name = LineField(
        label=_("Your name"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        error_messages={"required": _("Write your name."), "max_length": SHORT_TEXT},
    )
    email = AddressField(
        help_text=_("A link to confirm the report goes there, and the answer. It is never public."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"required": _("Write your e-mail address.")},
    )

    def __init__(
        self, players: list[Player], of_section: bool, user: User | None, *args: Any, rounds: int = 0, **kwargs: Any
    ) -> None:
        """Offer the players. A user is not asked for name and address; a visitor adds files once the report is confirmed.

        `rounds`: how many the section has; 0 if it is not known.
        """
        super().__init__(*args, **kwargs)
        self.rounds = rounds
        choices = [(player.number, f"{player.last_name}, {player.first_name}".strip(", ")) for player in players]
        field = self.fields["number"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - for the types
        field.choices = [("", gettext("The whole section")), *choices] if of_section else choices
        role = self.fields["role"]
        assert isinstance(role, forms.ChoiceField)  # noqa: S101 - for the types
        role.choices = [
            ("", gettext("Choose")),
            *((role.value, str(role.label).capitalize()) for role in ErrorReport.Role),
        ]
        if not of_section:
            del self.fields["round"], self.fields["number"]
        if user is None:
            del self.fields["proof"]
            return
        del self.fields["email"]
        roles = roles_of(user)
        self.fields["role"].initial = next((given for role, given in _ROLES.items() if role in roles), "")
        self.fields["name"].initial = user.get_full_name()

    def clean_round(self) -> int | None:
        """Check that the section has the round."""
        number: int | None = self.cleaned_data["round"]
        if number and self.rounds and number > self.rounds:
            raise forms.ValidationError(gettext("The section has the rounds 1 to %(last)s.") % {"last": self.rounds})
        return number


class ProofForm(Described):
    """A file to add to a report."""

    proof = AttachmentField(
        label=_("Proof: a file"), help_text=_PROOF, error_messages={"required": _("Choose the file.")}
    )
