"""The CFC (Chess Federation of Canada) rating rules: one event after the other, in exact fractions. Pure.

Source: CFC Handbook, sections 411–436, with the bonus formula of 2012. The order of the calculation (section 417):
preliminary rating of the unrated, their temporary performance, the provisional, the unrated, the established, bonus,
floors (`ratings.systems.cfc_steps`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from ratings.systems.base import Edition, Event, Explanation, RatingError
from ratings.systems.cfc_formulas import bonuses, expected_score, half_up, k_factor, natural_rating
from ratings.systems.cfc_steps import Section, Standing, Status, Work
from ratings.systems.editions.cfc import EDITIONS

__all__ = ["CODE", "EDITIONS", "NAME", "Outcome", "Result", "Standing", "Status", "rate"]

CODE = "cfc"
NAME = "Chess Federation of Canada (CFC)"


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


class Result:
    """An event rated: `outcomes` and the `standings` afterwards by player, and `explain(player)`.

    The next event is rated from `standings`: the listed rating and the games; whoever has 25 games is established, and
    the highest established rating counts the new one.
    """

    def __init__(self, section: Section, outcomes: dict[str, Outcome], *, match: bool) -> None:
        self.section = section
        self.edition = section.edition
        self.outcomes = outcomes
        self.match = match

    @cached_property
    def standings(self) -> dict[str, Standing]:
        """Every player's standing after the event."""
        return {
            name: _standing_after(self.section.work[name], outcome, self.edition)
            for name, outcome in self.outcomes.items()
        }

    def explain(self, player: str) -> Explanation:
        """Why the player's rating is what it is. RatingError for somebody who is not among the standings."""
        from ratings.systems.explanations.cfc import explain

        return explain(self, player)


def rate(
    event: Event,
    standings: Mapping[str, Standing],
    edition: Edition,
    *,
    match: bool = False,
    preliminary: int | None = None,
) -> Result:
    """Rate an event from the standings before it.

    `match`: changes are limited, and so is the difference of the two ratings (section 413). `preliminary`: the
    operator's preliminary rating of the unrated, for an event where more than half of those who played are unrated;
    elsewhere it is computed (section 417.1). RatingError names the player or game that cannot be rated.
    """
    section = Section(event, standings, edition, preliminary)
    if match:
        _check_match(section)
    return Result(
        section, {name: _outcome(player, edition, match) for name, player in section.work.items()}, match=match
    )


def low_floor(before: int, edition: Edition) -> int:
    """The rating under which an established player of the rating `before` cannot be listed (section 416)."""
    if before < edition["low_boundary"]:
        return max(before, int(edition["list_minimum"]))
    return int(edition["low_floor"])


def _check_match(section: Section) -> None:
    event = section.event.id
    for name, player in section.work.items():
        if len({side.opponent for side in player.sides}) > 1:
            raise RatingError(f"player {name!r} met several opponents in a match", player=name, event=event)
        for side in player.sides:
            own, other = player.standing.rating, side.listed
            if own is None or other is None:
                raise RatingError("a match of an unrated player is not rated", event=event, game=side.game)
            if abs(own - other) > section.edition["match_difference"]:
                raise RatingError(
                    f"the ratings {own} and {other} are too far apart for a match (section 413)",
                    player=name,
                    event=event,
                    game=side.game,
                )


def _limited(exact: Fraction, before: int, match: bool, edition: Edition) -> Fraction:
    if not match:
        return exact
    limit = edition["match_limit"]
    return min(max(exact, Fraction(before - limit)), Fraction(before + limit))


def _outcome(player: Work, edition: Edition, match: bool) -> Outcome:
    standing, games = player.standing, len(player.sides)
    total = standing.games + games
    before = standing.rating
    if not games:
        return Outcome(
            player.status, None, None, Fraction(0), None, None, None, None, None, before, total, standing.high
        )
    if before is None or player.status is not Status.ESTABLISHED:
        if player.exact is None:
            raise RatingError("a player was left out of the steps")
        exact = player.exact if before is None else _limited(player.exact, before, match, edition)
        rating = max(half_up(exact), int(edition["list_minimum"]))
        return Outcome(
            player.status, player.performance, None, player.score, None, None, None, None, exact, rating, total, None
        )
    k = k_factor(before, edition)
    expected = sum((expected_score(before, side.strength, edition) for side in player.sides), Fraction(0))
    natural = natural_rating(before, k * (player.score - expected), edition)
    high = before if standing.high is None else standing.high
    bonus_high, bonus_jump = bonuses(before, natural, high, games, k, edition)
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


def _standing_after(player: Work, outcome: Outcome, edition: Edition) -> Standing:
    if not player.sides or outcome.rating is None:
        return player.standing
    established = outcome.status is Status.ESTABLISHED or outcome.games >= edition["established_games"]
    if not established:
        return Standing(Status.PROVISIONAL, outcome.rating, outcome.games)
    high = outcome.rating if outcome.high is None else outcome.high
    return Standing(Status.ESTABLISHED, outcome.rating, outcome.games, high)
