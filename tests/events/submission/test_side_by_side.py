"""Two texts cut into what they share and what they do not."""

from dataclasses import asdict
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.submission.compare import compare, letters, without_births
from events.submission.report import stretch
from players.identity import Person


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_stretches_are_the_texts(first, second):
    mine, theirs = letters(first, second)
    assert "".join(text for text, _ in mine) == first
    assert "".join(text for text, _ in theirs) == second


def test_what_differs_is_marked_letter_by_letter():
    assert letters("Mokoena, Naledi", "Mokoene, Naledi") == (
        [("Mokoen", True), ("a", False), (", Naledi", True)],
        [("Mokoen", True), ("e", False), (", Naledi", True)],
    )
    assert letters("MOKOENA", "Mokoena") == ([("MOKOENA", True)], [("Mokoena", True)])


def test_details_that_both_lack_are_left_out():
    rows = compare(Person("Mokoena", "Naledi", birth_year=2001), Person("Mokoena", "Naledi", national_id="100000001"))
    assert [(row.label, row.state) for row in rows] == [("Name", "same"), ("Born", "blank"), ("Chess SA id", "blank")]


BORN = {"birth_date": date(2001, 5, 12), "birth_year": 2001}


@pytest.mark.parametrize(
    ("line", "known", "said"),
    [
        (BORN, BORN, "agrees"),
        ({"birth_date": date(2001, 5, 13), "birth_year": 2001}, BORN, "differs in the day"),
        ({"birth_date": date(2000, 5, 12), "birth_year": 2000}, BORN, "differs in the year"),
        ({"birth_year": 2001}, BORN, "agrees in the year"),
        ({"birth_year": 2000}, BORN, "differs in the year"),
        ({}, BORN, "on the register"),
        (BORN, {}, "not on the register"),
    ],
)
def test_what_is_said_of_a_birth_date_that_is_not_shown(line, known, said):
    rows = without_births(
        [asdict(row) for row in compare(Person("Mokoena", "Naledi", **line), Person("Mokoena", "Naledi", **known))]
    )
    born = next(row for row in rows if row["label"] == "Born")
    assert [text for text, _ in born["known"]] == [said]
    assert len(born["line"]) <= 1


@given(st.text(max_size=300), st.integers(1, 300), st.integers(0, 40))
def test_the_stretch_of_a_line_holds_the_wrong_part(line, first, more):
    last = first + more
    before, wrong, after = stretch(line, first, last)
    assert wrong == line[first - 1 : last]
    assert before.removeprefix("…") + wrong + after.removesuffix("…") in line or "…" in line
