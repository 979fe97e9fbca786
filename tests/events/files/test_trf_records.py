"""Tournament records, teams, national lines and points."""

from datetime import date

import pytest

from events.files.reader import read
from events.rules.tournament import Team, TimeControl, Tournament
from tests.events.files.builders import HEADER, header_with, header_without, player, trf, two


def header(*lines: str) -> Tournament:
    return read(trf(player(1), header=list(lines)))


def test_a_full_header() -> None:
    tournament = read(
        two() + b"112 Ann Bezuidenhout\n112 Dlamini, Carl\n142 5\n192 FIDE_DUTCH_2026_BAKU\n222 5400+30\n182 Berserk\n"
    )
    assert tournament.format == "TRF26"
    assert tournament.name == "Mopane Open"
    assert tournament.city == "Thohoyandou"
    assert tournament.federation == "RSA"
    assert (tournament.starts, tournament.ends) == (date(2026, 3, 7), date(2026, 3, 8))
    assert tournament.round_dates == (date(2026, 3, 7), date(2026, 3, 8))
    assert tournament.kind == "Individual: Swiss-System"
    assert tournament.kind_code == "FIDE_DUTCH_2026_BAKU"
    assert tournament.chief_arbiter == "IA Grace Tenza (14399999)"
    assert tournament.deputy_arbiters == ("Ann Bezuidenhout", "Dlamini, Carl")
    assert tournament.time_control_text == "90+30"
    assert tournament.time_control == TimeControl(90, 30)
    assert tournament.planned_rounds == 5
    assert tournament.extra_lines == ("182 Berserk",)
    assert tournament.findings == ()


def test_records_come_in_any_order() -> None:
    lines = [*HEADER, player(1, "0000 - H"), "142 3", "RSA    1" + " " * 50 + "123456789"]
    straight, reverse = read(trf(header=lines)), read(trf(header=lines[::-1]))
    assert straight.name == reverse.name
    assert straight.entrants[0].national_id == reverse.entrants[0].national_id == "123456789"
    assert straight.planned_rounds == reverse.planned_rounds == 3


def test_members_of_teams_who_are_no_players_are_counted_at_the_first() -> None:
    read_file = read(
        trf(player(1), "013 Baobabs".ljust(36) + "   1" + "    7" * 3, "013 Marulas".ljust(36) + "   8    1")
    )
    assert [team.members for team in read_file.teams] == [(1,), (1,)]
    (finding,) = (finding for finding in read_file.findings if finding.code == "team-member-not-in-file")
    assert "“7”" in finding.message
    assert "Found 4 times" in finding.message


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (["XXR 3"], "TRF16"),
        (["BBW 3.0"], "TRF16"),
        (["### comment"], "TRF16"),
        (["142 3"], "TRF26"),
        (["RSA    1"], "TRF26"),
        (["240 F   1    1"], "TRF26"),
        (["### TRF 2025 sample", "142 3"], "TRF25"),
        (["### TRF 2025 sample", "### Adapted to TRF26", "142 3"], "TRF26"),
    ],
)
def test_versions_are_told_by_their_records(lines: list[str], name: str) -> None:
    assert read(trf(player(1), *lines)).format == name


@pytest.mark.parametrize(
    ("line", "rounds"),
    [("142 9", 9), ("XXR 9", 9), ("142 9 rounds", 9), ("142 x", None), ("142 0", None), ("142", None)],
)
def test_planned_rounds(line: str, rounds: int | None) -> None:
    assert read(trf(player(1), line)).planned_rounds == rounds


def test_record_142_stands_above_the_extension() -> None:
    assert read(trf(player(1), "XXR 7", "142 9")).planned_rounds == 9


def test_the_number_of_players_may_be_followed_by_another() -> None:
    found = [finding.code for finding in read(trf(player(1), header=header_with("062 1 (73)"))).findings]
    assert "player-count-differs" not in found
    assert "unreadable-value" not in found


