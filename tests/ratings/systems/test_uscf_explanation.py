"""What an explanation of a USCF rating says."""

import pytest

from ratings.explanations.layout import cell_text
from ratings.systems.base import RatingError, Step
from ratings.systems.uscf import Record, Standing, rate
from tests.ratings.systems.uscf_builder import UNRATED, against, edition, event, rated


def steps(played, standings, player="p", rules="2025", **options) -> dict[str, Step]:
    explanation = rate(played, standings, edition(rules), **options).explain(player)
    assert explanation.player == player
    return {step.label: step for step in explanation.steps}


def figures(step: Step) -> dict[str, object]:
    return {cell.label: cell.value for cell in step.result}


GUIDE = against(600, 950, 1458, 1144, 1263, 1121, score=6)


@pytest.mark.rule("uscf guide-example")
def test_the_guides_example_step_by_step():
    # Guide of 15 May 2001, with exact formulas.
    found = steps(GUIDE, {"p": rated(1235, 50)}, rules="2001", method="approximate")
    assert list(found) == ["Starting rating", "Effective games and K", "New rating", "Published rating"]
    assert figures(found["Effective games and K"])["K"] == pytest.approx(37.0883, abs=1e-4)
    row = {cell.label: cell.value for cell in found["New rating"].rows[2]}
    assert row["Opponent's rating"] == 1458
    assert row["Expected"] == pytest.approx(0.2169, abs=1e-4)
    assert figures(found["New rating"])["Bonus"] == pytest.approx(58.0047, abs=1e-4)
    assert "above the threshold of 24.49" in cell_text(found["New rating"].remark)
    assert figures(found["Published rating"]) == {"Published": 1376, "Games": 56}


@pytest.mark.rule("uscf guide-letter")
def test_the_guide_to_the_letter_in_its_own_steps():
    found = steps(GUIDE, {"p": rated(1235, 50)}, rules="2001", method="guide")
    assert list(found) == [
        "Rating before the event",
        "Expected score",
        "Score above expectation",
        "Rating change",
        "Bonus",
        "New rating",
    ]
    rows = [{cell.label: cell.value for cell in row} for row in found["Expected score"].rows]
    assert [(row["Difference"], row["Expected"]) for row in rows] == [
        (635, 0.97), (285, 0.84), (-223, 0.23), (91, 0.64), (-28, 0.45), (114, 0.66),
    ]  # fmt: skip
    assert figures(found["Rating change"]) == {"K": 37, "Rating change": pytest.approx(81.77)}
    assert "57.77 above the cut-off of 24" in cell_text(found["Bonus"].remark)
    assert figures(found["New rating"]) == {"New rating": pytest.approx(1374.54), "Published": 1375}
    halved = steps(GUIDE, {"p": rated(1235, 50)}, rules="2001", method="guide", half_k=True)
    assert halved["Rating change"].remark == "A half-K event: the change is halved."
    idle = steps(event(), {"p": rated(1235, 50)}, rules="2001", method="guide")
    assert idle["Rating before the event"].remark == "No rated game: nothing changes."


def test_the_five_steps_of_a_newcomer():
    found = steps(event("p q 0-1", "p =1500 1/2-1/2"), {"p": UNRATED, "q": rated(1600)})
    assert list(found) == [
        "Starting rating",
        "First estimate",
        "Intermediate rating",
        "Rating before floors",
        "Floors",
        "Published rating",
    ]
    assert figures(found["Starting rating"])["From"] == "nothing known"
    rows = found["First estimate"].rows
    assert [cell.value for cell in rows[-1]][1:3] == ["earlier games", 750]
    assert figures(found["First estimate"])["Sum of expected"] == pytest.approx(1.0)
    assert {cell.label: cell.value for cell in found["Rating before floors"].rows[1]}["Opponent"] == "not rated here"


def test_an_established_player_has_no_first_estimate():
    found = steps(GUIDE, {"p": rated(1235, 50)})
    assert "First estimate" not in found
    assert figures(found["Effective games and K"])["Effective games N'"] == pytest.approx(13.4533, abs=1e-4)


