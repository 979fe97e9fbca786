"""Lists of players for the register: the columns that federations have, and what spreadsheets spoil."""

import io
import zipfile
from dataclasses import dataclass
from datetime import date
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.files.collector import MOST_ERRORS
from events.files.dates import Birth
from events.files.register_list import MOST_PLAYERS, RegisterLine, RegisterReader
from events.rules.findings import Finding, Severity
from events.rules.limits import MOST_COLUMNS
from tests.events.files.spreadsheets import SHEET, spreadsheet, with_part, written
from tests.fuzz.readers import least_seconds

REGIONS = {"GAU": "Gauteng", "LVT": "Limpopo Vhembe", "RSA": "National"}


@dataclass
class Listed:
    """A list that is read: its lines without an error, and what was found."""

    lines: tuple[RegisterLine, ...]
    findings: tuple[Finding, ...]
    errors: list[Finding]
    columns: tuple[tuple[str, str], ...]
    faulty: int


def read(content, **options):
    content = content.encode() if isinstance(content, str) else content
    reader = RegisterReader(io.BytesIO(content), regions=REGIONS, **options)
    return Listed(tuple(reader), reader.findings, reader.errors, reader.columns, reader.faulty)


def codes(content, **options):
    return [finding.code for finding in read(content, **options).errors]


def zipped(name, content) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, content)
    return packed.getvalue()


CHESS_SA = (
    "UNIQUE_NO,SURNAME,FIRSTNAME,BDATE,SEX,TITLE,RATING,FED\r\n"
    "100000001,Mokoena,Naledi,1900/01/01,F,WFM,1500,GAU\r\n"
    "100000002,Cele,Bets,2001/01/01,M,,1200,RSA\r\n"
    "100000003,Dube,Ann,2001/02/03,M,,1200,LVT\r\n"
)


@pytest.mark.parametrize("pack", [str.encode, lambda text: zipped("ratings_main.csv", text)])
def test_the_list_of_chess_sa_gives_regions_and_years(pack):
    """FED is the region, 1900/01/01 stands for an unknown birth, 1 January for the year alone (product.md, Files)."""
    listed = read(pack(CHESS_SA))
    assert listed.findings == ()
    assert listed.lines == (
        RegisterLine(2, "Mokoena", "Naledi", "100000001", sex="F", title="WFM", region="GAU"),
        RegisterLine(3, "Cele", "Bets", "100000002", birth=Birth(2001), sex="M", region="RSA"),
        RegisterLine(4, "Dube", "Ann", "100000003", birth=Birth(2001, date(2001, 2, 3)), sex="M", region="LVT"),
    )


def test_columns_in_any_order_and_language_of_a_spreadsheets_code_page():
    content = "Geslag;Van;Voorname;Geboortedatum;Streek;Klub;Skoene\nm;du Plessis;Jörg;17/05/1990;Gauteng;Oos;44\n"
    listed = read(content.encode("cp1252"))
    (line,) = listed.lines
    assert (line.name, line.birth.day, line.sex) == ("Jörg du Plessis", date(1990, 5, 17), "M")
    assert (line.region, line.club) == ("GAU", "Oos")
    assert dict(listed.columns)["Skoene"] == ""
    assert {"encoding-guessed", "unknown-column"} <= {finding.code for finding in listed.findings}


def test_swiss_managers_list():
    head = "ID_No;Name;Title;Sex;Fed;Clubnumber;ClubName;Birthday;Rtg_Nat;Fide_No;Rtg_Int"
    (line,) = read(f"{head}\n100000007;Dube, Anele;wf;w;RSA;1;Wits;1988;1400;14300002;0\n").lines
    assert (line.name, line.title, line.sex, line.federation) == ("Anele Dube", "WFM", "F", "RSA")
    assert (line.national_id, line.fide_id, line.birth.year, line.club) == ("100000007", 14300002, 1988, "Wits")


def test_a_spreadsheet_with_days_and_whole_numbers_as_its_cells():
    rows = (["Surname", "First name", "Chess SA id", "DOB", "FIDE ID"],)
    (line,) = read(spreadsheet(*rows, ["Nkosi", "Thabo", 100000004, date(1999, 4, 3), 14300004.0])).lines
    assert (line.national_id, line.fide_id, line.birth.day) == ("100000004", 14300004, date(1999, 4, 3))


