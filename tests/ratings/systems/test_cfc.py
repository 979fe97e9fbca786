"""What the CFC calculation promises: the formulas, the order for newcomers, bonuses, floors, matches, and what follows."""

import json
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from config.lib.editions import edition_named, edition_on
from ratings.systems.base import Event, Game, GameResult, Opponent, RatingError
from ratings.systems.cfc import EDITIONS, Standing, Status, rate
from ratings.systems.cfc.formulas import (
    bonus_k,
    bonus_threshold,
    bonuses,
    expected_score,
    half_up,
    k_factor,
    low_floor,
    natural_rating,
    performance,
)
from tests.ratings.systems.cfc_builder import RULES, UNRATED, against, established, event, one, provisional

FACTS = json.loads((Path(__file__).parent.parent / "cases" / "cfc" / "facts.json").read_text(encoding="utf-8"))


@pytest.mark.rule("cfc 414d", "cfc article-example")
@pytest.mark.parametrize("rules", EDITIONS, ids=lambda edition: edition.name)
@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact["id"])
def test_published_figures(fact, rules):
    given = fact["input"]
    threshold = bonus_threshold(given["n"], given["k"], rules)
    found = {"threshold": threshold}
    if fact["fact"] == "bonus":
        natural = Fraction(given["rating"] + given["natural_gain"])
        high, jump = bonuses(given["rating"], natural, given["high"], given["n"], given["k"], rules)
        assert given["k"] == bonus_k(given["rating"], rules)
        exact = natural + high + jump
        found = {"bonus_high": high, "bonus_jump": jump, "exact": exact, "rating": half_up(exact)}
    for name, value in fact["expected"].items():
        assert float(found[name]) == pytest.approx(value, abs=fact["tolerance"]), name


# Handbook, section 414b: the differences for .50, .51 … .99 of the higher rated player.
TABLE = (
    "0-3 4-10 11-17 18-25 26-32 33-39 40-46 47-53 54-61 62-68 69-76 77-83 84-91 92-98 99-106 107-113 114-121 122-129"
    " 130-137 138-145 146-153 154-162 163-170 171-179 180-188 189-197 198-206 207-215 216-225 226-235 236-245 246-256"
    " 257-267 268-278 279-290 291-302 303-315 316-328 329-344 345-357 358-374 375-391 392-411 412-432 433-456 457-484"
    " 485-517 518-559 560-619 620-734"
)


@pytest.mark.rule("cfc 414b")
def test_the_table_of_expected_scores():
    for hundredths, band in enumerate(TABLE.split(), start=50):
        for difference in map(int, band.split("-")):
            assert expected_score(1000 + difference, 1000, RULES) == Fraction(hundredths, 100)
            assert expected_score(1000, 1000 + difference, RULES) == 1 - Fraction(hundredths, 100)
    assert [expected_score(1735, 1000, RULES), expected_score(1000, 1735, RULES)] == [1, 0]
    assert [expected_score(2600, 300, RULES), expected_score(300, 2600, RULES)] == [1, 0]


@pytest.mark.rule("cfc 414b", "cfc 425")
def test_the_handbooks_sample_of_expected_scores():
    # Handbook, section 425.
    scores = [expected_score(1450, other, RULES) for other in (1237, 1511, 1214, 1441, 1579, 2133)]
    assert scores == [Fraction(n, 100) for n in (77, 42, 80, 51, 33, 1)]


@pytest.mark.rule("cfc 414a")
def test_a_performance_has_no_cut_and_draws_count_only_as_games():
    assert performance([1000, 2000], Fraction(0), RULES) == 1500
    assert performance([1000, 2000, 2000], Fraction(1), RULES) == Fraction(5000, 3) + Fraction(400, 3)
    assert performance([2400], Fraction(1), RULES) == 2800


@pytest.mark.rule("cfc 414b")
@pytest.mark.parametrize(("rating", "k"), [(2199, 32), (2200, 16), (2201, 16)])
def test_k_from_the_rating_before(rating, k):
    assert k_factor(rating, RULES) == k


