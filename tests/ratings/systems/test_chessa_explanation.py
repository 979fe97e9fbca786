"""The nine steps of an explanation carry the calculation's own figures, and say which rule acted."""

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings

from ratings.explanations.layout import cell_text, figure_text
from ratings.systems.base import CellKind
from ratings.systems.chessa import rate
from ratings.systems.chessa.columns import LISTS
from ratings.systems.chessa.explanation import explain
from ratings.systems.chessa.names import Abroad, Named, Names
from tests.ratings.systems.chessa_builder import document, event, game, performances, periods, player, read

WORKED = json.loads((Path(__file__).parents[1] / "cases/chessa/worked_example.json").read_text(encoding="utf-8"))


def _names(period, **names):
    players, events = ([Named(id, id) for id in ids] for ids in (period.player_ids, period.event_ids))
    return Names(players, events, **names)


def _explain(case, name="a", list_name="standard", history=None, **names):
    period = read(case)
    result = rate(period.columns, period.edition)
    return explain(
        period.columns,
        result,
        period.edition,
        period.player_ids.index(name),
        LISTS.index(list_name),
        _names(period, **names),
        history,
    )


def _column(step, label):
    return [cell.value for row in step.rows for cell in row if cell.label == label]


def _result(step, label):
    return next(cell.value for cell in step.result if cell.label == label)


def _worked(list_name):
    history = WORKED["players"][0]["lists"].get(list_name, {}).get("raw_history", [])
    return _explain(WORKED, "P", list_name, history).steps


@pytest.mark.rule("chessa 27", "chessa 28", "chessa 32", "chessa 33", "chessa 36", "chessa 41")
def test_the_worked_example_on_main():
    steps = _worked("main")
    assert len(steps) == 9
    # As printed in the regulations, but for the last change of tournament 2: 12.0, printed 13.9.
    assert [round(value, 2) for value in _column(steps[0], "Tw")] == [0.54, 0.83, 0.83, 0.18]
    assert [round(value, 2) for value in _column(steps[2], "We")[:6]] == [0.72, 0.63, 0.69, 0.79, 0.67, 0.78]
    # Rounds 1 and 2: Black against 1179.4 and won, White against 1329.6 and lost.
    assert _column(steps[2], "Rw − Rb")[:2] == pytest.approx([1179.4 - 1405.6, 1405.6 - 1329.6])
    assert [round(value, 2) for value in _column(steps[2], "R − We")[:2]] == [0.28, -0.63]
    assert _column(steps[2], "Change")[6:12] == pytest.approx([7.7, 10.1, 12.7, 16.7, 18.9, 12.0], abs=0.11)
    assert _result(steps[3], "Temporary raw") == pytest.approx(1521.9490, abs=5e-5)
    assert [round(value, 1) for value in _column(steps[4], "Performance P")] == [1363.6, 1822.4, 1691.6, 1353.7]
    assert [round(value, 2) for value in _column(steps[5], "A")] == [1.00, 1.00, 0.99, 0.99, 0.96]
    assert [row[0].value for row in steps[5].rows] == ["T1", "T2", "T3", "T4", "of an earlier period"]
    assert sum(_column(steps[5], "P × R × A × i")) / 15 == pytest.approx(_result(steps[5], "Wp"))
    assert _result(steps[6], "Raw") == pytest.approx(1521.9490, abs=5e-5)
    assert _result(steps[8], "Published") == pytest.approx(1521.9490, abs=5e-5)


@pytest.mark.rule("chessa 49")
def test_the_weighted_rating_is_that_of_its_rows():
    for list_name in LISTS:
        step = _worked(list_name)[7]
        ratings, weights = _column(step, "R"), _column(step, "25 − i")
        assert weights == list(range(24, 0, -1))
        total = sum(rating * weight for rating, weight in zip(ratings, weights, strict=True))
        assert total / 300 == pytest.approx(_result(step, "Weighted"), abs=1e-9)
    assert _worked("blitz")[7].remark == "23 of the 24 are missing and count 1200."


