"""What an officer looks at before he publishes a re-rating, or lets the past stand: the players, greatest change first."""

from collections.abc import Sequence
from dataclasses import dataclass

from config.lib import formatting
from players.models import Player
from ratings.lists.definitions import ListDefinition, list_definitions
from ratings.models import Rerating
from ratings.periods import RunError
from ratings.rerating.adjustments import raw_differences
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

    player: Player
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
    return [ChangedPlayer(players[change.player_id], chosen.listing, change) for change in rows]


@dataclass(frozen=True, slots=True)
class AdjustedPlayer:
    """A player's raw rating at the end of the last published month, as it is and as it would be, and the adjustment."""

    player: Player
    listing: ListDefinition
    published_text: str
    right_text: str
    points_text: str


@dataclass(frozen=True, slots=True)
class FromNowOn:
    """What letting the past stand would adjust: the first players, and how many more there are.

    `left_out`: players who come on one of Chess SA's lists or leave it, and have no difference; `others`: players whose ratings
    on lists of other systems change, which are not adjusted; both in the last published month. `obstacle`: why it cannot be
    done, "" if it can.
    """

    players: list[AdjustedPlayer]
    more: int
    left_out: int
    others: int
    obstacle: str = ""

    @property
    def count(self) -> int:
        """How many adjustments there are."""
        return len(self.players) + self.more


def from_now_on(rerating: Rerating) -> FromNowOn:
    """Return what letting the past of a calculated re-rating stand would adjust."""
    lists = {listing.code: listing for listing in list_definitions()}
    by_id = {listing.id: listing for listing in lists.values()}
    try:
        rows = raw_differences(rerating)
    except RunError as error:
        return FromNowOn([], 0, 0, 0, str(error))
    last = max((line["month"] for line in rerating.impact), default="")
    run = rerating.runs.select_related("period").latest("period__month")
    lines = [line for line in rerating.impact if line["month"] == last == str(run.period)]
    national = [line for line in lines if line["list"] in lists and lists[line["list"]].is_national]
    obstacle = "it merges players: what is published of two players cannot stand." if rerating.merges.exists() else ""
    players = Player.objects.in_bulk([row.player_id for row in rows[:MOST]])
    return FromNowOn(
        players=[
            AdjustedPlayer(
                players[row.player_id],
                by_id[row.list_id],
                formatting.rating(row.published, 2),
                formatting.rating(row.right, 2),
                formatting.change(float(row.points), 2),
            )
            for row in rows[:MOST]
        ],
        more=max(len(rows) - MOST, 0),
        left_out=sum(line["new"] + line["gone"] for line in national),
        others=sum(line["players"] for line in lines) - sum(line["players"] for line in national),
        obstacle=obstacle,
    )
