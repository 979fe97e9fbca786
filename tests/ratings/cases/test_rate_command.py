"""`manage.py rate`: the answer on standard output, or one line on standard error and nothing else."""

import io
import json
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from ratings.cases.answer import answer_document
from ratings.cases.fields import MOST_CASES, MOST_EVENTS, MOST_PLAYERS, MOST_TAKING_PART
from tests.ratings.systems.chessa_builder import document, event, game, player

CASE = document([player("a", 1400), player("b", 1400)], [event(game("a", "b"))])


def _rate(name: str) -> object:
    out = io.StringIO()
    call_command("rate", name, stdout=out)
    return json.loads(out.getvalue())


def _refusal(name: str) -> str:
    out = io.StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("rate", name, stdout=out)
    assert refused.value.returncode == 1
    assert out.getvalue() == ""
    message = str(refused.value)
    assert message.isprintable(), "one line"
    return message


@pytest.fixture
def file(tmp_path: Path):
    """Writes bytes or text to a file and gives its name."""

    def write(content: str | bytes) -> str:
        path = tmp_path / "case.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def test_one_case(file):
    assert _rate(file(json.dumps(CASE))) == answer_document(CASE)


def test_a_list_of_cases_keeps_its_order(file):
    other = document([player("c", 1500)], [])
    answers = _rate(file(json.dumps([CASE, other])))
    assert [list(answer["players"]) for answer in answers] == [["a", "b"], ["c"]]


def test_an_empty_list(file):
    assert _rate(file("[]")) == []


def test_standard_input(monkeypatch):
    data = io.TextIOWrapper(io.BytesIO(json.dumps(CASE).encode()))
    monkeypatch.setattr(sys, "stdin", data)
    assert _rate("-") == answer_document(CASE)


ICU = {"system": "icu", "players": [{"id": "1", "type": "rated", "rating": 1500, "k": 24}], "events": [{"games": []}]}


def test_a_document_has_no_more_cases_and_events_than_are_rated_in_seconds(file):
    many = {**ICU, "events": ICU["events"] * MOST_EVENTS}
    assert list(_rate(file(json.dumps(many)))["players"]) == ["1"]
    assert len(_rate(file(json.dumps([ICU] * MOST_CASES)))) == MOST_CASES
    one_more = {**many, "events": [*many["events"], *ICU["events"]]}
    assert _refusal(file(json.dumps(one_more))) == "events: at most 2500 events are rated at once, one after the other"
    assert _refusal(file(json.dumps([CASE, many, ICU]))).startswith("cases[2].events: at most 2500 events")
    assert _refusal(file(json.dumps([ICU] * (MOST_CASES + 1)))).startswith("cases[1000]: at most 1000 cases")


@pytest.mark.parametrize("more", [0, 1])
def test_a_document_has_no_more_players_than_are_rated_in_seconds(file, more):
    half = [player(f"p{number}") for number in range(MOST_PLAYERS // 2)]
    cases = [document(half, []), document([*half, *[player("one more")] * more], [])]
    content = file(json.dumps(cases))
    if more:
        assert _refusal(content) == f"cases[1].players: at most {MOST_PLAYERS} players are rated at once"
    else:
        assert len(_rate(content)) == 2


@pytest.mark.parametrize("more", [0, 1])
def test_the_events_of_a_document_have_no_more_players_than_are_rated_in_seconds(file, more):
    """Those of events that are rated one after the other, each in every event."""
    names = [f"p{number}" for number in range(10)]
    games = [{"white": white, "black": black, "result": "1-0"} for white, black in pairwise([*names, names[0]])]
    events = [{"games": games}] * (MOST_TAKING_PART // len(names)) + [{"games": games[:1]}] * more
    case = {**ICU, "players": [{**ICU["players"][0], "id": name} for name in names], "events": events}
    content = file(json.dumps(case))
    if more:
        assert _refusal(content).startswith(f"events: at most {MOST_TAKING_PART} players are rated one event after")
    else:
        assert len(_rate(content)["players"]) == len(names)


def test_events_of_a_period_that_is_rated_at_once_are_not_counted(file):
    events = [{**CASE["events"][0], "id": f"e{number}", "games": []} for number in range(MOST_EVENTS + 1)]
    assert list(_rate(file(json.dumps({**CASE, "events": events})))["players"]) == ["a", "b"]


def test_figures_are_printed_in_full(file):
    assert _rate(file(json.dumps(CASE)))["players"]["a"]["standard"]["raw"] == 1400 + 32 * (1 - 0.541767)


def test_a_byte_order_mark_is_read_over(file):
    assert _rate(file(b"\xef\xbb\xbf" + json.dumps(CASE).encode())) == answer_document(CASE)


def test_a_missing_file():
    assert "No such file" in _refusal("/nowhere/case.json")


def test_a_folder(tmp_path):
    assert "directory" in _refusal(str(tmp_path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "line 1 column 1: Expecting value"),
        ('{"id": 1,\n "x" 2}', "line 2 column 6: Expecting ':' delimiter"),
        (b"\xff\xfe", "not UTF-8 at byte 1"),
        ('{"id": NaN}', "NaN is not a number of JSON"),
        ('{"id": -Infinity}', "-Infinity is not a number of JSON"),
        ("[" * 5_000, "nested too deeply"),
        ('{"id": ' + "1" * 5000 + "}", "digits"),
    ],
)
def test_what_is_no_json(file, content, message):
    assert message in _refusal(file(content))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", "system: one of"),
        ("null", "an object was expected"),
        ('"text"', "an object was expected"),
        ('{"system": "elo"}', "system: one of"),
        ('{"system": [], "events": []}', "system: one of"),
        ('{"system": "cfc", "events": {}}', "players: a list was expected"),
        ('[{"system": "chessa"}]', "cases[0].calculated_on: a text was expected, found nothing"),
    ],
)
def test_what_is_no_case(file, content, message):
    assert message in _refusal(file(content))


def test_a_broken_case_among_good_ones_leaves_standard_output_empty(file):
    broken = json.loads(json.dumps(CASE))
    broken["events"][0]["games"][0]["result"] = "2-0\nx"
    assert _refusal(file(json.dumps([CASE, broken]))).startswith("cases[1].events[0].games[0].result: ")


def test_a_number_beyond_a_double_is_refused_with_its_place(file):
    text = json.dumps(CASE).replace("1400", "1e400", 1)
    assert "players[0].lists.main.raw: " in _refusal(file(text))


def test_half_a_character_in_an_id_comes_back_as_it_went_in(file):
    text = json.dumps(CASE).replace('"a"', '"\\ud800"')
    assert "\ud800" in _rate(file(text))["players"]
    assert "\ufffd" not in _refusal(file(text.replace('"white": ', '"white": "x", "w": ')))
