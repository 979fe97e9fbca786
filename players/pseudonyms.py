"""The names of players whose data was erased."""

import re
import secrets
from typing import Final

PSEUDONYM_BEGINS: Final = "Player "
PSEUDONYM: Final = r"^Player [1-9][0-9]{6}$"
ERASED: Final = "(erased)"  # in the place of what told something else of him
_IN_TEXT: Final = re.compile(rf"\b{PSEUDONYM[1:-1]}\b")


def is_pseudonym(name: str) -> bool:
    """Return whether a name is that of a player whose data was erased; such a name is public though he is hidden."""
    return re.match(PSEUDONYM, name) is not None


def count_pseudonyms(text: str) -> int:
    """Return how often players whose data was erased are named in a text."""
    return len(_IN_TEXT.findall(text))


def names_erased(text: str, begin: int) -> bool:
    """Return whether such a name begins there in a text."""
    return _IN_TEXT.match(text, begin) is not None


def new_pseudonym() -> str:
    """Return a name by which nobody is found: drawn by chance, not made from anything that is kept of him."""
    return f"{PSEUDONYM_BEGINS}{1_000_000 + secrets.randbelow(9_000_000)}"
