"""A public page is new as soon as something on it has changed, and the same until then."""

from datetime import UTC, datetime

import pytest

from accounts.models import User
from events.models import Arbiter, Event, EventMove, Section
from players.models import Player, Province, Region, Title
from ratings.models import RatingList
from tests.admin_pages import posted_form
from tests.builders import officer
from tests.pages import builders

pytestmark = pytest.mark.django_db


@pytest.fixture
def officer_client(client):
    client.force_login(officer())
    return client


@pytest.fixture
def reader():
    from django.test import Client

    return Client()


@pytest.mark.parametrize(
    ("model", "address", "changed"),
    [
        (Region, "/players/{number}/", {"name": "Egoli"}),
        (Province, "/players/", {"name": "Goldland"}),
        (Title, "/players/{number}/", {"name": "Great Master"}),
        (RatingList, "/lists/main/", {"name": "Chief"}),
        (Arbiter, "/events/{event}/", {"name": "Lindiwe Someone"}),
        (Section, "/events/{event}/", {"name": "Another section"}),
        (Player, "/players/{number}/", {"first_name": "Somebody"}),
        (Event, "/events/", {"name": "Another event"}),
    ],
)
def test_an_edit_at_the_desk_makes_the_pages_new(officer_client, reader, model, address, changed):
    made = builders.players(1)[0]
    event = builders.event("May Open")
    page = address.format(number=made.number, event=event.pk)
    tag = {"if-none-match": reader.get(page).headers["ETag"]}
    assert reader.get(page, headers=tag).status_code == 304
    row = {Region: made.region, Province: made.region.province}.get(model) or model.objects.first()
    form = f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/change/"
    assert officer_client.post(form, posted_form(officer_client, form, **changed)).status_code == 302
    assert reader.get(page, headers=tag).status_code == 200


def test_a_change_that_took_its_key_first_and_came_in_last_makes_the_pages_new(reader):
    event = builders.event("May Open")
    at = datetime(2024, 3, 1, tzinfo=UTC)
    key = EventMove.objects.latest("pk").pk
    EventMove.objects.create(pk=key + 200, event=event, source="draft", target="registered", at=at)
    tag = {"if-none-match": reader.get("/events/").headers["ETag"]}
    EventMove.objects.create(pk=key + 100, event=event, source="draft", target="registered", at=at)
    assert reader.get("/events/", headers=tag).status_code == 200


def test_logging_in_changes_nothing(reader):
    tag = {"if-none-match": reader.get("/events/").headers["ETag"]}
    reader.force_login(User.objects.create_user("nobody@example.org"))
    reader.logout()
    assert reader.get("/events/", headers=tag).status_code == 304


def test_the_version_costs_two_queries(reader, django_assert_num_queries):
    tag = {"if-none-match": reader.get("/events/").headers["ETag"]}
    with django_assert_num_queries(2):
        assert reader.get("/events/", headers=tag).status_code == 304
