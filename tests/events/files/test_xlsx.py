"""Spreadsheets: every cell as another program wrote it, and none that fills the memory or takes long.

Source of the hand-written parts: ECMA-376, part 1, 18.3 (sheets), 18.4 (shared texts), 18.8 (formats), 22.9.2.19 (letters).
"""

import io
import tracemalloc
from contextlib import suppress
from datetime import date, datetime, time
from functools import partial

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.lib.zips import SentZip
from events.files.xlsx import TooLargeError, UnreadableError, xlsx_rows
from tests.events.files.spreadsheets import spreadsheet, with_part, written
from tests.fuzz.readers import least_seconds

MB = 1_000_000


def read(content: bytes, **limits) -> list[tuple[int, list[str]]]:
    with SentZip(io.BytesIO(content)) as archive:
        return list(xlsx_rows(archive, **{"most_columns": 200, **limits}))


def cells(row: str, *given, **parts) -> list[str]:
    """The cells of a sheet with one row."""
    found = read(written(f"<row>{row}</row>", *given, **parts))
    return found[0][1] if found else []


def too_large(content: bytes, **limits) -> bool:
    """Whether a spreadsheet is refused for its size, with little held of it until then."""
    tracemalloc.start()
    try:
        read(content, **limits)
    except TooLargeError:
        return True
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 100 * MB, peak
    return False


