"""Every text of the pages that is marked has its translation, in every catalogue."""

import re

import pytest
from babel.messages import Catalog

from tests import catalogues


@pytest.fixture(scope="module")
def marked():
    """Every text that is marked in templates and code."""
    return catalogues.messages()


@pytest.mark.parametrize("language", catalogues.catalogues())
def test_a_catalogue_is_whole_and_compiled(language, marked):
    path = catalogues.catalogues()[language]
    catalogue = catalogues.read(path)
    assert catalogues.problems(catalogue, marked) == []
    assert path.with_suffix(".mo").read_bytes() == catalogues.compiled(catalogue), "run script/messages"


def test_a_template_is_translated_whole_or_not_at_all():
    templates = [path for path in (catalogues.ROOT / "templates").rglob("*.html") if "admin" not in path.parts]
    texts = {path: path.read_text(encoding="utf-8") for path in templates}
    begun = {path: text for path, text in texts.items() if re.search(r"{% load [^%]*\bi18n\b", text)}
    assert begun
    assert {path.name: left for path, text in begun.items() if (left := catalogues.bare_texts(text))} == {}


@pytest.mark.parametrize(
    ("template", "left"),
    [
        ("{% translate 'Players' %}: <b>{{ name }}</b> <code>GET /players/</code>", []),
        (
            "<p>{% blocktranslate trimmed %}All {{ count }} players{% endblocktranslate %} of Gauteng</p>",
            ["of Gauteng"],
        ),
        ('<a href="/players/" aria-label="Find a player">→</a>', ["Find a player"]),
    ],
)
def test_a_text_that_is_not_marked_is_found(template, left):
    assert catalogues.bare_texts(template) == left


@pytest.mark.parametrize(
    ("text", "flags", "problem"),
    [
        ("%(count)s spelers", (), None),
        ("", (), "not translated"),
        ("%(number)s spelers", (), "other values"),
        ("Spelers", (), "other values"),
        ("%(count)s spelers", ("fuzzy",), "fuzzy"),
    ],
)
def test_what_is_wrong_with_a_translation_is_found(text, flags, problem):
    marked, known = Catalog(), Catalog(locale="af")
    marked.add("%(count)s players")
    known.add("%(count)s players", text, flags=flags)
    assert catalogues.problems(known, marked) == ([f"{problem}: %(count)s players"] if problem else [])


def test_a_plural_has_each_form_and_may_leave_out_the_one():
    marked, known = Catalog(), Catalog(locale="af")
    marked.add(("One game", "%(count)s games"))
    known.add(("One game", "%(count)s games"), ("Een spel", "%(count)s spelle"))
    assert catalogues.problems(known, marked) == []
    known = Catalog(locale="af")
    known.add(("One game", "%(count)s games"), ("Een spel", ""))
    assert catalogues.problems(known, marked) == ["not translated: One game"]


def test_what_is_missing_and_what_is_left_over_is_found():
    marked, known = Catalog(), Catalog(locale="af")
    marked.add("Players")
    known.add("Games", "Spelle")
    assert catalogues.problems(known, marked) == ["missing: Players", "no longer used: Games"]
    begun = catalogues.up_to_date(known, marked)
    assert catalogues.problems(begun, marked) == ["not translated: Players"]
