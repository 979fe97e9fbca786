"""Every code of finding has a file that gives it, at the line and column where it is wrong, with its severity."""

import pytest
from django.utils.translation import override

from events.files.codes import Code
from events.files.reader import read, unreadable
from events.rules.findings import Severity
from events.rules.limits import (
    LONGEST_TEXT,
    MAX_BYTES,
    MAX_CELLS,
    MAX_LINES,
    MOST_CELLS,
    MOST_DEPUTIES,
    MOST_RECORDS,
    MOST_TIE_BREAKS,
    MOST_TIME_CONTROLS,
)
from events.submission.finding_words import finding_said
from tests.events.files.builders import (
    CSV_DETAILS,
    HEADER,
    PAIRING_BYE,
    game,
    header_with,
    header_without,
    player,
    table,
    trf,
    tunx,
    tunx_player,
    two,
)
from tests.events.files.swissperfect import packed, sp_files, sp_player, swissperfect

FIRST = len(HEADER) + 1  # line of the first player under a full header
OTHER = player(2, "   1 b 0", name="Cele, Dumisani", sex="m", identifier=14300002, rank=2)


def one(line: str) -> bytes:
    """A file with this line for player 1, who beats player 2."""
    return trf(line, OTHER)


def winner(**fields: object) -> bytes:
    """A file whose first player has these fields."""
    return one(player(1, "   2 w 1", points=fields.pop("points", "1.0"), **fields))  # type: ignore[arg-type]


ROW = len(CSV_DETAILS) + 2  # line of the first game of a table under full details