@pytest.mark.rule("cfc 414b")
@pytest.mark.parametrize(
    ("rating", "change", "natural"),
    [
        (2199, 1, 2200),
        (2199, 2, 2200.5),
        (2150, 100, 2225),
        (2200, 20, 2220),
        (2200, -1, 2198),
        (2210, -10, 2200),
        (2210, -20, 2180),
        (2100, 50, 2150),
    ],
)
def test_crossing_2200_changes_the_pace(rating, change, natural):
    assert natural_rating(rating, Fraction(change), RULES) == natural


@pytest.mark.rule("cfc 414d")
@pytest.mark.parametrize(
    ("natural", "high", "games", "k", "bonus"),
    [
        (1500, 1500, 4, 32, (0, 0)),
        (1501, 1500, 4, 32, (20, 0)),
        (1501, 1500, 3, 32, (0, 0)),
        (1526, 1600, 4, 32, (0, 0)),
        (1527, 1600, 4, 32, (0, 1.75)),
        (1539, 1600, 9, 32, (0, 0)),
        (1520, 1510, 4, 16, (10, 7 * 0.875)),
    ],
)
def test_both_bonuses(natural, high, games, k, bonus):
    assert bonuses(1500, Fraction(natural), high, games, k, RULES) == bonus


ARTICLE = EDITIONS[1]


@pytest.mark.rule("cfc article-2200")
@pytest.mark.parametrize(("rating", "handbook", "article"), [(2199, 32, 32), (2200, 16, 32), (2201, 16, 16)])
def test_the_article_halves_the_bonus_of_players_over_2200_and_k_from_2200_on(rating, handbook, article):
    assert (bonus_k(rating, RULES), bonus_k(rating, ARTICLE)) == (handbook, article)
    assert k_factor(rating, ARTICLE) == k_factor(rating, RULES)


@pytest.mark.rule("cfc article-2200")
@pytest.mark.parametrize(("rating", "change"), [(2199, 32), (2200, -32), (2201, -16), (1500, 40)])
def test_the_article_has_no_rule_for_crossing_2200(rating, change):
    assert natural_rating(rating, Fraction(change), ARTICLE) == rating + change


@pytest.mark.rule("cfc article-rounds")
def test_the_article_has_no_least_number_of_games():
    won = against(2400, score=1)
    found = rate(won, {"p": established(2150, 2150)}, ARTICLE, rounds=4).outcomes["p"]
    assert found.bonus_high == 20
    assert one(established(2150, 2150), won).bonus_high == 0


@pytest.mark.rule("cfc article-rounds")
def test_the_article_is_chosen_by_name_alone():
    assert edition_on(EDITIONS, date(2012, 8, 1)) is edition_on(EDITIONS, date(2030, 1, 1)) is RULES
    assert edition_named(EDITIONS, "article") is ARTICLE


@pytest.mark.rule("cfc 414d")
def test_a_threshold_over_a_square_number_of_games_is_exact():
    assert bonus_threshold(9, 16, RULES) == Fraction(39, 2)
    assert abs(bonus_threshold(5, 32, RULES) ** 2 - 845) < Fraction(1, 10**50)


@pytest.mark.rule("cfc 416a", "cfc 416b")
@pytest.mark.parametrize(("before", "floor"), [(800, 799), (2000, 799), (799, 799), (750, 750), (200, 200), (150, 200)])
def test_floors_of_the_established(before, floor):
    assert low_floor(before, RULES) == floor


@pytest.mark.rule("cfc 416a", "cfc 416b", "cfc 416c")
@pytest.mark.parametrize(
    ("rating", "after"),
    [(800, 799), (808, 799), (816, 800), (799, 799), (750, 750), (201, 201), (190, 200)],
)
def test_an_established_player_does_not_fall_below_his_floor(rating, after):
    assert one(established(rating), against(rating, score=0)).rating == after


@pytest.mark.rule("cfc 416c")
def test_everybody_else_has_the_minimum_of_the_list():
    assert one(provisional(810), against(700, 700, score=0)).rating == 725  # (8100 + 2 × 300) / 12
    assert one(provisional(250, 1), against(250, score=0)).rating == 200
    assert one(UNRATED, against(500, score=0)).rating == 200
    # The event of the 25th game: not established before it.
    assert one(provisional(801, 24), against(801, score=0)).rating == 785


def test_a_half_is_rounded_up_exactly():
    assert [half_up(Fraction(n, 2)) for n in (1, 3, -1, -3)] == [1, 2, 0, -1]
    found = one(provisional(1500, 1), against(1501, score=0.5))
    assert (found.exact, found.rating) == (Fraction(3001, 2), 1501)


