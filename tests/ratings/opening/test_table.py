"""Standings as a table: which columns are read, and what is wrong at which line and column, with how to correct it."""

from datetime import date

import pytest

from events.files.collector import MOST_ERRORS
from ratings.opening import cells
from ratings.opening.entries import Entry
from ratings.opening.table import column_of, read_table

FEBRUARY = date(2024, 2, 1)
LISTS = {"main": ("Main", True), "rapid": ("Rapid", True), "irish": ("Irish", False)}


def read(*lines: str, chosen: str = "main", filename: str = "standings.csv", encoding: str = "utf-8"):
    content = "\r\n".join(lines).encode(encoding)
    return read_table(content, month=FEBRUARY, lists=LISTS, chosen=chosen, filename=filename)


def entry(*lines: str, **given: str) -> Entry:
    found = read(*lines, **given)
    assert not found.errors, found.errors
    (only,) = found.entries
    return only


def error(*lines: str, **given: str) -> str:
    found = read(*lines, **given)
    assert len(found.errors) == 1, found.errors
    return found.errors[0].as_line


@pytest.mark.parametrize(
    ("heading", "column"),
    [
        ("Id", "id"), ("UNIQUE_NO", "national_id"), ("Chess SA ID", "national_id"), ("RATING", "published"), ("raw", "raw"),
        ("Raw rating", "raw"), ("RAW_5", "raw_5"), ("raw 24", "raw_24"), ("raw_25", ""), ("Highest", "highest"), ("K", "k"),
        ("Pending penalty", "pending_penalty"), ("performance_1", "performance_1"), ("Ended 5", "ended_5"), ("type_6", ""),
        ("List", "list"), ("Shoe size", ""), ("SURNAME", "last_name"), ("BDATE", ""),
    ],
)  # fmt: skip
def test_a_heading_is_recognised(heading, column):
    assert column_of(heading) == column


def test_a_whole_standing_in_any_order_of_columns():
    given = entry(
        "Type 1;Ended 1;Performance 1;Pending penalty;K;Highest;Published;Raw 3;Raw 2;Raw 1;List;Id",
        "blitz;2024-02-29;1614,2;20;36;1423;1410;1300.5;1351.2;1405.6;Main;100000123",
        chosen="",
    )
    assert (given.number, given.list, given.raw, given.published, given.highest, given.k) == (
        "100000123", "main", 1405.6, 1410.0, 1423.0, 36.0,
    )  # fmt: skip
    assert given.history == (1405.6, 1351.2, 1300.5)
    assert given.performances == ((1614.2, date(2024, 2, 29).toordinal(), 2),)
    assert given.pending_penalty == 20


def test_the_list_that_chess_sa_publishes_gives_published_ratings():
    given = entry(
        "UNIQUE_NO,SURNAME,FIRSTNAME,BDATE,SEX,TITLE,RATING,FED",
        "100000123,Mokoena,Naledi,2008/01/01,F,,1410,JHB",
        chosen="",
        filename="ratings_main.zip/ratings_main.csv",
    )
    assert (given.published, given.raw, given.name, given.list) == (1410.0, None, "Naledi Mokoena", "main")


