import re
from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.lib.days import next_month
from players.profile.chart import FIGURE_HEIGHT, HEIGHT, LABEL_DISTANCE, TOP, WIDTH, Point, Series, history_chart


def months(count: int, first: date = date(2024, 1, 1)) -> list[date]:
    found = [first]
    while len(found) < count:
        found.append(next_month(found[-1]))
    return found


def series(*values: float, code: str = "main", games: int = 0) -> Series:
    return Series(
        code, code.title(), [Point(m, v, v - 10, games) for m, v in zip(months(len(values) or 1), values, strict=False)]
    )


def coordinates(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", path)]


def test_no_chart_without_a_point():
    assert history_chart([]) is None
    assert history_chart([series()]) is None


def test_the_scale_reaches_to_the_hundreds_outside():
    chart = history_chart([series(1421, 1580)])
    assert [mark.text for mark in chart.scale] == ["1\u202f400", "1\u202f500", "1\u202f600"]
    assert (chart.scale[0].y, chart.scale[-1].y) == (TOP + HEIGHT, TOP)


def test_a_single_month_on_a_hundred_still_has_a_scale():
    chart = history_chart([Series("main", "Main", [Point(date(2024, 1, 1), 1500, None, 0)])])
    assert [mark.text for mark in chart.scale] == ["1\u202f500", "1\u202f600"]
    assert chart.lines[0].raw == ""


def test_higher_ratings_stand_higher_and_later_months_further_right():
    (line,) = history_chart([series(1500, 1600)]).lines
    (x1, y1), (x2, y2) = coordinates(line.published)
    assert x1 < x2
    assert y2 < y1


def test_only_months_with_games_are_dotted():
    points = [Point(m, 1500, 1500, games) for m, games in zip(months(3), (0, 4, 0), strict=True)]
    (line,) = history_chart([Series("main", "Main", points)]).lines
    assert line.dots.count("h0") == 1


def test_a_missing_month_takes_its_room():
    first, second, fourth = (point for index, point in enumerate(series(1500, 1500, 1500, 1500).points) if index != 2)
    (line,) = history_chart([Series("main", "Main", [first, second, fourth])]).lines
    (x1, _), (x2, _), (x4, _) = coordinates(line.published)
    assert round((x4 - x2) / (x2 - x1), 1) == 2.0


def test_the_description_says_what_the_lines_show():
    text = history_chart([series(1500, 1612.34, 1550)]).description
    assert text == ("Main: 1\u202f500.0 on 1 Jan 2024, 1\u202f550.0 on 1 Mar 2024, highest 1\u202f612.3 on 1 Feb 2024.")


def test_ten_years_have_few_marks_on_the_axis():
    chart = history_chart([series(*([1500.0] * 120))])
    assert 4 <= len(chart.months) <= 8
    assert chart.months[0].text == "2024"


def test_what_is_shown_later_does_not_press_what_is_shown_first():
    """The first view is drawn to the lines that are shown first, as if there were no others."""
    own = series(1421, 1580)
    other = replace(series(1390, 2150, code="other"), shown=False, decimals=0)
    alone, both = history_chart([own]), history_chart([own, other])
    assert not alone.grows
    assert alone.box == alone.first_box == f"0 0.000 {WIDTH} {FIGURE_HEIGHT:.3f}"
    assert both.grows
    assert both.first_scale == alone.scale
    assert [mark.text for mark in both.scale] == ["1\u202f400", "1\u202f600", "1\u202f800", "2\u202f000", "2\u202f200"]
    assert both.lines[0].first_y == alone.lines[0].label_y
    assert both.lines[1].latest == "2\u202f150"
    _, top, _, height = map(float, both.first_box.split())
    for (_, y), (_, y_alone) in zip(
        coordinates(both.lines[0].published), coordinates(alone.lines[0].published), strict=True
    ):
        assert (y - top) / height * FIGURE_HEIGHT == pytest.approx(y_alone, abs=0.3)


@pytest.mark.parametrize(("name", "label"), [("Twelve chars", "Twelve chars"), ("Thirteen char", "Thirteen ch…")])
def test_a_long_name_beside_the_plot_is_cut(name, label):
    (line,) = history_chart([replace(series(1500), name=name)]).lines
    assert (line.label, line.name) == (label, name)


@given(st.lists(st.lists(st.floats(0, 3500), min_size=1, max_size=30), min_size=1, max_size=4))
def test_everything_stays_inside_and_names_stay_apart(values):
    chart = history_chart([series(*one, code=f"list{index}") for index, one in enumerate(values)])
    for line in chart.lines:
        for x, y in coordinates(line.published):
            assert 0 <= x <= WIDTH
            assert TOP <= y <= TOP + HEIGHT
    heights = sorted(line.label_y for line in chart.lines)
    assert all(later - earlier >= LABEL_DISTANCE - 1 for earlier, later in pairwise(heights))
    assert all(0 < y <= FIGURE_HEIGHT for y in heights)
    assert all(0 <= place <= chart.plot_share for place in chart.places.values())


def test_a_single_point_without_games_is_drawn():
    """An opening balance is the first point of a player: a path of one place shows nothing."""
    (line,) = history_chart([series(1500)]).lines
    assert line.dots == f"M500.0 {TOP:.1f}h0"
    longer, alone = history_chart([series(1500, 1510), series(1400, code="rapid")]).lines
    assert (longer.dots, alone.dots.count("h0")) == ("", 1)
