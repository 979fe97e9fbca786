"""Parts of pages that are equal on many of them, such as the menu: rendered once in each process."""

from collections.abc import Hashable
from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.template.loader import get_template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from config.branding import Brand

register = template.Library()


@register.simple_tag
def kept_part(name: str, **words: Hashable) -> SafeString:
    """Return a template rendered with some words, the brand and in the page's language. It knows nothing else of the page."""
    render = _rendered.__wrapped__ if settings.DEBUG else _rendered
    part: SafeString = render(name, settings.BRAND, get_language(), tuple(words.items()))
    return part


@lru_cache(maxsize=256)
def _rendered(name: str, brand: Brand, language: str | None, words: tuple[tuple[str, Any], ...]) -> SafeString:
    return mark_safe(get_template(name).render({**dict(words), "brand": brand}))  # noqa: S308 (a template escapes)
