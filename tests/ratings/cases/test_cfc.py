"""Cases of the CFC rules: published and random events, and what a case may not hold.

The data: one case a line; a game is "white black result", an opponent who is not rated here "=rating"; a player's
figures are in the order of `FIGURES`, where null is a figure that does not arise.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from ratings.cases import cfc
from ratings.cases.fields import CaseError, Node

FIGURES = (
    "status",
    "performance",
    "k",
    "score",
    "expected",
    "natural",
    "bonus_high",
    "bonus_jump",
    "exact",
    "rating",
    "games",
    "high",
)
CASES = [
    case
    for name in ("published", "random", "letter")
    for case in json.loads((Path(__file__).parent / "cfc" / f"{name}.json").read_text(encoding="utf-8"))
]


def game(line: str) -> dict[str, Any]:
    white, black, result = line.split()
    return {"white": side(white), "black": None if black == "-" else side(black), "result": result}


def side(word: str) -> Any:
    return {"rating": float(word[1:])} if word.startswith("=") else word


def event(*games: str, **fields: Any) -> dict[str, Any]:
    return {"games": [game(line) for line in games], **fields}


def case_of(players: list[dict[str, Any]], *events: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"system": "cfc", "rules": "2012", "players": players, "events": list(events), **fields}


def answer(case: dict[str, Any]) -> dict[str, Any]:
    return cfc.answer(Node(case, ""))["players"]


@pytest.mark.rule("cfc 414a", "cfc 414b", "cfc 414d", "cfc 415", "cfc 417", "cfc article-rounds", "cfc article-2200")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_figures_agree(case):
    played = case_of(case["players"], event(*case["games"]), rules=case["rules"], options=case.get("options"))
    found = answer(played)
    assert list(found) == [player["id"] for player in case["players"]]
    for name, row in case["expected"].items():
        for figure, value in zip(FIGURES, row + [None] * (len(FIGURES) - len(row)), strict=True):
            shown = found[name][figure]
            if isinstance(value, float):
                assert shown == pytest.approx(value, abs=1e-9), (name, figure)  # given to nine places
            else:
                assert shown == value, (name, figure)


P = {"id": "p", "status": "established", "rating": 1500, "games": 100, "high": 1700}
Q = {"id": "q", "status": "established", "rating": 1600, "games": 100, "high": 1700}


def test_events_are_rated_from_the_standings_after_the_one_before():
    newcomer = {"id": "n", "status": "unrated"}
    found = answer(case_of([P, newcomer], event("p n 1-0", "p n 1-0"), event("p n 1/2-1/2")))
    assert found["n"]["status"] == "provisional"
    assert found["n"]["games"] == 3
    first = answer(case_of([P, newcomer], event("p n 1-0", "p n 1-0")))
    assert first["n"]["rating"] == 1100
    assert found["n"]["exact"] == pytest.approx((1100 * 2 + first["p"]["rating"]) / 3)


def test_events_go_by_their_dates_when_all_have_one():
    later, earlier = event("p q 1-0", ended="2013-02-02"), event("p q 0-1", ended="2013-02-01")
    assert answer(case_of([P, Q], later, earlier)) == answer(case_of([P, Q], earlier, later))


def test_who_skips_the_last_event_keeps_the_figures_of_the_one_before():
    found = answer(case_of([P, Q], event("p q 1-0"), event("p =1500 1-0")))
    assert found["q"] == answer(case_of([P, Q], event("p q 1-0")))["q"]


def test_the_only_edition_in_force_by_date_needs_no_name_and_no_date():
    named = answer(case_of([P, Q], event("p q 1-0")))
    assert answer(case_of([P, Q], event("p q 1-0"), rules=None)) == named
    assert answer(case_of([P, Q], event("p q 1-0", ended="2012-08-01"), rules=None)) == named


@pytest.mark.rule("cfc 418")
def test_without_a_game_everything_stays():
    found = answer(case_of([P, {"id": "n", "status": "unrated", "games": 0}], event("p - bye", "n p +--")))
    assert (found["p"]["rating"], found["p"]["games"], found["p"]["high"], found["p"]["k"]) == (1500, 100, 1700, None)
    assert (found["n"]["status"], found["n"]["rating"], found["n"]["games"]) == ("unrated", None, 0)


def test_without_events_everybody_stays():
    assert answer(case_of([P]))["p"] == answer(case_of([P], event("p - bye")))["p"]


@pytest.mark.rule("cfc article-rounds")
def test_rounds_are_the_option_or_else_the_greatest_round_of_the_event():
    games = [game("p =1500 1-0") | {"round": 1}, game("p - bye") | {"round": 4}]
    played = {"rules": "article", "events": [{"games": games}]}
    four, five = ({"options": {"rounds": rounds}} for rounds in (4, 5))
    assert answer(case_of([P]) | played) == answer(case_of([P]) | played | four)
    young = P | {"high": 1500}
    jumps = [
        answer(case_of([young]) | played | {"events": [{"games": [game("p =2500 1-0")] * 2}]} | options)["p"][
            "bonus_jump"
        ]
        for options in (four, five)
    ]
    assert jumps == pytest.approx([1.75 * (64 - 26), 1.75 * (64 - 13 * 5**0.5)])


@pytest.mark.rule("cfc article-rounds")
def test_without_rounds_the_article_is_refused_and_the_handbook_is_not():
    with pytest.raises(CaseError, match="give the option `rounds`") as caught:
        answer(case_of([P, Q], event("p q 1-0"), rules="article"))
    assert caught.value.place == "events[0]"
    assert answer(case_of([P, Q], event("p q 1-0")))["p"]["bonus_jump"] == 0


NEW = [{"id": "m", "status": "unrated"}, {"id": "n", "status": "unrated"}]
WON = event("p q 1-0")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"rules": "2013"}, "rules"),
        ({"rules": None, "events": [event(ended="2012-07-31")]}, "events[0].ended"),
        ({"colour": "red"}, "colour"),
        ({"options": {"match": 1}}, "options.match"),
        ({"options": {"preliminary": "1200"}}, "options.preliminary"),
        ({"options": {"preliminary": 1200.5}}, "options.preliminary"),
        ({"options": {"method": "full"}}, "options.method"),
        ({"options": {"rounds": 0}}, "options.rounds"),
        ({"options": {"rounds": "5"}}, "options.rounds"),
        ({"options": []}, "options"),
        ({"penalties": [{"player": "p", "points": 20}]}, "penalties"),
        ({"players": [P | {"status": "rated"}, Q]}, "players[0].status"),
        ({"players": [P | {"rating": None}, Q]}, "players[0].rating"),
        ({"players": [P | {"rating": 1500.5}, Q]}, "players[0].rating"),
        ({"players": [P | {"games": None}, Q]}, "players[0].games"),
        ({"players": [P | {"games": -1}, Q]}, "players[0].games"),
        ({"players": [P | {"high": "1700"}, Q]}, "players[0].high"),
        ({"players": [P | {"status": "unrated"}, Q]}, "players[0].rating"),
        ({"players": [P | {"status": "unrated", "rating": None}, Q]}, "players[0].games"),
        ({"players": [P | {"club": "A"}, Q]}, "players[0].club"),
        ({"events": [event("p x 1-0")]}, "events[0].games[0].black"),
        ({"events": [event("p q 1-0", "p =1500.5 1-0")]}, "events[0].games[1]"),
        ({"players": NEW, "events": [WON | event(), event("m n 1-0")]}, "events[1]"),
        (
            {"players": [P | {"rating": 1199}, Q], "options": {"match": True}, "events": [event(), WON]},
            "events[1].games[0]",
        ),
    ],
)
def test_what_cannot_be_read_is_named_by_its_place(change, place):
    with pytest.raises(CaseError) as caught:
        answer(case_of([P, Q], WON) | change)
    assert caught.value.place == place
