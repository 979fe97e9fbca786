"""What the USCF calculation promises of single events: which formula, holds, floors, rounding, and what comes after."""

import pytest

from ratings.systems.base import Event, Game, GameResult, Opponent, RatingError
from ratings.systems.uscf import Record, Standing, rate
from tests.ratings.systems.uscf_builder import UNRATED, against, edition, event, one, rated


@pytest.mark.rule("uscf formula")
@pytest.mark.parametrize(
    ("standing", "formula"),
    [
        (rated(1500, 8), "special"),
        (rated(1500, 9), "standard"),
        (rated(1500, 8.5), "standard"),
        (rated(1500, None), "standard"),
        (rated(1500, 0), "special"),
        (rated(1500, 20, record=Record.ALL_WON), "special"),
        (rated(1500, 20, record=Record.ALL_LOST), "special"),
        (UNRATED, "special"),
        (Standing(fide=2150), "special"),
        (Standing(fide=2151), "standard"),
    ],
)
def test_the_formula_follows_the_games_before(standing, formula):
    assert one(standing, against(1500, score=1)).formula == formula


@pytest.mark.rule("uscf formula")
def test_few_games_decide_not_few_effective_games():
    # At 100 points N* is 7.395, under the limit of the special formula.
    found = one(rated(100, 300), against(150, score=0.5))
    assert found.effective_games == pytest.approx(7.3954, abs=1e-4)
    assert found.formula == "standard"


@pytest.mark.rule("uscf special-formula")
@pytest.mark.parametrize(
    ("record", "prior", "target", "rating"),
    [(None, 1500, 3, 1620), (Record.ALL_WON, 1100, 5, 2100), (Record.ALL_LOST, 1900, 1, 1620)],
)
def test_a_record_moves_the_prior_of_the_special_formula(record, prior, target, rating):
    # N' = 4, one win over 1700: 4 PWe(R, R0') + PWe(R, 1700) = S'.
    found = one(rated(1500, 4, record=record), against(1700, score=1)).rating
    assert found == pytest.approx(rating)
    sums = [games * min(1.0, max(0.0, 0.5 + (found - centre) / 800)) for games, centre in ((4, prior), (1, 1700))]
    assert sum(sums) == pytest.approx(target)


@pytest.mark.rule("uscf special-formula")
def test_the_special_formula_stops_at_2700():
    assert one(rated(2600, 3), against(2650, 2650, 2650, score=3)).rating == 2700
    assert one(rated(2600, 100), against(*[2900] * 9, score=9)).rating > 2700


@pytest.mark.rule("uscf newcomers", "uscf passes")
def test_a_newcomer_is_an_opponent_at_his_estimate():
    # He beats 1500: with N' = 1, PWe(R, 750) + PWe(R, 1500) = 1.5 at 1500, and with N' = 0 he stands 400 above.
    found = rate(event("p q 0-1"), {"p": rated(1500), "q": UNRATED}, edition("2025"))
    columns = found.columns
    assert columns.estimate.tolist() == [1500, pytest.approx(1500)]
    assert columns.first.strength.tolist() == [pytest.approx(1500), 1500]
    assert columns.last.strength.tolist() == columns.intermediate[[1, 0]].tolist()
    assert columns.intermediate[1] == pytest.approx(1900)


@pytest.mark.rule("uscf absolute-floor", "uscf passes")
def test_estimates_and_intermediate_ratings_are_held_at_100_but_the_personal_floor_waits_to_the_end():
    losses = event("p q 0-1", "p q 0-1", "p q 0-1")
    found = rate(losses, {"p": Standing(start=(120, 0)), "q": rated(150, 30)}, edition("2025"))
    assert found.columns.estimate[0] == 100
    assert found.columns.intermediate[0] == 100
    assert found.outcomes["p"].rating == found.outcomes["p"].floor == 101


@pytest.mark.rule("uscf passes")
def test_opponents_who_are_not_rated_here_keep_their_rating_in_every_step():
    found = rate(against(1800, 1700, score=2), {"p": rated(1500)}, edition("2025"))
    assert found.columns.first.strength.tolist() == found.columns.last.strength.tolist() == [1800, 1700]


