"""The AOC's list as it comes: separators, encodings, spellings of titles, days and years, and what cannot be read."""

from datetime import date
from random import Random

import pytest

from events.arbiters.register import ArbiterRegister
from events.files.aoc_list import MAX_LIST_BYTES, MAX_LIST_LINES, AocLine, read_aoc_list
from events.files.arbiters import ARBITER_TITLES, ArbiterText, read_arbiter
from events.models import Arbiter, ArbiterTitle
from events.rules.findings import Severity
from tests.fuzz.readers import least_seconds

TODAY = date(2024, 4, 2)
HEAD = "number,fide_id,name,title,federation,fee_year,paid_on"
GRACE = AocLine(2, "Grace Tenza", "100000001", "14300001", "IA", "RSA", 2024, date(2024, 1, 31))


def read(text, *, begins=1, today=TODAY):
    return read_aoc_list(text if isinstance(text, bytes) else text.encode(), begins=begins, today=today)


def one(cells, head=HEAD, **fields):
    """The errors of a list of one line as (code, column)."""
    return [(error.code, error.line, error.column) for error in read(f"{head}\n{cells}\n", **fields).errors]


def test_titles_are_those_of_the_register():
    assert dict(ArbiterTitle.choices) == ARBITER_TITLES


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}\n100000001,14300001,Grace Tenza,IA,RSA,2024,2024-01-31\n",
        "Number;FIDE ID;Name;Title;Federation;Fee year;Paid on\r\n100000001;14300001;Tenza, Grace;ia;rsa;2024;31/01/2024\r\n",
        "paid\tyear\tfed\ttitle\tfirst name\tsurname\tfide no\tchess sa id\n"
        "31.01.2024\t2024\tRSA\tInternational Arbiter\tGrace\tTenza\t0014300001\t100000001\n",
        f"{HEAD}\n100000001,14300001,  Grace   Tenza ,international,RSA,2024,2024/01/31,,,\n\n   \n",
        f'{HEAD}\n"100000001","14300001","Tenza, Grace","I.A.","RSA","2024","31 Jan 2024"',
    ],
    ids=["plain", "semicolons", "tabs in another order", "blanks", "quotes"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_one_arbiter_however_it_is_written(text, encoding):
    found = read(text.encode(encoding))
    assert (found.errors, found.lines) == ([], (GRACE,))


def test_a_separator_that_is_told_and_letters_of_windows():
    found = read("sep=;\nname;title\nZoë du Plessis;NA\n".encode("cp1252"))
    assert [(line.line, line.name, line.title) for line in found.lines] == [(3, "Zoë du Plessis", "NA")]
    assert [note.code for note in found.findings] == ["encoding-guessed"]


@pytest.mark.parametrize(
    ("cells", "code", "column"),
    [
        ("1,14300001,Grace Tenza,IA,RSA,2024,2024-01-31", "bad-number", 1),
        ("٠١٢٣٤٥٦٧٨,14300001,Grace Tenza,IA,RSA,2024,2024-01-31", "bad-number", 1),
        ("100000001,12a,Grace Tenza,IA,RSA,2024,2024-01-31", "bad-fide-id", 2),
        ("100000001,-1,Grace Tenza,IA,RSA,2024,2024-01-31", "bad-fide-id", 2),
        ("100000001,14300001,,IA,RSA,2024,2024-01-31", "bad-name", 3),
        ("100000001,14300001,???,IA,RSA,2024,2024-01-31", "bad-name", 3),
        (f"100000001,14300001,{'x' * 121},IA,RSA,2024,2024-01-31", "bad-name", 3),
        ("100000001,14300001,Grace Tenza,Grand Arbiter,RSA,2024,2024-01-31", "bad-title", 4),
        ("100000001,14300001,Grace Tenza,IA,Lesotho,2024,2024-01-31", "bad-federation", 5),
        ("100000001,14300001,Grace Tenza,IA,RSA,2023/24,2024-01-31", "bad-fee-year", 6),
        ("100000001,14300001,Grace Tenza,IA,RSA,2999,2024-01-31", "bad-fee-year", 6),
        ("100000001,14300001,Grace Tenza,IA,RSA,2024,2024-02-30", "bad-paid-on", 7),
        ("100000001,14300001,Grace Tenza,IA,RSA,2024,01/31/2024", "bad-paid-on", 7),
        ("100000001,14300001,Grace Tenza,IA,RSA,2024,1900-01-01", "bad-paid-on", 7),
        ("100000001,14300001,Grace Tenza,IA,RSA,2024,2999-01-01", "bad-paid-on", 7),
        (f"100000001,14300001,Grace Tenza,IA,RSA,2024,{'1' * 10_000}", "bad-paid-on", 7),
        ("100000001,14300001,Grace Tenza,IA,RSA,,2024-01-31", "fee-year-missing", None),
        ("100000001,14300001,Tenza, Grace,IA,RSA,2024,2024-01-31", "too-many-cells", None),
    ],
)
def test_what_cannot_be_read_is_said_at_its_line_and_cell(cells, code, column):
    assert one(cells) == [(code, 2, column)]


def test_a_payment_of_today_is_read_and_one_of_tomorrow_not():
    assert one(f"100000001,,Grace Tenza,IA,RSA,2024,{TODAY}") == []
    assert one("100000001,,Grace Tenza,IA,RSA,2024,2024-04-03") == [("bad-paid-on", 2, 7)]


def test_where_the_year_begins_in_october_both_years_may_be_named():
    for year in ("2023/24", "2023/2024", "2024"):
        (line,) = read(f"{HEAD}\n,,Grace Tenza,IA,,{year},2023-10-01\n", begins=10).lines
        assert line.year == 2024


def test_all_errors_of_a_list_are_said_at_once():
    found = read(f"{HEAD}\n1,x,Grace Tenza,IA,RSA,2024,\n,,Piet Ndlovu,QQ,,,\n,,Zodwa Cele,NA,,,\n")
    assert [(error.line, error.code) for error in found.errors] == [
        (2, "bad-number"),
        (2, "bad-fide-id"),
        (3, "bad-title"),
    ]
    assert [line.name for line in found.lines] == ["Zodwa Cele"]


@pytest.mark.parametrize("char", ["\u200b", "\u202e", "\ufe0f", "\U000e0101", "\u3164", "\u2800", "\u034f", "\x07"])
def test_a_name_with_a_character_that_cannot_be_seen_is_refused_with_the_character(char):
    (error,) = read(f"{HEAD}\n,,Gra{char}ce Tenza,IA,,,\n").errors
    assert (error.code, error.line, error.column) == ("bad-name", 2, 3)
    assert f"U+{ord(char):04X}" in error.message


def test_a_hard_blank_and_separate_accents_are_another_spelling_of_the_name():
    assert [line.name for line in read(f"{HEAD}\n,,Zoe\u0308\u00a0Tenza,IA,,,\n").lines] == ["Zoë Tenza"]


def test_a_line_that_stands_twice_is_left_out_and_said():
    found = read(
        f'{HEAD}\n,,Grace Tenza,IA,,2024,2024-01-31\n,,Zodwa Cele,NA,,,\n,,"Tenza, Grace",IA,,2024,31/01/2024\n'
    )
    assert [line.line for line in found.lines] == [2, 3]
    assert [(note.code, note.line, note.severity) for note in found.findings] == [("line-repeated", 4, Severity.NOTE)]
    assert "line 2" in found.findings[0].message


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty-file"),
        (b"\n \n", "empty-file"),
        (b"sep=;\n", "empty-file"),
        (HEAD.encode(), "empty-file"),
        (b"Grace Tenza,IA,RSA\n", "name-column-missing"),
        (b"surname,title\nTenza,IA\n", "name-column-missing"),
        (b"name,title,Arbiter\nGrace Tenza,IA,x\n", "column-twice"),
        (b"PK\x03\x04" + bytes(60), "wrong-format"),
        (b"%PDF-1.4\n", "wrong-format"),
        (b"name,title\nGrace\0Tenza,IA\n", "damaged-file"),
        (b"name\n" + b"x" * 200_000, "unreadable-file"),
        (b"name\n" + b"x\n" * (MAX_LIST_BYTES // 2), "file-too-large"),
        (b"name\n" * (MAX_LIST_LINES + 1), "too-many-lines"),
        (b"name" + b",x" * 200 + b"\nGrace Tenza\n", "too-many-columns"),
    ],
)
def test_what_is_no_list_is_refused(content, code):
    found = read(content)
    assert [error.code for error in found.errors] == [code]
    assert found.lines == ()


def test_columns_that_are_not_read_are_named():
    found = read("name,title,e-mail,\nGrace Tenza,IA,grace@example.org,\n")
    assert [(note.code, note.message) for note in found.findings] == [
        ("columns-unread", "Columns that are not read: “e-mail”.")
    ]


@pytest.mark.parametrize("cell", ["=1+1", "+27", "-5", "@SUM(A1)"])
def test_a_formula_that_was_escaped_on_the_way_out_comes_back_as_it_was(cell):
    assert [line.name for line in read(f'name,title\n"\'{cell}x",IA\n').lines] == [f"{cell}x"]


@pytest.mark.rule("chessa 15.1", "chessa 15.2", "chessa 15.3")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("IA Grace Tenza (14300001)", ArbiterText("Grace Tenza", "IA", "14300001")),
        ("International Arbiter Tenza, Grace [FIDE ID: 14300001]", ArbiterText("Grace Tenza", "IA", "14300001")),
        ("Grace Tenza 100000001", ArbiterText("Grace Tenza", "", "100000001")),
        ("Grace Tenza, NA", ArbiterText("Grace Tenza", "NA", "")),
        ("Tenza,Grace", ArbiterText("Grace Tenza")),
        ("National Fide Mokoena", ArbiterText("National Fide Mokoena")),
        ("Pa Joubert", ArbiterText("Pa Joubert")),
        ("IA", ArbiterText("IA")),
        ("", ArbiterText("")),
    ],
)
def test_an_arbiter_as_a_file_names_him(text, found):
    assert read_arbiter(text) == found


def test_names_of_two_hundred_words_are_looked_for_in_no_time():
    """Of deputies: four files of 40 kB took six seconds of a page."""
    random = Random(4)
    known = [Arbiter(pk=key, name=" ".join(random.choices(["Grace", "Pietersen", "Tenza"], k=2))) for key in range(300)]
    named = [ArbiterText(" ".join(random.choices("abcdefgh", k=199))) for _ in range(100)]

    def look():
        register = ArbiterRegister(known)
        assert not any(map(register.alike, named))

    assert least_seconds(look, 0.2) <= 0.2


def test_blanks_without_end_before_an_id_take_no_time():
    """A file of 2.5 kB with ten such arbiters took half a minute."""
    text = "Grace" + " " * 190 + "x"
    assert least_seconds(lambda: [read_arbiter(text) for _ in range(100)], 1) <= 1
    assert read_arbiter("IA  Grace   Tenza  [ 14300001 ]") == ArbiterText("Grace Tenza", "IA", "14300001")