@pytest.mark.parametrize(
    ("heading", "columns", "error"),
    [
        ("Bond no,Surname", {"Bond no": "national_id"}, []),
        ("Bond no,Surname", {"Bond": "national_id"}, ["missing-column"]),
        ("Chess SA id,Surname,National id", {}, ["repeated-column"]),
        ("Chess SA id,Surname,National id", {"National id": ""}, []),
        ("Chess SA id,Rating", {}, ["missing-column"]),
    ],
)
def test_what_a_heading_does_not_tell_is_chosen(heading, columns, error):
    assert codes(f"{heading}\n100000001,Botha,\n", columns=columns) == error


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", "empty-file"),
        (b"Surname,First name\n", "empty-file"),
        (b"%PDF-1.7", "wrong-format"),
        (b"\xd0\xcf\x11\xe0 an XLS file", "wrong-format"),
        (b"PK\x03\x04 no zip", "unreadable-file"),
        # Their bytes have the present moment, and names of tests are to be alike in every process.
        pytest.param(zipped("a.txt", "x")[:40], "unreadable-file", id="half a zip"),
        pytest.param(zipped("a.xlsx", spreadsheet(["Surname"], ["Dube"])), "wrong-format", id="a zipped spreadsheet"),
        (b"\xff\xfeS\x00\x00\xd8x\x00", "undecodable-text"),
        (b"Surname,Chess SA id\nDube,1.8E+08\n", "spoiled-number"),
        (b"Surname,Chess SA id\nDube,10000000x\n", "bad-id"),
        (b"Surname,Chess SA id\nDube,100000001\nCele,100000001\n", "duplicate-id"),
        (b"Surname,FIDE id\nDube,14300001\nCele,14300001\n", "duplicate-id"),
        (b"Surname,First name,Born\nDube,Ann,1990\nDube,Ann,1990\n", "duplicate-name"),
        (b"Surname,First name\n,Ann\n", "missing-name"),
        (b'Surname,First name\n"Dube,Ann\n', "bad-quotes"),
        (b"Surname,First name\nDube,Ann,1990-05-17\n", "extra-cells"),
        (b"Surname,First name\n=A1,Ann\n", "formula-cell"),
        ("Surname,First name\nDu\u200bbe,Ann\n".encode(), "unreadable-name"),
        ("Name,First name\n\u041c\u043e\u0443\u043e,Jack\n".encode(), "unreadable-name"),
        ("Surname,First name\n\u041c\u043e\u0443\u043e,Jack\n".encode(), "unreadable-name"),
        ('Name,Born\n"\u041c\u043e\u0443\u043e, Jack",1990\n'.encode(), "unreadable-name"),
        (f"Surname,First name\n{'x' * 81},Ann\n".encode(), "unreadable-name"),
        (f"Name,Born\n{'x' * 81},1990\n".encode(), "unreadable-name"),
    ],
)
def test_what_cannot_be_taken_is_an_error(content, error):
    assert error in codes(content)


def test_a_damaged_spreadsheet_is_told():
    assert codes(with_part(spreadsheet(["Surname"], ["Dube"]), SHEET, b'r="A2"', b'r="2A"')) == ["unreadable-file"]


def test_a_spreadsheet_that_is_more_than_a_list_is_refused():
    content = spreadsheet(["Surname"], ["Dube"])
    assert codes(with_part(content, SHEET, b"<sheetData>", b"<sheetData><row a='%s'/>" % (b"a" * 5_000_000))) == [
        "file-too-large"
    ]


def test_a_long_text_that_stands_in_many_cells_is_not_read_in_each():
    """The file has it once, and costs a few kB."""
    rows = "".join(f'<row><c t="s"><v>{int(row > 0)}</v></c></row>' for row in range(2_000))
    content = written(rows, f"<si><t>Surname</t></si><si><t>{'x' * 32_000}</t></si>")
    assert len(content) < 200_000
    assert "file-too-large" in codes(content)
    assert least_seconds(partial(read, content), 2) < 2


@pytest.mark.parametrize("line", ["a," * 5_000_000, "a" * 10_000_000, '"' + "a" * 10_000_000])
def test_a_line_of_megabytes_is_not_read_to_its_end(line):
    """200 MB of it are packed in 200 kB."""
    assert codes(f"Surname,First name\nDube,Mia\n{line}".encode()) == ["file-too-large"]


