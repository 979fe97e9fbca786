"""The form of a registration: the event, its sections, its arbiters. One value comes out of it: `Registration`."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from django import forms

from accounts.models import User
from events.models import Arbiter, Event, Format, Kind
from events.operations import EventDetails, SectionDetails
from events.plans import entered, fees
from events.registration_rules import Lack, PlannedArbiter, PlannedEvent, PlannedSection
from events.registrations import ArbiterEntry, Registration, SectionEntry
from events.scope import regions_of
from players.models import Player, Region

MOST_ROUNDS = 30
MOST_ROWS = 20
_EARLIEST, _LONGEST = date(1970, 1, 1), timedelta(days=366)


def _day(label: str, *, required: bool = False) -> forms.DateField:
    return forms.DateField(
        label=label,
        required=required,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "Write the day as year, month and day: 2026-05-17."},
    )


def _number(label: str, least: int, most: int, **kwargs: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        min_value=least,
        max_value=most,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 4}),
        error_messages={
            "invalid": "Write a whole number.",
            "min_value": f"At least {least}.",
            "max_value": f"At most {most}.",
        },
        **kwargs,
    )


class Described(forms.Form):
    """A form whose fields name their errors to screen readers."""

    def describe(self) -> None:
        """Tie each field with an error to it."""
        for bound in self:
            if bound.errors:
                bound.field.widget.attrs |= {"aria-invalid": "true", "aria-describedby": f"{bound.id_for_label}_error"}

    @property
    def facts_id(self) -> str:
        """The id of what stands beside the row."""
        return f"{self.prefix}-facts"

    def value(self, name: str) -> Any:
        """A field's value as far as it is good."""
        return getattr(self, "cleaned_data", {}).get(name)


class DatesMixin(forms.Form):
    """A first and a last day in their order, neither in another age."""

    def clean(self) -> dict[str, Any]:
        """The last day does not come before the first."""
        cleaned: dict[str, Any] = super().clean() or {}
        starts, ends = cleaned.get("starts"), cleaned.get("ends")
        for name, day in (("starts", starts), ("ends", ends)):
            if day and not (_EARLIEST <= day <= date(2099, 12, 31)):
                self.add_error(name, f"{day.year} cannot be meant. Correct the year.")
        if starts and ends and ends < starts:
            self.add_error("ends", "The last day comes before the first. Correct one of them.")
        elif starts and ends and ends - starts > _LONGEST:
            self.add_error("ends", "That is more than a year. Correct one of the days.")
        return cleaned


