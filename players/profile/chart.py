"""The geometry of a rating history: lines, dots and labels of an SVG that a template writes. Pure.

The plot is drawn on a canvas of WIDTH × HEIGHT that a page stretches sideways to its own width; heights are pixels.
Labels stand outside that canvas: their `x` is a per cent of the figure's width, their `y` in pixels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from django.utils.translation import gettext

from config.lib import formatting

WIDTH, HEIGHT = 1000, 260
TOP, BOTTOM = 14, 28  # room above the highest line and for the months below
FIGURE_HEIGHT = TOP + HEIGHT + BOTTOM
PLOT_SHARE = 85.0  # per cent of the figure's width; the lines' names stand in the rest
STEP = 100  # rating points between the lines of the scale, and what its ends are rounded to
LABEL_DISTANCE = 15  # least pixels between two names
LABEL_LENGTH = 12  # characters of a name that stand beside the plot
_EDGE = 8  # canvas units kept free at either side, so that the last dot is whole
_MOST_SCALE_LINES = 7


@dataclass(frozen=True, slots=True)
class Point:
    """A player's standing on a list in a month. `games` rated in it."""

    month: date
    published: float
    raw: float | None
    games: int


@dataclass(frozen=True, slots=True)
class Series:
    """A list and a player's standings on it, by month, oldest first.

    `mark`: CSS classes of colour and dash; `decimals`: of its ratings; `shown`: drawn when the page opens; `short`: the name
    beside the plot, if it is another.
    """

    code: str
    name: str
    points: Sequence[Point]
    mark: str = ""
    decimals: int = 1
    shown: bool = True
    short: str = ""

    @property
    def label(self) -> str:
        """The name beside the plot, cut to its room."""
        name = self.short or self.name
        return name if len(name) <= LABEL_LENGTH else f"{name[: LABEL_LENGTH - 1].rstrip()}…"


@dataclass(frozen=True, slots=True)
class ChartLine:
    """The drawing of one series: `published`, `raw` and `dots` are the `d` of SVG paths.

    The label stands at `label_y` when all lines are drawn, at `first_y` when only those with `shown` are.
    """

    code: str
    name: str
    mark: str
    label: str
    published: str
    raw: str
    dots: str
    label_y: int
    first_y: int
    latest: str
    shown: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A line of the scale, or a month on the axis."""

    text: str
    y: float = 0.0
    x: float = 0.0
    per_cent: float = 0.0


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything that the template draws. `places` are the months' `x` in per cent, one for each month of the table.

    `box` (a viewBox) and `scale` fit all lines; `first_box` and `first_scale` only those with `shown`.
    """

    lines: list[ChartLine]
    box: str
    scale: list[Mark]
    first_box: str
    first_scale: list[Mark]
    months: list[Mark]
    places: dict[date, float]
    description: str
    width: int = WIDTH
    height: int = FIGURE_HEIGHT
    plot_share: float = PLOT_SHARE
    axis_y: int = TOP + HEIGHT
    month_y: int = FIGURE_HEIGHT - 8

    @property
    def grows(self) -> bool:
        """Whether some lines are hidden when the page opens."""
        return not all(line.shown for line in self.lines)


def history_chart(series: Sequence[Series]) -> Chart | None:
    """Return the chart of a player's lists, None when no list has a point. Its scale starts and ends at hundreds."""
    drawn = [line for line in series if line.points]
    if not drawn:
        return None
    months = sorted({point.month for line in drawn for point in line.points})
    whole = _Range.of(drawn)
    first = _Range.of([line for line in drawn if line.shown] or drawn)
    span = _months_between(months[0], months[-1])

    def x(month: date) -> float:
        share = _months_between(months[0], month) / span if span else 0.5
        return _EDGE + share * (WIDTH - 2 * _EDGE)

    y = whole.y
    label_ys = _label_heights(drawn, whole)
    first_ys = _label_heights([line for line in drawn if line.shown], first)
    lines = [
        ChartLine(
            code=line.code,
            name=line.name,
            mark=line.mark,
            label=line.label,
            published=_path([(x(point.month), y(point.published)) for point in line.points]),
            raw=_path([(x(point.month), y(point.raw)) for point in line.points if point.raw is not None]),
            dots="".join(
                f"M{x(point.month):.1f} {y(point.published):.1f}h0"
                for point in line.points
                if point.games or len(line.points) == 1  # a line of one point has no length, and nothing else shows it
            ),
            label_y=label_ys[line.code],
            first_y=first_ys.get(line.code, label_ys[line.code]),
            latest=formatting.rating(line.points[-1].published, line.decimals),
            shown=line.shown,
        )
        for line in drawn
    ]
    return Chart(
        lines=lines,
        box=whole.box(whole),
        scale=whole.marks(),
        first_box=first.box(whole),
        first_scale=first.marks(),
        months=[_month_mark(month, x(month), span) for month in _axis_months(months[0], months[-1])],
        places={month: _per_cent(x(month)) for month in months},
        description=_description(drawn),
    )