@pytest.mark.rule("chessa 13.3")
@pytest.mark.parametrize(
    ("lines", "days"),
    [
        (["132" + " " * 88 + "26/03/07  26/03/08"], (date(2026, 3, 7), date(2026, 3, 8))),
        (["132" + " " * 88 + "26/03/07            26/03/08"], (date(2026, 3, 7), None, date(2026, 3, 8))),
        (["132" + " " * 88 + "11.25.02"], (date(2011, 2, 25),)),
        (["132 2026/03/07", "132 2026/03/08"], (date(2026, 3, 7), date(2026, 3, 8))),
        (["132 26/03/07 26/03/08"], (date(2026, 3, 7), date(2026, 3, 8))),
        (["132"], ()),
        ([], ()),
    ],
)
def test_round_dates(lines: list[str], days: tuple[date | None, ...]) -> None:
    assert read(trf(player(1), *lines, header=header_without("132"))).round_dates == days


@pytest.mark.rule("chessa 15.1")
@pytest.mark.parametrize(
    ("text", "persons"),
    [
        ("Ann Bezuidenhout, Carl Dlamini", ("Ann Bezuidenhout", "Carl Dlamini")),
        ("Bezuidenhout, Ann; Dlamini, Carl", ("Bezuidenhout, Ann", "Dlamini, Carl")),
        ("Bezuidenhout, Ann", ("Bezuidenhout, Ann",)),
        ("", ()),
    ],
)
def test_deputies(text: str, persons: tuple[str, ...]) -> None:
    assert read(trf(player(1), f"112 {text}")).deputy_arbiters == persons


def test_blank_records_are_missing_ones() -> None:
    (missing,) = [finding for finding in header("012", "022 Thohoyandou").findings if finding.code == "missing-record"]
    for record in ("012 (name)", "032 (federation)", "042 (start)", "052 (end)", "102 (chief arbiter)"):
        assert record in missing.message
    assert "022" not in missing.message


@pytest.mark.rule("chessa 21")
def test_a_time_control_of_two_colours_is_kept_as_text() -> None:
    tournament = read(trf(player(1), "222 W300-B240", header=header_with("122 Armageddon")))
    assert tournament.time_control is None
    assert tournament.time_control_text == "Armageddon"
    assert "222 W300-B240" in tournament.extra_lines
    assert tournament.stated_controls == (TimeControl(5, 0), TimeControl(4, 0))


def test_unknown_lines_are_kept_as_they_are() -> None:
    lines = [
        "### a comment  ",
        "DDD SSSS sTTT",
        "  0123456789",
        "DAT 0001 ID:USCF 1234",
        "XXZ 4",
        "BBW 1.0",
        "FFF TT RRR",
    ]
    assert read(trf(*lines, player(1))).extra_lines == tuple(lines)


TEAM_013 = "013 Baobabs" + " " * 25 + "   2    1"
TEAM_310 = "310   7 Marulas" + " " * 26 + "MAR     1900    2.0    2.0   1     1    2"


def test_teams_of_both_records() -> None:
    lines = [player(1), player(2)]
    assert read(trf(*lines, TEAM_013)).teams == (Team("Baobabs", (2, 1)),)
    assert read(trf(*lines, TEAM_310)).teams == (Team("Marulas", (1, 2)),)
    assert read(trf(*lines, TEAM_013, TEAM_310)).teams == (Team("Marulas", (1, 2)),)
    assert read(trf(*lines, TEAM_013, TEAM_310, "### TRF 2025 sample")).teams == (Team("Baobabs", (2, 1)),)


@pytest.mark.parametrize(("start", "members"), [("013 ", 37), ("310   1 ", 74)])
def test_names_of_teams_have_32_columns(start: str, members: int) -> None:
    line = f"{start + 'B' * 32 + 'X':{members - 1}}   1"
    (team,) = read(trf(player(1), line)).teams
    assert team.name == "B" * 32


def test_a_national_line_fills_a_missing_sex() -> None:
    lines = [player(1, sex=""), "RSA    1 w", player(2, sex="m"), "RSA    2 w"]
    assert [entrant.sex for entrant in read(trf(*lines)).entrants] == ["F", "M"]


