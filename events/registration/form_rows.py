"""The parts of the registration form: the event, a section with the days of its rounds, an arbiter's appointment."""

from collections.abc import Iterable
from datetime import date
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config.lib.days import is_plausible
from config.lib.forms import Described, LineField, PageAddressField, PlainChoice, day_field, number_field
from config.lib.parsing import whole_number
from events.access import writable_regions
from events.forms import MOST_ROUNDS_WHY, ArbiterField, DatesMixin, add_findings
from events.models import Appointment, Event, Format, Kind, Section
from events.registration.queries import PlannedSection, organiser_problem, regions_called
from events.rules.constants import HOME
from events.rules.days import outside_errors, round_days
from events.rules.sizes import LONGEST_NAME, MOST_ROUNDS, MOST_TIME
from players.merged import player_of

MOST_ROWS = 20
MOST_NAMED = 3  # regions that a message names


def offer(field: forms.Field, choices: Iterable[tuple[str, str]]) -> None:
    """Offer the choices of a model's field in the reader's language."""
    assert isinstance(field, forms.ChoiceField)  # noqa: S101 - for the types
    field.choices = [(value, gettext(label)) for value, label in choices]


class EventForm(DatesMixin, Described, forms.ModelForm):
    """The event. A draft needs its name, host region and days; the other fields may be filled in later.

    `version`: that of the event when the page was loaded; `page`: the key of the page of a new event, by which it is saved
    only once.
    """

    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    page = forms.UUIDField(
        required=False,
        widget=forms.HiddenInput,
        error_messages={"invalid": _("Load it again and repeat what you changed.")},
    )
    starts = day_field(_("First day"), required=True)
    ends = day_field(_("Last day"), required=True)
    hub = LineField(
        label=_("Add a region"),
        required=False,
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"list": "regions", "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Its name or its three letters."),
    )
    field_order = ("version", "page")

    class Meta:
        model = Event
        fields = (
            "name", "region", "kind", "organising_body", "hubs", "starts", "ends", "place", "federation", "organiser_name",
            "organiser_number", "fide_rated", "norm_event", "results_url",
        )  # fmt: skip
        labels: ClassVar = {
            "name": _("Name of the event"),
            "region": _("Host region"),
            "kind": _("Kind of event"),
            "organising_body": _("Organising body"),
            "hubs": _("Regions with a playing hub"),
            "place": _("Place"),
            "federation": _("Federation"),
            "organiser_name": _("Chief Organiser"),
            "organiser_number": _("Chief Organiser’s Chess SA id"),
            "fide_rated": _("FIDE rated"),
            "norm_event": _("Norm event"),
            "results_url": _("Official results"),
        }
        help_texts: ClassVar = {
            "organising_body": _(
                "Of a national event: the province, region or approved entity. An officer approves it (62.4)."
            ),
            "federation": _("FIDE’s three letters, for an event abroad."),
            "results_url": _("The address where they appear."),
        }
        widgets: ClassVar = {
            "hubs": forms.CheckboxSelectMultiple,
            "organiser_number": forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        }
        field_classes: ClassVar = {
            **dict.fromkeys(
                ("name", "place", "federation", "organiser_name", "organiser_number", "organising_body"), LineField
            ),
            "results_url": PageAddressField,
        }

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        """Offer the regions whose events the user may write (articles 57, 62.1, 62.3)."""
        super().__init__(*args, **kwargs)
        field = self.fields["region"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - for the types
        field.queryset, field.empty_label = writable_regions(user), gettext("Choose a region")
        field.error_messages["invalid_choice"] = gettext("Choose one of your own regions (article 62).")
        self.fields["federation"].required = False
        offer(self.fields["kind"], Kind.choices)

    def clean_federation(self) -> str:
        """Return the home federation unless another is given."""
        return self.cleaned_data["federation"] or HOME

    def clean_organiser_number(self) -> str:
        """Check that the id is on the register."""
        number: str = self.cleaned_data["organiser_number"]
        player = player_of(number) if number else None
        if number and player is None:
            raise forms.ValidationError(
                gettext("Nobody on the register has the Chess SA id %(number)s.") % {"number": number}
            )
        return player.number if player else number

    def clean(self) -> dict[str, Any]:
        """Check that a norm event is FIDE rated, and that the Chief Organiser's id has his name on the register."""
        cleaned = super().clean()
        if problem := organiser_problem(cleaned.get("organiser_name"), cleaned.get("organiser_number")):
            self.add_error("organiser_number", problem)
        hub = cleaned.get("hub")
        if hub and cleaned.get("kind") == Kind.HYBRID:
            self.add_error("hub", _no_hub(hub))
        if cleaned.get("norm_event") and not cleaned.get("fide_rated"):
            self.add_error("norm_event", gettext("A norm event is FIDE rated: tick that too, or untick this."))
        return cleaned


def _no_hub(text: str) -> str:
    """Return why a text names no region, or none alone."""
    found = regions_called(text)
    if not found:
        return gettext("No region is called that: choose one of the list.")
    names = "; ".join(str(region) for region in found[:MOST_NAMED])
    if len(found) > MOST_NAMED:
        more = gettext("It fits %(count)s regions, %(names)s and others: write more of the name.")
        return more % {"count": len(found), "names": names}
    return gettext("It fits more than one region: %(names)s. Write more of the name.") % {"names": names}


class RowForm(Described):
    """A row of the registration form. `names_on_page`: model field → its name on the page, where these differ."""

    names_on_page: ClassVar[dict[str, str]] = {}

    def add_prefix(self, field_name: str) -> str:
        """Return the name of a field on the page."""
        return super().add_prefix(self.names_on_page.get(field_name, field_name))

    def has_changed(self) -> bool:
        """Return whether anything was sent, also if it equals the defaults of a blank row."""
        return any(self.data.get(self.add_prefix(name)) for name in self.fields)

    @property
    def facts_id(self) -> str:
        """The id of the element with the hints on the row."""
        return f"{self.prefix}-facts"


_PATTERNS = [
    ("", _("Choose")),
    ("one-day", _("All on one day")),
    ("daily", _("One a day")),
    ("two-a-day", _("Two a day")),
    ("weekly", _("One a week")),
]


class SectionForm(DatesMixin, RowForm, forms.ModelForm):
    """A section; a row without time control, name and rounds is ignored. `section`: the key of the section it changes."""

    section = forms.IntegerField(required=False, widget=forms.HiddenInput)
    base_minutes = number_field(_("Base time, minutes"), 1, MOST_TIME)
    increment_seconds = number_field(_("Increment, seconds a move"), 0, MOST_TIME)
    planned_rounds = number_field(_("Rounds"), 1, MOST_ROUNDS, why=MOST_ROUNDS_WHY)
    starts = day_field(_("First day, if not the event’s"))
    ends = day_field(_("Last day, if not the event’s"))
    field_order = ("section",)
    names_on_page: ClassVar = {"base_minutes": "base", "increment_seconds": "increment", "planned_rounds": "rounds"}

    class Meta:
        model = Section
        fields = ("name", "format", "base_minutes", "increment_seconds", "planned_rounds", "disabled", "starts", "ends")
        field_classes: ClassVar = {"name": LineField}
        labels: ClassVar = {
            "name": _("Name of the section"),
            "format": _("Format"),
            "disabled": _("For disabled players only"),
        }
        help_texts: ClassVar = {"disabled": _("A smaller section is rated too (article 17.5).")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Add a field for the day of each round."""
        super().__init__(*args, **kwargs)
        offer(self.fields["format"], Format.choices)
        for number in range(1, self._rounds() + 1):
            self.fields[f"day_{number}"] = day_field(gettext("Round %(number)s") % {"number": number})
        self.fields["pattern"] = PlainChoice(label=_("All rounds at once"), choices=_PATTERNS)
        self.fields["from"] = day_field(_("From"))

    def _rounds(self) -> int:
        name = "planned_rounds"
        rounds = self.data.get(self.add_prefix(name)) if self.is_bound else self.initial.get(name)
        return min(whole_number(str(rounds or "").strip(), digits=4) or 0, MOST_ROUNDS)

    def days_at_once(self, event: EventForm) -> list[date]:
        """Return the days of all rounds by the chosen pattern, from the day given, else the section's or the event's first.

        [] without a pattern or a first day.
        """
        pattern = self.value("pattern")
        first = self.value("from") or self.value("starts") or event.value("starts")
        return round_days(first, self._rounds(), pattern) if pattern and first and is_plausible(first) else []

    @property
    def day_fields(self) -> list[forms.BoundField]:
        """The fields of the rounds' days."""
        return [self[f"day_{number}"] for number in range(1, self._rounds() + 1)]

    @property
    def first_of_all(self) -> forms.BoundField:
        """The field of the day from which all rounds' days are filled in at once."""
        return self["from"]

    @property
    def filled(self) -> bool:
        """Whether the row is not blank."""
        names = ("name", "base_minutes", "increment_seconds", "planned_rounds", "section")
        return any(self.value(name) not in (None, "") for name in names) or bool(self.errors)

    def finish(self, event: EventForm) -> None:
        """Fill in the event's days if the section has none, and check the section and its rounds against them."""
        first, last = event.value("starts"), event.value("ends")
        starts, ends = self.value("starts") or first, self.value("ends") or last
        section: Section = self.instance
        section.starts, section.ends = starts, ends
        section.increment_seconds = self.value("increment_seconds") or 0
        if self.filled and self.value("base_minutes") is None and "base_minutes" not in self.errors:
            self.add_error("base_minutes", gettext("Give the base time in minutes, or remove the section."))
        if not (first and last and starts and ends) or self.errors:
            return
        add_findings(self, outside_errors(starts, ends, first, last))
        if ends < starts:
            self.add_error("starts", "The section would end before it starts.")
        for number in range(1, self._rounds() + 1):
            day = self.value(f"day_{number}")
            if day and not starts <= day <= ends:
                self.add_error(f"day_{number}", gettext("It lies outside the section’s days."))

    def planned(self) -> PlannedSection:
        """Return the section as far as it is valid. In a section of one day all rounds are played on that day."""
        section: Section = self.instance
        section.pk = self.value("section")
        only_day: date | None = section.starts if section.starts == section.ends else None
        days = (self.value(f"day_{number}") or only_day for number in range(1, self._rounds() + 1))
        return PlannedSection(section, tuple(days))


class ArbiterForm(RowForm, forms.ModelForm):
    """An arbiter, for all rounds or some; a blank row is ignored."""

    first_round = number_field(_("From round"), 1, MOST_ROUNDS, why=MOST_ROUNDS_WHY)
    last_round = number_field(_("To round"), 1, MOST_ROUNDS, why=MOST_ROUNDS_WHY)
    names_on_page: ClassVar = {"first_round": "first", "last_round": "last"}

    class Meta:
        model = Appointment
        fields = ("arbiter", "first_round", "last_round")
        labels: ClassVar = {"arbiter": _("Arbiter")}
        field_classes: ClassVar = {"arbiter": ArbiterField}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Make the arbiter optional, since he may be chosen later."""
        super().__init__(*args, **kwargs)
        field = self.fields["arbiter"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - for the types
        field.required, field.empty_label = False, gettext("Choose an arbiter")

    def clean(self) -> dict[str, Any]:
        """Check that rounds are in order and have an arbiter."""
        cleaned: dict[str, Any] = super().clean() or {}
        first, last = cleaned.get("first_round"), cleaned.get("last_round")
        if (first or last) and not cleaned.get("arbiter") and "arbiter" not in self.errors:
            self.add_error("arbiter", gettext("Choose the arbiter of these rounds."))
        if "first_round" in self.errors or "last_round" in self.errors:
            return cleaned
        if (first is None) != (last is None):
            missing = "first_round" if first is None else "last_round"
            self.add_error(missing, gettext("Give both rounds, or neither for all of them."))
        elif first and last and last < first:
            self.add_error("last_round", gettext("It comes before the first of these rounds."))
        return cleaned


SectionRows = forms.formset_factory(SectionForm, extra=0, max_num=MOST_ROWS, absolute_max=MOST_ROWS, validate_max=True)
ArbiterRows = forms.formset_factory(ArbiterForm, extra=0, max_num=MOST_ROWS, absolute_max=MOST_ROWS, validate_max=True)
