"""Cases of several events: each is rated with those who take part in it, and nobody's figures differ for it by a bit."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.lib.editions import edition_named
from ratings.cases import cfc, icu, uscf
from ratings.cases.answer import answer_case
from ratings.cases.events import read_events, read_player_ids
from ratings.cases.fields import Node
from ratings.cases.sequential import last_outcomes
from ratings.systems.cfc import rate as rate_cfc
from ratings.systems.icu import rate as rate_icu
from ratings.systems.icu import standing_after
from ratings.systems.uscf import rate as rate_uscf

RATE_EVENTS: dict[str, Callable[[Node], Iterator[Any]]] = {
    "icu": icu.rate_events,
    "uscf": uscf.rate_events,
    "cfc": cfc.rate_events,
}
NAMES = [str(number) for number in (3, 1, 7, 4, 10, 2)]
_ratings = st.integers(700, 2400)


def _fields(**strategies: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(strategies)


PLAYERS = {
    "icu": st.one_of(
        _fields(type=st.just("rated"), rating=_ratings, k=st.sampled_from([16, 24, 32, 40])),
        _fields(type=st.just("provisional"), rating=_ratings, games=st.integers(1, 19)),
        _fields(type=st.just("unrated")),
        _fields(type=st.just("foreign"), rating=_ratings),
    ),
    "uscf": st.one_of(
        _fields(rating=_ratings, games=st.none() | st.integers(0, 60), peak=st.none() | _ratings),
        _fields(rating=_ratings, games=st.integers(1, 20), record=st.sampled_from(["all_won", "all_lost"])),
        _fields(age=st.integers(0, 40)),
        _fields(fide=st.integers(1000, 2600)),
        _fields(start=st.tuples(_ratings, st.integers(0, 10)).map(list)),
    ),
    "cfc": st.one_of(
        _fields(status=st.just("established"), rating=_ratings, games=st.integers(25, 60), high=st.none() | _ratings),
        _fields(status=st.just("provisional"), rating=_ratings, games=st.integers(1, 24)),
        _fields(status=st.just("unrated")),
    ),
}
OPTIONS = {
    "icu": [
        {"rules": rules, "options": {"no_bonuses": plain}}
        for rules in ("text", "software-3")
        for plain in (False, True)
    ],
    "uscf": [
        {"rules": rules, "options": {"method": method}}
        for rules in ("2001", "2013", "2025")
        for method in ("full", "approximate")
    ],
    "cfc": [{"rules": rules, "options": {"preliminary": 1200, "rounds": 7}} for rules in ("2012", "article")],
}
GAMES = st.tuples(
    st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True),
    st.sampled_from(["1-0", "0-1", "1/2-1/2", "1-0", "+--"]),
    st.none() | _ratings,
)


@st.composite
def cases(draw: st.DrawFn, system: str) -> dict[str, Any]:
    """Six players, of whom some never play, and up to four events, some of them without a game; long scores are frequent."""
    events = []
    for number in range(draw(st.integers(1, 4))):
        games = []
        for (white, black), result, guest in draw(st.lists(GAMES, max_size=6)):
            met = black if guest is None or guest % 3 else {"rating": guest}
            games += [{"white": white, "black": met, "result": result}] * draw(st.integers(1, 4))
        events.append({"id": f"e{number}", "games": games})
    players = [{"id": name, **draw(PLAYERS[system])} for name in NAMES]
    return {"system": system, **draw(st.sampled_from(OPTIONS[system])), "players": players, "events": events}


def _with_all_players(case: dict[str, Any]) -> Mapping[str, Any]:
    """Return the figures of a case whose every event is rated with all players."""
    node = Node(case, "")
    nodes = read_player_ids(node)
    events = read_events(node, nodes)
    if case["system"] == "icu":
        edition = edition_named(icu.icu.EDITIONS, case["rules"])
        standings = {name: icu.read_standing(player, edition) for name, player in nodes.items()}
        results = []
        for event in events:
            result = rate_icu(event, standings, edition, **case["options"])
            if result.error:
                return {}
            results.append(result.outcomes)
            standings = {
                name: standing_after(standings[name], outcome, edition) for name, outcome in result.outcomes.items()
            }
        outcomes: Mapping[str, Any] = last_outcomes(results, lambda outcome: outcome.games)
        return {name: icu.figures(outcome) for name, outcome in outcomes.items()}
    system, rate = (uscf, rate_uscf) if case["system"] == "uscf" else (cfc, rate_cfc)
    places = {name: system.read_standing(player) for name, player in nodes.items()}
    edition = edition_named(system.EDITIONS, case["rules"])
    rated = []
    for event in events:
        result = rate(event, places, edition, **case["options"])
        rated.append(result.outcomes)
        places = result.standings
    played = (lambda outcome: outcome.formula) if system is uscf else (lambda outcome: outcome.performance is not None)
    return {name: system.figures(outcome) for name, outcome in last_outcomes(rated, played).items()}


@pytest.mark.parametrize("system", RATE_EVENTS)
@given(st.data())
def test_figures_are_to_the_bit_those_with_all_players(system, data):
    case = data.draw(cases(system))
    # As JSON: 0.0 is not -0.0, and the players stay in the order of the case.
    assert json.dumps(answer_case(Node(case, ""))["players"]) == json.dumps(_with_all_players(case))


@pytest.mark.parametrize("system", RATE_EVENTS)
def test_an_event_is_rated_with_those_who_take_part_in_it(system):
    standing = {"icu": {"type": "rated", "k": 24}, "uscf": {"games": 40}, "cfc": {"status": "established", "games": 40}}
    case = {
        "system": system,
        "rules": {"icu": "software-3", "uscf": "2013", "cfc": "2012"}[system],
        "players": [{"id": name, "rating": 1500, **standing[system]} for name in NAMES],
        "events": [
            {"games": [{"white": white, "black": black, "result": "1-0"}]}
            for white, black in (("1", "2"), ("2", "3"), ("4", "1"))
        ],
    }
    _, *rated = RATE_EVENTS[system](Node(case, ""))
    assert [list(result.outcomes) for result in rated[-2:]] == [["3", "2"], ["1", "4"]]
