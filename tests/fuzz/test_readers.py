"""The short form: random bytes, and samples of each format with bytes changed, doubled and cut."""

import io
import itertools
import json
import re
import sys
import zipfile
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.files.abroad_csv.reader import read_abroad_csv
from events.files.aoc_list import read_aoc_list
from events.files.collector import Report
from events.files.fide_list.listed import FideListError
from events.files.fide_list.reader import FideListReader
from events.files.reader import read
from events.files.register_list import MOST_PLAYERS, RegisterReader
from events.files.sheet import sheet_rows
from events.rules.limits import MAX_CELLS, MAX_PLAYERS, MAX_ROWS
from ratings.cases.answer import answer_document
from ratings.cases.document import parse_document
from ratings.cases.fields import MOST_PLAYERS as MOST_RATED
from ratings.cases.fields import MOST_TAKING_PART
from ratings.opening.entries import MOST_LINES
from ratings.opening.table import read_table
from ratings.systems.chessa.columns import LISTS
from tests.events.files import builders
from tests.events.files.swissperfect import packed as zip_of
from tests.events.files.swissperfect import sp_files
from tests.fuzz.json_changes import changed
from tests.fuzz.readers import LARGE, SECONDS, TARGETS, least_seconds, most_bytes, packed, within_time


def test_the_runs_begin_with_bytes_that_can_be_read():
    """Otherwise each would end at the first line."""
    assert all(read(content).entrants for content in TARGETS["tournament"].seeds)
    assert all(answer_document(parse_document(content)) for content in TARGETS["case"].seeds)
    for content in TARGETS["register"].seeds:
        assert list(RegisterReader(io.BytesIO(content), regions={}))
    for content in TARGETS["fide-list"].seeds:
        assert list(FideListReader(io.BytesIO(content), filename="standard_rating_list.txt").players())
    assert all(read_abroad_csv(content).players for content in TARGETS["abroad-form"].seeds)
    for content in TARGETS["aoc-list"].seeds:
        assert read_aoc_list(content, begins=2024, today=date(2024, 4, 1)).lines


@pytest.mark.parametrize("number", [b"9" * 5000, b"9" * 19, "١٢".encode(), "²".encode(), b"1e999", b"1_0", b"-1"])
@pytest.mark.parametrize("name", TARGETS)
def test_a_number_is_whatever_it_likes_to_be(name, number):
    """In the place of each number of the samples; Python itself makes no number of more than 4,300 digits."""
    for seed in TARGETS[name].seeds:
        places = {}  # one of those that stand alike
        for found in re.finditer(rb"[0-9]+", seed):
            begins = seed.rfind(b"\n", 0, found.start()) + 1
            places.setdefault((seed[begins : begins + 3], found.start() - begins), found)
        for found in places.values():
            within_time(TARGETS[name].run, seed[: found.start()] + number + seed[found.end() :])


PACKED = ("register", "newcomers", "opening", "fide-list")


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("name", PACKED)
def test_a_zip_may_be_wrong_in_any_byte(name, method):
    """Python's module raises a dozen kinds of errors for what it reads there."""
    content = packed(TARGETS[name].seeds[0], "list.txt", method)
    for place, byte in enumerate(content):
        for other in {0, byte ^ 1, byte ^ 0x80, 0xFF} - {byte}:
            TARGETS[name].run(content[:place] + bytes([other]) + content[place + 1 :])
    for end in range(len(content)):
        TARGETS[name].run(content[:end])
        TARGETS[name].run(content[:end] + content[end + 1 :])


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_whatever_the_bytes_a_reader_keeps_its_promises(name, data):
    target = TARGETS[name]
    content = bytearray(data.draw(st.sampled_from(target.seeds)))
    for _ in range(data.draw(st.integers(0, 6))):
        place = data.draw(st.integers(0, max(0, len(content) - 1)))
        kind = data.draw(st.sampled_from(["put", "insert", "cut", "double", "end"]))
        piece = data.draw(
            st.binary(max_size=4) | st.sampled_from([b",", b"\n", b";", b'"', b"<", b"9" * 30, b"\xff", b"-1"])
        )
        if kind == "put":
            content[place : place + len(piece)] = piece
        elif kind == "insert":
            content[place:place] = piece
        elif kind == "cut":
            del content[place : place + data.draw(st.integers(1, 40))]
        elif kind == "double":
            content[place:place] = content[place : place + 60]
        else:
            del content[place:]
    within_time(target.run, bytes(content))


