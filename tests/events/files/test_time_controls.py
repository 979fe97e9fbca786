"""Time controls: what is certain is read, what is not stays a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.files.time_control_text import read_by_colour, read_coded, read_free, read_several
from events.rules.tournament import TimeControl


@pytest.mark.parametrize(
    ("text", "base", "increment"),
    [
        ("90+30", 90, 30),
        ("15 + 5", 15, 5),
        ("25 + 05", 25, 5),
        ("3+2", 3, 2),
        ("90'+30\"", 90, 30),
        ("90′ + 30″", 90, 30),
        ("60'+30''", 60, 30),
        ("40/100'+15'+30\"", 115, 30),
        ("100'x40+15'+30\"", 115, 30),
        ("100'x40mm + 50'x20mm + 30\" from move 1", 150, 30),
        ("90min/40moves+30min+30sec", 120, 30),
        ("90 min for 40 moves + 30 min + 30 sec per move", 120, 30),
        ("90 min / 40 moves, then 30 min, with 30 sec increment from move 1", 120, 30),
        ("1:30 + 10 from move 1", 90, 10),
        ("1:30 plus 15 per move", 90, 15),
        ("1h30 + 30s", 90, 30),
        ("2 hours", 120, 0),
        ("120 minutes per player per game", 120, 0),
        ("All moves in 90 minutes, plus 10 seconds per move", 90, 10),
        ("G/60", 60, 0),
        ("G60", 60, 0),
        ("G/90+30", 90, 30),
        ("25 minutes", 25, 0),
        ("10 min + 5 sec", 10, 5),
        ("10 min + 0 sec", 10, 0),
        ("Rapid 15+10", 15, 10),
        ("90 Minuten + 30 Sekunden pro Zug", 90, 30),
        ("90min + 30s/Zug", 90, 30),
        ("15 min + 10 seg por jugada", 15, 10),
        ("15 minuta po igraču za čitavu partiju", 15, 0),
        ("3 минута за целу партију + 2 секунде по потезу", 3, 2),
        ("600+0", 600, 0),
        ("90+300", 90, 300),
    ],
)
def test_certain_texts_are_read(text: str, base: int, increment: int) -> None:
    assert read_free(text) == TimeControl(base, increment)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "120",
        "90/40+30",
        "40/120, 60",
        "15-15 min/all",
        "5m + 3s Bronstein",
        "G/60;d5",
        "7'+5'' ou 12' KO",
        "moves/time, increment",
        "0+5",
        "601+0",
        "90+301",
        "90+30+30",
        "30 sec",
        "90 min + 30",
        "30 sec + 90 min",
        "+",
        "9" * 300,
    ],
)
def test_uncertain_texts_are_not(text: str) -> None:
    assert read_free(text) is None


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("5400+30", TimeControl(90, 30)),
        ("300", TimeControl(5, 0)),
        ("40/6000+30:900+30", TimeControl(115, 30)),
        ("40/6000+30:20/3000+30:1500+30", TimeControl(175, 30)),
        ("W300-B240", None),
        ("40/5400:1800+30", None),
        ("90", None),
        ("5400+", None),
        ("", None),
    ],
)
def test_record_222(text: str, control: TimeControl | None) -> None:
    assert read_coded(text) == control


@given(st.integers(1, 600), st.integers(0, 300))
def test_coded_and_free_agree(base: int, increment: int) -> None:
    assert read_coded(f"{base * 60}+{increment}") == read_free(f"{base}+{increment}") == TimeControl(base, increment)


@given(st.text(max_size=60) | st.text("0123456789'\"+/:xmin secWB-", max_size=40))
def test_no_text_raises(text: str) -> None:
    for control in (read_coded(text), read_free(text)):
        assert control is None or 0 < control.base <= 600


@pytest.mark.rule("chessa 21", "chessa 22")
@pytest.mark.parametrize(
    ("text", "controls"),
    [
        ("90+30; 15+10", ["90+30", "15+10"]),
        ("Rounds 1-3: 15+10, rounds 4-6: 90+30", ["15+10", "90+30"]),
        ("Rds 1, 2: 25 min, round 3: 60 min", ["25+0", "60+0"]),
        ("White 5 min, Black 4 min", ["5+0", "4+0"]),
        ("Standard 90+30 / Rapid 15+10", ["90+30", "15+10"]),
        ("15+10 or 10+5", ["15+10", "10+5"]),
        ("90+30; 90+30", []),
        ("90+30", []),
        ("White 5 min, Black 5 min", []),
        ("90 min / 40 moves, 30 min, odd", []),
        ("40/100'+15'+30\"", []),
        ("See the regulations of rounds 1 and 2", []),
        ("", []),
    ],
)
def test_a_text_that_states_several_controls_is_told_from_one_with_stages(text, controls):
    assert [str(control) for control in read_several(text)] == controls


@pytest.mark.rule("chessa 21")
def test_a_coded_control_by_colour():
    assert read_by_colour("W300-B240") == (TimeControl(5, 0), TimeControl(4, 0))
    assert read_coded("W300-B240") is None
    assert read_coded("W300+2-B300+2") == TimeControl(5, 2)
    assert read_by_colour("5400+30") == read_by_colour("W300-B") == ()


@given(st.text(max_size=60))
def test_no_text_breaks_the_search_for_several_controls(text: str) -> None:
    read_several(text)
    read_by_colour(text)
