"""The admin's rows of an event's arbiters."""

from django import forms

from config.lib.forms import ShownErrors
from events.arbiters.operations import require_arbiter
from events.forms import position_field
from events.rules.states import EventError


class AppointmentForm(ShownErrors, forms.ModelForm):
    """An arbiter in a row of his event's page."""

    position = position_field()


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
