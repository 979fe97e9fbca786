"""Results, byes and rounds of a table of results (CSV), as people write them and as spreadsheets spoil them."""

import pytest

from events.files.reader import read
from events.rules.findings import Severity
from events.rules.game_result import Result
from events.rules.limits import MAX_ROUNDS
from tests.events.files.builders import CSV_DETAILS, codes, game, games, table

ROW = len(CSV_DETAILS) + 2  # line of the first game
BYE_HEADING = "round,white,black,result"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1-0", "1-0"), ("1 - 0", "1-0"), ("1:0", "1-0"), ("1–0", "1-0"), ("1.0-0.0", "1-0"), ("1,0 : 0,0", "1-0"),
        ("0-1", "0-1"), ("0:1", "0-1"), ("'0-1", "0-1"), ('=""1-0""', "1-0"),
        ("½-½", "1/2-1/2"), ("1/2-1/2", "1/2-1/2"), ("0.5-0.5", "1/2-1/2"), ("0,5-0,5", "1/2-1/2"), (".5-.5", "1/2-1/2"),
        ("=", "1/2-1/2"), ("= - =", "1/2-1/2"), ("½", "1/2-1/2"), ("1/2", "1/2-1/2"), ("0.5", "1/2-1/2"), ("Draw", "1/2-1/2"),
        ("+--", "+--"), ("+ - -", "+--"), ("+:-", "+--"), ("+-", "+--"), ("1-0f", "+--"), ("1-0 F", "+--"),
        ("1-0 (forfeit)", "+--"), ("1F-0F", "+--"), ("--+", "--+"),
        ("-:+", "--+"), ("- - +", "--+"), ("0-1f", "--+"), ("'--+", "--+"),
        ("---", "---"), ("-:-", "---"), ("0-0f", "---"), ("'-:-", "---"),
        ("0-0", "0-0"), ("½-0", "1/2-0"), ("0-0.5", "0-1/2"),
        ("1-0u", "1-0u"), ("0-1u", "0-1u"), ("1/2u", "1/2u"),
        ("1", "1-0"), ("0", "0-1"), ("+", "+--"),
    ],
)  # fmt: skip
def test_results_of_two(text: str, result: str) -> None:
    tournament = read(table(f'1,"Cele, A","Botha, B","{text}"', heading=BYE_HEADING))
    assert tournament.errors == ()
    assert [pairing.result for pairing in tournament.pairings] == [Result(result)]
    assert ("penalty-result" in codes(tournament, Severity.HOLD)) is (result in ("0-0", "1/2-0", "0-1/2"))
    assert ("result-spelling" in codes(tournament, Severity.NOTE)) is (text in ("1", "0", "+"))


@pytest.mark.parametrize("text", ["", "*", "adjourned", '=""""'])
def test_a_game_without_a_result_is_held(text: str) -> None:
    tournament = read(table(f'1,"Cele, A","Botha, B","{text}"', heading=BYE_HEADING))
    assert (codes(tournament), codes(tournament, Severity.HOLD)) == ([], ["unfinished-game"])
    assert [pairing.result for pairing in tournament.pairings] == [None]


