"""Keeps what was computed of texts. Pure."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

LONGEST = 200  # letters of all texts together: longer ones, which files can have by the thousand, would fill the memory
Texts = ParamSpec("Texts")
Result = TypeVar("Result")


def keep_short(most: int) -> Callable[[Callable[Texts, Result]], Callable[Texts, Result]]:
    """Return the decorator that keeps what a function of texts returns for the `most` short ones that were asked for last."""

    def decorate(compute: Callable[Texts, Result]) -> Callable[Texts, Result]:
        kept: Any = lru_cache(maxsize=most)(compute)

        @wraps(compute)
        def computed(*texts: Texts.args, **named: Texts.kwargs) -> Result:
            call = kept if sum(map(len, texts)) <= LONGEST else compute  # type: ignore[arg-type]
            return call(*texts, **named)

        return computed

    return decorate
