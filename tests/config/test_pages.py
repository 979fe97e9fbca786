"""Keyset pages: whatever their sizes, forwards and backwards, each row once and in order."""

import pytest
from django.db.models import F
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.lib.pages import keyset_page, position
from players.models import Title

pytestmark = pytest.mark.django_db

ORDERS = [("name", "code"), ("-name", "-code"), ("name", "-code"), ("position",), ("-position",)]
sizes = st.lists(st.integers(1, 4), min_size=1, max_size=5)


def key(row, order):
    return [row[field.removeprefix("-")] for field in order]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(names=st.text("AB", max_size=12), order=st.sampled_from(ORDERS), sizes=sizes)
def test_a_walk_there_and_back_gives_each_row_once_and_in_order(names, order, sizes):
    Title.objects.all().delete()
    for place, name in enumerate(names):
        Title.objects.create(code=f"{place:02}", name=name, position=place)
    rows = Title.objects.values("code", "name", "position")
    whole = list(rows.order_by(*order))

    walked, start, turn = [], None, 0
    while True:
        stretch = keyset_page(rows, order, start, size=sizes[turn % len(sizes)])
        assert stretch.earlier == (start is not None)
        walked += stretch.rows
        if not stretch.later:
            break
        assert len(stretch.rows) == sizes[turn % len(sizes)]
        start, turn = key(stretch.rows[-1], order), turn + 1
    assert walked == whole

    back = stretch.rows
    while stretch.earlier:
        stretch = keyset_page(rows, order, key(stretch.rows[0], order), backwards=True, size=sizes[turn % len(sizes)])
        assert stretch.later
        back, turn = stretch.rows + back, turn + 1
    assert back == whole


def test_beyond_either_end_there_is_nothing_to_go_on_to():
    rows = Title.objects.values("code").annotate(place=F("position"))
    for where, backwards in ((10_000, False), (-1, True)):
        stretch = keyset_page(rows, ("place",), (where,), backwards=backwards)
        assert (stretch.rows, stretch.earlier, stretch.later) == ([], False, False)


def test_backwards_from_nowhere_is_the_beginning():
    rows = Title.objects.values_list("code", flat=True)
    assert keyset_page(rows, ("position",), backwards=True, size=2) == keyset_page(rows, ("position",), size=2)


@pytest.mark.parametrize(
    ("text", "place"), [("7", 7), ("", None), (None, None), ("-1", None), ("x", None), ("9" * 16, None)]
)
def test_a_place_in_an_address_is_a_whole_number(text, place):
    assert position(text) == place
