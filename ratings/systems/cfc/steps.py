"""The order of the calculation of a CFC event (section 417), step by step, before bonus and floors. Pure.

Every step takes the ratings that the steps before it left, rounded half up, and all of a step's players at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from config.lib.editions import Edition
from ratings.systems.base import Event, Opponent, RatingError
from ratings.systems.cfc.formulas import half_up, performance


class Status(StrEnum):
    """How a player is rated: by K, by cumulative performance, or by the performance of a first event."""

    ESTABLISHED = "established"
    PROVISIONAL = "provisional"
    UNRATED = "unrated"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a player stands before an event.

    `rating` a whole number, None for the unrated; `high` the highest established rating, None: not known, and then
    the rating before the event counts as the highest.
    """

    status: Status
    rating: int | None = None
    games: int = 0
    high: int | None = None


@dataclass(slots=True)
class Side:
    """A played game from one player's side. `opponent` is a player's id, or None for one who is not rated here."""

    game: int  # index in the event
    opponent: str | None
    listed: int | None  # the opponent's rating before the event; None: unrated
    halves: int  # of a point, scored: 2, 1 or 0
    strength: int = 0  # the opponent's rating in the player's last step

    @property
    def score(self) -> Fraction:
        """Points scored."""
        return Fraction(self.halves, 2)


@dataclass(slots=True)
class Work:
    """A player on his way through the steps. `status` is how he is rated in this event."""

    standing: Standing
    status: Status
    sides: list[Side] = field(default_factory=list)
    temporary: int | None = None  # step 2, of the unrated
    performance: Fraction | None = None  # of the last step
    exact: Fraction | None = None  # steps 3 and 4, of the provisional and the unrated
    post: int | None = None  # `exact` rounded: what later steps take

    @property
    def score(self) -> Fraction:
        """Points scored."""
        return Fraction(sum(side.halves for side in self.sides), 2)

    @property
    def balance(self) -> int:
        """Wins − losses."""
        return sum(side.halves for side in self.sides) - len(self.sides)


