"""Reads the cells of a table of standings: numbers, counts, types of game, days. Pure.

Nothing is guessed: a figure that a spreadsheet has spoiled is an error.
"""

import re
from collections.abc import Container, Sequence
from datetime import date, timedelta
from functools import lru_cache

from config.lib.days import next_month
from events.files.collector import Report, quoted
from events.files.csv import values
from events.files.csv.table import CsvRow
from events.files.dates import LONGEST, read_date
from events.files.day_order import DayOrder
from events.rules.time_controls import TYPES_OF_GAME
from players.identity import fold
from ratings.opening.entries import RATINGS, Code
from ratings.systems.chessa.columns import LISTS

_HIGHEST_COUNT = 100_000
_DASHES = frozenset({"", "-", "–"})
_UNRATED = frozenset({"", "-", "–", "0", "n/a"})
_NUMBER, _BLANKS = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]*)?"), re.compile(r"[\s\u202f]")
_AS_DAY_NUMBER = re.compile(r"[34][0-9]{4}(?:[.,]0+)?")  # how a spreadsheet writes the days from 1982 to 2036
_FIRST_DAY_NUMBER = date(1899, 12, 30)
_RECORDS = {"all_won": "all_won", "all won": "all_won", "all_lost": "all_lost", "all lost": "all_lost"}
_LONGEST_NUMBER = 60  # characters. Hazard: what is read of cells stays in memory, so nothing long is kept
_FOUR_FIGURES = re.compile(r"\d{4}")


@lru_cache(maxsize=1 << 14)  # so that equal ratings of many players are one number in memory
def _read_number(value: str, blanks: Container[str]) -> tuple[float | None, bool] | None:
    """Return the number in a cell, None if it is one of the `blanks`, and whether it has a decimal comma; None if anything else
    stands there."""
    text = values.text_in(value)
    if text is None:
        return None
    text = _BLANKS.sub("", text)
    if text in blanks:
        return None, False
    return (float(text.replace(",", ".")), "," in text) if _NUMBER.fullmatch(text) else None


@lru_cache(maxsize=1 << 14)
def _plain_rating(value: str) -> float | str | None:
    """Return what `number_of` returns of a rating in a cell; the cell itself, if it has a finding (but that of its comma)."""
    read = _read_number(value, _UNRATED)
    if read is None or (read[0] is not None and not RATINGS[0] <= read[0] <= RATINGS[1]):
        return value
    return read[0]


def ratings_of(row: CsvRow, columns: Sequence[str], report: Report) -> list[float | None]:
    """Return the ratings of several columns, as `number_of` does for each: they are most of a large table."""
    values = list(map(row.value, columns))
    is_short = max(map(len, values), default=0) <= _LONGEST_NUMBER
    if is_short and (report.counts(Code.DECIMAL_COMMA) or not any("," in value for value in values)):
        ratings = list(map(_plain_rating, values))
        if not any(isinstance(rating, str) for rating in ratings):
            return ratings  # type: ignore[return-value]
    return [number_of(row, column, RATINGS, report, unrated=True) for column in columns]


def number_of(
    row: CsvRow, column: str, limits: tuple[float, float], report: Report, *, unrated: bool = False
) -> float | None:
    """Return a number within the limits; None if it is blank, with `unrated` if it is 0, or with a finding."""
    value = row.value(column)
    if not value:
        return None
    blanks = _UNRATED if unrated else _DASHES
    read = _read_number(value, blanks) if len(value) <= _LONGEST_NUMBER else None
    if read is None:
        text = _BLANKS.sub("", values.text_of(row, column, report))
        if not text:
            return None
        label = column.replace("_", " ")
        message = f"The {label} {quoted(text)} is no number. Give it in figures, as 1410.5."
        if re.fullmatch(r"[0-9]+(?:[.,][0-9]+)?[eE][+-]?[0-9]+", text):
            message = (
                f"A spreadsheet has turned the {label} into {quoted(text)} and may have lost figures: enter it again."
            )
        elif values.looks_like_date(text):
            message = (
                f"The {label} {quoted(text)} is a date: a spreadsheet has turned a number into it. Enter it again."
            )
        report.add(Code.UNREADABLE_NUMBER, message, *row.place(column))
        return None
    number, has_comma = read
    if has_comma and not report.counts(Code.DECIMAL_COMMA):
        report.add(Code.DECIMAL_COMMA, f"The decimal comma of {quoted(value)} is read as a point.", *row.place(column))
    if number is not None and not limits[0] <= number <= limits[1]:
        label = column.replace("_", " ")
        message = f"The {label} {quoted(value)} is not from {limits[0]:g} to {limits[1]:g}. Correct it."
        report.add(Code.OUT_OF_RANGE, message, *row.place(column))
        return None
    return number