NAMESAKES = {
    "ids": ("white_id,white,black_id,black,result,round", '{id},"Cele, A",{other},"Cele, A",1-0,1'),
    "numbers": ("white_number,white,black_number,black,result,round", '{start},"Cele, A",{next},"Cele, A",1-0,1'),
    "one of many mentions": (
        "white_id,white,black_id,black,result,round",
        '180000000,"Cele, A",{other},"Cele, A",1-0,1',
    ),
    "one without a name": (
        "white_id,white_number,black_id,black_number,result,round",
        "180000000,{start},180000000,{start},1-0,1",
    ),
    "one id": ("white_id,white_number,white,black,result,round", '180000001,{start},"Cele, A","B, {start}",1-0,1'),
}


@pytest.mark.parametrize("kind", NAMESAKES)
def test_a_table_of_as_many_namesakes_as_lines_is_read_in_its_time(kind):
    heading, row = NAMESAKES[kind]
    rows = (
        row.format(id=180000000 + 2 * i, other=180000001 + 2 * i, start=i % 9999 + 1, next=(i + 1) % 9999 + 1)
        for i in range(MAX_ROWS)
    )
    content = "\n".join([heading, *rows]).encode()
    assert least_seconds(lambda: read(content), SECONDS) <= SECONDS


_XML_PLAYER = b"<player><fideid>14300001</fideid><name>Tenza, Grace</name><sex>F</sex><rating>1900</rating></player>"
RECORDS = [
    "122 {0} minutes + {1} seconds per move, round {2}",
    "222 40/{0}+{1}:20/1800+{1}:900+{2}",
    "112 Mokoena, Naledi {2}; Cele, C {2}",
    "013 Baobabs {2:<24}    1   2",
]


@pytest.mark.parametrize("record", RECORDS)
def test_a_file_of_any_number_of_one_record_is_read_in_its_time(record):
    lines = (record.format(number % 180 + 1, number % 60, number) for number in range(99_000))
    content = builders.two() + ("\n".join(lines) + "\n").encode()[: LARGE - 2000]
    assert least_seconds(lambda: read(content), SECONDS) <= SECONDS
    assert "too-many-records" in {finding.code for finding in read(content).findings}


