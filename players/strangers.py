"""What those are called who may not be players: the apps above the register say so."""

from collections.abc import Callable, Collection, Iterable, Iterator

from players.models import Player

Names = Callable[[Collection[Player]], Iterable[str]]
_KNOWN: list[Names] = []


def names_strangers(function: Names) -> Names:
    """Register a function that returns what those are called who are none of some players."""
    _KNOWN.append(function)
    return function


def names_of_strangers(players: Collection[Player]) -> Iterator[str]:
    """Yield what those are called who may not be players, and are none of these."""
    for function in _KNOWN:
        yield from function(players)
