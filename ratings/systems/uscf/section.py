"""The calculation of a USCF section, for all its players at once. Pure.

Shapes as in `ratings.systems.uscf.columns`: n players, s sides. nan: a figure that does not arise.
"""

from dataclasses import dataclass

import numpy as np

from config.lib.editions import Edition
from ratings.systems.uscf.columns import SideColumns, StandingColumns, most_meetings
from ratings.systems.uscf.formulas import (
    Flags,
    Floats,
    Ints,
    absolute_floor,
    adjusted_prior,
    approximate_special,
    bonus_points,
    effective_games,
    k_factor,
    peak_floor,
    special_ratings,
    standard_expectancy,
    totals,
    whole,
)


@dataclass(frozen=True, slots=True)
class Way:
    """How a section is rated: the full algorithm or the approximate one, and what kind of event it is."""

    edition: Edition
    approximate: bool = False
    half_k: bool = False
    dual_regular: bool = False
    match: bool = False
    online: bool = False


@dataclass(frozen=True, slots=True)
class Pass:
    """One round of ratings for everybody: the intermediate or the final one, before holds and floors."""

    strength: Floats  # (s,) the opponent's rating
    expected_side: Floats  # (s,) We
    expected: Floats  # (n,) E
    gain: Floats  # (n,) K (S − E)
    bonus: Floats  # (n,)
    rating: Floats  # (n,) special or standard; at most 2700 by the special formula


@dataclass(frozen=True, slots=True)
class Columns:
    """Every figure of the calculation."""

    way: Way
    standings: StandingColumns
    sides: SideColumns
    start: Floats  # (n,) R0; nan: none is used
    earlier: Floats  # (n,) N
    played: Floats  # (n,) m
    score: Floats  # (n,) S
    meetings: Ints  # (n,) with the opponent met most often
    special: Flags  # (n,)
    effective: Floats  # (n,) N'
    k: Floats  # (n,)
    prior: Floats  # (n,) R0' of the special formula
    target: Floats  # (n,) S' of the special formula
    newcomer: Flags  # (n,) first looked at in step 3
    estimate: Floats  # (n,) step 3; R0 of those who are no newcomers
    first: Pass | None  # step 4; None in the approximate method
    intermediate: Floats  # (n,) step 4, held
    last: Pass  # step 5
    floor: Floats  # (n,)
    rating: Floats  # (n,)
    published: Floats  # (n,)
    games: Floats  # (n,) afterwards; inf: not known


def rate_section(standings: StandingColumns, sides: SideColumns, way: Way) -> Columns:
    """Rate a section."""
    section = _Section(standings, sides, way)
    return section.approximate() if way.approximate else section.full()


