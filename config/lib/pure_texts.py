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
        self._patterns = [
            (template, _longest_part(template), re.compile(_pattern(template), re.DOTALL)) for template in templates
        ]
        self._values = values or {}

    @property
    def templates(self) -> list[str]:
        """The texts, with `%(name)s` for each value."""
        return [template for template, _, _ in self._patterns]

    def said(self, text: str) -> str:
        """Return a text in the reader's language; as it stands if no template fits it."""
        for template, part, pattern in self._patterns:
            if part in text and (fitting := pattern.fullmatch(text)):
                values = {name: self._values.get(name, str)(value) for name, value in fitting.groupdict().items()}
                return gettext(template) % values
        return text

    def knows(self, text: str) -> bool:
        """Return whether a template fits the text."""
        return any(part in text and pattern.fullmatch(text) for _, part, pattern in self._patterns)


def _longest_part(template: str) -> str:
    """Return the longest part between the values, by which most templates are ruled out quickly."""
    return max(_VALUE.sub("\0", template).replace("%%", "%").split("\0"), key=len)


def _pattern(template: str) -> str:
    pattern, seen = "", set()
    for place, part in enumerate(_VALUE.split(template)):
        if place % 2 == 0:
            pattern += re.escape(part.replace("%%", "%"))
        elif part in seen:
            pattern += f"(?P={part})"
        else:
            pattern += f"(?P<{part}>.+?)"
            seen.add(part)
    return pattern
