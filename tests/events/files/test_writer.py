"""Writing TRF26: what is written reads back as the same tournament, byte for byte when written again."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.files.reader import read
from events.files.trf.writer import write_trf26
from events.rules.findings import Severity
from events.rules.game_result import BYES, Result
from events.rules.tournament import Entrant, Pairing, Team, TimeControl, Tournament
from tests.events.files.builders import codes, game, message, table, trf, tunx, tunx_player

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEÀÉÑöüŁžšΣΩЖЯ'-"
WORDS = st.text(LETTERS, min_size=1, max_size=9)
DAYS = st.dates(date(1970, 1, 1), date(2069, 12, 31))
TWO = (Entrant(1, "A, B", "A", "B"), Entrant(2, "C, D", "C", "D"))
GAMES = [result for result in Result if result not in BYES]


def canonical(tournament: Tournament) -> Tournament:
    """The tournament without its places in a file and without findings."""
    return replace(
        tournament,
        format="TRF26",
        encoding="",
        findings=(),
        entrants=tuple(replace(entrant, line=None) for entrant in tournament.entrants),
        pairings=tuple(pairing._replace(line=None, column=None) for pairing in tournament.pairings),
    )


@st.composite
def entrants(draw: st.DrawFn, number: int) -> Entrant:
    last, first = draw(WORDS), draw(WORDS)
    born = draw(st.none() | DAYS.filter(lambda day: day.year < 2026))
    national = draw(st.booleans())
    return Entrant(
        number=number,
        name=f"{last}, {first}",
        last_name=last,
        first_name=first,
        sex=draw(st.sampled_from(["M", "F", ""])),
        title=draw(st.sampled_from(["", "GM", "WCM"])),
        rating=draw(st.none() | st.integers(1, 3000)),
        federation=draw(st.sampled_from(["RSA", "ZIM", "FID", ""])),
        region=draw(st.sampled_from(["GAU", "LVT", ""])) if national else "",
        fide_id=draw(st.sampled_from(["", "14300001", "343498000"])),
        national_id=draw(st.sampled_from(["", "123456789", "A12"])) if national else "",
        national_federation="RSA" if national else "",
        national_rating=draw(st.none() | st.integers(1, 3000)) if national else None,
        birth_year=born.year if born else draw(st.none() | st.integers(1901, 2025)),
        birth_date=born,
        points=draw(st.none() | st.integers(0, 199).map(lambda halves: halves / 2)),
        rank=draw(st.none() | st.integers(1, 9999)),
    )


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    numbers = sorted(draw(st.sets(st.integers(1, 9999), min_size=1, max_size=7)))
    rounds = draw(st.integers(0, 4))
    pairings: list[Pairing] = []
    for number in range(1, rounds + 1):
        order = draw(st.permutations(numbers))
        games = [order[i : i + 2] for i in range(0, len(order) - 1, 2)]
        sides = [
            Pairing(number, min(pair), max(pair), draw(st.sampled_from([*GAMES, None])), False)
            if draw(st.booleans())
            else Pairing(number, pair[0], pair[1], draw(st.sampled_from([*GAMES, None])))
            for pair in games
        ]
        if len(order) % 2:
            sides.append(Pairing(number, order[-1], None, draw(st.sampled_from(sorted(BYES)))))
        pairings += sorted(sides, key=lambda pairing: pairing.white)
    text = st.just("") | st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
    return Tournament(
        format="TRF26",
        encoding="",
        name=draw(text),
        city=draw(text),
        federation="RSA",
        starts=draw(st.none() | DAYS),
        ends=draw(st.none() | DAYS),
        rounds=rounds,
        planned_rounds=draw(st.none() | st.integers(max(1, rounds), 142)),
        round_dates=tuple(draw(st.lists(DAYS, max_size=4))),
        kind=draw(text),
        kind_code=draw(st.sampled_from(["", "FIDE_DUTCH", "X"])),
        chief_arbiter=draw(text),
        deputy_arbiters=tuple(draw(st.lists(WORDS, max_size=2))),
        time_control_text="as agreed",
        time_control=draw(st.none() | st.builds(TimeControl, st.integers(1, 600), st.integers(0, 300))),
        entrants=tuple(draw(entrants(number)) for number in numbers),
        pairings=tuple(pairings),
        teams=tuple(draw(st.lists(st.builds(Team, WORDS, st.permutations(numbers).map(tuple)), max_size=2))),
        forfeit_slots=2
        * sum(
            pairing.result in (Result.FORFEIT_WHITE_WINS, Result.FORFEIT_BLACK_WINS, Result.FORFEIT_BOTH_LOSE)
            for pairing in pairings
        ),
        bye_slots=sum(pairing.black is None for pairing in pairings),
        extra_lines=tuple(
            draw(
                st.lists(
                    st.sampled_from(["### a comment ", "162  W 3.0", "XXZ 1", "A ruler", "240 H   1    1"]), max_size=3
                )
            )
        ),
    )


@given(tournaments())
def test_what_is_written_reads_back_the_same(tournament: Tournament) -> None:
    content = write_trf26(tournament)
    again = read(content)
    assert again.errors == ()
    assert canonical(again) == tournament
    assert write_trf26(again) == content


def test_every_byte_of_a_small_file() -> None:
    tournament = Tournament(
        format="TRF26",
        encoding="utf-8",
        name="Mopane Open",
        city="Thohoyandou",
        federation="RSA",
        starts=date(2026, 3, 7),
        ends=date(2026, 3, 8),
        rounds=2,
        planned_rounds=2,
        round_dates=(date(2026, 3, 7), date(2026, 3, 8)),
        kind="Swiss",
        kind_code="FIDE_DUTCH",
        chief_arbiter="Tenza, Grace",
        deputy_arbiters=("Ngwenya, Sipho",),
        time_control_text="90+30",
        time_control=TimeControl(90, 30),
        entrants=(
            Entrant(1, "Müller, Änne", "Müller", "Änne", "F", "WIM", 2105, "RSA", "LVT", "", "14300017", "123456789",
                    "RSA", 2050, 1999, date(1999, 12, 31), 1.5, 1),
            Entrant(2, "Cele, Dumisani", "Cele", "Dumisani", "M", birth_year=1985, points=0.0, rank=2),
        ),
        pairings=(Pairing(1, 2, 1, Result.BLACK_WINS), Pairing(2, 1, None, Result.HALF_BYE)),
        teams=(Team("Baobabs", (2, 1)),),
        extra_lines=("### end",),
    )  # fmt: skip
    assert write_trf26(tournament).decode() == (
        "012 Mopane Open\n"
        "022 Thohoyandou\n"
        "032 RSA\n"
        "042 2026/03/07\n"
        "052 2026/03/08\n"
        "062 2\n"
        "072 1\n"
        "082 1\n"
        "092 Swiss\n"
        "102 Tenza, Grace\n"
        "112 Ngwenya, Sipho\n"
        "122 90+30\n"
        "132                                                                                        26/03/07  26/03/08\n"
        "142 2\n"
        "192 FIDE_DUTCH\n"
        "222 5400+30\n"
        "001    1 wWIM Müller, Änne                      2105 RSA    14300017 1999/12/31  1.5    1     2 b 1  0000 - H\n"
        "001    2 m    Cele, Dumisani                                         1985/00/00  0.0    2     1 w 0\n"
        "RSA    1 w    Müller, Änne                      2050 LVT   123456789 1999/12/31\n"
        "310   1 Baobabs                                                             2    1\n"
        "### end\n"
    )


def test_a_converted_swiss_manager_file_keeps_its_national_ids() -> None:
    strings = {0: "Mabena", 1: "Sofia", 5: "123456789", 9: "Baobab CC", 10: "RSA"}
    original = read(tunx([], players=[tunx_player(strings, ratings=(0, 1790))]))
    (entrant,) = read(write_trf26(original)).entrants
    assert (entrant.national_federation, entrant.national_id, entrant.national_rating) == ("RSA", "123456789", 1790)
    assert entrant.fide_id == ""


def test_long_values_are_cut_to_their_columns() -> None:
    entrant = Entrant(1, "N" * 40, "N" * 40, "", rating=12345, federation="RSAX", fide_id="1" * 12, points=0.0)
    (again,) = read(write_trf26(Tournament("TRF26", "", entrants=(entrant,)))).entrants
    assert (again.name, again.rating, again.federation, again.fide_id) == ("N" * 33, None, "RSA", "1" * 11)


def test_long_values_of_a_national_line_are_cut_too() -> None:
    entrant = replace(TWO[0], national_federation="RSA", national_id="9" * 12, region="LVTX", national_rating=12345)
    content = write_trf26(Tournament("TRF26", "", entrants=(replace(entrant, birth_year=1990),)))
    (again,) = read(content).entrants
    assert (again.national_id, again.region, again.national_rating) == ("9" * 11, "LVT", None)
    assert content.decode().splitlines()[-1][69:] == "1990/00/00"


def test_line_breaks_in_values_make_no_lines() -> None:
    tournament = Tournament("TRF26", "", name="Open\r\n001    9 m    Ghost", entrants=(Entrant(1, "A\nB", "A", "B"),))
    again = read(write_trf26(tournament))
    assert [entrant.number for entrant in again.entrants] == [1]


def test_a_name_that_begins_with_a_control_character_is_written_alike_when_it_was_read_back() -> None:
    """Found by `script/fuzz tournament`: a byte that is no letter of the code page the file was read in."""
    content = write_trf26(Tournament("TRF26", "", entrants=(Entrant(1, "\x8dNaidoo", "\x8dNaidoo", ""),)))
    again = read(content)
    assert [entrant.name for entrant in again.entrants] == ["Naidoo"]
    assert write_trf26(again) == content


@pytest.mark.parametrize("federation", ["xxxx", "rsaX", "ßaa", "ŉab", "ﬁx1", "\u0390b"])
def test_a_federation_that_is_none_is_written_as_it_is_read_back(federation: str) -> None:
    """Of “xxxx” the columns would hold “xxx”, which is read as XXX, FIDE's word for none; some letters are two in capitals."""
    players = [tunx_player({0: name, 10: federation}) for name in ("Cele", "Nel")]
    content = write_trf26(read(tunx([(1, 2, 1)], players)))
    assert not read(content).errors
    assert write_trf26(read(content)) == content


