"""Table cells in one go: a template's own loop takes ten times as long, and a history has a thousand of them."""

from collections.abc import Iterable
from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_tag
def figure_cells(texts: Iterable[str]) -> SafeString:
    """A cell for each text, set as a figure."""
    return mark_safe("".join(f'<td class="num">{escape(text)}</td>' for text in texts))  # noqa: S308 (escaped)
