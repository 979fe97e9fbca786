"""The form for results abroad as CSV: what it says is read line by line, and what is wrong is named with its line."""

from datetime import date
from pathlib import Path

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from events.abroad.team.words import FORM_FINDINGS, said
from events.files.abroad_csv.reader import MOST_FORM_BYTES, read_abroad_csv
from events.files.abroad_csv.results import FormCode, points_of
from events.rules.abroad import GameAbroad
from events.rules.findings import Severity
from events.rules.game_result import Result

HEAD = 'Event,"Swakopmund Open, 2024"\nStart,2024-03-02\nEnd,2024-03-06\nRounds,{rounds}\nWebsite,https://example.org/s\n\n'
PLAYER = "Player,180000001,Mokoena,Naledi\n"
WON = "1,1,W,Varga,Tomas,2104,FM,HUN\n"
EXAMPLE = Path(__file__).parents[3] / "static/examples/results-abroad.csv"


def form(*rounds: str, total: object = "", player: str = PLAYER, most: int = 0, head: str = HEAD) -> bytes:
    """The form with one player, whose first round is on line 8; the total is that of the rounds 1 and =."""
    lines = [row if row.endswith("\n") else f"{row}\n" for row in rounds or (WON,)]
    points = total if total != "" else sum({"1": 1.0, "=": 0.5}.get(row.split(",")[1], 0) for row in lines)
    return (head.format(rounds=most or len(lines)) + player + "".join(lines) + f"Total,{points}\n").encode()


def found(content: bytes) -> list[tuple[str, int | None]]:
    return [(finding.code, finding.line) for finding in read_abroad_csv(content).findings]


def test_the_form_is_read():
    results = read_abroad_csv(form(WON, "2,=,b,Duarte,Ilse,,,POR", "3,0,-", "4,+,W,Ito,Ken,2000", total="2.5"))
    assert results.findings == ()
    assert (results.event, results.rounds, results.website) == ("Swakopmund Open, 2024", 4, "https://example.org/s")
    assert (results.starts, results.ends) == (date(2024, 3, 2), date(2024, 3, 6))
    (naledi,) = results.players
    assert (naledi.line, naledi.number, naledi.name, naledi.total) == (7, "180000001", "Mokoena, Naledi", 2.5)
    assert naledi.games == (
        GameAbroad(1, True, Result.WHITE_WINS, "Varga, Tomas", "HUN", fide_rating=2104),
        GameAbroad(2, False, Result.DRAW, "Duarte, Ilse", "POR"),
        GameAbroad(3, True, Result.ZERO_BYE),
        GameAbroad(4, True, Result.FORFEIT_WHITE_WINS, "Ito, Ken", fide_rating=2000),
    )


@pytest.mark.parametrize(
    ("line", "result", "points"),
    [
        ("1,1,B,Varga,Tomas", Result.BLACK_WINS, 1),
        ("1,0,B,Varga,Tomas", Result.WHITE_WINS, 0),
        ("1,0,White,Varga,Tomas", Result.BLACK_WINS, 0),
        ("1,0.5,W,Varga,Tomas", Result.DRAW, 0.5),
        ("1,½,black,Varga,Tomas", Result.DRAW, 0.5),
        ("1,'=,W,Varga,Tomas", Result.DRAW, 0.5),
        ("1,+,B,Varga,Tomas", Result.FORFEIT_BLACK_WINS, 1),
        ("1,-,W,Varga,Tomas", Result.FORFEIT_BLACK_WINS, 0),
        ("1,1,-", Result.PAIRING_BYE, 1),
        ("1,=,", Result.HALF_BYE, 0.5),
        ("1,0,-,,,,,", Result.ZERO_BYE, 0),
    ],
)
def test_results_are_from_the_players_side(line, result, points):
    results = read_abroad_csv(form(line, total=points))
    assert results.findings == ()
    (game,) = results.players[0].games
    assert (game.result, points_of(game)) == (result, points)