def test_the_greatest_change_says_what_it_cut():
    assert cell_text(_worked("standard")[3].remark) == "Article 47 allowed 123.59; 126.86 was earned, so 123.59 counts."
    lost = document([player("a", 1400), player("b", 1400)], [event(*[game("b", "a")] * 12)])
    assert "was lost" in cell_text(_explain(lost).steps[3].remark)


def test_the_articles_of_a_step_are_named_once_and_in_order():
    steps = _worked("main")
    assert [step.source for step in steps[:4]] == [
        "articles 19, 20, 23, 26 and 27",
        "articles 31 and 56",
        "articles 33, 34 and 41",
        "articles 41 and 47",
    ]


def test_a_first_rating_says_where_it_starts():
    assert "start from 1200 (article 56)" in _worked("blitz")[3].remark
    assert "fewer than 5 tournaments" in _worked("blitz")[5].remark


def test_a_rise_by_weighted_performance_says_so():
    stored = performances(*[(1900.0, "standard", 11)] * 5)
    lists = {"standard": {"raw": 1400, "last_performances": stored}}
    step = _explain(document([player("a", lists=lists), player("b", 1400)], [event(game("a", "b"))])).steps[6]
    remark = cell_text(step.remark)
    assert "raises it (article 40)" in remark
    assert "Article 47 allowed a rise of 124.70 in all" in remark


def test_floor_and_penalties_say_so():
    case = document(
        [player("a", 1110, highest=1600), player("b", 1500)],
        [event(game("b", "a"))],
        penalties=[{"player": "a", "event": "e", "points": 20}],
    )
    step = _explain(case).steps[6]
    assert (
        cell_text(step.remark)
        == "20 penalty points were deducted (articles 51 to 54). Article 42 holds the rating at 1\u202f100.00."
    )
    assert _result(step, "Raw") == 1100


def test_differences_beyond_the_bounds_and_games_too_fast_say_so():
    fast = event(game("a", "b"), id="fast", control={"base": 3, "increment": 0})
    steps = _explain(document([player("a", 1400), player("b", 2000)], [event(game("a", "b")), fast])).steps
    assert steps[0].remark == "1 game was faster than 5 minutes and not rated."
    assert _column(steps[2], "held at") == [-460]
    assert steps[2].remark == "1 difference was held within −460 and +390 (article 34)."


def test_guests_and_rounds_have_the_names_given():
    case = document([player("a", 1400)], [event(game({"fide": 2100}, "a"))])
    step = _explain(case, guests={0: "A. N. Other"}, rounds={0: 3}).steps[2]
    assert _column(step, "Opponent") == ["A. N. Other"]
    assert _column(step, "Opponent's rating") == [2162]
    assert _column(step, "Round") == [3]


@pytest.mark.rule("chessa 45", "chessa 10")
def test_a_guest_rating_is_told_with_its_adjustment():
    case = document([player("a", 1400)], [event(game({"fide": 2598}, "a"), game("a", {"fide": 1900}))])
    abroad = {0: Abroad(2598.0, True), 1: Abroad(1900.0, False)}
    step = _explain(case, guests={0: "High", 1: "Low"}, abroad=abroad).steps[2]
    assert [cell_text(words) for words in _column(step, "High")] == [
        "FIDE 2598 → 20 + 1.02 × 2598 = 2\u202f669.96 (article 45.2)"
    ]
    low = [cell_text(words) for words in _column(step, "Low")]
    assert low == ["performance 1900 → 180 + 0.94 × 1900 = 1\u202f966.00 (articles 10.2 and 45.1)"]
    assert _result(step, "Rated games") == 2


