"""A player's months, events and games as pages and the API show them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NamedTuple

from django.utils.translation import gettext, gettext_noop

from config.languages import counted
from config.lib import formatting
from events.models import Guest
from events.rules.game_result import BYES, FORFEITS, PLAYED, POINTS, UNPLAYED, Result
from events.rules.states import State
from events.rules.time_controls import time_control_text
from events.wording import state_words, type_words
from ratings.explanations.game_figures import GameFigures
from ratings.lists.definitions import ListDefinition
from ratings.lists.queries import Publication


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game, or a round without one, from the player's side. `opponent` is empty for a bye.

    `figures` are the opponent's rating and the points; `counts_as` a game, a forfeit, an unplayed game, or nothing.
    `number`, `points` and `rating` are the numbers of the round, the points and the opponent's rating. `earned`: what the game
    earned on each list, in a published month; `cells` and `under` are texts of it for wide and narrow pages.
    """

    number: int
    points: float
    rating: float | None
    result: Result
    round: str
    colour: str
    opponent: str
    opponent_number: str
    figures: tuple[str, str]
    remark: str
    counts_as: str
    earned: tuple[GameFigures, ...] = ()
    cells: tuple[str, ...] = ()
    under: str = ""

    def on(self, listing: int) -> GameFigures | None:
        """What the game earned on a list, by its id."""
        return next((figures for figures in self.earned if figures.listing.id == listing), None)


class PlayedRow(NamedTuple):
    """A game, or a round without one, from a player's side, with its section. `opponent` None: abroad, or none.

    `guest`: name, FIDE rating and performance of an opponent abroad; `number` is "" where nobody on the register is meant, and
    of hidden players.
    """

    id: int
    round: int
    result: str
    colour_known: bool
    is_white: bool
    opponent: int | None
    number: str
    name: str
    guest: Guest | None
    section: int
    section_name: str
    starts: date
    ends: date
    base_minutes: int
    increment_seconds: int
    event: int
    event_name: str
    event_state: str
    month: date | None

    @property
    def outcome(self) -> Result:
        """The result as one of the vocabulary."""
        return Result(self.result)

    @property
    def points(self) -> float:
        """The player's points."""
        return POINTS[self.outcome][0 if self.is_white else 1]

    @property
    def guest_rating(self) -> float | None:
        """The FIDE rating of an opponent abroad, else his performance; None where there is no such opponent."""
        if self.guest is None:
            return None
        rating = self.guest.performance if self.guest.fide_rating is None else self.guest.fide_rating
        return None if rating is None else float(rating)


RatingChange = tuple[str, str, str, str]  # list name, code, change, direction


@dataclass(frozen=True, slots=True)
class MonthChange:
    """The change of a published rating in a month. `sentence`: of what it is made up; empty on other systems' lists."""

    listing: ListDefinition
    text: str
    direction: str
    sentence: str = ""


@dataclass(slots=True)
class EventLine:
    """A player's part in a section, with the change on each national list (`changes`) and on the other lists (`others`).

    `earned` are the changes on all lists as (list, change), None for who is new to the list; `performance_rating` is unrounded.
    `lists`: those on which the games say what each of them earned.
    """

    event: int
    section_id: int
    name: str
    section: str
    days: str
    time_control: str
    type: str
    state: str
    score: str = ""
    performance: str = ""
    changes: list[RatingChange] = field(default_factory=list)
    others: list[RatingChange] = field(default_factory=list)
    games: list[GameLine] = field(default_factory=list)
    games_text: str = ""
    penalties: list[str] = field(default_factory=list)
    points: float = 0.0
    starts: date | None = None
    ends: date | None = None
    earned: list[tuple[ListDefinition, float | None]] = field(default_factory=list)
    performance_rating: float | None = None
    lists: list[ListDefinition] = field(default_factory=list)


@dataclass(slots=True)
class PlayerMonth:
    """The events of a period, with the change of the player's rating on each list; `publication` is None before rating.

    Without an event the published rating moved by the weighted average of the last 24 ratings (articles 49, 50).
    """

    publication: Publication | None
    events: list[EventLine]
    changes: list[MonthChange]
    others: list[MonthChange] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """What was played: `3 events, 17 games`."""
        if not self.events:
            return gettext("No games")
        games = [game for event in self.events for game in event.games]
        return f"{counted(len(self.events), '%(count)s event', '%(count)s events')}, {games_text(games)}"


