"""What is right of a section: changes to its content, each from one document to the next. No database.

Each takes a document of `events.amending.content`, leaves it as it is, and returns another. Raises EventError for what the
document does not hold, or could not hold; the text says what to do instead.
"""

from copy import deepcopy
from datetime import date
from decimal import Decimal
from typing import Any

from events.amending.content import Content, Row, new_id
from events.rules.game_result import BYES, POINTS, Result, mirrored
from events.rules.penalties import PenaltyKind
from events.rules.sizes import MOST_TIME
from events.rules.states import EventError
from events.rules.tiebreaks import ROUND_ROBIN_ORDER, SWISS_ORDER, places, rounds_of, tie_breaks
from events.rules.time_controls import speed_errors

_ROUND_ROBINS = frozenset({"round-robin", "double-round-robin"})


def game_of(content: Content, game: int) -> Row:
    """Return the row of a game."""
    for row in content["games"]:
        if row["id"] == game:
            return dict(row)
    raise EventError("the section has no such game: look at its crosstable again, it may have been corrected meanwhile")


def with_result(content: Content, game: int, result: Result) -> Content:
    """Give a game another result; points and places follow."""
    row = game_of(content, game)
    if (result in BYES) != (Result(row["result"]) in BYES):
        raise EventError("a bye has no opponent and a game has one: send in the section's file anew instead")
    return _ranked(_with_row(content, "games", {**row, "result": result.value}), content)


def with_colours_changed(content: Content, game: int) -> Content:
    """Let White have been Black and Black White; each keeps his points."""
    row = game_of(content, game)
    result = Result(row["result"])
    if result in BYES:
        raise EventError("a bye has no colours")
    return _with_row(
        content,
        "games",
        {
            **row,
            "white_id": row["black_id"],
            "black_id": row["white_id"],
            "result": mirrored(result).value,
            "colour_known": True,
        },
    )


def with_player(content: Content, taken: int, right: int) -> Content:
    """Let one player have been another, in all his games, his entry and his penalties; both are keys of the register."""
    if taken == right:
        raise EventError("that is the player as he stands: choose the one who really played")
    if right in players_of(content):
        raise EventError("the player who is to take the place has games of his own in the section: correct those first")
    if taken not in players_of(content):
        raise EventError("the player did not play in the section: look at its crosstable again")
    after = deepcopy(content)
    for name, fields in (
        ("entries", ("player_id",)),
        ("games", ("white_id", "black_id")),
        ("penalties", ("player_id",)),
    ):
        for row in after[name]:
            for field in fields:
                if row[field] == taken:
                    row[field] = right
    return after


def with_facts(
    content: Content,
    *,
    base_minutes: int | None = None,
    increment_seconds: int | None = None,
    starts: date | None = None,
    ends: date | None = None,
) -> Content:
    """Give a section another time control or other days; what is None stays. A time control that is not rated (article 23)
    is refused: a section that should not count is left out.
    """
    after = deepcopy(content)
    facts = after["facts"]
    given = {
        "base_minutes": base_minutes,
        "increment_seconds": increment_seconds,
        "starts": starts and starts.isoformat(),
        "ends": ends and ends.isoformat(),
    }
    facts.update({name: value for name, value in given.items() if value is not None})
    if not 0 <= facts["base_minutes"] <= MOST_TIME or not 0 <= facts["increment_seconds"] <= MOST_TIME:
        raise EventError(f"base minutes and increment are whole numbers from 0 to {MOST_TIME}")
    if facts["ends"] < facts["starts"]:
        raise EventError("the section ends before it starts: correct one of the two days")
    control = facts["base_minutes"], facts["increment_seconds"]
    if control != (content["facts"]["base_minutes"], content["facts"]["increment_seconds"]):
        for finding in speed_errors(*control, date.fromisoformat(facts["ends"])):
            sentence = finding.as_sentence.removesuffix(".")
            raise EventError(f"{sentence}: correct the time, or say that the section should not have been rated")
    return after


