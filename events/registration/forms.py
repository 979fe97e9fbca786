"""The form of a registration: the event, its sections, its arbiters. One value comes out of it: `Registration`."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import uuid4

from accounts.models import User
from config.lib.forms import Described
from events.access import writable_regions
from events.arbiters.lookup import entered_as_players, paid_fees
from events.models import Event, Kind
from events.operations import EventDetails, SectionDetails
from events.registration.form_rows import MOST_ROWS, ArbiterRows, EventForm, SectionRows
from events.registration.operations import ArbiterEntry, Registration, SectionEntry
from events.rules.constants import HOME
from events.rules.findings import Finding
from events.rules.registration import ArbiterData, RegistrationData, SectionData


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
            regions = list(writable_regions(user)[:2])
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
        keys = [key for form in self.sections.forms if (key := form.data.get(form.add_prefix("section")))]
        good &= len(keys) == len(set(keys))
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

    def add_findings(self, findings: Iterable[Finding]) -> None:
        """Put what the rules say of the registration at its fields."""
        sections = [form for form in self.sections.forms if form.filled] or list(self.sections.forms)
        for finding in findings:
            kind, _, rest = finding.field.partition("-")
            form: Described = self.head
            name = finding.field
            if rest:
                place, _, name = rest.partition("-")
                rows = sections if kind == "section" else self.arbiters.forms
                form = rows[int(place)] if int(place) < len(rows) else self.head
            form.add_error(name if name in form.fields else None, finding.as_sentence)

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
            **{name: head[name] for name in names if name != "federation"}, federation=head["federation"] or HOME
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
                        disabled=bool(form.value("disabled")),
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

    def plan(self) -> RegistrationData:
        """What the form says as far as it is good: a row of the plan for each row of the form, blank ones too."""
        value = self.head.value
        starts, ends, region = value("starts"), value("ends"), value("region")
        arbiters = [form.value("arbiter") for form in self.arbiters.forms]
        known = [one for one in arbiters if one]
        paid, players = paid_fees(known), entered_as_players(self.event, known)
        return RegistrationData(
            name=value("name") or "",
            kind=value("kind") or "otb",
            region=region.code if region else "",
            federation=value("federation") or HOME,
            starts=starts,
            ends=ends,
            fide_rated=bool(value("fide_rated")),
            norm_event=bool(value("norm_event")),
            sections=tuple(
                SectionData(
                    name=form.value("name") or "",
                    format=form.value("format") or "swiss",
                    disabled=bool(form.value("disabled")),
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
                ArbiterData(
                    name=one.name if one else "",
                    first=form.value("first"),
                    last=form.value("last"),
                    federation=one.federation if one else "",
                    paid=paid.get(one.pk, ()) if one else (),
                    plays=bool(one and one.pk in players),
                    key=one.pk if one else None,
                )
                for form, one in zip(self.arbiters.forms, arbiters, strict=True)
            ),
        )


def _place(part: Described) -> str:
    kind, _, number = str(part.prefix).partition("-")
    return f"{kind.capitalize()} {int(number) + 1}"


def _head(event: Event | None) -> dict[str, Any]:
    if event is None:
        return {"federation": HOME, "version": 0, "page": uuid4()}
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
            "disabled": one.disabled,
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
