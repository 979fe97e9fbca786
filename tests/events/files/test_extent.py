"""How much a file holds at most, told without reading it."""

import io
import struct
import zipfile

from hypothesis import given
from hypothesis import strategies as st

from events.files.extent import Extent, extent_of
from events.files.reader import read
from tests.events.files.builders import tunx, tunx_player, two
from tests.events.files.swissperfect import NARROW, dbase, narrow, packed, swissperfect

ENDS = [
    "\n", "\r", "\r\n", "\n\r", "\r\r", "\r\0\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", "\u0a0d", "\u0d0a",
]  # fmt: skip
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "cp850", "latin-1"]


def texts(line: str, head: str = "") -> st.SearchStrategy[tuple[bytes, str]]:
    """Files of up to 40 such lines, each with its number in it and an end of its own, and a code page to read them in."""

    def file(ends: list[str], last: bool, encoding: str) -> tuple[bytes, str]:
        lines = [line.format(number) for number in range(1, len(ends) + 1)]
        text = head + "".join(map("".join, zip(lines, ends, strict=True)))
        return (text if last else text.rstrip("\r\n")).encode(encoding, errors="ignore"), encoding

    return st.builds(file, st.lists(st.sampled_from(ENDS), max_size=40), st.booleans(), st.sampled_from(ENCODINGS))


@given(texts("001 {:>4}\u00e1"))
def test_a_line_of_a_report_file_is_a_player_at_most(sent: tuple[bytes, str]) -> None:
    content, encoding = sent
    assert len(read(content, "", encoding).entrants) <= extent_of(content).lines


@given(texts("1,W\u00e1{0},B\u00e1{0},1", "round,white,black,result\n"))
def test_a_line_of_a_table_names_two_players_at_most(sent: tuple[bytes, str]) -> None:
    content, encoding = sent
    assert len(read(content, "", encoding).entrants) <= 2 * extent_of(content).lines


def test_lines_are_counted_as_they_are_read() -> None:
    for end in ("\n", "\r", "\r\n"):
        for encoding in ("ascii", "utf-16"):
            for last in ("", end):
                assert extent_of((end.join(["001    1"] * 9) + last).encode(encoding)).lines == 9


@given(st.integers(0, 60), st.integers(0, 60))
def test_a_player_of_swiss_manager_has_his_bytes(there: int, said: int) -> None:
    content = tunx([(1, 2, 1)], [tunx_player({})] * there)
    place = content.index(b"\x95\xff\x89\x44") + 4 + 0x13
    content = content[:place] + struct.pack("<H", said) + content[place + 2 :]
    assert len(read(content).entrants) <= extent_of(content).lines <= there + 8


@given(st.integers(0, 60), st.none() | st.integers(0, 1 << 32 - 1), st.integers(0, 20))
def test_a_player_of_swissperfect_has_a_record(there: int, said: int | None, more: int) -> None:
    content = narrow(there, said=said, more=b"    71Nel" * more)
    assert len(read(content).entrants) <= extent_of(content).lines


def test_records_that_are_announced_or_would_fit_count() -> None:
    assert extent_of(swissperfect(players=60)).lines == 60
    assert extent_of(narrow(4_000)).lines == 4_000
    assert extent_of(narrow(4, said=4_000)).lines == 4_000
    assert extent_of(narrow(4, more=b"    71Nel" * 4_000)).lines > 4_000


@given(st.sampled_from([swissperfect(), narrow(30), tunx([(1, 2, 1)]), two()]), st.data())
def test_a_damaged_file_has_no_more_players_either(content: bytes, data: st.DataObject) -> None:
    damaged = bytearray(content)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        damaged[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    assert len(read(bytes(damaged)).entrants) <= extent_of(bytes(damaged)).lines


def test_a_zip_is_measured_by_what_is_in_it() -> None:
    assert extent_of(packed({"a.ini": b" " * 30_000, "a.sco": b" " * 30_000})) == Extent(60_000, 0)
    assert extent_of(packed({"a.zip": narrow(300)})).lines == 0  # nobody unpacks it
    assert extent_of(narrow(300)[:-30]).lines == 0


def test_of_a_table_that_unpacks_to_much_the_beginning_is_unpacked() -> None:
    sent = io.BytesIO()
    with zipfile.ZipFile(sent, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.trn", "w") as table:
        table.write(dbase(NARROW, []))
        for _ in range(200):
            table.write(b" " * 1_000_000)
    extent = extent_of(sent.getvalue())
    assert extent.bytes > 200_000_000
    assert extent.lines > 20_000_000
