"""Keeps what was computed of texts. Pure."""

import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

MOST_BYTES = 32_000_000  # of all that is kept of a function
_LARGEST = MOST_BYTES // 1_000  # of what is kept of one call
_NOTHING: Any = object()
Texts = ParamSpec("Texts")
Result = TypeVar("Result")


def keep_small(most: int) -> Callable[[Callable[Texts, Result]], Callable[Texts, Result]]:
    """Return the decorator that keeps what a function of texts returns: texts, numbers, tuples or dataclasses of them.

    When `most` calls are kept, or 32 MB of them, all is forgotten. Hazard: files can have texts by the thousand of which
    something much longer is made, as of one sign that stands for eighteen letters.
    """

    def decorate(compute: Callable[Texts, Result]) -> Callable[Texts, Result]:
        kept: dict[Any, Result] = {}
        room = MOST_BYTES

        def forget() -> None:
            nonlocal room
            kept.clear()
            room = MOST_BYTES

        @wraps(compute)
        def computed(*texts: Texts.args, **_: Texts.kwargs) -> Result:
            nonlocal room
            result: Result = kept.get(texts, _NOTHING)
            if result is _NOTHING:
                result = compute(*texts)  # type: ignore[call-arg]
                size = _size(texts) + (sys.getsizeof(result) if type(result) is str else _size(result))
                if size <= _LARGEST:
                    if size > room or len(kept) >= most:
                        forget()
                    kept[texts] = result
                    room -= size
            return result

        computed.forget = forget  # type: ignore[attr-defined]
        return computed

    return decorate


def _size(value: Any) -> int:
    """Return how many bytes a value takes in memory, or somewhat more."""
    size = sys.getsizeof(value)
    if type(value) is str:
        return size
    if isinstance(value, tuple):
        return size + sum(map(_size, value))
    if is_dataclass(value):
        return size + sum(_size(getattr(value, part.name)) for part in fields(value))
    return size
