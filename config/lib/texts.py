"""Texts that users write, such as reasons and answers. Pure."""

import unicodedata

from config.lib.names import UNSEEN

_KEPT = "\n\r\t"
_SEPARATORS = ("Cc", "Zl", "Zp")  # of which a blank is left, so that words stay apart
# Letters, marks and signs that show nothing: fillers, the joiner of graphemes, the blank of Braille, variation selectors.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {chr(code) for code in range(0xFE00, 0xFE10)}


def plain_text(text: str) -> str:
    """Return a text without characters that cannot be seen or change the direction of others, and without blanks around it.

    Line breaks stay. What is left of a text of such characters only is "".
    """
    return "".join(map(_plain, text)).strip()


def _plain(char: str) -> str:
    category = unicodedata.category(char)
    if char in _KEPT or (category not in UNSEEN and char not in _BLANK):
        return char
    return " " if category in _SEPARATORS else ""
