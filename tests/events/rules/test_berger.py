"""The pairings of a round-robin."""

import pytest

from events.rules.berger import berger


def test_six_players_as_the_handbook_prints_them():
    assert berger(range(1, 7)) == [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ]


@pytest.mark.parametrize("count", range(2, 17))
def test_everybody_meets_everybody_once(count):
    rounds = berger(range(1, count + 1))
    games = [frozenset(pair) for pairs in rounds for pair in pairs if pair[1] is not None]
    assert len(games) == len(set(games)) == count * (count - 1) // 2
    for pairs in rounds:
        there = [number for pair in pairs for number in pair if number is not None]
        assert sorted(there) == list(range(1, count + 1))


def test_who_is_free_stands_alone_and_numbers_may_have_gaps():
    assert berger([2, 5, 9])[0] == [(2, None), (5, 9)]


def test_the_second_cycle_turns_the_colours():
    first, second = berger([1, 2], cycles=2)
    assert (first, second) == ([(1, 2)], [(2, 1)])
