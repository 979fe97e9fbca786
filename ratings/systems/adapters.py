"""The systems that rate one event after the other, behind one small interface, for the bureau's own lists. Pure.

An adapter knows where a newcomer stands, what a system must know of a player besides (age, membership), how a standing is
kept between two periods, and what of an outcome a list shows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any, Protocol

from config.lib.editions import Edition, edition_named, edition_on
from ratings.systems import cfc, icu, uscf
from ratings.systems.base import Event, Explanation, RatingError


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """What a system may ask of a player besides his games: birth date and the day on which he came on the register."""

    born: date | None
    joined: date


@dataclass(frozen=True, slots=True)
class RatedLine:
    """What one event did to a player. `rating` unrounded, `published` as the list shows it, None: not shown."""

    games: int
    score: float
    expected: float | None
    performance: float | None
    k: float | None
    rating: float | None
    published: float | None


@dataclass(frozen=True, slots=True)
class Rated:
    """An event rated by an edition: by player the standings that it saw, his line, and his standing afterwards; and the
    explanation of each."""

    event: Event
    edition: Edition
    before: Mapping[str, Any]
    lines: dict[str, RatedLine]
    standings: dict[str, Any]
    result: Any

    def explain(self, player: str) -> Explanation:
        """Why the player's rating is what it is."""
        explanation: Explanation = self.result.explain(player)
        return explanation


class Adapter(Protocol):
    """A rating system of the bureau's own lists."""

    @property
    def code(self) -> str:
        """Its word in cases and addresses."""

    @property
    def name(self) -> str:
        """Its name for readers."""

    @property
    def editions(self) -> Sequence[Edition]:
        """Its rules from a date on, oldest first."""

    def newcomer(self, rating: float | None, edition: Edition) -> Any:
        """The standing of a player who is new to the list; `rating`: the one that he brings from another list."""

    def standing_on(self, standing: Any, person: PlayerFacts, day: date, edition: Edition) -> Any:
        """A standing as an event of the day sees it: with what depends on age and membership."""

    def rate(self, event: Event, standings: Mapping[str, Any], edition: Edition) -> Rated:
        """Rate an event from the standings that it sees. RatingError when it cannot be rated."""

    def to_json(self, standing: Any) -> dict[str, Any]:
        """A standing as JSON."""

    def from_json(self, kept: Mapping[str, Any]) -> Any:
        """A standing from what `to_json` gave."""

    def public_json(self, standing: Any, edition: Edition) -> dict[str, Any]:
        """A standing as a public case has it: no birth date follows from it."""


class Icu:
    """The Irish system."""

    code, name, editions = icu.CODE, icu.NAME, icu.EDITIONS

    def newcomer(self, rating: float | None, edition: Edition) -> icu.Standing:
        """Unrated, or fully rated with a rating from elsewhere; K follows before each event."""
        if rating is None:
            return icu.Standing(icu.PlayerType.UNRATED)
        return icu.Standing(icu.PlayerType.RATED, rating=round(rating), k=icu.k_factor(rating, None, None, edition))

    def standing_on(self, standing: Any, person: PlayerFacts, day: date, edition: Edition) -> icu.Standing:
        """K is that of the player's age and membership on the day."""
        seen: icu.Standing = standing
        if seen.type != icu.PlayerType.RATED or seen.rating is None:
            return seen
        age = icu.years_between(person.born, day, edition) if person.born else None
        years = icu.years_between(person.joined, day, edition)
        return replace(seen, k=icu.k_factor(seen.rating, age, years, edition))

    def rate(self, event: Event, standings: Mapping[str, Any], edition: Edition) -> Rated:
        """An event whose estimates do not settle is not rated."""
        result = icu.rate(event, standings, edition)
        if result.error:
            raise RatingError(f"{result.error}: {len(result.unsettled)} players’ estimates still moved", event=event.id)
        after = {
            name: icu.standing_after(standings[name], outcome, edition) for name, outcome in result.outcomes.items()
        }
        lines = {
            name: RatedLine(
                outcome.games, outcome.score, outcome.expected, outcome.performance, standings[name].k, outcome.rating,
                _at_least(after[name].rating, edition["list_minimum"]),
            )
            for name, outcome in result.outcomes.items()
        }  # fmt: skip
        return Rated(event, edition, standings, lines, after, result)

    def to_json(self, standing: Any) -> dict[str, Any]:
        """As JSON."""
        return {**asdict(standing), "type": standing.type.value}

    def from_json(self, kept: Mapping[str, Any]) -> icu.Standing:
        """From JSON."""
        return icu.Standing(**{**kept, "type": icu.PlayerType(kept["type"])})

    def public_json(self, standing: Any, edition: Edition) -> dict[str, Any]:
        """All of it."""
        return self.to_json(standing)


