"""How it works: every article once, figures from the editions alone, curves as the systems calculate."""

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from config.lib.editions import Constant
from ratings.edition_notes import NOTES
from ratings.guide.articles import GROUPS
from ratings.guide.curves import expected_curves, expected_picture, k_curves, k_picture
from ratings.guide.figures import figures
from ratings.guide.glossary import TERMS
from ratings.guide.rating_systems import system_guides
from ratings.systems import cfc, chessa, icu, uscf
from tests.conformance.rules import systems as conformance

ARTICLES = [article for group in GROUPS for article in group.articles]
TODAY = date(2026, 11, 1)
EDITION = chessa.edition_for(TODAY)
TEMPLATES = Path(__file__).resolve().parents[3] / "templates" / "ratings" / "guide"


def test_every_article_stands_exactly_once():
    assert sorted(number for article in ARTICLES for number in article.numbers) == list(range(1, 67))


def test_what_is_open_is_what_the_table_of_conformance_calls_open():
    rules = next(system for system in conformance() if system.code == "chessa").rules
    expected = {int(rule.id.split(".")[0]) for rule in rules if rule.open}
    assert {number for article in ARTICLES if article.open_ for number in article.numbers} == expected


def test_no_figure_is_typed_into_a_text_or_a_template():
    for article in ARTICLES:
        assert not re.search(r"\d", re.sub(r"\{\w+\}", "", article.says + article.does)), article.numbers
    for file in TEMPLATES.glob("*.html"):
        text = re.sub(r"<[^>]*>|\{%.*?%\}|\{\{.*?\}\}", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not re.search(r"\d", text), file


def test_figures_follow_the_edition():
    other = EDITION.extended(
        {"appeal_days": Constant(30, "article 11"), "k_factors": Constant((50.0,) * 8, "article 31")}
    )
    assert (figures(EDITION)["appeal_days"], figures(other)["appeal_days"]) == ("21", "30")
    assert figures(EDITION)["k_steps"].startswith("40 below 1200, 36 from 1200, 32 from 1400")
    assert figures(other)["k_steps"].startswith("50 below 1200")
    for article in ARTICLES:
        assert "{" not in article.says.format_map(figures(EDITION))


@pytest.mark.parametrize(
    ("system", "name", "rating", "k"),
    [
        ("chessa", "by highest rating", 1199, 40),
        ("chessa", "by highest rating", 1200, 36),
        ("chessa", "by highest rating", 2400, 12),
        ("icu", "under the age for juniors", 2099, 40),
        ("icu", "new members", 2099, 32),
        ("icu", "others", 2099, 24),
        ("icu", "others", 2100, 16),
        ("cfc", "by rating", 2199, 32),
        ("cfc", "by rating", 2200, 16),
        ("uscf", "event of 4 games", 2400, 800 / 54),
    ],
)
def test_the_curve_of_k_is_that_of_the_system(system, name, rating, k):
    guide = next(guide for guide in system_guides(TODAY) if guide.code == system)
    assert k_curves(system, guide.edition)[name](rating) == pytest.approx(k)


@pytest.mark.parametrize(
    ("system", "name", "difference", "expected"),
    [
        ("chessa", "with White", 0, 0.541767),
        ("chessa", "with Black", 0, 0.458233),
        ("chessa", "with White", 800, 0.541767 + 0.001164 * 390),
        ("icu", "any game", 400, 10 / 11),
        ("uscf", "standard formula", -400, 1 / 11),
        ("uscf", "special formula", 400, 1.0),
        ("cfc", "any game", 3, 0.5),
        ("cfc", "any game", 4, 0.51),
    ],
)
def test_the_curve_of_the_expected_score_is_that_of_the_system(system, name, difference, expected):
    guide = next(guide for guide in system_guides(TODAY) if guide.code == system)
    assert expected_curves(system, guide.edition)[name](difference) == pytest.approx(expected)


def test_pictures_keep_within_their_frame_and_follow_the_edition():
    for guide in system_guides(TODAY):
        for picture in guide.pictures:
            for line in picture.lines:
                places = [tuple(map(float, point.split(","))) for point in line.points.split()]
                assert all(34 <= x <= 350 and 10 <= y <= 190 for x, y in places)
                assert [x for x, _ in places] == sorted(x for x, _ in places)
    flat = replace(EDITION, constants=dict(EDITION.constants) | {"k_factors": Constant((20.0,) * 8, "article 31")})
    assert {value for line in k_picture("chessa", flat).lines for value in line.values} == {"20"}
    assert expected_picture("chessa", EDITION).table[3] == ("0", ["0.54", "0.46"])


def test_terms_are_in_order_and_lead_to_each_other():
    codes = [term.code for term in TERMS]
    assert len(set(codes)) == len(codes)
    assert [term.name.lower() for term in TERMS] == sorted(term.name.lower() for term in TERMS)
    assert {code for term in TERMS for code in term.beside} <= set(codes)


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["", "systems/", "glossary/", "figures/"])
def test_the_pages_are_linked_and_need_no_script_and_no_style(client, page):
    text = client.get(f"/how-it-works/{page}").content.decode()
    assert 'href="/how-it-works/"' in client.get("/").content.decode()
    assert text.count("<h1>") == 1
    assert " style=" not in text
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(set(ids)) == len(ids)
    for anchor in re.findall(r'href="#([^"]+)"', text):
        assert anchor in ids


@pytest.mark.django_db
def test_the_glossary_is_in_the_order_of_the_readers_alphabet(client):
    text = client.get("/how-it-works/glossary/", headers={"accept-language": "af"}).content.decode()
    names = [name.lower() for name in re.findall("<dt>(.*?)</dt>", text)]
    assert names == sorted(names)
    assert names[0] == "aanstelling"


@pytest.mark.parametrize("system", [cfc, chessa, icu, uscf])
def test_every_note_on_an_edition_is_marked_for_translation(system):
    assert {edition.note for edition in system.EDITIONS} <= set(NOTES)
