"""The geometry of the bars of a distribution: an SVG as wide as the page, whose heights are pixels. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

HEIGHT, BELOW, ABOVE = 180, 22, 18  # of the highest bar; room for the scale below and for the counts above
_GAP = 0.12  # of a bar's place
_MOST_LABELS = 8


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: `x`, `width` and `middle` in per cent of the figure's width, `y` and `height` in pixels; texts or ""."""

    x: str
    width: str
    middle: str
    y: int
    height: int
    count: str
    label: str


def bars(counts: Sequence[tuple[str, int, str]]) -> list[Bar]:
    """Return the bars of (label, number, number as text); where there are many, only some labels stand below them."""
    highest = max((number for _, number, _ in counts), default=0)
    place = 100 / max(len(counts), 1)
    each = -(-len(counts) // _MOST_LABELS)
    drawn = []
    for index, (label, number, text) in enumerate(counts):
        height = max(round(HEIGHT * number / highest), 1) if number else 0
        drawn.append(
            Bar(
                x=f"{(index + _GAP / 2) * place:.2f}%",
                width=f"{(1 - _GAP) * place:.2f}%",
                middle=f"{(index + 0.5) * place:.2f}%",
                y=ABOVE + HEIGHT - height,
                height=height,
                count=text if number else "",
                label=label if index % each == 0 else "",
            )
        )
    return drawn
