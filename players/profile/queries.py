"""Reads the public register: one player, a page of players, suggestions for a search."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import Http404

from config.languages import counted
from config.lib import formatting
from config.lib.pages import PAGE_SIZE, keyset_page
from events.visibility import public_players
from players.merged import bears_id, require_here
from players.models import Player
from players.search import Choice, suggested_players
from ratings.lists.definitions import ListDefinition
from ratings.lists.queries import Publication, published_ratings


def public_player(number: str) -> Player:
    """Return the player with a number, with title and region. One query.

    Raises Http404 if there is none, and MovedError if he was merged into another one.
    """
    player = public_players().select_related("title", "region").filter(number=number).first()
    if player is None:
        require_here(number)
        raise Http404(f"There is no player with the number {number} on the register.")
    return player


def player_of_number(choice: Choice) -> Player | None:
    """Return the one player to whom a search leads that is a Chess SA id or FIDE id and no more; None otherwise. One query, or
    none."""
    if not choice.digits or choice.place:
        return None
    found = list(public_players().filter(bears_id(choice.digits))[:2])
    return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """A page of the register by name. `before` and `after`: the numbers to continue from, None at either end.

    `rows`: each player with the ratings on the latest lists, in the lists' order.
    `ratings`: these by (player, list), unrounded.
    """

    rows: list[tuple[Player, list[str]]]
    ratings: dict[tuple[int, int], float]
    total: int
    before: str | None
    after: str | None

    @property
    def total_text(self) -> str:
        """The number of players found, in words."""
        return counted(self.total, "%(count)s player", "%(count)s players")


def players(
    choice: Choice,
    lists: list[ListDefinition],
    latest: Publication | None,
    *,
    narrow: Callable[[QuerySet[Player]], QuerySet[Player]] | None = None,
    after: str = "",
    before: str = "",
    size: int = PAGE_SIZE,
) -> PlayerPage:
    """Return players by name, after or before the one with a number; `narrow`: a further filter of them.

    Three queries, four with a number.
    """
    chosen = public_players().filter(choice.on_name(), choice.place.condition())
    if narrow:
        chosen = narrow(chosen)
    total = chosen.count()
    page = keyset_page(
        chosen.select_related("region"),
        ("folded_name", "number"),
        _key(after or before),
        backwards=not after,
        size=size,
    )
    known = published_ratings(latest.run, [player.pk for player in page.rows]) if latest else {}
    return PlayerPage(
        [
            (player, [formatting.rating(known.get((player.pk, listing.id))) for listing in lists])
            for player in page.rows
        ],
        known,
        total,
        before=page.rows[0].number if page.earlier else None,
        after=page.rows[-1].number if page.later else None,
    )


def player_detail(player: Player) -> str:
    """Return what tells a player from namesakes, in a line: title, region, number."""
    return " · ".join(part for part in (player.title_id, player.region and player.region.code, player.number) if part)


def suggestions(text: str) -> list[dict[str, str]]:
    """Return the first players by name that match a text, as `number`, `name`, `listed` (last name first) and `detail`.

    One query, or none without a text.
    """
    return [
        {
            "number": player.number,
            "name": player.name,
            "listed": f"{player.last_name}, {player.first_name}",
            "detail": player_detail(player),
        }
        for player in suggested_players(public_players(), text)
    ]


def _key(number: str) -> tuple[str, str] | None:
    if not number:
        return None
    return public_players().filter(number=number).values_list("folded_name", "number").first()