@pytest.mark.parametrize("head", ["Surname", "Name", "Club,Surname"])
def test_a_name_of_thousands_of_letters_is_not_looked_through(head):
    """5 MB of them, which a spreadsheet holds in a few kB."""
    content = f"{head}\n" + f"{'é ' * 10_000}{',Dube' * head.count(',')}\n" * 250
    assert set(codes(content)) == {"unreadable-name"}
    assert least_seconds(partial(read, content), 2) < 1


@pytest.mark.parametrize(
    ("heading", "column"),
    [
        ("Membership no", "national_id"), ("Membership Number", "national_id"), ("Member ID", "national_id"),
        ("Member-No.", "national_id"), ("Lidnommer", "national_id"), ("Registration number", "national_id"),
        ("Province", "region"), ("Union", "region"), ("STATE", "region"), ("Provinsie", "region"),
    ],
)  # fmt: skip
def test_headings_that_federations_use_are_read_and_it_is_said(heading, column):
    value = {"national_id": "100000001", "region": "Gauteng"}[column]
    listed = read(f"Surname,{heading},FIDE id\nDube,{value},14300001\n")
    assert dict(listed.columns)[heading] == column
    assert getattr(listed.lines[0], column) == {"region": "GAU"}.get(column, value)
    assert [finding.code for finding in listed.findings] == ["likely-column"]


def test_all_columns_that_are_taken_by_likely_headings_are_named():
    (finding,) = read("Surname,Member no,Province\nDube,100000001,GAU\n").findings
    assert "“Member no” is taken as the Chess SA id and “Province” is taken as the region" in finding.message


@pytest.mark.parametrize("columns", [None, {"Region": "region", "Chess SA id": "national_id"}])
def test_a_likely_heading_gives_way_to_the_column_that_says_it(columns):
    content = "Province,Union,Region,Membership no,Chess SA id,Surname\nEast,West,GAU,17,100000001,Dube\n"
    listed = read(content, columns=columns)
    assert (listed.lines[0].region, listed.lines[0].national_id) == ("GAU", "100000001")
    assert [finding.code for finding in listed.findings] == ["unknown-column"]


def test_a_list_without_ids_says_so_and_which_column_may_hold_them():
    (line,) = (listed := read("Surname,Bond no,Membership no,Age,Shoes\nDube,100000001,M-17,,red\n")).lines
    assert line.national_id == ""
    (finding,) = (finding for finding in listed.findings if finding.code == "no-ids")
    assert (finding.severity, finding.line) == (Severity.NOTE, 1)
    assert "If “Bond no” gives it, say so" in finding.message
    assert "no-ids" not in codes("Surname,First name\n,\n")


def test_names_in_capitals_or_small_letters_alone_are_taken_as_they_are_written():
    content = 'Name,FIDE id\n"VAN DER MERWE, JAN",14300001\n"Nkosi, Thabo",14300002\n"cele, zoë",14300003\n'
    listed = read(content)
    assert [(line.last_name, line.first_name, line.written) for line in listed.lines] == [
        ("van der Merwe", "Jan", "VAN DER MERWE, JAN"), ("Nkosi", "Thabo", ""), ("Cele", "Zoë", "cele, zoë"),
    ]  # fmt: skip
    (finding,) = listed.findings
    assert (finding.code, finding.line) == ("name-in-one-case", 2)
    assert "“VAN DER MERWE, JAN”" in finding.message
    assert "and 1 more name" in finding.message


def test_two_of_a_name_are_told_apart_by_birth_or_id():
    content = "Surname,First name,Born,Chess SA id\nDube,Ann,1990,\nDube,Ann,1991,\nDube,Ann,1990,100000001\n"
    assert len(read(content).lines) == 3


def test_an_id_of_thousands_of_figures_is_not_quoted_whole():
    listed = read(f"Surname,FIDE id\nDube,{'0 ' * 30_000}1\n")
    assert listed.errors
    assert max(len(finding.message) for finding in listed.findings) < 500


def test_a_lost_zero_is_said():
    listed = read("Surname,National id,Born\nDube,12345678,1985\n")
    assert listed.lines[0].national_id == "012345678"
    assert {finding.code for finding in listed.findings} == {"id-without-zeros"}


