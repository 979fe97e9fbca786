"""Texts of the OpenAPI document, which are Markdown, on pages."""

import re

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()
_CODE = re.compile(r"`([^`]+)`")


@register.filter
def with_code(text: str) -> SafeString:
    """Return a text in which what stands between backticks is marked as code."""
    parts = _CODE.split(text)
    marked = (format_html("<code>{}</code>" if place % 2 else "{}", part) for place, part in enumerate(parts))
    return format_html_join("", "{}", ((part,) for part in marked))
