"""Fields that are shown and cannot be changed."""

from collections.abc import Iterable

from django import forms


def lock_fields(form: forms.BaseForm, names: Iterable[str]) -> None:
    """Let fields be read and not changed: texts as `readonly`, choices and ticks as `disabled`.

    Hazard: a browser does not send disabled ones; their values are sent by hidden fields beside them (`shared/field.html`).
    """
    for name in names:
        widget = form.fields[name].widget
        chosen = isinstance(widget, (forms.Select, forms.CheckboxInput))
        widget.attrs |= {"disabled": True} if chosen else {"readonly": True}
