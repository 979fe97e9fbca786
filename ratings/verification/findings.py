"""What a verification finds."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from django.db import Error, connection

from config.lib.names import shown
from players.models import Player

_MOST_LOOKS = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it was published. `place`: the list or month; `player`: the key of whom it is about, None for
    nobody; `what`: what stands and what should stand; `more`: how many further rows of the place differ."""

    place: str
    what: str
    player: int | None = None
    more: int = 0

    @property
    def text(self) -> str:
        """The finding as one line, with signs for what cannot be seen. One query where it is about a player."""
        who = "" if self.player is None else f", {_called(self.player)}"
        more = f" ({self.more} further rows of it differ)" if self.more else ""
        return shown(" ".join(f"{self.place}{who}: {self.what}{more}".split()))


def _called(key: int) -> str:
    try:
        player = Player.objects.filter(pk=key).first()
    except Exception as error:
        _require_answer(error)
        return f"player of key {key}, whose row cannot be read"
    return str(player or f"player of key {key}, who is not on the register")


def stands(column: str, found: str, expected: str, why: str) -> str:
    """Return in words that a column has another value than it should have; `why`: from what that is known."""
    return f"{column} is {found or 'empty'} and should be {expected or 'empty'}, {why}"


def found_twice(place: str, look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """Return what is found by two looks, each `as_far_as_readable`, one right after the other: on a site in use a list may be
    published between two queries of one look."""
    found = list(as_far_as_readable(place, look()))
    for _ in range(_MOST_LOOKS):
        if not found or (again := list(as_far_as_readable(place, look()))) == found:
            break
        found = again
    return found


def as_far_as_readable(place: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings, and last, where a row cannot be read, that it cannot: it hides nothing that comes after it. Raises the
    error of a database that does not answer any more."""
    try:
        yield from findings
    except Exception as error:
        _require_answer(error)
        yield Finding(place, f"what stands there cannot be read: {type(error).__name__}: {error}")


def _require_answer(error: Exception) -> None:
    """Raise an error if it is that of a database that does not answer any more."""
    if isinstance(error, Error) and not connection.is_usable():
        raise error
