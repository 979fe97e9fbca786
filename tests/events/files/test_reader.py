"""Whatever the bytes are: a tournament or a finding, never an exception, in a time that grows with the file."""

import random
import time
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.files.reader import read, summary
from events.files.trf.writer import write_trf26
from events.rules.findings import Severity
from events.rules.limits import MAX_BYTES, MAX_CELLS, MAX_LINES, MAX_ROUNDS
from events.rules.tournament import Tournament
from tests.events.files.builders import NOT_PAIRED, PAIRING_BYE, player, trf, tunx, two
from tests.events.files.swissperfect import packed, sp_files, swissperfect

SAMPLES = {
    "trf": trf(
        player(1, "   2 w 1", "0000 - H", points="1.5"),
        player(2, "   1 b 0", "   3 w +", name="Cele, Dumisani", points="1.0"),
        player(3, "0000 - U", "   2 b -", name="Öz, Ali", points="1.0"),
        "RSA    1" + " " * 40 + " 1790 LVT   123456789",
        "310   1 Baobabs                          BAO     2000    2.0    2.0   1     1    2",
        "142 2",
        "162 W 1.0",
        "XXR 2",
        "### a comment",
    ),
    "csv": (
        "name;Mopane Open\nfederation;RSA\n\nround;date;white_id;white;white_born;black_id;black;result;colour_known\n"
        '1;2026-03-07;180000001;"Öz, Ali";1990-05-17;180000002;Cele, Dumisani;½-½;\n'
        "2;2026-03-08;180000002;;;14300001;Adendorff, Bets;+--;no\n2;;180000001;Öz, Ali;;;bye;bye;\n"
    ).encode(),
    "tunx": tunx([(1, 2, 1), (3, 4, 5), (1, 3, 2), (2, PAIRING_BYE, 9), (4, NOT_PAIRED, 2)], current=2),
    "swissperfect": swissperfect([(1, 1, 2, 2, 0, 1), (1, 3, 0, 2, 0, 1), (2, 2, 3, 0, 2, 34)], 3),
    # not packed, so that what is changed is a byte of a table
    "swissperfect-stored": packed(sp_files([(1, 1, 2, 2, 0, 1), (2, 2, 1, 1, 1, 1)], 2), zipfile.ZIP_STORED),
}


def check(tournament: Tournament) -> None:
    """What holds for any answer of the reader."""
    numbers = {entrant.number for entrant in tournament.entrants}
    assert len(numbers) == len(tournament.entrants)
    assert all({pairing.white, pairing.black or pairing.white} <= numbers for pairing in tournament.pairings)
    assert all(1 <= pairing.round <= tournament.rounds <= MAX_ROUNDS for pairing in tournament.pairings)
    assert tournament.entrants or tournament.errors
    assert summary("x", tournament)["players"] == len(numbers)
    if not tournament.errors:
        assert write_trf26(tournament)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=600), st.sampled_from([b"", b"001 ", b"012 x\n001    1", b"\x93\xff\x89\x44", b"\xff\xfe"]))
def test_no_bytes_raise(content: bytes, start: bytes) -> None:
    check(read(start + content))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(["001", "132", "013", "310", "RSA", "222", "042", "162", "299", "XXS", "\t", "\0", "½"])
        | st.text("0123456789 wb-+=HUFZ/.é", max_size=110),
        max_size=12,
    )
)
def test_no_text_raises(lines: list[str]) -> None:
    check(read(("012 x\n" + "\n".join(" ".join(lines[i : i + 2]) for i in range(0, len(lines), 2))).encode()))


@pytest.mark.parametrize("kind", SAMPLES)
def test_no_truncation_raises(kind: str) -> None:
    sample = SAMPLES[kind]
    for size in range(len(sample)):
        check(read(sample[:size]))


@pytest.mark.parametrize("kind", SAMPLES)
def test_no_mutation_raises(kind: str) -> None:
    dice = random.Random(20260307)
    for _ in range(2000):
        content = bytearray(SAMPLES[kind])
        for _ in range(dice.randint(1, 8)):
            content[dice.randrange(len(content))] = dice.randrange(256)
        check(read(bytes(content)))


