"""Texts that users write, such as reasons and answers. Pure."""

import unicodedata

from config.lib.names import composed, is_unseen

_KEPT = "\n\r\t"
_SEPARATORS = ("Cc", "Zl", "Zp")  # of which a blank is left, so that words stay apart


def plain_text(text: str) -> str:
    """Return a text without characters that cannot be seen or change the direction of others, and without blanks around it.

    Line breaks stay, and letters are composed. What is left of a text of such characters only is "".
    """
    return composed("".join(map(_plain, text)).strip())


def plain_name(text: str) -> str:
    """Return a name that a file gives as names are stored: a `plain_text` on one line."""
    return " ".join(plain_text(text).split())


def shortened(text: str, longest: int) -> str:
    """Return a text of at most so many characters, which ends where a word does: an erasure looks for
    whole names."""
    if len(text) <= longest:
        return text
    if text[longest].isspace():
        return text[:longest].rstrip()
    words = text[:longest].rsplit(None, 1)
    return words[0] if len(words) > 1 else text[:longest]


def _plain(char: str) -> str:
    if char in _KEPT or not is_unseen(char):
        return char
    return " " if unicodedata.category(char) in _SEPARATORS else ""
