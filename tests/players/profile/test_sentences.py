"""What a month's change is made up of, in numbers and in a sentence."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.profile.sentences import MonthFigures, month_parts, month_sentence

PLAYED = MonthFigures(
    calculated_on=date(2026, 11, 1),
    games=6,
    points=3.5,
    average_opponent=1480.2,
    earned=12.5,
    weighted_performance=None,
    raw_before=1500.0,
    raw=1512.5,
    published_before=1500.0,
    published=1512.5,
)


def test_games_alone():
    assert month_sentence(PLAYED) == "+12.5 for 3½ of 6 against 1\u202f480 on average."


@pytest.mark.rule("chessa 49", "chessa 50")
def test_the_weighted_average_that_held_a_rating_up_is_told_when_it_no_longer_does():
    month = replace(PLAYED, published_before=1507.0)
    assert month_sentence(month) == (
        "+12.5 for 3½ of 6 against 1\u202f480 on average;"
        " the weighted average of the last 24 ratings took 7.0 away: +5.5 in all."
    )


@pytest.mark.rule("chessa 49", "chessa 50")
def test_a_month_without_games():
    month = replace(
        PLAYED,
        games=0,
        points=0.0,
        average_opponent=None,
        earned=0.0,
        raw=1500.0,
        published_before=1540.0,
        published=1538.7,
    )
    assert month_sentence(month) == "No rated game; the weighted average of the last 24 ratings took 1.3 away."


@pytest.mark.rule("chessa 47")
def test_the_greatest_change_is_told_from_where_it_acts():
    limit = 108.1432  # 916.4904 × e^(−0.00142473 × 1500)
    below = replace(PLAYED, earned=limit - 0.1, raw=1500 + limit - 0.1, published=1500 + limit - 0.1)
    assert "article 47" not in month_sentence(below)
    above = replace(PLAYED, earned=limit + 0.1, raw=1500 + limit, published=1500 + limit)
    assert ", of which 108.1 counts (article 47)." in month_sentence(above)


@pytest.mark.rule("chessa 40")
def test_a_rise_by_weighted_performance():
    month = replace(PLAYED, weighted_performance=1530.0, raw=1530.0, published=1530.0)
    assert "; the weighted performance added 17.5: +30.0 in all." in month_sentence(month)


@pytest.mark.rule("chessa 42", "chessa 51")
def test_floor_and_penalties():
    assert "; the floor of article 42 added 20.0" in month_sentence(replace(PLAYED, raw=1532.5, published=1532.5))
    assert "; penalties took 20.0 away: −7.5 in all." in month_sentence(replace(PLAYED, raw=1492.5, published=1492.5))


@pytest.mark.rule("chessa 56")
def test_a_first_rating_starts_at_1200():
    month = replace(PLAYED, raw_before=None, published_before=None, raw=1212.5, published=1212.5)
    assert (
        month_sentence(month) == "New on the list, from 1\u202f200.0: +12.5 for 3½ of 6 against 1\u202f480 on average."
    )


RATING = st.floats(500, 2800)


@given(RATING, RATING, st.floats(0, 100), st.floats(0, 100), st.floats(-300, 300), st.none() | RATING)
def test_the_parts_add_up_to_the_change_of_the_published_rating(before, raw, over_before, over, earned, performance):
    month = replace(
        PLAYED,
        earned=earned,
        weighted_performance=performance,
        raw_before=before,
        raw=raw,
        published_before=before + over_before,
        published=raw + over,
    )
    assert month_parts(month).total == pytest.approx(month.published - month.published_before, abs=1e-9)