def test_stored_tournaments_have_the_names_given():
    stored = performances(*[(1900.0, "standard", 11)] * 5)
    lists = {"standard": {"raw": 1400, "last_performances": stored}}
    case = document([player("a", lists=lists), player("b", 1400)], [event(game("a", "b"))])
    days = {row[4].value for row in _explain(case).steps[5].rows if row[0].value == "of an earlier period"}
    earlier = {(date.fromisoformat(on).toordinal(), 1900.0): Named("may", "May Open") for on in days}
    names = [row[0].value for row in _explain(case, earlier=earlier).steps[5].rows]
    assert names == ["e", "May Open", "May Open", "May Open", "May Open"]


@pytest.mark.rule("chessa 51", "chessa 53")
def test_penalties_are_told_one_by_one():
    lists = {"standard": {"raw": 1400, "pending_penalty": 5}}
    case = document(
        [player("a", lists=lists), player("b", 1500)],
        [event(game("b", "a"))],
        penalties=[{"player": "b", "event": "e", "points": 40}, {"player": "a", "event": "e", "points": 20}],
    )
    penalties = [(2, "withdrawal"), (3, "forfeit")]
    step = _explain(case, penalties=penalties).steps[6]
    assert _column(step, "Penalty 1") == ["20 points, e, round 3: forfeit"]
    assert _column(step, "Penalty points that waited") == ["5, for the first rating (article 53)"]
    assert _column(_explain(case, list_name="rapid", name="b", penalties=penalties).steps[0], "Penalty 1") == []


@pytest.mark.rule("chessa 64")
def test_adjustments_are_told_one_by_one():
    case = document(
        [player("a", 1400), player("b", 1500)],
        [event(game("b", "a"))],
        adjustments=[
            {"player": "b", "list": "standard", "points": 40},
            {"player": "a", "list": "main", "points": 7},
            {"player": "a", "list": "standard", "points": -12.5},
        ],
    )
    step = _explain(case, adjustments=["of b", "on Main", "A result was wrong."]).steps[6]
    assert _column(step, "Adjustment 1") == ["−12.50 points: A result was wrong."]
    assert _column(step, "Adjustment 2") == []
    assert step.source == "articles 40, 42, 47, 51 to 54 and 64"
    assert "adjustment" not in _explain(case, list_name="rapid").steps[6].formula


def test_an_unrated_player_has_one_step():
    case = document([player("a", lists={"standard": {"pending_penalty": 20}})], [])
    (step,) = _explain(case).steps
    assert step.remark == "20 points will be deducted from the first calculated rating."


def test_a_player_without_a_game_has_nine_steps_without_games():
    steps = _explain(document([player("a", 1400)], [])).steps
    assert len(steps) == 9
    assert steps[2].rows == steps[7].rows == ()
    assert steps[5].remark == "Without a rated game in the period no weighted performance is applied."


@settings(max_examples=40, deadline=None)
@given(periods())
def test_the_figures_are_those_of_the_result(case):
    period = read(case)
    result = rate(period.columns, period.edition)
    for row in range(len(period.player_ids)):
        for index in range(len(LISTS)):
            steps = explain(period.columns, result, period.edition, row, index, _names(period)).steps
            assert len(steps) == (9 if result.rated[index, row] else 1)
            if len(steps) == 9:
                assert len(steps[2].rows) == result.games[index, row]
                assert sum(_column(steps[2], "Change")) == pytest.approx(result.change[index, row], abs=1e-9)
                assert _result(steps[8], "Published") == result.published[index, row]
            assert all(step.source for step in steps)


def test_cells_refer_to_players_and_events_by_id_whatever_these_are_called():
    case = document([player("a", 1400), player("b", 1500), player("c", 1600)], [event(game("a", "b"), game("c", "a"))])
    period = read(case)
    names = Names([Named(id, "Sam Same") for id in period.player_ids], [Named("e", "Open")])
    steps = explain(period.columns, rate(period.columns, period.edition), period.edition, 0, 1, names).steps
    cells = [cell for row in steps[2].rows for cell in row]
    assert [cell.ref for cell in cells if cell.kind is CellKind.PLAYER] == ["b", "c"]
    assert [cell.ref for cell in cells if cell.kind is CellKind.RATING] == ["b", "c"]
    assert {cell.ref for cell in cells if cell.kind is CellKind.EVENT} == {"e"}
    assert len({step.id for step in steps}) == 9