@pytest.mark.parametrize(
    ("white", "black", "text", "result"),
    [
        ("Cele", "", "bye", Result.PAIRING_BYE), ("Cele", "", "PAB", Result.PAIRING_BYE), ("Cele", "", "U", Result.PAIRING_BYE),
        ("Cele", "BYE", "", Result.PAIRING_BYE), ("Cele", "bye", "1-0", Result.PAIRING_BYE),
        ("Cele", "Bye", "1", Result.PAIRING_BYE),         ("Cele", "spielfrei", "+--", Result.PAIRING_BYE),
        ("bye", "Cele", "0-1", Result.PAIRING_BYE),
        ("", "Cele", "bye", Result.PAIRING_BYE),
        ("Cele", "", "bye-half", Result.HALF_BYE), ("Cele", "", "H", Result.HALF_BYE), ("Cele", "bye", "½", Result.HALF_BYE),
        ("Cele", "", "bye-full", Result.FULL_BYE), ("Cele", "", "F", Result.FULL_BYE),
        ("Cele", "", "bye-zero", Result.ZERO_BYE), ("Cele", "", "z", Result.ZERO_BYE), ("Cele", "bye", "0", Result.ZERO_BYE),
        ("Cele", "", "0-1", Result.ZERO_BYE), ("Cele", "-", "0", Result.ZERO_BYE), ("", "Cele", "1-0", Result.ZERO_BYE),
    ],
)  # fmt: skip
def test_byes(white: str, black: str, text: str, result: Result) -> None:
    tournament = read(table(f"1,{white},{black},{text}", heading=BYE_HEADING))
    assert (codes(tournament), codes(tournament, Severity.HOLD)) == ([], [])
    (pairing,) = tournament.pairings
    assert (pairing.black, pairing.result) == (None, result)
    assert tournament.bye_slots == 1


@pytest.mark.parametrize(
    ("white", "black", "text", "result"),
    [
        ("Cele", "", "1-0", Result.FULL_BYE), ("Cele", "", "½", Result.HALF_BYE), ("", "Cele", "0-1", Result.FULL_BYE),
        ("Cele", "bye", "½-0", Result.ZERO_BYE), ("Cele", "", "1-0u", Result.ZERO_BYE),
    ],
)  # fmt: skip
def test_a_score_from_nobody_is_held(white: str, black: str, text: str, result: Result) -> None:
    tournament = read(table(f"1,{white},{black},{text}", heading=BYE_HEADING))
    assert (codes(tournament), codes(tournament, Severity.HOLD)) == ([], ["result-without-opponent"])
    assert [pairing.result for pairing in tournament.pairings] == [result]


@pytest.mark.parametrize(
    ("line", "code", "column", "words"),
    [
        ("1,Cele,Botha,win", "unknown-result", 14, "1-0, 0-1 or 1/2-1/2"),
        ("1,Cele,Botha,02-Jan", "unknown-result", 14, "made a date of it"),
        ("1,Cele,Botha,2026/01/02", "unknown-result", 14, "made a date of it"),
        ("1,Cele,Botha,44928", "unknown-result", 14, "made a date of it"),
        ("1,Cele,Botha," + "1" * 10_000, "unknown-result", 14, "…"),
        ("1,Cele,Botha,1-1", "illegal-result-pair", 14, "do not go together"),
        ("1,Cele,Botha,2-0", "illegal-result-pair", 14, "do not go together"),
        ("1,Cele,Botha,1/2-1", "illegal-result-pair", 14, "do not go together"),
        ("1,Cele,Botha,#N/A", "formula-cell", 14, "formula or error"),
        ("1,Cele,Botha,bye", "bye-with-opponent", 14, "leave Black blank"),
        ("1,Cele,,", "unknown-result", 9, "one player and no result"),
        ("1,,,1-0", "missing-name", 3, "neither White nor Black"),
        ("1,Cele,Cele,1-0", "self-pairing", 1, "same player"),
        ("1,Cele,CELÉ,1-0", "self-pairing", 1, "same player"),
        (",Cele,Botha,1-0", "bad-round", 1, "number of the round"),
        ("0,Cele,Botha,1-0", "bad-round", 1, "from 1 on"),
        ("-1,Cele,Botha,1-0", "bad-round", 1, "from 1 on"),
        ("1.5,Cele,Botha,1-0", "bad-round", 1, "from 1 on"),
        ("٣,Cele,Botha,1-0", "bad-round", 1, "from 1 on"),
        ("=A1+1,Cele,Botha,1-0", "formula-cell", 1, "formula or error"),
        ("9999,Cele,Botha,1-0", "too-many-rounds", 1, "142 rounds"),
        ("143,Cele,Botha,1-0", "too-many-rounds", 1, "142 rounds"),
        ("1,=VLOOKUP(A2),Botha,1-0", "formula-cell", 3, "value itself"),
        ("1,@SUM,Botha,1-0", "formula-cell", 3, "value itself"),
        ("1,#REF!,Botha,1-0", "formula-cell", 3, "value itself"),
        ("1,7,Botha,1-0", "missing-name", 3, "Start number 7 has neither id nor name"),
        ("1,1.80012345E8,Botha,1-0", "spoiled-number", 3, "turned an id into"),
        ('1,"1,80012E+08",Botha,1-0', "spoiled-number", 3, "turned an id into"),
        ("1,12345,Botha,1-0", "bad-id", 3, "drops zeros"),
        ("1,12345678901,Botha,1-0", "bad-id", 3, "11 figures"),
        ("1,١٨٠٠١٢٣٤٥,Botha,1-0", "bad-id", 3, "is no id"),
        ('1,"Cele,Botha,1-0', "bad-quotes", 3, "do not close"),
        ('1,"Ce"le,Botha,1-0', "bad-quotes", 3, "do not close"),
        ("1,Cele, Ann,Botha,1-0", "extra-cells", 19, "in quotation marks"),
        ("1,Ce\0le,Botha,1-0", "nul-character", 5, "Export it again"),
        ("1," + "x" * 200_000 + ",Botha,1-0", "bad-quotes", None, "longer than"),
    ],
)  # fmt: skip
def test_a_spoiled_line_is_one_error_at_its_place(line: str, code: str, column: int | None, words: str) -> None:
    tournament = read(table(line, '2,"Steyn, C","Nel, D",1-0', heading=BYE_HEADING))
    (error,) = tournament.errors
    assert (error.code, error.line, error.column) == (code, ROW, column)
    assert words in error.message
    assert len(error.message) < 400
    assert (2, "Steyn, C", "Nel, D", Result.WHITE_WINS) in games(tournament)


