"""The picture of a player's ratings that social networks show beside a link: a PNG of 1200 × 630 pixels. No database."""

import io
from collections.abc import Sequence
from datetime import date

from PIL import Image, ImageDraw, ImageFont

from config.lib import formatting
from players.profile.chart import Series
from ratings.embeds.colours import THEMES

WIDTH, HEIGHT = 1200, 630
_MARGIN = 60
_PLOT = (_MARGIN + 90, 316, WIDTH - _MARGIN, HEIGHT - 90)  # left, top, right, bottom
_COLOURS = THEMES["light"]
_STEP = 100  # rating points


def player_picture(
    name: str, detail: str, foot: str, ratings: Sequence[tuple[str, str]], series: Sequence[Series]
) -> bytes:
    """Return the PNG of a name, its detail, the latest ratings as (list, rating), and the chart of the national lists.

    `foot`: whose ratings they are, and of which day.
    """
    image = Image.new("RGB", (WIDTH, HEIGHT), _COLOURS.paper)
    draw = ImageDraw.Draw(image)
    draw.text((_MARGIN, 48), _fitting(name, 64, WIDTH - 2 * _MARGIN), _COLOURS.ink, _font(64))
    draw.text((_MARGIN, 128), detail, _COLOURS.grey, _font(30))
    width = (WIDTH - 2 * _MARGIN) // max(1, len(ratings))
    for place, (listing, rating) in enumerate(ratings):
        x = _MARGIN + place * width
        draw.text((x, 186), listing, _COLOURS.lists[place % len(_COLOURS.lists)], _font(28))
        draw.text((x, 218), _plain(rating), _COLOURS.ink, _font(44))
    drawn = [line for line in series if line.points]
    if drawn:
        _draw_chart(draw, drawn)
    draw.text((_MARGIN, HEIGHT - 48), foot, _COLOURS.grey, _font(24))
    content = io.BytesIO()
    image.save(content, "PNG", optimize=True)
    return content.getvalue()


def _draw_chart(draw: ImageDraw.ImageDraw, series: Sequence[Series]) -> None:
    left, top, right, bottom = _PLOT
    ratings = [point.published for line in series for point in line.points]
    months = [point.month for line in series for point in line.points]
    lowest = int(min(ratings) // _STEP) * _STEP
    highest = max(int(-(-max(ratings) // _STEP)) * _STEP, lowest + _STEP)
    first, span = _number(min(months)), max(1, _number(max(months)) - _number(min(months)))

    def place(month: date, rating: float) -> tuple[float, float]:
        x = left + (right - left) * (_number(month) - first) / span
        return x, bottom - (bottom - top) * (rating - lowest) / (highest - lowest)

    step = _STEP * max(1, round((highest - lowest) / _STEP / 4))
    for value in range(lowest, highest + 1, step):
        y = place(min(months), value)[1]
        draw.line((left, y, right, y), _COLOURS.rule, 2)
        draw.text((left - 16, y), _plain(formatting.number(value)), _COLOURS.grey, _font(24), anchor="rm")
    for line, colour in zip(series, _COLOURS.lists, strict=False):
        points = [place(point.month, point.published) for point in line.points]
        draw.line(points, colour, 5, joint="curve")
        x, y = points[-1]
        draw.ellipse((x - 7, y - 7, x + 7, y + 7), colour)


def _number(month: date) -> int:
    return month.year * 12 + month.month


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _plain(figures: str) -> str:
    """Return figures with a blank that the font has."""
    return figures.replace("\u202f", " ").replace("\u00a0", " ")


def _fitting(text: str, size: int, width: int) -> str:
    """Return the text, cut where it is wider than the picture."""
    if _font(size).getlength(text) <= width:
        return text
    while text and _font(size).getlength(f"{text}…") > width:
        text = text[:-1]
    return f"{text.rstrip()}…"