CASES: dict[Code, tuple[bytes, int | None, int | None]] = {
    Code.EMPTY_FILE: (b"\r\n \0", None, None),
    Code.FILE_TOO_LARGE: (b"x" * (MAX_BYTES + 1), None, None),
    Code.WRONG_FORMAT: (b"PK\x03\x04 and so on", None, None),
    Code.TRUNCATED_FILE: (trf(player(1)) + b"001    2 m    Cele, Dumis", FIRST + 1, 25),
    Code.DAMAGED_FILE: (tunx([(1, 2, 1)])[:-40], None, None),
    Code.UNDECODABLE_TEXT: (b"\xef\xbb\xbf" + two() + b"### \xff\n", None, None),
    Code.ENCODING_GUESSED: (winner(name="Müller, Änne").decode().encode("cp1252"), None, None),
    Code.UNUSUAL_ENCODING: (two().decode().encode("utf-16-le"), None, None),
    Code.DRAFT_FORMAT: (b"### TRF 2025 sample\n" + two(), None, None),
    Code.MISSING_FILE: (packed({"open.ini": b""}), None, None),
    Code.FILES_OF_TWO: (packed({**sp_files(), "junior.trn": b""}), None, None),
    Code.UNUSED_FILE: (packed({**sp_files(), "readme.txt": b""}), None, None),
    Code.EMPTY_RECORD: (swissperfect([(1, 0, 0, 0, 0, 0)]), None, None),
    Code.OTHER_NUMBERS: (swissperfect([], [sp_player(1, START_NO="")]), None, None),
    Code.BONUS: (swissperfect([], [sp_player(1, BONUS="0.5")]), None, None),
    Code.TOO_MANY_LINES: (b"001\n" * (MAX_LINES + 1), MAX_LINES + 1, None),
    Code.NUL_CHARACTER: (two().replace(b"022 T", b"022 \0"), 2, 5),
    Code.CONTROL_CHARACTER: (two().replace(b"022 T", b"022 \x10"), 2, 5),
    Code.TAB_IN_COLUMNS: (one(player(1, "   2 w 1").replace(" RSA ", "\tRSA ")), FIRST, 53),
    Code.TAB: (two().replace(b"022 T", b"022\tT"), 2, 4),
    Code.UNKNOWN_LINE: (b"DDD SSSS sTTT\n" + two(), 1, 1),
    Code.MISTYPED_PLAYER_LINE: (trf(player(1), "1" + player(2)[1:]), FIRST + 1, 1),
    Code.INDENTED_RECORD: (b"   " + two(), 1, 1),
    Code.REPEATED_RECORD: (two() + b"012 Mopane Closed\n", FIRST + 2, 1),
    Code.MISSING_RECORD: (trf(player(1), header=header_without("102")), None, None),
    Code.UNREADABLE_VALUE: (two() + b"142 nine\n", FIRST + 2, 5),
    Code.DATE_FORMAT: (trf(player(1), header=header_with("042 7.3.2026")), 1, 5),
    Code.UNREADABLE_DATE: (trf(player(1), header=header_with("042 2026/13/32")), 1, 5),
    Code.DATES_REVERSED: (trf(player(1), header=header_with("052 2026/03/01")), 5, None),
    Code.ROUND_OUTSIDE_DATES: (trf(player(1), header=header_with("052 2026/03/07")), 10, None),
    Code.TIME_CONTROL_UNREAD: (trf(player(1), header=header_with("122 as usual")), 1, 5),
    Code.TIME_CONTROLS_DIFFER: (two() + b"222 3600+30\n", FIRST + 2, 5),
    Code.UNKNOWN_TYPE_CODE: (two() + b"192 MY_OWN_SWISS\n", FIRST + 2, 5),
    Code.DEPUTY_LIST: (two() + b"112 Ann Bezuidenhout, Carl Dlamini\n", FIRST + 2, 5),
    Code.NO_PLAYERS: (trf(), None, None),
    Code.TOO_MANY_PLAYERS: (trf(*("001    1" for _ in range(10_000))), FIRST + 9999, None),
    Code.BAD_START_NUMBER: (one(player("x")), FIRST, 5),
    Code.DUPLICATE_START_NUMBER: (trf(player(1), player(1)), FIRST + 1, 5),
    Code.START_NUMBER_GAP: (trf(player(1), player(3)), None, None),
    Code.PLAYER_COUNT_DIFFERS: (trf(player(1)), 6, 5),
    Code.MISALIGNED_LINE: (one(player(1, "   2 w 1").replace("Adendorff", "Adendorffs")), FIRST, 53),
    Code.BYTE_COLUMNS: (one(player(1, "   2 w 1", name="Müller, Änne").replace("Änne  ", "Änne")), FIRST, 15),
    Code.NAME_BEYOND_COLUMNS: (one(player(1, "   2 w 1").replace(" Adendorff, Bets", "Adendorff, Bets ")), FIRST, 14),
    Code.STRAY_TEXT: (one(player(1, "   2 w 1") + " #"), FIRST, 96),
    Code.MISSING_NAME: (winner(name="", identifier=""), FIRST, 15),
    Code.TOO_MANY_RECORDS: (trf(*["122 90+30"] * (MOST_RECORDS + 1)), len(HEADER) + MOST_RECORDS, 1),
    Code.LONG_LIST: (trf(*["112 Grace Tenza"] * (MOST_DEPUTIES + 1)), None, None),
    Code.LONG_TEXT: (trf(header=header_with("102 " + "T" * (LONGEST_TEXT + 1))), None, None),
    Code.LONG_NAME: (tunx([(1, 2, 1)], [tunx_player({0: "S" * length}) for length in (121, 120)]), None, None),
    Code.NAME_WITHOUT_COMMA: (winner(name="Bets Adendorff"), FIRST, 15),
    Code.SEX_SPELLING: (winner(sex="F"), FIRST, 10),
    Code.OLD_TITLE: (winner(title="m"), FIRST, 11),
    Code.UNKNOWN_TITLE: (winner(title="AGM"), FIRST, 11),
    Code.UNREADABLE_RATING: (winner(rating="18x0"), FIRST, 49),
    Code.UNKNOWN_FEDERATION: (winner(federation="ZQX"), FIRST, 54),
    Code.NATIONAL_ID_IN_FIDE_COLUMN: (winner(identifier=99_999), FIRST, 58),
    Code.REPEATED_ID: (winner(identifier=14300002), FIRST + 1, None),
    Code.UNKNOWN_BIRTH_DATE: (winner(born="1900.00.00"), FIRST, 70),
    Code.BIRTH_DATE_FORMAT: (winner(born="1990-05-17"), FIRST, 70),
    Code.UNREADABLE_BIRTH_DATE: (winner(born="17 May 90"), FIRST, 70),
    Code.POINTS_SPELLING: (winner(points="1,0"), FIRST, 81),
    Code.UNREADABLE_POINTS: (winner(points="one"), FIRST, 81),
    Code.POINTS_DIFFER: (winner(points="2.0"), FIRST, 81),
    Code.MISSING_RANK: (winner(rank=0), FIRST, 86),
    Code.NATIONAL_LINE_WITHOUT_PLAYER: (two() + b"RSA    3\n", FIRST + 2, 5),
    Code.REPEATED_NATIONAL_LINE: (two() + b"RSA    1\nZIM    1\n", FIRST + 3, 1),
    Code.TEAM_MEMBER_NOT_IN_FILE: (two() + b"013 Baobabs" + b" " * 25 + b"   1    7\n", FIRST + 2, 45),
    Code.TOO_MANY_ROUNDS: (one(player(1, *["0000 - Z"] * 143)), FIRST, 1512),
    Code.TOO_MANY_CELLS: (
        trf(*(player(number, *["0000 - Z"] * 100) for number in range(1, MAX_CELLS // 100 + 2))),
        FIRST + MAX_CELLS // 100,
        None,
    ),
    Code.MORE_ROUNDS_THAN_PLANNED: (two("   2 w 1  0000 - Z") + b"142 1\n", FIRST + 2, None),
    Code.BAD_OPPONENT: (two("  2x w 1"), FIRST, 92),
    Code.OPPONENT_NOT_IN_FILE: (two("   9 w 1"), FIRST, 92),
    Code.SELF_PAIRING: (two("   1 w 1"), FIRST, 92),
    Code.ONE_SIDED_PAIRING: (two("   2 w 1", ""), FIRST, 92),
    Code.CONTRADICTORY_PAIRING: (
        trf(player(1, "   2 w 1"), player(2, "   3 w 1"), player(3, "   2 b 0")),
        FIRST,
        92,
    ),
    Code.SAME_COLOURS: (two("   2 w 1", "   1 w 0"), FIRST, 97),
    Code.UNKNOWN_COLOUR: (two("   2 s 1"), FIRST, 97),
    Code.COLOUR_INFERRED: (two("   2 - 1"), FIRST, 97),
    Code.UNKNOWN_RESULT: (two("   2 w ?"), FIRST, 99),
    Code.RESULT_SPELLING: (two("   2 w ½", "   1 b ="), FIRST, 99),
    Code.ILLEGAL_RESULT_PAIR: (two("   2 w 1", "   1 b 1"), FIRST, 99),
    Code.PENALTY_RESULT: (two("   2 w 0"), FIRST, 99),
    Code.UNFINISHED_GAME: (two("   2 w  ", "   1 b  "), FIRST, 99),
    Code.UNKNOWN_RESULT_CODE: (tunx([(1, 2, 15)]), None, None),
    Code.BYE_WITH_OPPONENT: (two("   2 w H"), FIRST, 99),
    Code.RESULT_WITHOUT_OPPONENT: (two("0000 - 1", "0000 - Z"), FIRST, 99),
    Code.PLANNED_ABSENCE: (tunx([(1, 2, 1), (3, 4, 1), (3, 0xFFFE, 0)]), None, None),
    Code.LEGACY_BYE: (two("0000 - =", "0000 - Z"), FIRST, 99),
    Code.SECOND_PAIRING_BYE: (two("0000 - U", "0000 - U"), FIRST + 1, 99),
    Code.MISSING_COLUMN: (b"round;white;black\n1;Cele, A;Botha, B\n", 1, None),
    Code.REPEATED_COLUMN: (
        table(game() + ",1-0", heading="round,white_id,white,black_id,black,result,Res."),
        ROW - 1,
        44,
    ),
    Code.UNKNOWN_COLUMN: (table(game() + ",7", heading="round,white_id,white,black_id,black,result,Pts"), ROW - 1, 44),
    Code.BAD_QUOTES: (table('1,180000001,"Cele, Ann,180000002,Botha,1-0'), ROW, 13),
    Code.EXTRA_CELLS: (table("1,180000001,Cele, Ann,180000002,Botha,1-0"), ROW, 39),
    Code.TOO_MANY_COLUMNS: (table(game() + ",x" * MOST_CELLS), ROW, None),
    Code.LONG_CELL: (table(game(white=f"180000001,{'C' * 121}")), ROW, 13),
    Code.FORMULA_CELL: (table(game(white="=A2,Cele")), ROW, 3),
    Code.SPOILED_NUMBER: (table(game(white="1.80012345E8,Cele")), ROW, 3),
    Code.BAD_ID: (table(game(white="12345,Cele")), ROW, 3),
    Code.ID_SPELLING: (table(game(white="180 000 001,Cele")), ROW, 3),
    Code.ID_WITHOUT_ZEROS: (
        table("1,80000001,180000002,1-0", heading="round,white_csa_id,black_csa_id,result"),
        ROW,
        3,
    ),
    Code.ID_TAKEN_AS_FIDE: (table(game(white="14300001,Cele")), ROW, 3),
    Code.ID_WITH_TWO_NAMES: (table(game(), game(2, white='180000001,"Cele, Bob"')), ROW + 1, 13),
    Code.NAME_OF_TWO: (
        table(game(), '1,180000003,"Cele, Ann",180000004,Botha,1-0', '2,,"Cele, Ann",180000004,Botha,1-0'),
        ROW + 2,
        4,
    ),
    Code.NAME_OF_TWO_IDS: (table(game(), '1,180000003,"Cele, Ann",180000004,Botha,1-0'), ROW + 1, 13),
    Code.NAME_LEFT_OUT: (table(game(white="180000001,")), ROW, 3),
    Code.DETAILS_DIFFER: (
        table("1,Cele,F,Botha,1-0", "2,Cele,M,Botha,1-0", heading="round,white,white_sex,black,result"),
        ROW + 1,
        3,
    ),
    Code.BAD_ROUND: (table(game("one")), ROW, 1),
    Code.ROUND_LEFT_OUT: (table(game(1), game(3)), ROW + 1, None),
    Code.ROUND_DATES_DIFFER: (
        table("1,2026-03-07,Cele,Botha,1-0", "1,2026-03-08,Steyn,Nel,1-0", heading="round,date,white,black,result"),
        ROW + 1,
        3,
    ),
    Code.PAIRED_TWICE: (table(game(), '1,180000003,Steyn,180000001,"Cele, Ann",='), ROW + 1, 1),
}


@pytest.mark.parametrize("code", CASES)
def test_each_code_is_found_at_its_place(code: Code) -> None:
    content, line, column = CASES[code]
    found = [finding for finding in read(content).findings if finding.code == code]
    assert found
    assert (found[0].line, found[0].column) == (line, column)
    assert found[0].severity is code.severity
    assert found[0].message.endswith((".", "…"))
    with override("af"):
        assert finding_said(found[0].message) != found[0].message


def test_texts_are_read_up_to_their_limits() -> None:
    longest = read(trf(*["112 Grace Tenza"] * MOST_DEPUTIES, header=header_with("102 " + "T" * LONGEST_TEXT)))
    assert (len(longest.chief_arbiter), len(longest.deputy_arbiters)) == (LONGEST_TEXT, MOST_DEPUTIES)
    assert not {Code.LONG_TEXT, Code.LONG_LIST} & {finding.code for finding in longest.findings}
    records = [*(f"122 {base}+30" for base in range(2, 99)), "212 " + ",".join(f"TB{place}" for place in range(99))]
    many = read(trf(*records))
    assert (len(many.time_controls), len(many.tie_breaks)) == (MOST_TIME_CONTROLS, MOST_TIE_BREAKS)
    cut = read(trf(*["112 " + "G" * 9999] * (MOST_DEPUTIES + 1), header=header_with("102 " + "T" * 9999)))
    assert (cut.chief_arbiter, cut.deputy_arbiters) == ("T" * LONGEST_TEXT, ("G" * LONGEST_TEXT,) * MOST_DEPUTIES)


def test_a_file_that_cannot_be_opened_is_a_finding() -> None:
    (finding,) = unreadable("Permission denied").findings
    assert (finding.code, finding.severity) == ("unreadable-file", Severity.ERROR)
    assert "Permission denied" in finding.message


# of lists of players alone: test_register_list.py
OF_LISTS = {
    Code.DATE_ORDER, Code.DAY_OR_MONTH_FIRST, Code.DUPLICATE_ID, Code.DUPLICATE_NAME, Code.LIKELY_COLUMN,
    Code.NAME_IN_ONE_CASE, Code.NO_IDS, Code.SPOILED_DATE, Code.TOO_MANY_FAULTY_LINES,
    Code.UNKNOWN_REGION, Code.UNREADABLE_NAME,
}  # fmt: skip


def test_no_code_is_without_a_file() -> None:
    assert set(Code) - set(CASES) == {Code.UNREADABLE_FILE} | OF_LISTS


def test_clean_files_have_no_findings() -> None:
    assert read(table(game(), game(2, "½-½"))).findings == ()
    assert read(two()).findings == ()
    assert read(tunx([(1, 2, 1), (3, 4, 2)])).findings == ()


def test_byes_of_swiss_manager_have_no_findings() -> None:
    assert read(tunx([(1, 2, 1), (3, PAIRING_BYE, 9)], players=3)).findings == ()


@pytest.mark.parametrize("left_alone", [b"\t", b"\x1a"])
def test_a_tab_and_the_end_of_a_dos_file_are_no_damage(left_alone: bytes) -> None:
    codes = {finding.code for finding in read(two() + b"### " + left_alone + b"\n" + left_alone).findings}
    assert "control-character" not in codes


def test_a_name_in_the_code_page_of_dos_is_right_once_that_is_chosen() -> None:
    content = winner(name="Müller, Änne").decode().encode("cp850")
    assert "control-character" in {finding.code for finding in read(content).errors}
    chosen = read(content, fallback_encoding="cp850")
    assert (chosen.entrants[0].name, chosen.errors) == ("Müller, Änne", ())
