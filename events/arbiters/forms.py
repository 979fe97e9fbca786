"""The admin's rows of an event's arbiters."""

from django import forms

from config.lib.forms import number_field
from events.arbiters.operations import require_arbiter
from events.rules.sizes import LAST_POSITION
from events.rules.states import EventError


class AppointmentForm(forms.ModelForm):
    """An arbiter in a row of his event's page."""

    position = number_field("Position", 1, LAST_POSITION, required=True)


class AppointmentFormSet(forms.BaseInlineFormSet):
    """An event's arbiters. An accepted event keeps one."""

    def clean(self) -> None:
        """Check that not all rows are deleted."""
        super().clean()
        rows = [form for form in self.forms if getattr(form, "cleaned_data", None)]
        left = sum(not form.cleaned_data.get("DELETE") for form in rows)
        try:
            require_arbiter(self.instance, left)
        except EventError as error:
            raise forms.ValidationError(str(error)) from None