def with_penalty(
    content: Content, *, player: int, round_: int, kind: PenaltyKind, points: Decimal, reason: str
) -> Content:
    """Let a player lose points for a round (51), or from it on (52), as an officer decided."""
    if player not in players_of(content):
        raise EventError("the player did not play in the section: a penalty is for a round of his")
    if any(
        row["player_id"] == player and row["round"] == round_ and row["status"] != "dropped"
        for row in content["penalties"]
    ):
        raise EventError(f"he has a penalty for round {round_} already: drop that one first")
    if points <= 0:
        raise EventError("a penalty costs points: enter how many, as the article says")
    row = {
        "id": new_id(content["penalties"]),
        "player_id": player,
        "round": round_,
        "kind": kind.value,
        "points": f"{points:.2f}",
        "status": "confirmed",
        "reason": reason,
        "decided_by_id": None,
        "decided_at": None,
        "final": True,
    }
    return {**deepcopy(content), "penalties": [*content["penalties"], row]}


def without_penalty(content: Content, penalty: int, reason: str) -> Content:
    """Drop a penalty, with the reason."""
    row = next((row for row in content["penalties"] if row["id"] == penalty and row["status"] == "confirmed"), None)
    if row is None:
        raise EventError("the section has no such penalty in force")
    return _with_row(content, "penalties", {**row, "status": "dropped", "reason": reason, "final": True})


def without_passing_penalties(content: Content, published: Content) -> Content:
    """Leave out the penalties that were added to what is published and dropped again: they never counted."""
    known = {row["id"] for row in published["penalties"]}
    kept = [row for row in content["penalties"] if row["id"] in known or row["status"] != "dropped"]
    return {**content, "penalties": kept}


def left_out(content: Content) -> Content:
    """Let a section not have been rated."""
    if content["facts"]["period_id"] is None:
        raise EventError("the section is not rated: there is nothing to leave out")
    return {**deepcopy(content), "facts": {**content["facts"], "period_id": None}}


def taken_in(content: Content, period: int) -> Content:
    """Let a section have been rated in a period (its key)."""
    if content["facts"]["period_id"] is not None:
        raise EventError("the section is rated already")
    return {**deepcopy(content), "facts": {**content["facts"], "period_id": period}}


def players_of(content: Content) -> set[int]:
    """Return the keys of the players of a section."""
    sides = {row[side] for row in content["games"] for side in ("white_id", "black_id")}
    return ({row["player_id"] for row in content["entries"]} | sides) - {None}


def _with_row(content: Content, table: str, row: Row) -> Content:
    rows = [row if other["id"] == row["id"] else dict(other) for other in content[table]]
    return {**deepcopy(content), table: rows}


def _ranked(after: Content, before: Content) -> Content:
    """Give the entries the points of the changed games, and, if they changed, their places by points and tie-breaks."""
    gained = _points(after)
    lost = _points(before)
    if gained == lost:
        return after
    for row in after["entries"]:
        change = gained.get(row["player_id"], 0.0) - lost.get(row["player_id"], 0.0)
        row["points"] = f"{Decimal(row['points']) + Decimal(str(change)):.1f}"
    round_robin = after["facts"]["format"] in _ROUND_ROBINS
    pairings = [(row["round"], row["white_id"], row["black_id"], Result(row["result"])) for row in after["games"]]
    points: dict[int, Any] = {row["player_id"]: float(row["points"]) for row in after["entries"]}
    known = [(number, *sides, result) for number, *sides, result in pairings if {*sides} - {None} <= points.keys()]
    figures = tie_breaks(
        points, rounds_of(known, round_robin=round_robin), len(after["rounds"]), round_robin=round_robin
    )
    order = ROUND_ROBIN_ORDER if round_robin else SWISS_ORDER
    keys = [(points[player], *(figures[player][tie_break.code] for tie_break in order)) for player in points]
    ranks = dict(zip(points, places(keys), strict=True))
    for row in after["entries"]:
        row["rank"] = ranks[row["player_id"]]
    return after


def _points(content: Content) -> dict[int, float]:
    counted: dict[int, float] = {}
    for row in content["games"]:
        for player, points in zip((row["white_id"], row["black_id"]), POINTS[Result(row["result"])], strict=True):
            if player is not None:
                counted[player] = counted.get(player, 0.0) + points
    return counted