def test_zeros_at_the_front_of_a_chess_sa_id_stay_though_no_federation_is_given() -> None:
    """Found by `script/fuzz tournament`."""
    entrant = Entrant(1, "Öz, Ali", "Öz", "Ali", national_id="008100001")
    content = write_trf26(Tournament("TRF26", "", entrants=(entrant,)))
    again = read(content)
    assert [(one.fide_id, one.national_id) for one in again.entrants] == [("", "008100001")]
    assert write_trf26(again) == content


def test_players_whom_a_table_of_results_names_by_their_ids_alone_are_read_back() -> None:
    first = read(table(game(white="180000001,")))
    assert codes(first, Severity.HOLD) == ["name-left-out"]
    written = write_trf26(first)
    again = read(written)
    assert codes(again) == []
    assert "the id “180000001” alone" in message(again, "name-left-out")
    assert write_trf26(again) == written


@pytest.mark.parametrize(("rating", "count"), [(None, 0), (0, 0), (1, 1), (9999, 1), (10_000, 0)])
def test_players_with_a_rating_that_fits_its_columns_are_counted(rating: int | None, count: int) -> None:
    """Found by `script/fuzz tournament`: record 072 counted a rating of five figures, which is left out."""
    content = write_trf26(Tournament("TRF26", "", entrants=(Entrant(1, "A, B", "A", "B", rating=rating),)))
    assert f"\n072 {count}\n" in content.decode()
    assert write_trf26(read(content)) == content


