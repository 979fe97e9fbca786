"""Explanations of the Irish Chess Union's system: they show the figures of the calculation, and say what acted."""

import pytest

from ratings.explanations.layout import cell_text
from ratings.systems.base import Game, GameResult, RatingError, Step
from ratings.systems.icu import EDITIONS, SOFTWARE_3, TEXT, Result, rate
from tests.ratings.systems.icu_builder import UNRATED, event, expected, foreign, guest, provisional, rated, wins

both = pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)
FIELD = [str(number) for number in range(11, 16)]


def steps(result: Result, player: str) -> dict[str, Step]:
    return {step.label: step for step in result.explain(player).steps}


def cells(step: Step) -> dict[str, object]:
    """The cells of a step's rows and result by label; of several rows the last."""
    return {cell.label: cell.value for row in (*step.rows, step.result) for cell in row}


@both
def test_a_rated_player_without_bonuses_in_the_event(edition):
    result = rate(
        event("1 2 1-0 1", "3 1 1/2-1/2 2"), {"1": rated(1500, 32), "2": rated(1600), "3": foreign(1700)}, edition
    )
    explanation = result.explain("1")
    assert explanation.player == "1"
    assert [step.label for step in explanation.steps] == [
        "Games",
        "Expected scores and changes",
        "Performance",
        "Bonus",
        "New rating",
    ]
    changes = explanation.steps[1]
    rows = [{cell.label: cell.value for cell in row} for row in changes.rows]
    assert [row["Opponent"] for row in rows] == ["2", "3"]
    assert [row["Round"] for row in rows] == [1, 2]
    assert [row["Score"] for row in rows] == [1, 0.5]
    assert [row["Expected"] for row in rows] == [
        pytest.approx(expected(1500, 1600)),
        pytest.approx(expected(1500, 1700)),
    ]
    assert sum(row["Change"] for row in rows) == pytest.approx(cells(changes)["Change"])
    assert cells(changes)["K"] == 32
    assert "fewer than 5 games" in explanation.steps[3].remark
    assert all(step.source and step.formula for step in explanation.steps)


@both
def test_a_bonus_shows_both_calculations_and_its_steps(edition):
    players = {"1": rated(1500, 40)} | {name: rated(1500) for name in FIELD}
    result = rate(event(*wins("1", FIELD)), players, edition)
    found = steps(result, "1")
    assert list(found)[1:] == [
        "First calculation: expected scores and changes",
        "First calculation: performance",
        "Bonus",
        "Second calculation: expected scores and changes",
        "Second calculation: performance",
        "New rating",
    ]
    bonus = cells(found["Bonus"])
    assert (bonus["Rating before the bonus"], bonus["Threshold"], bonus["Excess, rounded"]) == (1600, 1535, 65)
    assert (bonus["Raised"], bonus["Bonus"], found["Bonus"].remark) == (81, 81, "")
    loser = steps(result, "11")["Second calculation: expected scores and changes"]
    assert cells(loser)["Opponent's rating"] == 1681


def test_a_cap_is_told():
    players = {"1": rated(1500, 40)} | {name: rated(1210) for name in FIELD}
    strong = {name: rated(2000) for name in FIELD}
    capped = rate(event(*wins("1", FIELD)), {"1": rated(1970, 40)} | strong, TEXT)
    assert "may not exceed 2\u202f099.00" in cell_text(steps(capped, "1")["Bonus"].remark)
    weak = rate(event(*wins("1", FIELD)), players, TEXT)
    assert "threshold is not exceeded" in steps(weak, "1")["Bonus"].remark


@both
def test_switched_off_bonuses_are_told(edition):
    result = rate(event("1 2 1-0"), {"1": rated(1500, 40), "2": rated(1500)}, edition, no_bonuses=True)
    assert "switched off" in steps(result, "1")["Bonus"].remark


@both
def test_a_provisional_player_shows_his_earlier_games(edition):
    result = rate(event("2 1 1-0"), {"1": rated(1500), "2": provisional(1200, 19)}, edition)
    found = cells(steps(result, "2")["Estimate of the rating"])
    assert (found["Earlier games"], found["Old rating"], found["Credit"]) == (19, 1200, 1900)
    assert found["Performance"] == result.outcomes["2"].rating


@both
def test_games_that_do_not_count_say_why(edition):
    games = event("1 2 1-0 1", "2 1 0-1 1", "1 2 +-- 2", "1 - bye 3", Game("1", guest(1600), GameResult.DRAW, 4))
    step = steps(rate(games, {"1": rated(1500), "2": rated(1500)}, edition), "1")["Games"]
    assert [row[-1].value for row in step.rows] == [
        "yes",
        "no: entered twice",
        "no: not played",
        "no: not played",
        "yes",
    ]
    assert [row[1].value for row in step.rows] == ["2", "2", "2", None, "not rated here"]
    assert cells(step)["Games"] == 2


@both
def test_a_result_is_told_from_the_players_side(edition):
    games = event("1 2 1-0 1", "2 1 1-0 2", "1 2 1/2-1/2 3", "2 1 +-- 4")
    step = steps(rate(games, {"1": rated(1500), "2": rated(1500)}, edition), "1")["Games"]
    cell_text = [tuple(cell.value for cell in row if cell.label in ("Colour", "Result")) for row in step.rows]
    assert cell_text == [("White", "1"), ("Black", "0"), ("White", "½"), ("Black", "+--")]


def test_players_out_of_reach_are_told():
    players = {"1": rated(1500), "2": UNRATED, "3": UNRATED, "4": UNRATED}
    games = event("1 2 1/2-1/2", "2 3 1/2-1/2", "3 4 1/2-1/2")
    result = rate(games, players, TEXT)
    assert "cannot be rated" in steps(result, "4")["Games"].remark
    assert [row[-1].value for row in steps(result, "3")["Games"].rows] == ["yes", "no: a side cannot be rated"]
    assert steps(result, "4")["New rating"].remark == "No new rating."
    alone = rate(event("1 2 1-0"), {"1": UNRATED, "2": UNRATED}, SOFTWARE_3)
    assert "No opponent has a rating" in steps(alone, "1")["Estimate of the rating"].remark
    assert "has no expected score" in steps(alone, "1")["Expected scores"].remark


def test_who_did_not_come_to_rest_is_told():
    games = event(*["1 2 1/2-1/2"] * 10, "1 3 1/2-1/2")
    result = rate(games, {"1": UNRATED, "2": UNRATED, "3": rated(1500)}, TEXT)
    found = steps(result, "2")
    assert "did not converge in 50 sweeps; this player still moved" in found["Estimate of the rating"].remark
    assert "this player did not move" in steps(result, "1")["Estimate of the rating"].remark
    assert "New rating" not in found
    assert not {"Bonus", "New rating"} & set(steps(result, "3"))


def test_a_foreign_player_stays():
    result = rate(event("1 2 1-0"), {"1": rated(1500), "2": foreign(2000)}, TEXT)
    assert steps(result, "2")["New rating"].formula == "a foreign player's rating stays"
    assert cells(steps(result, "2")["Performance"])["Performance"] == 1100


def test_nobody_else_is_explained():
    with pytest.raises(RatingError, match="no standing"):
        rate(event("1 2 1-0"), {"1": rated(1500), "2": rated(1500)}).explain("3")
