"""The contrast of every ink on every paper that it stands on, from the style sheet's own properties (WCAG 2.2, 1.4.3)."""

import re

import pytest

from config.branding import PAPERS, contrast
from ratings.embeds.colours import THEMES
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


def test_the_measure_itself():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "paper"), PAIRS)
def test_every_ink_can_be_read(ink, paper, dark):
    colours = properties(dark)
    assert contrast(colours[ink], colours[paper]) >= 4.5


def test_the_papers_of_a_federations_own_colours_are_those_of_the_pages():
    assert (properties(dark=False)["paper"], properties(dark=True)["paper"]) == PAPERS


def test_both_schemes_set_the_same_colours():
    light, night = TOKENS.split("@media (prefers-color-scheme: dark)")
    names = [set(re.findall(r"--([\w-]+): #", part)) for part in (light, night)]
    assert names[0] == names[1]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pictures_for_other_sites_have_the_colours_of_the_pages(theme):
    found, colours = THEMES[theme], properties(dark=theme == "dark")
    names = {"paper": "paper", "raised": "paper-raised"} | {
        name: name for name in ("ink", "grey", "accent", "up", "down")
    }
    assert {name: getattr(found, name) for name in names} == {name: colours[token] for name, token in names.items()}
    lists = ["main", "standard", "rapid", "blitz", *(f"other-{number}" for number in range(1, COLOURS + 1))]
    assert list(found.lists) == [colours[name] for name in lists]
    assert found.rule == colours["rule"]
