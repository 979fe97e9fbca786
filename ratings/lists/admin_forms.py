"""Forms of the admin for lists."""

from datetime import date
from typing import Any

from django import forms
from django.contrib.admin.helpers import ActionForm

from accounts.trail.meanwhile import MeanwhileMixin
from config.lib import formatting
from config.lib.editions import EditionError, edition_named
from config.lib.forms import LineField
from events.rules.time_controls import TYPES_OF_GAME
from ratings.lists.definitions import ListDefinition
from ratings.models import Rating, RatingList, System
from ratings.systems import chessa
from ratings.systems.adapters import ADAPTERS

# What the figures of a list depend on: fixed once there are some.
DEPENDS = ("system", "edition", "counts_standard", "counts_rapid", "counts_blitz", "starts_from")


class FillForm(ActionForm):
    """The form of the list's action, with a field for the first month."""

    month = LineField(
        required=False, label="From month", max_length=7, widget=forms.TextInput({"placeholder": "2024-03", "size": 8})
    )


class RatingListForm(MeanwhileMixin):
    """A list of another system beside the four of Chess SA."""

    class Meta:
        model = RatingList
        fields = (
            "name", "code", "position", "system", "edition", "counts_standard", "counts_rapid", "counts_blitz",
            "starts_from",
        )  # fmt: skip

    def __init__(self, *args: Any, **options: Any) -> None:
        """Name the editions that each system has, unless the edition is fixed."""
        super().__init__(*args, **options)
        if "edition" in self.fields:
            named = "; ".join(
                f"{System(system).label}: {', '.join(edition.name for edition in adapter.editions)}"
                for system, adapter in ADAPTERS.items()
            )
            self.fields["edition"].help_text = f"Empty: the one in force on the event’s last day. {named}."

    def full_clean(self) -> None:
        """Refuse other rules if a worker has filled the list since the page was opened: it is not at it now, for the row is
        locked by then."""
        super().full_clean()
        if not self.is_bound or self.instance._state.adding or not set(DEPENDS).intersection(self.changed_data):
            return
        if Rating.objects.filter(list=self.instance.pk).exists():
            self.add_error(
                None,
                "The list was filled by its present rules meanwhile, and these are fixed now: load the page again.",
            )

    def clean_system(self) -> str:
        """Refuse a further list of Chess SA's system, whose four lists belong together."""
        system: str = self.cleaned_data["system"]
        if system == System.CHESSA and self.instance._state.adding:
            raise forms.ValidationError("Chess South Africa's four lists are there already: choose another system.")
        return system

    def clean(self) -> dict[str, Any]:
        """Check that the edition is one of the system's, and that the list counts games and does not start from itself."""
        cleaned: dict[str, Any] = super().clean() or {}
        system, edition = cleaned.get("system"), cleaned.get("edition")
        if edition and system in ADAPTERS:
            try:
                edition_named(ADAPTERS[system].editions, edition)
            except EditionError as error:
                self.add_error("edition", str(error))
        # the form of a list with ratings lacks these fields
        counts = [cleaned.get(f"counts_{kind}") for kind in ("standard", "rapid", "blitz")]
        if "counts_standard" in self.fields and not any(counts):
            self.add_error("counts_standard", "Choose at least one type of game that the list counts.")
        if cleaned.get("starts_from") and cleaned["starts_from"].pk == self.instance.pk:
            self.add_error("starts_from", "A list cannot start from itself.")
        return cleaned


def national_rules(listing: ListDefinition, day: date) -> str:
    """Return the edition of the regulations, what one of their own lists counts and where newcomers start, in sentences."""
    edition = chessa.edition_for(day)
    counted = f"{listing.code} games" if listing.code in TYPES_OF_GAME else "the games of all types"
    return (
        f"It is one of the four lists of the regulations (article 24; edition {edition.name}) and counts {counted}. Players"
        f" who are new to it start at {formatting.rating(edition['unrated_rating'], 0)} (article 56)."
    )