def test_a_rating_of_nought_is_none():
    assert not entry("id,raw,pending penalty", "100000123,0,20").is_rated


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["id,raw", "100000123,1400", "100000123,1500"],
            "Line 3, column “id”: 100000123 stands on line 2 for Main, too",
        ),
        (["id,raw", ",1400"], "Line 2, column “id”: The line has no Chess SA id"),
        (["id,raw", "1.0E+08,1400"], "Line 2, column “id”: A spreadsheet has turned an id into “1.0E+08”"),
        (["raw,highest", "1400,1500"], "Line 1: No column gives the Chess SA id"),
        (["id,highest", "100000123,1500"], "Line 1: No column gives a rating"),
        (["id,raw,rawrating", "100000123,1500,1500"], "Line 1: Two columns, “raw” and “rawrating”, give the same"),
        (["id,raw", "100000123,14000"], "Line 2, column “raw”: The raw “14000” is not from 1 to 4000"),
        (["id,raw", "100000123,0.9"], "Line 2, column “raw”: The raw “0.9” is not from 1 to 4000"),
        (["id,raw", "100000123,1.4E+03"], "A spreadsheet has turned the raw into “1.4E+03”"),
        (["id,raw", "100000123,14-Feb"], "The raw “14-Feb” is a date: a spreadsheet has turned a number into it"),
        (["id,raw", "100000123,fourteen"], "The raw “fourteen” is no number"),
        (["id,raw,k", "100000123,1400,0"], "Line 2, column “k”: The k “0” is not from 1 to 1000"),
        (
            ["id,raw,activity", "100000123,1400,10000"],
            "Line 2, column “activity”: The activity “10000” is not from 0 to 9999",
        ),
        (["id,raw", "100000123,1400,5"], "The line has 3 cells, the heading 2"),
        (
            ["id,raw,highest", "100000123,,1500"],
            "Line 2, column “raw”: Somebody without a rating has no highest rating",
        ),
        (
            ["id,list,raw", "100000123,bullet,1400"],
            "column “list”: “bullet” is no list: give one of main, rapid, irish",
        ),
        (
            ["id,raw_1,raw_2,raw_3,raw_4,raw_5,raw_6", "100000123,1400,1390,1380,1370,,1360"],
            "Line 2, column “raw_5”: Raw 5 is missing, and raw 6 is not: give it",
        ),
        (["id,raw,raw_1", "100000123,1400,1390"], "Line 2, column “raw_1”: Raw 1, 1390, is not the raw rating, 1400"),
        (["id,raw,performance_1,ended_1,type_1", "100000123,1400,1500,,rapid"], "Ended 1 is missing"),
        (["id,raw,performance_1,ended_1,type_1", "100000123,1400,,2024-02-01,rapid"], "Performance 1 is missing"),
        (["id,raw,performance_1,ended_1", "100000123,1400,1500,2024-02-01"], "standard or rapid or blitz was expected"),
        (
            ["id,raw,performance_1,ended_1,type_1", "100000123,1400,1500,2024-03-01,rapid"],
            "The tournament ended on 2024-03-01, after 2024-02",
        ),
        (
            ["id,raw,performance_1,ended_1,type_1", "100000123,1400,1500,45350,rapid"],
            "“45350” is a date that a spreadsheet has made a number: enter it as 2024-02-28",
        ),
        (["id,raw,performance_1,ended_1,type_1", "100000123,1400,1500,soon,rapid"], "The date “soon” cannot be read"),
    ],
)
def test_what_is_wrong_is_told_at_its_place(lines, message):
    assert message in error(*lines)


def test_both_sides_of_the_last_day():
    head = "id,raw,performance_1,ended_1,type_1"
    assert entry(head, "100000123,1400,1500,2024-02-29,rapid").performances
    assert "after 2024-02" in error(head, "100000123,1400,1500,2024-03-01,rapid")


def test_dates_of_three_forms_are_read_where_they_can_be_told():
    head = "id,raw,performance_1,ended_1,type_1"
    for text, other in (
        ("2024-02-03", "2024-02-01"), ("3/2/2024", "29/2/2024"), ("2/3/2024", "2/29/2024"), ("3 Feb 2024", "1 Feb 2024"),
        ("20240203", "20240201"),
    ):  # fmt: skip
        found = read(head, f"100000123,1400,1500,{text},rapid", f"100000124,1400,1500,{other},rapid")
        assert not found.errors
        assert found.entries[0].performances[0][1] == date(2024, 2, 3).toordinal()


def test_in_which_order_dates_were_read_is_said():
    head = "id,raw,performance_1,ended_1,type_1"
    found = read(head, "100000123,1400,1500,2/3/2024,rapid", "100000124,1400,1500,02/29/2024,rapid")
    assert (
        "Line 2, column “ended_1”: Dates such as “2/3/2024” are read with the month first, here 2024-02-03, since line 3 has"
        " “02/29/2024”. If that is wrong, write the dates of the list as YYYY-MM-DD."
    ) in [finding.as_line for finding in found.findings]


