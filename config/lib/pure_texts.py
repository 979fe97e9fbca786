"""Says in the reader's language what pure code has written in English."""

import re
from collections.abc import Callable, Mapping

from django.utils.translation import gettext

_VALUE = re.compile(r"%\((\w+)\)s")


class PureTexts:
    """Texts of pure code, each marked for translation where this is made; a value in one is `%(name)s`.

    `values`: by the name of a value, what says it in the reader's language if it is itself written in English.
    """

    def __init__(self, *templates: str, values: Mapping[str, Callable[[str], str]] | None = None) -> None:
        self._patterns = [(template, _Pattern(template)) for template in templates]
        self._values = values or {}

    @property
    def templates(self) -> list[str]:
        """The texts, with `%(name)s` for each value."""
        return [template for template, _ in self._patterns]

    def said(self, text: str) -> str:
        """Return a text in the reader's language; as it stands if no template fits it."""
        for template, pattern in self._patterns:
            if (fitting := pattern.values_in(text)) is not None:
                values = {name: self._values.get(name, str)(value) for name, value in fitting.items()}
                return gettext(template) % values
        return text

    def knows(self, text: str) -> bool:
        """Return whether a template fits the text."""
        return any(pattern.values_in(text) is not None for _, pattern in self._patterns)


class _Pattern:
    """Finds the values of a template in a text. Hazard: a value may be a long text of a stranger, made so that it nearly fits:
    a regular expression of several values would try every place for each."""

    def __init__(self, template: str) -> None:
        parts = _VALUE.split(template)
        self._names = parts[1::2]
        self._first, *self._following = (part.replace("%%", "%") for part in parts[::2])
        self._longest = max((self._first, *self._following), key=len)

    def values_in(self, text: str) -> dict[str, str] | None:
        """Return the values by name, each as short as it can be but for the last; None if the text does not fit."""
        if self._longest not in text:
            return None
        values: dict[str, str] = {}
        # The value that begins at the place, if one does, and what stands behind it.
        name, place, part = "", 0, self._first
        for next_name, next_part in zip(self._names, self._following, strict=True):
            if next_name in values:  # a name that stands twice has one value
                part += values[next_name] + next_part
                continue
            end = text.find(part, place + 1) if name else place
            if end < 0 or not text.startswith(part, end):
                return None
            if name:
                values[name] = text[place:end]
            place = end + len(part)
            name, part = ("", values[name] + next_part) if next_name == name else (next_name, next_part)
        end = len(text) - len(part)
        if text[end:] != part or (end <= place if name else end != place):
            return None
        return values | {name: text[place:end]} if name else values
