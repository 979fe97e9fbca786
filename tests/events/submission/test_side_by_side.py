"""Two texts cut into what they share and what they do not."""

from hypothesis import given
from hypothesis import strategies as st

from events.submission.compare import compare, letters
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


@given(st.text(max_size=300), st.integers(1, 300), st.integers(0, 40))
def test_the_stretch_of_a_line_holds_the_wrong_part(line, first, more):
    last = first + more
    before, wrong, after = stretch(line, first, last)
    assert wrong == line[first - 1 : last]
    assert before.removeprefix("…") + wrong + after.removesuffix("…") in line or "…" in line