class Section:
    """An event on its way through the steps: `work` by player, and `preliminary`, the rating of step 1.

    `preliminary` is None where no unrated player met another; `given`: the operator gave it. RatingError names the
    player or game that cannot be rated.
    """

    def __init__(
        self,
        event: Event,
        standings: Mapping[str, Standing],
        edition: Edition,
        preliminary: int | None,
        rounds: int | None,
    ) -> None:
        self.event = event
        self.edition = edition
        self.rounds = rounds or max((game.round for game in event.games if game.round is not None), default=None)
        self.work = {name: self._begin(name, standing) for name, standing in standings.items()}
        self.outside = self._gather()
        for player in self.work.values():
            total = player.standing.games + len(player.sides)
            if player.status is Status.PROVISIONAL and player.sides and total >= edition["established_games"]:
                player.status = Status.ESTABLISHED
        self.given = False
        self.preliminary = self._preliminary(preliminary)
        self._run()

    def of(self, status: Status) -> list[Work]:
        """Return the players with games who are rated in that way."""
        return [player for player in self.work.values() if player.status is status and player.sides]

    def bonus_length(self, player: Work) -> int:
        """Return n of the bonus threshold: the player's rated games or, where the edition says so, the event's rounds."""
        if not self.edition["bonus_counts_rounds"]:
            return len(player.sides)
        if self.rounds is None:
            raise RatingError(
                "the bonus goes by the number of rounds: give the option `rounds`, or the games their rounds",
                event=self.event.id,
            )
        return self.rounds

    def _begin(self, name: str, standing: Standing) -> Work:
        if (standing.rating is None) is not (standing.status is Status.UNRATED):
            raise RatingError(
                f"player {name!r} is {standing.status} "
                + ("without a rating" if standing.rating is None else f"with the rating {standing.rating}"),
                player=name,
                event=self.event.id,
            )
        return Work(standing, standing.status)

    def _gather(self) -> list[tuple[int, int]]:
        """Give every player the sides of his played games; return (rating, half points) of the opponents not rated here."""
        outside: list[tuple[int, int]] = []
        for index, game in enumerate(self.event.games):
            if not game.result.played:
                continue
            white, black = self._listed(index, game.white), self._listed(index, game.black)
            if isinstance(game.white, str) and game.white == game.black:
                raise RatingError("a player cannot play against himself", event=self.event.id, game=index)
            halves = int(2 * game.result.white_score)
            for own, rating, met, strength, scored in (
                (game.white, white, game.black, black, halves),
                (game.black, black, game.white, white, 2 - halves),
            ):
                if isinstance(own, str):
                    self.work[own].sides.append(Side(index, met if isinstance(met, str) else None, strength, scored))
                elif rating is not None:
                    outside.append((rating, scored))
        return outside

    def _listed(self, index: int, side: str | Opponent | None) -> int | None:
        if isinstance(side, str):
            if side not in self.work:
                raise RatingError(f"player {side!r} has no standing", player=side, event=self.event.id, game=index)
            return self.work[side].standing.rating
        if side is None or side.rating is None:
            raise RatingError("a played game needs two sides with a rating", event=self.event.id, game=index)
        if side.rating != int(side.rating):
            raise RatingError(f"CFC ratings are whole numbers, not {side.rating:g}", event=self.event.id, game=index)
        return int(side.rating)

    def _preliminary(self, operator: int | None) -> int | None:
        """Step 1: one rating for the unrated against each other."""
        played = [player for player in self.work.values() if player.sides]
        unrated = self.of(Status.UNRATED)
        if not any(side.listed is None for player in unrated for side in player.sides):
            return None
        everybody = len(played) + len(self.outside)
        if len(unrated) > self.edition["preliminary_share"] * everybody:
            if operator is None:
                raise RatingError(
                    f"{len(unrated)} of {everybody} players are unrated: a preliminary rating is needed (section 417.1)",
                    event=self.event.id,
                )
            self.given = True
            return operator
        levels = [
            (player.standing.rating, Fraction(player.balance, len(player.sides)))
            for player in played
            if player.standing.rating is not None
        ] + [(rating, Fraction(halves - 1)) for rating, halves in self.outside]
        span, drop = self.edition["performance_span"], self.edition["preliminary_drop"]
        total = sum((rating - span * balance - drop for rating, balance in levels), Fraction(0))
        return half_up(total / len(levels))

    def _run(self) -> None:
        for player in self.of(Status.UNRATED):
            player.temporary = half_up(self._perform(player, 2))
        for player in self.of(Status.PROVISIONAL):
            standing, games = player.standing, len(player.sides)
            points = (standing.rating or 0) * standing.games + self._perform(player, 3) * games
            player.exact = points / (standing.games + games)
            player.post = half_up(player.exact)
        for player in self.of(Status.UNRATED):
            player.exact = self._perform(player, 4)
            player.post = half_up(player.exact)
        for player in self.of(Status.ESTABLISHED):
            self._perform(player, 5)

    def _perform(self, player: Work, step: int) -> Fraction:
        for side in player.sides:
            side.strength = self._strength(side, step)
        player.performance = performance([side.strength for side in player.sides], player.balance, self.edition)
        return player.performance

    def _strength(self, side: Side, step: int) -> int:
        opponent = self.work[side.opponent] if side.opponent is not None else None
        rating = side.listed
        if opponent is not None and opponent.status is Status.UNRATED:
            rating = {2: self.preliminary, 3: opponent.temporary, 4: opponent.temporary, 5: opponent.post}[step]
        elif opponent is not None and opponent.status is Status.PROVISIONAL and step > 3:
            rating = opponent.post
        if rating is None:
            raise RatingError("an opponent's rating is missing", event=self.event.id, game=side.game)
        return rating