def test_a_date_that_can_be_two_days_is_not_taken_where_no_other_tells_the_order():
    head = "id,raw,performance_1,ended_1,type_1"
    message = error(head, "100000123,1400,1500,2024-02-28,rapid", "100000124,1400,1500,01/02/2024,rapid")
    assert message == (
        "Line 3, column “ended_1”: “01/02/2024” can be 2024-02-01 (day first) or 2024-01-02 (month first), and no other date of"
        " the list tells which: write the one that is meant."
    )


def test_all_that_is_wrong_is_told_at_once():
    """Mending one mistake does not bring the next to light."""
    found = read(
        "id,list,raw,raw,ended_1,type_1,performance_1",
        "1x,bullet,14000,,45350,fast,1500",
        "100000124,main,,,2024-02-03,rapid,x",
    )
    assert [(finding.line, finding.heading) for finding in found.errors] == [
        (1, ""), (2, "id"), (2, "list"), (2, "raw"), (2, "ended_1"), (2, "type_1"), (3, "performance_1"),
    ]  # fmt: skip


@pytest.mark.parametrize("more", [0, 1])
def test_a_table_is_read_no_further_than_the_last_error_that_is_counted(more):
    wrong = ["1x,1400"] * (MOST_ERRORS - 1 + more)
    found = read("Id,Raw", "100000001,1500", *wrong, "100000002,1500")
    stopped = [finding.line for finding in found.errors if finding.code == "too-many-faulty-lines"]
    assert stopped == [MOST_ERRORS + 2] * more
    assert [row.number for row in found.entries if row.number] == ["100000001", "100000002"][: 2 - more]


def test_dates_of_both_orders_are_not_taken():
    head = "id,raw,performance_1,ended_1,type_1"
    message = error(head, "100000123,1400,1500,02/28/2024,rapid", "100000124,1400,1500,28/02/2024,rapid")
    assert "Line 3, column “ended_1”: “28/02/2024” has the day first, line 2 (“02/28/2024”) the month" in message


def test_the_list_is_asked_for_where_nothing_tells_it():
    message = error("id,raw", "100000123,1400", chosen="", filename="standings.csv")
    assert "does not say of which list it is: add a column List with main, rapid, irish" in message


def test_letters_of_an_old_windows_code_page():
    found = read("id,surname,raw", "100000123,Müller,1400", encoding="cp1252")
    assert found.entries[0].name == "Müller"
    assert [finding.code for finding in found.findings] == ["encoding-guessed"]


def test_an_id_that_has_lost_its_zeros_is_read_with_them():
    assert entry("UNIQUE_NO,raw", "123,1400").number == "000000123"


@pytest.mark.parametrize("length", [61, 100_000])
def test_nothing_is_kept_of_long_cells(length):
    """Of short ones what was read is, as long as the process lives."""
    before = [kept.cache_info() for kept in (cells._read_number, cells._plain_rating, cells._read_whole_date)]
    assert "is no number" in error("id,raw,raw_1", f"100000123,1410,{'1' * length}")
    assert "cannot be read" in error("id,raw,performance_1,type_1,ended_1", f"100000123,1410,1500,blitz,{'2' * length}")
    after = [kept.cache_info() for kept in (cells._read_number, cells._plain_rating, cells._read_whole_date)]
    assert sum(info.currsize for info in after) - sum(info.currsize for info in before) <= 2  # of 1410 and 1500


@pytest.mark.parametrize("text", ["-", "–", "", "rapid", "Rapid"])
def test_a_dash_for_the_type_of_a_list_with_one_is_that_type(text):
    given = entry("id,raw,performance_1,ended_1,type_1", f"100000123,1400,1500,2024-02-01,{text}", chosen="rapid")
    assert [kind for *_, kind in given.performances] == [1]