@pytest.mark.parametrize(
    ("standing", "played", "label", "words"),
    [
        (
            rated(1701, peak=1941),
            against(*[1400] * 4, score=0),
            "Floors",
            "The floor of 1\u202f700.00 held; 1\u202f587.85 was earned.",
        ),
        (rated(110, 30), against(90, 90, 90, score=0), "Intermediate rating", "Held at 100"),
        (Standing(start=(120, 0)), against(150, 150, score=0), "First estimate", "never under 100"),
        (rated(2600, 3), against(2650, 2650, score=2), "Rating before floors", "stops at 2700"),
        (Standing(start=(1000, 0)), against(400, score=1), "Rating before floors", "Every rating on a stretch fits"),
        (rated(1500), against(1800, 1800, score=2), "Rating before floors", "No bonus: fewer than 3 games."),
        (rated(1500), event(*["p q 1-0"] * 3), "Rating before floors", "No bonus: an opponent was met 3 times."),
        (rated(1500), against(*[1900] * 3, score=3), "Rating before floors", "above the threshold of 20.00"),
        (rated(1500), event(), "Starting rating", "No rated game"),
    ],
)
def test_a_limit_that_acted_is_said(standing, played, label, words):
    assert words in cell_text(steps(played, {"p": standing, "q": rated(1900)})[label].remark)


def test_the_lower_k_and_half_k_are_said():
    dual = steps(against(2300, score=1), {"p": rated(2300)}, dual_regular=True)["Effective games and K"]
    assert "lower K" in dual.remark
    assert "lower K" not in steps(against(2300, score=1), {"p": rated(2200)}, dual_regular=True)[dual.label].remark
    half = steps(against(2300, score=1), {"p": rated(2300)}, rules="2001", half_k=True)["Effective games and K"]
    assert "half-K" in half.remark
    assert "400 / (N' + 0.5 m)" in half.formula


@pytest.mark.parametrize(
    ("standing", "origin", "source"),
    [
        (Standing(start=(1500, 4)), "given", "initial ratings"),
        (Standing(fide=2000), "FIDE rating", "2026"),
        (Standing(cfc=2000), "Canadian rating", "initial ratings"),
        (Standing(age=10), "age", "initial ratings"),
        (rated(1500), "rated", "initial ratings"),
    ],
)
def test_the_origin_of_a_starting_rating_is_said(standing, origin, source):
    step = steps(against(1500, score=1), {"p": standing})["Starting rating"]
    assert figures(step)["From"] == origin
    assert source in step.source


def test_an_unknown_number_of_games_is_said():
    found = steps(against(1500, score=1), {"p": rated(1500, None)})
    assert figures(found["Starting rating"])["Games before"] == "established, number unknown"
    assert figures(found["Published rating"])["Games"] == "established, number unknown"


def test_whole_ratings_are_said():
    found = steps(against(1500, score=1), {"p": rated(1500)}, rules="2001")["Published rating"]
    assert found.formula == "a gain is rounded up, a loss down"


def test_the_special_formula_of_a_perfect_record_shows_its_prior():
    found = steps(against(1700, score=1), {"p": rated(1500, 4, record=Record.ALL_WON)})
    assert figures(found["Rating before floors"])["R0'"] == 1100
    assert figures(found["Rating before floors"])["S'"] == 5


def test_the_approximate_special_formula_shows_credits():
    found = steps(against(1400, 1550, score=1), {"p": rated(1500, 6)}, method="approximate")["New rating"]
    assert [{cell.label: cell.value for cell in row}["Credit"] for row in found.rows] == [1800, 1150]


def test_somebody_without_a_standing_cannot_be_explained():
    with pytest.raises(RatingError) as caught:
        rate(event(), {"p": UNRATED}, edition("2025")).explain("x")
    assert caught.value.player == "x"


def test_a_match_and_an_online_event_say_so():
    found = steps(event(*["p q 1-0"] * 6), {"p": rated(1500, 100), "q": rated(1900, 100)}, match=True)
    assert "No bonus in a match." in cell_text(found["Rating before floors"].remark)
    earned = figures(found["Rating before floors"])["Rating before floors"] - 1500
    assert cell_text(found["Floors"].remark) == f"A match changes at most 50 points; {earned:.2f} were earned."
    assert figures(found["Floors"])["New rating"] == 1550
    online = steps(event("p =1500 0-1"), {"p": rated(1801, 200, peak=2000)}, online=True)
    assert online["Floors"].remark == "Online there is the absolute floor alone."
    assert [cell.label for row in online["Floors"].rows for cell in row] == ["Absolute floor"]