@pytest.mark.parametrize(
    "content",
    [
        form().replace(b"\n", b",,,,\r\n"),
        form().upper().replace(b"HTTPS://EXAMPLE.ORG/S", b"https://example.org/s"),
        b"\xef\xbb\xbf" + form(),
        form().replace(b",", b";").replace(b"Open; 2024", b"Open, 2024").replace(b"1.0", b"1,0"),
        b"sep=;\n" + form().replace(b",", b";").replace(b"Open; 2024", b"Open, 2024"),
        form().replace(b",", b"\t").replace(b"Open\t 2024", b"Open, 2024"),
    ],
)
def test_spreadsheets_write_it_in_their_own_ways(content):
    results = read_abroad_csv(content)
    assert results.findings == ()
    assert results.event.title() == "Swakopmund Open, 2024"
    assert results.players[0].name.title() == "Mokoena, Naledi"
    assert results.players[0].games[0].fide_rating == 2104


def test_letters_are_decoded_and_a_guess_is_said():
    swakop = form().decode().replace("Varga,Tomas", "Östberg,Renée")
    for content, notes in ((swakop.encode(), []), (swakop.encode("latin-1"), [("encoding-guessed", None)])):
        assert read_abroad_csv(content).players[0].games[0].opponent == "Östberg, Renée"
        assert found(content) == notes


def test_the_example_of_the_page_is_read_without_a_finding():
    results = read_abroad_csv(EXAMPLE.read_bytes())
    assert (results.findings, [len(player.games) for player in results.players]) == ((), [5, 5])


ROUNDS = [f"{number},0,-" for number in range(1, 22)]
CASES = {
    FormCode.FILE_TOO_LARGE: (form() + b"\n" * MOST_FORM_BYTES, None),
    FormCode.WRONG_FORMAT: (b"PK and so on\n", None),
    FormCode.DAMAGED_FILE: (b"\xef\xbb\xbf\xff", None),
    FormCode.ENCODING_GUESSED: (form().replace(b"Varga", b"V\xe4rga"), None),
    FormCode.BAD_QUOTES: (form('1,1,W,"Varga,Tomas,2104', total=1), 8),
    FormCode.EXTRA_CELLS: (form("1,1,W,Varga,Tomas,2104,FM,HUN,RSA"), 8),
    FormCode.UNKNOWN_LINE: (form("Round 1,1,W,Varga,Tomas"), 8),
    FormCode.HEADING_TWICE: (b"Event,Another\n" + form(), 2),
    FormCode.BAD_DATE: (form().replace(b"2024-03-06", b"2024-03-32"), 3),
    FormCode.DATE_FORMAT: (form().replace(b"2024-03-02", b"2nd March 2024"), 2),
    FormCode.DATES_REVERSED: (form().replace(b"2024-03-06", b"2024-03-01"), 3),
    FormCode.BAD_ROUNDS: (form().replace(b"Rounds,1", b"Rounds,one"), 4),
    FormCode.NO_PLAYERS: (HEAD.format(rounds=1).encode(), None),
    FormCode.TOO_MANY_PLAYERS: (
        HEAD.format(rounds=1).encode() + b"".join(b"Player,%d,Mokoena,Naledi\n" % number for number in range(11)),
        17,
    ),
    FormCode.TOO_MANY_ROUNDS: (form(*ROUNDS), 4),
    FormCode.PLAYER_TWICE: (form() + PLAYER.encode() + WON.encode(), 10),
    FormCode.MISSING_NAME: (form(player="Player,180000001,,\n"), 7),
    FormCode.LONG_NAME: (form(f"1,1,W,{'V' * 114},Tomas"), 8),
    FormCode.NO_ROUNDS: (HEAD.format(rounds=1).encode() + PLAYER.encode(), 7),
    FormCode.ROUND_BEFORE_PLAYER: (form(player=WON), 7),
    FormCode.ROUND_TWICE: (form(WON, WON), 9),
    FormCode.ROUND_AFTER_LAST: (form(WON, "2,0,-", most=1), 9),
    FormCode.ROUNDS_MISSING: (form(WON, "3,0,-", most=3), 7),
    FormCode.UNKNOWN_RESULT: (form("1,2,W,Varga,Tomas"), 8),
    FormCode.UNKNOWN_COLOUR: (form("1,1,R,Varga,Tomas"), 8),
    FormCode.MISSING_OPPONENT: (form("1,1,W,,,2104"), 8),
    FormCode.BYE_WITH_OPPONENT: (form("1,1,-,,,2104"), 8),
    FormCode.BAD_RATING: (form("1,1,W,Varga,Tomas,999"), 8),
    FormCode.UNKNOWN_TITLE: (form("1,1,W,Varga,Tomas,2104,HUN"), 8),
    FormCode.UNKNOWN_FEDERATION: (form("1,1,W,Varga,Tomas,2104,,HUX"), 8),
    FormCode.BAD_TOTAL: (form(total="one"), 9),
    FormCode.TOTAL_DIFFERS: (form(total="0.5"), 9),
    FormCode.TOTAL_MISSING: (form().replace(b"Total,1.0\n", b""), 7),
}


