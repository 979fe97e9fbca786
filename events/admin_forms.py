"""Admin forms for events and sections, with the rules of the organiser's form; published data cannot be changed."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from django import forms
from django.utils import timezone

from accounts.trail.admin_base import ChangeReasonForm
from config.lib.forms import LineField, number_field
from events.abroad.changed_results import check_changed_results, sent_from_abroad
from events.forms import DatesMixin, add_findings, position_field
from events.models import Event, Kind, RatingPeriod, Section
from events.operations import (
    EventError,
    lock_event,
    lock_for_removal,
    lock_open_periods,
    lock_section,
    require_approved_body,
)
from events.organising_body import organising_body
from events.registration.queries import organiser_problem
from events.rules.days import outside_errors
from events.rules.findings import Finding, Severity
from events.rules.registration import border_errors, hub_errors, section_name_errors
from events.rules.sizes import MOST_TIME
from events.rules.states import ACCEPTED_OR_LATER
from events.submission.changed_facts import FACTS, check_changed_facts

# Fields that a published list was made from or shows. The other fields of an event may still be corrected.
LISTED = ("kind", "region", "federation", "starts", "ends", "hubs", "fide_rated", "norm_event")


def closed_sections(event: Event) -> list[Section]:
    """Return the sections of an event whose period is published or being published."""
    rows = event.sections.filter(period__state__in=RatingPeriod.CLOSED)
    return list(rows.select_related("event", "period"))


class EventAdminForm(DatesMixin, ChangeReasonForm):
    """An event. With published sections, the LISTED fields cannot be changed."""

    class Meta:
        field_classes: ClassVar = {"name": LineField, "organiser_name": LineField, "organising_body": LineField}

    def clean(self) -> dict[str, Any]:
        """Check the event, with locks on its row and periods, so that it is not published or moved meanwhile."""
        cleaned = super().clean()
        self._check_changed(border_errors, "kind", "federation", "fide_rated", "results_url")
        self._check_changed(hub_errors, "kind", "region", "hubs")
        current = lock_event(self.instance.pk, organiser=cleaned.get("organiser_number") or "")
        organiser = ("organiser_name", "organiser_number")
        if {*organiser}.intersection(self.changed_data) and (
            problem := organiser_problem(*map(cleaned.get, organiser))
        ):
            self.add_error("organiser_number", problem)
        kinds = {current.kind, cleaned.get("kind", current.kind)}
        if len(kinds) == 2 and Kind.ABROAD in kinds and current.sections.filter(submissions__isnull=False).exists():
            # Opponents abroad are rated otherwise (articles 43 to 45), and were entered as such or not at all.
            self.add_error(
                "kind",
                "Its results are here, and were sent in as those of another kind: refuse the event, and have it registered anew"
                " (articles 10, 43).",
            )
        if current.state in ACCEPTED_OR_LATER:
            self._check_body(current)
        # A page that was loaded before the publication still sends the fields.
        if any(name in self.data for name in LISTED):
            try:
                lock_open_periods(RatingPeriod.objects.filter(sections__event=current), str(current))
            except EventError as error:
                changed = [name for name in LISTED if name not in self.fields or name in self.changed_data]
                if changed:
                    self.add_error(None, f"{error}: load the page again, and change the rest.")
        return cleaned

    def _check_body(self, current: Event) -> None:
        """Refuse to give an accepted event an organising body that is not approved, or to make it national with one (62.4)."""
        names = ("kind", "region", "organising_body")
        changed = Event(pk=current.pk, name=current.name)
        for name in names:
            setattr(changed, name, self.cleaned_data.get(name, getattr(current, name)))
        if (changed.kind, organising_body(changed)) == (current.kind, organising_body(current)):
            return
        try:
            require_approved_body(changed)
        except EventError as error:
            self.add_error("organising_body", f"It is {current.state}, and this does not hold for it: {error}.")

    def _check_changed(self, rule: Callable[..., Iterable[Finding]], *names: str) -> None:
        """Check values of the event by a rule of the registration, which takes them by name, if one of them is changed.

        A value that the page only shows, of a published event, is the one on record.
        """
        if set(names).intersection(self.changed_data) and not set(names).intersection(self.errors):
            values = {name: self.cleaned_data.get(name, getattr(self.instance, name)) for name in names}
            add_findings(self, (finding for finding in rule(**values) if finding.field in self.fields))


class SectionAdminForm(DatesMixin, forms.ModelForm):
    """A section in a row of its event's page. `holds`: what its file is held for once it is changed; None: it is not."""

    holds: tuple[Finding, ...] | None = None
    position = position_field()
    base_minutes = number_field("Base time, minutes", 0, MOST_TIME, required=True)
    increment_seconds = number_field("Increment, seconds a move", 0, MOST_TIME, required=True)

    class Meta:
        field_classes: ClassVar = {"name": LineField}

    def clean(self) -> dict[str, Any]:
        """Check that the section is within its event and, if it was changed, not published, with a lock on its period."""
        cleaned = super().clean()
        section: Section = self.instance
        event = cleaned.get("event") or (section.event if section.event_id else None)
        starts, ends = cleaned.get("starts"), cleaned.get("ends")
        if event and event.starts and event.ends and starts and ends:
            add_findings(self, outside_errors(starts, ends, event.starts, event.ends))
        if event is None or event.pk is None or self.errors or not self.has_changed():
            return cleaned
        section.event, section.ends = event, cleaned["ends"]
        try:
            lock_section(section)
        except EventError as error:
            self.add_error(None, f"{error}.")
        if section.pk and FACTS.intersection(self.changed_data):
            self._check_facts(cleaned)
        return cleaned

    def _check_facts(self, cleaned: dict[str, Any]) -> None:
        """Hold the changed time control, format and days against the file, as it was when it was sent in."""
        for name in FACTS.intersection(cleaned):
            setattr(self.instance, name, cleaned[name])
        today, results = timezone.localdate(), sent_from_abroad(self.instance)
        findings = (
            check_changed_results(self.instance, results, today=today)
            if results
            else check_changed_facts(self.instance, today=today)
        )
        self.holds = tuple(finding for finding in findings if finding.severity is Severity.HOLD)
        for finding in findings:
            if finding.severity is Severity.ERROR:
                self.add_error(None, f"{finding.message} (article {finding.article})")