@pytest.mark.rule("cfc 415")
@pytest.mark.parametrize(("games", "status"), [(23, Status.PROVISIONAL), (24, Status.ESTABLISHED)])
def test_the_event_of_the_25th_game_is_rated_as_established(games, status):
    found = rate(against(1600, score=1), {"p": provisional(1500, games)}, RULES)
    assert found.outcomes["p"].status is found.standings["p"].status is status


@pytest.mark.rule("cfc 414d", "cfc 415")
def test_a_25th_game_compares_with_the_provisional_rating_and_keeps_the_higher():
    won = one(provisional(1500, 22), against(*[1500] * 4, score=4))
    assert (won.bonus_high, won.high) == (20, won.rating)
    lost = one(provisional(1500, 22), against(*[1500] * 4, score=0))
    assert (lost.bonus_high, lost.high, lost.rating) == (0, 1500, 1436)


@pytest.mark.rule("cfc 414d")
def test_an_unknown_high_is_the_rating_before():
    assert one(established(1500, None), against(*[1500] * 4, score=2.5)).bonus_high == 20
    assert one(established(1500, None), against(*[1500] * 4, score=1)).high == 1500


@pytest.mark.rule("cfc 417", "cfc 417.1", "cfc 417.2", "cfc 417.3", "cfc 417.4", "cfc 417.5")
def test_the_order_of_calculation():
    # Section 417; the steps by hand.
    standings = {"e": established(1500), "f": established(1700), "p": provisional(1400, 8), "u": UNRATED, "v": UNRATED}
    found = rate(event("e u 1-0", "p u 0-1", "p v 1-0", "u v 1/2-1/2", "f v 1-0", "e f 1/2-1/2"), standings, RULES)
    # 1: e 1500 − 200 − 200, f 1700 − 200 − 200, p 1400 − 200: mean 1200.
    assert found.section.preliminary == (1100 + 1300 + 1200) // 3 == 1200
    # 2: u (1500 + 1400 + 1200) / 3, v (1400 + 1200 + 1700) / 3 − 800 / 3.
    assert found.section.work["u"].temporary == 1367
    assert found.section.work["v"].temporary == 1167
    # 3: p: mean 1267, even score.
    assert found.outcomes["p"].performance == 1267
    assert found.outcomes["p"].rating == half_up(Fraction(1400 * 8 + 1267 * 2, 10)) == 1373
    # 4: u sees e listed, p at 1373, v at step 2.
    assert found.outcomes["u"].performance == Fraction(1500 + 1373 + 1167, 3)
    assert found.outcomes["v"].performance == Fraction(1373 + 1367 + 1700 - 800, 3)
    # 5: e sees u at step 4 and f listed.
    assert found.outcomes["u"].rating == 1347
    assert found.outcomes["e"].expected == expected_score(1500, 1347, RULES) + expected_score(1500, 1700, RULES)


@pytest.mark.rule("cfc 417.1")
def test_more_than_half_unrated_needs_the_operators_rating():
    two = {"p": established(1500), "u": UNRATED, "v": UNRATED}
    games = event("p u 1-0", "u v 1-0")
    with pytest.raises(RatingError, match="2 of 3 players are unrated") as caught:
        rate(games, two, RULES)
    assert caught.value.event == "e"
    given = rate(games, two, RULES, preliminary=1000)
    assert (given.section.preliminary, given.section.given) == (1000, True)
    assert given.section.work["v"].temporary == 600
    half = {**two, "q": established(1700)}
    computed = rate(event("p u 1-0", "u v 1-0", "p q 1/2-1/2"), half, RULES, preliminary=1000)
    # 1500 − 200 − 200 and 1700 − 200.
    assert (computed.section.preliminary, computed.section.given) == (1300, False)


@pytest.mark.rule("cfc 419")
def test_an_event_without_any_rated_player_is_set_aside_but_for_the_operators_rating():
    two, games = {"u": UNRATED, "v": UNRATED}, event("u v 1-0")
    with pytest.raises(RatingError, match="2 of 2 players are unrated"):
        rate(games, two, RULES)
    assert rate(games, two, RULES, preliminary=1000).outcomes["u"].rating == 1000


