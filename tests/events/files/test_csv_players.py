"""Who is who in a table of results (CSV): ids, names, start numbers, and what is said of the players."""

import pytest

from events.files.reader import read
from events.rules.findings import Severity
from events.rules.game_result import Result
from tests.events.files.builders import codes, games, message, table


@pytest.mark.parametrize(
    ("column", "text", "national", "fide", "notes"),
    [
        ("id", "180000001", "180000001", "", []),
        ("id", "012345678", "012345678", "", []),
        ("id", "180 000 001", "180000001", "", ["id-spelling"]),
        ("id", "180000001.0", "180000001", "", ["id-spelling"]),
        ("id", "'180000001", "180000001", "", ["id-spelling"]),
        ("id", '"=""180000001"""', "180000001", "", []),
        ("id", "14300001", "", "14300001", ["id-taken-as-fide"]),
        ("id", "100000", "", "100000", ["id-taken-as-fide"]),
        ("id", "3434980001", "", "3434980001", ["id-taken-as-fide"]),
        ("id", "0", "", "", []),
        ("id", "-", "", "", []),
        ("csa_id", "180000001", "180000001", "", []),
        ("csa_id", "80000001", "080000001", "", ["id-without-zeros"]),
        ("csa_id", "7", "000000007", "", ["id-without-zeros"]),
        ("fide_id", "14300001", "", "14300001", []),
        ("fide_id", "014300001", "", "14300001", []),
        ("fide_id", "343498000", "", "343498000", []),
    ],
)
def test_ids(column: str, text: str, national: str, fide: str, notes: list[str]) -> None:
    tournament = read(table(f'1,{text},"Cele, Ann","Botha, B",1-0', heading=f"round,white_{column},white,black,result"))
    assert tournament.errors == ()
    assert (tournament.entrants[0].national_id, tournament.entrants[0].fide_id) == (national, fide)
    assert codes(tournament, Severity.NOTE) == notes


@pytest.mark.parametrize(
    ("column", "text", "code"),
    [
        ("csa_id", "1234567890", "bad-id"),
        ("csa_id", "RSA12345", "bad-id"),
        ("fide_id", "99999", "bad-id"),
        ("fide_id", "34349800012", "bad-id"),
        ("id", "18000000x", "bad-id"),
        ("id", "1" * 10_000, "bad-id"),
        ("number", "0x1", "bad-start-number"),
        ("number", "10000", "bad-start-number"),
        ("number", "-1", "bad-start-number"),
    ],
)
def test_ids_that_are_none(column: str, text: str, code: str) -> None:
    tournament = read(table(f'1,{text},"Cele, Ann","Botha, B",1-0', heading=f"round,white_{column},white,black,result"))
    assert codes(tournament) == [code]
    assert tournament.errors[0].column == 3


@pytest.mark.parametrize(
    ("column", "text", "note"),
    [
        ("born", "1990-05-17", None), ("born", "1990", None), ("born", "17/05/1990", "birth-date-format"),
        ("born", "soon", "unreadable-birth-date"), ("born", "2999-01-01", "unreadable-birth-date"),
        ("born", "1900-01-01", "unknown-birth-date"),
        ("sex", "F", None), ("sex", "w", None), ("sex", "Male", None), ("sex", "x", "sex-spelling"),
        ("rating", "1850", None), ("rating", '"1850,0"', None), ("rating", "", None),
        ("rating", "1850.5", "unreadable-rating"), ("rating", "18500", "unreadable-rating"),
        ("rating", "-1", "unreadable-rating"),
        ("title", "wgm", None), ("title", "AGM", "unknown-title"),
        ("federation", "rsa", None), ("federation", "South Africa", "unknown-federation"),
        ("born", "x" * 10_000, "unreadable-birth-date"), ("club", "x" * 10_000, None),
    ],
)  # fmt: skip
def test_details_of_players_never_block(column: str, text: str, note: str | None) -> None:
    tournament = read(table(f'1,"Cele, Ann",{text},"Botha, B",1-0', heading=f"round,white,white_{column},black,result"))
    assert (codes(tournament), codes(tournament, Severity.HOLD)) == ([], [])
    assert codes(tournament, Severity.NOTE) == ([note] if note else [])