@dataclass(frozen=True, slots=True)
class _Range:
    """The lowest and highest rating of a plot: the nearest hundreds that enclose the values."""

    lowest: int
    highest: int

    @classmethod
    def of(cls, series: Sequence[Series]) -> "_Range":
        values = [
            value
            for line in series
            for point in line.points
            for value in (point.published, point.raw)
            if value is not None
        ]
        lowest = int(min(values) // STEP) * STEP
        return cls(lowest, max(-int(-max(values) // STEP) * STEP, lowest + STEP))

    def y(self, value: float) -> float:
        return TOP + (self.highest - value) / (self.highest - self.lowest) * HEIGHT

    def box(self, drawn_in: "_Range") -> str:
        """Return the viewBox that fills the figure with this range of a plot drawn in the range `drawn_in`."""
        top, bottom = drawn_in.y(self.highest), drawn_in.y(self.lowest)
        unit = (bottom - top) / HEIGHT
        return f"0 {top - TOP * unit:.3f} {WIDTH} {FIGURE_HEIGHT * unit:.3f}"

    def marks(self) -> list[Mark]:
        step = STEP
        while (self.highest - self.lowest) / step + 1 > _MOST_SCALE_LINES:
            step += STEP
        values = range(-(-self.lowest // step) * step, self.highest + 1, step)
        return [Mark(formatting.number(value), y=round(self.y(value), 1)) for value in values]


def _label_heights(series: Sequence[Series], within: _Range) -> dict[str, int]:
    """Return the heights of the lines' names in pixels, by code of the list."""
    heights = _apart([within.y(line.points[-1].published) + 4 for line in series])
    return {line.code: height for line, height in zip(series, heights, strict=True)}


def _axis_months(first: date, last: date) -> list[date]:
    """Return the months written below the axis, at a step that gives about four to eight of them."""
    span = _months_between(first, last)
    every = next((step for step in (1, 2, 3, 6, 12, 24, 36, 60, 120) if span / step <= 6), 240)
    months = []
    for number in range(first.year * 12 + first.month - 1, last.year * 12 + last.month):
        if number % every == 0:
            months.append(date(number // 12, number % 12 + 1, 1))
    return months or [first]


def _month_mark(month: date, x: float, span: int) -> Mark:
    text = str(month.year) if month.month == 1 and span > 30 else formatting.short_month(month)
    return Mark(text, x=round(x, 1), per_cent=_per_cent(x))


def _per_cent(x: float) -> float:
    return round(x / WIDTH * PLOT_SHARE, 2)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) if points else ""


def _apart(heights: Sequence[float]) -> list[int]:
    """Return the heights of labels moved apart by LABEL_DISTANCE, within the figure."""
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    placed = [heights[index] for index in order]
    for index in range(1, len(placed)):
        placed[index] = max(placed[index], placed[index - 1] + LABEL_DISTANCE)
    limit = float(TOP + HEIGHT)
    for index in reversed(range(len(placed))):
        placed[index] = min(placed[index], limit)
        limit = placed[index] - LABEL_DISTANCE
    result = [0] * len(heights)
    for index, place in zip(order, placed, strict=True):
        result[index] = round(place)
    return result


def _description(series: Sequence[Series]) -> str:
    parts = []
    for line in series:
        first, last = line.points[0], line.points[-1]
        best = max(line.points, key=lambda point: point.published)
        parts.append(
            gettext(
                "%(list)s: %(first)s on %(first_day)s, %(last)s on %(last_day)s, highest %(highest)s on %(highest_day)s."
            )
            % {
                "list": line.name,
                "first": formatting.rating(first.published, line.decimals),
                "first_day": formatting.day(first.month),
                "last": formatting.rating(last.published, line.decimals),
                "last_day": formatting.day(last.month),
                "highest": formatting.rating(best.published, line.decimals),
                "highest_day": formatting.day(best.month),
            }
        )
    gaps = [
        pair for line in series for pair in pairwise(line.points) if _months_between(pair[0].month, pair[1].month) > 1
    ]
    if gaps:
        parts.append(gettext("Straight stretches pass over months without a list."))
    return " ".join(parts)


def _months_between(first: date, last: date) -> int:
    return (last.year - first.year) * 12 + last.month - first.month
