"""SwissPerfect's exports: a zip of settings, players and results."""

import time
import zipfile
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.files.codes import Code
from events.files.reader import read, refusal
from events.files.swissperfect.loose import packed as packed_files
from events.rules.findings import Severity
from events.rules.game_result import Result
from events.rules.limits import MAX_BYTES, MAX_ROWS
from events.rules.tournament import Entrant, Pairing, Tournament
from tests.events.files.builders import tunx, tunx_player, two
from tests.events.files.swissperfect import GAME, PLAYER, Row, dbase, packed, sp_files, sp_game, sp_player, swissperfect

NOT_SAID = "missing-record"  # the program knows neither place nor days: a note in every file


def found(tournament: Tournament) -> list[str]:
    """The codes of the findings but that on every file."""
    return [finding.code for finding in tournament.findings if finding.code != NOT_SAID]


def said(tournament: Tournament, code: str) -> str:
    """The message of the only finding of a code."""
    (finding,) = [finding for finding in tournament.findings if finding.code == code]
    return finding.message


def test_findings_are_short_however_long_the_names_of_files_and_ids_are() -> None:
    files = {"n" * 60_000 + name[-4:]: content for name, content in sp_files([(1, 1, 2, 0, 0, 9)] * 9).items()}
    same = [tunx_player({0: name, 5: "9" * 60_000}) for name in ("Cele", "Nel")]
    for content in (packed(files), tunx([(1, 2, 1)], same)):
        findings = read(content).findings
        assert findings
        assert max(len(finding.message) for finding in findings) < 400


@pytest.mark.parametrize(
    ("scores", "kind", "result", "code"),
    [
        ((2, 0), 1, Result.WHITE_WINS, ""),
        ((0, 2), 1, Result.BLACK_WINS, ""),
        ((1, 1), 1, Result.DRAW, ""),
        ((0, 0), 1, Result.BOTH_LOSE, "penalty-result"),
        ((1, 0), 1, Result.WHITE_HALF, "penalty-result"),
        ((0, 1), 1, Result.BLACK_HALF, "penalty-result"),
        ((2, 0), 34, Result.FORFEIT_WHITE_WINS, ""),
        ((0, 2), 34, Result.FORFEIT_BLACK_WINS, ""),
        ((0, 0), 34, Result.FORFEIT_BOTH_LOSE, ""),
        ((0, 0), 0, None, "unfinished-game"),
        ((2, 0), 0, None, "unknown-result-code"),
        ((2, 0), 5, None, "unknown-result-code"),
        ((2, 0), 35, None, "unknown-result-code"),
        ((2, 2), 1, None, "illegal-result-pair"),
        ((2, 1), 1, None, "illegal-result-pair"),
        ((1, 1), 34, None, "illegal-result-pair"),
        ((7, 0), 1, None, "illegal-result-pair"),
    ],
)
def test_games(scores: tuple[int, int], kind: int, result: Result | None, code: str) -> None:
    tournament = read(swissperfect([(1, 2, 1, *scores, kind)]))
    assert tournament.pairings == (Pairing(1, 2, 1, result),)
    assert found(tournament) == ([code] if code else [])
    assert tournament.played_games == (kind == 1 and code != "illegal-result-pair")
    assert tournament.forfeit_slots == (kind == 34 and not code)
    if code:
        assert said(tournament, code).startswith("open.sco, record 1: ")


def test_types_that_differ_are_asked_about() -> None:
    tournament = read(swissperfect([{**sp_game((1, 1, 2, 2, 0, 1)), "B_TYPE": 34}]))
    assert tournament.pairings == (Pairing(1, 1, 2, None),)
    assert "types 1 and 34" in said(tournament, "unknown-result-code")


@pytest.mark.parametrize(
    ("row", "result", "code"),
    [
        ((1, 2, 0, 2, 0, 1), Result.PAIRING_BYE, ""),
        ((1, 0, 2, 0, 2, 1), Result.PAIRING_BYE, ""),
        ((1, 2, 0, 1, 0, 1), Result.HALF_BYE, ""),
        ((1, 0, 2, 2, 0, 1), Result.ZERO_BYE, ""),
        ((1, 2, 0, 2, 0, 35), Result.FULL_BYE, "legacy-bye"),
        ((1, 0, 2, 0, 1, 35), Result.HALF_BYE, ""),
        ((1, 2, 0, 0, 0, 35), Result.ZERO_BYE, ""),
        ((1, 2, 0, 2, 0, 5), Result.PAIRING_BYE, "unknown-result-code"),
        ((1, 2, 0, 9, 0, 1), Result.ZERO_BYE, "unknown-result-code"),
    ],
)
def test_byes(row: Row, result: Result, code: str) -> None:
    tournament = read(swissperfect([row]))
    assert tournament.pairings == (Pairing(1, 2, None, result),)
    assert tournament.bye_slots == 1
    assert found(tournament) == ([code] if code else [])


