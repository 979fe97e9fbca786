"""The CFC (Chess Federation of Canada) rating rules: one event after the other, in exact fractions. Pure.

Source: CFC Handbook, sections 411–436, with the bonus formula of 2012. The order of the calculation (section 417):
preliminary rating of the unrated, their temporary performance, the provisional, the unrated, the established, bonus,
floors (`ratings.systems.cfc.steps`).
"""

from collections.abc import Mapping
from functools import cached_property

from config.lib.editions import Edition
from ratings.systems.base import Event, Explanation, RatingError
from ratings.systems.cfc.explanation import explain
from ratings.systems.cfc.outcome import Outcome, outcome_of
from ratings.systems.cfc.steps import Section, Standing, Status, Work

CODE = "cfc"
NAME = "Chess Federation of Canada (CFC)"


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
        """Return the explanation of a player's rating. Raises RatingError for a player without a standing."""
        if player not in self.outcomes:
            raise RatingError(f"player {player!r} has no standing", player=player, event=self.section.event.id)
        return explain(self.section, self.outcomes[player], player, match=self.match)


def rate(
    event: Event,
    standings: Mapping[str, Standing],
    edition: Edition,
    *,
    match: bool = False,
    preliminary: int | None = None,
    rounds: int | None = None,
) -> Result:
    """Rate an event from the standings before it.

    `match`: a match of two, whose ratings may change and differ by so much only (section 413); an unrated player has
    nothing to limit. `preliminary`: the operator's preliminary rating of the unrated, for an event where more than half
    of those who played are unrated; elsewhere it is computed (section 417.1). `rounds` of the event, where the edition's
    bonuses go by them; None: the greatest round of its games. RatingError names the player or game that cannot be rated.
    """
    section = Section(event, standings, edition, preliminary, rounds)
    if match:
        _check_match(section)
    outcomes = {name: outcome_of(section, player, match=match) for name, player in section.work.items()}
    return Result(section, outcomes, match=match)


def _check_match(section: Section) -> None:
    event = section.event.id
    for name, player in section.work.items():
        if len({side.opponent for side in player.sides}) > 1:
            raise RatingError(f"player {name!r} met several opponents in a match", player=name, event=event)
        for side in player.sides:
            own, other = player.standing.rating, side.listed
            if own is None or other is None:
                continue
            if abs(own - other) > section.edition["match_difference"]:
                message = f"the ratings {own} and {other} are too far apart for a match (section 413)"
                raise RatingError(message, player=name, event=event, game=side.game)


def _standing_after(player: Work, outcome: Outcome, edition: Edition) -> Standing:
    if not player.sides or outcome.rating is None:
        return player.standing
    established = outcome.status is Status.ESTABLISHED or outcome.games >= edition["established_games"]
    if not established:
        return Standing(Status.PROVISIONAL, outcome.rating, outcome.games)
    high = outcome.rating if outcome.high is None else outcome.high
    return Standing(Status.ESTABLISHED, outcome.rating, outcome.games, high)