def test_every_truncation_of_a_swiss_manager_file_is_an_error() -> None:
    sample = SAMPLES["tunx"]
    end = sample.index(b"\xd3\xff\x89\x44") + 4
    assert all(read(sample[:size]).errors for size in range(end))
    assert read(sample[:end]).errors == ()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PK\x03\x04\x14\x00", "zip archive"),
        (b"PK\x05\x06" + bytes(18), "empty zip"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"Rar!\x1a\x07", "RAR"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
        (b"%PDF-1.7", "PDF"),
        (b"\x89PNG\r\n", "PNG"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "JPEG"),
        (b"GIF89a", "GIF"),
        (b"II*\0\x08", "TIFF"),
        (b"{\\rtf1", "rich text"),
        (b"SQLite format 3\0", "Sharly Chess"),
        (b"\0\x01\0\0Standard Jet DB\0", "Papi"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "Excel"),
        (b"\x03\x0b\x05\x09" + bytes(4) + b"\x41\x00\x20\x00" + bytes(40), "SwissPerfect"),
        (b"<!DOCTYPE html><pre>\n" + two(), "web page"),
        (b"<html>\n" + two(), "web page"),
        (b"<?xml version='1.0'?><playerslist/>", "XML"),
        (b'{"name": 1}', "JSON"),
        (b'[Event "Mopane Open"]\n1. e4 e5', "PGN"),
        (b"012|Mopane Open|\n001|   1|", "Vega"),
        (b"ID number Name      TitlFed  Sep11\n", "rating list"),
        (b"Event,Mopane Open\nPlayer,756,Cele,Ann\n1,0,B,Dlamini,Ben,2209,,ENG\n", "CSV"),
        (b"1;180000001;180000002;1-0\n", "whose heading is not known"),
        (b"PK\x03\x04\x14\x00\x06\x00xl/workbook.xml", "save the sheet with the results as CSV"),
        (
            b"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK",
            "save the sheet with the results as CSV",
        ),
        (b"x", "text without"),
        (b"a\x01\x02\x03\x04\x05", "binary"),
    ],
)
def test_other_files_are_named(content: bytes, words: str) -> None:
    tournament = read(content, "event.tunx")
    (finding,) = tournament.findings
    assert finding.severity is Severity.ERROR
    assert finding.code == "wrong-format"
    assert words in finding.message
    assert "TRF" in finding.message
    assert (tournament.format, tournament.entrants) == ("unknown", ())


@pytest.mark.parametrize("name", ["event.trf", "event.TUNX", "event.zip", ""])
def test_the_name_does_not_decide(name: str) -> None:
    assert read(SAMPLES["tunx"], name).format == "TUNX"
    assert read(SAMPLES["swissperfect"], name).format == "SwissPerfect"
    assert read(two(), name).format == "TRF16"


@pytest.mark.parametrize("content", [b"", b"\n\r\n", b"\xef\xbb\xbf", b"\xff\xfe", bytes(500)])
def test_an_empty_file_is_an_error(content: bytes) -> None:
    assert [finding.code for finding in read(content).findings] == ["empty-file"]


def test_size_is_limited() -> None:
    lines = trf(player(1)) + b"###\n"
    assert read(lines + b"#" * (MAX_BYTES - len(lines))).errors == ()
    assert [finding.code for finding in read(lines + b"#" * (MAX_BYTES + 1 - len(lines))).errors] == ["file-too-large"]


def test_lines_are_limited() -> None:
    start = trf(player(1))
    rest = MAX_LINES - start.count(b"\n")
    assert read(start + b"\n" * rest).errors == ()
    assert [finding.code for finding in read(start + b"\n" * (rest + 1)).errors] == ["too-many-lines"]


def test_rounds_are_limited() -> None:
    assert read(trf(player(1, *["0000 - Z"] * MAX_ROUNDS))).errors == ()
    tournament = read(trf(player(1, *["0000 - Z"] * (MAX_ROUNDS + 1))))
    assert [finding.code for finding in tournament.errors] == ["too-many-rounds"]
    assert tournament.rounds == MAX_ROUNDS


