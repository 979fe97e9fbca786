"""The form of a registration: the event, its sections, its arbiters. It yields a `Registration`."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, cast
from uuid import uuid4

from django.db.models import QuerySet
from django.forms.models import model_to_dict
from django.http import QueryDict
from django.utils.translation import gettext

from accounts.models import User
from config.lib.forms import Described
from events.access import writable_regions
from events.models import Appointment, Event, Kind, Section
from events.registration.form_rows import MOST_ROWS, ArbiterForm, ArbiterRows, EventForm, SectionForm, SectionRows
from events.registration.locked import lock_fields
from events.registration.queries import PlannedSection, Registration, read_registration
from events.registration.words import as_sentence
from events.rules.findings import Finding
from events.rules.registration import FIXED


class RegistrationForm:
    """The three parts together. `data` is what was sent; without it the form shows `event`, or is blank."""

    def __init__(self, user: User, event: Event | None = None, data: Any = None) -> None:
        """Take the rows from `data`, else from the event; a blank row where it has none."""
        self.user, self.event, self.torn = user, event, False
        if event is not None and data is None:
            self._kept = read_registration(event)
        else:  # blank instances: a field that was sent with an error is unknown, not what was saved before
            self._kept = Registration(Event(pk=event.pk if event else None))
        kept = self._kept
        head: dict[str, Any] = {"version": kept.event.version, "page": None if event else uuid4()}
        sections, arbiters = None, None
        if data is None:
            sections = [_section_row(row, kept.event) for row in kept.sections] or [{"increment_seconds": None}]
            arbiters = [model_to_dict(row, ArbiterForm.Meta.fields) for row in kept.appointments] or [{}]
            regions = list(writable_regions(user)[:2])
            if event is None and len(regions) == 1:
                head["region"] = regions[0].pk
        self.head = EventForm(data, user=user, instance=kept.event, initial=head)
        self.sections = SectionRows(data, prefix="section", initial=sections)
        self.arbiters = ArbiterRows(data, prefix="arbiter", initial=arbiters)

    @property
    def parts(self) -> Iterator[Described]:
        """Yield all forms in their order on the page."""
        yield self.head
        yield from self.sections.forms
        yield from self.arbiters.forms

    def is_valid(self) -> bool:
        """Check every part, and return whether all of them are valid."""
        valid = True
        for rows in (self.sections, self.arbiters):
            management = rows.management_form
            total = management.cleaned_data["TOTAL_FORMS"] if management.is_valid() else None
            valid &= total is not None and 0 <= total <= MOST_ROWS
        keys = [key for form in self.sections.forms if (key := form.data.get(form.add_prefix("section")))]
        valid &= len(keys) == len(set(keys))
        self.torn = not valid
        for part in self.parts:
            valid &= part.is_valid()
        for section in self.sections.forms:
            section.finish(self.head)
        return valid and not any(part.errors for part in self.parts)

    def savable(self) -> "RegistrationForm | None":
        """Return this form with what is wrong in it as it is saved, or blank; None if then, too, it cannot be saved.

        That is so for a new event without name, region or days. A new row that is wrong in what it must have is left out.
        """
        if self.torn:
            return None
        saved = RegistrationForm(self.user, self.event)
        rows = {row.get("section"): row for row in saved.sections.initial or () if row.get("section")}
        data, form = cast("QueryDict", self.head.data).copy(), self
        for _ in range(_MOST_CORRECTED):
            for part in form.parts:
                before = dict(saved.head.initial) if self.event and part is form.head else {}
                before |= rows.get(part.value("section"), {}) if part is not form.head else {}
                for name in _to_reset(part, known=bool(before)):
                    data.setlist(part.add_prefix(name), _as_sent(before.get(name)))
            form = RegistrationForm(self.user, self.event, data)
            if form.is_valid():
                return form
        return None

    @property
    def is_lossless(self) -> bool:
        """Whether saving a valid form keeps all that was typed: no reason for coming late, no hubs of another kind of event."""
        hubs = (self.head.value("hubs") or self.head.value("hub")) and self.head.value("kind") != Kind.HYBRID
        return not (hubs or self.head.data.get("reason", "").strip() or self.head.data.get("change_reason", "").strip())

    def lock(self) -> None:
        """Draw what stays as it was registered so that it cannot be changed; days of rounds and arbiters stay open."""
        lock_fields(self.head, (*FIXED, "hub"))
        for section in self.sections.forms:
            lock_fields(section, SectionForm.Meta.fields)

    def forget_blanks(self) -> None:
        """Drop the errors of fields that are merely not filled in yet."""
        for part in self.parts:
            for bound in part:
                if not bound.value():
                    part.errors.pop(bound.name, None)

    def add_findings(self, findings: Iterable[Finding]) -> None:
        """Show findings of the rules at their fields. Their row numbers do not count blank rows."""
        sections = [form for form in self.sections.forms if form.filled] or list(self.sections.forms)
        for finding in findings:
            kind, _, rest = finding.field.partition("-")
            form: Described = self.head
            name = finding.field
            if rest:
                place, _, name = rest.partition("-")
                rows = sections if kind == "section" else self.arbiters.forms
                form = rows[int(place)] if int(place) < len(rows) else self.head
            on_page = f"{form.prefix}-{name}" if form.prefix else name
            field = next((field for field in form.fields if form.add_prefix(field) == on_page), None)
            form.add_error(field, as_sentence(finding))

    def problems(self) -> list[tuple[str, str]]:
        """Return (id of the field, message) of each error, in the order of the page."""
        torn = gettext("The form arrived torn. Load the page again and repeat what you changed.")
        problems = [("", torn)] if self.torn else []
        problems += self.head.problems()
        for row in (*self.sections.forms, *self.arbiters.forms):
            problems += row.problems(partial(_named, _place(row)))
        return problems

    def registration(self) -> Registration:
        """Return the registration of a valid form, without blank rows, to be saved."""
        shown = self.shown()
        return Registration(
            shown.event,
            shown.hubs if shown.event.kind == Kind.HYBRID else (),
            tuple(row for form, row in zip(self.sections.forms, shown.sections, strict=True) if form.filled),
            tuple(row for row in shown.appointments if row.arbiter_id),
        )

    def shown(self) -> Registration:
        """Return the registration as far as it is valid, with an item for each row of the form, also for blank ones."""
        if not self.head.is_bound:
            sections = self._kept.sections or (PlannedSection(Section()),)
            return Registration(
                self._kept.event, self._kept.hubs, sections, self._kept.appointments or (Appointment(),)
            )
        event = self.head.instance
        event.version, event.page = self.head.value("version") or 0, self.head.value("page")
        return Registration(
            event,
            tuple(self.head.value("hubs") or ()),
            tuple(form.planned() for form in self.sections.forms),
            tuple(form.instance for form in self.arbiters.forms),
        )


_MOST_CORRECTED = 5  # rounds of correcting: what is put back may not go with another field


def _to_reset(part: Described, *, known: bool) -> list[str]:
    """Return the fields of a part that are not saved as they stand: those with errors, or a row that needs one of them."""
    wrong = [name for name in part.errors if name in part.fields]
    needed = {"base_minutes", "arbiter"} & {*wrong}
    if part.prefix and part.errors and not known and (needed or not wrong):
        return [name for name in part.fields if name != "format"]  # a row with that alone is ignored
    if {"first_round", "last_round"} & {*wrong}:
        return ["first_round", "last_round"]
    return wrong


def _as_sent(value: Any) -> list[str]:
    """Return an initial value as a browser sends it."""
    if isinstance(value, (list, tuple, QuerySet)):
        return [str(getattr(one, "pk", one)) for one in value]
    if value is None or value is False:
        return []
    return ["on" if value is True else str(value)]


def _named(place: str, label: str, error: str) -> str:
    values = {"place": place, "field": label[0].lower() + label[1:], "error": error}
    return gettext("%(place)s, %(field)s: %(error)s") % values


def _place(part: Described) -> str:
    kind, _, number = str(part.prefix).partition("-")
    name = gettext("Section %(number)s") if kind == "section" else gettext("Arbiter %(number)s")
    return name % {"number": int(number) + 1}


def _section_row(row: PlannedSection, event: Event) -> dict[str, Any]:
    section = row.section
    fields = model_to_dict(section, SectionForm.Meta.fields) | {"section": section.pk}
    for name in ("starts", "ends"):
        if fields[name] == getattr(event, name):
            fields[name] = None
    if section.starts != section.ends:
        fields |= {f"day_{number}": day for number, day in enumerate(row.days, start=1)}
    return fields
