"""Forms that notice what another user changed on the same row since the page was opened."""

from typing import Any

from django import forms
from django.db.models import Model
from django.forms.models import model_to_dict
from django.http import QueryDict
from django.utils import timezone

from accounts.models import Decision
from accounts.trail.operations import key_of
from accounts.trail.values import choice_text
from config.lib import formatting


class MeanwhileMixin(forms.ModelForm):  # type: ignore[type-arg]
    """A form that carries along what the page showed of its row, and saves nothing if the row was changed since.

    It then keeps what was typed, takes over the new value of what was not touched, and says who changed what: saving again
    decides on what is shown then. `changed_meanwhile`: whether it was so.
    """

    changed_meanwhile = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in self._own_fields():
            # A program that sends the fields alone has seen nothing that could have changed.
            field = self.fields[name]
            field.show_hidden_initial = not self.is_bound or self.add_initial_prefix(name) in self.data

    def full_clean(self) -> None:
        """Check the fields, then whether the row is still what the page showed, with a lock on it."""
        super().full_clean()
        shown = [name for name in self._own_fields() if self.fields[name].show_hidden_initial] if self.is_bound else []
        if not shown:
            return
        # Last, since the checks of a form lock rating periods before rows.
        present = type(self.instance)._base_manager.select_for_update().filter(pk=self.instance.pk).first()
        if present is None:
            return
        values = model_to_dict(present, shown)
        changed = {
            name: value
            for name, value in values.items()
            if self.fields[name].has_changed(self._shown(name), _line_ends(value))
        }
        if not changed or not any(
            self.fields[name].has_changed(value, self._sent(name)) for name, value in values.items()
        ):
            return  # as sent by a second click, it is all there already
        self.changed_meanwhile = True
        self.add_error(None, self._what_changed(present, changed))
        self._take_over(changed)

    def _own_fields(self) -> list[str]:
        """Return the fields of the row, if it exists, that the page can change."""
        columns = {column.name for column in self._meta.model._meta.fields}
        return [name for name, field in self.fields.items() if name in columns and not field.disabled] * bool(
            self.instance.pk
        )

    def _sent(self, name: str) -> Any:
        """Return what was typed into a field, as the browser sent it."""
        return self.fields[name].widget.value_from_datadict(self.data, self.files, self.add_prefix(name))

    def _shown(self, name: str) -> Any:
        """Return what the page showed of a field."""
        field = self.fields[name]
        text = _line_ends(
            field.hidden_widget().value_from_datadict(self.data, self.files, self.add_initial_prefix(name))
        )
        try:
            return field.to_python(text)
        except forms.ValidationError:  # a choice that is gone since
            return text

    def _what_changed(self, present: Model, changed: dict[str, Any]) -> str:
        step = Decision.objects.filter(subject=key_of(present), action="changed").first()
        who = "Somebody"
        why = ""
        if step is not None:
            at = timezone.localtime(step.at)
            who = f"{step.actor_name}, on {formatting.day(at)} at {at:%H:%M},"
            why = f", because “{step.reason}”" if step.reason else ""
        words = [
            f"{self.fields[name].label or name}: {choice_text(self.fields[name], self._shown(name)) or '–'}"
            f" → {choice_text(self.fields[name], value) or '–'}"
            for name, value in changed.items()
        ]
        return (
            f"{who} changed this while you had it open{why}. {'; '.join(words)}. Nothing of yours was saved: what you typed"
            " stands below, with the new value of what you did not touch. Look at it, and save again."
        )

    def _take_over(self, changed: dict[str, Any]) -> None:
        """Put the new values in the place of those that the page showed, and of fields that were not touched."""
        data = QueryDict(mutable=True)
        data.update(self.data)
        for name, value in changed.items():
            field = self.fields[name]
            if name not in self.changed_data:
                _put(data, self.add_prefix(name), field.widget, field.prepare_value(value))
            _put(data, self.add_initial_prefix(name), field.hidden_widget(), field.prepare_value(value))
        self.data = data


def _line_ends(value: Any) -> Any:
    """Return a text with the line ends of the table: a browser sends others."""
    return value.replace("\r\n", "\n") if isinstance(value, str) else value


def _put(data: QueryDict, name: str, widget: forms.Widget, value: Any) -> None:
    """Set a value as the browser would send it."""
    if isinstance(widget, forms.CheckboxInput):
        data.setlist(name, ["on"] if value else [])
        return
    text = widget.format_value(value)
    data.setlist(name, text if isinstance(text, list) else ["" if text is None else text])
