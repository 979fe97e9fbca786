"""What an officer looks at before he publishes a re-rating: the players of a list of a month, greatest change first."""

from collections.abc import Sequence
from dataclasses import dataclass

from config.lib import formatting
from players.models import Player
from ratings.lists.definitions import ListDefinition, list_definitions
from ratings.models import Rerating
from ratings.rerating.impact import Change, changes_of

MOST = 50  # players a page


@dataclass(frozen=True, slots=True)
class Chosen:
    """A list of a month that the re-rating changes; empty where it changes none."""

    month: str
    listing: ListDefinition | None

    @classmethod
    def of(cls, rerating: Rerating, month: str, code: str) -> "Chosen":
        """Return the one that is asked for, else the first that changes."""
        known = [(line["month"], line["list"]) for line in rerating.impact]
        asked = (month, code) if (month, code) in known else next(iter(known), ("", ""))
        lists = {listing.code: listing for listing in list_definitions()}
        return cls(asked[0], lists.get(asked[1]))


@dataclass(frozen=True, slots=True)
class ChangedPlayer:
    """A player's published rating and place, as they were and as they become."""

    name: str
    number: str
    listing: ListDefinition
    change: Change

    @property
    def old_text(self) -> str:
        """The rating as it is published."""
        return "–" if self.change.old is None else self.listing.rating(self.change.old)

    @property
    def new_text(self) -> str:
        """The rating as it becomes."""
        return "–" if self.change.new is None else self.listing.rating(self.change.new)

    @property
    def change_text(self) -> str:
        """By how much; "on" or "off" for who comes on the list or leaves it."""
        if self.change.old is None:
            return "comes on the list"
        return "leaves the list" if self.change.new is None else self.listing.change(self.change.new - self.change.old)

    @property
    def places_text(self) -> str:
        """The places in the order of the list."""
        places = (self.change.old_position, self.change.new_position)
        return " → ".join("–" if place is None else formatting.number(place) for place in places)


def changed_players(rerating: Rerating, chosen: Chosen) -> Sequence[ChangedPlayer]:
    """Return the players whose ratings a re-rating changes on a list of a month, greatest change first."""
    run = (
        rerating.runs.select_related("period").filter(period__month=f"{chosen.month}-01").first()
        if chosen.month
        else None
    )
    if run is None or chosen.listing is None:
        return []
    rows = [change for change in changes_of(run) if change.list_id == chosen.listing.id]
    players = Player.objects.in_bulk([change.player_id for change in rows])
    return [
        ChangedPlayer(players[change.player_id].name, players[change.player_id].number, chosen.listing, change)
        for change in rows
    ]