def test_the_settings() -> None:
    tournament = read(swissperfect())
    assert (tournament.format, tournament.name, tournament.chief_arbiter) == (
        "SwissPerfect", "Mopane Open", "IA Grace Tenza",
    )  # fmt: skip
    assert (tournament.planned_rounds, tournament.rounds, tournament.starts) == (3, 1, None)
    assert said(tournament, NOT_SAID).endswith("leaves blank: city, federation, start, end, time control.")


@pytest.mark.parametrize(
    ("settings", "missing"),
    [("", "name, chief arbiter, city"), ("[Other]\nName=No\n[tournament info]\nname = Yes\n", "blank: chief arbiter,")],
)
def test_settings_that_say_little(settings: str, missing: str) -> None:
    tournament = read(swissperfect(settings=settings))
    assert tournament.name == ("Yes" if settings else "")
    assert missing in said(tournament, NOT_SAID)


def test_a_player() -> None:
    values = {
        "SURNAME": "Mabena", "FIRSTNAME": "Zoë", "FEDER": "RSA", "CLUB": "Baobab CC", "INTL_RTG": 1850, "LOC_RTG": 1790,
        "INTL_ID": "14300001", "LOC_ID": "180000001", "TITLE": 6, "SEX": 2, "BIRTH_DATE": "19900517",
    }  # fmt: skip
    tournament = read(swissperfect([], [sp_player(7, START_NO=b"3\0\xef", **values)]))
    assert tournament.entrants == (
        Entrant(
            number=3,
            name="Mabena, Zoë",
            last_name="Mabena",
            first_name="Zoë",
            sex="F",
            title="WFM",
            rating=1850,
            federation="RSA",
            club="Baobab CC",
            fide_id="14300001",
            national_id="180000001",
            national_rating=1790,
            birth_year=1990,
            birth_date=date(1990, 5, 17),
        ),
    )
    assert found(tournament) == ["encoding-guessed"]
    assert tournament.sample_names == ("Mabena, Zoë",)


def test_the_code_page_is_that_of_the_answer() -> None:
    content = swissperfect([], [sp_player(1, SURNAME="Mabena", FIRSTNAME="Zoë".encode("cp850"))])
    assert read(content).entrants[0].first_name != "Zoë"
    assert read(content, fallback_encoding="cp850").entrants[0].first_name == "Zoë"


@pytest.mark.parametrize(
    ("values", "code", "words"),
    [
        ({"SURNAME": "", "FIRSTNAME": ""}, "missing-name", "player 1 has no name"),
        ({"SURNAME": "\x01", "FIRSTNAME": ""}, "missing-name", "player 1 has no name"),
        (
            {"SURNAME": "", "FIRSTNAME": "", "LOC_ID": "180000001"},
            "name-left-out",
            "player 1 has no name: the id “180000001”",
        ),
        ({"SEX": 3}, "unreadable-value", "sex “3”"),
        ({"TITLE": "x"}, "unreadable-value", "title “x”"),
        ({"INTL_RTG": "18x0"}, "unreadable-rating", "“18x0”"),
        ({"INTL_RTG": 10000}, "unreadable-rating", "“10000” is none of four figures"),
        ({"INTL_RTG": 1234567}, "unreadable-rating", "“1234567” is none of four figures"),
        ({"INTL_ID": "123456789012"}, "unreadable-value", "“123456789012” is no FIDE id"),
        ({"INTL_ID": "99999"}, "unreadable-value", "“99999” is no FIDE id"),
        ({"BIRTH_DATE": "19901732"}, "unreadable-birth-date", "“19901732”"),
        ({"BONUS": "0.5"}, "bonus", "bonus of “0.5”"),
        ({"ID": "0"}, "bad-start-number", "“0”"),
    ],
)
def test_what_cannot_be_read_of_a_player_is_found_at_its_record(
    values: dict[str, object], code: str, words: str
) -> None:
    tournament = read(swissperfect([], [sp_player(1, **values), sp_player(2)]))
    assert code in found(tournament)
    assert said(tournament, code).startswith("open.trn, record 1: ")
    assert words in said(tournament, code)


def test_a_deleted_player_is_none() -> None:
    tournament = read(swissperfect(players=3, deleted=[2]))
    assert [entrant.number for entrant in tournament.entrants] == [1, 2]
    assert found(tournament) == []


def test_start_numbers_are_those_of_the_lists() -> None:
    players = [sp_player(1, START_NO=2), sp_player(2, START_NO=1)]
    assert read(swissperfect([(1, 1, 2, 2, 0, 1)], players)).pairings == (Pairing(1, 2, 1, Result.WHITE_WINS),)


