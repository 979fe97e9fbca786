"""The systems that rate event after event, behind one interface, for the bureau's own lists. Pure.

An adapter gives the standing of a newcomer, applies age and membership, stores a standing between two periods, and selects
the figures of an outcome that a list shows.
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
    """The birth date of a player, the day since when he is on the register, and his number, by which players are ordered;
    empty where a month kept none."""

    born: date | None
    joined: date
    number: str = ""

    def age_in(self, year: int) -> int | None:
        """Return the player's age in the events of a year (article 16); None if his birth is unknown.

        It never counts days: what is published, and the case that recomputes it, must not give a birth date away.
        """
        return None if self.born is None else year - self.born.year


@dataclass(frozen=True, slots=True)
class RatedLine:
    """The figures of a player in one event. `rating`: unrounded; `published`: as the list shows it, None if it does not."""

    games: int
    score: float
    expected: float | None
    performance: float | None
    k: float | None
    rating: float | None
    published: float | None


@dataclass(frozen=True, slots=True)
class Rated:
    """An event that was rated: by player the standings `before`, the `lines`, and the `standings` afterwards."""

    event: Event
    edition: Edition
    before: Mapping[str, Any]
    lines: dict[str, RatedLine]
    standings: dict[str, Any]
    result: Any

    def explain(self, player: str) -> Explanation:
        """Return the steps to a player's rating."""
        explanation: Explanation = self.result.explain(player)
        return explanation


class Adapter(Protocol):
    """A rating system of the bureau's own lists."""

    @property
    def code(self) -> str:
        """The system's name in cases and addresses."""

    @property
    def name(self) -> str:
        """The system's name for readers."""

    @property
    def uses_age(self) -> bool:
        """Whether figures depend on a player's age."""

    @property
    def editions(self) -> Sequence[Edition]:
        """The system's rules, oldest first."""

    def newcomer(self, rating: float | None, edition: Edition) -> Any:
        """Return the standing of a player new to the list; `rating`: from the list that newcomers start from, if any."""

    def standing_on(self, standing: Any, person: PlayerFacts, day: date, edition: Edition) -> Any:
        """Return a standing with what depends on age and membership on a day."""

    def rate(self, event: Event, standings: Mapping[str, Any], edition: Edition) -> Rated:
        """Rate an event from the standings before it, in the order of the players' numbers. Raises RatingError."""

    def to_json(self, standing: Any) -> dict[str, Any]:
        """Return a standing as JSON, to be stored."""

    def from_json(self, kept: Mapping[str, Any]) -> Any:
        """Return the standing that `to_json` stored."""

    def public_json(self, standing: Any, edition: Edition) -> dict[str, Any]:
        """Return a standing as JSON for a public case, which must not reveal a birth date."""


class _Adapter:
    """What the systems share: nothing depends on age or membership, and a standing is public as it is stored."""

    uses_age = False

    def standing_on(self, standing: Any, person: PlayerFacts, day: date, edition: Edition) -> Any:
        return standing

    def to_json(self, standing: Any) -> dict[str, Any]:
        return asdict(standing)

    def public_json(self, standing: Any, edition: Edition) -> dict[str, Any]:
        return self.to_json(standing)


class Icu(_Adapter):
    """The Irish system."""

    code, name, editions = icu.CODE, icu.NAME, icu.EDITIONS
    uses_age = True

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
        years = icu.years_between(person.joined, day, edition)
        return replace(seen, k=icu.k_factor(seen.rating, person.age_in(day.year), years, edition))

    def rate(self, event: Event, standings: Mapping[str, Any], edition: Edition) -> Rated:
        """Rate an event. Raises RatingError if its estimates do not settle."""
        result = icu.rate(event, standings, edition, in_order=True)
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

    def from_json(self, kept: Mapping[str, Any]) -> icu.Standing:
        """Return the standing, with its type as an enum."""
        return icu.Standing(**{**kept, "type": icu.PlayerType(kept["type"])})


class Uscf(_Adapter):
    """The US system."""

    code, name, editions = uscf.CODE, uscf.NAME, uscf.EDITIONS
    uses_age = True

    def newcomer(self, rating: float | None, edition: Edition) -> uscf.Standing:
        """Unrated, or established with a rating from elsewhere."""
        return uscf.Standing(rating=rating)

    def standing_on(self, standing: Any, person: PlayerFacts, day: date, edition: Edition) -> uscf.Standing:
        """Return the standing with the age in the year of the event, from which an unrated player starts."""
        seen: uscf.Standing = standing
        return seen if seen.rating is not None else replace(seen, age=person.age_in(day.year))

    def rate(self, event: Event, standings: Mapping[str, Any], edition: Edition) -> Rated:
        """Rate an event; published ratings are whole numbers."""
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
        """Return the standing without what is zero or unknown."""
        return {name: value for name, value in asdict(standing).items() if value}

    def from_json(self, kept: Mapping[str, Any]) -> uscf.Standing:
        """Return the standing, with its record as an enum."""
        record = uscf.Record(kept["record"]) if kept.get("record") else None
        return uscf.Standing(**{**kept, "record": record})

    def public_json(self, standing: Any, edition: Edition) -> dict[str, Any]:
        """Return the starting rating of an unrated player instead of the age in years that it comes from."""
        if standing.rating is None:
            start, games, _ = uscf.starting_rating(standing, edition)
            return {"start": [start, games]}
        return self.to_json(replace(standing, age=None))


class Cfc(_Adapter):
    """The Canadian system."""

    code, name, editions = cfc.CODE, cfc.NAME, cfc.EDITIONS

    def newcomer(self, rating: float | None, edition: Edition) -> cfc.Standing:
        """Unrated, or established with a rating from elsewhere."""
        if rating is None:
            return cfc.Standing(cfc.Status.UNRATED)
        return cfc.Standing(cfc.Status.ESTABLISHED, rating=round(rating), games=edition["established_games"])

    def rate(self, event: Event, standings: Mapping[str, Any], edition: Edition) -> Rated:
        """Rate an event; a rating on one or two games is kept but not published."""
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

    def from_json(self, kept: Mapping[str, Any]) -> cfc.Standing:
        """Return the standing, with its status as an enum."""
        return cfc.Standing(**{**kept, "status": cfc.Status(kept["status"])})


ADAPTERS: dict[str, Adapter] = {adapter.code: adapter for adapter in (Icu(), Uscf(), Cfc())}


def edition_of(adapter: Adapter, name: str, ended: date) -> Edition:
    """Return the edition of that name, or, without one, the one in force on the day. Raises EditionError if there is none."""
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
