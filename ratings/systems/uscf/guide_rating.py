"""An event rated by the guide of 15 May 2001 to the letter (`ratings.systems.uscf.guide`). Pure."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

from config.lib.editions import Edition
from ratings.systems.base import Event, Explanation, Opponent, RatingError
from ratings.systems.uscf.columns import Standing
from ratings.systems.uscf.guide import GuideGame, GuideWork, expected_score, half_up, work_of
from ratings.systems.uscf.guide_explanation import explain
from ratings.systems.uscf.outcome import STILL_UNRATED, Outcome, standing_after


class GuideResult:
    """An event rated by the guide: `outcomes` and the `standings` afterwards by player, and `explain(player)`.

    The next event is rated from `standings`, from the published rating: in 2001 ratings were whole numbers.
    """

    def __init__(
        self, event: Event, before: Mapping[str, Standing], works: Mapping[str, GuideWork], edition: Edition
    ) -> None:
        self.event = event
        self.before = before
        self.works = works
        self.edition = edition

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        """Every player's outcome, in the order of the standings."""
        return {name: _outcome(standing, self.works.get(name)) for name, standing in self.before.items()}

    @cached_property
    def standings(self) -> dict[str, Standing]:
        """Every player's standing after the event."""
        after = dict(self.before)
        for name, work in self.works.items():
            results = [game.score for game in work.games]
            after[name] = standing_after(
                self.before[name],
                self.edition,
                rating=float(work.published),
                games=self.outcomes[name].games,
                played=len(work.games),
                score=float(work.score),
                wins=results.count(Fraction(1)),
                draws=results.count(Fraction(1, 2)),
            )
        return after

    def explain(self, player: str) -> Explanation:
        """Return the explanation of a player's rating. Raises RatingError for a player without a standing."""
        if player not in self.before:
            raise RatingError(f"player {player!r} has no standing", player=player, event=self.event.id)
        return explain(self.event, player, self.before[player], self.works.get(player), self.edition)


def rate_by_guide(event: Event, standings: Mapping[str, Standing], edition: Edition, *, half_k: bool) -> GuideResult:
    """Rate an event by the guide, all opponents at their ratings before it.

    RatingError names the player or game for whom the guide has no figures: less than 50 games before the event, or other
    than three to nine games in it; a number of games that is not known is taken for 50 or more.
    """
    if not edition["guide_holds"]:
        raise RatingError(f"the guide is of the system of 2001, not of edition {edition.name}", event=event.id)
    games: dict[str, list[GuideGame]] = {}
    for index, game in enumerate(event.games):
        if not game.result.played:
            continue
        if isinstance(game.white, str) and game.white == game.black:
            raise RatingError("a player cannot play against himself", event=event.id, game=index)
        white, black = (_rating(side, standings, event, index, edition) for side in (game.white, game.black))
        points = Fraction(game.result.white_score)
        for own, rating, met, strength, score in (
            (game.white, white, game.black, black, points),
            (game.black, black, game.white, white, 1 - points),
        ):
            if isinstance(own, str):
                opponent = met if isinstance(met, str) else None
                expected = expected_score(rating, strength, edition)
                games.setdefault(own, []).append(GuideGame(index, opponent, strength, score, expected))
    works = {}
    for name in standings:
        if name in games:
            least, most = edition["guide_games"][0], edition["guide_games"][-1]
            if len(games[name]) not in edition["guide_games"]:
                message = (
                    f"player {name!r} has {len(games[name])} games in the event: the guide has figures for {least} to"
                    f" {most}"
                )
                raise RatingError(message, player=name, event=event.id)
            works[name] = work_of(Fraction(standings[name].rating or 0), games[name], edition, half_k=half_k)
    return GuideResult(event, standings, works, edition)


def _rating(
    side: str | Opponent | None, standings: Mapping[str, Standing], event: Event, index: int, edition: Edition
) -> Fraction:
    if isinstance(side, str):
        if side not in standings:
            raise RatingError(f"player {side!r} has no standing", player=side, event=event.id, game=index)
        standing, least = standings[side], edition["guide_established"]
        if standing.rating is None or (standing.games is not None and standing.games < least):
            message = f"player {side!r} has less than {least} games before the event: the guide is for {least} or more"
            raise RatingError(message, player=side, event=event.id, game=index)
        return Fraction(standing.rating)
    if side is None or side.rating is None:
        raise RatingError("a played game needs two sides with a rating", event=event.id, game=index)
    return Fraction(side.rating)


def _outcome(standing: Standing, work: GuideWork | None) -> Outcome:
    if work is None and standing.rating is None:
        return STILL_UNRATED
    if work is None:
        rating = Fraction(standing.rating or 0)
        return Outcome(None, None, None, None, 0.0, None, None, standing.rating, half_up(rating), standing.games, None)
    return Outcome(
        start=None,
        effective_games=None,
        formula="guide",
        k=float(work.k),
        score=float(work.score),
        expected=float(work.expected),
        bonus=float(work.bonus),
        rating=float(work.rating),
        published=work.published,
        games=None if standing.games is None else standing.games + len(work.games),
        floor=None,
    )
