"""A calculator's answer on one list, laid out for readers."""

from collections.abc import Mapping
from dataclasses import dataclass

from config.lib import formatting
from ratings.explanations.layout import ShownStep


@dataclass(frozen=True, slots=True)
class Part:
    """The answer on one list: the new rating and its change in full, key figures, remarks, and the explanation."""

    name: str
    code: str
    rating: float | None
    change: float | None
    rating_text: str
    change_text: str
    direction: str
    keys: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...]
    steps: list[ShownStep]


def make_part(
    rating: float | None,
    before: float | None,
    keys: Mapping[str, str],
    steps: list[ShownStep],
    *,
    name: str = "",
    code: str = "",
    remarks: tuple[str, ...] = (),
    decimals: int = 1,
) -> Part:
    """Return the answer from a rating and the one before it, None: unrated; `keys` are key figures in words, by label."""
    change = None if rating is None or before is None else rating - before
    return Part(
        name=name,
        code=code,
        rating=rating,
        change=change,
        rating_text=formatting.rating(rating, decimals),
        change_text="" if change is None else formatting.change(change, decimals),
        direction=formatting.direction(change, decimals),
        keys=tuple(keys.items()),
        remarks=remarks,
        steps=steps,
    )
