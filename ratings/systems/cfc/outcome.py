"""What a CFC event makes of a player: natural rating, bonus, match limit, floors. Pure."""

from dataclasses import dataclass
from fractions import Fraction

from config.lib.editions import Edition
from ratings.systems.cfc.formulas import (
    bonus_k,
    bonuses,
    expected_total,
    half_up,
    k_factor,
    low_floor,
    natural_rating,
)
from ratings.systems.cfc.steps import Section, Status, Work


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an event made of a player. None: the figure does not arise.

    `status` how the player was rated (established with the 25th game in this event); `natural` the rating without
    bonus; `exact` before rounding and floors; `rating` as listed.
    """

    status: Status
    performance: Fraction | None
    k: int | None
    score: Fraction
    expected: Fraction | None
    natural: Fraction | None
    bonus_high: Fraction | None
    bonus_jump: Fraction | None
    exact: Fraction | None
    rating: int | None
    games: int
    high: int | None


def _limited(exact: Fraction, before: int, match: bool, edition: Edition) -> Fraction:
    if not match:
        return exact
    limit = edition["match_limit"]
    return min(max(exact, Fraction(before - limit)), Fraction(before + limit))


def outcome_of(section: Section, player: Work, *, match: bool) -> Outcome:
    """Return the outcome of a player who went through the steps of section 417. RatingError: the bonus needs the rounds of
    the event, and these are not known."""
    edition = section.edition
    standing, games = player.standing, len(player.sides)
    total = standing.games + games
    before = standing.rating
    if not games:
        return Outcome(
            player.status, None, None, Fraction(0), None, None, None, None, None, before, total, standing.high
        )
    if before is None or player.status is not Status.ESTABLISHED:
        exact = player.exact or Fraction(0)
        if before is not None:
            exact = _limited(exact, before, match, edition)
        rating = max(half_up(exact), int(edition["list_minimum"]))
        return Outcome(
            player.status, player.performance, None, player.score, None, None, None, None, exact, rating, total, None
        )
    k = k_factor(before, edition)
    expected = expected_total(before, [side.strength for side in player.sides], edition)
    natural = natural_rating(before, k * (player.score - expected), edition)
    high = before if standing.high is None else standing.high
    bonus_high, bonus_jump = bonuses(
        before, natural, high, section.bonus_length(player), bonus_k(before, edition), edition
    )
    exact = _limited(natural + bonus_high + bonus_jump, before, match, edition)
    floor = low_floor(before, edition) if standing.status is Status.ESTABLISHED else int(edition["list_minimum"])
    rating = max(half_up(exact), floor)
    return Outcome(
        status=player.status,
        performance=player.performance,
        k=k,
        score=player.score,
        expected=expected,
        natural=natural,
        bonus_high=bonus_high,
        bonus_jump=bonus_jump,
        exact=exact,
        rating=rating,
        games=total,
        high=max(high, rating),
    )