def games_text(games: Sequence[GameLine]) -> str:
    """Return the number of games and, after it, of unrated ones: `17 games and 1 forfeit`."""
    number = Counter(game.counts_as for game in games)
    text = counted(number["game"], "%(count)s game", "%(count)s games")
    beside = []
    if number["forfeit"]:
        beside.append(counted(number["forfeit"], "%(count)s forfeit", "%(count)s forfeits"))
    if number["unplayed game"]:
        beside.append(counted(number["unplayed game"], "%(count)s unplayed game", "%(count)s unplayed games"))
    for others in beside:
        text = gettext("%(games)s and %(others)s") % {"games": text, "others": others}
    return text


def event_line(row: PlayedRow) -> EventLine:
    """Return the section of a game, without its games."""
    return EventLine(
        event=row.event,
        section_id=row.section,
        name=row.event_name,
        section=row.section_name,
        days=formatting.days(row.starts, row.ends),
        time_control=time_control_text(row.base_minutes, row.increment_seconds),
        type=type_words(row.base_minutes, row.increment_seconds, row.ends),
        state=state_words(State(row.event_state)).word,
        starts=row.starts,
        ends=row.ends,
    )


def with_cells(game: GameLine, lists: Sequence[ListDefinition]) -> GameLine:
    """Return the game with its cells: points, then rating, expected score and change on each list, or the rating alone."""
    if not lists:
        return replace(game, earned=(), cells=(game.figures[1], game.figures[0]))
    cells, parts = [game.figures[1]], [game.colour] if game.colour else []
    for listing in lists:
        figures = game.on(listing.id)
        if figures is None:
            cells += [game.figures[0] if listing is lists[0] else "", "", ""]
            continue
        rating = listing.rating(figures.rating) if figures.is_rated else gettext("unrated")
        expected = formatting.decimal(figures.expected, 2)
        cells += [rating, expected, listing.change(figures.change)]
        parts.append(f"{listing.name} {rating}, {expected}")
    kept = tuple(figures for figures in game.earned if any(figures.listing.id == listing.id for listing in lists))
    return replace(game, earned=kept, cells=tuple(cells), under=" · ".join(parts))


def game_line(row: PlayedRow, value: float | None, rating: str, earned: tuple[GameFigures, ...]) -> GameLine:
    """Return a game, or a round without one, for a page; `value` and `rating`: the opponent's, as number and text."""
    outcome, points_text = row.outcome, formatting.score(row.points)
    if outcome in BYES:
        texts = (str(row.round), "", "", "", ("", points_text), gettext(_BYE_WORDS[outcome]), "")
        return GameLine(row.round, row.points, None, outcome, *texts)
    if row.guest:
        value, rating = row.guest_rating, row.guest.rating_text
    colour = (gettext("White") if row.is_white else gettext("Black")) if row.colour_known and outcome in PLAYED else ""
    texts = (
        str(row.round),
        colour,
        row.name,
        row.number,
        (rating, points_text),
        _remark(outcome),
        _counts_as(outcome),
    )
    return GameLine(row.round, row.points, value, outcome, *texts, earned=earned, under=colour)


_BYE_WORDS = {
    Result.PAIRING_BYE: gettext_noop("bye"),
    Result.FULL_BYE: gettext_noop("full-point bye"),
    Result.HALF_BYE: gettext_noop("half-point bye"),
    Result.ZERO_BYE: gettext_noop("did not play"),
}


def _remark(outcome: Result) -> str:
    if outcome in PLAYED:
        return ""
    if outcome in FORFEITS:
        return gettext("forfeit, not rated")
    return gettext("not played, not rated") if outcome in UNPLAYED else gettext("penalty score, not rated")


def _counts_as(outcome: Result) -> str:
    return "game" if outcome in PLAYED else "forfeit" if outcome in FORFEITS else "unplayed game"
