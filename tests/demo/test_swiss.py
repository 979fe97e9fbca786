from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demo.swiss import PairingError, Pairs, PlayerCard, pair_round, record_game, round_robin


@st.composite
def swiss_rounds(draw):
    """A Swiss of up to half as many rounds as players, results and absences at random."""
    players = draw(st.integers(min_value=6, max_value=26))
    rounds = draw(st.integers(min_value=1, max_value=players // 2 - 1))
    random = Random(draw(st.integers(min_value=0, max_value=10**6)))
    absent_once = draw(st.booleans())
    cards = {number: PlayerCard(number) for number in range(1, players + 1)}
    played: list[tuple[list[PlayerCard], Pairs]] = []
    for round_ in range(rounds):
        away = {random.choice(sorted(cards))} if absent_once and round_ == 1 and players % 2 == 0 else set()
        present = [card for number, card in cards.items() if number not in away]
        before = [PlayerCard(c.number, c.points, set(c.met), c.balance, c.had_white, c.had_bye) for c in present]
        pairs = pair_round(present)
        for white, black in pairs.games:
            record_game(cards[white], cards[black])
            score = random.choice((0.0, 0.5, 1.0))
            cards[white].points += score
            cards[black].points += 1 - score
        if pairs.bye is not None:
            cards[pairs.bye].had_bye = True
            cards[pairs.bye].points += 1
        played.append((before, pairs))
    return played


def in_round(pairs: Pairs) -> list[int]:
    return [number for game in pairs.games for number in game] + ([] if pairs.bye is None else [pairs.bye])


@settings(max_examples=60, deadline=None)
@given(swiss_rounds())
def test_everybody_present_stands_once_in_a_round(played):
    for before, pairs in played:
        assert sorted(in_round(pairs)) == sorted(card.number for card in before)


@settings(max_examples=60, deadline=None)
@given(swiss_rounds())
def test_nobody_meets_twice(played):
    games = [frozenset(game) for _, pairs in played for game in pairs.games]
    assert len(games) == len(set(games))


@settings(max_examples=60, deadline=None)
@given(swiss_rounds())
def test_there_is_one_bye_a_round_at_most_and_one_a_player(played):
    byes = [pairs.bye for _, pairs in played if pairs.bye is not None]
    assert len(byes) == len(set(byes))
    assert all((pairs.bye is None) == (len(before) % 2 == 0) for before, pairs in played)


@settings(max_examples=60, deadline=None)
@given(swiss_rounds())
def test_who_had_white_less_often_gets_it(played):
    for before, pairs in played:
        balance = {card.number: card.balance for card in before}
        assert all(balance[white] <= balance[black] for white, black in pairs.games)


def test_the_first_round_pairs_the_top_half_against_the_bottom_half():
    pairs = pair_round([PlayerCard(number) for number in range(1, 9)])
    assert sorted(tuple(sorted(game)) for game in pairs.games) == [(1, 5), (2, 6), (3, 7), (4, 8)]


def test_the_bye_goes_to_the_lowest_who_had_none():
    cards = [
        PlayerCard(1, 2.0),
        PlayerCard(2, 1.0),
        PlayerCard(3, 1.0),
        PlayerCard(4, 0.5),
        PlayerCard(5, 0.0, had_bye=True),
    ]
    assert pair_round(cards).bye == 4


def test_players_of_equal_points_meet():
    cards = [PlayerCard(1, 1.0), PlayerCard(2, 0.0), PlayerCard(3, 1.0), PlayerCard(4, 0.0)]
    assert sorted(tuple(sorted(game)) for game in pair_round(cards).games) == [(1, 3), (2, 4)]


def test_a_round_that_would_need_a_repeat_is_refused():
    with pytest.raises(PairingError):
        pair_round([PlayerCard(1, met={2}), PlayerCard(2, met={1})])


def test_three_who_all_had_the_bye_are_refused():
    with pytest.raises(PairingError):
        pair_round([PlayerCard(number, had_bye=True) for number in (1, 2, 3)])


@given(st.integers(min_value=2, max_value=15))
def test_a_round_robin_has_every_pair_once(players):
    rounds = round_robin(players)
    games = sorted(tuple(sorted(game)) for pairs in rounds for game in pairs.games)
    assert games == [(one, other) for one in range(1, players + 1) for other in range(one + 1, players + 1)]
    assert all(sorted(in_round(pairs)) == list(range(1, players + 1)) for pairs in rounds)


@given(st.integers(min_value=2, max_value=15))
def test_a_double_round_robin_changes_the_colours(players):
    games = [game for pairs in round_robin(players, double=True) for game in pairs.games]
    assert len(games) == len(set(games)) == players * (players - 1)


@given(st.integers(min_value=2, max_value=15))
def test_colours_of_a_round_robin_are_even(players):
    games = [game for pairs in round_robin(players) for game in pairs.games]
    for number in range(1, players + 1):
        whites = sum(white == number for white, _ in games)
        assert abs(2 * whites - (players - 1)) <= 2
