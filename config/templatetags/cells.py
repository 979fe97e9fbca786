"""Figures in templates. Cells are made in one call, as a loop in a template takes ten times as long for a history."""

from collections.abc import Iterable
from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from config.lib import formatting

register = template.Library()
register.filter("number", formatting.number)


@register.filter
def articles(numbers: str) -> str:
    """Return the numbers of articles, separated by commas, as pages name them, with the word before."""
    if "," in numbers:
        return gettext("articles %(numbers)s") % {"numbers": numbers}
    return gettext("article %(number)s") % {"number": numbers}


@register.simple_tag
def figure_cells(texts: Iterable[str]) -> SafeString:
    """Return a numeric table cell for each text."""
    return mark_safe("".join(f'<td class="num">{escape(text)}</td>' for text in texts))  # noqa: S308 (escaped)