@pytest.mark.parametrize("listed", [(1, 1), (1, 0), ("", "")])
def test_without_start_numbers_the_programs_own_count(listed: tuple[object, object]) -> None:
    players = [sp_player(4, START_NO=listed[0]), sp_player(9, START_NO=listed[1])]
    tournament = read(swissperfect([(1, 9, 4, 2, 0, 1)], players))
    assert tournament.pairings == (Pairing(1, 9, 4, Result.WHITE_WINS),)
    assert found(tournament) == ["other-numbers"]


def test_two_players_of_one_number_are_an_error() -> None:
    tournament = read(swissperfect([], [sp_player(1), sp_player(1, SURNAME="Nel")]))
    assert [entrant.number for entrant in tournament.entrants] == [1]
    assert said(tournament, "duplicate-start-number").endswith("is that of record 1, too.")


@pytest.mark.parametrize(
    ("games", "code", "record"),
    [
        ([(1, 1, 9, 2, 0, 1)], "opponent-not-in-file", 1),
        ([(1, 1, 1, 2, 0, 1)], "self-pairing", 1),
        ([(1, 1, 2, 2, 0, 1), (1, 2, 3, 2, 0, 1)], "paired-twice", 2),
        ([(0, 1, 2, 2, 0, 1)], "bad-round", 1),
        ([(143, 1, 2, 2, 0, 1)], "bad-round", 1),
        ([(1, 0, 0, 0, 0, 0)], "empty-record", 1),
        ([(1, 1, "x", 2, 0, 1)], "opponent-not-in-file", 1),
        ([(1, -1, 2, 2, 0, 1)], "opponent-not-in-file", 1),
        ([(1, 1, 2, "z", 0, 1)], "unknown-result", 1),
        ([(1, 1, 2, -2, 0, 1)], "unknown-result", 1),
    ],
)
def test_records_that_are_no_game_are_left_out(games: list[Row], code: str, record: int) -> None:
    tournament = read(swissperfect(games, 3))
    assert found(tournament) == [code]
    assert said(tournament, code).startswith(f"open.sco, record {record}")
    assert len(tournament.pairings) == len(games) - 1


def test_a_round_without_games_is_on_hold() -> None:
    assert found(read(swissperfect([(1, 1, 2, 2, 0, 1), (3, 2, 1, 2, 0, 1)]))) == ["round-left-out"]


def test_more_rounds_than_planned_are_an_error() -> None:
    games: list[Row] = [(number, 1, 2, 2, 0, 1) for number in range(1, 5)]
    assert found(read(swissperfect(games[:3]))) == []
    assert found(read(swissperfect(games))) == ["more-rounds-than-planned"]


@pytest.mark.parametrize(
    ("left_out", "words"), [(".trn", "lacks .trn:"), (".sco", "lacks .sco:"), (".ini", "lacks .ini:")]
)
def test_a_missing_file_is_named(left_out: str, words: str) -> None:
    content = packed({name: part for name, part in sp_files().items() if not name.endswith(left_out)})
    assert [finding.code for finding in read(content).findings] == ["missing-file"]
    assert words in refusal(content)


def test_settings_alone_lack_two_files() -> None:
    content = packed({"open.ini": b"[Tournament Info]\r\n"})
    assert refusal(content).startswith("The zip lacks .trn and .sco: ")


def test_files_of_two_tournaments_are_an_error() -> None:
    files = sp_files()
    other = packed({"open.ini": files["open.ini"], "OPEN.TRN": files["open.trn"], "junior.sco": files["open.sco"]})
    assert found(read(other)) == ["files-of-two"]
    assert "“junior.sco”" in said(read(other), "files-of-two")
    both = packed({**files, "junior.trn": files["open.trn"]})
    assert [finding.code for finding in read(both).findings] == ["files-of-two"]


def test_names_in_capitals_and_folders_are_read_and_other_files_are_not() -> None:
    files = {f"club/{name.upper()}": part for name, part in sp_files().items()}
    tournament = read(packed({**files, "club/readme.txt": b"Hello"}))
    assert len(tournament.pairings) == 1
    assert found(tournament) == ["unused-file"]
    assert "“club/readme.txt”" in said(tournament, "unused-file")


@pytest.mark.parametrize("name", ["open.trf", "word/document.xml"])
def test_a_foreign_zip_is_no_swissperfect(name: str) -> None:
    assert [finding.code for finding in read(packed({name: two()})).findings] == ["wrong-format"]


@pytest.mark.parametrize(
    ("size", "codes"), [(MAX_BYTES - 10_000, ["unused-file"]), (MAX_BYTES + 1, ["file-too-large"])]
)
def test_what_else_is_in_a_zip_counts(size: int, codes: list[str]) -> None:
    """An erasure looks through it: with a hundred such files it took minutes."""
    found = read(packed({**sp_files(), "1.txt": bytes(size), "2.txt": bytes(size)})).findings
    assert [finding.code for finding in found if finding.code in ("unused-file", "file-too-large")] == codes


