"""Says in the reader's language what pure code has written in English."""

import re

from django.utils.translation import gettext

_VALUE = re.compile(r"%\((\w+)\)s")


class PureTexts:
    """Texts of pure code, each marked for translation where this is made; a value in one is `%(name)s`."""

    def __init__(self, *templates: str) -> None:
        self._patterns = [(template, re.compile(_pattern(template), re.DOTALL)) for template in templates]

    def said(self, text: str) -> str:
        """Return a text in the reader's language, with its values as they are; as it stands if no template fits it."""
        for template, pattern in self._patterns:
            if fitting := pattern.fullmatch(text):
                return gettext(template) % fitting.groupdict()
        return text

    def knows(self, text: str) -> bool:
        """Return whether a template fits the text."""
        return any(pattern.fullmatch(text) for _, pattern in self._patterns)


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