def test_two_guests_of_one_name_have_an_adjustment_each():
    case = document([player("a", 1400)], [event(game({"fide": 2598}, "a"), game("a", {"fide": 1900}))])
    abroad = {0: Abroad(2598.0, True), 1: Abroad(1900.0, True)}
    step = _explain(case, guests={0: "Same", 1: "Same"}, abroad=abroad).steps[2]
    assert len(_column(step, "Same")) == 2


@pytest.mark.rule("chessa 31")
def test_the_highest_rating_sets_k():
    step = _explain(document([player("a", 1390, highest=1400), player("b", 1400)], [event(game("a", "b"))])).steps[1]
    assert _column(step, "Highest rating so far") == [1400]
    assert _result(step, "K") == 32
    assert "36 from 1200, 32 from 1400" in step.formula
    unrated = _explain(document([player("a"), player("b", 1400)], [event(game("a", "b"))])).steps[1]
    assert unrated.rows == ()
    assert _result(unrated, "K") == 40
    assert unrated.remark == "Unrated on this list at the start of the period."


@pytest.mark.rule("chessa 19")
def test_base_and_increment_stand_before_the_minutes():
    case = document(
        [player("a", 1400), player("b", 1400)], [event(game("a", "b"), control={"base": 3, "increment": 5})]
    )
    step = _explain(case, list_name="blitz", controls={0: (3, 5)}).steps[0]
    assert _column(step, "Time control") == ["3 min + 5 s"]
    assert _column(step, "Minutes t") == [8]
    assert step.formula.endswith("; t = base in minutes + 60 × increment in seconds / 60")


@pytest.mark.rule("chessa 49")
def test_each_of_the_24_ratings_has_its_list_and_its_product():
    step = _explain(document([player("a", 1400)], []), history=[1400.0, float("nan"), 1350.0]).steps[7]
    assert [str(day)[:7] for day in _column(step, "List of")[:4]] == ["2024-04", "2024-03", "2024-01", "None"]
    assert sum(_column(step, "R × (25 − i)")) == pytest.approx(_result(step, "Sum"))


def _shown(cell):
    text = figure_text(cell).replace("\u202f", "").replace("−", "-")
    return float(text), 10.0 ** -len(text.partition(".")[2])


def _cells(row):
    return {cell.label: _shown(cell) for cell in row if isinstance(cell.value, float)}


@settings(max_examples=40, deadline=None)
@given(periods())
def test_a_pocket_calculator_makes_each_figure_of_those_shown_before_it(case):
    period = read(case)
    result, edition = rate(period.columns, period.edition), period.edition
    for row in range(len(period.player_ids)):
        for index in range(len(LISTS)):
            explanation = explain(period.columns, result, edition, row, index, _names(period))
            if len(explanation.steps) == 1:
                continue
            for cells in explanation.step("games").rows:
                shown = _cells(cells)
                if "We" not in shown:
                    continue
                texts = {cell.label: cell.value for cell in cells}
                difference = shown.get("held at", shown["Rw − Rb"])[0]
                white = edition["expected_level"] + edition["expected_slope"] * difference
                expected = white if texts["Colour"] == "White" else 1 - white
                score = {"1": 1.0, "½": 0.5, "0": 0.0}[texts["Result R"]]
                change = shown["R − We"][0] * shown["Tw"][0] * shown["K"][0]
                for label, made in (("We", expected), ("R − We", score - shown["We"][0]), ("Change", change)):
                    figure, unit = shown[label]
                    assert abs(made - figure) <= 1.2 * unit, label
            for cells in explanation.step("weighted-performance").rows:
                shown = _cells(cells)
                if "A" in shown:
                    made = shown["P"][0] * shown["R"][0] * shown["A"][0] * shown["i"][0]
                    assert abs(made - shown["P × R × A × i"][0]) <= 0.012