def test_lines_with_errors_are_counted_and_the_others_read():
    content = "Surname,Chess SA id\nDube,1x\n,100000001\nCele,100000002\nNkosi,100000003\nBotha,100000003\n"
    listed = read(content)
    assert [line.last_name for line in listed.lines] == ["Cele", "Nkosi"]
    assert listed.faulty == 3
    assert [finding.line for finding in listed.errors] == [2, 3, 6]


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize("blank", ["", ","])
def test_a_heading_of_too_many_columns_is_no_list_of_players(more, blank):
    heading = ["Surname", *["x"] * (MOST_COLUMNS - 1 + more)]
    for content in (
        ",".join(heading) + blank + "\nDube\n",
        spreadsheet([*heading, *blank[:1].split(",")[1:]], ["Dube"]),
    ):
        listed = read(content)
        assert [finding.code for finding in listed.errors] == ["too-many-columns"] * more
        assert len(listed.lines) == 1 - more


@pytest.mark.parametrize("wrong", ["Dube,1x", "Cele,100000002"])
@pytest.mark.parametrize("more", [0, 1])
def test_a_list_is_read_no_further_than_the_last_error_that_is_counted(wrong, more):
    faulty = MOST_ERRORS - 1 + more
    listed = read("Surname,Chess SA id\n" + "Cele,100000002\n" + f"{wrong}\n" * faulty + "Nkosi,100000003\n")
    assert [line.last_name for line in listed.lines] == ["Cele", "Nkosi"][: 2 - more]
    stopped = [finding for finding in listed.errors if finding.code == "too-many-faulty-lines"]
    assert [finding.line for finding in stopped] == [MOST_ERRORS + 2] * more


@pytest.mark.parametrize("more", [0, 1])
def test_a_list_is_split_no_further_than_the_last_line_whose_quotes_do_not_close(more):
    rows = '"Dube\n' * (MOST_ERRORS - 1 + more)
    listed = read(f"Surname\n{rows}Nkosi\n")
    assert listed.lines == ()
    stopped = [finding for finding in listed.errors if finding.code == "too-many-faulty-lines"]
    assert [finding.line for finding in stopped] == [MOST_ERRORS + 1] * more


@pytest.mark.parametrize("sign", [".", "–", "?", "-"])
@pytest.mark.parametrize("heading", ["Surname,First name", "Name"])
def test_a_sign_in_the_place_of_a_first_name_is_none(heading, sign):
    name = f"Sukarno,{sign}" if "," in heading else f'"Sukarno, {sign}"'
    listed = read(f"{heading}\n{name}\n")
    assert [(line.last_name, line.first_name) for line in listed.lines] == [("Sukarno", "")]
    assert not listed.errors


@pytest.mark.parametrize("first", ["\u202e", "\u200b\u202e12", "\x07", "\U000e0041", "12", "=1+1"])
def test_a_first_name_without_a_letter_that_is_no_sign_is_an_error(first):
    listed = read(f"Surname,First name\nBotha,{first}\nDube,Ann\n")
    assert [(finding.code, finding.line) for finding in listed.errors] == [("unreadable-name", 2)]


@pytest.mark.parametrize("name", ["İ" * 80, "ß" * 80, "ŉ" + "a" * 79])
def test_a_name_in_one_case_is_not_longer_than_it_was_when_it_is_taken(name):
    [line] = read(f"Surname,First name\n{name},ANNA\n").lines
    assert len(line.last_name) == 80


@pytest.mark.parametrize("more", [0, 1])
def test_no_more_players_are_read_than_a_list_may_have(more):
    rows = "".join(f"Dube,{number:09}\n" for number in range(1, MOST_PLAYERS + more + 1))
    listed = read(f"Surname,Chess SA id\n{rows}")
    assert len(listed.lines) == MOST_PLAYERS
    assert [(finding.code, finding.line) for finding in listed.errors] == [("too-many-lines", MOST_PLAYERS + 2)] * more


@pytest.mark.parametrize(
    ("dates", "lines"),
    [
        (("1990-05-17", "05/06/1999"), [3]),  # ISO dates tell nothing of the others
        (("05/06/1999", "04/04/1991", "1990"), [2]),
        (("03/04/1991", "05/17/1990", "17/05/1990"), [4]),
        (("05/17/1990", "17/05/1990", "04/04/1991"), [3]),
        (("17/05/1990", "03/04/1991", "5/17/1990", "6/7/1991"), [4, 5]),
        (("1990/05/17", "1990/17/05"), [3]),
        (("05/17/1990", "03/04/1991"), []),
        (("17/05/1990", "03/04/1991"), []),
        (("03/04/1991", "17.05.1990"), []),
    ],
)
@pytest.mark.parametrize("pack", [str.encode, lambda text: zipped("list.csv", text), None])
def test_a_date_that_can_be_two_days_is_an_error_unless_another_tells_the_order(dates, lines, pack):
    rows = [("Surname", "Born"), *((f"Dube{place}", text) for place, text in enumerate(dates))]
    listed = read(pack("\n".join(map(",".join, rows))) if pack else spreadsheet(*rows))
    assert [finding.line for finding in listed.errors] == lines
    assert len(listed.lines) == len(dates) - len(lines) == len(dates) - listed.faulty