@pytest.mark.parametrize("times", [1.1, 60])
@pytest.mark.parametrize("part", ["open.ini", "open.trn", "open.sco"])
def test_a_zip_bomb_is_refused(part: str, times: float) -> None:
    bomb = packed({**sp_files(), part: bytes(int(times * MAX_BYTES))})
    assert len(bomb) < MAX_BYTES
    start = time.process_time()
    assert [finding.code for finding in read(bomb).findings] == ["file-too-large"]
    assert time.process_time() - start < 0.2  # it is not unpacked to its end


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_not_unpacked(method: int) -> None:
    assert {finding.code for finding in read(packed(sp_files(), method)).findings} == {"unreadable-file"}
    assert found(read(packed(sp_files(), zipfile.ZIP_STORED))) == []


def test_a_password_is_named() -> None:
    content = bytearray(swissperfect())
    directory = content.index(b"PK\x01\x02")
    content[directory + 8] |= 1
    assert "has a password" in refusal(bytes(content))


@pytest.mark.parametrize(
    ("table", "code"),
    [
        (b"no table", "damaged-file"),
        (dbase({"ID": 5}, [{"ID": 1}]), "damaged-file"),
        (dbase(PLAYER, [sp_player(1)])[:-40], "truncated-file"),
        (dbase(PLAYER, []), "no-players"),
    ],
)
def test_a_damaged_table_is_an_error(table: bytes, code: str) -> None:
    tournament = read(packed({**sp_files(), "open.trn": table}))
    assert code in [finding.code for finding in tournament.errors]
    assert tournament.entrants == ()
    assert tournament.pairings == ()


def test_every_truncation_is_an_error() -> None:
    content = swissperfect()
    assert all(read(content[:size]).errors for size in range(len(content)))
    assert read(content).errors == ()


@pytest.mark.parametrize("column", ["ROUND", "W_TYPE"])
def test_a_table_of_other_columns_is_named(column: str) -> None:
    columns = {name: width for name, width in GAME.items() if name != column}
    tournament = read(packed({**sp_files(), "open.sco": dbase(columns, [])}))
    assert said(tournament, "damaged-file").endswith(f"it has no column {column}.")


def test_records_are_limited() -> None:
    rows = [sp_game((1, 0, 0, 0, 0, 0))] * (MAX_ROWS + 1)
    files = sp_files()
    assert found(read(packed({**files, "open.sco": dbase(GAME, rows[:-1])}))) == ["empty-record"]
    assert found(read(packed({**files, "open.sco": dbase(GAME, rows)}))) == ["too-many-lines", "empty-record"]


@given(st.binary(max_size=300), st.sampled_from(["open.ini", "open.trn", "open.sco"]), st.integers(0, 200))
def test_no_file_within_the_zip_raises(part: bytes, name: str, place: int) -> None:
    files = sp_files()
    tournament = read(packed({**files, name: files[name][:place] + part + files[name][place + len(part) :]}))
    assert tournament.entrants or tournament.errors
    numbers = {entrant.number for entrant in tournament.entrants}
    assert all({pairing.white, pairing.black or pairing.white} <= numbers for pairing in tournament.pairings)


def test_many_files_in_a_zip_take_no_longer_than_they_are() -> None:
    content = packed({**sp_files(), **{f"{number}": b"" for number in range(4_000)}}, zipfile.ZIP_STORED)
    start = time.process_time()
    assert "3995 more" in said(read(content), "unused-file")
    assert time.process_time() - start < 1


def test_its_codes_keep_their_severity() -> None:
    errors = {Code.MISSING_FILE, Code.FILES_OF_TWO}
    notes = {Code.UNUSED_FILE, Code.EMPTY_RECORD, Code.OTHER_NUMBERS, Code.BONUS}
    assert all(code.severity is Severity.ERROR for code in errors)
    assert all(code.severity is Severity.NOTE for code in notes)


def test_the_three_files_sent_side_by_side_are_one_tournament() -> None:
    files = sp_files()
    beside = ("other.trf", b"012 Open")
    (name, content), left = packed_files([*files.items(), beside])
    assert (name, left) == ("open.zip", beside)
    assert read(content, name) == read(packed(files), name)
    assert packed_files([*reversed(files.items())])[0][1] == content  # in whatever order
    lone = list(files.items())[:2]
    assert packed_files([*lone, beside]) == [*lone, beside]
    assert packed_files([("a.INI", b"1"), ("A.Trn", b"2"), ("a.sco", b"3"), ("b.ini", b"4")])[1:] == [("b.ini", b"4")]