@pytest.mark.rule("uscf absolute-floor", "uscf granted-floor", "uscf peak-floor")
@pytest.mark.parametrize(
    ("fields", "floor"),
    [
        ({}, 100),
        ({"peak": 1941}, 1700),
        ({"peak": 1388}, 100),
        ({"peak": 1941, "granted_floor": 1800}, 1800),
        ({"peak": 1941, "granted_floor": 1500}, 1700),
        ({"wins": 10, "draws": 2, "events": 3}, 147),
        ({"wins": 40}, 150),
    ],
)
def test_the_highest_floor_holds(fields, floor):
    found = one(rated(floor + 0.5, **fields), against(*[floor - 90] * 2, score=0))
    assert found.floor == floor
    assert found.rating == floor


@pytest.mark.rule("uscf absolute-floor")
@pytest.mark.parametrize(("games", "floor"), [(2, 108), (3, 113)])
def test_a_floor_counts_this_event_from_three_games_on(games, floor):
    assert one(rated(500), against(*[500] * games, score=games)).floor == floor


@pytest.mark.rule("uscf rounding")
def test_2001_rounds_away_from_the_old_rating():
    up = one(rated(1500), against(1000, score=1), "2001")
    down = one(rated(1500), against(2000, score=0), "2001")
    assert 1500 < up.rating < 1503
    assert up.published == int(up.rating) + 1
    assert 1497 < down.rating < 1500
    assert down.published == int(down.rating)
    assert one(rated(1500), against(1500, score=0.5), "2001").published == 1500
    assert one(rated(1500), against(1500, 1500, score=1), "2001").published == 1500


@pytest.mark.rule("uscf rounding")
def test_2001_rounds_a_rating_that_was_no_whole_number_to_one():
    lost = event("p q 0-1")
    assert rate(lost, {"p": rated(100.01), "q": rated(100)}, edition("2001")).outcomes["p"].published == 100
    down = one(rated(1500.5), against(2000, score=0), "2001")
    assert down.published == int(down.rating)
    assert one(rated(1500.5), against(1500.5, score=0.5), "2001").published == 1501


@pytest.mark.rule("uscf rounding")
def test_since_2008_ratings_are_shown_to_the_nearest():
    found = one(rated(1500), against(1000, score=1), "2008")
    assert found.published == round(found.rating)
    assert rate(event(), {"p": rated(1500.5)}, edition("2025")).outcomes["p"].published == 1501


@pytest.mark.rule("uscf rounding")
def test_an_unrated_player_of_2001_is_rounded_to_the_nearest():
    found = one(Standing(start=(1300, 0)), against(1500, 1521, 1533, score=1.5), "2001")
    assert found.rating == pytest.approx(1518)
    assert one(Standing(start=(1300, 0)), against(1500, 1501, 1501, score=1.5), "2001").published == 1501


@pytest.mark.rule("uscf half-k")
def test_half_k_counts_half_of_the_games():
    found = one(rated(1800, 200), against(1800, 1800, 1800, 1800, score=3), "2001", half_k=True)
    assert found.k == pytest.approx(12.1180, abs=1e-4)  # 400 / (31.009 + 2)
    assert found.games == 202
    with pytest.raises(RatingError, match="half-K"):
        one(rated(1800), against(1800, score=1), "2006", half_k=True)


@pytest.mark.rule("uscf dual-k")
def test_the_lower_k_is_for_dual_rated_events_since_2013():
    for rules, share in (("2012", 1), ("2013", 0.75)):
        plain = one(rated(2300), against(2300, score=1), rules)
        dual = one(rated(2300), against(2300, score=1), rules, dual_regular=True)
        assert dual.k == pytest.approx(share * plain.k)


@pytest.mark.rule("uscf played-games")
def test_without_a_game_everything_stays():
    found = rate(event("p - bye", "p q +--", "q p --+", "p q ---"), {"p": rated(1499.6), "q": UNRATED}, edition("2025"))
    rated_player, unrated = found.outcomes["p"], found.outcomes["q"]
    assert (rated_player.rating, rated_player.published, rated_player.games) == (1499.6, 1500, 100)
    assert (rated_player.formula, rated_player.k, rated_player.floor, rated_player.score) == (None, None, None, 0)
    assert (unrated.rating, unrated.published, unrated.formula) == (None, None, None)
    assert found.standings == {"p": rated(1499.6), "q": UNRATED}


def test_an_event_without_games_or_players_is_rated():
    assert rate(event(), {}, edition("2025")).outcomes == {}
    assert rate(event(), {}, edition("2025"), method="approximate").outcomes == {}


