"""Long lists in stretches: keyset pages, whose cost does not grow with the depth."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Q, QuerySet

from config.lib.parsing import KEY_DIGITS, whole_number

PAGE_SIZE = 50
Row = TypeVar("Row")


def position(text: str | None) -> int | None:
    """A place to go on from, as an address gives it; None for anything that is not a whole number of ours."""
    return whole_number(text or "", digits=KEY_DIGITS)


@dataclass(frozen=True, slots=True)
class Stretch(Generic[Row]):
    """Consecutive rows of a list, and whether the list goes on before and after them. Without rows it does neither."""

    rows: list[Row]
    earlier: bool
    later: bool


def keyset_page(
    rows: "QuerySet[Any, Row]",
    order: Sequence[str],
    key: Sequence[Any] | None = None,
    *,
    backwards: bool = False,
    size: int = PAGE_SIZE,
) -> Stretch[Row]:
    """The `size` rows that follow a key in an order, or, `backwards`, those that come before it. One query.

    `order` names the fields as `order_by` does; together they are unique and not null. `key` holds the values of these fields
    in a row, there or not; None: from the beginning of the list.
    """
    backwards = backwards and key is not None
    if key is not None:
        rows = rows.filter(_beyond(order, key, backwards))
    if backwards:
        order = [field.removeprefix("-") if field.startswith("-") else f"-{field}" for field in order]
    found = list(rows.order_by(*order)[: size + 1])
    more = len(found) > size
    found = found[:size]
    if backwards:
        found.reverse()
    earlier, later = (more, True) if backwards else (key is not None, more)
    return Stretch(found, bool(found) and earlier, bool(found) and later)


def _beyond(order: Sequence[str], key: Sequence[Any], backwards: bool) -> Q:
    """What holds for the rows after a key, or before it: that a field is beyond the key's and those before it are equal."""
    condition, equal = Q(), dict[str, Any]()
    for field, value in zip(order, key, strict=True):
        name = field.removeprefix("-")
        falling = field.startswith("-") != backwards
        condition |= Q(**equal, **{f"{name}__{'lt' if falling else 'gt'}": value})
        equal[name] = value
    return condition
