"""What changed between two files of one section: nothing that stayed, everything that did not, whichever file comes first."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.files.reader import read
from events.rules.game_result import BYES, Result, mirrored
from events.rules.tournament import Entrant, Pairing, TimeControl, Tournament
from events.submission.differences import Difference, What, differences
from tests.builders import open_file

NAMES = ("Adendorff, Bets", "Botha, Jan", "Cele, Ann", "Dlamini, Eve", "Erasmus, Ina")


def entrant(number: int, **fields: object) -> Entrant:
    name = str(fields.pop("name", NAMES[number - 1]))
    last, _, first = name.partition(", ")
    given = {"national_id": f"18000000{number}", "line": 10 + number, **fields}
    return Entrant(number, name, last, first, **given)


ENTRANTS = tuple(entrant(number) for number in range(1, 5))
GAMES = (
    Pairing(1, 1, 2, Result.WHITE_WINS, line=11),
    Pairing(1, 3, 4, Result.DRAW, line=13),
    Pairing(2, 2, 3, Result.BLACK_WINS, line=12),
    Pairing(2, 1, None, Result.PAIRING_BYE, line=11),
)
FILE = Tournament(
    "TRF16",
    "ascii",
    name="Mopane Open",
    starts=date(2024, 3, 2),
    ends=date(2024, 3, 3),
    rounds=2,
    round_dates=(date(2024, 3, 2), date(2024, 3, 3)),
    chief_arbiter="IA Grace Tenza",
    time_control_text="90+30",
    time_control=TimeControl(90, 30),
    entrants=ENTRANTS,
    pairings=GAMES,
)


def with_entrant(**fields: object) -> Tournament:
    """The file with a second player who is another in these fields."""
    return replace(FILE, entrants=(ENTRANTS[0], entrant(2, **fields), *ENTRANTS[2:]))


def with_game(index: int, pairing: Pairing) -> Tournament:
    return replace(FILE, pairings=(*GAMES[:index], pairing, *GAMES[index + 1 :]))


def one(after: Tournament, before: Tournament = FILE) -> Difference:
    (found,) = differences(before, after)
    return found


@pytest.mark.parametrize(
    ("fields", "what", "before", "after", "sentence"),
    [
        ({"name": "Mopane Closed"}, What.EVENT_NAME, "Mopane Open", "Mopane Closed",
         "The name of the event is Mopane Closed instead of Mopane Open."),
        ({"city": "Tzaneen"}, What.CITY, "", "Tzaneen", "The city is Tzaneen; there was none."),
        ({"city": "Tza\u202ene\u200b"}, What.CITY, "", "Tza‹U+202E›ne‹U+200B›",
         "The city is Tza‹U+202E›ne‹U+200B›; there was none."),
        ({"starts": date(2024, 3, 1)}, What.STARTS, "2024-03-02", "2024-03-01",
         "The start is 2024-03-01 instead of 2024-03-02."),
        ({"ends": None}, What.ENDS, "2024-03-03", "", "The end is gone; it was 2024-03-03."),
        ({"chief_arbiter": "FA Ben Ras"}, What.CHIEF_ARBITER, "IA Grace Tenza", "FA Ben Ras",
         "The Chief Arbiter is FA Ben Ras instead of IA Grace Tenza."),
        ({"deputy_arbiters": ("Ann Nel", "Ben Ras")}, What.DEPUTY_ARBITERS, "", "Ann Nel; Ben Ras",
         "The list of the Deputies is Ann Nel; Ben Ras; there was none."),
        ({"time_control": TimeControl(60, 0)}, What.TIME_CONTROL, "90+30", "60+0",
         "The time control is 60+0 instead of 90+30."),
        ({"planned_rounds": 7}, What.PLANNED_ROUNDS, "", "7", "The number of rounds planned is 7; there was none."),
        ({"round_dates": (date(2024, 3, 2), date(2024, 3, 4))}, What.ROUND_DATE, "2024-03-03", "2024-03-04",
         "The date of round 2 is 2024-03-04 instead of 2024-03-03."),
        ({"round_dates": (date(2024, 3, 2),)}, What.ROUND_DATE, "2024-03-03", "",
         "The date of round 2 is gone; it was 2024-03-03."),
    ],
)  # fmt: skip
def test_the_event(fields, what, before, after, sentence):
    assert one(replace(FILE, **fields)) == Difference(what, before, after, None, sentence)


@pytest.mark.parametrize(
    ("fields", "what", "before", "after", "sentence"),
    [
        ({"name": "Botha, Johan"}, What.NAME, "Botha, Jan", "Botha, Johan",
         "The name of Botha, Jan is Botha, Johan instead of Botha, Jan."),
        ({"national_id": "180000009"}, What.NATIONAL_ID, "180000002", "180000009",
         "The national id of Botha, Jan is 180000009 instead of 180000002."),
        ({"fide_id": "14300001"}, What.FIDE_ID, "", "14300001", "The FIDE id of Botha, Jan is 14300001; there was none."),
        ({"birth_year": 1990, "birth_date": date(1990, 5, 17)}, What.BIRTH, "", "1990-05-17",
         "The birth date of Botha, Jan is 1990-05-17; there was none."),
        ({"birth_year": 1990}, What.BIRTH, "", "1990", "The birth date of Botha, Jan is 1990; there was none."),
        ({"sex": "M"}, What.SEX, "", "M", "The sex of Botha, Jan is M; there was none."),
        ({"title": "FM"}, What.TITLE, "", "FM", "The title of Botha, Jan is FM; there was none."),
        ({"rating": 1800}, What.RATING, "", "1800", "The rating of Botha, Jan is 1800; there was none."),
    ],
)  # fmt: skip
def test_a_player(fields, what, before, after, sentence):
    assert one(with_entrant(**fields)) == Difference(what, before, after, 12, sentence)


def test_a_player_more_and_a_player_less():
    more = replace(FILE, entrants=(*ENTRANTS, entrant(5)))
    assert one(more) == Difference(What.PLAYER_ADDED, "", "Erasmus, Ina", 15, "Erasmus, Ina is new in the file.")
    assert one(FILE, more) == Difference(
        What.PLAYER_GONE, "Erasmus, Ina", "", None, "Erasmus, Ina is no longer in the file."
    )


def test_other_start_numbers_are_no_difference():
    turned = {1: 4, 2: 3, 3: 2, 4: 1}
    entrants = tuple(replace(one, number=turned[one.number]) for one in ENTRANTS)
    games = tuple(one._replace(white=turned[one.white], black=turned.get(one.black)) for one in GAMES)
    assert differences(FILE, replace(FILE, entrants=entrants, pairings=games)) == []


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({}, {"name": "Steyn, Willem"}, ["name"]),  # the national id
        ({"fide_id": "143"}, {"fide_id": "143", "national_id": "180000009"}, ["national-id"]),  # the FIDE id
        ({"national_id": ""}, {"name": "jan BOTHA"}, ["name", "national-id"]),  # the name
        (
            {"national_id": ""},
            {"name": "Botha, Jann", "national_id": ""},
            ["name"],
        ),  # start number, and nearly the name
        ({"national_id": ""}, {"name": "Steyn, Willem", "national_id": ""}, None),  # nobody
    ],
)
def test_who_is_the_same_player(before, after, found):
    whats = [one.what.value for one in differences(with_entrant(**before), with_entrant(**after))]
    assert whats == (found or ["player-added", "player-gone", "game-added", "game-added", "game-gone", "game-gone"])


@pytest.mark.parametrize(
    ("index", "pairing", "what", "before", "after", "sentence"),
    [
        (0, Pairing(1, 1, 2, Result.DRAW, line=11), What.RESULT,
         "Adendorff, Bets – Botha, Jan 1-0", "Adendorff, Bets – Botha, Jan 1/2-1/2",
         "Round 1: Adendorff, Bets – Botha, Jan 1/2-1/2 instead of Adendorff, Bets – Botha, Jan 1-0."),
        (0, Pairing(1, 1, 2, None, line=11), What.RESULT,
         "Adendorff, Bets – Botha, Jan 1-0", "Adendorff, Bets – Botha, Jan without a result",
         "Round 1: Adendorff, Bets – Botha, Jan without a result instead of Adendorff, Bets – Botha, Jan 1-0."),
        (0, Pairing(1, 2, 1, Result.WHITE_WINS, line=11), What.RESULT,
         "Adendorff, Bets – Botha, Jan 1-0", "Botha, Jan – Adendorff, Bets 1-0",
         "Round 1: Botha, Jan – Adendorff, Bets 1-0 instead of Adendorff, Bets – Botha, Jan 1-0."),
        (0, Pairing(1, 2, 1, Result.BLACK_WINS, line=11), What.COLOURS,
         "Adendorff, Bets – Botha, Jan 1-0", "Botha, Jan – Adendorff, Bets 0-1",
         "Round 1: the colours are those of Botha, Jan – Adendorff, Bets 0-1 instead of Adendorff, Bets – Botha, Jan 1-0; "
         "the result stays."),
        (1, Pairing(1, 3, 4, Result.DRAW, False, line=13), What.COLOURS,
         "Cele, Ann – Dlamini, Eve 1/2-1/2", "Cele, Ann – Dlamini, Eve 1/2-1/2 (colours not known)",
         "Round 1: the colours are those of Cele, Ann – Dlamini, Eve 1/2-1/2 (colours not known) instead of Cele, Ann – "
         "Dlamini, Eve 1/2-1/2; the result stays."),
        (3, Pairing(2, 1, None, Result.HALF_BYE, line=11), What.RESULT,
         "Adendorff, Bets bye", "Adendorff, Bets bye-half",
         "Round 2: Adendorff, Bets bye-half instead of Adendorff, Bets bye."),
    ],
)  # fmt: skip
def test_a_game(index, pairing, what, before, after, sentence):
    assert one(with_game(index, pairing)) == Difference(what, before, after, pairing.line, sentence)


def test_players_of_one_name_are_told_apart():
    entrants = (entrant(1), entrant(2, name=NAMES[0]), *ENTRANTS[2:])
    games = (GAMES[0]._replace(result=Result.DRAW), *GAMES[1:])
    exchanged = (games[0]._replace(white=2, black=1), *games[1:])
    found = one(replace(FILE, entrants=entrants, pairings=exchanged), replace(FILE, entrants=entrants, pairings=games))
    assert found.what is What.COLOURS
    assert (found.before.count("(180000001)"), found.after.count("(180000001)")) == (1, 1)
    assert found.before != found.after


def test_a_game_more_and_a_game_less():
    less = replace(FILE, pairings=GAMES[:-1])
    said = "Adendorff, Bets bye"
    assert one(less) == Difference(What.GAME_GONE, said, "", None, f"Round 2: {said} is no longer in the file.")
    assert one(FILE, less) == Difference(What.GAME_ADDED, "", said, 11, f"Round 2: {said} is new in the file.")


def test_another_opponent_is_a_game_gone_and_a_game_added():
    found = differences(FILE, with_game(3, Pairing(2, 1, 4, Result.DRAW, line=11)))
    assert [(one.what, one.before, one.after) for one in found] == [
        (What.GAME_ADDED, "", "Adendorff, Bets – Dlamini, Eve 1/2-1/2"),
        (What.GAME_GONE, "Adendorff, Bets bye", ""),
    ]


def test_a_player_without_a_name_is_called_by_his_id():
    before, after = with_entrant(name=""), with_entrant(name="", sex="F")
    assert one(after, before).sentence == "The sex of 180000002 is F; there was none."


def test_the_order_is_event_rounds_players_games():
    after = replace(
        with_game(0, Pairing(1, 1, 2, Result.DRAW, line=11)),
        name="Closed",
        round_dates=(),
        entrants=(ENTRANTS[0], entrant(2, sex="M"), *ENTRANTS[2:], entrant(5)),
    )
    assert [one.what.value for one in differences(FILE, after)] == [
        "event-name", "round-date", "round-date", "sex", "player-added", "result",
    ]  # fmt: skip


def test_two_files_of_one_event():
    before, after = read(open_file()), read(open_file(name="Mopane Closed", dated=False))
    assert [one.what.value for one in differences(before, after)] == ["event-name", *["round-date"] * 5]
    assert differences(before, read(open_file())) == []


people = st.builds(
    lambda number, name, national, fide, born: Entrant(
        number, name, *name.split(", "), national_id=national, fide_id=fide, birth_year=born
    ),
    st.integers(1, 6),
    st.sampled_from([*NAMES, "Botha, Johan", "Cele, Anne"]),
    st.sampled_from(["", "", "180000001", "180000002", "180000003"]),
    st.sampled_from(["", "", "143", "144"]),
    st.sampled_from([None, 1990, 2001]),
)


@st.composite
def files(draw) -> Tournament:
    """A tournament, its players in any order, its games as a reader gives them: each player once a round."""
    entrants = draw(st.lists(people, max_size=6, unique_by=lambda one: one.number))
    numbers = [one.number for one in entrants]
    games = []
    for number in range(1, draw(st.integers(0, 3)) + 1):
        order = draw(st.permutations(numbers))
        for white, black in zip(order[::2], order[1::2], strict=False):
            result = draw(st.sampled_from([result for result in Result if result not in BYES]) | st.none())
            games.append(Pairing(number, white, black, result, draw(st.booleans())))
        if len(order) % 2:
            games.append(Pairing(number, order[-1], None, draw(st.sampled_from(sorted(BYES)))))
    days = draw(st.lists(st.sampled_from([None, date(2024, 3, 2), date(2024, 3, 3)]), max_size=3))
    return Tournament(
        "TRF16",
        "ascii",
        name=draw(st.sampled_from(["", "Open", "Closed"])),
        round_dates=tuple(days),
        entrants=tuple(entrants),
        pairings=tuple(games),
    )


@given(files())
def test_nothing_changed_in_the_same_file(file):
    assert differences(file, file) == []


MIRROR = {
    What.PLAYER_ADDED: What.PLAYER_GONE,
    What.PLAYER_GONE: What.PLAYER_ADDED,
    What.GAME_ADDED: What.GAME_GONE,
    What.GAME_GONE: What.GAME_ADDED,
}


@given(files(), files())
def test_the_other_way_round_is_the_mirror(before, after):
    there = [(one.what, one.before, one.after) for one in differences(before, after)]
    back = [(MIRROR.get(one.what, one.what), one.after, one.before) for one in differences(after, before)]
    assert sorted(there) == sorted(back)


@given(files(), files())
def test_every_difference_is_told_with_what_it_was_and_is(before, after):
    for found in differences(before, after):
        assert found.before != found.after
        assert found.sentence.endswith(".")
        assert "\n" not in found.sentence
        assert found.after in found.sentence
        assert found.before in found.sentence


@given(st.sampled_from(list(Result)))
def test_a_result_mirrored_twice_is_itself(result):
    assert mirrored(mirrored(result)) is result


def test_a_name_without_end_is_quoted_as_far_as_it_is_kept():
    found = one(replace(FILE, name="Mopane Open " + "x" * 65_000))
    assert found.what is What.EVENT_NAME
    assert len(found.sentence) < 10_100