def count_of(row: CsvRow, column: str, report: Report, *, most: int = _HIGHEST_COUNT) -> int | None:
    """Return a whole number from 0 to `most`; None if it is blank, or with a finding."""
    number = number_of(row, column, (0, most), report)
    if number is not None and number != int(number):
        message = f"The {column} {quoted(row.value(column))} is no whole number. Give it without decimals."
        report.add(Code.UNREADABLE_NUMBER, message, *row.place(column))
        return None
    return None if number is None else int(number)


def record_of(row: CsvRow, report: Report) -> str:
    """Return whether all games were won or all were lost; "" for neither, or with a finding."""
    text = values.text_of(row, "record", report).casefold()
    if text and text not in _RECORDS:
        message = f"The record {quoted(text)} is unknown: give all_won or all_lost, or leave it blank."
        report.add(Code.UNKNOWN_TYPE, message, *row.place("record"))
    return _RECORDS.get(text, "")


def type_of(row: CsvRow, column: str, code: str, is_national: bool, report: Report) -> int | None:
    """Return the index in TYPES_OF_GAME of a tournament's type of game; None with a finding. `code`: of the line's list."""
    allowed = TYPES_OF_GAME if not is_national or code in ("", LISTS[0]) else (code,)
    text = values.text_of(row, column, report)
    text = fold(text).strip() if text else ""
    if not text and len(allowed) == 1:
        return TYPES_OF_GAME.index(allowed[0])
    text = "standard" if text in ("classical", "classic", "std") else text
    if text not in allowed:
        message = f"The type {quoted(row.value(column))} is unknown here: {' or '.join(allowed)} was expected."
        report.add(Code.UNKNOWN_TYPE, message, *row.place(column))
        return None
    return TYPES_OF_GAME.index(text)


@lru_cache(maxsize=1 << 14)
def _read_whole_date(text: str) -> date | None:
    """Return a date with four figures for the year; None if it is none."""
    read = read_date(text) if _FOUR_FIGURES.search(text) else None
    return read.day if read else None


def day_of(row: CsvRow, column: str, month: date, dates: DayOrder, report: Report) -> date | None:
    """Return the day on which a tournament ended, in the month or before it; None if it is blank, or with a finding."""
    text = values.text_of(row, column, report)
    if not text:
        return None
    place = row.place(column)
    read = _read_whole_date(text) if len(text) <= LONGEST else None
    if read is None and _AS_DAY_NUMBER.fullmatch(text):
        meant = _FIRST_DAY_NUMBER + timedelta(days=int(float(text.replace(",", "."))))
        message = (
            f"{quoted(text)} is a date that a spreadsheet has made a number: enter it as {meant}, if that is right."
        )
        report.add(Code.DATE_AS_NUMBER, message, *place)
        return None
    if read is None:
        message = f"The date {quoted(text)} cannot be read: write it as 2024-02-29, with four figures for the year."
        report.add(Code.UNREADABLE_DATE, message, *place)
        return None
    day = dates.read(text, read, place, report)
    if day is None:
        return None
    if not report.counts(Code.DATE_FORM) and text != day.isoformat():
        report.add(Code.DATE_FORM, f"The date {quoted(text)} is read as {day}; 2024-02-29 was expected.", *place)
    if day >= next_month(month):
        message = (
            f"The tournament ended on {day}, after {month:%Y-%m}: it is no part of the standing after that month. Correct the"
            " date, or take the tournament out."
        )
        report.add(Code.LATE_DATE, message, *place)
        return None
    return day
