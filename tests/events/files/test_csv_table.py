"""A table of results (CSV) as a whole: its headings, separators and details, and that no table is too much for it."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.files.csv.table import column_name
from events.files.csv.template import TEMPLATE_COLUMNS, write_template
from events.files.reader import read
from events.rules.findings import Severity
from events.rules.game_result import BYES, Result
from events.rules.limits import MAX_LINES, MAX_ROWS, MOST_COLUMNS
from events.rules.tournament import TimeControl
from tests.events.files.builders import CSV_DETAILS, codes, game, games, message, table
from tests.events.files.test_reader import check

ROW = len(CSV_DETAILS) + 2  # line of the first game


def test_everything_a_table_can_say() -> None:
    content = (
        "Event,Mopane Open\nPlace,Thohoyandou\nFed,RSA\nStart,2026-03-07\nEnd,2026-03-08\n"
        'Arbiter,"Tenza, Grace"\nDeputies,Ann Nel; Ben Ras\nTime control,90+30\nRounds,2\nType,Swiss\n\n'
        "Rd.,Date,White No,White ID,White,White Fide ID,White DOB,White Sex,White Rtg,White Title,White Fed,White Region,"
        "White Club,Black ID,Black,Result,Colour known,Board\n"
        '1,2026-03-07,1,180000001,"Öz, Ali",14300001,1990-05-17,m,1850,FM,RSA,GAU,Baobabs,180000002,"Cele, Ann",1-0,yes,1\n'
        '2,2026-03-08,,180000002,"Cele, Ann",,2004,F,0,,,,,180000001,,0-1,no,1\n'
    )
    tournament = read(content.encode())
    assert tournament.findings == ()
    assert (tournament.format, tournament.encoding, tournament.name) == ("CSV", "utf-8", "Mopane Open")
    assert (tournament.city, tournament.federation, tournament.kind) == ("Thohoyandou", "RSA", "Swiss")
    assert (tournament.starts, tournament.ends) == (date(2026, 3, 7), date(2026, 3, 8))
    assert tournament.round_dates == (date(2026, 3, 7), date(2026, 3, 8))
    assert (tournament.chief_arbiter, tournament.deputy_arbiters) == ("Tenza, Grace", ("Ann Nel", "Ben Ras"))
    assert (tournament.time_control, tournament.planned_rounds, tournament.rounds) == (TimeControl(90, 30), 2, 2)
    first, second = tournament.entrants
    assert (first.number, first.name, first.last_name, first.first_name) == (1, "Öz, Ali", "Öz", "Ali")
    assert (first.national_id, first.fide_id, first.birth_date, first.sex) == (
        "180000001", "14300001", date(1990, 5, 17), "M",
    )  # fmt: skip
    assert (first.rating, first.title, first.federation, first.region, first.club) == (
        1850, "FM", "RSA", "GAU", "Baobabs",
    )  # fmt: skip
    assert (second.number, second.birth_year, second.birth_date, second.rating) == (2, 2004, None, None)
    # Without colours the lower start number stands as White.
    assert [(p.white, p.black, p.result, p.colour_known) for p in tournament.pairings] == [
        (1, 2, Result.WHITE_WINS, True),
        (1, 2, Result.WHITE_WINS, False),
    ]


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("round", "round"), ("Rd", "round"), ("RONDE", "round"), ("Round No.", "round"),
        ("Result", "result"), ("Res.", "result"), ("Uitslag", "result"),
        ("Date", "date"), ("colour_known", "colour_known"), ("Colour known", "colour_known"), ("Board", "board"),
        ("white_id", "white_id"), ("White ID", "white_id"), ("WhiteId", "white_id"), ("ID White", "white_id"),
        ("White", "white_name"), ("White name", "white_name"), ("White Player", "white_name"), ("w", "white_name"),
        ("black surname", "black_last_name"), ("Black First Name", "black_first_name"),
        ("white_born", "white_born"), ("White birth date", "white_born"), ("Black DoB", "black_born"),
        ("white_fide_id", "white_fide_id"), ("Black FIDE No.", "black_fide_id"),
        ("white csa id", "white_national_id"), ("Black Chess SA ID", "black_national_id"),
        ("White Rtg", "white_rating"), ("Black Elo", "black_rating"), ("White No.", "white_number"),
        ("Pts", ""), ("", ""), ("Name", ""), ("White horse", ""), ("bid", "black_id"), ("x" * 5000, ""),
    ],
)  # fmt: skip
def test_headings(heading: str, name: str) -> None:
    assert column_name(heading) == name


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_separators_line_ends_and_encodings_do_not_matter(separator: str, end: str, encoding: str) -> None:
    lines = ["1,180000001,Öz Ali,180000002,Cele Ann,½-½", "2,180000002,Cele Ann,180000001,Öz Ali,1-0"]
    content = table(*lines, end=end, separator=separator).decode().encode(encoding)
    tournament = read(content)
    assert tournament.errors == ()
    assert games(tournament) == [
        (1, "Öz Ali", "Cele Ann", Result.DRAW),
        (2, "Cele Ann", "Öz Ali", Result.WHITE_WINS),
    ]
    assert [pairing.line for pairing in tournament.pairings] == [ROW, ROW + 1]
    assert tournament.sample_names == (("Öz Ali",) if encoding == "cp1252" else ())


def test_the_code_page_is_the_senders() -> None:
    content = table('1,180000001,"Żak, Ola",180000002,"Cele, Ann",1-0').decode().encode("cp1250")
    assert read(content, fallback_encoding="cp1250").entrants[0].name == "Żak, Ola"


@pytest.mark.parametrize("end", ["", "\n"])
def test_blank_lines_trailing_cells_and_the_last_line_break_do_not_matter(end: str) -> None:
    content = (
        b"sep=;\n\n;;;;\nround;white;black;result;;;\n\n1;Cele, A;Botha, B;1-0;;;\n;;;\n \n2;Botha, B;Cele, A;0-1"
        + end.encode()
    )
    tournament = read(content)
    assert tournament.errors == ()
    assert [pairing.line for pairing in tournament.pairings] == [6, 9]
    assert codes(tournament, Severity.NOTE) == ["missing-record"]


@pytest.mark.parametrize("blank", [0, 7, 300])
def test_as_many_blank_columns_as_a_spreadsheet_adds_do_not_matter(blank: int) -> None:
    heading, *rows = ["round,white,black,result", '1,"Cele, A","Botha, B",1-0', '2,"Botha, B","Cele, A",½']
    tournament = read("\n".join(line + "," * blank for line in [heading, *(row + "," * 300 for row in rows)]).encode())
    assert tournament.errors == ()
    assert games(tournament) == [(1, "Cele, A", "Botha, B", Result.WHITE_WINS), (2, "Botha, B", "Cele, A", Result.DRAW)]


@pytest.mark.parametrize("more", [0, 1])
def test_a_heading_of_more_columns_than_are_read_is_refused(more: int) -> None:
    further = "".join(f",x{number}" for number in range(MOST_COLUMNS - 4 + more))
    tournament = read(f"round,white,black,result{further}\n1,Cele A,Botha B,1-0\n".encode())
    assert codes(tournament) == ["too-many-columns"] * more
    assert len(tournament.entrants) == (0 if more else 2)


def test_missing_columns_are_each_named() -> None:
    tournament = read(b"round;white_rating\n1;1500\n")
    assert codes(tournament) == ["missing-column"] * 3
    assert [finding.message.split(".")[0] for finding in tournament.errors] == [
        "The heading has no column white_id or white",
        "The heading has no column black_id or black",
        "The heading has no column result",
    ]


def test_a_heading_alone_has_no_player() -> None:
    assert codes(read(table())) == ["no-players"]


@pytest.mark.parametrize(
    "lines", [["white,black", "Cele,Botha"], ["round,result", "1,1-0"], ["a,b,c", "1,2,3"], ["result"]]
)
def test_what_has_no_heading_of_results_is_another_format(lines: list[str]) -> None:
    tournament = read("\n".join(lines).encode())
    assert codes(tournament) == ["wrong-format"]
    assert "round, white_id or white, black_id or black, and result" in tournament.errors[0].message


def test_the_heading_repeated_in_the_middle_is_said() -> None:
    tournament = read(table(game(), "round,white_id,white,black_id,black,result", game(2)))
    assert (tournament.errors, tournament.rounds, codes(tournament, Severity.NOTE)) == ((), 2, ["unknown-line"])


def test_lines_before_the_heading_that_say_nothing_known_are_said() -> None:
    tournament = read(b"Mopane Open\nname,Another\nname,Third\n" + table(game()).split(b"\n", 1)[1])
    assert "Found 2 times" in message(tournament, "unknown-line")
    assert tournament.name == "Another"


@pytest.mark.parametrize(
    ("detail", "code"),
    [
        ("starts,7 March 2026", "date-format"),
        ("starts,32.13.2026", "unreadable-date"),
        ("ends,2026-03-01", "dates-reversed"),
        ("time_control,as usual", "time-control-unread"),
        ("federation,South Africa", "unknown-federation"),
        ("rounds,nine", "unreadable-value"),
        ("rounds,0", "unreadable-value"),
        ("rounds,٣", "unreadable-value"),
        ("city,", "missing-record"),
    ],
)
def test_details_of_the_tournament_never_block(detail: str, code: str) -> None:
    key = detail.split(",")[0]
    others = [line for line in CSV_DETAILS if not line.startswith(f"{key},")]
    tournament = read(
        "\n".join([detail, *others, "round,white,black,result", '1,"Cele, A","Botha, B",1-0', ""]).encode()
    )
    assert (tournament.errors, codes(tournament, Severity.NOTE)) == ((), [code])
    assert tournament.findings[0].line in (1, 5, None)


def test_more_rounds_than_planned_is_an_error() -> None:
    tournament = read(b"rounds,1\n" + table(game(), game(2)))
    assert [(error.code, error.line) for error in tournament.errors] == [("more-rounds-than-planned", 1)]


def test_a_round_on_two_days_is_said_and_the_first_stands() -> None:
    lines = ['1,2026-03-08,"Cele, A","Botha, B",1-0', '1,2026-03-07,"Steyn, C","Nel, D",1-0']
    tournament = read(table(*lines, heading="round,date,white,black,result"))
    assert tournament.round_dates == (date(2026, 3, 8),)
    assert "2026-03-07 here and of 2026-03-08 on an earlier line" in message(tournament, "round-dates-differ")


def test_lines_are_limited() -> None:
    start = b"round,white,black,result\n1,Cele,Botha,1-0\n"
    assert read(start + b"\n" * (MAX_ROWS - 1)).errors == ()
    (error,) = read(start + b"\n" * MAX_ROWS).errors
    assert (error.code, error.line) == ("too-many-lines", MAX_ROWS + 2)
    assert codes(read(start + b"\n" * MAX_LINES)) == ["too-many-lines"]


@pytest.mark.parametrize("separator", [",", ";"])
def test_the_template_reads_without_an_error(separator: str) -> None:
    template = write_template(separator)
    assert template.count("\r\n") == template.count("\n") == 11
    tournament = read(template.encode("utf-8-sig"))
    assert (codes(tournament), codes(tournament, Severity.HOLD)) == ([], [])
    assert codes(tournament, Severity.NOTE) == ["missing-record"]
    assert [pairing.result for pairing in tournament.pairings] == [Result.WHITE_WINS, Result.PAIRING_BYE]
    assert tournament.round_dates == (date(2024, 3, 2), date(2024, 3, 3))
    assert all(column_name(column) == column for column in TEMPLATE_COLUMNS)


def test_the_example_of_the_documentation_reads_clean() -> None:
    text = (Path(__file__).parents[3] / "docs" / "results-csv.md").read_text(encoding="utf-8")
    tournament = read(text.split("```csv\n")[1].split("```")[0].encode())
    assert (tournament.findings, tournament.played_games, tournament.bye_slots) == ((), 1, 1)


cells = st.sampled_from(
    [
        "",
        "1",
        "2",
        "0",
        "Cele, A",
        "Botha",
        "180000001",
        "180000002",
        "14300001",
        "1-0",
        "=",
        "½",
        "+--",
        "bye",
        "*",
        "=A1",
        "1E8",
    ]
) | st.text("0123456789-+=½,;\"'\t abÖ#@\0/.:", max_size=12)


@given(st.lists(st.lists(cells, max_size=8), max_size=12), st.sampled_from([",", ";", "\t"]))
def test_no_table_raises(rows: list[list[str]], separator: str) -> None:
    heading = separator.join(["round", "white_id", "white", "white_no", "black", "black_id", "result", "colour_known"])
    tournament = read("\n".join([heading, *(separator.join(row) for row in rows)]).encode())
    check(tournament)
    assert len({(p.round, n) for p in tournament.pairings for n in (p.white, p.black) if n}) == sum(
        1 if p.black is None else 2 for p in tournament.pairings
    )
    assert all((p.black is None) == (p.result in BYES) for p in tournament.pairings)


players = st.integers(1, 6)
RESULTS_OF_TWO = [result for result in Result if result not in BYES]


@given(st.lists(st.tuples(st.integers(1, 4), players, players, st.sampled_from(RESULTS_OF_TWO)), max_size=20))
def test_what_is_written_is_what_is_read(rows: list[tuple[int, int, int, Result]]) -> None:
    taken: set[tuple[int, int]] = set()
    lines, expected = [], set()
    for number, white, black, result in rows:
        if white != black and taken.isdisjoint({(number, white), (number, black)}):
            taken |= {(number, white), (number, black)}
            lines.append(
                f'{number},18000000{white},"P, {"ABCDEFG"[white]}",18000000{black},"P, {"ABCDEFG"[black]}",{result.value}'
            )
            expected.add((number, f"18000000{white}", f"18000000{black}", result))
    tournament = read(table(*lines))
    ids = {one.number: one.national_id for one in tournament.entrants}
    assert {(p.round, ids[p.white], ids[p.black or 0], p.result) for p in tournament.pairings} == expected
