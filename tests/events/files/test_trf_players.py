"""Record 001: each field by its columns, strict in meaning, tolerant in spelling."""

from datetime import date

import pytest

from events.files.reader import read
from events.rules.tournament import Entrant
from tests.events.files.builders import player, trf


def entrant(line: str) -> Entrant:
    return read(trf(line)).entrants[0]


def test_every_field_has_its_columns() -> None:
    line = "001   17 wWIM Van der Merwe-Nkosi, Thandi       2105 RSA    14300017 1999/12/31  6.5   12                  "
    assert entrant(line) == Entrant(
        number=17,
        name="Van der Merwe-Nkosi, Thandi",
        last_name="Van der Merwe-Nkosi",
        first_name="Thandi",
        sex="F",
        title="WIM",
        rating=2105,
        federation="RSA",
        fide_id="14300017",
        birth_year=1999,
        birth_date=date(1999, 12, 31),
        points=6.5,
        rank=12,
        line=11,
    )


def test_a_line_may_end_after_the_name() -> None:
    tournament = read(trf("001    1      Adendorff, Bets"))
    assert tournament.errors == ()
    assert tournament.entrants[0].rating is None
    assert tournament.rounds == 0


@pytest.mark.parametrize(
    ("title", "full"),
    [
        ("GM", "GM"),
        ("WCM", "WCM"),
        ("g", "GM"),
        ("m", "IM"),
        ("f", "FM"),
        ("c", "CM"),
        ("gf", "WGM"),
        ("mf", "WIM"),
        ("ff", "WFM"),
        ("cf", "WCM"),
        ("wg", "WGM"),
        ("wm", "WIM"),
        ("wf", "WFM"),
        ("wc", "WCM"),
        ("im", "IM"),
        ("", ""),
        ("AGM", ""),
    ],
)
def test_titles_old_and_new(title: str, full: str) -> None:
    assert entrant(player(1, title=title)).title == full


def test_a_title_may_stand_left() -> None:
    assert entrant(player(1, sex="m").replace("001    1 m   ", "001    1 mGM ")).title == "GM"


@pytest.mark.rule("chessa 14.3")
@pytest.mark.parametrize(
    ("sex", "meaning"), [("m", "M"), ("w", "F"), ("M", "M"), ("F", "F"), ("f", "F"), ("W", "F"), ("u", ""), ("", "")]
)
def test_sexes(sex: str, meaning: str) -> None:
    assert entrant(player(1, sex=sex)).sex == meaning


@pytest.mark.parametrize(("text", "rating"), [("1850", 1850), ("0", None), ("0000", None), ("", None), ("abcd", None)])
def test_ratings(text: str, rating: int | None) -> None:
    assert entrant(player(1, rating=text)).rating == rating


@pytest.mark.parametrize(
    ("text", "fide_id", "national_id"),
    [
        ("14300001", "14300001", ""),
        ("343498000", "343498000", ""),
        ("100000", "100000", ""),
        ("99999", "", "99999"),
        ("L07421", "", "L07421"),
        ("0", "", ""),
        ("", "", ""),
    ],
)
def test_ids_below_100000_are_national(text: str, fide_id: str, national_id: str) -> None:
    read_entrant = entrant(player(1, identifier=text))
    assert (read_entrant.fide_id, read_entrant.national_id) == (fide_id, national_id)


@pytest.mark.parametrize(
    ("text", "points"), [("4.5", 4.5), ("4,5", 4.5), ("11.5", 11.5), ("4½", 4.5), ("½", 0.5), ("", None), ("x", None)]
)
def test_points(text: str, points: float | None) -> None:
    assert entrant(player(1, points=text)).points == points


@pytest.mark.parametrize(("text", "rank"), [("3", 3), ("0", None), ("", None), ("x", None)])
def test_ranks(text: str, rank: int | None) -> None:
    assert entrant(player(1, rank=text)).rank == rank


@pytest.mark.rule("chessa 14.1")
@pytest.mark.parametrize(
    ("name", "last", "first"),
    [
        ("Adendorff, Bets", "Adendorff", "Bets"),
        ("Adendorff,Bets", "Adendorff", "Bets"),
        ("Bets Adendorff", "Bets Adendorff", ""),
        ("Adendorff,", "Adendorff", ""),
        ("Dlamini, Bheki, Jr", "Dlamini", "Bheki, Jr"),
        ("A" * 33, "A" * 33, ""),
    ],
)
def test_names(name: str, last: str, first: str) -> None:
    read_entrant = entrant(player(1, name=name))
    assert (read_entrant.name, read_entrant.last_name, read_entrant.first_name) == (name, last, first)


