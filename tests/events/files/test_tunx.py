"""Swiss-Manager's own files."""

from datetime import date

import pytest

from events.files.reader import read
from events.files.trf.writer import write_trf26
from events.rules.findings import Severity
from events.rules.game_result import Result
from events.rules.tournament import Entrant, Pairing, TimeControl
from tests.events.files.builders import NOT_PAIRED, PAIRING_BYE, tunx, tunx_player


@pytest.mark.parametrize(
    ("code", "result", "held"),
    [
        (0, None, "unfinished-game"),
        (1, Result.WHITE_WINS, ""),
        (2, Result.DRAW, ""),
        (3, Result.BLACK_WINS, ""),
        (4, Result.FORFEIT_WHITE_WINS, ""),
        (5, Result.FORFEIT_BLACK_WINS, ""),
        (6, Result.FORFEIT_BOTH_LOSE, "unknown-result-code"),
        (7, None, "unknown-result-code"),
        (9, None, "unknown-result-code"),
        (15, None, "unknown-result-code"),
        (17, None, "unknown-result-code"),
        (0xFFFF, None, "unknown-result-code"),
    ],
)
def test_results(code: int, result: Result | None, held: str) -> None:
    tournament = read(tunx([(2, 1, code)], players=2))
    assert tournament.pairings == (Pairing(1, 2, 1, result),)
    assert [finding.code for finding in tournament.findings] == ([held] if held else [])
    assert all(finding.severity is Severity.HOLD for finding in tournament.findings)
    assert tournament.played_games == (code in (1, 2, 3))
    assert tournament.forfeit_slots == (2 if code in (4, 5, 6) else 0)


@pytest.mark.parametrize(
    ("black", "code", "result", "held"),
    [
        (PAIRING_BYE, 9, Result.PAIRING_BYE, False),
        (PAIRING_BYE, 0, Result.PAIRING_BYE, False),
        (NOT_PAIRED, 2, Result.HALF_BYE, False),
        (NOT_PAIRED, 3, Result.ZERO_BYE, False),
        (NOT_PAIRED, 0, Result.ZERO_BYE, False),
        (NOT_PAIRED, 1, Result.ZERO_BYE, True),
    ],
)
def test_byes(black: int, code: int, result: Result, held: bool) -> None:
    tournament = read(tunx([(1, black, code)], players=1))
    assert tournament.pairings == (Pairing(1, 1, None, result),)
    assert tournament.bye_slots == 1
    assert [finding.code for finding in tournament.findings] == (["unknown-result-code"] if held else [])


def test_the_header() -> None:
    tournament = read(tunx([], metadata={6: "NA Ann Bezuidenhout, NA Carl Dlamini", 3: "Sipho Ngwenya"}))
    assert (tournament.format, tournament.name, tournament.city) == ("TUNX", "Mopane Open", "Thohoyandou")
    assert (tournament.starts, tournament.ends) == (date(2026, 3, 7), date(2026, 3, 8))
    assert tournament.time_control == TimeControl(15, 10)
    assert tournament.federation == "RSA"
    assert tournament.chief_arbiter == "IA Grace Tenza"
    assert tournament.deputy_arbiters == ("NA Ann Bezuidenhout", "NA Carl Dlamini")
    assert (tournament.planned_rounds, tournament.rounds) == (3, 0)


def test_the_director_stands_in_for_a_missing_chief_arbiter() -> None:
    assert read(tunx([], metadata={21: "", 3: "Sipho Ngwenya"})).chief_arbiter == "Sipho Ngwenya"


def test_the_venue_stands_in_for_a_missing_city() -> None:
    assert read(tunx([], metadata={10: ""})).city == "Makwarela Hall"


@pytest.mark.parametrize(
    ("kind", "name", "codes"),
    [
        (0, "Swiss system", []),
        (1, "Round robin", []),
        (2, "Swiss system for teams", []),
        (3, "", ["unknown-type-code"]),
    ],
)
def test_kinds(kind: int, name: str, codes: list[str]) -> None:
    tournament = read(tunx([], kind=kind))
    assert tournament.kind == name
    assert [finding.code for finding in tournament.findings] == codes


@pytest.mark.parametrize(("rating", "kept"), [(9999, 9999), (10_000, None), (65_535, None)])
def test_a_rating_has_four_figures(rating: int, kept: int | None) -> None:
    """The format has two bytes for it, of which no database keeps as much."""
    tournament = read(tunx([], players=[tunx_player({0: "Cele"}, ratings=(rating, rating))]))
    assert (tournament.entrants[0].rating, tournament.entrants[0].national_rating) == (kept, kept)
    assert ("unreadable-rating" in [finding.code for finding in tournament.findings]) == (kept is None)


def test_a_player() -> None:
    strings = {0: "Мабена", 1: "Σοφία", 4: "WFM", 5: "123456789", 9: "Baobab CC", 10: "RSA"}
    one = tunx_player(strings, sex=1, ratings=(1850, 1790), born=19900517, fide_id=14300001)
    two = tunx_player({0: "Cele", 4: "AGM"}, ratings=(0, 1500), born=19850000)
    tournament = read(tunx([], players=[one, two]))
    assert [finding.message for finding in tournament.findings] == [
        "The title “AGM” is no FIDE title; it is left out.",
    ]
    first, second = tournament.entrants
    assert first == Entrant(
        number=1,
        name="Мабена, Σοφία",
        last_name="Мабена",
        first_name="Σοφία",
        sex="F",
        title="WFM",
        rating=1850,
        federation="RSA",
        club="Baobab CC",
        fide_id="14300001",
        national_id="123456789",
        national_rating=1790,
        birth_year=1990,
        birth_date=date(1990, 5, 17),
    )
    assert (second.name, second.rating, second.title, second.fide_id) == ("Cele", 1500, "", "")
    assert (second.birth_year, second.birth_date) == (1985, None)


