"""Reading JSON with a message that names the place: `events[0].games[7].result: ...`. Pure."""

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

MOST_GAMES = 100_000  # of a player, and of what is counted with them
RATING_RANGE = (-4000, 4000)  # what is won month after month on top of it is of four figures, as the columns hold
MOST_ACTIVITY = 9999  # games of the last months that count towards a player's activity
# Of a document. Each is calculated by itself, at a cost of its own beside that of its games: a small event or case takes up to
# half a millisecond, one of the USCF five times as long. Ten months of a bureau have 2,500 events.
MOST_CASES = 1_000
MOST_EVENTS = 2_500  # of the systems that rate one event after the other
COUNTS_AS = {"uscf": 5}  # events of the others, each event of a system
MOST_TAKING_PART = 10_000  # players of these events, each in every event: with their games 0.15 milliseconds each
MOST_PLAYERS = 20_000  # whose standings and lists alone take up to 90 microseconds and 6 kB each
_MOST_SAID = 1_000  # characters of an error


class CaseError(ValueError):
    """A case that cannot be read. The text is one line: the place in the JSON, then what is wrong with it."""

    def __init__(self, place: str, message: str) -> None:
        self.place, self.message = _cut(place), _cut(message)
        super().__init__(f"{self.place}: {self.message}" if place else self.message)


@dataclass(slots=True)  # not frozen: one is made for every value of a case, in half the time
class Node:
    """A JSON value and the place where it stands."""

    value: Any
    place: str

    def fail(self, message: str) -> CaseError:
        """Return the error to raise for this place."""
        return CaseError(self.place, message)

    def fields(self, allowed: Collection[str] | None = None) -> None:
        """Raise CaseError if this is no object or has a member that is not in `allowed`."""
        if not isinstance(self.value, dict):
            raise self.fail(f"an object was expected, found {_shown(self.value)}")
        if allowed is not None:
            for name in self.value:
                if name not in allowed:
                    raise self[name].fail(f"unknown field; known are {', '.join(sorted(allowed))}")

    def members(self, allowed: Collection[str]) -> dict[str, "Node"]:
        """Return the members of an object. Raises CaseError if it is no object or has a member that is not in `allowed`."""
        self.fields(allowed)
        return {name: self[name] for name in self.value}

    def __getitem__(self, name: str) -> "Node":
        """Return a member of an object, with value None where it is missing."""
        return Node(self.value.get(name), f"{self.place}.{name}" if self.place else name)

    def has(self, name: str) -> bool:
        """Return whether an object has the member with a value other than null."""
        return isinstance(self.value, dict) and self.value.get(name) is not None

    def options(self, *allowed: str) -> "Node":
        """Return the member `options` of a case; without one an empty object. Raises CaseError for an unknown option."""
        node = self["options"] if self.has("options") else Node({}, self["options"].place)
        node.fields(allowed)
        return node

    def items(self) -> Iterator["Node"]:
        """Return the elements of a list, in order."""
        if not isinstance(self.value, list):
            raise self.fail(f"a list was expected, found {_shown(self.value)}")
        for index, value in enumerate(self.value):
            yield Node(value, f"{self.place}[{index}]")

    def text(self) -> str:
        """Return a text that is not empty."""
        if not isinstance(self.value, str) or not self.value:
            raise self.fail(f"a text was expected, found {_shown(self.value)}")
        return self.value

    def choice(self, allowed: Collection[str]) -> str:
        """One of a few words."""
        if self.value not in allowed or not isinstance(self.value, str):
            raise self.fail(f"one of {', '.join(allowed)} was expected, found {_shown(self.value)}")
        return self.value

    def flag(self, default: bool = False) -> bool:
        """True or false; `default` where it is missing."""
        if self.value is None:
            return default
        if not isinstance(self.value, bool):
            raise self.fail(f"true or false was expected, found {_shown(self.value)}")
        return self.value

    def number(self, minimum: float | None = None, maximum: float | None = None) -> float:
        """Return a finite number within the limits, both included."""
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float)):
            raise self.fail(f"a number was expected, found {_shown(self.value)}")
        try:
            number = float(self.value)
        except OverflowError:
            raise self.fail("a finite number was expected") from None
        if not math.isfinite(number):
            raise self.fail("a finite number was expected")
        if minimum is not None and number < minimum:
            raise self.fail(f"at least {minimum:g} was expected, found {_shown(self.value)}")
        if maximum is not None and number > maximum:
            raise self.fail(f"at most {maximum:g} was expected, found {_shown(self.value)}")
        return number + 0.0  # Zero has no sign: not every database keeps it.

    def whole(self, minimum: int | None = None, maximum: int | None = None) -> int:
        """Return a whole number within the limits, both included."""
        number = self.number(minimum, maximum)
        if number != int(number):
            raise self.fail(f"a whole number was expected, found {_shown(self.value)}")
        return int(number)

    def day(self) -> date:
        """Return a date, `YYYY-MM-DD`."""
        text = self.text()
        try:
            if len(text) != 10:
                raise ValueError
            return date.fromisoformat(text)
        except ValueError:
            raise self.fail(f"a date YYYY-MM-DD was expected, found {_shown(text)}") from None


def _cut(text: str) -> str:
    """Return text with a name of the document in it, which may have any length, as far as a reader needs it."""
    return text if len(text) <= _MOST_SAID else f"{text[:_MOST_SAID]}…"


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
