"""Two players of the register beside each other, before they are merged."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from config.lib import formatting
from events.models import Game, RatingPeriod, Section
from events.rules.states import EventError
from players.models import Player
from ratings.lists.definitions import list_definitions
from ratings.lists.queries import publications, published_ratings
from ratings.merging.register import Compared, compared, doubt, require_one_sex
from ratings.merging.rows import played_in, require_apart
from ratings.models import Merge
from ratings.rerating.merges import changes_ratings, first_month_of


@dataclass(frozen=True, slots=True)
class PlayedSection:
    """A section that a player played in, and the month of the published list with it, "" before that."""

    section: Section
    day: date
    month: str


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: his ratings on the latest lists, his games, and his sections, the latest first."""

    player: Player
    ratings: list[str]
    games: int
    sections: list[PlayedSection]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both players, what the register says of them, and what a merge would do: `refused` says why it cannot be, `doubt` what
    speaks against it, `first` from which month on published ratings change, None for none."""

    old: Side
    new: Side
    fields: list[Compared]
    lists: list[str]
    refused: str
    doubt: str
    changes: bool
    first: str


def comparison(old: Player, new: Player) -> Comparison:
    """Return two players beside each other."""
    lists, published = list_definitions(), publications()
    known = published_ratings(published[0].run, [old.pk, new.pk]) if published else {}

    def side(player: Player) -> Side:
        ratings = [listing.rating(known.get((player.pk, listing.id))) for listing in lists]
        return Side(player, ratings, _games(player), sections_of(player))

    changes = changes_ratings(old)
    first = first_month_of([Merge(old=old, new=new, sections=_published(old))]) if changes else None
    return Comparison(
        side(old),
        side(new),
        compared(old, new),
        [listing.name for listing in lists],
        _refused(old, new),
        doubt(old, new),
        changes,
        formatting.month(first) if first else "",
    )


def sections_of(player: Player) -> list[PlayedSection]:
    """Return the sections that a player played in, the latest first. One query."""
    rows = played_in(player).select_related("event", "period").order_by("-ends", "-pk")
    return [PlayedSection(section, section.ends, _month(section)) for section in rows]


def _month(section: Section) -> str:
    period = section.period
    return str(period) if period and period.state == RatingPeriod.State.PUBLISHED else ""


def _published(player: Player) -> list[int]:
    return [played.section.pk for played in sections_of(player) if played.month]


def _games(player: Player) -> int:
    return Game.objects.filter(Q(white=player) | Q(black=player)).count()


def _refused(old: Player, new: Player) -> str:
    try:
        require_one_sex(old, new)
        require_apart(old, new)
    except EventError as error:
        return str(error)
    return ""