def test_rounds_of_players_are_limited() -> None:
    lines = [player(number, *["0000 - Z"] * 100) for number in range(1, MAX_CELLS // 100 + 1)]
    assert len(read(trf(*lines)).pairings) == MAX_CELLS
    tournament = read(trf(*lines, player(MAX_CELLS // 100 + 1, "0000 - Z")))
    assert [finding.code for finding in tournament.errors if finding.code.startswith("too-many")] == ["too-many-cells"]
    assert len(tournament.entrants) == MAX_CELLS // 100


@pytest.mark.parametrize(("players", "codes"), [(MAX_CELLS // 100, []), (MAX_CELLS // 100 + 2, ["too-many-cells"])])
def test_rounds_of_players_are_limited_in_every_format_to_those_that_are_written(players, codes) -> None:
    games = [(number, number + 1, 1) for _ in range(100) for number in range(1, players, 2)]
    tournament = read(tunx(games, players, rounds=100, current=100))
    assert [finding.code for finding in tournament.errors] == codes
    if not codes:
        written = write_trf26(tournament)
        again = read(written)
        assert [finding.code for finding in again.errors] == []
        assert write_trf26(again) == written


def test_reports_stay_short() -> None:
    many = trf(*(player(number, "9999 w 1", name="No Comma") for number in range(1, 301)))
    findings = read(many).findings
    assert len(findings) < 40
    (comma,) = [finding for finding in findings if finding.code == "name-without-comma"]
    assert "300 times" in comma.message
    missing = [finding for finding in findings if finding.code == "opponent-not-in-file"]
    assert len(missing) == 20
    assert "280 more" in missing[-1].message


@pytest.mark.parametrize(
    "content",
    [
        b"042 1" + b" " * 4_000_000 + b"2",
        b"122 " + b"9+" * 2_000_000,
        b"112 " + b"a b," * 1_000_000,
        b"162 A" + b" " * 4_000_000,
        b"001" * 1_300_000,
        b";" + b"x" * 4_000_000,
        b"round;white;black;result\n" + b'1;"' + b"x" * 4_000_000,
        b"round;white;black;result\n" + b"1;2;" * 1_000_000,
        b"round;white;black;result\n" + b"1;A, B;C, D;1-0\n" * 99_000,
        b"round;white_id;black_id;result\n" + b"x;y;z;0.5.5.5.5\n" * 99_000,
    ],
    ids=lambda content: content[:5].decode(),
)
def test_long_lines_take_no_longer_than_they_are(content: bytes) -> None:
    start = time.process_time()
    check(read(content))
    assert time.process_time() - start < 10  # quadratic in the length, it would take minutes


def test_findings_come_by_severity_and_place() -> None:
    content = trf(player(1, "   2 w 1", name="No Comma"), player(2, "   1 b 0"), player(2), player(9, "   8 w 1"))
    findings = read(content).findings
    severities = [list(Severity).index(finding.severity) for finding in findings]
    assert severities == sorted(severities)
    errors = [finding.line or 0 for finding in findings if finding.severity is Severity.ERROR]
    assert errors == sorted(errors)


@pytest.mark.parametrize(
    ("rest", "truncated"),
    [
        (b"0", True),
        (b"00", True),
        (b"001    2 m    Cele, Dumis", True),
        (player(2)[:83].encode(), True),
        (player(2)[:84].encode(), False),
        (b"001    2 m    Cele, Dumisani\n", False),
        (b"### end", False),
    ],
)
def test_a_last_line_cut_off_is_an_error(rest: bytes, truncated: bool) -> None:
    codes = [finding.code for finding in read(trf(player(1)) + rest).errors]
    assert ("truncated-file" in codes) is truncated


@pytest.mark.parametrize(("length", "cut"), [(60, False), (61, True)])
def test_messages_repeat_no_more_than_a_piece_of_the_file(length: int, cut: bool) -> None:
    content = trf(player(1), header=["122 " + "x" * length])
    (unread,) = [finding for finding in read(content).findings if finding.code == "time-control-unread"]
    assert ("…" in unread.message) is cut
    assert "x" * 60 in unread.message
    assert "x" * 61 not in unread.message


def test_a_head_that_begins_with_a_control_character_is_written_as_it_is_read_back():
    """It is written as a blank, which belongs to no place."""
    written = write_trf26(read(b"012 Mopane Open\n022 \x14hohoyandou\n062 2\n"))
    assert write_trf26(read(written)) == written