@pytest.mark.rule("uscf standing-after")
def test_the_standing_afterwards():
    found = rate(
        event("p q 1-0", "p q 1/2-1/2", "p q 1-0"),
        {"p": rated(1500, 23, wins=3, draws=1, events=2), "q": UNRATED},
        edition("2025"),
    )
    after = found.standings["p"]
    assert after == Standing(
        rating=found.outcomes["p"].rating, games=26, peak=found.outcomes["p"].rating, wins=5, draws=2, events=3
    )
    newcomer = found.standings["q"]
    assert (newcomer.games, newcomer.wins, newcomer.draws, newcomer.events, newcomer.peak) == (3, 0, 1, 1, None)


@pytest.mark.rule("uscf established")
@pytest.mark.parametrize(("games", "established"), [(24, False), (25, True)])
def test_a_best_rating_needs_more_than_25_games(games, established):
    found = rate(against(1500, score=1), {"p": rated(1500, games)}, edition("2025"))
    assert (found.standings["p"].peak is not None) is established


@pytest.mark.rule("uscf standing-after")
def test_a_best_rating_only_rises():
    low = rate(against(1400, score=0), {"p": rated(1500, peak=1600)}, edition("2025"))
    assert low.standings["p"].peak == 1600
    high = rate(against(1500, score=1), {"p": rated(1599, peak=1600)}, edition("2025"))
    assert high.standings["p"].peak == high.outcomes["p"].rating > 1600


@pytest.mark.rule("uscf standing-after")
@pytest.mark.parametrize(
    ("standing", "score", "record"),
    [
        (UNRATED, 2, Record.ALL_WON),
        (UNRATED, 0, Record.ALL_LOST),
        (UNRATED, 1.5, None),
        (rated(1500, 4), 2, None),
        (rated(1500, 4), 0, None),
        (rated(1500, 4, record=Record.ALL_WON), 2, Record.ALL_WON),
        (rated(1500, 4, record=Record.ALL_WON), 0, None),
        (rated(1500, 4, record=Record.ALL_LOST), 0, Record.ALL_LOST),
        (rated(1500, 4, record=Record.ALL_LOST), 0.5, None),
    ],
)
def test_the_record_afterwards(standing, score, record):
    found = rate(against(1500, 1500, score=score), {"p": standing}, edition("2025"))
    assert found.standings["p"].record is record


@pytest.mark.rule("uscf rounding")
def test_ratings_of_2001_go_on_as_whole_numbers():
    found = rate(against(1600, 1500, score=1), {"p": rated(1500)}, edition("2001"))
    assert found.standings["p"].rating == found.outcomes["p"].published != found.outcomes["p"].rating
    later = rate(against(1600, 1500, score=1), {"p": rated(1500)}, edition("2025"))
    assert later.standings["p"].rating == later.outcomes["p"].rating


def test_the_number_of_games_may_stay_unknown():
    found = rate(against(1500, score=1), {"p": rated(1500, None)}, edition("2025"))
    assert found.outcomes["p"].games is None
    assert found.standings["p"].games is None


@pytest.mark.rule("uscf approximate")
def test_the_approximate_method_has_opponents_at_their_old_ratings_and_no_floors():
    standings = {"p": rated(1700, peak=1941), "q": rated(1400), "r": UNRATED}
    lost = event(*["p q 0-1"] * 4)
    full, guide = (rate(lost, standings, edition("2025"), method=method) for method in ("full", "approximate"))
    assert full.outcomes["p"].rating == 1700
    assert guide.outcomes["p"].rating < 1700
    assert guide.outcomes["p"].floor is None
    assert guide.outcomes["p"].expected == pytest.approx(4 / (1 + 10 ** (-300 / 400)))
    assert guide.outcomes["r"].rating is None


@pytest.mark.rule("uscf approximate")
def test_the_approximate_method_rates_the_unrated_by_the_mean_of_400_points_more_or_less():
    standings = {"p": UNRATED, "q": rated(1500), "r": Standing(start=(1000, 5)), "s": Standing(fide=2000)}
    games = event("p q 1-0", "p =1700 1/2-1/2", "r =1600 0-1", "s =1600 0-1")
    found = rate(games, standings, edition("2025"), method="approximate").outcomes
    assert found["p"].rating == pytest.approx((1900 + 1700) / 2)
    assert (found["p"].start, found["p"].games, found["p"].effective_games) == (None, 2, None)
    assert found["q"].expected == pytest.approx(1 / (1 + 10 ** (300 / 400)))  # p counts as 1800
    assert found["r"].rating == pytest.approx((5 * 1000 + 1200) / 6)
    assert (found["s"].rating, found["s"].games) == (1200, 1)


