"""Forms that notice what another user changed on the same row since the page was opened."""

from collections.abc import Iterable
from datetime import datetime
from functools import cache
from types import new_class
from typing import Any, ClassVar

from django import forms
from django.db.models import Model, Q
from django.forms.models import BaseInlineFormSet, InlineForeignKeyField, model_to_dict
from django.http import QueryDict
from django.utils import timezone

from accounts.models import Decision
from accounts.trail.operations import key_of
from accounts.trail.values import choice_text
from config.lib import formatting
from config.lib.forms import ShownErrors

MOST_ADDED = 50  # rows of a table at once
_STEPS = 10  # of the trail that are looked at for who changed a row


class MeanwhileMixin(ShownErrors, forms.ModelForm):  # type: ignore[type-arg]
    """A form that carries along what the page showed of its row, and saves nothing if the row was changed since.

    It then keeps what was typed, takes over the new value of what was not touched, and says who changed what: saving again
    decides on what is shown then. `changed_meanwhile`: whether it was so.
    """

    changed_meanwhile = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in self._own_fields():
            # A program that sends the fields alone has seen nothing that could have changed.
            field, shown = self.fields[name], self.add_initial_prefix(name)
            is_sent = not field.hidden_widget().value_omitted_from_data(self.data, self.files, shown)
            # Of several rows of which the page showed none there is nothing to send.
            is_sent |= isinstance(field, forms.ModelMultipleChoiceField) and any(
                sent.startswith("initial-") for sent in self.data
            )
            field.show_hidden_initial = not self.is_bound or is_sent
            if self.is_bound and is_sent and isinstance(field, forms.MultiValueField):
                # Django carries on what was shown only where the data has the name without the number of a part.
                data = QueryDict(mutable=True)
                data.update(self.data)
                data[shown] = ""
                self.data = data

    def full_clean(self) -> None:
        """Check the fields, then whether the row is still what the page showed, with a lock on it. What the page does not
        change is saved as it is there now."""
        super().full_clean()
        if not self.is_bound or self.instance._state.adding:
            return
        # Last, since the checks of a form lock rating periods before rows.
        # Not "FOR UPDATE", for which whoever comes onto the trail as an actor waits: two who edit each other's accounts would
        # wait for one another.
        rows = type(self.instance)._base_manager.select_for_update(no_key=True)
        present = rows.filter(pk=self.instance.pk).first()
        if present is None:
            return
        self._keep_others(present)
        shown = [name for name in self._own_fields() if self.fields[name].show_hidden_initial]
        if not shown:
            return
        values = model_to_dict(present, shown)
        changed = {
            name: value
            for name, value in values.items()
            if self.fields[name].has_changed(self._shown(name), _as_sent(self.fields[name], value))
        }
        if not changed or not any(
            self.fields[name].has_changed(_as_sent(self.fields[name], value), self._sent(name))
            for name, value in values.items()
        ):
            return  # as sent by a second click, it is all there already
        self.changed_meanwhile = True
        self.add_error(None, self._what_changed(present, changed))
        self._take_over(changed)

    def _own_fields(self) -> list[str]:
        """Return the fields of the row, if it exists, that the page can change."""
        if not self.instance.pk:
            return []
        model = self._meta.model._meta
        columns = {column.name for column in (*model.fields, *model.many_to_many)}
        return [name for name, field in self.fields.items() if name in columns and not field.disabled]

    def _keep_others(self, present: Model) -> None:
        for column in present._meta.concrete_fields:
            field = self.fields.get(column.name)
            is_loaded = column.attname not in self.instance.get_deferred_fields()
            if is_loaded and (field is None or field.disabled):
                setattr(self.instance, column.attname, getattr(present, column.attname))

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
            return field.clean(text) if isinstance(field, forms.MultiValueField) else field.to_python(text)
        except forms.ValidationError:  # a choice that is gone since
            return text

    def _what_changed(self, present: Model, changed: dict[str, Any]) -> str:
        step = self._last_step(present)
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

    def _last_step(self, present: Model) -> Decision | None:
        """Return the latest change of the row on the trail, where that of a row of a page's table stands as the page's."""
        of_row = Q(subject=key_of(present))
        parents = [field.parent_instance for field in self.fields.values() if isinstance(field, InlineForeignKeyField)]
        steps = Decision.objects.filter(of_row | Q(subject__in=map(key_of, parents)), action="changed")
        kind = f"{present._meta.verbose_name} "
        for step in steps[:_STEPS]:
            if not parents or step.subject == key_of(present) or any(label.startswith(kind) for label in step.after):
                return step
        return None

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


