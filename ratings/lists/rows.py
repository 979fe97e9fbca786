"""The lines of published lists: their rows in the database, and the texts that pages and files show."""

from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext, pgettext

from config.languages import counted
from config.lib import formatting
from config.lib.database import as_float
from players.hidden import name_in_public
from ratings.lists.definitions import ListDefinition
from ratings.lists.orders import BY_CHANGE, BY_NAME, BY_RANK, Order
from ratings.models import Rating


@dataclass(frozen=True, slots=True)
class Figures:
    """The numbers of a line, unrounded. `change`: against `previous`, the rating a month before; None for who is new."""

    rank: int
    rating: float
    change: float | None
    previous: float | None = None


class Listed(NamedTuple):
    """What a list says of a player from the register; of his birth no more than the year. A hidden one has no number."""

    number: str
    last_name: str
    first_name: str
    birth_year: int | None
    sex: str
    title_id: str | None
    federation: str
    fide_id: int | None
    club: str
    hidden_since: date | None

    @property
    def in_public(self) -> "Listed":
        """The player as the public sees him."""
        if self.hidden_since is None:
            return self
        shown = name_in_public(self.name, self.hidden_since)
        return Listed("", shown, "", None, "", None, self.federation, None, "", self.hidden_since)

    @property
    def name(self) -> str:
        """First name first."""
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def surname_first(self) -> str:
        """Surname first, as it stands in a list by surname."""
        return f"{self.last_name}, {self.first_name}" if self.first_name else self.last_name


@dataclass(frozen=True, slots=True)
class ListRow:
    """A player's line on a published list, as texts; `figures` are the numbers behind them."""

    player: Listed
    figures: Figures
    position: int
    rank: str
    number: str
    name: str
    title: str
    region: str
    region_name: str
    birth_year: int | None
    rating: str
    previous: str
    change: str
    direction: str
    games: int
    is_active: bool


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of a list. `before` and `after`: the positions to continue from, None at either end."""

    rows: list[ListRow]
    total: int
    before: int | None
    after: int | None
    order: Order = BY_RANK

    @property
    def total_text(self) -> str:
        """The number of players on the list, or of those that match the search."""
        return counted(self.total, "%(count)s player", "%(count)s players")

    @property
    def is_by_rank(self) -> bool:
        """Whether it is in the order of the ranks."""
        return self.order is BY_RANK

    @property
    def is_by_name(self) -> bool:
        """Whether it is in the order of the surnames."""
        return self.order is BY_NAME

    @property
    def is_by_change(self) -> bool:
        """Whether it is in the order of the changes."""
        return self.order is BY_CHANGE

    @property
    def stretch(self) -> str:
        """What is shown: `places 51–100`, `surnames Botha–Cele`, `changes +16.3 to +4.0`; "" if there is nothing."""
        if not self.rows:
            return ""
        first, last = self.rows[0], self.rows[-1]
        if self.order is BY_NAME:
            ends = {"first": first.player.last_name, "last": last.player.last_name}
            return gettext("surnames %(first)s–%(last)s") % ends
        if self.order is BY_CHANGE:
            return gettext("changes %(first)s to %(last)s") % {"first": first.change, "last": last.change}
        ends = {"first": formatting.number(first.position), "last": formatting.number(last.position)}
        return gettext("places %(first)s–%(last)s") % ends

    def caption(self, *, found: bool, always_stretch: bool = False) -> str:
        """Return how many players there are, or were `found`, and which are shown if not all, or in any case."""
        of = {"players": self.total_text, "stretch": self.stretch}
        if self.before is None and self.after is None and not always_stretch:
            return (gettext("%(players)s found.") if found else gettext("%(players)s.")) % of
        return (
            gettext("%(players)s found, %(stretch)s shown.") if found else gettext("%(players)s, %(stretch)s shown.")
        ) % of


_PLAYER_FIELDS = [f"player__{name}" for name in Listed._fields]
_ROW_FIELDS = ("player_id", "list_id", "region__code", "region__name", "rank", "position", "games", "now", "then")
PLAYER, LIST = len(_PLAYER_FIELDS), len(_PLAYER_FIELDS) + 1


def ranked(run: int, **conditions: Any) -> QuerySet[Rating]:
    """Return the rows of a run with a place on a list, the ratings `now` (published) and `then` (a month before) as floats."""
    rows = Rating.objects.filter(run_id=run, position__isnull=False, **conditions)
    return rows.annotate(now=as_float("published"), then=as_float("previous"))


def row_values(rows: "QuerySet[Any]") -> "QuerySet[Any, tuple[Any, ...]]":
    """Return rows of `ranked`, or such rows of live ratings, as `list_row` takes them; with `active` where they are annotated
    with it."""
    active = ["active"] if "active" in rows.query.annotations else []
    return rows.values_list(*_PLAYER_FIELDS, *_ROW_FIELDS, *active)


def list_row(listing: ListDefinition, row: tuple[Any, ...], *, on_desk: bool = False) -> ListRow:
    """Return the line of a row of `row_values`. `on_desk`: who is hidden is named."""
    listed = Listed._make(row[: len(_PLAYER_FIELDS)])
    player = listed if on_desk else listed.in_public
    _, _, region, region_name, rank, place, games, now, then, *active = row[len(_PLAYER_FIELDS) :]
    change = None if then is None else now - then
    return ListRow(
        player=player,
        figures=Figures(rank, now, change, then),
        position=place,
        rank=formatting.number(rank),
        number=player.number,
        name=player.name,
        title=player.title_id or "",
        region=region or "",
        region_name=region_name or "",
        birth_year=player.birth_year,
        rating=listing.rating(now),
        previous="" if then is None else listing.rating(then),
        change=pgettext("player", "new") if change is None else listing.change(change),
        direction=listing.direction(change),
        games=games,
        is_active=bool(active[0]) if active else True,
    )
