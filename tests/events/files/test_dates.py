"""Dates in the forms that files have."""

from datetime import date

import pytest

from events.files.dates import Birth, _read_short_birth, read_birth, read_date


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026/03/07", date(2026, 3, 7)),
        ("2008-06-07", date(2008, 6, 7)),
        ("2009.09.09", date(2009, 9, 9)),
        ("20260307", date(2026, 3, 7)),
        ("2009/25/02", date(2009, 2, 25)),
        ("25.02.2011", date(2011, 2, 25)),
        ("28. 07. 2005", date(2005, 7, 28)),
        ("24/09/2010", date(2010, 9, 24)),
        ("02/10/2010", date(2010, 10, 2)),
        ("09/24/2010", date(2010, 9, 24)),
        ("10.09.13", date(2010, 9, 13)),
        ("11.25.02", date(2011, 2, 25)),
        ("31.12.09", date(2031, 12, 9)),
        ("69/01/01", date(2069, 1, 1)),
        ("70/01/01", date(1970, 1, 1)),
        ("May 29, 2020", date(2020, 5, 29)),
        ("Mar 3, 2026", date(2026, 3, 3)),
        ("3rd March 2026", date(2026, 3, 3)),
        ("29 February 2024", date(2024, 2, 29)),
    ],
)
def test_any_usual_form_is_read(text: str, day: date) -> None:
    read = read_date(text)
    assert read is not None
    assert read.day == day


@pytest.mark.parametrize(
    "text",
    ["", "soon", "2026/02/30", "2026/13/32", "0000/00/00", "32/01/2026", "1/2/345", "Mayday 3, 2026", " " * 99 + "1"],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert read_date(text) is None


@pytest.mark.parametrize(
    ("text", "short", "canonical"),
    [("2026/03/07", False, True), ("26/03/07", True, True), ("26/03/07", False, False), ("2026-03-07", False, False)],
)
def test_the_form_of_the_record_is_told_from_others(text: str, short: bool, canonical: bool) -> None:
    read = read_date(text, short)
    assert read is not None
    assert read.canonical is canonical


@pytest.mark.rule("chessa 14.2")
@pytest.mark.parametrize(
    ("text", "birth"),
    [
        ("1990/05/17", Birth(1990, date(1990, 5, 17))),
        ("1990.05.17", Birth(1990, date(1990, 5, 17), canonical=False)),
        ("17/05/1990", Birth(1990, date(1990, 5, 17), canonical=False)),
        ("1990/00/00", Birth(1990)),
        ("1990", Birth(1990, canonical=False)),
        ("1975.  .", Birth(1975, canonical=False)),
        (".  .", Birth()),
        ("", Birth()),
        ("0000/00/00", Birth()),
        ("1900/01/01", Birth()),
        ("1901/01/01", Birth(1901, date(1901, 1, 1))),
    ],
)
def test_births_keep_their_precision(text: str, birth: Birth) -> None:
    assert read_birth(text) == birth


@pytest.mark.parametrize("text", ["90/05/17", "17 May 90", "2100/01/01", "1990/13/13", "born"])
def test_what_is_no_birth_is_none(text: str) -> None:
    assert read_birth(text) is None


def test_nothing_long_is_kept_in_memory():
    kept = _read_short_birth.cache_info().currsize
    assert read_birth("1990" + " -" * 100_000) == Birth(1990, canonical=False)
    assert read_birth("1990" + " -" * 100_000 + "x") is None
    assert read_birth("x" * 100_000) is None
    assert _read_short_birth.cache_info().currsize == kept
