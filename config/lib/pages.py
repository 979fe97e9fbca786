"""Pages of long lists by the key of a row (keyset pagination): their cost does not grow with the page's number."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Q, QuerySet

from config.lib.parsing import KEY_DIGITS, whole_number

PAGE_SIZE = 50
Row = TypeVar("Row")


def position(text: str | None) -> int | None:
    """Return the key in an address from which a list continues; None if it is not a whole number of a key's length."""
    return whole_number(text or "", digits=KEY_DIGITS)


@dataclass(frozen=True, slots=True)
class Stretch(Generic[Row]):
    """Consecutive rows of a list, and whether there are rows before and after them; both False without rows."""

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
    """Return the `size` rows after a key in an order, or before it if `backwards`. One query.

    `order` names the fields as `order_by` does; together they are unique and not null. `key` holds the values of these fields
    in a row, which need not exist any more; None: from the beginning of the list.
    """
    backwards = backwards and key is not None
    if key is not None:
        rows = rows.filter(_beyond(order, key, backwards))
    if backwards:
        order = [field.removeprefix("-") if field.startswith("-") else f"-{field}" for field in order]
    chosen = list(rows.order_by(*order)[: size + 1])
    more = len(chosen) > size
    chosen = chosen[:size]
    if backwards:
        chosen.reverse()
    earlier, later = (more, True) if backwards else (key is not None, more)
    return Stretch(chosen, bool(chosen) and earlier, bool(chosen) and later)


def _beyond(order: Sequence[str], key: Sequence[Any], backwards: bool) -> Q:
    """Return the condition for the rows after a key, or before it: a field is beyond the key's, the fields before it equal."""
    condition, equal = Q(), dict[str, Any]()
    for field, value in zip(order, key, strict=True):
        name = field.removeprefix("-")
        falling = field.startswith("-") != backwards
        condition |= Q(**equal, **{f"{name}__{'lt' if falling else 'gt'}": value})
        equal[name] = value
    return condition