LINES = {
    "text": b"\x80\n" * (LARGE // 2),
    "a type of tournament": b"012 a\n192 FIDE_DUTCH" + b"_A" * (LARGE // 2 - 1000),
    "deputies": builders.two() + b"112 " + b"\x80;" * (LARGE // 2 - 1000),
    "tie-breaks": builders.two() + b"212 " + b"\x80," * (LARGE // 2 - 1000),
    "cells": b"round,white,black,result" + b",x" * 196 + (b"\n1,A1,B1,1-0" + b",\x80" * 196) * 3_000,
    "settings": zip_of(sp_files() | {"open.ini": b"\x80\n" * (LARGE // 2)}),
}


@pytest.mark.parametrize("kind", LINES)
def test_lines_and_parts_without_end_fill_no_memory(kind):
    """Each would be a text of its own, of 80 bytes, or a mark."""
    assert most_bytes(lambda: read(LINES[kind])) < 60_000_000


def test_a_time_control_of_a_million_stages_is_not_read():
    content = builders.two() + b"222 " + b"1:" * (LARGE // 2 - 1000) + b"1\n"
    assert least_seconds(lambda: read(content), SECONDS) <= SECONDS
    assert "time-control-unread" in {finding.code for finding in read(content).findings}
    fifth = builders.two() + b"222 " + b"1:" * (LARGE // 10) + b"1\n"  # tracing takes its time
    assert most_bytes(lambda: read(fifth)) < 200_000_000 // 5


def test_a_list_of_fide_of_empty_tags_is_read_no_further():
    player = _XML_PLAYER.replace(b"<sex>", b"<a/>" * 4_900 + b"<sex>")
    content = b"<playerslist>" + player * (LARGE // len(player)) + b"</playerslist>"

    def read_all():
        with pytest.raises(FideListError, match="more tags than FIDE gives them"):
            list(FideListReader(io.BytesIO(content), filename="list.xml").players())

    assert least_seconds(read_all, SECONDS) <= SECONDS


_RAWS = ",".join(f"raw_{number}" for number in range(1, 25))
STANDINGS = {
    "short lines": ("id,raw", ",1"),
    "short cells": (f"id,{_RAWS}", ",5" * 24),
    "decimals": (f"id,{_RAWS}", ",1500.5" * 24),
    "signs": (f"id,{_RAWS}", ",+5" * 24),
    "unrated": (f"id,{_RAWS}", ",5" + ",-" * 23),
    "kept as texts": (f"id,{_RAWS}", ',="5"' * 24),
    "commas": (f"id;{';'.join(f'raw_{number}' for number in range(1, 14))}", ";1," * 13),
    "days": ("id;raw;performance_1;ended_1;performance_2;ended_2", ";5" + ";9;5.5.2013" * 2),
}


@pytest.mark.parametrize("kind", STANDINGS)
def test_a_table_of_standings_is_read_in_its_time(kind):
    heading, cells = STANDINGS[kind]
    count = (LARGE - 300) // (10 + len(cells))
    content = "\n".join([heading, *(f"{number:09}{cells}" for number in range(count))]).encode()
    lists = {"standard": ("Standard", True)}

    def read_all():
        found = read_table(content, month=date(2024, 2, 29), lists=lists, chosen="standard")
        assert len(found.entries) == min(count, MOST_LINES)

    assert least_seconds(read_all, SECONDS) <= SECONDS
    if kind == "short cells":  # of which there are the most
        assert most_bytes(read_all) < 200_000_000


def test_a_file_of_too_many_games_is_not_read_to_its_end():
    """3,300 players, who were paired for 140 rounds."""
    cells = [f"{number:4} w 1" for number in range(1, 141)]
    content = builders.trf(*(builders.player(number, *cells, points="") for number in range(1, 3301)))
    assert 4_800_000 < len(content) <= LARGE

    def read_all():
        assert "too-many-cells" in {finding.code for finding in read(content).errors}

    assert least_seconds(read_all, SECONDS) <= SECONDS


@pytest.mark.parametrize("agree", [True, False], ids=["they agree", "they contradict one another"])
def test_the_largest_file_of_games_is_read_in_its_time(agree):
    """714 players in 140 rounds; each meets who meets him, or who is some places on and meets somebody else."""
    players, rounds = MAX_CELLS // 140, 140
    lines = []
    for place in range(players):
        opponents = [((number - place) if agree else (place + number)) % players for number in range(1, rounds * 2, 2)]
        cells = [f"{met + 1:4} w 1" if place < met else f"{met + 1:4} b 0" for met in opponents]
        lines.append(builders.player(place + 1, *cells, points=""))
    content = builders.trf(*lines)

    def read_all():
        assert len(read(content).pairings) == (players * rounds // 2 if agree else 0)

    assert least_seconds(read_all, SECONDS) <= SECONDS


def test_the_largest_file_of_letters_that_mean_nothing_is_read_in_its_time():
    """714 players in 140 rounds, with colours and results of which many do not exist and few go together."""
    players, rounds = MAX_CELLS // 140, 140
    lines = []
    for place in range(players):
        cells = (
            f"{(number - place) % players + 1:4} {'wb-x'[place // 2 * number % 4]} {'+-WLD=hfuz?10'[place * number % 13]}"
            for number in range(1, rounds * 2, 2)
        )
        lines.append(builders.player(place + 1, *cells, points=""))
    content = builders.trf(*lines)

    def read_all():
        assert {"illegal-result-pair", "same-colours", "unknown-colour", "unknown-result"} <= {
            finding.code for finding in read(content).findings
        }

    assert least_seconds(read_all, SECONDS) <= SECONDS


@pytest.mark.parametrize("name", ["a" + "\u0301" * 242, "a" + "\u0301" * 200, "\uff76" + "\uff9e" * 150])
def test_the_largest_file_of_lines_without_columns_is_read_in_its_time(name):
    """9,999 players whose names run on over all their fields, each with more marks on a letter than a language has."""
    lines = (f"001 {number:4} m    {name}\n" for number in range(1, MAX_PLAYERS + 1))
    content = "".join(lines).encode()[: LARGE - 2000]
    assert len(content) > 4_000_000

    def read_all():
        assert "misaligned-line" in {finding.code for finding in read(content).findings}

    assert least_seconds(read_all, SECONDS) <= SECONDS


def test_the_largest_file_of_byes_is_read_in_its_time():
    """5,000 players who sit out 20 rounds."""
    players, rounds = MAX_CELLS // 20, 20
    lines = [
        builders.player(number, *(f"0000 - {'HFZU'[number % 4]}" for _ in range(rounds)), points="")
        for number in range(1, players + 1)
    ]
    content = builders.trf(*lines)

    def read_all():
        assert len(read(content).pairings) == MAX_CELLS

    assert least_seconds(read_all, SECONDS) <= SECONDS


def test_the_largest_register_is_read_in_its_time():
    """As many players as a list may have, no two alike, with dates that are not of the form that is expected."""
    head, lines = "UNIQUE_NO,SURNAME,FIRSTNAME,BDATE,SEX,TITLE,RATING,FED,CLUB\n", []
    for number in range(MOST_PLAYERS):
        born = f"{1940 + number // 336 % 76}/{1 + number % 12:02}/{1 + number // 12 % 28:02}"
        name = f"Mokoena{'abcdefgh'[number % 8]}{'van'[number % 3]},Naledi{'klmn'[number % 4]}"
        club = f"Chess Club of School {number % 900} beyond the River"
        lines.append(f"{180000001 + number},{name},{born},{'MF'[number % 2]},,{800 + number % 1600:04},GAU,{club}\r\n")
    content = (head + "".join(lines)).encode()
    assert LARGE * 0.9 < len(content) <= LARGE

    def read_all():
        reader = RegisterReader(io.BytesIO(content), regions={"GAU": "Gauteng"})
        assert len({line.national_id for line in reader}) == len(lines)
        assert not reader.errors

    assert least_seconds(read_all, SECONDS) <= SECONDS


@pytest.mark.parametrize("line", ['"', '""', ",", " ", ""], ids=["open", "quoted", "comma", "space", "nothing"])
def test_the_largest_table_of_lines_without_a_cell_is_read_in_its_time(line):
    """Zipped it has 5 kB, and is read within a request."""
    content = (f"{line}\n" * LARGE)[:LARGE].encode()

    def read_all():
        report = Report()
        assert list(sheet_rows(io.BytesIO(content), report)) == []
        assert {"too-many-faulty-lines", "file-too-large"} & {finding.code for finding in report.findings()}

    assert least_seconds(read_all, SECONDS) <= SECONDS


def test_the_longest_name_of_a_swissperfect_tournament_fills_no_memory():
    """6 kB of a zip: a name of 1.6 million words, of which each would be a text of its own. A fifth is traced."""
    settings = b"[Tournament Info]\r\nName=" + "\u0100 ".encode() * (LARGE // 15)
    content = zip_of(sp_files() | {"open.ini": settings})

    def read_all():
        assert "long-text" in {finding.code for finding in read(content, "open.zip").findings}

    assert most_bytes(read_all) < 200_000_000 // 5


def test_a_zip_whose_directory_names_a_hundred_thousand_files_is_read_in_its_time():
    """46 bytes a name: none of these files is in the zip."""
    files = zip_of(sp_files())
    start, count = files.index(b"PK\x01\x02"), (LARGE - len(files)) // 50
    names = b"".join(
        b"PK\x01\x02" + bytes(24) + (4).to_bytes(2, "little") + bytes(16) + b"a%03d" % (number % 1000)
        for number in range(count)
    )
    ends = files.index(b"PK\x05\x06")
    size = ends - start + len(names)
    end = b"PK\x05\x06" + bytes(4) + bytes(4) + size.to_bytes(4, "little") + start.to_bytes(4, "little") + bytes(2)
    content = files[:ends] + names + end
    assert len(content) > LARGE * 0.9

    def read_all():
        assert "damaged-file" in {finding.code for finding in read(content, "open.zip").findings}

    assert least_seconds(read_all, SECONDS) <= SECONDS


def test_a_time_control_without_end_takes_no_time():
    """By the API anybody may have such a file checked: one of a megabyte stopped the site for a minute."""
    content = builders.trf(builders.player(1)) + b"222 W" + b"-B" * 500_000 + b" x\n"
    assert least_seconds(lambda: read(content), SECONDS) <= SECONDS


def test_dates_with_blanks_without_end_take_no_time():
    """With each further letter of 10 kB the time grew with the fourth power."""
    blanks = " " * 5_000
    content = (
        f"UNIQUE_NO,SURNAME,FIRSTNAME,BDATE\n180000001,A,B,05/06/1999\n180000002,C,D,1{blanks}1{blanks}x\n".encode()
    )
    assert least_seconds(lambda: list(RegisterReader(io.BytesIO(content), regions={})), 1) <= 1


def test_the_largest_register_of_dates_that_are_mostly_blanks_is_read_in_its_time():
    rows = (f'{180000001 + number},A B,"10{" " * 12}10{" " * 19}{number % 9000 + 1000}x"\n' for number in range(88_000))
    content = ("Id,Name,Born\n" + "".join(rows)).encode()[:LARGE].rpartition(b"\n")[0]
    assert least_seconds(lambda: list(RegisterReader(io.BytesIO(content), regions={})), SECONDS) <= SECONDS


def test_the_blank_lines_of_a_whole_spreadsheet_are_passed_over():
    content = b"Surname,Name\n" + b",\n" * 1_048_574 + b"Cele,Sipho\n"
    report = Report()
    assert len(list(sheet_rows(io.BytesIO(content), report))) == 2
    assert not report.findings()


def test_the_largest_csv_of_players_who_are_all_different_is_read_in_its_time():
    rows = "".join(f"a{number},b{number},1-0,{number % 142 + 1}\n" for number in range(MAX_ROWS))
    content = f"white,black,result,round\n{rows}".encode()

    def read_all():
        assert len(read(content).entrants) == MAX_PLAYERS

    assert least_seconds(read_all, SECONDS) <= SECONDS


PLAYER_COLUMNS = "id,name,number,fide_id,sex,title,rating,federation,region,club,born"


def test_the_largest_csv_with_every_column_is_read_in_its_time():
    """Names with accents as letters of their own, in quotation marks; everybody is paired twice in a round."""
    heading = [f"{side}_{column}" for side in ("white", "black") for column in PLAYER_COLUMNS.split(",")]

    def player(number):
        born = f"{1950 + number % 60}-{number % 12 + 1:02}-{number % 28 + 1:02}"
        name = f"Ne\u0301l {number}, Jo\u0308rg"
        return f'18{number:07},"{name}",{number},{14300000 + number},m,IM,{1000 + number % 1500},RSA,GP,Club {number},{born}'

    rows = (
        f"{number % 142 + 1},{player(number % 9999 + 1)},{player(number * 7 % 9999 + 1)},1-0"
        for number in range(MAX_ROWS)
    )
    content = "\n".join([",".join(["round", *heading, "result"]), *rows]).encode()

    def read_all():
        assert len(read(content).entrants) == MAX_PLAYERS

    assert least_seconds(read_all, SECONDS) <= SECONDS


ODD_COLUMNS = (
    "round,white,black,result,white born,black born,white sex,black sex,date,white fide id,black fide id,white rating,"
    "black rating,white federation,black federation,colour known,board"
)


@pytest.mark.parametrize("cell", ["é" + "\u0301" * 14, "é" * 15], ids=["marks", "letters"])
@pytest.mark.parametrize("named", [True, False], ids=["named", "nameless"])
def test_the_largest_csv_of_cells_that_mean_nothing_is_read_in_its_time(cell, named):
    """10,000 games, of which each cell but the round, and the names if there are some, is wrong."""
    rows = (
        ",".join([str(number % 140 + 1), *([f"A{number}", f"B{number}"] if named else [cell, cell]), *[cell] * 14])
        for number in range(1, 10_001)
    )
    content = "\n".join([ODD_COLUMNS, *rows]).encode()[: LARGE - 2000]
    assert len(content) > 4_000_000

    def read_all():
        assert {finding.code for finding in read(content).findings} >= {"unknown-result", "bad-id"}

    assert least_seconds(read_all, SECONDS) <= SECONDS


_HEADING = "round,white,black,result"
_ROW = "1,a{0},b{0},1-0"
WIDE = {
    "one line of separators": [_HEADING, _ROW + "," * 4_900_000],
    "one line of cells": [_HEADING, _ROW + ',"a"' * 1_200_000],
    "one line of quotation marks": [_HEADING, _ROW + "," + '"' * 4_900_000],
    "a detail of separators": ["name" + "," * 4_900_000, _HEADING, _ROW],
    "a line of control characters": [_HEADING, _ROW, "\x01" * 4_900_000],
    "lines of blank cells": [_HEADING, *[_ROW + "," * 480] * MAX_ROWS],
    "lines of blank cells in quotation marks": [_HEADING, *[_ROW + ',""' * 160] * MAX_ROWS],
    "lines of further cells": [_HEADING, *[_ROW + ",ab" * 160] * MAX_ROWS],
    "a wide heading": [_HEADING + ",x" * 1900, *[_ROW + "," * 480] * MAX_ROWS],
    "lines as wide as the heading": [_HEADING + ",x" * 196, *[_ROW + ",ab" * 155] * MAX_ROWS],
    "the columns that are read at the end": ["x," * 196 + _HEADING, *["aé" + "," * 196 + _ROW + "," * 230] * MAX_ROWS],
}  # fmt: skip


@pytest.mark.parametrize("kind", WIDE)
def test_the_largest_csv_of_what_is_not_read_fills_no_memory(kind):
    content = "\n".join(line.format(number) for number, line in enumerate(WIDE[kind])).encode()[: LARGE - 2000]
    assert len(content) > 4_000_000
    assert least_seconds(lambda: read(content), SECONDS) <= SECONDS
    fifth = content[: LARGE // 5]  # tracing takes its time
    assert most_bytes(lambda: read(fifth)) < 200_000_000 // 5


NAMES = {
    "syllables": ("\uac00" * 70, "\uac01" * 70),
    "letters with a mark": ("\u0e01\u0e47" * 40, "\u0e01\u0e4d" * 40),
    "letters with two marks": ("a\u0316\u0301" * 38, "q\u0307\u0323" * 38),
    "as many marks as are read": ("e" + "\u0301\u0323" * 15 + "a" * 84, "o" + "\u0323\u0301" * 15 + "b" * 84),
    "ideographs": ("\u738b" * 70, "\u738c" * 70),
    "dashes": ("\u2014" * 70, "\u2013" * 70),
    "letters of a newer script": ("\U0001e900" * 60, "\U0001e901" * 60),
    "two parts without a blank": ("\U0001e900" * 30 + "," + "\U0001e922" * 30, "\u738b" * 35 + "," + "\u738c" * 35),
}


@pytest.mark.parametrize("name", NAMES)
def test_the_largest_csv_of_long_names_in_any_script_is_read_in_its_time(name):
    """Up to 10,000 games of players of whom each is named once."""
    white, black = NAMES[name]
    rows = (f"{number % 140 + 1},{white}{number},{black}{number},1-0" for number in range(MAX_ROWS))
    content = "\n".join(["round,white,black,result", *rows]).encode()[: LARGE - 2000]
    assert len(content) > 3_000_000

    def read_all():
        assert {finding.code for finding in read(content).findings} & {"no-players", "too-many-players"}

    assert least_seconds(read_all, SECONDS) <= SECONDS


@pytest.mark.parametrize(
    "letters",
    ["e\u0301\u0316" * 26, "\u0e01\u0e4d" * 40, "\uac00" * 60, "Z" + "\u2014" * 60, "\U0001e900" * 40],
    ids=["two marks", "a mark", "syllables", "dashes", "a newer script"],
)
@pytest.mark.parametrize("columns", ["Surname,First name,Born", "Name,Club,Born"])
def test_the_largest_register_of_names_in_any_script_is_read_in_its_time(columns, letters):
    size = len(f"Z99999,{letters},1990-01-01\n".encode())
    rows = (f"Z{number},{letters},1990-01-01" for number in range(LARGE // size))
    content = "\n".join([columns, *rows]).encode()

    def read_all():
        reader = RegisterReader(io.BytesIO(content), regions={})
        assert sum(1 for _ in reader)

    assert least_seconds(read_all, SECONDS) <= SECONDS


def test_the_largest_register_of_one_letter_words_is_read_in_its_time():
    """In capitals, so that each is written anew, and with an accent, so that each may mix alphabets."""
    words = itertools.cycle(["É", *"ABCDEFGHIJK"])
    parts = (" ".join(itertools.islice(words, 21)) for _ in itertools.count())
    rows = (f"{180000001 + number},{next(parts)},{next(parts)}" for number in range(MOST_PLAYERS))
    content = "\n".join(["Chess SA id,Surname,First name", *rows]).encode()[:LARGE].rpartition(b"\n")[0]

    def read_all():
        reader = RegisterReader(io.BytesIO(content), regions={})
        assert sum(1 for _ in reader)

    assert least_seconds(read_all, SECONDS) <= SECONDS


def test_the_largest_register_of_every_letter_there_is_is_read_in_its_time():
    """More kinds than a keeper of fewer letters could hold, which would be worked out each time anew."""
    letters = itertools.cycle([letter for letter in map(chr, range(0x3400, sys.maxunicode)) if letter.isalpha()])
    parts = ("".join(itertools.islice(letters, 8)) for _ in itertools.count())
    rows = (f"{next(parts)}{number},{next(parts)}" for number in range(MOST_PLAYERS))
    content = "\n".join(["Surname,First name", *rows]).encode()[:LARGE].rpartition(b"\n")[0]

    def read_all():
        reader = RegisterReader(io.BytesIO(content), regions={})
        assert sum(1 for _ in reader) > MOST_PLAYERS * 0.99

    assert least_seconds(read_all, SECONDS) <= SECONDS


def test_a_crosstable_of_many_cells_is_refused_though_hardly_any_was_played():
    """Of 4,000 players with a game each, of whom a few played in round 142, pages had 51 MB."""
    rows = (f'{max(1, number - 600)},"Adams{number}, A","Botha{number}, B",1-0' for number in range(743))
    content = "\n".join(["round,white,black,result", *rows]).encode()
    tournament = read(content)
    assert len(tournament.entrants) * tournament.rounds > MAX_CELLS
    assert [found.code for found in tournament.errors] == ["too-many-cells"]


def _games(count: int) -> list[dict[str, str]]:
    players = MOST_TAKING_PART
    return [{"white": str(n % players), "black": str((n + 1) % players), "result": "1-0"} for n in range(count)]


def _of_all(system: str, met: int, **player: object) -> dict[str, object]:
    people = [{"id": str(number), **player} for number in range(MOST_TAKING_PART)]
    return {"id": "x", "system": system, "players": people, "events": [{"ended": "2012-03-02", "games": _games(met)}]}


CASES = {
    "lists": lambda: {
        "id": "x",
        "system": "chessa",
        "calculated_on": "2024-04-01",
        "players": [{"id": str(n), "lists": {name: {"raw": 1.5} for name in LISTS}} for n in range(MOST_RATED)],
        "events": [],
    },
    "cfc": lambda: _of_all("cfc", 85_000, status="established", rating=1500, games=40) | {"rules": "2012"},
    "uscf": lambda: _of_all("uscf", 85_000, rating=1500, games=8),
    "icu": lambda: _of_all("icu", 85_000, type="unrated"),
    "small events, uscf": lambda: _small_events("uscf", 500, times=12, rating=1500, games=8),
    "small events, icu": lambda: _small_events("icu", 2_500, type="unrated"),
    "small events, cfc": lambda: (
        _small_events("cfc", 2_500, status="established", rating=1500, games=40) | {"rules": "2012"}
    ),
}


def _small_events(system: str, count: int, times: int = 5, **standing: object) -> dict[str, object]:
    """Of each event all games of four players among themselves, each so many times."""
    games = [(one, other) for one in range(4) for other in range(4) if one < other] * times
    return {
        "id": "x",
        "system": system,
        "players": [{"id": str(number), **standing} for number in range(20_000)],
        "events": [
            {
                "ended": "2012-03-02",
                "games": [
                    {"white": str(4 * event + one), "black": str(4 * event + other), "result": "1-0"}
                    for one, other in games
                ],
            }
            for event in range(count)
        ],
    }


@pytest.mark.parametrize("kind", CASES)
def test_the_largest_case_is_answered_in_its_time(kind):
    """Of anybody's calculation of his own, within a request."""
    content = json.dumps(CASES[kind](), separators=(",", ":")).encode()
    assert 2_000_000 < len(content) <= LARGE

    def answer():
        assert answer_document(parse_document(content))

    assert least_seconds(answer, SECONDS) <= SECONDS


def test_a_list_of_fide_of_empty_lines_is_read_in_its_time():
    content = TARGETS["fide-list"].seeds[0].partition(b"\n")[0] + b"\n" * LARGE

    def read_all():
        reader = FideListReader(io.BytesIO(content), filename="standard_rating_list.txt")
        with pytest.raises(FideListError, match="blank ones"):
            list(reader.players())

    assert least_seconds(read_all, SECONDS) <= SECONDS


@pytest.mark.parametrize(
    ("heading", "row"),
    [
        ("Surname", "N"),
        ("Surname", "{name}"),
        ("Name", "{name}"),
        ("Surname,Born", "{name},{month}/5/1990"),
        ("Surname,FIDE id,Chess SA id", "N,14300001,100000001"),
        ("Surname,First name,Born", "Naidoo,Priya,1990-05-17"),
        ("Surname", '"a""b'),
        ("Surname", ",,"),
    ],
)
def test_a_register_of_short_rows_is_read_in_its_time(heading, row):
    begins = f"{heading}\n" + ("Zulu,17/05/1990\n" if "month" in row else "")
    rows = (row.format(name=f"A{number:x}", month=number % 4 + 1) for number in range(LARGE // (len(row) + 1)))
    content = (begins + "\n".join(rows)).encode()[:LARGE]

    def read_all():
        reader = RegisterReader(io.BytesIO(content), regions={})
        assert sum(1 for _ in reader) <= MOST_PLAYERS
        assert reader.errors

    assert least_seconds(read_all, SECONDS) <= SECONDS


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(TARGETS["case"].seeds), st.randoms(use_true_random=False), st.integers(1, 8))
def test_a_case_that_is_still_json_is_answered_or_refused(content, chance, times):
    for _ in range(times):
        content = changed(content, chance)
    within_time(TARGETS["case"].run, content)
