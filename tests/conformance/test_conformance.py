"""The conformance table is complete, true to the sources, and up to date."""

import re
from collections import Counter

import pytest

from tests.conformance.markers import MarkerError, Shown, shown_by_tests, shown_in
from tests.conformance.places import ROOT, Place, exists, figures_of, namings, places_of, source_of
from tests.conformance.rules import sources, systems
from tests.conformance.table import PAGE, page
from tests.conformance.words import named_rules

SYSTEMS = {system.code: system for system in systems()}
RULES = [rule for system in SYSTEMS.values() for rule in system.rules]
by_system = pytest.mark.parametrize("code", SYSTEMS)


def test_the_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(), "out of date: run python -m tests.conformance"


def test_every_article_of_the_regulations_is_in_the_table():
    assert {str(number) for number in range(1, 67)} - {
        rule.id.split(".")[0] for rule in SYSTEMS["chessa"].rules
    } == set()


def test_no_rule_stands_twice():
    assert [name for name, count in Counter(rule.name for rule in RULES).items() if count > 1] == []


@by_system
def test_the_code_names_no_rule_that_is_not_in_the_table(code):
    known = {rule.id for rule in SYSTEMS[code].rules}
    assert [(name, place) for name, place in namings(code) if name not in known] == []


@by_system
def test_every_figure_of_the_editions_belongs_to_a_rule(code):
    belonging = set().union(*(figures_of(rule) for rule in SYSTEMS[code].rules))
    assert {name for name, _ in sources(code)} == belonging


def test_a_marker_names_a_rule_of_the_table():
    known = {rule.name for rule in RULES}
    assert [shown for shown in shown_by_tests() if shown.rule not in known] == []


def test_places_that_a_rule_lists_exist():
    listed = [Place(*place.split("::")) for rule in RULES for place in rule.places]
    assert [place for place in listed if not exists(place)] == []


@by_system
def test_a_rule_that_tests_show_lives_somewhere(code):
    shown = {one.rule for one in shown_by_tests()}
    assert [rule.name for rule in SYSTEMS[code].rules if rule.name in shown and not places_of(rule)] == []


def test_places_that_the_readings_name_exist():
    text = (ROOT / "docs" / "regulations.md").read_text(encoding="utf-8")
    named = re.compile(r"`([\w/]+\.py)` `([\w.]+)`")
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| article |")]
    assert [row for row in rows if not named.search(row)] == []
    assert [found for found in named.findall(text) if not exists(Place(*found))] == []


def test_what_asks_nothing_of_software_has_neither_tests_nor_anything_open():
    shown = {one.rule for one in shown_by_tests()}
    assert [rule.name for rule in RULES if rule.outside and (rule.open or rule.name in shown)] == []


@pytest.mark.parametrize(
    ("text", "system", "rules"),
    [
        ("K of article 31 by", "chessa", ["31"]),
        ("articles 40, 42, 47 and 51 to 54", "chessa", ["40", "42", "47", "51", "52", "53", "54"]),
        ("(articles 51–54)", "chessa", ["51", "52", "53", "54"]),
        ("Articles 19, 20 and 23: base", "chessa", ["19", "20", "23"]),
        ("article 12.1), and these", "chessa", ["12.1"]),
        ('Finding("x", article="13.3")', "chessa", ["13.3"]),
        ("the limit of article\n    47 holds", "chessa", ["47"]),
        ("# as article\n# 47 says", "chessa", ["47"]),
        ('<p class="source">{{ "12.2, 57.3"|articles }}</p>', "chessa", ["12.2", "57.3"]),
        ("articles 19–34 and 41", "chessa", ["41"]),
        ("articles 1–5", "chessa", ["1", "2", "3", "4", "5"]),
        ("articles 1–6", "chessa", []),
        ("the article on bonus points, 32", "chessa", []),
        ("article 100", "chessa", []),
        ("section 414d; 414b prints 2199", "cfc", ["414d", "414b"]),
        ("section 416a and 416b", "cfc", ["416a", "416b"]),
        ("(section 417.1)", "cfc", ["417.1"]),
        ("section 12", "cfc", []),
        ("article 31", "icu", []),
    ],
)
def test_rules_are_found_in_words(text, system, rules):
    assert [rule for _, rule in named_rules(text, system)] == rules


def test_a_place_is_the_innermost_name():
    source = source_of(
        "x.py",
        '"""Module."""\n'
        "A = 1  # a\n"
        "TABLE = (\n"
        '    {"floor": Constant(500, "article 42")},\n'
        ")\n"
        "class Big:\n"
        "    @property\n"
        "    def small(self):\n"
        '        return edition["floor"]\n'
        "    other = 2\n",
    )
    names = [source.name_at(line) for line in range(1, 11)]
    assert names == ["", "A", "TABLE", "floor", "TABLE", "Big", "Big.small", "Big.small", "Big.small", "Big.other"]
    assert source.readers == (("floor", 9),)


MARKED = 'import pytest\n\n@pytest.mark.rule("chessa 47", "cfc 413")\ndef test_a():\n    pass\n'


def test_markers_are_read_above_tests_and_for_whole_files():
    assert list(shown_in("test_x.py", MARKED)) == [
        Shown("chessa 47", "test_x.py", "test_a"), Shown("cfc 413", "test_x.py", "test_a"),
    ]  # fmt: skip
    whole = f'{MARKED}\npytestmark = [pytest.mark.django_db, pytest.mark.rule("icu bonus")]\n'
    assert Shown("icu bonus", "test_x.py") in list(shown_in("test_x.py", whole))


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("test_x.py", MARKED.replace("test_a", "helper"), "stands on no test"),
        ("builders.py", MARKED, "file without tests"),
        ("test_x.py", 'pytestmark = pytest.mark.rule("chessa 1")\n', "file without tests"),
        ("test_x.py", MARKED.replace('"chessa 47", "cfc 413"', ""), "takes the names"),
        ("test_x.py", MARKED.replace('"chessa 47"', "NAME"), "takes the names"),
        ("test_x.py", MARKED.replace('"cfc 413"', 'name="cfc 413"'), "takes the names"),
    ],
)
def test_a_marker_that_shows_nothing_is_refused(file, text, words):
    with pytest.raises(MarkerError, match=words):
        list(shown_in(file, text))
