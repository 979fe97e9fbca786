"""The AOC's fee years, calendar or October to September, and what article 7 asks, each at its limit."""

from datetime import date, timedelta

import pytest

from events.rules.fees import fee_year, fee_year_days, fee_year_label, has_paid, is_covered, read_fee_year

CALENDAR, OCTOBER = 1, 10
STARTS = date(2024, 3, 2)
DAY = timedelta(days=1)


@pytest.mark.rule("chessa 7")
@pytest.mark.parametrize(
    ("begins", "day", "year", "label"),
    [
        pytest.param(CALENDAR, date(2023, 12, 31), 2023, "2023", id="the last day of a calendar year"),
        pytest.param(CALENDAR, date(2024, 1, 1), 2024, "2024", id="the first day of a calendar year"),
        pytest.param(OCTOBER, date(2023, 9, 30), 2023, "2022/23", id="the last day of September"),
        pytest.param(OCTOBER, date(2023, 10, 1), 2024, "2023/24", id="the first day of October"),
        pytest.param(OCTOBER, date(2023, 12, 31), 2024, "2023/24", id="the end of the calendar year changes nothing"),
        pytest.param(OCTOBER, date(1999, 10, 1), 2000, "1999/00", id="the turn of a century"),
    ],
)
def test_the_fee_year_of_a_day(begins, day, year, label):
    assert (fee_year(day, begins=begins), fee_year_label(year, begins=begins)) == (year, label)
    first, last = fee_year_days(year, begins=begins)
    assert first <= day <= last
    assert (fee_year(first - DAY, begins=begins), fee_year(last + DAY, begins=begins)) == (year - 1, year + 1)


@pytest.mark.rule("chessa 7")
@pytest.mark.parametrize("begins", [CALENDAR, OCTOBER])
@pytest.mark.parametrize(
    ("paid", "good"),
    [
        pytest.param([(2024, STARTS - DAY)], True, id="the day before the start"),
        pytest.param([(2024, STARTS)], False, id="the day of the start"),
        pytest.param([(2023, date(2023, 1, 5)), (2025, date(2024, 1, 5))], False, id="other years"),
        pytest.param([(2024, date(2022, 6, 1))], True, id="long before"),
        pytest.param([], False, id="never"),
    ],
)
def test_the_fee_of_the_year_is_paid_before_the_start(begins, paid, good):
    assert has_paid(paid, STARTS, begins=begins) is good


@pytest.mark.rule("chessa 7")
def test_the_setting_decides_which_fee_an_event_in_october_asks_for():
    event, fee = date(2023, 10, 1), [(2023, date(2023, 1, 5))]
    assert has_paid(fee, event, begins=CALENDAR)
    assert not has_paid(fee, event, begins=OCTOBER)
    assert has_paid([(2024, date(2023, 9, 30))], event, begins=OCTOBER)
    assert has_paid(fee, event - DAY, begins=OCTOBER)


@pytest.mark.rule("chessa 7")
def test_arbiters_of_other_federations_are_not_asked():
    assert is_covered("BOT", [], STARTS, begins=CALENDAR)
    assert not is_covered("RSA", [], STARTS, begins=CALENDAR)


@pytest.mark.parametrize(
    ("text", "calendar", "october"),
    [
        ("2024", 2024, 2024),
        ("2023/24", None, 2024),
        ("2023/2024", None, 2024),
        ("2023-24", None, 2024),
        ("1999/00", None, 2000),
        ("2023/25", None, None),
        ("23/24", None, None),
        ("1969", None, None),
        ("2100", None, None),
        ("٢٠٢٤", None, None),
        ("2024\0", None, None),
        ("", None, None),
    ],
)
def test_a_fee_year_is_read(text, calendar, october):
    assert (read_fee_year(text, begins=CALENDAR), read_fee_year(text, begins=OCTOBER)) == (calendar, october)
