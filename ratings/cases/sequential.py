"""Cases of the systems that rate one event after the other: order, edition, the place of what cannot be rated, and an
event as a case. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any, TypeVar

from config.lib.editions import Edition, EditionError, dated, edition_named, edition_on
from ratings.cases.fields import Node
from ratings.systems.base import Event, Opponent, RatingError

Figures = TypeVar("Figures")


def last_outcomes(outcomes: Iterable[Mapping[str, Figures]], played: Callable[[Figures], object]) -> dict[str, Figures]:
    """Return each player's outcome of the last event that he `played`, or of the first result, from results in order."""
    latest: dict[str, Figures] = {}
    for of_event in outcomes:
        latest |= {name: outcome for name, outcome in of_event.items() if name not in latest or played(outcome)}
    return latest


def in_order(case: Node, events: Sequence[Event]) -> list[tuple[Node, Event]]:
    """Return the events of a case, each with its node, by date when all are dated, on one day and otherwise as they are
    listed."""
    listed = list(zip(case["events"].items(), events, strict=True))
    if any(event.ended is None for event in events):
        return listed
    return sorted(listed, key=lambda node_and_event: node_and_event[1].ended or date.min)


def taking_part(event: Event, standings: Mapping[str, Figures], ranks: Mapping[str, int]) -> dict[str, Figures]:
    """Return the standings of the sides of an event's games, in the order of `ranks`: of the players of the case.

    An event is rated from these alone, or the cost of a case would be its events times its players. It makes no difference
    to them: who does not play moves nobody.
    """
    names = {side for game in event.games for side in (game.white, game.black) if isinstance(side, str)}
    return {name: standings[name] for name in sorted(names, key=ranks.__getitem__)}


def edition_of_case(case: Node, node: Node, event: Event, editions: Sequence[Edition]) -> Edition:
    """Return the edition that the case names, or the one in force on the event's end date; without a date the only one.

    `node`: the event's in the case.
    """
    if case.has("rules"):
        return edition_named(editions, case["rules"].choice([edition.name for edition in editions]))
    ended = node["ended"]
    if event.ended is not None:
        try:
            return edition_on(editions, event.ended)
        except EditionError as error:
            raise ended.fail(str(error)) from error
    by_day = dated(editions)
    if len(by_day) > 1:
        raise ended.fail("a date was expected, for the case names no rules")
    return by_day[0]


def first_edition(case: Node, events: Sequence[Event], editions: Sequence[Edition]) -> Edition:
    """The edition of a case's first event; without an event, and so without anything to rate, the one that the case names,
    or else the oldest."""
    if events:
        return edition_of_case(case, *in_order(case, events)[0], editions)
    return edition_named(editions, case["rules"].text()) if case.has("rules") else editions[0]


def refuse_penalties(case: Node) -> None:
    """CaseError for a case with penalties or adjustments: these systems have none."""
    for name in ("penalties", "adjustments"):
        if case.has(name) and any(True for _ in case[name].items()):
            raise case[name].fail(f"this system has no {name}")


@contextmanager
def placed(node: Node) -> Iterator[None]:
    """Turn a RatingError that names the event of a node into the CaseError of that event, or of its game."""
    try:
        yield
    except RatingError as error:
        if error.event is None:
            raise
        place = node if error.game is None else list(node["games"].items())[error.game]
        raise place.fail(error.message) from error


def write_case(
    event: Event,
    players: Mapping[str, Mapping[str, Any]],
    edition: Edition,
    *,
    id: str,
    system: str,
    called: Mapping[str, str],
    expected: Mapping[str, Mapping[str, Any]] | None = None,
    source: str = "",
) -> dict[str, Any]:
    """Return an event as a case of its own: the players' fields by id, in the order that the calculation had, and its games.

    `called` gives the ids that the case uses; `expected` are the figures of some players.
    """

    def side(player: str | Opponent | None) -> Any:
        return called[player] if isinstance(player, str) else None if player is None else {"rating": player.rating}

    ended = {} if event.ended is None else {"ended": event.ended.isoformat()}
    case: dict[str, Any] = {
        "id": id,
        "system": system,
        "rules": edition.name,
        "players": [
            {"id": called[name], **{field: value for field, value in fields.items() if value is not None}}
            for name, fields in players.items()
        ],
        "events": [
            {
                "id": event.id,
                **ended,
                "games": [
                    {
                        "round": game.round,
                        "white": side(game.white),
                        "black": side(game.black),
                        "result": game.result.value,
                    }
                    for game in event.games
                ],
            }
        ],
    }
    if expected is not None:
        case["expected"] = {"players": {called[name]: dict(figures) for name, figures in expected.items()}}
    return {**case, "source": source} if source else case
