"""Rows go into the database without a bit lost."""

import math

import pytest
from django.db import IntegrityError
from django.db.models import FloatField
from django.db.models.functions import Cast
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.models import RatingPeriod, SubmittedFile
from ratings.models import Rating, RatingList, RatingRun
from ratings.runs.bulk_insert import insert_columns
from tests.builders import CLOCK, MARCH, event_of, people, period, publish, refused_by

pytestmark = pytest.mark.django_db


def columns(count, **fields):
    rows = {
        "run_id": 1, "list_id": 1, "player_id": None, "games": 1, "k": 40, "change": 0.0, "pending_penalty": 0.0,
        "window_sum": 0.0, "window_weighted": 0.0, "recent": b"\x00\xff\\\n\t",
    }  # fmt: skip
    found = {name: [value] * count for name, value in rows.items()}
    return {**found, "player_id": list(range(1, count + 1)), **fields}


ratings = st.floats(1, 9999, allow_subnormal=False)


@pytest.mark.rule("chessa 25")
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(ratings, min_size=1, max_size=60))
def test_a_rating_keeps_every_bit_in_sixteen_decimal_places(values):
    """Article 25."""
    Rating.objects.all().delete()
    exact = [math.nextafter(value, 10_000) for value in values]
    assert insert_columns(Rating, columns(len(exact), raw=exact)) == len(exact)
    rows = Rating.objects.order_by("player_id").values_list(Cast("raw", FloatField()), flat=True)
    assert list(rows) == exact


def test_a_change_under_one_point_is_the_same_double_in_every_database():
    """numeric(20,16) has no place for all bits of a small double: it is rounded before it is written."""
    values = [0.1234567890123456789, -0.012345678901234567, 1e-17, -1e-17, 0.0, 0.5]
    insert_columns(Rating, columns(len(values), change=values))
    found = list(Rating.objects.order_by("player_id").values_list(Cast("change", FloatField()), flat=True))
    assert found == [0.1234567890123457, -0.0123456789012346, 0.0, 0.0, 0.0, 0.5]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_plain_doubles_keep_every_bit(values):
    Rating.objects.all().delete()
    insert_columns(Rating, columns(len(values), window_sum=values))
    assert list(Rating.objects.order_by("player_id").values_list("window_sum", flat=True)) == values


def test_bytes_missing_values_and_many_blocks():
    insert_columns(Rating, columns(45_001, raw=[None] * 45_000 + [1200.5]))
    assert Rating.objects.count() == 45_001
    row = Rating.objects.get(player_id=45_001)
    assert (bytes(row.recent), float(row.raw)) == (b"\x00\xff\\\n\t", 1200.5)
    assert Rating.objects.filter(raw=None).count() == 45_000


def test_no_rows_are_no_rows():
    assert insert_columns(SubmittedFile, {"sha256": [], "content": []}) == 0


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("period_month_begins_on_the_first", lambda: RatingPeriod.objects.create(month=MARCH.replace(day=2))),
        ("period_published_at_when_published", lambda: RatingPeriod.objects.create(month=MARCH, published_at=CLOCK)),
        ("run_progress_per_cent", lambda: RatingRun.objects.filter(pk=1).update(progress=101)),
        ("list_system_known", lambda: RatingList.objects.filter(code="main").update(system="elo")),
        (
            "list_counts_games",
            lambda: RatingList.objects.filter(code="main").update(
                counts_standard=False, counts_rapid=False, counts_blitz=False
            ),
        ),
    ],
)
def test_constraints(name, make):
    month = RatingPeriod.objects.create(month=MARCH.replace(year=2020))
    RatingRun.objects.create(pk=1, period=month, queued_at=CLOCK)
    with refused_by(name):
        make()


@pytest.mark.parametrize("state", ["queued", "running", "calculated", "publishing", "published"])
def test_one_run_in_force_a_period(state):
    event_of([(*people(2), "1-0")])
    publish()
    with refused_by("one_run_in_force_a_period"):
        RatingRun.objects.create(period=period(), queued_at=CLOCK, state=state)
    for free in ("failed", "superseded"):
        RatingRun.objects.create(period=period(), queued_at=CLOCK, state=free)


def test_a_published_run_is_not_deleted():
    event_of([(*people(2), "1-0")])
    run = publish()
    with pytest.raises(IntegrityError):  # Django's ProtectedError is one
        run.delete()