@pytest.mark.parametrize("federation", ["FID", "NON", "XXX", "ZZZ", "rsa", ""])
def test_placeholders_and_small_letters_are_no_unknown_federations(federation: str) -> None:
    codes = [finding.code for finding in read(trf(player(1, federation=federation))).findings]
    assert "unknown-federation" not in codes


@pytest.mark.parametrize("number", [1, 9999])
def test_start_numbers_have_four_figures(number: int) -> None:
    assert entrant(player(number)).number == number


@pytest.mark.parametrize(
    "line",
    ["001    0 m    Zero, Nul", "00110000 m    Ten, Thou", "001 10000 m    Ten, Thou", "001      m    No, Number"],
)
def test_other_start_numbers_are_errors(line: str) -> None:
    tournament = read(trf(line))
    assert "bad-start-number" in [finding.code for finding in tournament.errors]
    assert tournament.entrants == ()


def test_columns_counted_in_bytes_are_found_and_read() -> None:
    line = player(1, "   2 w 1", name="Sóženka, Žoë", points="1.0")
    shifted = line.replace("Žoë    ", "Žoë")
    other = player(2, "   1 b 0", identifier=14300002, rank=2)
    tournament = read(trf(shifted, other))
    assert tournament.errors == ()
    assert tournament.entrants == read(trf(line, other)).entrants
    assert tournament.played_games == 1


@pytest.mark.parametrize(("line", "hint"), [("right by 1", " Adendorff, Bets"), ("left by 2", "Adendorff, Be")])
def test_a_shifted_line_is_an_error_with_a_hint(line: str, hint: str) -> None:
    text = player(1, "   2 w 1").replace("Adendorff, Bets", hint)
    tournament = read(trf(text, player(2, "   1 b 0")))
    (error,) = tournament.errors
    assert error.code == "misaligned-line"
    assert line in error.message
    assert tournament.played_games == 0


def test_a_birth_date_one_column_late_is_read() -> None:
    text = player(1, "   2 w 1", points="1.0").replace(" 1990/05/17  1.0", "  1990/05/17 1.0")
    tournament = read(trf(text, player(2, "   1 b 0")))
    assert tournament.errors == ()
    assert tournament.entrants[0].birth_date == date(1990, 5, 17)
    assert ("birth-date-format", 11, 70) in [(note.code, note.line, note.column) for note in tournament.findings]


@pytest.mark.parametrize(
    ("found", "name"),
    [(" Adendorff, Bets", "Adendorff, Bets"), ("Adendorff, Bets ", "Adendorff, Bets"), (" " + "N" * 34, "N" * 34)],
)
def test_a_name_one_column_beyond_its_own_is_read(found: str, name: str) -> None:
    text = player(1, "   2 w 1", points="1.0").replace(f"{' Adendorff, Bets':{len(found)}}", found)
    tournament = read(trf(text, player(2, "   1 b 0", identifier=14300002)))
    assert tournament.errors == ()
    assert tournament.entrants[0].name == name
    assert tournament.entrants[0].rating == 1850


def test_a_player_under_another_tag_is_not_lost_in_silence() -> None:
    tournament = read(trf(player(1), "101" + player(2)[3:]))
    assert [(error.code, error.line) for error in tournament.errors] == [("mistyped-player-line", 12)]


def test_a_line_with_tabs_keeps_number_and_name_but_no_games() -> None:
    line = player(17, "   2 w 1").replace(" RSA ", "\tRSA ")
    tournament = read(trf(line, player(2, "  17 b 0")))
    (error,) = tournament.errors
    assert (error.code, error.line, error.column) == ("tab-in-columns", 11, 53)
    assert [(entrant.number, entrant.name) for entrant in tournament.entrants] == [
        (17, "Adendorff, Bets"),
        (2, "Adendorff, Bets"),
    ]
    assert tournament.pairings == ()


def test_an_id_belongs_to_one_player() -> None:
    def repeated(*lines: str) -> list[str]:
        return [finding.message for finding in read(trf(*lines)).findings if finding.code == "repeated-id"]

    assert repeated(player(1), player(2)) == ["Players 1 and 2 have the same FIDE id 14300001."]
    assert repeated(player(1, identifier=77), player(2, identifier=77)) == [
        "Players 1 and 2 have the same national id 77."
    ]
    assert repeated(player(1, identifier=""), player(2, identifier="")) == []
