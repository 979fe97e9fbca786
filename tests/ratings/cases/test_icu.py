"""Cases of the Irish Chess Union's system: published and random tournaments, and what a case may not hold.

The data: one case a line; a player is [id, type, rating, k or games], a game "round white black result", a player's
figures are in the order of `FIGURES`, where null is unchecked but for the first two.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from ratings.cases import icu
from ratings.cases.fields import CaseError, Node

FIGURES = ("rating", "performance", "games", "score", "expected", "change", "bonus")
CASES = [
    case
    for name in ("published", "random")
    for case in json.loads((Path(__file__).parent / "icu" / f"{name}.json").read_text(encoding="utf-8"))
]


def player(name: str, kind: str, *figures: float) -> dict[str, Any]:
    names = ("rating", "games" if kind == "provisional" else "k")
    return {"id": name, "type": kind} | dict(zip(names, figures, strict=False))


def game(line: str) -> dict[str, Any]:
    number, white, black, result = line.split()
    return {"round": int(number), "white": white, "black": None if black == "-" else black, "result": result}


def case_of(players: list[dict[str, Any]], *events: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"system": "icu", "players": players, "events": list(events), **fields}


def answer(case: dict[str, Any]) -> dict[str, Any]:
    return icu.answer(Node(case, ""))


@pytest.mark.rule("icu bonus-threshold", "icu change", "icu estimates", "icu performance", "icu second-pass")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_figures_agree(case):
    players = [player(*row) for row in case["players"]]
    event = {"id": "e1", "games": [game(line) for line in case["games"]]}
    found = answer(case_of(players, event, rules=case["rules"], options=case.get("options")))
    assert found["error"] == case["error"]
    assert found["iterations"] == case.get("iterations", found["iterations"])
    assert set(found["players"]) == ({row["id"] for row in players} if case["error"] is None else set())
    for name, row in case["expected"].items():
        for figure, value in zip(FIGURES, row, strict=False):
            if value is not None or figure in ("rating", "performance"):
                assert found["players"][name][figure] == pytest.approx(value, abs=1e-6), (name, figure)


TWO = [player("1", "rated", 1500, 24), player("2", "rated", 1500, 24)]
WON = {"id": "a", "games": [{"white": "1", "black": "2", "result": "1-0"}]}
LOST = {"id": "b", "games": [{"white": "1", "black": "2", "result": "0-1"}]}


def test_the_text_is_the_default():
    # One drew 1450; without a bonus the editions differ in their sweeps.
    players = [player("1", "rated", 1500, 24), player("2", "provisional", 1500, 5)]
    drawn = {"games": [{"white": "1", "black": "2", "result": "1/2-1/2"}]}
    assert answer(case_of(players, drawn))["iterations"] == [2, 0]
    assert answer(case_of(players, drawn, rules="text"))["iterations"] == [2, 0]
    assert answer(case_of(players, drawn, rules="software-3"))["iterations"] == [3, 0]


def test_events_are_rated_from_the_standings_after_the_one_before():
    found = answer(case_of(TWO, WON, LOST))["players"]
    loss = -24 / (1 + 10 ** (-24 / 400))  # 1512 against 1488
    assert found["1"]["change"] == pytest.approx(loss)
    assert found["1"]["rating"] == pytest.approx(1512 + loss)


def test_events_go_by_their_dates_when_all_have_one():
    later, earlier = WON | {"ended": "2024-05-02"}, LOST | {"ended": "2024-05-01"}
    by_date = answer(case_of(TWO, later, earlier))["players"]
    assert by_date == answer(case_of(TWO, LOST, WON))["players"]
    assert answer(case_of(TWO, later, LOST))["players"] == answer(case_of(TWO, WON, LOST))["players"] != by_date


@pytest.mark.rule("icu player-types", "icu standing-after")
def test_an_unrated_player_becomes_provisional_and_after_20_games_rated():
    players = [player("1", "rated", 1500, 24), player("2", "unrated")]

    def drawn(count: int, name: str) -> dict[str, Any]:
        return {"id": name, "games": [{"white": "1", "black": "2", "result": "1/2-1/2"}] * count}

    assert answer(case_of(players, drawn(19, "a"), drawn(1, "b")))["players"]["2"]["change"] is None
    assert answer(case_of(players, drawn(19, "a"), drawn(1, "b"), drawn(1, "c")))["players"]["2"]["change"] == 0
    won = {"id": "c", "games": [{"white": "2", "black": "1", "result": "1-0"}]}
    assert answer(case_of(players, drawn(20, "a"), won))["players"]["2"]["change"] == 12
    after = answer(case_of(players, drawn(19, "a"), won))["players"]["2"]
    assert after["rating"] == pytest.approx((19 * 1500 + 1900) / 20)


def test_who_skips_the_last_event_keeps_the_figures_of_the_one_before():
    players = [*TWO, player("3", "provisional", 1400, 5)]
    first = {"id": "a", "games": [{"white": "1", "black": "3", "result": "1/2-1/2"}]}
    assert answer(case_of(players, first, WON | {"id": "b"}))["players"]["3"]["rating"] == pytest.approx(8500 / 6)


@pytest.mark.rule("icu rest")
def test_an_event_that_does_not_converge_ends_the_case():
    players = [player("1", "unrated"), player("2", "unrated"), player("3", "rated", 1500, 24)]
    drawn = {"white": "1", "black": "2", "result": "1/2-1/2"}
    stuck = {"games": [drawn] * 10 + [{"white": "1", "black": "3", "result": "1/2-1/2"}]}
    for events in ([stuck], [WON, stuck], [stuck, WON]):
        assert answer(case_of(players, *events)) == {"error": "did not converge", "iterations": [50, 0], "players": {}}


def test_an_opponent_may_be_a_mere_rating():
    guest = {"games": [{"white": {"rating": 1900}, "black": "1", "result": "0-1"}]}
    assert answer(case_of(TWO, guest))["players"]["1"]["expected"] == pytest.approx(1 / 11)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"rules": "software-2"}, "rules"),
        ({"colour": "red"}, "colour"),
        ({"options": {"no_bonuses": 1}}, "options.no_bonuses"),
        ({"options": {"bonuses": True}}, "options.bonuses"),
        ({"options": []}, "options"),
        ({"penalties": [{"player": "1", "points": 20}]}, "penalties"),
        ({"players": [{"id": "1", "type": "master"}]}, "players[0].type"),
        ({"players": [{"id": "1", "type": "rated", "rating": 1500}]}, "players[0].k"),
        ({"players": [{"id": "1", "type": "rated", "k": 24}]}, "players[0].rating"),
        ({"players": [player("1", "rated", 1500, 0)]}, "players[0].k"),
        ({"players": [player("1", "rated", 1500, -1)]}, "players[0].k"),
        ({"players": [player("1", "rated", 1500, 24) | {"games": 30}]}, "players[0].games"),
        ({"players": [player("1", "provisional", 1500, 0)]}, "players[0].games"),
        ({"players": [player("1", "provisional", 1500, 20)]}, "players[0].games"),
        ({"players": [player("1", "provisional", 1500, 1.5)]}, "players[0].games"),
        ({"players": [{"id": "1", "type": "unrated", "rating": 1500}]}, "players[0].rating"),
        ({"players": [player("1", "foreign", 1500, 24)]}, "players[0].k"),
        ({"players": [player("1", "foreign")]}, "players[0].rating"),
        ({"players": [TWO[0] | {"club": "A"}]}, "players[0].club"),
        ({"rules": "software-3", "players": [player("x", "unrated")]}, "players[0].id"),
        ({"rules": "software-3", "players": [player("1", "unrated"), player("01", "unrated")]}, "players[1].id"),
        (
            {"events": [{"games": [{"white": "1", "black": {"fide": 2000}, "result": "1-0"}]}]},
            "events[0].games[0].black.fide",
        ),
        ({"events": [{"games": [{"white": "1", "black": "3", "result": "1-0"}]}]}, "events[0].games[0].black"),
    ],
)
def test_what_cannot_be_read_is_named_by_its_place(change, place):
    with pytest.raises(CaseError) as caught:
        answer(case_of(TWO, WON) | change)
    assert caught.value.place == place


def test_a_game_that_cannot_be_rated_is_named_by_its_place_in_the_case_whatever_the_order_of_the_events():
    again = {"white": "2", "black": "1", "result": "1-0", "round": 1}
    first = {"ended": "2024-05-02", "games": [{"white": "1", "black": "2", "result": "1-0", "round": 1}, again]}
    with pytest.raises(CaseError, match="two results in round 1") as caught:
        answer(case_of(TWO, first, WON | {"ended": "2024-05-01"}))
    assert caught.value.place == "events[0].games[1]"
