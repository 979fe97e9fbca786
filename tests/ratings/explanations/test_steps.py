"""How the steps of an explanation are laid out and their figures written."""

import pytest

from ratings.explanations.layout import cell_text, figure_text, shown_steps
from ratings.systems.base import Cell, CellKind, Explanation, Step, sentences


def shown(*rows, result=(), **options):
    step = Step("step", "Step", "formula", tuple(rows), tuple(result), "article 1")
    (only,) = shown_steps(Explanation("p", "title", (step,)), **options)
    return only


@pytest.mark.parametrize(
    ("cell", "short", "full"),
    [
        (Cell("Raw", 1521.9490227, 1), "1\u202f521.95", "1521.9490227"),
        (Cell("Tw", 0.8299996752223566), "0.83", "0.8299996752223566"),
        (Cell("Expected", 0.123456, 4), "0.1235", "0.123456"),
        (Cell("K", 32.0, 0), "32", "32"),
        (Cell("Score", 3.5, 1, CellKind.SCORE), "3.5", "3.5"),
        (Cell("Change", 12.0, 1, CellKind.CHANGE), "+12.00", "+12"),
        (Cell("Change", -12.345, 1, CellKind.CHANGE), "−12.35", "−12.345"),
        (Cell("Change", -0.001, 1, CellKind.CHANGE), "0.00", "−0.001"),
        (Cell("Wp", None, 1), "–", "–"),
        (Cell("End date", "2024-03-29", kind=CellKind.DAY), "29 Mar 2024", "29 Mar 2024"),
        (Cell("Result", "1-0", kind=CellKind.TEXT), "1-0", "1-0"),
    ],
)
def test_two_decimals_or_all_of_them(cell, short, full):
    assert figure_text(cell) == short
    assert figure_text(cell, full=True) == full


def test_figures_in_sentences_are_short_or_in_full():
    words = ("The floor of ", 1700.0, " held; ", 1587.8518042056073, " was earned.")
    assert cell_text(words) == "The floor of 1\u202f700.00 held; 1\u202f587.85 was earned."
    assert cell_text(words, full=True) == "The floor of 1700 held; 1587.8518042056073 was earned."
    assert cell_text("No bonus.", full=True) == "No bonus."
    (block,) = shown((Cell("Penalty 1", ("20 points, ", 0.123456)),), full=True).blocks
    assert [(fact.text, fact.number) for fact in block.facts] == [("20 points, 0.123456", False)]


def test_sentences_follow_each_other():
    assert sentences("", "One.", "", "Two.") == "One. Two."
    assert sentences("One.", ("Two is ", 2.0, ".")) == ("One.", " ", "Two is ", 2.0, ".")
    assert sentences() == ""


def test_games_stand_under_their_tournament():
    rows = [
        (Cell("Tournament", name, kind=CellKind.EVENT), Cell("Round", round_, 0, CellKind.ROUND), Cell("We", 0.5))
        for name, round_ in (("A", 1), ("A", 2), ("B", 1))
    ]
    (block,) = shown(*rows).blocks
    assert [(group.heading.text, len(group.rows)) for group in block.table.groups] == [("A", 2), ("B", 1)]
    assert block.table.columns == (("Round", True), ("We", True))


def test_rows_of_one_figure_and_a_row_alone_are_single_figures():
    blocks = shown((Cell("Games", 5, 0),), (Cell("K", 40, 0),)).blocks
    assert [[figure.label for figure in block.facts] for block in blocks] == [["Games", "K"]]
    (alone,) = shown((Cell("Raw", 1400.0), Cell("Change", 1.0, kind=CellKind.CHANGE))).blocks
    assert [figure.text for figure in alone.facts] == ["1\u202f400.00", "+1.00"]


def test_a_row_with_other_figures_keeps_its_columns():
    games = (Cell("Round", 1, 0), Cell("Score", 1.0, 1))
    earlier = (Cell("Round", None, 0), Cell("Games", 6.0, 1, CellKind.SCORE))
    (block,) = shown(games, games, earlier).blocks
    assert [label for label, _ in block.table.columns] == ["Round", "Score", "Games"]
    assert [figure.text for figure in block.table.groups[0].rows[2]] == ["–", "", "6.0"]


def test_what_adds_up_to_a_total_has_a_sign():
    result = (Cell("Open", 20.3, 1, CellKind.CHANGE), Cell("Total", 20.3, 1, CellKind.CHANGE))
    assert [figure.text for figure in shown(result=result).result] == ["+20.30", "+20.30"]


def test_links_and_columns_left_out():
    row = (Cell("Opponent", "X", kind=CellKind.PLAYER, ref="7"), Cell("Round", 1, 0), Cell("We", 0.5))
    (block,) = shown(row, row, link=lambda cell: f"/{cell.ref}/" if cell.kind is CellKind.PLAYER else "").blocks
    assert block.table.groups[0].rows[0][0].link == "/7/"
    (block,) = shown(row, row, without={CellKind.PLAYER}).blocks
    assert [label for label, _ in block.table.columns] == ["Round", "We"]


def test_many_columns_fold_and_a_long_column_opens_on_demand():
    def table(columns, rows):
        row = tuple(Cell(str(index), 1.0) for index in range(columns))
        return shown(*[row] * rows).blocks[0].table

    assert (table(5, 2).folds, table(6, 2).folds) == (False, True)
    assert (table(3, 16).long, table(3, 17).long, table(6, 17).long) == (False, True, False)