class RowsMixin(BaseInlineFormSet):  # type: ignore[type-arg]
    """Rows in a table of a page: one that is gone, or was changed before it is removed, is noticed, too. At most MOST_ADDED are
    added at once, whatever number of rows is said to be sent."""

    default_error_messages: ClassVar = {
        "too_many_forms": f"At most {MOST_ADDED} rows are added at once. Nothing of yours was saved."
    }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # A row that is blank costs as much as one that is filled in: Django's own limit is 2,000.
        self.absolute_max = len(self.get_queryset()) + MOST_ADDED
        self.max_num = min(self.max_num, self.absolute_max)

    def clean(self) -> None:
        """Refuse rows that are gone, and the removal of rows that were changed since the page was opened."""
        removed = [form for form in self.initial_forms if getattr(form, "cleaned_data", {}).get("DELETE")]
        kind = self.fk.model._meta.verbose_name
        if any(form.instance.pk is None and form not in removed for form in self.initial_forms):
            self.changed_meanwhile = True
            # The admin pairs forms with these, and would show no row that is gone.
            self._queryset = [form.instance for form in self.initial_forms]
            raise forms.ValidationError(
                f"Somebody removed a {kind} while you had this open: its row still stands below, with what you typed."
                " Nothing of yours was saved. Tick the row to be deleted, and save again; if it is still needed, add it anew."
            )
        if any(getattr(form, "changed_meanwhile", False) for form in removed):
            raise forms.ValidationError(
                f"A {kind} that you meant to delete was changed while you had this open; what was changed stands with it. Save"
                " again if it is to go all the same."
            )
        super().clean()


@cache
def noticing(form: type[Any]) -> type[Any]:
    """Return a model form's class as one that notices what was changed meanwhile."""
    return form if issubclass(form, MeanwhileMixin) else new_class(form.__name__, (MeanwhileMixin, form))


@cache
def noticing_rows(formset: type[Any]) -> type[Any]:
    """Return a formset's class as one that notices rows that are gone, or changed before they are removed."""
    return new_class(formset.__name__, (RowsMixin, formset))


def is_changed_meanwhile(form: Any, formsets: Iterable[Any]) -> bool:
    """Return whether a page was refused because its row, or one of its tables, was changed since it was opened."""
    rows = [row for formset in formsets for row in (formset, *formset.forms)]
    return any(getattr(part, "changed_meanwhile", False) for part in (form, *rows))


def _as_sent(field: forms.Field, value: Any) -> Any:
    """Return a row's value as a browser would send it: line ends, no fractions of a second, day and time apart, the keys of
    several rows."""
    if isinstance(field, forms.ModelMultipleChoiceField):
        return [str(row.pk) for row in value]
    if isinstance(value, datetime):
        value = value.replace(microsecond=0)
    return field.widget.decompress(value) if isinstance(field, forms.MultiValueField) else _line_ends(value)


def _line_ends(value: Any) -> Any:
    """Return a text with the line ends of the table: a browser sends others."""
    return value.replace("\r\n", "\n") if isinstance(value, str) else value


def _put(data: QueryDict, name: str, widget: forms.Widget, value: Any) -> None:
    """Set a value as the browser would send it."""
    if isinstance(widget, forms.MultiWidget):
        for number, (part, text) in enumerate(zip(widget.widgets, widget.decompress(value) or (), strict=True)):
            _put(data, f"{name}_{number}", part, text)
        return
    if isinstance(widget, forms.CheckboxInput):
        data.setlist(name, ["on"] if value else [])
        return
    text = widget.format_value(value)
    data.setlist(name, text if isinstance(text, list) else ["" if text is None else text])
