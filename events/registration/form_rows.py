"""The parts of a registration's form: the event, a section, an arbiter."""

from datetime import date
from typing import Any

from django import forms

from accounts.models import User
from config.lib.forms import Described, _day, _number
from config.lib.parsing import whole_number
from events.access import writable_regions
from events.forms import DatesMixin, add_findings
from events.models import Arbiter, Format, Kind
from events.rules.days import outside_errors
from events.rules.sizes import LONGEST_NAME, LONGEST_PLACE, MOST_ROUNDS, MOST_TIME
from players.identity import fold
from players.models import Player, Region

MOST_ROWS = 20


class EventForm(DatesMixin, Described):
    """The event itself. Name, host region and days begin a draft; the rest may come later."""

    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    page = forms.UUIDField(
        required=False,
        widget=forms.HiddenInput,
        error_messages={"invalid": "Load it again and repeat what you changed."},
    )
    name = forms.CharField(label="Name of the event", max_length=LONGEST_NAME)
    region = forms.ModelChoiceField(Region.objects.none(), label="Host region", empty_label="Choose a region")
    kind = forms.ChoiceField(label="Kind of event", choices=Kind.choices)
    hubs = forms.ModelMultipleChoiceField(
        Region.objects.all(),
        label="Regions with a playing hub",
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    starts = _day("First day", required=True)
    ends = _day("Last day", required=True)
    place = forms.CharField(label="Place", max_length=LONGEST_PLACE, required=False)
    federation = forms.RegexField(
        "^[A-Z]{3}$",
        label="Federation",
        required=False,
        max_length=3,
        help_text="FIDE’s three letters, for an event abroad.",
        error_messages={"invalid": "Three capitals: RSA, BOT, ENG."},
    )
    organiser_name = forms.CharField(label="Chief Organiser", max_length=LONGEST_NAME, required=False)
    organiser_number = forms.CharField(
        label="Chief Organiser’s Chess SA id",
        required=False,
        max_length=9,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    fide_rated = forms.BooleanField(label="FIDE rated", required=False)
    norm_event = forms.BooleanField(label="Norm event", required=False)
    results_url = forms.URLField(
        label="Official results", required=False, assume_scheme="https", help_text="The address where they appear."
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        """Offer the user's own regions (articles 57, 62.1, 62.3)."""
        super().__init__(*args, **kwargs)
        field = self.fields["region"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - for the types
        field.queryset = writable_regions(user)
        field.error_messages["invalid_choice"] = "Choose one of your own regions (article 62)."

    def clean_organiser_number(self) -> str:
        """Somebody on the register."""
        number: str = self.cleaned_data["organiser_number"]
        if number and not Player.objects.filter(number=number).exists():
            raise forms.ValidationError(f"Nobody on the register has the Chess SA id {number}.")
        return number

    def clean(self) -> dict[str, Any]:
        """A norm event is FIDE rated, and the Chief Organiser's id is not somebody else's."""
        cleaned = super().clean()
        name, number = cleaned.get("organiser_name"), cleaned.get("organiser_number")
        bearer = Player.objects.filter(number=number).first() if name and number else None
        if bearer and set(fold(name).split()).isdisjoint(bearer.folded_name.split()):
            self.add_error(
                "organiser_number", f"{number} is {bearer.name} on the register: correct the id or the name."
            )
        if cleaned.get("norm_event") and not cleaned.get("fide_rated"):
            self.add_error("norm_event", "A norm event is FIDE rated: tick that too, or untick this.")
        return cleaned


class SectionForm(DatesMixin, Described):
    """A section. A row without a time control, name and rounds is none."""

    section = forms.IntegerField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(label="Name of the section", max_length=LONGEST_NAME, required=False)
    format = forms.ChoiceField(label="Format", choices=Format.choices)
    base = _number("Base time, minutes", 1, MOST_TIME)
    increment = _number("Increment, seconds a move", 0, MOST_TIME)
    rounds = _number("Rounds", 1, MOST_ROUNDS)
    disabled = forms.BooleanField(
        label="For disabled players only", required=False, help_text="A smaller section is rated too (article 17.5)."
    )
    starts = _day("First day, if not the event’s")
    ends = _day("Last day, if not the event’s")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """With a day for each of the rounds."""
        super().__init__(*args, **kwargs)
        for number in range(1, self._rounds() + 1):
            self.fields[f"day_{number}"] = _day(f"Round {number}")

    def _rounds(self) -> int:
        given = self.data.get(self.add_prefix("rounds")) if self.is_bound else self.initial.get("rounds")
        text = str(given or "").strip()
        return min(whole_number(text, digits=4) or 0, MOST_ROUNDS)

    @property
    def day_fields(self) -> list[forms.BoundField]:
        """The fields of the rounds' days."""
        return [self[f"day_{number}"] for number in range(1, self._rounds() + 1)]

    @property
    def filled(self) -> bool:
        """Whether the row says anything."""
        return any(
            self.value(name) not in (None, "") for name in ("name", "base", "increment", "rounds", "section")
        ) or bool(self.errors)

    def finish(self, event: EventForm) -> None:
        """Check the row against the event's days."""
        first, last = event.value("starts"), event.value("ends")
        if self.filled and self.value("base") is None and "base" not in self.errors:
            self.add_error("base", "Give the base time in minutes, or remove the section.")
        starts, ends = self.value("starts") or first, self.value("ends") or last
        if not (first and last and starts and ends) or self.errors:
            return
        add_findings(self, outside_errors(starts, ends, first, last))
        if ends < starts:
            self.add_error("starts", "The section would end before it starts.")
        for number in range(1, self._rounds() + 1):
            day = self.value(f"day_{number}")
            if day and not starts <= day <= ends:
                self.add_error(f"day_{number}", "It lies outside the section’s days.")

    def days(self, starts: date | None, ends: date | None) -> tuple[date | None, ...]:
        """The day of each round; in a section of one day it is that day."""
        only = starts if starts == ends else None
        return tuple(self.value(f"day_{number}") or only for number in range(1, self._rounds() + 1))


class ArbiterForm(Described):
    """An arbiter, for all rounds or some. A row without an arbiter is none."""

    arbiter = forms.ModelChoiceField(
        Arbiter.objects.all(), label="Arbiter", required=False, empty_label="Choose an arbiter"
    )
    first = _number("From round", 1, MOST_ROUNDS)
    last = _number("To round", 1, MOST_ROUNDS)

    def clean(self) -> dict[str, Any]:
        """Rounds in their order, of somebody."""
        cleaned: dict[str, Any] = super().clean() or {}
        first, last = cleaned.get("first"), cleaned.get("last")
        if (first or last) and not cleaned.get("arbiter") and "arbiter" not in self.errors:
            self.add_error("arbiter", "Choose the arbiter of these rounds.")
        if "first" in self.errors or "last" in self.errors:
            return cleaned
        if (first is None) != (last is None):
            self.add_error("first" if first is None else "last", "Give both rounds, or neither for all of them.")
        elif first and last and last < first:
            self.add_error("last", "It comes before the first of these rounds.")
        return cleaned


SectionRows = forms.formset_factory(SectionForm, extra=0, max_num=MOST_ROWS, absolute_max=MOST_ROWS, validate_max=True)
ArbiterRows = forms.formset_factory(ArbiterForm, extra=0, max_num=MOST_ROWS, absolute_max=MOST_ROWS, validate_max=True)