class SectionPageForm(SectionAdminForm, ChangeReasonForm):
    """A section on its own page."""

    def clean(self) -> dict[str, Any]:
        """Check also that a new name is not that of another section of the event."""
        cleaned = super().clean()
        event: Event | None = cleaned.get("event") or (self.instance.event if self.instance.event_id else None)
        if event is not None and "name" in cleaned and {"name", "event"}.intersection(self.changed_data):
            others = event.sections.exclude(pk=self.instance.pk).values_list("name", flat=True)
            _add_name_errors([*((None, name) for name in others), (self, cleaned["name"])])
        return cleaned


def _add_name_errors(rows: Iterable[tuple[forms.ModelForm | None, str]]) -> None:
    """Put what is wrong with the names of an event's sections at those rows that have a form (article 13.1)."""
    rows = list(rows)
    for place, message in section_name_errors([name for _, name in rows]):
        form = rows[place][0]
        if form is not None:
            form.add_error("name", f"{message.removesuffix('.')} (article 13.1).")


class SectionFormSet(forms.BaseInlineFormSet):
    """An event's sections. One with results cannot be deleted."""

    def clean(self) -> None:
        """Check the names and positions of the sections, and each that is to be deleted, with its lock."""
        super().clean()
        self._check_names()
        self._check_positions()
        for form in self.initial_forms:
            if form.instance.pk and getattr(form, "cleaned_data", {}).get("DELETE"):
                try:
                    lock_for_removal(form.instance)
                except EventError as error:
                    raise forms.ValidationError(f"{error}.") from None

    def _check_names(self) -> None:
        """Check the names if one is new: what was registered before names were asked for may be corrected otherwise."""
        kept = self._kept()
        if any(form.instance.pk is None or "name" in form.changed_data for form in kept):
            hidden = ((None, section.name) for section in self._not_shown())
            _add_name_errors([*hidden, *((form, form.cleaned_data["name"]) for form in kept)])

    def _check_positions(self) -> None:
        """Refuse the position of a section that the page does not show."""
        taken = {section.position: section for section in self._not_shown()}
        for form in self._kept():
            if other := taken.get(form.cleaned_data["position"]):
                form.add_error("position", f"{other} has it, which is of a published list: give another.")

    def _kept(self) -> list[forms.ModelForm]:
        rows = [form for form in self.forms if not form.errors and form.cleaned_data]
        return [form for form in rows if not form.cleaned_data.get("DELETE")]

    def _not_shown(self) -> Iterable[Section]:
        shown = [form.instance.pk for form in self.initial_forms]
        return Section.objects.filter(event=self.instance).exclude(pk__in=shown) if self.instance.pk else []
