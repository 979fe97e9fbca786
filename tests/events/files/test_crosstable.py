"""The crosstable as an arbiter types it: what each text means, and what does not go together."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.files.crosstable import MIRROR, CellError, read_cell, read_cells, write_cells
from events.rules.game_result import BYES, Result
from events.rules.tournament import Pairing

FOUR = {1, 2, 3, 4}


def pairings(cells, numbers=FOUR):
    found, problems, _ = read_cells(cells, numbers)
    assert problems == {}
    return found


def problems(cells, numbers=FOUR):
    return read_cells(cells, numbers)[1]


@pytest.mark.parametrize(
    ("text", "pairing"),
    [
        ("2w1", Pairing(1, 1, 2, Result.WHITE_WINS)),
        ("2b1", Pairing(1, 2, 1, Result.BLACK_WINS)),
        (" 2 W 1 ", Pairing(1, 1, 2, Result.WHITE_WINS)),
        ("2w½", Pairing(1, 1, 2, Result.DRAW)),
        ("2w=", Pairing(1, 1, 2, Result.DRAW)),
        ("2w0.5", Pairing(1, 1, 2, Result.DRAW)),
        ("2w,5", Pairing(1, 1, 2, Result.DRAW)),
        ("2b1/2", Pairing(1, 2, 1, Result.DRAW)),
        ("2w", Pairing(1, 1, 2, None)),
        ("2 1", Pairing(1, 1, 2, Result.WHITE_WINS, colour_known=False)),
        ("2½", Pairing(1, 1, 2, Result.DRAW, colour_known=False)),
        ("2", Pairing(1, 1, 2, None, colour_known=False)),
        ("2w+", Pairing(1, 1, 2, Result.FORFEIT_WHITE_WINS)),
        ("2w–", Pairing(1, 1, 2, Result.FORFEIT_BLACK_WINS)),
        ("2w--", Pairing(1, 1, 2, Result.FORFEIT_BOTH_LOSE)),
        ("2b0u", Pairing(1, 2, 1, Result.UNPLAYED_WHITE_WINS)),
        ("2w0-0", Pairing(1, 1, 2, Result.BOTH_LOSE)),
        ("2b½-0", Pairing(1, 2, 1, Result.BLACK_HALF)),
        ("bye", Pairing(1, 1, None, Result.PAIRING_BYE)),
        ("U", Pairing(1, 1, None, Result.PAIRING_BYE)),
        ("bye ½", Pairing(1, 1, None, Result.HALF_BYE)),
        ("bye=", Pairing(1, 1, None, Result.HALF_BYE)),
        ("bye1", Pairing(1, 1, None, Result.FULL_BYE)),
        ("-", Pairing(1, 1, None, Result.ZERO_BYE)),
        ("z", Pairing(1, 1, None, Result.ZERO_BYE)),
    ],
)
def test_what_a_text_means(text, pairing):
    assert pairings({(1, 1): text}) == [pairing]


@pytest.mark.parametrize(
    "text", ["x", "1-0", "½", "+", "2x1", "2w2", "2w11", "0w1", "12345w1", "٢w1", "2w1\0", "w" * 10_000]
)
def test_what_means_nothing_is_said_and_how_it_is_written(text):
    with pytest.raises(CellError, match=r"cannot be read\. Write it as 12w1"):
        read_cell(text)


def test_letters_that_files_give_another_meaning_are_not_guessed():
    # In a file D is a draw without a move, which is not rated; who types it means a draw.
    for text in ("2wd", "2ww", "2wl"):
        with pytest.raises(CellError):
            read_cell(text)


@pytest.mark.parametrize("text", ["", "  ", "\t"])
def test_a_blank_cell_says_nothing(text):
    assert read_cell(text) is None


def test_ten_and_a_half_is_a_draw_against_ten():
    assert read_cell("10.5").opponent == 10


def test_one_side_is_enough_and_both_sides_may_share_what_is_known():
    game = [Pairing(1, 1, 2, Result.WHITE_WINS)]
    assert pairings({(1, 1): "2w1"}) == game
    assert pairings({(2, 1): "1b0"}) == game
    assert pairings({(1, 1): "2w1", (2, 1): "1b0"}) == game
    assert pairings({(1, 1): "2w", (2, 1): "1 0"}) == game


@pytest.mark.parametrize(
    ("cells", "wrong", "said"),
    [
        ({(1, 1): "1w1"}, [(1, 1)], "cannot be the own opponent"),
        ({(1, 1): "9w1"}, [(1, 1)], "no player 9"),
        ({(7, 1): "1w1"}, [(7, 1)], "Row 7"),
        ({(1, 1): "2w1", (2, 1): "1b1"}, [(1, 1), (2, 1)], "does not go with"),
        ({(1, 1): "2w1", (2, 1): "1w0"}, [(1, 1), (2, 1)], "has White"),
        ({(1, 1): "2w1", (2, 1): "3b0"}, [(1, 1)], "says an opponent 3"),
        ({(1, 1): "2w1", (2, 1): "bye"}, [(1, 1)], "says a bye"),
        ({(1, 1): "3w1", (2, 1): "3b½"}, [(1, 1), (2, 1)], "in this round, too"),
    ],
)
def test_what_does_not_go_together_is_said_at_its_cells(cells, wrong, said):
    found = problems(cells)
    assert sorted(found) == wrong
    assert said in found[wrong[0]]


def test_rounds_do_not_mix():
    assert len(pairings({(1, 1): "2w1", (1, 2): "3b½", (2, 2): "4w0"})) == 3


@st.composite
def rounds(draw):
    found = []
    for number in range(1, draw(st.integers(1, 3)) + 1):
        order = draw(st.permutations(range(1, 8)))
        for white, black in zip(order[:6:2], order[1:6:2], strict=True):
            known = draw(st.booleans())
            sides = (white, black) if known else (min(white, black), max(white, black))
            result = draw(st.sampled_from([*sorted(set(Result) - BYES), None]))
            found.append(Pairing(number, *sides, result, known))
        found.append(Pairing(number, order[6], None, draw(st.sampled_from(sorted(BYES)))))
    return sorted(found, key=lambda one: (one.round, one.white))


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(rounds())
def test_what_is_written_reads_as_the_same_games(games):
    cells = write_cells(games)
    assert pairings(cells, range(1, 8)) == games
    # One of the two cells is enough for all but colours that are not known, which stand by the lower number.
    halves = {(number, round_): text for (number, round_), text in cells.items() if number % 2}
    assert set(pairings(halves, range(1, 8))) <= set(games)


def test_a_mirror_shows_its_mirror():
    assert all(MIRROR[MIRROR[text]] == text for text in MIRROR)
