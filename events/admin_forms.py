"""Forms of the desk for events and sections: the same rules as the organiser's form, and what is published stays."""

from typing import Any

from django import forms

from config.lib.days import outside_problems
from config.lib.forms import DatesMixin
from events.models import Event, RatingPeriod, Section
from events.operations import EventError, hold_open, hold_removal, hold_section

# What a published list was made from, or is shown with. The rest of an event may still be corrected.
LISTED = ("kind", "region", "federation", "starts", "ends", "hubs", "fide_rated", "norm_event")


def closed_sections(event: Event) -> list[Section]:
    """The sections of an event whose month is published or being published."""
    rows = event.sections.filter(period__state__in=RatingPeriod.CLOSED)
    return list(rows.select_related("event", "period"))


class EventDeskForm(DatesMixin, forms.ModelForm):
    """An event. What its published sections are listed with stays."""

    def clean(self) -> dict[str, Any]:
        """Under the lock of its row and months, so that nobody publishes or moves it meanwhile."""
        cleaned = super().clean()
        if self.instance.pk is None:
            return cleaned
        present = Event.objects.select_for_update().get(pk=self.instance.pk)
        self.instance.state, self.instance.version = present.state, present.version
        # A page that was opened before the publication still has the fields; one opened after it does not.
        if any(name in self.data for name in LISTED):
            try:
                hold_open(RatingPeriod.objects.filter(sections__event=present), str(present))
            except EventError as error:
                changed = [name for name in LISTED if name not in self.fields or name in self.changed_data]
                if changed:
                    self.add_error(None, f"{error}: load the page again, and change the rest.")
        return cleaned


class SectionDeskForm(DatesMixin, forms.ModelForm):
    """A section, on its own page or in a row of its event's."""

    def clean(self) -> dict[str, Any]:
        """Within its event; under the lock of its month, unless nothing of it is changed."""
        cleaned = super().clean()
        section: Section = self.instance
        event = cleaned.get("event") or (section.event if section.event_id else None)
        starts, ends = cleaned.get("starts"), cleaned.get("ends")
        if event and event.starts and event.ends and starts and ends:
            for problem in list(outside_problems(starts, ends, event.starts, event.ends)):
                self.add_error(*problem)
        if event is None or event.pk is None or self.errors or not self.has_changed():
            return cleaned
        section.event, section.ends = event, cleaned["ends"]
        try:
            hold_section(section)
        except EventError as error:
            self.add_error(None, f"{error}.")
        return cleaned


class SectionRows(forms.BaseInlineFormSet):
    """An event's sections. One with results is not taken out."""

    def clean(self) -> None:
        """Each that is to be deleted, under its lock."""
        super().clean()
        for form in self.initial_forms:
            if form.instance.pk and getattr(form, "cleaned_data", {}).get("DELETE"):
                try:
                    hold_removal(form.instance)
                except EventError as error:
                    raise forms.ValidationError(f"{error}.") from None
