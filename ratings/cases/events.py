"""The part of a case that all systems share: its players' ids and its events with their games. Pure."""

from collections.abc import Collection

from ratings.cases.fields import Node
from ratings.systems.base import Event, Game, GameResult, Opponent, TimeControl

CASE_FIELDS = frozenset([
    "id", "system", "rules", "options", "calculated_on", "players", "events", "penalties", "adjustments", "expected",
    "tolerance", "source", "printed", "list",
])  # fmt: skip
_RESULTS = [result.value for result in GameResult]


def read_player_ids(case: Node) -> dict[str, Node]:
    """Return the players of a case by id, in the order of the case. Raises CaseError for a missing or repeated id."""
    players: dict[str, Node] = {}
    for player in case["players"].items():
        player.fields()
        name = player["id"].text()
        if name in players:
            raise player["id"].fail(f"player {name!r} stands twice")
        players[name] = player
    return players


def read_events(case: Node, players: Collection[str], opponent_fields: Collection[str] = ("rating",)) -> list[Event]:
    """The events of a case, in its order. `opponent_fields` are those that an opponent who is not rated here may have."""
    events: list[Event] = []
    seen: set[str] = set()
    for index, node in enumerate(case["events"].items()):
        node.fields({"id", "ended", "time_control", "games"})
        name = node["id"].text() if node.has("id") else f"e{index + 1}"
        if name in seen:
            raise node["id"].fail(f"event {name!r} stands twice")
        seen.add(name)
        events.append(
            Event(
                id=name,
                games=tuple(_read_game(game, players, opponent_fields) for game in node["games"].items()),
                ended=node["ended"].day() if node.has("ended") else None,
                time_control=_read_time_control(node["time_control"]) if node.has("time_control") else None,
            )
        )
    return events


def _read_time_control(node: Node) -> TimeControl:
    node.fields({"base", "increment"})
    return TimeControl(node["base"].number(0, 10_000), node["increment"].number(0, 10_000))


def _read_game(node: Node, players: Collection[str], opponent_fields: Collection[str]) -> Game:
    node.fields({"round", "white", "black", "result"})
    result = GameResult(node["result"].choice(_RESULTS))
    white = _read_side(node["white"], players, opponent_fields)
    round_ = node["round"].whole(1) if node.has("round") else None
    if result is GameResult.BYE:
        if node.has("black"):
            raise node["black"].fail("a bye has no opponent: null was expected")
        return Game(white, None, result, round_)
    black = _read_side(node["black"], players, opponent_fields)
    if isinstance(white, str) and white == black:
        raise node["black"].fail(f"player {black!r} plays against himself")
    if isinstance(white, Opponent) and isinstance(black, Opponent):
        raise node["black"].fail("one side of a game must be a player of the case")
    return Game(white, black, result, round_)


def _read_side(node: Node, players: Collection[str], opponent_fields: Collection[str]) -> str | Opponent:
    if isinstance(node.value, dict):
        members = node.members(opponent_fields)
        if len(members) != 1:
            raise node.fail(f"an opponent has exactly one of {', '.join(opponent_fields)}")
        name, member = next(iter(members.items()))
        return Opponent(**{name: member.number(-10_000, 10_000)})
    name = node.text()
    if name not in players:
        raise node.fail(f"player {name!r} is not among the players of the case")
    return name