@pytest.mark.parametrize("number", [1, MAX_ROUNDS])
def test_the_first_and_the_last_round_there_can_be(number: int) -> None:
    tournament = read(table(game(number)))
    assert tournament.errors == ()
    assert tournament.rounds == number


@pytest.mark.parametrize(
    ("text", "number"), [("2", 2), ("2.0", 2), ("2,0", 2), ("R2", 2), ("Round 2", 2), ("Rd. 2", 2), ("02", 2)]
)
def test_rounds_as_they_are_written(text: str, number: int) -> None:
    assert [pairing.round for pairing in read(table(game(f'"{text}"'))).pairings] == [number]


@pytest.mark.parametrize(
    ("last", "cut"),
    [
        ("2,Botha,Cele,1-0", False),
        ("2,Botha,Cele,1", True),
        ("2,Botha,Cele,0", True),
        ("2,Botha,Cele", True),
        ("2,Bot", True),
        ("2", True),
        ("2,Botha,Cele,1-0\n", False),
        ("2,Botha,Cele,1\n", False),
    ],
)
def test_a_last_line_cut_off_is_an_error(last: str, cut: bool) -> None:
    tournament = read(b"round,white,black,result\n1,Cele,Botha,1-0\n" + last.encode())
    assert ("truncated-file" in codes(tournament)) is cut


def test_lone_results_throughout_are_not_cut_off() -> None:
    assert read(b"round,white,black,result\n1,Cele,Botha,1\n2,Cele,Botha,0").errors == ()


def test_reports_stay_short() -> None:
    tournament = read(table(*("1,Cele,Botha,won" for _ in range(300)), heading=BYE_HEADING))
    assert len(tournament.findings) < 30
    assert "280 more" in tournament.errors[-1].message


def test_the_blank_cells_of_all_columns_of_a_spreadsheet_are_passed_over():
    blanks = "," * 16_380
    content = f"name,Mopane Open{blanks}\nround,white,black,result{',' * 2_100}\n1,A,B,1-0{blanks}\n".encode()
    tournament = read(content)
    assert (tournament.name, len(tournament.pairings)) == ("Mopane Open", 1)
    assert "too-many-columns" not in {finding.code for finding in tournament.findings}
