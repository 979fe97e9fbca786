"""What an explanation of a CFC rating says."""

import pytest

from ratings.explanations.layout import cell_text
from ratings.systems.base import RatingError, Step
from ratings.systems.cfc import EDITIONS, rate
from tests.ratings.systems.cfc_builder import RULES, UNRATED, against, established, event, provisional


def steps(played, standings, player="p", **options) -> dict[str, Step]:
    explanation = rate(played, standings, RULES, **options).explain(player)
    assert explanation.player == player
    return {step.label: step for step in explanation.steps}


def figures(step: Step) -> dict[str, object]:
    return {cell.label: cell.value for cell in step.result}


@pytest.mark.rule("cfc 425")
def test_the_handbooks_sample_step_by_step():
    # Handbook, section 425.
    found = steps(against(1237, 1214, 1441, 1511, 1579, 2133, score=4), {"p": established(1450, 1600)})
    assert list(found) == [
        "Rating before the event",
        "Performance",
        "Expected score",
        "Natural rating",
        "Bonus",
        "New rating",
    ]
    assert [row[-1].value for row in found["Expected score"].rows] == [0.77, 0.80, 0.51, 0.42, 0.33, 0.01]
    assert figures(found["Natural rating"])["Natural rating"] == pytest.approx(1487.12)
    assert figures(found["Bonus"])["Bonus for a jump"] == pytest.approx(9.2341, abs=1e-4)
    assert "The gain is 5.28 above the threshold." in cell_text(found["Bonus"].remark)
    assert figures(found["New rating"])["New rating"] == 1496


@pytest.mark.rule("cfc article-rounds", "cfc article-2200")
def test_the_article_shows_rounds_and_its_own_share():
    played = against(2500, 2500, 2500, score=3)
    article = EDITIONS[1]
    found = {
        step.label: step for step in rate(played, {"p": established(2199, 2199)}, article, rounds=5).explain("p").steps
    }
    rows = {cell.label: cell.value for row in found["Bonus"].rows for cell in row}
    assert (rows["Rounds n"], rows["Ke"]) == (5, 1)
    assert rows["Threshold"] == pytest.approx(13 * 5**0.5)
    assert "n = rounds; Ke = 0.5 from 2201 on, else 1" in found["Bonus"].formula
    assert "Canadian Chess News" in found["Bonus"].source
    assert found["Natural rating"].remark == ""
    handbook = steps(played, {"p": established(2199, 2199)})
    assert handbook["Natural rating"].remark == "Of what is above 2200, 0.5 counts."
    assert handbook["Bonus"].remark == "No bonus: fewer than 4 games."


def test_the_steps_of_newcomers_and_provisional_players():
    standings = {"p": UNRATED, "q": UNRATED, "r": provisional(1500), "s": established(1600)}
    played = event("p q 1-0", "p r 0-1", "r s 1-0", "q s 0-1")
    new = steps(played, standings)
    assert list(new) == [
        "Rating before the event",
        "Preliminary rating of the unrated",
        "Temporary performance",
        "Performance",
        "New rating",
    ]
    assert (
        new["Temporary performance"].rows[0][2].value
        == figures(new["Preliminary rating of the unrated"])["Preliminary rating"]
    )
    assert "not published yet" in new["New rating"].remark
    assert list(steps(played, standings, "r"))[1:3] == ["Performance", "Provisional rating"]
    assert "Preliminary rating of the unrated" not in steps(against(1500, score=1), {"p": UNRATED})


@pytest.mark.parametrize(
    ("standing", "played", "label", "words"),
    [
        (established(1500, 1500), against(*[1500] * 4, score=2.5), "Bonus", "above the highest rating before"),
        (established(1500), against(1500, 1500, 1500, score=3), "Bonus", "No bonus: fewer than 4 games."),
        (established(2190), against(2190, 2190, score=2), "Natural rating", "Of what is above 2200, 0.5 counts."),
        (established(2205), against(2205, score=0), "Natural rating", "What is below 2200 counts 2 times."),
        (established(805), against(805, score=0), "New rating", "The floor of 799 held; 789 was earned."),
        (provisional(250, 4), against(350, score=0), "New rating", "The floor of 200 held; 190 was earned."),
        (provisional(1500, 24), against(1500, score=1), "Rating before the event", "Game 25 falls into this event"),
        (established(1500), event("p - bye"), "Rating before the event", "No rated game"),
    ],
)
def test_a_limit_that_acted_is_said(standing, played, label, words):
    assert words in cell_text(steps(played, {"p": standing})[label].remark)


def test_the_limit_of_a_match_and_the_operators_rating_are_said():
    # 32 × (5 − 5 × .36) = 102.4, and 1.75 × (102.4 − 13 √5).
    match = steps(against(*[1600] * 5, score=5), {"p": established(1500)}, match=True)["New rating"]
    assert cell_text(match.remark) == "A match changes at most 50 points; 230.73 were earned."
    given = steps(event("p q 1-0"), {"p": UNRATED, "q": UNRATED}, preliminary=1000)
    assert "the operator gave it" in given["Preliminary rating of the unrated"].remark


@pytest.mark.rule("cfc 434")
@pytest.mark.parametrize(("games", "published"), [(2, False), (3, True)])
def test_a_rating_is_published_from_three_games_on(games, published):
    found = steps(against(*[1500] * games, score=1), {"p": UNRATED})["New rating"]
    assert ("not published yet" not in found.remark) is published


def test_somebody_without_a_standing_cannot_be_explained():
    with pytest.raises(RatingError) as caught:
        rate(event(), {"p": UNRATED}, RULES).explain("x")
    assert caught.value.player == "x"