@pytest.mark.parametrize(
    ("strings", "fide_id", "code", "message"),
    [
        ({}, 0, "missing-name", "Player 1 has no name."),
        ({5: "180000001"}, 0, "name-left-out", "Player 1 has no name: the id “180000001” alone"),
        ({0: "\x0b" * 10}, 0, "missing-name", "Player 1 has no name."),
        ({}, 14300001, "name-left-out", "Player 1 has no name: the id “14300001” alone"),
    ],
)
def test_a_player_without_a_name_is_at_best_known_by_his_id(
    strings: dict[int, str], fide_id: int, code: str, message: str
) -> None:
    (finding,) = read(tunx([], players=[tunx_player({10: "RSA", **strings}, fide_id=fide_id)])).findings
    assert finding.code == code
    assert finding.message.startswith(message)


@pytest.mark.parametrize(("born", "year"), [(19000101, None), (19010101, 1901), (20991231, 2099), (21000101, None)])
def test_births_outside_the_possible_are_unknown(born: int, year: int | None) -> None:
    (entrant,) = read(tunx([], players=[tunx_player({0: "Cele", 10: "RSA"}, born=born)])).entrants
    assert entrant.birth_year == year
    assert (entrant.birth_date is None) is (year is None)


def test_a_round_ends_where_a_player_meets_the_next_opponent() -> None:
    rows = [(1, 2, 1), (3, 4, 1), (4, 1, 2), (2, 3, 3), (1, 3, 1), (2, NOT_PAIRED, 3), (4, PAIRING_BYE, 9)]
    tournament = read(tunx(rows, current=3))
    assert [pairing.round for pairing in tournament.pairings] == [1, 1, 2, 2, 3, 3, 3]
    assert tournament.rounds == 3
    assert tournament.findings == ()


def test_absences_after_the_current_round_are_no_rounds() -> None:
    rows = [(1, 2, 1), (3, 4, 1), (4, NOT_PAIRED, 0), (4, NOT_PAIRED, 0)]
    tournament = read(tunx(rows, current=1))
    assert (tournament.rounds, len(tournament.pairings), tournament.bye_slots) == (1, 2, 2)
    assert [finding.code for finding in tournament.findings] == ["planned-absence"]


def test_absences_in_the_current_round_are() -> None:
    assert read(tunx([(1, 2, 1), (1, NOT_PAIRED, 0)], players=2, current=2)).rounds == 2


@pytest.mark.parametrize(
    ("row", "code"),
    [((1, 5, 1), "opponent-not-in-file"), ((0, 1, 1), "opponent-not-in-file"), ((2, 2, 1), "self-pairing")],
)
def test_pairings_of_strangers_are_errors(row: tuple[int, int, int], code: str) -> None:
    tournament = read(tunx([row]))
    assert [finding.code for finding in tournament.errors] == [code]
    assert tournament.pairings == ()


def test_more_rounds_than_planned_are_an_error() -> None:
    rows = [(1, 2, 1)] * 4
    assert [error.code for error in read(tunx(rows, players=2, rounds=3)).errors] == ["more-rounds-than-planned"]
    assert read(tunx(rows, players=2, rounds=4)).errors == ()


@pytest.mark.parametrize(("marker", "word"), [(b"\x95", "settings"), (b"\xa5", "players"), (b"\xb3", "pairings")])
def test_a_missing_section_is_named(marker: bytes, word: str) -> None:
    content = tunx([(1, 2, 1)]).replace(marker + b"\xff\x89\x44", b"\0\0\0\0")
    (error,) = read(content).errors
    assert error.code == "damaged-file"
    assert word in error.message


def test_more_players_announced_than_there_are() -> None:
    content = bytearray(tunx([(1, 2, 1)], players=2))
    settings = content.index(b"\x95\xff\x89\x44") + 4
    content[settings + 0x13 : settings + 0x15] = (9999).to_bytes(2, "little")
    assert [error.code for error in read(bytes(content)).errors] == ["damaged-file"]
    content[settings + 0x13 : settings + 0x15] = (10_000).to_bytes(2, "little")
    assert "too-many-players" in [error.code for error in read(bytes(content)).errors]


def test_a_date_that_is_none_is_left_out() -> None:
    tournament = read(tunx([], dates=(20261301, 0)))
    assert (tournament.starts, tournament.ends) == (None, None)
    assert [finding.code for finding in tournament.findings] == ["unreadable-date"]


@pytest.mark.parametrize("metadata", [{14: "1\x86+10"}, {6: "\x17" * 23}, {0: "\x17", 10: "\x86"}])
def test_what_has_characters_that_are_not_written_stays_what_it_is(metadata: dict[int, str]) -> None:
    written = write_trf26(read(tunx([], metadata=metadata)))
    assert write_trf26(read(written)) == written
