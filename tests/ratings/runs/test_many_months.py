"""Thirty months in a row: the window of 24 raw ratings moves by its two sums and stays exact."""

import random
from datetime import date

import pytest
from django.db.models import FloatField
from django.db.models.functions import Cast

from events.models import RatingPeriod
from ratings.cases.answer import answer_document
from ratings.explanations.case_files import export_period
from ratings.models import Rating
from tests.builders import event_of, months, people, period, publish

pytestmark = pytest.mark.django_db  # without it no database is made where this file is run alone
MONTHS = months(date(2022, 1, 1), 30)


@pytest.fixture(scope="module")
def history(django_db_setup, django_db_blocker):
    """{(player, list): [(raw, weighted, window sum, weighted window sum) a month]}, None before the first rating."""
    from django.db import transaction

    dice = random.Random(7)
    with django_db_blocker.unblock(), transaction.atomic():
        players = people(12)
        for index, month in enumerate(MONTHS):
            field = players if index > 10 else players[:8]
            for base in (60, 10, 5):
                order = dice.sample(field, 6)
                games = [(*order[at : at + 2], dice.choice(["1-0", "0-1", "1/2-1/2"])) for at in (0, 2, 4)]
                event_of(games, month.replace(day=dice.randint(1, 28)), base=base)
        for month in MONTHS:
            publish(month)
        figures = {month: _figures(month) for month in MONTHS}
        yield {
            (one.pk, code): [figures[month].get((one.pk, code)) for month in MONTHS]
            for one in players
            for code in ("main", "standard", "rapid", "blitz")
        }
        transaction.set_rollback(True)


def _figures(month):
    """Of each player and list of a month."""
    rows = Rating.objects.filter(run=period(month).publication.run).values_list(
        "player",
        "list__code",
        Cast("raw", FloatField()),
        Cast("weighted", FloatField()),
        "window_sum",
        "window_weighted",
        "highest",
    )
    return {(player, code): figures for player, code, *figures in rows}


@pytest.mark.rule("chessa 49")
def test_the_window_is_that_of_the_history(history):
    """Article 49, recomputed from every month's raw rating; missing ones count 1200."""
    checked = 0
    for rows in history.values():
        for index, row in enumerate(rows):
            if row is None:
                continue
            raws = [1200.0 if rows[at] is None else rows[at][0] for at in range(max(0, index - 23), index + 1)]
            raws = [1200.0] * (24 - len(raws)) + raws
            assert row[2] == pytest.approx(sum(raws), abs=1e-9)
            assert row[3] == pytest.approx(sum(raw * weight for weight, raw in enumerate(raws, start=1)), abs=1e-8)
            assert row[1] == pytest.approx(row[3] / 300, abs=1e-9)
            checked += 1
    assert checked > 1000


def test_the_highest_rating_never_falls(history):
    for rows in history.values():
        highest = [row[4] for row in rows if row]
        assert highest == sorted(highest)


def test_the_last_month_can_be_recomputed_from_its_export(history):
    case = export_period(RatingPeriod.objects.get(month=MONTHS[-1]))
    assert len(max((one["lists"].get("main", {}).get("raw_history", []) for one in case["players"]), key=len)) == 24
    answer = answer_document({name: value for name, value in case.items() if name != "expected"})
    for player, lists in case["expected"]["players"].items():
        for code, expected in lists.items():
            assert answer["players"][player][code] == pytest.approx(expected, abs=1e-9)