@pytest.mark.rule("cfc 417.1")
def test_opponents_who_are_not_rated_here_count_among_the_rated():
    found = rate(event("u v 1-0", "u =1500 1-0", "v =1700 1/2-1/2"), {"u": UNRATED, "v": UNRATED}, RULES)
    assert found.section.preliminary == (1500 + 400 - 200 + 1700 - 200) // 2


@pytest.mark.rule("cfc 417.1")
def test_no_preliminary_rating_is_needed_when_the_unrated_do_not_meet():
    assert one(UNRATED, against(1500, score=1)).performance == 1900


@pytest.mark.rule("cfc 413")
def test_a_match_changes_50_points_at_most():
    won = one(established(1500), against(*[1600] * 5, score=5), match=True)
    assert (won.exact, won.rating) == (1550, 1550)
    assert won.bonus_jump > 0
    assert one(established(1500), against(*[1400] * 5, score=0), match=True).rating == 1450
    assert one(provisional(1500, 1), against(*[1600] * 5, score=5), match=True).rating == 1550
    assert one(UNRATED, against(*[1600] * 5, score=5), match=True).rating == 2000
    assert one(established(1500), against(1600, score=1), match=True).rating == 1520


@pytest.mark.rule("cfc 413")
def test_a_match_is_of_two_players_within_400_points():
    assert rate(event("p q 1-0"), {"p": established(1500), "q": established(1900)}, RULES, match=True).match
    with pytest.raises(RatingError, match="too far apart") as caught:
        rate(event("p q 1-0"), {"p": established(1500), "q": established(1901)}, RULES, match=True)
    assert (caught.value.player, caught.value.event, caught.value.game) == ("p", "e", 0)
    three = {name: established(1500) for name in "pqr"}
    with pytest.raises(RatingError, match="several opponents"):
        rate(event("p q 1-0", "p r 1-0"), three, RULES, match=True)


@pytest.mark.parametrize(
    ("games", "standing", "words"),
    [
        (event("p x 1-0"), established(1500), "no standing"),
        (event("p - 1-0"), established(1500), "two sides"),
        (event("p p 1-0"), established(1500), "against himself"),
        (event("p =1500.5 1-0"), established(1500), "whole numbers"),
        (event(), Standing(Status.ESTABLISHED), "without a rating"),
        (event(), Standing(Status.UNRATED, 1500), "with the rating 1500"),
    ],
)
def test_what_cannot_be_rated_is_named(games, standing, words):
    with pytest.raises(RatingError, match=words) as caught:
        rate(games, {"p": standing}, RULES)
    assert caught.value.event == "e"


def test_an_opponent_needs_a_rating():
    without = Event("e", (Game("p", Opponent(fide=1500), GameResult.WHITE_WINS),))
    with pytest.raises(RatingError, match="two sides"):
        rate(without, {"p": established(1500)}, RULES)


@pytest.mark.rule("cfc 434")
def test_the_standing_afterwards():
    found = rate(
        event("p q 1-0", "u q 0-1", "r q 1/2-1/2", "i - bye"),
        {"p": provisional(1500), "q": established(1600, 1650), "u": UNRATED, "r": provisional(1500, 24), "i": UNRATED},
        RULES,
    )
    outcomes, after = found.outcomes, found.standings
    assert after["p"] == Standing(Status.PROVISIONAL, outcomes["p"].rating, 11)
    assert after["q"] == Standing(Status.ESTABLISHED, outcomes["q"].rating, 103, 1650)
    assert after["u"] == Standing(Status.PROVISIONAL, outcomes["u"].rating, 1)
    assert after["r"] == Standing(Status.ESTABLISHED, outcomes["r"].rating, 25, outcomes["r"].high)
    assert after["i"] == UNRATED


@pytest.mark.rule("cfc 415")
def test_a_newcomer_with_25_games_is_rated_by_performance_and_established_afterwards():
    found = rate(against(*[1500] * 25, score=12.5), {"p": UNRATED}, RULES)
    assert found.outcomes["p"].status is Status.UNRATED
    assert found.standings["p"] == Standing(Status.ESTABLISHED, 1500, 25, 1500)


def test_doubtful_constants_are_dated_configuration_with_a_source():
    assert all(constant.source for constant in RULES.constants.values())
    assert "2199" in RULES.source("k_boundary")