class Uscf:
    """The US system."""

    code, name, editions = uscf.CODE, uscf.NAME, uscf.EDITIONS

    def newcomer(self, rating: float | None, edition: Edition) -> uscf.Standing:
        """Unrated, or established with a rating from elsewhere."""
        return uscf.Standing(rating=rating)

    def standing_on(self, standing: Any, person: PlayerFacts, day: date, edition: Edition) -> uscf.Standing:
        """An unrated player starts from his age at the end of the event."""
        seen: uscf.Standing = standing
        if seen.rating is not None or person.born is None:
            return seen
        return replace(seen, age=(day - person.born).days / float(edition["days_of_a_year"]))

    def rate(self, event: Event, standings: Mapping[str, Any], edition: Edition) -> Rated:
        """The published rating is a whole number."""
        result = uscf.rate(event, standings, edition)
        counts = _games(event)
        lines = {
            name: RatedLine(
                counts.get(name, 0), outcome.score, outcome.expected, None, outcome.k, outcome.rating,
                None if outcome.published is None else float(outcome.published),
            )
            for name, outcome in result.outcomes.items()
        }  # fmt: skip
        return Rated(event, edition, standings, lines, dict(result.standings), result)

    def to_json(self, standing: Any) -> dict[str, Any]:
        """As JSON."""
        return {name: value for name, value in asdict(standing).items() if value}

    def from_json(self, kept: Mapping[str, Any]) -> uscf.Standing:
        """From JSON."""
        record = uscf.Record(kept["record"]) if kept.get("record") else None
        return uscf.Standing(**{**kept, "record": record})

    def public_json(self, standing: Any, edition: Edition) -> dict[str, Any]:
        """The starting rating of the unrated in place of what it comes from."""
        if standing.rating is None:
            start, games, _ = uscf.starting_rating(standing, edition)
            return {"start": [start, games]}
        return self.to_json(replace(standing, age=None))


class Cfc:
    """The Canadian system."""

    code, name, editions = cfc.CODE, cfc.NAME, cfc.EDITIONS

    def newcomer(self, rating: float | None, edition: Edition) -> cfc.Standing:
        """Unrated, or established with a rating from elsewhere."""
        if rating is None:
            return cfc.Standing(cfc.Status.UNRATED)
        return cfc.Standing(cfc.Status.ESTABLISHED, rating=round(rating), games=edition["established_games"])

    def standing_on(self, standing: Any, person: PlayerFacts, day: date, edition: Edition) -> cfc.Standing:
        """Nothing depends on age or membership."""
        seen: cfc.Standing = standing
        return seen

    def rate(self, event: Event, standings: Mapping[str, Any], edition: Edition) -> Rated:
        """A rating on one or two games is kept and not shown."""
        result = cfc.rate(event, standings, edition)
        counts = _games(event)
        lines = {
            name: RatedLine(
                counts.get(name, 0), float(outcome.score), _float(outcome.expected), _float(outcome.performance),
                _float(outcome.k), _float(outcome.exact if outcome.exact is not None else outcome.rating),
                _float(outcome.rating) if outcome.games >= edition["published_games"] else None,
            )
            for name, outcome in result.outcomes.items()
        }  # fmt: skip
        return Rated(event, edition, standings, lines, dict(result.standings), result)

    def to_json(self, standing: Any) -> dict[str, Any]:
        """As JSON."""
        return {**asdict(standing), "status": standing.status.value}

    def from_json(self, kept: Mapping[str, Any]) -> cfc.Standing:
        """From JSON."""
        return cfc.Standing(**{**kept, "status": cfc.Status(kept["status"])})

    def public_json(self, standing: Any, edition: Edition) -> dict[str, Any]:
        """All of it."""
        return self.to_json(standing)


ADAPTERS: dict[str, Adapter] = {adapter.code: adapter for adapter in (Icu(), Uscf(), Cfc())}


def edition_of(adapter: Adapter, name: str, ended: date) -> Edition:
    """The edition of that name, or, without one, the one in force on the day. RatingError if there is none."""
    return edition_named(adapter.editions, name) if name else edition_on(adapter.editions, ended)


def _games(event: Event) -> dict[str, int]:
    counts: dict[str, int] = {}
    for game in event.games:
        for side in (game.white, game.black):
            if isinstance(side, str):
                counts[side] = counts.get(side, 0) + 1
    return counts


def _at_least(rating: float | None, minimum: float) -> float | None:
    return None if rating is None else max(rating, minimum)


def _float(value: Any) -> float | None:
    return None if value is None else float(value)