def test_members_of_four_figures_begin_in_column_37() -> None:
    line = "013 Baobabs" + " " * 25 + "1000    1"
    assert read(trf(player(1), player(1000), line)).teams == (Team("Baobabs", (1000, 1)),)


def national(tag: str, number: int, rating: object = 1790, region: str = "LVT", identifier: object = 123456789) -> str:
    return f"{tag} {number:4}  A   {'Adendorff, Bets':33} {rating:>4} {region:3} {identifier:>11}"


@pytest.mark.rule("chessa 14.4", "chessa 14.5")
def test_a_national_line_gives_id_rating_and_region() -> None:
    (entrant,) = read(trf(player(1, identifier=99), national("RSA", 1))).entrants
    assert (entrant.national_federation, entrant.national_id) == ("RSA", "123456789")
    assert (entrant.national_rating, entrant.rating, entrant.region) == (1790, 1850, "LVT")


def test_the_line_of_the_tournaments_federation_counts() -> None:
    lines = [national("ZIM", 1, identifier=1), national("RSA", 1, identifier=2), national("BOT", 1, identifier=3)]
    tournament = read(trf(player(1), *lines))
    assert tournament.entrants[0].national_id == "2"
    assert set(tournament.extra_lines) == {lines[0], lines[2]}


@pytest.mark.parametrize("line", ["FFF TT RRR WWW", "RSA SSSS sCCC", "XYZ    1 m  A ", "RSAx   1"])
def test_other_letters_make_no_national_line(line: str) -> None:
    tournament = read(trf(player(1), line))
    assert tournament.entrants[0].national_federation == ""
    assert tournament.extra_lines == (line,)


def points_differ(*lines: str, points: str) -> bool:
    cells = ["0000 - U", "0000 - H", "0000 - F", "0000 - Z", "   2 w 1", "   2 b =", "   2 w 0", "   2 b +", "   2 w -"]
    other = ["0000 - Z"] * 4 + ["   1 b 0", "   1 w =", "   1 b 1", "   1 w -", "   1 b +"]
    content = trf(player(1, *cells, points=points), player(2, *other, points=""), *lines)
    return "points-differ" in [finding.code for finding in read(content).findings]


@pytest.mark.parametrize(
    ("lines", "points"),
    [
        ((), "5.0"),
        (("162  P 0.0",), "4.0"),
        (("162  W 3.0    D 1.0    L 0.0",), "14.0"),
        (("162  P 1.0    W 3.0    D 1.0",), "12.0"),
        (("162  X 0.0",), "4.5"),
        (("162  A 0.5",), "6.0"),
        (("XXS WW=2.0 BD=1.0 PAB=0.5 FW=0",), "5.0"),
        (("XXS W=2.0",), "6.0"),
        (("BBW   3.0", "BBD   1.0", "BBU   1.0"), "12.0"),
        (("BBL   0.5", "BBZ   0.5", "BBF   0.5"), "6.5"),
    ],
)
def test_points_are_counted_by_the_files_own_values(lines: tuple[str, ...], points: str) -> None:
    assert not points_differ(*lines, points=points)
    assert points_differ(*lines, points="99.5")


@pytest.mark.parametrize(
    ("line", "checked"),
    [
        ("299 -  0.0   1.5   1     1", False),
        ("299 -  0.0   1.5", False),
        ("299 -  0.0   1.5   1     2", True),
        ("299 -  0.0   1.5   1  1", False),
    ],
)
def test_changed_points_are_not_checked(line: str, checked: bool) -> None:
    assert points_differ(line, points="99.5") is checked


def test_a_record_that_begins_with_a_tab_is_read() -> None:
    """It was kept as an unknown line, written with a blank, and used when that was read."""
    tournament = read(two() + b"\t222 5400+30\n")
    assert tournament.extra_lines == ()
    assert "Record 222 is indented; it is read." in [finding.message for finding in tournament.findings]
