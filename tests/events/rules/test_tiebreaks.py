import pytest

from events.rules.game_result import POINTS, Result
from events.rules.tiebreaks import is_ordered, named, places, rounds_of, tie_breaks

# A Swiss of six in three rounds, worked by hand. F asks for a half-point bye in round 2 and is away in round 3; C wins by
# forfeit against E in round 3; D has the pairing bye in round 3.
SWISS = [
    (1, "A", "D", "1-0"),
    (1, "B", "E", "1-0"),
    (1, "C", "F", "1/2-1/2"),
    (2, "A", "B", "1/2-1/2"),
    (2, "D", "C", "0-1"),
    (2, "E", None, "bye"),
    (2, "F", None, "bye-half"),
    (3, "B", "A", "0-1"),
    (3, "C", "E", "+--"),
    (3, "D", None, "bye"),
]


def worked(games, *, round_robin=False):
    pairings = [(number, white, black, Result(text)) for number, white, black, text in games]
    points = {}
    for _, *sides, result in pairings:
        for player, gained in zip(sides, POINTS[result], strict=True):
            if player:
                points[player] = points.get(player, 0.0) + gained
    rounds = rounds_of(pairings, round_robin=round_robin)
    return points, tie_breaks(points, rounds, max(game[0] for game in games), round_robin=round_robin)


def test_a_swiss_worked_by_hand():
    points, figures = worked(SWISS)
    assert points == {"A": 2.5, "D": 1, "B": 1.5, "E": 1, "C": 2.5, "F": 1}
    # For opponents F has 1½: the bye of round 2 counts as the draw that it was, the absence of round 3 as a draw.
    assert figures["A"] == {"BH": 1 + 1.5 + 1.5, "BH/C1": 3.0, "SB": 1 + 0.75 + 1.5, "WIN": 2}
    assert figures["C"] == {"BH": 1.5 + 1 + 2.5, "BH/C1": 4.0, "SB": 0.75 + 1 + 2.5, "WIN": 2}
    # E lost by forfeit: that round, with E's own point, is cut although it is not the least of all.
    assert figures["E"] == {"BH": 1.5 + 1 + 1, "BH/C1": 2.5, "SB": 1, "WIN": 1}
    # F's own unplayed rounds count F's own point each.
    assert figures["F"] == {"BH": 2.5 + 1 + 1, "BH/C1": 3.5, "SB": 1.25 + 0.5, "WIN": 0}
    assert figures["D"] == {"BH": 2.5 + 2.5 + 1, "BH/C1": 5.0, "SB": 1, "WIN": 1}


def test_a_bye_before_a_round_that_was_played_counts_as_it_stands():
    games = [(1, "A", "B", "1-0"), (1, "C", None, "bye-zero"), (2, "A", "C", "1-0"), (2, "B", None, "bye-zero")]
    _, figures = worked(games)
    assert figures["A"]["BH"] == 0.5 + 0  # B left after round 1; C came late


def test_in_a_round_robin_a_forfeit_counts_as_played_and_a_free_round_as_none():
    games = [
        (1, "A", "B", "1-0"),
        (1, "C", None, "bye-zero"),
        (2, "C", "A", "+--"),
        (2, "B", None, "bye-zero"),
        (3, "B", "C", "1/2-1/2"),
        (3, "A", None, "bye-zero"),
    ]
    points, figures = worked(games, round_robin=True)
    assert points == {"A": 1, "B": 0.5, "C": 1.5}
    assert {name: row["SB"] for name, row in figures.items()} == {"A": 0.5, "B": 0.75, "C": 1 + 0.25}
    assert {name: row["WIN"] for name, row in figures.items()} == {"A": 1, "B": 0, "C": 1}


def test_equal_keys_share_the_better_place():
    assert places([(3.0, 5.0), (2.0, 4.0), (2.0, 4.0), (1.0, 9.0)]) == [1, 2, 2, 4]


@pytest.mark.parametrize(("keys", "ordered"), [([(3.0,), (2.0,), (2.0,)], True), ([(2.0, 1.0), (2.0, 1.5)], False)])
def test_whether_a_file_s_order_is_that_of_the_tie_breaks(keys, ordered):
    assert is_ordered(keys) is ordered


def test_the_tie_breaks_that_a_file_names():
    found = named(["PTS", "BH/C1", "bh", "DE"])
    assert [tie_break.name for tie_break in found.known] == ["Buchholz cut 1", "Buchholz"]
    assert found.others == ("DE",)
