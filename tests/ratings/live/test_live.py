"""The live list: what the run of the open month would give now, and when it is calculated anew."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.utils.html import strip_tags

from events.models import Event
from events.rules.states import State
from players.search import Choice
from ratings.lists.definitions import list_definitions
from ratings.live.operations import refresh_live
from ratings.live.queries import live, live_page
from ratings.models import LiveList, LiveRating, Rating
from tests.kept import kept
from tests.pages import builders

pytestmark = pytest.mark.django_db
AT = datetime(2024, 5, 22, 8, 30, tzinfo=UTC)
MAY = date(2024, 5, 1)
FIGURES = [field.attname for field in LiveRating._meta.concrete_fields]


def text(client, address: str) -> str:
    return " ".join(strip_tags(client.get(address).content.decode()).split())


@pytest.fixture
@kept
def made():
    """Players with two published months, and an accepted event of May with a newcomer."""
    icu = builders.add_list("icu")
    assert icu.system == "icu"
    players = builders.federation(6)
    newcomers = builders.players(2, last="Adams")
    builders.round_robin(builders.event("May Open", ends=date(2024, 5, 18)).sections.get(), [*players[:4], *newcomers])
    return players


def test_its_figures_are_those_of_the_run_of_the_month(made):
    assert refresh_live(at=AT)
    standings = sorted(LiveRating.objects.values_list(*FIGURES))
    run = builders.calculate(MAY)
    assert standings == sorted(Rating.objects.filter(run=run).values_list(*FIGURES))
    assert len({row[0] for row in standings}) == 4  # Main, Standard, Rapid and ICU
    assert live().games == run.games
    assert not refresh_live(at=AT + timedelta(minutes=1))  # the events moved on, their games are the same
    assert LiveList.objects.get().as_of == AT


def test_it_is_calculated_anew_when_an_event_is_accepted_or_returned_and_only_then(made, django_assert_num_queries):
    assert refresh_live(at=AT)
    with django_assert_num_queries(2):
        assert not refresh_live(at=AT)
    before = set(LiveRating.objects.values_list("player", "published"))
    late = builders.event("May Rapid", ends=date(2024, 5, 19), time_control=(15, 10))
    builders.round_robin(late.sections.get(), made)
    assert refresh_live(at=AT + timedelta(minutes=1))
    assert set(LiveRating.objects.values_list("player", "published")) != before
    Event.objects.filter(pk=late.pk).update(state=State.RETURNED.value)
    assert refresh_live(at=AT + timedelta(minutes=2))
    assert set(LiveRating.objects.values_list("player", "published")) == before
    assert late.sections.get().pk not in live().sections


def test_a_worker_that_dies_leaves_the_former_ratings(made):
    refresh_live(at=AT)
    before = list(LiveRating.objects.order_by("pk").values())
    builders.round_robin(builders.event("May Blitz", ends=date(2024, 5, 19)).sections.get(), made)

    def die_at_the_end(execute, sql, *rest):
        if sql.startswith('INSERT INTO "ratings_livelist"'):
            raise OSError("killed")
        return execute(sql, *rest)

    with pytest.raises(OSError, match="killed"), connection.execute_wrapper(die_at_the_end):
        refresh_live(at=AT + timedelta(minutes=1))
    assert list(LiveRating.objects.order_by("pk").values()) == before
    assert live().as_of == AT
    assert refresh_live(at=AT + timedelta(minutes=2))


def test_it_ends_with_the_publication_and_begins_with_the_next_month(made, client):
    refresh_live(at=AT)
    builders.publish(MAY)
    assert live() is None
    assert "The live list is not calculated yet." in text(client, "/lists/main/live/")
    assert refresh_live(at=AT + timedelta(days=14))
    assert (live().month, live().games) == (date(2024, 6, 1), 0)
    assert "No event of June 2024 is accepted yet." in text(client, "/lists/main/live/")


def test_nothing_is_calculated_before_the_first_accepted_event():
    assert not refresh_live(at=AT)


def test_the_page_says_what_it_stands_on_and_what_is_to_come(made, client):
    builders.event("Waiting Open", ends=date(2024, 5, 19), state=State.SUBMITTED)
    refresh_live(at=AT)
    shown = text(client, "/lists/main/live/")
    assert (
        "Not official. Today’s standing of May 2024, calculated on 22 May 2024, 10:30 from 15 games in 1 section"
        in shown
    )
    assert "1 submitted event is still to be accepted. The official list follows on 1 June 2024." in shown
    assert "May Open" in shown
    assert "Waiting Open" not in shown
    top = live_page(list_definitions()[0], Choice()).rows[0]
    cells = (
        f'{top.previous}</td><td class="num rating">{top.rating}</td><td class="num {top.direction}">{top.change}</td>'
    )
    assert cells in client.get("/lists/main/live/").content.decode()
    assert "Nobody on the live list fits." in text(client, "/lists/main/live/?q=nobody")
    assert client.get("/lists/nothing/live/").status_code == 404


def test_queries_do_not_grow_with_the_rows(made, queries):
    refresh_live(at=AT)
    queries("/lists/main/live/", 10)
    queries("/lists/rapid/live/", 6)


def test_pages_meet(made):
    refresh_live(at=AT)
    main = list_definitions()[0]
    whole = live_page(main, Choice()).rows
    first = live_page(main, Choice(), size=3)
    assert first.rows + live_page(main, Choice(), after=first.after).rows == whole
    assert live_page(main, Choice(), before=whole[-1].position, size=100).rows == whole[:-1]
