"""A player's page of the desk: ratings, events, corrections, and who may be the same person."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events.models import Entry, Event, Refusal
from players.administrators import appoint_administrator
from players.models import Player
from ratings.duplicates.on_the_desk import MOST, player_on_the_desk
from ratings.rerating.merges import merge_players
from tests.builders import CLOCK, event_of, officer, people, player, publish, region, submitted

pytestmark = pytest.mark.django_db


def text(client, row) -> str:
    """The page with single blanks."""
    return " ".join(client.get(f"/admin/players/player/{row.pk}/change/").content.decode().split())


@pytest.fixture
def by():
    return officer()


@pytest.fixture
def desk(client, by):
    client.force_login(by)
    return client


def test_a_player_without_anything_is_said_to_have_nothing(desk):
    page = text(desk, player())
    for words in ("Not rated yet.", "No event is on record.", "Nobody else on the register has this name."):
        assert words in page


def test_ratings_lead_to_their_explanations_and_events_to_their_pages(desk):
    event = submitted()
    first = event.sections.get().entries.first().player
    second = player("Zulu", "Ayanda")
    event_of([(first, second, "1-0")])
    publish()
    page = text(desk, first)
    assert f'href="/players/{first.number}/2024-03/main/"' in page
    assert f'href="/events/{event.pk}/"' in page
    assert "submitted" in page


@pytest.mark.parametrize("typed", ["12345", "-1", "abc"])
def test_a_mistyped_chess_sa_id_is_refused_beside_its_field(desk, typed):
    row = player()
    address = f"/admin/players/player/{row.pk}/change/"
    fields = desk.get(address).context["adminform"].form.initial
    sent = {name: value for name, value in fields.items() if value is not None} | {"number": typed}
    answer = desk.post(address, sent)
    assert answer.status_code == 200
    assert answer.context["errors"]
    page = answer.content.decode()
    assert f'href="/players/{row.number}/"' in page
    assert f'href="/admin/ratings/merge/add/?old={row.number}">Merge into…' in page


def test_the_same_name_in_any_order_is_offered_for_comparison(desk, by):
    one = player("Cele", "Ann Mary")
    other = player("Ann", "Mary Cele")
    player("Cele", "Ann")
    assert [row.pk for row in player_on_the_desk(one, by).alike] == [other.pk]
    assert f'href="/admin/ratings/merge/add/?old={other.number}&amp;new={one.number}"' in text(desk, one)


def test_who_was_merged_into_him_is_named_and_alike_no_more(by):
    old, new = player("Cele", "Ann"), player("Cele", "Ann", birth_date=date(1990, 1, 1))
    merge_players(old, new, reason="One person.", at=CLOCK)
    known = player_on_the_desk(new, by)
    assert ([row.pk for row in known.merged], known.alike) == ([old.pk], [])


def test_the_queries_do_not_grow_with_the_events(by):
    one, other = people(2)
    counts = []
    for first in (0, 3):
        for number in range(first, first + 3):
            section = event_of([(one, other, "1-0")], name=f"Open {number}").sections.get()
            Entry.objects.create(section=section, player=one, number=1, name_in_file="One", points=1, rank=1)
        with CaptureQueriesContext(connection) as queries:
            known = player_on_the_desk(one, by)
        assert len(known.events) == first + 3
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 12


@pytest.mark.parametrize(("entries", "more"), [(MOST, 0), (MOST + 1, 1)])
def test_the_latest_events_are_listed_and_the_others_counted(entries, more, by):
    one, other = people(2)
    for number in range(entries):
        section = event_of([(one, other, "1-0")], name=f"Open {number}").sections.get()
        Entry.objects.create(section=section, player=one, number=1, name_in_file="One", points=1, rank=1)
    known = player_on_the_desk(one, by)
    assert (len(known.events), known.more_events) == (MOST, more)


def test_a_regional_administrator_is_not_shown_who_is_alike(client):
    user = appoint_administrator(region(), email="gau@example.org", first_name="", last_name="", at=CLOCK, by=officer())
    client.force_login(user.administration.user)
    one = player("Cele", "Ann", region=region())
    player("Cele", "Ann", birth_date=date(1990, 1, 1))
    page = text(client, one)
    assert "Events" in page
    assert "Who may be the same person" not in page


@pytest.mark.parametrize(("code", "state", "refused", "shown"), [
    ("GAU", "submitted", False, True), ("LVT", "submitted", False, False), ("LVT", "returned", False, False),
    ("LVT", "accepted", False, True), ("LVT", "accepted", True, False), ("GAU", "accepted", True, True),
])  # fmt: skip
def test_results_of_another_region_are_shown_when_they_are_public(client, code, state, refused, shown):
    term = appoint_administrator(region(), email="gau@example.org", first_name="", last_name="", at=CLOCK, by=officer())
    client.force_login(term.administration.user)
    event = submitted(code=code)
    Event.objects.filter(pk=event.pk).update(state=state)
    if refused:
        Refusal.objects.create(event=event, section=event.sections.get(), at=CLOCK, reason="clocks")
    row = event.sections.get().entries.first().player
    Player.objects.filter(pk=row.pk).update(died_on=date(2024, 1, 1))
    assert (event.sections.get().event.name in text(client, row)) is shown


@pytest.mark.parametrize(("died", "warned"), [(date(2024, 3, 1), True), (date(2024, 3, 2), False)])
def test_games_after_the_day_of_death_are_named(desk, died, warned):
    event = submitted()  # played from 2 March on
    row = event.sections.get().entries.first().player
    row.died_on = died
    row.save()
    assert ("The day of death is before games" in text(desk, row)) is warned
