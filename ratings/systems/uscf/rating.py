"""The USCF (US Chess) rating system: one event after the other, each from the then current standings. Pure.

Source: Glickman, The US Chess Rating System, in the editions of `ratings.systems.uscf.constants`. A section is rated as
a unit in five steps: starting ratings, effective games, a first look at newcomers, intermediate ratings, final ratings
(`ratings.systems.uscf.section`).
"""

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from config.lib.editions import Edition
from ratings.systems.base import Event, Explanation, RatingError
from ratings.systems.uscf.columns import SideColumns, Standing, StandingColumns, side_columns, standing_columns
from ratings.systems.uscf.explanation import explain
from ratings.systems.uscf.formulas import whole
from ratings.systems.uscf.guide_rating import GuideResult, rate_by_guide
from ratings.systems.uscf.outcome import STILL_UNRATED, Outcome, standing_after
from ratings.systems.uscf.section import Columns, Way, rate_section

CODE = "uscf"
NAME = "US Chess (USCF)"
METHODS = ("full", "approximate", "guide")


class Result:
    """An event rated: `outcomes` and the `standings` afterwards by player, and `explain(player)`.

    The next event is rated from `standings`: the new rating (the published one where ratings are whole numbers), games,
    career totals, and for the established the new peak if it is higher.
    """

    def __init__(self, event: Event, before: Mapping[str, Standing], columns: Columns) -> None:
        self.event = event
        self.before = before
        self.columns = columns

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        """Every player's outcome, in the order of the standings."""
        c = self.columns
        figures = (c.start, c.effective, c.k, c.score, c.last.expected, c.last.bonus, c.rating, c.published, c.floor)
        rows = zip(*(_cells(column) for column in figures), strict=True)
        games = [None if total == np.inf else total for total in c.games.tolist()]
        kinds = zip(c.standings.rated.tolist(), (c.played > 0).tolist(), c.special.tolist(), games, strict=True)
        outcomes = {}
        for name, row, (rated, active, special, total) in zip(c.standings.names, rows, kinds, strict=True):
            start, effective, k, score, expected, bonus, rating, published, floor = row
            shown = None if published is None else int(published)
            if active and not special:
                outcome = Outcome(
                    start, effective, "standard", k, score or 0.0, expected, bonus, rating, shown, total, floor
                )
            elif active:
                weight = None if c.way.approximate else effective
                outcome = Outcome(start, weight, "special", None, score or 0.0, None, None, rating, shown, total, floor)
            elif rated:
                outcome = Outcome(start, None, None, None, 0.0, None, None, rating, shown, total, None)
            else:
                outcome = STILL_UNRATED
            outcomes[name] = outcome
        return outcomes

    @cached_property
    def standings(self) -> dict[str, Standing]:
        """Every player's standing after the event."""
        c = self.columns
        edition = c.way.edition
        players = len(c.standings.names)
        wins = np.bincount(c.sides.owner[c.sides.score == 1.0], minlength=players).tolist()
        draws = np.bincount(c.sides.owner[c.sides.score == 0.5], minlength=players).tolist()
        stored = (c.published if edition["whole_ratings"] else c.rating).tolist()
        after = {}
        for row, (name, standing) in enumerate(self.before.items()):
            played, total = int(c.played[row]), float(c.games[row])
            if not played:
                after[name] = standing
                continue
            after[name] = standing_after(
                standing,
                edition,
                rating=stored[row],
                games=None if total == np.inf else total,
                played=played,
                score=float(c.score[row]),
                wins=wins[row],
                draws=draws[row],
            )
        return after

    def explain(self, player: str) -> Explanation:
        """Return the explanation of a player's rating. Raises RatingError for a player without a standing."""
        row = self.columns.standings.index.get(player)
        if row is None:
            raise RatingError(f"player {player!r} has no standing", player=player, event=self.event.id)
        return explain(self.event, self.before[player], self.columns, row)


def _cells(column: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[float | None]:
    if not np.isnan(column).any():
        return list(column.tolist())
    return [None if value != value else value for value in column.tolist()]


def rate(
    event: Event,
    standings: Mapping[str, Standing],
    edition: Edition,
    *,
    method: str = "full",
    half_k: bool = False,
    dual_regular: bool = False,
    match: bool = False,
    online: bool = False,
) -> Result | GuideResult:
    """Rate an event (a section as a unit) from the standings before it. Everybody with a standing has an outcome.

    `method` "full" is the five-step algorithm; "approximate" are the one-player formulas of which the guide is a digest,
    with all opponents at their old ratings and no floors; "guide" are the guide's own tables (`rate_by_guide`). `half_k`:
    a half-K event (until 2006); `dual_regular`: the regular side of a dual-rated event; `match`: a match of two, who must
    not be too far apart; `online`: an event that is not over the board, which knows the absolute floor alone. RatingError
    names the player or game that cannot be rated.
    """
    if method not in METHODS:
        raise RatingError(f"no method “{method}”: choose one of {', '.join(METHODS)}", event=event.id)
    if half_k and not edition["half_k_allowed"]:
        raise RatingError(f"edition {edition.name} knows no half-K events", event=event.id)
    if method == "guide":
        if dual_regular or match or online:
            raise RatingError("the guide knows no dual-rated events, matches and online events", event=event.id)
        return rate_by_guide(event, standings, edition, half_k=half_k)
    columns = standing_columns(standings, edition)
    sides = side_columns(event, columns.index)
    if match:
        _check_match(event, columns, sides, edition)
    way = Way(
        edition,
        approximate=method == "approximate",
        half_k=half_k,
        dual_regular=dual_regular,
        match=match,
        online=online,
    )
    return Result(event, standings, rate_section(columns, sides, way))


def _check_match(event: Event, columns: StandingColumns, sides: SideColumns, edition: Edition) -> None:
    """Raise RatingError unless each player met one opponent only and both may play a match; players not rated here may."""
    players = len(columns.names)
    shown = whole(np.concatenate([np.where(columns.rated, columns.start, np.nan), sides.outside]))
    met: dict[int, int] = {}
    for owner, opponent, game in zip(sides.owner.tolist(), sides.opponent.tolist(), sides.game.tolist(), strict=True):
        name = columns.names[owner]
        if met.setdefault(owner, min(opponent, players)) != min(opponent, players):
            raise RatingError(f"player {name!r} met several opponents in a match", player=name, event=event.id)
        own, other = float(shown[owner]), float(shown[opponent])
        problem = ""
        if own != own or other != other:
            problem = "a match needs two rated players"
        elif abs(own - other) > edition["match_difference"]:
            problem = f"the ratings {own:g} and {other:g} are too far apart for a match"
        elif edition["match_established"] and columns.games[owner] <= edition["provisional_games"]:
            problem = f"player {name!r} is not established, as a match needs"
        if problem:
            raise RatingError(problem, player=name, event=event.id, game=game)
