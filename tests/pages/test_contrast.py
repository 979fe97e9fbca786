"""The contrast of every ink on every paper that it stands on, from the style sheet's own properties (WCAG 2.2, 1.4.3)."""

import re

import pytest

from ratings.lists.definitions import COLOURS
from tests.conftest import ROOT

TOKENS = (ROOT / "static" / "css" / "tokens.css").read_text()
INKS = [
    "ink",
    "grey",
    "accent",
    "up",
    "down",
    "main",
    "standard",
    "rapid",
    "blitz",
    *(f"other-{number}" for number in range(1, COLOURS + 1)),
]
PAIRS = [(ink, paper) for ink in INKS for paper in ("paper", "paper-raised")] + [
    ("accent", "accent-paper"),
    ("ink", "accent-paper"),
    ("warn-ink", "warn-paper"),
    ("paper", "accent"),
]


def properties(dark: bool) -> dict[str, str]:
    light, night = TOKENS.split("@media (prefers-color-scheme: dark)")
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", light))
    return found | dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", night)) if dark else found


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_measure_itself():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "paper"), PAIRS)
def test_every_ink_can_be_read(ink, paper, dark):
    colours = properties(dark)
    assert contrast(colours[ink], colours[paper]) >= 4.5


def test_both_schemes_set_the_same_colours():
    light, night = TOKENS.split("@media (prefers-color-scheme: dark)")
    names = [set(re.findall(r"--([\w-]+): #", part)) for part in (light, night)]
    assert names[0] == names[1]