@pytest.mark.rule("uscf approximate")
def test_the_approximate_method_limits_its_first_formula_at_eight_games():
    assert one(rated(1200, 8), against(1300, score=1), "2017", method="approximate").rating == (9600 + 1700) / 9
    assert one(rated(1200, 9), against(1300, score=1), "2017", method="approximate").formula == "standard"
    assert one(rated(1200, 9), against(1300, score=1), "2017", method="approximate").k == pytest.approx(80)


@pytest.mark.parametrize(
    ("games", "player", "game"),
    [
        (event("p x 1-0"), "x", 0),
        (event("p =1500 1-0", "x p 0-1"), "x", 1),
        (event("p - 1-0"), None, 0),
        (event("p p 1-0"), None, 0),
    ],
)
def test_what_cannot_be_rated_is_named(games, player, game):
    with pytest.raises(RatingError) as caught:
        rate(games, {"p": rated(1500)}, edition("2025"))
    assert (caught.value.player, caught.value.event, caught.value.game) == (player, "e", game)


def test_an_opponent_needs_a_rating():
    without = Event("e", (Game("p", Opponent(fide=1500), GameResult.WHITE_WINS),))
    with pytest.raises(RatingError, match="two sides with a rating"):
        rate(without, {"p": rated(1500)}, edition("2025"))


def test_there_are_three_methods():
    with pytest.raises(RatingError, match="full, approximate, guide"):
        rate(event(), {}, edition("2025"), method="fast")


@pytest.mark.rule("uscf matches")
def test_a_match_has_no_bonus_and_since_2025_a_limit():
    won = event(*["p q 1-0"] * 6)
    players = {"p": rated(1500, 100), "q": rated(1900, 100)}
    free = rate(won, players, edition("2025")).outcomes
    match = rate(won, players, edition("2025"), match=True).outcomes
    assert free["p"].rating > 1600
    assert (match["p"].rating, match["q"].rating) == (1550, 1850)
    assert match["p"].bonus == 0
    early = rate(won, players, edition("2001"), match=True).outcomes["p"]
    assert early.bonus == 0
    assert early.rating > 1600
    # A small change stays as it is.
    drawn = event("p q 1/2-1/2")
    assert rate(drawn, players, edition("2025"), match=True).outcomes["p"].rating == pytest.approx(
        rate(drawn, players, edition("2025")).outcomes["p"].rating
    )


@pytest.mark.rule("uscf matches")
@pytest.mark.parametrize(
    ("games", "standings", "rules", "message"),
    [
        (("p q 1-0", "p r 1-0"), {"r": rated(1500, 100)}, "2025", "several opponents"),
        (("p q 1-0",), {"q": rated(1901, 100)}, "2025", "1500 and 1901 are too far apart"),
        (("p q 1-0",), {"q": rated(1500, 25)}, "2025", "'q' is not established"),
        (("p q 1-0",), {"q": UNRATED}, "2001", "two rated players"),
        (("p =1901 1-0",), {}, "2025", "too far apart"),
    ],
)
def test_who_may_not_play_a_match(games, standings, rules, message):
    players = {"p": rated(1500, 100), "q": rated(1500, 100)} | standings
    with pytest.raises(RatingError, match=message):
        rate(event(*games), players, edition(rules), match=True)


def test_a_match_between_provisional_players_was_rated_in_2001():
    players = {"p": rated(1500, 10), "q": rated(1500, 10)}
    assert rate(event("p q 1-0"), players, edition("2001"), match=True).outcomes["p"].rating > 1500


@pytest.mark.rule("uscf online-floor")
def test_online_there_is_the_absolute_floor_alone():
    standing = rated(1801, 200, peak=2000, wins=50)
    board, online = (
        rate(event(*["p =1500 0-1"] * 4), {"p": standing}, edition("2025"), online=kind).outcomes["p"]
        for kind in (False, True)
    )
    assert (board.floor, board.rating) == (1800, 1800)
    assert online.floor == 100
    assert online.rating < 1800