def test_a_player_is_one_by_id_whatever_else_a_line_leaves_out() -> None:
    tournament = read(
        table(
            "1,180000001,,180000002,,1-0",
            '2,180000002,"Öz, Ali",180000001,"Cele, Ann",=',
            '3,,"Cele, Ann",,Ali Öz,0-1',
        )
    )
    assert tournament.findings == ()
    assert [(one.number, one.name, one.national_id) for one in tournament.entrants] == [
        (1, "Cele, Ann", "180000001"),
        (2, "Öz, Ali", "180000002"),
    ]
    assert tournament.played_games == 3


def test_ids_alone_are_enough_and_held() -> None:
    tournament = read(table("1,180000001,180000002,1-0", heading="round,white_id,black_id,result"))
    assert tournament.errors == ()
    assert codes(tournament, Severity.HOLD) == ["name-left-out"]
    assert "2 of the 2 players" in message(tournament, "name-left-out")
    assert [(one.name, one.called) for one in tournament.entrants] == [("", "180000001"), ("", "180000002")]


def test_start_numbers_name_players_too() -> None:
    tournament = read(
        table('1,7,"Cele, Ann",3,"Botha, B",1-0', "2,3,,7,,=", heading="round,white_no,white,black_no,black,result")
    )
    assert tournament.errors == ()
    assert games(tournament)[1] == (2, "Botha, B", "Cele, Ann", Result.DRAW)
    assert [one.number for one in tournament.entrants] == [3, 7]
    assert codes(tournament, Severity.NOTE) == ["start-number-gap"]


def test_two_of_one_name_are_told_apart_by_start_number() -> None:
    tournament = read(
        table('1,1,"Botha, Jan",2,"Botha, Jan",1-0', heading="round,white_no,white,black_no,black,result")
    )
    assert tournament.errors == ()
    assert games(tournament) == [(1, "Botha, Jan", "Botha, Jan", Result.WHITE_WINS)]


def test_two_of_one_name_born_apart_are_two() -> None:
    heading = "round,white_id,white,white_born,black_id,black,black_born,result"
    lines = '1,180000001,"Botha, Jan",1990,180000002,"Botha, Jan",{},1-0'
    assert codes(read(table(lines.format(2010), heading=heading)), Severity.HOLD) == []
    assert codes(read(table(lines.format(1990), heading=heading)), Severity.HOLD) == ["name-of-two-ids"]


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [("1", "2", "bad-start-number"), ("1", "1", None)],
)
def test_a_player_has_one_start_number(first: str, second: str, code: str | None) -> None:
    heading = "round,white_no,white_id,white,black,result"
    lines = [f'{number},{no},180000001,"Cele, Ann","Botha, B",1-0' for number, no in ((1, first), (2, second))]
    assert codes(read(table(*lines, heading=heading))) == ([code] if code else [])


def test_a_start_number_has_one_player() -> None:
    heading = "round,white_no,white_id,white,black,result"
    tournament = read(
        table('1,1,180000001,"Cele, A","Botha, B",1-0', '2,1,180000002,"Steyn, C","Botha, B",1-0', heading=heading)
    )
    assert codes(tournament) == ["duplicate-start-number"]
    assert len({one.number for one in tournament.entrants}) == 3


@pytest.mark.parametrize(
    ("lines", "held"),
    [
        (
            [
                '1,180000001,"Cele, Ann",F,180000002,"Botha, B",1-0',
                '2,180000001,"Cele, Ann",F,180000002,"Botha, B",1-0',
            ],
            False,
        ),
        (
            ['1,180000001,"Cele, Ann",F,180000002,"Botha, B",1-0', '2,180000001,"Cele, Ann",,180000002,"Botha, B",1-0'],
            False,
        ),
        (
            [
                '1,180000001,"Cele, Ann",F,180000002,"Botha, B",1-0',
                '2,180000001,"Cele, Ann",M,180000002,"Botha, B",1-0',
            ],
            True,
        ),
    ],
)
def test_lines_that_disagree_about_a_player_are_held(lines: list[str], held: bool) -> None:
    tournament = read(table(*lines, heading="round,white_id,white,white_sex,black_id,black,result"))
    assert codes(tournament, Severity.HOLD) == (["details-differ"] if held else [])
    assert tournament.entrants[0].sex == "F"
