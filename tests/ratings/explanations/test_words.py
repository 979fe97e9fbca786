"""The nine steps of an explanation in another language: no text of theirs stays English."""

import re
from datetime import date

import pytest
from django.utils import translation

from events.models import Event, RatingPeriod
from players.models import Player
from ratings.explanations.layout import shown_steps
from ratings.explanations.queries import explain_month
from ratings.explanations.words import said
from ratings.models import Rating
from tests.federation import load
from tests.pages import builders

LETTERS = re.compile(r"[A-Za-z]{4,}")


@pytest.mark.parametrize(
    ("text", "afrikaans"),
    [
        ("article 50", "artikel 50"),
        ("articles 31 and 56", "artikels 31 en 56"),
        ("articles 35 to 38", "artikels 35 tot 38"),
        ("articles 40, 42, 47 and 51 to 54", "artikels 40, 42, 47 en 51 tot 54"),
        (
            "K = 40 below 1550, 35 from 1550; 40 for the unrated",
            "K = 40 onder 1550, 35 vanaf 1550; 40 vir ongegradeerdes",
        ),
        ("Article 42 holds the rating at 1\u202f200.00.", "Artikel 42 hou die gradering op 1\u202f200.00."),
        (
            "10 points, Cape Open, June 2026, round 3: forfeit without notice (article 51)",
            "10 punte, Cape Open, June 2026, ronde 3: verbeuring sonder kennisgewing (artikel 51)",
        ),
        (
            "Opponents stand at their intermediate rating. 83.20 is above the threshold of 50.00: 33.20 are added.",
            "Teenstanders tel teen hulle tussengradering. 83.20 is bo die drempel van 50.00: 33.20 word bygevoeg.",
        ),
        ("Anri Botha", "Anri Botha"),
        ("100 % of them", "100 % of them"),
        ("", ""),
    ],
)
def test_numbers_stay_and_words_are_said(text, afrikaans):
    with translation.override("af"):
        assert said(text) == afrikaans
    assert said(text) == text


@pytest.mark.django_db
def test_every_text_of_the_steps_has_a_translation():
    months = (date(2024, 3, 1), date(2024, 4, 1))
    for month in months:
        load(players=45, games=180, sections=8, seed=month.month, month=month, active=2 / 3)
        builders.publish(month)
    period = RatingPeriod.objects.select_related("publication__run").get(month=months[-1])
    rows = Rating.objects.filter(run=period.publication.run, published__isnull=False, list__system="chessa")
    shown, english = set(), set()

    def say(text):
        shown.add(text)
        with translation.override("af"):
            if said(text) == text and LETTERS.search(text):
                english.add(text)
        return text

    names = {str(event) for event in Event.objects.all()} | {player.name for player in Player.objects.all()}
    for player, code in rows.values_list("player_id", "list__code"):
        shown_steps(explain_month(period, player, code).explanation, say=say)
    assert len(shown) > 100
    assert {text for text in english if not text.startswith(tuple(names))} == set()
