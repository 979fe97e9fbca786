from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.lib import formatting


@pytest.mark.rule("chessa 25")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1521.949, "1\u202f521.9"),
        (999.95, "1\u202f000.0"),
        (999.94, "999.9"),
        (-3.25, "−3.2"),
        (0.0, "0.0"),
        (None, "–"),
    ],
)
def test_a_rating_has_one_decimal_and_a_narrow_space(value, text):
    assert formatting.rating(value) == text


@pytest.mark.parametrize(
    ("value", "text", "direction"),
    [
        (16.3, "+16.3", "up"),
        (-8.44, "−8.4", "down"),
        (0.0, "0.0", "same"),
        (0.04, "0.0", "same"),
        (-0.04, "0.0", "same"),
        (0.06, "+0.1", "up"),
        (-0.06, "−0.1", "down"),
        (None, "–", ""),
    ],
)
def test_a_change_has_its_sign_and_agrees_with_its_colour(value, text, direction):
    assert formatting.change(value) == text
    assert formatting.direction(value) == direction


@pytest.mark.parametrize(
    ("value", "text"), [(1611.5, "1\u202f612"), (1611.49, "1\u202f611"), (-0.5, "−1"), (None, "–")]
)
def test_whole_figures_are_rounded_half_up(value, text):
    assert formatting.whole(value) == text


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (0.5, "½"), (1, "1"), (5.5, "5½"), (10.0, "10")])
def test_scores_are_written_with_halves(value, text):
    assert formatting.score(value) == text


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        (date(2024, 5, 17), date(2024, 5, 17), "17 May 2024"),
        (date(2024, 5, 17), date(2024, 5, 19), "17–19 May 2024"),
        (date(2024, 5, 31), date(2024, 6, 2), "31 May – 2 Jun 2024"),
        (date(2024, 12, 30), date(2025, 1, 2), "30 Dec 2024 – 2 Jan 2025"),
    ],
)
def test_days_say_only_what_differs(first, last, text):
    assert formatting.days(first, last) == text


def test_dates_and_months():
    assert formatting.day(date(2024, 3, 29)) == "29 Mar 2024"
    assert formatting.long_day(date(2024, 3, 1)) == "1 March 2024"
    assert formatting.month(date(2026, 10, 1)) == "October 2026"
    assert formatting.count(1, "game") == "1 game"
    assert formatting.count(1200, "entry", "entries") == "1\u202f200 entries"


@given(st.floats(min_value=-99_999, max_value=9_999_999, allow_nan=False))
def test_a_rating_reads_back_to_within_half_a_tenth(value):
    text = formatting.rating(value).replace("\u202f", "").replace("−", "-")
    assert abs(float(text) - value) <= 0.0501
