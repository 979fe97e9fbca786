"""The steps of other federations' systems in another language: but for the documents they name, nothing stays English."""

import re
from dataclasses import asdict

import pytest
from django.utils import translation

from ratings.systems import uscf
from tests.ratings.calculators.entries import calculate, games

ENGLISH = re.compile(
    r"\b(the|with|before|games?|and|are|were|held|earned|opponents?|rating|score|whole|from|above|change[sd]?|threshold|yes|not)\b",
    re.IGNORECASE,
)
THREE = games((1500, "1"), (1600, "h"), (1400, "0"))
STRONG = games((1900, "1"), (2000, "1"), (1900, "1"), (1950, "1"), (2000, "1"), (1990, "1"))
MATCH = games((1500, "1"), (1500, "1"), (1500, "1"), (1500, "1"))
SAME = {"ma": "on"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("system", "entry"),
    [
        ("icu", {"rt": "1400", **THREE}),
        ("icu", {"rt": "1400", **STRONG}),
        ("icu", {"rt": "1400", "ed": "text", **STRONG}),
        ("icu", {"rt": "2200", **STRONG}),
        ("icu", {"rt": "1400", "nb": "on", **STRONG}),
        ("icu", {"rt": "1800", "a": "40", "y": "20", **STRONG}),
        ("icu", {"t": "provisional", "rt": "1400", "g": "6", **THREE}),
        ("icu", {"t": "unrated", **THREE}),
        ("uscf", {"rt": "1400", "g": "40", **THREE}),
        ("uscf", {"rt": "1400", "g": "40", **STRONG}),
        ("uscf", {"rt": "2300", "g": "40", "du": "on", **THREE}),
        ("uscf", {"rt": "1400", "g": "40", "hk": "on", "on": "2003-05-01", **THREE}),
        ("uscf", {"rt": "1400", "g": "5", **STRONG}),
        ("uscf", {"rt": "1400", "g": "40", "pk": "1900", "w": "30", "d": "4", "ev": "20", **THREE}),
        ("uscf", {"rt": "1400", "g": "40", "ol": "on", **THREE}),
        ("uscf", {"rt": "1400", "g": "40", **SAME, **MATCH}),
        ("uscf", {"rt": "100", "g": "40", **games((100, "0"), (100, "0"))}),
        ("uscf", {"a": "12", **THREE}),
        ("uscf", {"fr": "1700", **THREE}),
        ("uscf", THREE),
        ("uscf", {"rt": "1400", "g": "40", "m": uscf.METHODS[1], **THREE}),
        ("uscf", {"m": uscf.METHODS[1], **THREE}),
        ("uscf", {"rt": "1400", "g": "60", "m": uscf.METHODS[2], "ed": "2001", **THREE}),
        ("uscf", {"rt": "1400", "g": "60", "m": uscf.METHODS[2], "ed": "2001", **STRONG}),
        ("cfc", {"rt": "1400", **THREE}),
        ("cfc", {"rt": "1400", **STRONG}),
        ("cfc", {"rt": "2190", "hi": "2190", **STRONG}),
        ("cfc", {"rt": "2210", **games((2000, "0"), (2000, "0"))}),
        ("cfc", {"rt": "1400", "ed": "article", **STRONG}),
        ("cfc", {"rt": "1400", **SAME, **MATCH}),
        ("cfc", {"s": "provisional", "rt": "1400", "g": "6", **THREE}),
        ("cfc", {"s": "unrated", **THREE}),
    ],
)  # fmt: skip
def test_every_text_of_the_steps_has_a_translation(system, entry):
    with translation.override("af"):
        (part,) = calculate(system, entry)
    texts = set()
    for step in part.steps:
        values = asdict(step)
        del values["source"]  # names documents, which are in English
        texts |= set(_texts(values))
    assert len(texts) > 10
    assert {text for text in texts if ENGLISH.search(text)} == set()


def _texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name not in ("kind", "link"):
                yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
