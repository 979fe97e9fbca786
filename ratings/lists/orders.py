"""The orders of a list: by rank, by surname, by change."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Case, CharField, F, FloatField, IntegerField, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from players.hidden import not_hidden
from ratings.models import Rating

_NEW = -1e6  # below every change: who is new to a list comes last


@dataclass(frozen=True, slots=True)
class Order:
    """An order of the rows of a list: its word in addresses, what pages call it, and the fields as `order_by` has them.

    The last field is `position`, which tells all rows of a list apart and stands for a row in addresses.
    """

    code: str
    name: Promise
    fields: tuple[str, ...]

    def key(self, position: int, rows: QuerySet[Rating]) -> list[Any]:
        """Return the values of the fields in the row of a position among `rows`, to continue from: expressions that the query
        of the page looks up itself."""
        names = [field.removeprefix("-") for field in self.fields[:-1]]
        return [*(Subquery(rows.filter(position=position).values(name)) for name in names), position]


BY_RANK = Order("", gettext_lazy("by rank"), ("position",))
BY_NAME = Order("name", gettext_lazy("by surname"), ("unnamed", "surname", "position"))
BY_CHANGE = Order("change", gettext_lazy("by change, greatest rise first"), ("-moved", "position"))
ORDERS = {order.code: order for order in (BY_RANK, BY_NAME, BY_CHANGE)}


def by_surname(rows: QuerySet[Rating]) -> QuerySet[Rating]:
    """Return rows with what their order by surname needs: hidden players come last, since a place among the surnames would
    tell theirs."""
    shown = not_hidden("player__")
    return rows.annotate(
        unnamed=Case(When(shown, then=0), default=1, output_field=IntegerField()),
        surname=Case(When(shown, then=F("player__folded_name")), default=Value(""), output_field=CharField()),
    )


def moved() -> Coalesce:
    """Return the change against the month before of rows with `now` and `then`, for their order."""
    return Coalesce(F("now") - F("then"), Value(_NEW), output_field=FloatField())