class EventForm(DatesMixin, Described):
    """The event itself. Name, host region and days begin a draft; the rest may come later."""

    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    name = forms.CharField(label="Name of the event", max_length=120)
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
    place = forms.CharField(label="Place", max_length=80, required=False)
    federation = forms.RegexField(
        "^[A-Z]{3}$",
        label="Federation",
        required=False,
        max_length=3,
        help_text="FIDE’s three letters, for an event abroad.",
        error_messages={"invalid": "Three capitals: RSA, BOT, ENG."},
    )
    organiser_name = forms.CharField(label="Chief Organiser", max_length=120, required=False)
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
        """Offer the user's own regions (articles 57, 62.1)."""
        super().__init__(*args, **kwargs)
        field = self.fields["region"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - for the types
        field.queryset = regions_of(user)
        field.error_messages["invalid_choice"] = "Choose one of your own regions (article 62)."

    def clean_organiser_number(self) -> str:
        """Somebody on the register."""
        number: str = self.cleaned_data["organiser_number"]
        if number and not Player.objects.filter(number=number).exists():
            raise forms.ValidationError(f"Nobody on the register has the Chess SA id {number}.")
        return number

    def clean(self) -> dict[str, Any]:
        """A norm event is FIDE rated."""
        cleaned = super().clean()
        if cleaned.get("norm_event") and not cleaned.get("fide_rated"):
            self.add_error("norm_event", "A norm event is FIDE rated: tick that too, or untick this.")
        return cleaned


class SectionForm(DatesMixin, Described):
    """A section. A row without a time control, name and rounds is none."""

    section = forms.IntegerField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(label="Name of the section", max_length=120, required=False)
    format = forms.ChoiceField(label="Format", choices=Format.choices)
    base = _number("Base time, minutes", 1, 1000)
    increment = _number("Increment, seconds a move", 0, 1000)
    rounds = _number("Rounds", 1, MOST_ROUNDS)
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
        return min(int(text), MOST_ROUNDS) if text.isascii() and text.isdigit() and len(text) < 5 else 0

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
        if not first <= starts <= last:
            self.add_error("starts", "It lies outside the event’s days.")
        if not first <= ends <= last:
            self.add_error("ends", "It lies outside the event’s days.")
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
            self.add_error("last", "It comes before the first of his rounds.")
        return cleaned


SectionRows = forms.formset_factory(SectionForm, extra=0, max_num=MOST_ROWS, absolute_max=MOST_ROWS, validate_max=True)
ArbiterRows = forms.formset_factory(ArbiterForm, extra=0, max_num=MOST_ROWS, absolute_max=MOST_ROWS, validate_max=True)


class RegistrationForm:
    """The three parts together. `data` is what was sent; without it the form shows `event`, or is blank."""

    def __init__(self, user: User, event: Event | None = None, data: Any = None) -> None:
        """Rows as sent, or as kept with a blank one where there is none."""
        self.event, self.torn = event, False
        self.head = EventForm(data, user=user, initial=_head(event))
        # What was sent is not held against what is kept: a row that a formset takes for unchanged has no values.
        fresh = data is None
        self.sections = SectionRows(data, prefix="section", initial=_sections(event) if fresh else None)
        self.arbiters = ArbiterRows(data, prefix="arbiter", initial=_arbiters(event) if fresh else None)
        if data is None and event is None:
            regions = list(regions_of(user)[:2])
            if len(regions) == 1:
                self.head.initial["region"] = regions[0].pk

    @property
    def parts(self) -> Iterator[Described]:
        """All forms in their order on the page."""
        yield self.head
        yield from self.sections.forms
        yield from self.arbiters.forms

    def is_valid(self) -> bool:
        """Whether everything that was given is good. Every part is looked at."""
        good = True
        for rows in (self.sections, self.arbiters):
            management = rows.management_form
            total = management.cleaned_data["TOTAL_FORMS"] if management.is_valid() else None
            good &= total is not None and 0 <= total <= MOST_ROWS
        self.torn = not good
        for part in self.parts:
            good &= part.is_valid()
        for section in self.sections.forms:
            section.finish(self.head)
        return good and not any(part.errors for part in self.parts)

    def forget_blanks(self) -> None:
        """Say nothing of what is merely not given yet."""
        for part in self.parts:
            for bound in part:
                if not bound.value():
                    part.errors.pop(bound.name, None)

    def add_lacks(self, lacks: list[Lack]) -> None:
        """Put what a registration wants at its fields."""
        sections = [form for form in self.sections.forms if form.filled] or list(self.sections.forms)
        for lack in lacks:
            kind, _, rest = lack.field.partition("-")
            form: Described = self.head
            name = lack.field
            if rest:
                place, _, name = rest.partition("-")
                rows = sections if kind == "section" else self.arbiters.forms
                form = rows[int(place)] if int(place) < len(rows) else self.head
            form.add_error(
                name if name in form.fields else None, f"{lack.message.removesuffix('.')} (article {lack.article})."
            )

    def problems(self) -> list[tuple[str, str]]:
        """Each error with the id of its field, in the order of the page."""
        found = [("", "The form arrived torn. Load the page again and repeat what you changed.")] if self.torn else []
        for part in self.parts:
            part.describe()
            for bound in part:
                label = (
                    bound.label
                    if part is self.head
                    else f"{_place(part)}, {str(bound.label)[0].lower()}{str(bound.label)[1:]}"
                )
                found += [
                    (bound.id_for_label or f"id_{bound.html_name}", f"{label}: {error}") for error in bound.errors
                ]
            found += [("", str(error)) for error in part.non_field_errors()]
        return found

    def registration(self) -> Registration:
        """What a good form says."""
        head = self.head.cleaned_data
        names = EventDetails.__dataclass_fields__
        details = EventDetails(
            **{name: head[name] for name in names if name != "federation"}, federation=head["federation"] or "RSA"
        )
        sections = []
        for form in self.sections.forms:
            if not form.filled:
                continue
            starts, ends = form.value("starts") or details.starts, form.value("ends") or details.ends
            sections.append(
                SectionEntry(
                    SectionDetails(
                        base=form.value("base"),
                        increment=form.value("increment") or 0,
                        starts=starts,
                        ends=ends,
                        name=form.value("name"),
                        format=form.value("format"),
                        planned_rounds=form.value("rounds"),
                    ),
                    form.days(starts, ends),
                    form.value("section"),
                )
            )
        arbiters = tuple(
            ArbiterEntry(form.value("arbiter"), form.value("first"), form.value("last"))
            for form in self.arbiters.forms
            if form.value("arbiter")
        )
        hubs = tuple(head["hubs"]) if head["kind"] == Kind.HYBRID else ()
        return Registration(details, hubs, tuple(sections), arbiters)

    def plan(self) -> PlannedEvent:
        """What the form says as far as it is good: a row of the plan for each row of the form, blank ones too."""
        value = self.head.value
        starts, ends, region = value("starts"), value("ends"), value("region")
        arbiters = [form.value("arbiter") for form in self.arbiters.forms]
        known = [one for one in arbiters if one]
        paid, players = fees(known), entered(self.event, known)
        return PlannedEvent(
            name=value("name") or "",
            kind=value("kind") or "otb",
            region=region.code if region else "",
            starts=starts,
            ends=ends,
            fide_rated=bool(value("fide_rated")),
            norm_event=bool(value("norm_event")),
            sections=tuple(
                PlannedSection(
                    name=form.value("name") or "",
                    format=form.value("format") or "swiss",
                    base=form.value("base"),
                    increment=form.value("increment") or 0,
                    rounds=form.value("rounds"),
                    starts=form.value("starts") or starts,
                    ends=form.value("ends") or ends,
                    days=form.days(form.value("starts") or starts, form.value("ends") or ends),
                )
                for form in self.sections.forms
            ),
            arbiters=tuple(
                PlannedArbiter(
                    name=one.name if one else "",
                    first=form.value("first"),
                    last=form.value("last"),
                    paid=paid.get(one.pk, ()) if one else (),
                    plays=bool(one and one.pk in players),
                )
                for form, one in zip(self.arbiters.forms, arbiters, strict=True)
            ),
        )


def _place(part: Described) -> str:
    kind, _, number = str(part.prefix).partition("-")
    return f"{kind.capitalize()} {int(number) + 1}"


def _head(event: Event | None) -> dict[str, Any]:
    if event is None:
        return {"federation": "RSA", "version": 0}
    names = [*EventDetails.__dataclass_fields__, "version"]
    return {name: getattr(event, name) for name in names} | {"region": event.region_id, "hubs": list(event.hubs.all())}


def _sections(event: Event | None) -> list[dict[str, Any]]:
    if event is None:
        return [{}]
    rows: list[dict[str, Any]] = []
    for one in event.sections.prefetch_related("rounds"):
        row: dict[str, Any] = {
            "section": one.pk,
            "name": one.name,
            "format": one.format,
            "base": one.base_minutes,
            "increment": one.increment_seconds,
            "rounds": one.planned_rounds,
            "starts": None if one.starts == event.starts else one.starts,
            "ends": None if one.ends == event.ends else one.ends,
        }
        if one.starts != one.ends:
            row |= {f"day_{round_.number}": round_.date for round_ in one.rounds.all()}
        rows.append(row)
    return rows or [{}]


def _arbiters(event: Event | None) -> list[dict[str, Any]]:
    if event is None:
        return [{}]
    rows = event.appointments.order_by("position").values("arbiter", "first_round", "last_round")
    return [{"arbiter": row["arbiter"], "first": row["first_round"], "last": row["last_round"]} for row in rows] or [{}]
