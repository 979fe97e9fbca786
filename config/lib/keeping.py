"""Keeps what was computed of texts. Pure."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

# Letters of all texts together, and blanks: longer ones, and those of many words, which files can have by the thousand, would
# fill the memory.
LONGEST, MOST_BLANKS = 200, 8
Texts = ParamSpec("Texts")
Result = TypeVar("Result")


def keep_short(most: int) -> Callable[[Callable[Texts, Result]], Callable[Texts, Result]]:
    """Return the decorator that keeps what a function of texts returns for the `most` short ones that were asked for last."""

    def decorate(compute: Callable[Texts, Result]) -> Callable[Texts, Result]:
        kept: Any = lru_cache(maxsize=most)(compute)

        @wraps(compute)
        def computed(*texts: Texts.args, **named: Texts.kwargs) -> Result:
            together: Any = texts[0] if len(texts) == 1 else " ".join(texts)  # type: ignore[arg-type]
            is_short = len(together) <= LONGEST and together.count(" ") <= MOST_BLANKS
            call: Callable[Texts, Result] = kept if is_short else compute
            return call(*texts, **named)

        return computed

    return decorate