@pytest.mark.parametrize(("other", "day"), [("17/05/1990", date(1999, 6, 5)), ("05/17/1990", date(1999, 5, 6))])
@pytest.mark.parametrize("behind", [0, 30_000])
def test_the_order_that_another_date_tells_is_taken_and_said(other, day, behind):
    """However far behind in the list that date is."""
    between = "Cele,1990-01-02\n" * behind
    listed = read(f"Surname,Born\nDube,05/06/1999\n{between}Nkosi,{other}\nBotha,05/06/1999\n".encode())
    assert {line.birth.day for line in listed.lines if line.last_name in ("Dube", "Botha")} == {day}
    (said,) = [finding for finding in listed.findings if finding.code == "date-order"]
    order = "day" if other == "17/05/1990" else "month"
    assert said.as_line.startswith(
        f"Line 2, column “Born”: Dates such as “05/06/1999” are read with the {order} first, here {day}, since line"
        f" {behind + 3} has “{other}”."
    )


def test_a_date_that_nothing_tells_names_its_place_both_readings_and_the_mend():
    (error,) = read("Surname,Born\nDube,05/06/1999\nCele,1990-05-17\n").errors
    assert error.as_line == (
        "Line 2, column “Born”: “05/06/1999” can be 1999-06-05 (day first) or 1999-05-06 (month first), and no other date of"
        " the list tells which: write the one that is meant."
    )


def test_a_place_is_its_line_and_the_heading_of_its_column():
    rows = ["Surname", "First name", "Chess SA id"], ["Dube", "Ann", "1x"]
    for content in (spreadsheet(*rows), "\n".join(map(",".join, rows)), "\n".join(map(";".join, rows))):
        (error,) = read(content).errors
        assert error.as_line.startswith(
            "Line 2, column “Chess SA id”: “1x” is no id: 9 figures (Chess SA) or a FIDE number"
        )


def test_a_date_that_a_spreadsheet_has_spoiled_is_an_error():
    listed = read("Surname,Born\nDube,31245\nCele,#####\n")
    assert [(row.line, row.column, row.code) for row in listed.errors] == [
        (2, 2, "spoiled-date"),
        (3, 2, "spoiled-date"),
    ]
    assert "perhaps 1985-07-17. Format the column" in listed.errors[0].message
    assert "too narrow a column. Widen" in listed.errors[1].message


def test_an_id_twice_names_both_lines_and_the_column():
    listed = read(
        "Surname,Bond id,FIDE id\nDube,100000001,14300001\nCele,100000001,14300001\n", columns={"Bond id": "id"}
    )
    assert [row.as_line.partition(". ")[0] for row in listed.errors] == [
        "Line 3, column “Bond id”: The Chess SA id 100000001 stands on line 2, too",
        "Line 3, column “FIDE id”: The FIDE id 14300001 stands on line 2, too",
    ]


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_a_long_list_in_any_code_is_read_a_block_at_a_time(code):
    content = "Surname,First name,Born\n" + "".join(f"Müller{number},Zoë,1990\n" for number in range(30_000))
    listed = read(content.encode(code))
    assert (len(listed.lines), listed.lines[-1].name) == (30_000, "Zoë Müller29999")


def test_an_unknown_region_is_said_and_left_out():
    listed = read("Surname,Region,FIDE id\nDube,XYZ,14300001\n")
    assert [finding.code for finding in listed.findings] == ["unknown-region"]
    assert listed.lines[0].region == ""


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: f"Surname,Born\n{text}".encode()))
def test_no_content_breaks_the_reader(content):
    read(content)


def test_a_heading_with_a_nul_is_shown_with_a_sign():
    """Columns are kept in JSON, which takes no NUL in PostgreSQL: the list was "a fault of this software"."""
    reader = RegisterReader(io.BytesIO(b"Surname,First names,Born,x\0y\nNel,Ann,1990,z\n"), regions={})
    assert [line.last_name for line in reader] == ["Nel"]
    assert reader.columns[-1] == ("x\u2400y", "")