def shown(value: object) -> str:
    """A cell as a CSV has it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, datetime | date):
        return f"{value:%Y-%m-%d}"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else str(value)
    return str(value).strip()


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**15), 10**15),
    st.floats(-1e12, 1e12).map(lambda number: round(number, 3)),
    st.dates(date(1900, 3, 1), date(9999, 12, 31)),
    st.builds(
        datetime.combine,
        st.dates(date(1900, 3, 1), date(9999, 12, 30)),
        st.times().map(lambda at: at.replace(microsecond=0)),
    ),
    st.text(st.characters(codec="utf-8", exclude_categories=("C",)), max_size=20).filter(
        lambda text: not text.startswith("=") and "_x" not in text
    ),
)


@given(st.lists(st.lists(VALUES, max_size=6), max_size=6))
def test_every_cell_is_read_as_another_program_wrote_it(rows):
    expected = []
    for number, row in enumerate(rows, 1):
        line = [shown(value) for value in row]
        while line and not line[-1]:
            line.pop()
        if line:
            expected.append((number, line))
    assert read(spreadsheet(*rows)) == expected


def test_it_reads_what_openpyxl_reads():
    book = openpyxl.Workbook()
    book.active.append(["Dube", 1, 1.5, 1e300, -3, date(2026, 2, 28), time(10, 30), True, "#N/A", "  a  b "])
    book.active["N7"] = "far"
    saved = io.BytesIO()
    book.save(saved)
    assert read(saved.getvalue()) == [
        (1, ["Dube", "1", "1.5", str(int(1e300)), "-3", "2026-02-28", "10:30:00", "TRUE", "#N/A", "a  b"]),
        (7, [*[""] * 13, "far"]),
    ]


@pytest.mark.parametrize(
    ("row", "texts", "found"),
    [
        ('<c t="s"><v>1</v></c><c t="s"><v>0</v></c>', "<si><t>a</t></si><si><t>b</t></si>", ["b", "a"]),
        ('<c t="s"><v>0</v></c>', "<si><r><rPr/><t>Du</t></r><r><t>be</t></r></si>", ["Dube"]),
        ('<c t="s"><v>0</v></c>', "<si><t>東京</t><rPh><t>トウキョウ</t></rPh></si>", ["東京"]),
        ('<c t="s"><v>0</v></c>', "<si/>", []),
        ('<c t="s"><v>0</v></c>', "<si><t>a &amp; b &#233;</t><y:t xmlns:y='y'>c</y:t></si>", ["a & b é"]),
        ('<c t="s"><v>0</v></c>', "<si><t>a_x000D_b _x005F_x0041_ _x0000_ _xD800_</t></si>", ["a\rb _x0041_ _x0000_ _xD800_"]),
        ('<c t="inlineStr"><is><t>a</t><rPh><t>b</t></rPh></is></c>', "", ["a"]),
        ('<c t="str"><f>A1&amp;"x"</f><v>ax</v></c><c t="e"><v>#REF!</v></c>', "", ["ax", "#REF!"]),
        ('<c t="b"><v>0</v></c><c t="d"><v>2026-02-28T10:00:00</v></c>', "", ["FALSE", "2026-02-28"]),
        ("<c><v>1.1000000000000001</v></c><c><v>2E3</v></c><c><v>100000001</v></c>", "", ["1.1", "2000", "100000001"]),
        ('<c r="C1"><v>1</v></c><c><v>2</v></c><c r="B1"><v>3</v></c>', "", ["", "3", "1", "2"]),
        ('<c r="A1"/><c r="B1" s="0"><f>1</f></c>', "", []),
    ],
)  # fmt: skip
def test_cells_of_every_kind(row, texts, found):
    assert cells(row, texts) == found


FORMATS = (
    '<numFmts><numFmt numFmtId="164" formatCode="yyyy\\/mm\\/dd;@"/><numFmt numFmtId="165" formatCode="0.0&quot; days&quot;"/>'
    '<numFmt numFmtId="166" formatCode="[$-409]d\\ mmm\\ yy"/><numFmt numFmtId="167" formatCode="[Red]0;d"/></numFmts>'
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/>'
    '<xf numFmtId="167"/><xf numFmtId="30"/><xf/></cellXfs>'
)


@pytest.mark.parametrize(
    ("number", "format_", "found"),
    [
        ("46081", 0, "46081"), ("46081", 1, "2026-02-28"), ("46081", 2, "2026-02-28"), ("46081", 3, "46081"),
        ("46081", 4, "2026-02-28"), ("46081", 5, "46081"), ("46081", 6, "2026-02-28"), ("46081", 7, "46081"),
        ("46081.75", 1, "2026-02-28"), ("46080.999999999", 1, "2026-02-28"), ("0.4375", 1, "10:30:00"),
        # Spreadsheets count 29 February 1900, which was none: days before it are one further.
        ("1", 1, "1900-01-01"), ("59", 1, "1900-02-28"), ("61", 1, "1900-03-01"),
        # A telephone number in the format of a day, and what is no day.
        ("27821234567", 1, "27821234567"), ("-1", 1, "-1"), ("2958465", 1, "9999-12-31"), ("2958466", 1, "2958466"),
        ("2958465.999999999", 1, "2958465.999999999"),
    ],
)  # fmt: skip
def test_days_are_known_by_the_format_of_their_cell(number, format_, found):
    assert cells(f'<c s="{format_}"><v>{number}</v></c>', styles=FORMATS) == [found]


@pytest.mark.parametrize("value", ["1", "true"])
def test_days_of_a_workbook_that_counts_from_1904(value):
    found = cells('<c s="1"><v>44619</v></c>', styles=FORMATS, book=f'<workbookPr date1904="{value}"/>')
    assert found == ["2026-02-28"]


def test_properties_of_an_extension_are_none_of_the_workbook():
    """As Excel has written them since 2013."""
    book = (
        '<workbookPr date1904="1"/><extLst><ext><x15:workbookPr xmlns:x15="x" chartTrackingRefBase="1"/></ext></extLst>'
    )
    assert cells('<c s="1"><v>44619</v></c>', styles=FORMATS, book=book) == ["2026-02-28"]


def test_elements_may_have_a_prefix():
    sheet = '<x:worksheet xmlns:x="x"><x:sheetData><x:row><x:c><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>'
    assert read(written("", more={"xl/worksheets/a.xml": sheet})) == [(1, ["1"])]


@pytest.mark.parametrize(
    ("sheet", "place"),
    [("worksheets/a.xml", ""), ("/xl/worksheets/a.xml", "xl/worksheets/a.xml"), ("../b.xml", "b.xml")],
)
def test_the_sheet_lies_where_the_workbook_says(sheet, place):
    assert read(written("<row><c><v>1</v></c></row>", sheet=sheet, place=place)) == [(1, ["1"])]


def test_a_chart_before_the_first_sheet_is_passed_over():
    book = openpyxl.Workbook()
    book.create_chartsheet("Chart", 0)
    book.worksheets[0].append(["Dube"])
    saved = io.BytesIO()
    book.save(saved)
    assert read(saved.getvalue()) == [(1, ["Dube"])]


def test_a_blank_sheet_before_the_first_one_is_passed_over():
    """As LibreOffice saves a sheet that was a chart alone."""
    book = openpyxl.Workbook()
    book.create_sheet("Players").append(["Dube"])
    book.create_sheet("Clubs").append(["Mopane"])
    saved = io.BytesIO()
    book.save(saved)
    assert read(saved.getvalue()) == [(1, ["Dube"])]


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_a_hidden_sheet_before_the_first_one_is_passed_over(state):
    book = openpyxl.Workbook()
    book.active.append(["choices"])
    book.active.sheet_state = state
    book.create_sheet("Players").append(["Dube"])
    saved = io.BytesIO()
    book.save(saved)
    assert read(saved.getvalue()) == [(1, ["Dube"])]


def test_the_case_of_a_part_s_name_means_nothing():
    content = written("<row><c><v>1</v></c></row>", sheet="Worksheets/A.xml", place="XL/worksheets/a.XML")
    assert read(content) == [(1, ["1"])]


def test_rows_have_their_own_numbers():
    rows = '<row r="3"><c><v>1</v></c></row><row><c><v>2</v></c></row><row r="9"/><row r="12"><c><v>3</v></c></row>'
    assert read(written(rows)) == [(3, ["1"]), (4, ["2"]), (12, ["3"])]


def test_cells_beyond_the_last_column_are_left_out():
    content = written('<row><c r="A1"><v>1</v></c><c r="C1"><v>2</v></c><c r="XFD1"><v>3</v></c></row>')
    assert read(content, most_columns=2) == [(1, ["1"])]
    assert read(content, most_columns=3) == [(1, ["1", "", "2"])]


@pytest.mark.parametrize(
    "row",
    [
        '<c t="klingon"><v>1</v></c>', '<c r="2B"><v>1</v></c>', '<c r="XFE1"><v>1</v></c>', '<c t="s"><v>1</v></c>',
        '<c t="s"><v>-1</v></c>', '<c t="s"><v>a</v></c>', "<c><v>a</v></c>", '<c s="a"><v>1</v></c>', "<c>",
        "</row><row r='0'>", "</row><row r='1048577'>", "&a;", "<c><v>\x01</v></c>",
    ],
)  # fmt: skip
def test_what_no_spreadsheet_has_is_said(row):
    with pytest.raises(UnreadableError):
        read(written(f"<row>{row}</row>", "<si><t>a</t></si>", styles=FORMATS))


@pytest.mark.parametrize(
    ("part", "found", "instead"),
    [
        ("xl/_rels/workbook.xml.rels", b"/worksheet", b"/chartsheet"),
        ("xl/_rels/workbook.xml.rels", b"worksheets/a.xml", b"worksheets/b.xml"),
        ("xl/_rels/workbook.xml.rels", b"Target=", b"Aim="),
        ("xl/styles.xml", b'numFmtId="164"', b'numFmtId="a"'),
        ("xl/workbook.xml", b"<workbook", b"<?xml version='1.0'?>\xe9<workbook"),
    ],
)  # fmt: skip
def test_parts_that_are_damaged_or_missing_are_said(part, found, instead):
    good = written("<row><c><v>1</v></c></row>", styles=FORMATS)
    assert read(good) == [(1, ["1"])]
    with pytest.raises(UnreadableError):
        read(with_part(good, part, found, instead))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("said", ["utf-8", "utf-16", "klingon", "k" * 10_000])
def test_a_part_in_either_encoding_of_the_format(encoding, said):
    """Whatever it says: Python would keep the name of each that it is asked for."""
    named = f"<?xml version='1.0' encoding='{said}'?><a><row><c t='str'><v>é</v></c></row></a>"
    assert read(written("", more={"xl/worksheets/a.xml": named.encode(encoding)})) == [(1, ["é"])]


# Memory and time. Each of these took a gigabyte, or a minute, or both, when another library read them.


def test_entities_are_refused():
    """A few words of which would stand for gigabytes."""
    begins = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "Dube">]>'
    with pytest.raises(UnreadableError):
        read(written("", more={"xl/worksheets/a.xml": begins + "<a><row><c t='str'><v>&a;</v></c></row></a>"}))


LONG = "a" * 5_000_000
ROWS = {
    "elements": "<a/>" * 101_000,
    "cells in a row": "<row>" + "<c/>" * 101_000 + "</row>",
    "a text": f"<row><c t='str'><v>{LONG}</v></c></row>",
    "a text of pieces": "<row><c t='inlineStr'><is>" + "<t>aaaa</t>" * 10_000 + "</is></c></row>",
    "a name": f"<row><{LONG}/></row>",
    "an attribute": f"<row a='{LONG}'/>",
    "a comment": f"<!--{LONG}-->",
    "an instruction": f"<?a {LONG}?>",
    "names": "".join(f"<a{number}/>" for number in range(100_000)),
    "prefixes": "".join(f"<a xmlns:a{number}='b'/>" for number in range(100_000)),
    "depth": "<a>" * 1_000_000,
}


@pytest.mark.parametrize("what", ROWS)
def test_a_sheet_without_end_is_refused(what):
    content = written(ROWS[what])
    assert len(content) < MB
    assert too_large(content, most_tags=100_000)


TEXTS = {
    "one": f"<si><t>{LONG}</t></si>",
    "one with an emoji": f"<si><t>{LONG}😀</t></si>",
    "many": f"<si><t>{'a' * 7_000}😀</t></si>" * 6_000,
    "short ones": "<si><t>a</t></si>" * 26_000,
    "pieces": f"<si>{'<r><t>a</t></r>' * 40_000}</si>",
    "an attribute": f"<si a='{LONG}'/>",
    "names": "".join(f"<a{number}/>" for number in range(100_000)),
    "long names": "".join(f"<a{number}{'a' * 200_000}/>" for number in range(20)),
}


@pytest.mark.parametrize("what", TEXTS)
def test_shared_texts_without_end_are_refused(what):
    content = written("<row><c t='s'><v>0</v></c></row>", TEXTS[what])
    assert len(content) < MB
    assert too_large(content, most_tags=100_000)


def test_no_more_texts_are_shared_than_can_be_held():
    content = written("", "<si/>" * 2_010_000)
    with pytest.raises(TooLargeError):
        read(content)


@pytest.mark.parametrize(
    "more",
    [
        {"xl/styles.xml": "<a><numFmts>" + '<numFmt numFmtId="1" formatCode="d"/>' * 310_000 + "</numFmts></a>"},
        {"xl/workbook.xml": "<a><sheets>" + '<sheet id="a"/>' * 310_000 + "</sheets></a>"},
        {"xl/_rels/workbook.xml.rels": "<a>" + '<Relationship Id="a" Type="b" Target="c"/>' * 310_000 + "</a>"},
        {"xl/workbook.xml": f"<a><!--{LONG}--></a>"},
    ],
    ids=["formats", "sheets", "relations", "a comment"],
)
def test_what_is_beside_rows_and_texts_has_an_end(more):
    content = written("<row/>", more=more)
    with pytest.raises(TooLargeError):
        read(content)
    assert too_large(content, most_tags=100_000)


def test_a_blank_sheet_that_is_named_a_hundred_times_is_read_once():
    """2 kB of a zip, which took ten seconds for each thousand names."""
    names = "".join(f'<sheet name="A" r:id="rId{number}"/>' for number in range(100))
    targets = "".join(
        f'<Relationship Id="rId{number}" Type="a/worksheet" Target="worksheets/{"aA"[number % 2]}.xml"/>'
        for number in range(100)
    )
    more = {
        "xl/workbook.xml": f'<workbook xmlns:r="b"><sheets>{names}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f"<Relationships>{targets}</Relationships>",
    }
    content = written(" " * 10_000_000, more=more)

    def read_it():
        assert read(content) == []

    assert least_seconds(read_it, 0.5) <= 0.5


def test_parts_that_no_cell_needs_are_not_read():
    """Pictures, themes and properties, however large, and folders of the zip that are called as a part."""
    content = written(
        "<row><c><v>1</v></c></row>", more={"docProps/core.xml": f"<a b='{LONG}'/>", "xl/theme/theme1.xml": LONG}
    )
    assert read(content) == [(1, ["1"])]
    with pytest.raises(UnreadableError):
        read(written("<row/>", sheet="worksheets/a/", place="xl/worksheets/a/"))


def test_a_long_text_in_every_cell_is_read_once_for_each_row():
    """The file has it once. A row is given before the next one is made, so that none but it is held."""
    cell = '<c t="s"><v>0</v></c>'
    content = written(f"<row>{cell * 100}</row>" * 12, f"<si><t>{'é' * 32_767}</t></si>")
    with SentZip(io.BytesIO(content)) as archive:
        tracemalloc.start()
        letters = sum(len(text) for _, row in xlsx_rows(archive, most_columns=200) for text in row)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert letters == 12 * 100 * 32_767
    assert peak < 60 * MB


@pytest.mark.parametrize("text", ["x" * 32_000, "_x0020_" * 4_600, " " * 32_000], ids=["letters", "escaped", "blanks"])
def test_a_long_text_that_stands_in_every_cell_is_not_read_in_each(text):
    """4 kB took a minute."""
    content = written("<row>" + '<c t="s"><v>0</v></c>' * 39_000 + "</row>", f"<si><t>{text}</t></si>")
    rows = written(('<row><c t="s"><v>0</v></c></row>') * 39_000, f"<si><t>{text}</t></si>")
    for book in (content, rows):
        assert least_seconds(partial(_refused_or_read, book), 0.5) < 1


def _refused_or_read(content: bytes) -> None:
    with suppress(TooLargeError):
        read(content)


def test_thirty_thousand_players_are_read_in_seconds():
    row = ["Dube", "Anele", 100000001, date(1990, 5, 17), "F", "Gauteng", 1500, 14300001]
    content = spreadsheet(*[row] * 30_000)
    assert least_seconds(lambda: read(content), 1.5) < 2
