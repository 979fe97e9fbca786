"""The desk's list of arbiters as a list of fees: what is paid, and before which event what is not."""

from datetime import timedelta

import pytest
from django.utils import timezone

from events.models import Appointment, Arbiter, Membership
from events.rules.states import State
from tests.builders import officer
from tests.ratings.desk.waiting import event

pytestmark = pytest.mark.django_db
LIST = "/admin/events/arbiter/"


def appointed(name: str, *days: int, fide_rated: bool = False) -> Arbiter:
    """An arbiter with events that begin in some days from today."""
    arbiter, today = Arbiter.objects.create(name=name, title="NA"), timezone.localdate()
    for number in days:
        coming = event(State.REGISTERED, ends=today + timedelta(days=number), moved=today)
        type(coming).objects.filter(pk=coming.pk).update(name=f"In {number} days", fide_rated=fide_rated)
        Appointment.objects.create(event=coming, arbiter=arbiter, position=1)
    return arbiter


@pytest.fixture
def desk(client):
    client.force_login(officer())
    return client


def listed(desk, words: str = "") -> list[str]:
    return [row.name for row in desk.get(LIST + words).context["cl"].result_list]


@pytest.mark.rule("chessa 7", "chessa 12.3")
def test_the_next_event_that_asks_for_a_fee_stands_beside_the_arbiter(desk):
    arbiter = appointed("Grace", 100, 20, fide_rated=True)
    today = timezone.localdate()
    starts = today + timedelta(days=20)
    page = desk.get(LIST).content.decode()
    assert ">In 20 days</a>" in page
    assert "In 100 days" not in page
    assert f"AOC membership {starts.year} and FIDE licence {starts.year}" in page
    Membership.objects.create(arbiter=arbiter, fee="aoc", year=starts.year, paid_on=today)
    page = desk.get(LIST).content.decode()
    assert f": FIDE licence {starts.year}" in page
    assert "AOC membership" not in page


@pytest.mark.rule("chessa 7")
@pytest.mark.parametrize(
    ("days", "soon", "coming"),
    [(0, False, False), (1, True, True), (14, True, True), (15, False, True), (365, False, True), (366, False, False)],
)
def test_the_list_is_narrowed_to_who_has_not_paid(desk, days, soon, coming):
    appointed("Grace", days)
    Arbiter.objects.create(name="Ann", title="NA")
    assert listed(desk, "?waiting=arbiters") == (["Grace"] if soon else [])
    assert listed(desk, "?waiting=year") == (["Grace"] if coming else [])
    assert listed(desk) == ["Ann", "Grace"]


def test_the_list_takes_no_query_a_row(desk, django_assert_max_num_queries):
    for number in range(8):
        appointed(f"Grace {number}", 5, 30)
    with django_assert_max_num_queries(15):
        desk.get(LIST)
