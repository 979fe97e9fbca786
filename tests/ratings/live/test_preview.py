"""What is expected of an event before it is accepted: the figures of the run with it."""

from datetime import date

import pytest

from events.models import Event
from events.operations import accept_event
from events.rules.states import State
from ratings.lists.definitions import list_definitions
from ratings.live.preview import preview
from ratings.models import Rating
from tests.builders import CLOCK, everything
from tests.kept import kept
from tests.pages import builders

pytestmark = pytest.mark.django_db
MAY = date(2024, 5, 1)


@pytest.fixture
@kept
def waiting():
    """Two published months, an accepted event of May, and one that is submitted, with a newcomer."""
    players = builders.federation(6)
    builders.round_robin(builders.event("May Open", ends=date(2024, 5, 11)).sections.get(), players[:4])
    event = builders.event("May Rapid", ends=date(2024, 5, 18), time_control=(15, 10), state=State.SUBMITTED)
    builders.round_robin(event.sections.get(), [*players[:3], *builders.players(1, last="Adams")])
    return event.pk


def entered(event):
    return {section: list(section.entries.values_list("player", flat=True)) for section in event.sections.all()}


@pytest.mark.rule("chessa 24", "chessa 47")
def test_it_expects_what_the_run_gives_once_the_event_is_accepted(waiting):
    event = Event.objects.get(pk=waiting)
    before = everything()
    (expected,) = preview(entered(event))
    assert everything() == before
    assert (expected.month, expected.basis, expected.problem) == (MAY, MAY, "")
    accept_event(event, at=CLOCK.replace(month=6))
    run = builders.calculate(MAY)
    lists = {listing.code: listing.id for listing in list_definitions()}
    given = {
        (row.list_id, row.player_id): (row.previous, row.published)
        for row in Rating.objects.filter(run=run, games__gt=0)
    }
    assert len(expected.ratings) == 4
    for (_, player), ratings in expected.ratings.items():
        assert [rating.code for rating in ratings] == ["main", "rapid"]
        for rating in ratings:
            previous, published = given[lists[rating.code], player]
            assert rating.before == (None if previous is None else pytest.approx(float(previous)))
            assert rating.after == pytest.approx(float(published))


def test_it_asks_as_many_queries_for_many_players_as_for_few(waiting, django_assert_num_queries):
    event = Event.objects.get(pk=waiting)
    rows = entered(event)
    with django_assert_num_queries(10):
        preview(rows)
    more = builders.event("May Blitz", ends=date(2024, 5, 19), time_control=(3, 2), state=State.SUBMITTED)
    builders.round_robin(more.sections.get(), builders.players(20, last="Zondi"))
    rows |= entered(more)
    with django_assert_num_queries(10):
        preview(rows)
