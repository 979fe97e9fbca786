"""What a preview expects of players, as texts: their ratings before and after, for the desk and for an event's own people."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from ratings.lists.definitions import ListDefinition
from ratings.live.preview import Expected, Preview


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating on a list before and after, as texts. `direction`: up, down or ""; `why`: the articles that act, or ""."""

    listing: ListDefinition
    before: str
    after: str
    change: str
    direction: str
    why: str


def rated(previews: Iterable[Preview], lists: Sequence[ListDefinition]) -> dict[tuple[int, int], list[Rated]]:
    """Return (section, player) → what is expected of his ratings: on Main and on the list of the section's type of game."""
    by_code = {listing.code: listing for listing in lists}
    return {
        key: [_rated(by_code[row.code], row) for row in rows if row.code in by_code]
        for one in previews
        for key, rows in one.ratings.items()
    }


def _rated(listing: ListDefinition, expected: Expected) -> Rated:
    before, after = expected.before, expected.after
    change = None if before is None or after is None else after - before
    return Rated(
        listing,
        gettext("unrated") if before is None else listing.rating(before),
        gettext("unrated") if after is None else listing.rating(after),
        gettext("new") if before is None and after is not None else listing.change(change),
        "" if change is None else listing.direction(change),
        ", ".join(gettext(text) for text in expected.why),
    )