class _Section:
    def __init__(self, standings: StandingColumns, sides: SideColumns, way: Way) -> None:
        self.standings, self.sides, self.way, self.edition = standings, sides, way, way.edition
        self.players = len(standings.names)
        self.start, self.earlier, self.record = standings.start, standings.games, standings.record
        self.played = self._totals(np.ones(len(sides.owner)))
        self.score = self._totals(sides.score)
        self.meetings = most_meetings(sides, self.players)
        self.active = self.played > 0

    def full(self) -> Columns:
        """Rate the section in the five steps."""
        edition, start, active = self.edition, self.start, self.active
        self._weigh(active & ((self.earlier <= edition["special_games"]) | (self.record != 0.0)))
        lowest = edition["absolute_floor"]
        newcomer = active & (self.earlier == 0.0)
        estimate = start.copy()
        one = np.full(self.players, edition["newcomer_effective_games"])
        prior, target = adjusted_prior(start, one, self.score, 0.0, edition)
        self._solve(newcomer, estimate, one, prior, target, self._strength(start))
        estimate = np.where(newcomer, np.maximum(estimate, lowest), start)
        first = self._pass(self._strength(estimate))
        intermediate = np.where(active, np.maximum(first.rating, lowest), start)
        last = self._pass(self._strength(intermediate))
        floor = self._floors()
        rating = np.where(active, np.fmax(self._limited(last.rating), floor), start)
        return self._columns(newcomer, estimate, first, intermediate, last, floor, rating, self._published(rating))

    def approximate(self) -> Columns:
        """Rate all players by the guide's one-player formulas: opponents at their old ratings, no floors."""
        edition, sides, rated = self.edition, self.sides, self.standings.rated
        strength = self._strength(self._guide_estimates())
        without = ~rated & ~self.standings.given
        self.start = np.where(without, np.nan, self.start)
        self.earlier = np.where(without, 0.0, self.earlier)
        self._weigh(self.active & (self.earlier <= edition["special_games"]))
        last = self._pass(strength, solve=False)
        span = edition["approximate_span"]
        performance = self._totals(strength + span * (2.0 * sides.score - 1.0))
        few = self.special
        last.rating[few] = approximate_special(
            np.nan_to_num(self.start[few]), self.earlier[few], performance[few], self.played[few]
        )
        rating = np.where(self.active, self._limited(last.rating), self.start)
        nothing = np.full(self.players, np.nan)
        no_player = np.zeros(self.players, dtype=bool)
        return self._columns(no_player, nothing, None, nothing, last, nothing, rating, whole(rating))

    def _weigh(self, special: Flags) -> None:
        """Step 2, K, and what the special formula starts from."""
        edition = self.edition
        self.special = special
        self.effective: Floats = effective_games(self.start, self.earlier, edition)
        self.k: Floats = k_factor(
            self.start,
            self.effective,
            np.maximum(self.played, 1.0),
            edition,
            half_k=self.way.half_k,
            dual_regular=self.way.dual_regular,
        )
        self.prior, self.target = adjusted_prior(self.start, self.effective, self.score, self.record, edition)

    def _guide_estimates(self) -> Floats:
        """Everybody's strength as an opponent: the old rating; of the unrated the mean of the opponents' ratings ± 400
        by result, over the games against the rated, or the starting rating without such a game."""
        sides, rated = self.sides, self.standings.rated
        known = np.concatenate([rated, np.ones(len(sides.outside), dtype=bool)])
        counted = known[sides.opponent] & ~known[sides.owner]
        credit = self._strength(self.start) + self.edition["approximate_span"] * (2.0 * sides.score - 1.0)
        number = self._totals(counted)
        return np.where(number > 0, self._totals(credit * counted) / np.maximum(number, 1.0), self.start)

    def _pass(self, strength: Floats, *, solve: bool = True) -> Pass:
        expected_side = standard_expectancy(self.start[self.sides.owner], strength, self.edition)
        expected = self._totals(expected_side)
        gain = self.k * (self.score - expected)
        bonus: Floats = bonus_points(gain, self.played, self.meetings, self.edition)
        if self.way.match:
            bonus = np.zeros_like(gain)
        rating = self.start + gain + bonus
        if solve:
            self._solve(self.special, rating, self.effective, self.prior, self.target, strength)
        return Pass(strength, expected_side, expected, gain, bonus, rating)

    def _solve(
        self, who: Flags, rating: Floats, effective: Floats, prior: Floats, target: Floats, strength: Floats
    ) -> None:
        """Write the special ratings of `who` into `rating`."""
        rows = np.flatnonzero(who)
        if not len(rows):
            return
        place = np.cumsum(who) - 1
        own = who[self.sides.owner]
        special = special_ratings(
            self.start[rows],
            place[self.sides.owner[own]],
            strength[own],
            prior[rows],
            effective[rows],
            target[rows],
            self.edition,
        )
        rating[rows] = np.minimum(special, self.edition["special_highest"])

    def _limited(self, rating: Floats) -> Floats:
        limit = self.edition["match_limit"]
        if not self.way.match or limit is None:
            return rating
        return np.clip(rating, self.start - limit, self.start + limit)

    def _floors(self) -> Floats:
        before, score = self.standings, self.sides.score
        if self.way.online:
            return np.full(self.players, self.edition["absolute_floor"])
        lowest = absolute_floor(
            before.wins + self._totals(score == 1.0),
            before.draws + self._totals(score == 0.5),
            before.events + (self.played >= self.edition["event_games"]),
            self.edition,
        )
        floors: Floats = np.fmax(np.fmax(lowest, peak_floor(before.peak, self.edition)), before.granted_floor)
        return floors

    def _published(self, rating: Floats) -> Floats:
        shown: Floats = whole(rating)
        if not self.edition["whole_ratings"]:
            return shown
        exact, change = np.round(rating, 9), np.round(rating - self.start, 9)
        away = np.where(change > 0.0, np.ceil(exact), np.floor(exact))
        return np.where(self.standings.rated & (change != 0.0), away, shown)

    def _strength(self, ratings: Floats) -> Floats:
        strength: Floats = np.concatenate([ratings, self.sides.outside])[self.sides.opponent]
        return strength

    def _totals(self, values: Floats | Flags) -> Floats:
        return totals(self.sides.owner, values, self.players)

    def _columns(
        self,
        newcomer: Flags,
        estimate: Floats,
        first: Pass | None,
        intermediate: Floats,
        last: Pass,
        floor: Floats,
        rating: Floats,
        published: Floats,
    ) -> Columns:
        grown = self.edition["half_k"] * self.played if self.way.half_k else self.played
        return Columns(
            way=self.way,
            standings=self.standings,
            sides=self.sides,
            start=self.start,
            earlier=self.earlier,
            played=self.played,
            score=self.score,
            meetings=self.meetings,
            special=self.special,
            effective=self.effective,
            k=self.k,
            prior=self.prior,
            target=self.target,
            newcomer=newcomer,
            estimate=estimate,
            first=first,
            intermediate=intermediate,
            last=last,
            floor=floor,
            rating=rating,
            published=published,
            games=self.earlier + grown,
        )