@pytest.mark.parametrize("code", FormCode)
def test_each_kind_of_finding_is_at_its_line_and_in_the_readers_language(code):
    content, line = CASES[code]
    finding = next(finding for finding in read_abroad_csv(content).findings if finding.code == code)
    assert (finding.line, finding.severity) == (line, code.severity)
    assert FORM_FINDINGS.knows(finding.message)
    with override("af"):
        assert said(finding).removeprefix(f"Reël {line}: ") != finding.message


def test_no_more_than_the_form_takes():
    players = b"".join(b"Player,%d,Mokoena,Naledi\n1,0,-\nTotal,0\n" % number for number in range(10))
    assert len(read_abroad_csv(HEAD.format(rounds=1).encode() + players).players) == 10
    assert found(HEAD.format(rounds=1).encode() + players) == []
    assert read_abroad_csv(CASES[FormCode.TOO_MANY_PLAYERS][0]).players == ()
    assert found(form(*ROUNDS[:20])) == []
    assert ("too-many-rounds", 28) in found(form(*ROUNDS, most=20))
    assert read_abroad_csv(form() + b"\n" * (MOST_FORM_BYTES - len(form()))).findings == ()
    assert found(form("1,1,W,Varga,Tomas,1000")) == found(form("1,1,W,Varga,Tomas,3000")) == []
    assert found(form(f"1,1,W,{'V' * 113},Tomas")) == []  # with ", Tomas" 120 characters
    assert found(form("1,1,W,Varga,Tomas,3001")) == [("bad-rating", 8)]


def test_the_rounds_below_a_player_who_cannot_be_read_are_not_those_of_the_one_before():
    for line in (b"Player,2,Botha,Anri,van Zyl\n", b"Player,2,,\n"):
        results = read_abroad_csv(form() + line + b"1,0,-\nTotal,0\n")
        assert results.players[0].games == read_abroad_csv(form()).players[0].games
        assert [finding.line for finding in results.findings] == [10]


def test_what_is_wrong_in_a_line_leaves_the_rest_read():
    results = read_abroad_csv(form("1,2,W,Varga,Tomas", "2,=,B,Duarte,Ilse,1955,,POX", total="1.5"))
    assert [game.round for game in results.players[0].games] == [2]
    assert [finding.code for finding in results.findings] == ["unknown-result", "unknown-federation"]


PARTS = st.sampled_from(
    ["1", "0", "=", "+", "-", "W", "B", "", "Varga", "2104", "HUN", '"', "Total", "Player", "Rounds", "²", "١"]
)


@given(st.lists(st.lists(PARTS, max_size=10).map(",".join), max_size=30).map("\n".join), st.binary(max_size=20))
def test_whatever_the_lines_nothing_is_raised_and_every_finding_says_something(text, more):
    results = read_abroad_csv(HEAD.format(rounds=3).encode() + text.encode() + more)
    for finding in results.findings:
        assert finding.message.endswith((".", "?"))
        assert finding.severity in (Severity.ERROR, Severity.NOTE)
    for player in results.players:
        assert len({game.round for game in player.games}) == len(player.games)
