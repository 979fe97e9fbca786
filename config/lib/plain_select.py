"""A select that is written without a template for each of its options, of which it may have a hundred."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe


class PlainSelect(forms.Select):
    """A choice of one among many."""

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        """Return the element, as the templates of `django.forms.Select` write it."""
        attributes = flatatt(self.build_attrs(self.attrs, {"name": name, **(attrs or {})}))
        return format_html("<select{}>{}</select>", attributes, _options(self.choices, self.format_value(value)))


def _options(choices: Iterable[Any], chosen: Sequence[str]) -> SafeString:
    written = []
    for value, label in choices:
        if isinstance(label, list | tuple):
            written.append(f'<optgroup label="{escape(str(value))}">{_options(label, chosen)}</optgroup>')
        else:
            mark = " selected" if str(value) in chosen else ""
            written.append(f'<option value="{escape(str(value))}"{mark}>{escape(str(label))}</option>')
    return mark_safe("".join(written))  # noqa: S308 (each value and label is escaped above)
