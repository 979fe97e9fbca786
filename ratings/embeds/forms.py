"""What a picture shows, in words of its address."""

from django import forms
from django.utils.translation import gettext_lazy as _

from config.lib.forms import ShownErrors, number_field
from players.identity import CHESS_SA_ID
from players.search_form import RegionField
from ratings.lists.definitions import list_definitions

MOST_PLACES = 50
LIGHT, DARK = "light", "dark"


class PictureForm(ShownErrors, forms.Form):
    """The colours of a picture."""

    theme = forms.ChoiceField(label=_("Colours"), choices=[(LIGHT, _("light")), (DARK, _("dark"))], required=False)


class ListPictureForm(PictureForm):
    """The places of a list that a picture shows."""

    region = RegionField(label=_("Region or province"))
    places = number_field(_("Places"), 1, MOST_PLACES)


class GuideForm(ListPictureForm):
    """The choice of a picture, to see it and to copy the lines for one's own page."""

    player = forms.RegexField(
        f"^{CHESS_SA_ID}$",
        label=_("Player"),
        required=False,
        help_text=_("Chess SA id, nine digits"),
        error_messages={"invalid": _("Write the player’s Chess SA id, nine digits.")},
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    list = forms.ChoiceField(label=_("List"), required=False)
    field_order = ("player", "list", "region", "places", "theme")

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["list"].choices = [(listing.code, listing.name) for listing in list_definitions()]  # type: ignore[attr-defined]