def test_a_year_is_written_with_four_figures() -> None:
    """Found by `script/fuzz tournament`: 26/03/07 would be read as of 2026."""
    content = write_trf26(Tournament("TRF26", "", name="Open", starts=date(26, 3, 7), entrants=TWO))
    assert b"\n042 0026/03/07\n" in content
    assert read(content).starts == date(26, 3, 7)


@pytest.mark.parametrize(
    ("entrants", "pairings", "words"),
    [
        ((Entrant(0, "A, B", "A", "B"),), (), "columns 5-8"),
        ((Entrant(10_000, "A, B", "A", "B"),), (), "columns 5-8"),
        (TWO, (Pairing(1, 1, None, Result.DRAW),), "no opponent"),
        (TWO, (Pairing(1, 1, 3, Result.DRAW),), "start number 3"),
        (TWO, (Pairing(1, 1, 2, Result.DRAW), Pairing(1, 2, None, Result.HALF_BYE)), "player 2 is paired twice"),
    ],
)
def test_what_the_format_cannot_say_is_refused(
    entrants: tuple[Entrant, ...], pairings: tuple[Pairing, ...], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        write_trf26(Tournament("TRF26", "", entrants=entrants, pairings=pairings))


def test_a_round_is_written_whatever_the_number_of_rounds() -> None:
    tournament = Tournament("TRF26", "", rounds=0, entrants=TWO, pairings=(Pairing(3, 1, 2, Result.DRAW),))
    assert read(write_trf26(tournament)).rounds == 3


@pytest.mark.parametrize(("points", "written"), [(99.5, 99.5), (100.0, None)])
def test_points_beyond_their_columns_are_left_out(points: float, written: float | None) -> None:
    (again,) = read(write_trf26(Tournament("TRF26", "", entrants=(replace(TWO[0], points=points),)))).entrants
    assert again.points == written


def test_an_empty_tournament_is_a_file() -> None:
    assert write_trf26(Tournament("TRF26", "")) == trf(
        header=["012", "022", "032", "042", "052", "062 0", "072 0", "082 0", "092", "102", "122"]
    )


def test_rounds_of_which_no_day_is_known_are_written_without_a_line_of_days():
    written = write_trf26(Tournament(format="TRF26", encoding="utf-8", entrants=TWO, round_dates=(None, None)))
    assert b"\n132" not in written
    assert write_trf26(read(written)) == written


@pytest.mark.parametrize("blank", ["\u1680", "\u2028", "\x01"])
def test_an_id_with_a_blank_or_a_control_character_before_it_is_written_alike_when_it_was_read_back(blank: str) -> None:
    players = [tunx_player({0: "Cele", 1: "Ann", 5: f"{blank}0001"}), tunx_player({0: "Nel", 1: "Jan"})]
    first = read(tunx([(1, 2, 1)], players))
    assert [entrant.national_id for entrant in first.entrants] == ["0001", ""]
    assert write_trf26(read(write_trf26(first))) == write_trf26(first)
