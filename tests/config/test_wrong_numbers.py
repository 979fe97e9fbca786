"""What is no number, where the key of a row belongs, is refused with a page."""

import pytest
from django.db import DataError, transaction

from accounts.models import Decision
from config.middleware import refuse_wrong_numbers
from events.models import Arbiter
from players.models import Region
from tests.builders import officer, people

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("key", ["12x", "1\u202e2", "-", "9" * 5000])
def test_among_the_rows_that_are_chosen_in_a_list_of_the_desk(client, key):
    client.force_login(officer())
    answer = client.post(
        "/admin/players/region/", {"action": "delete_selected", "_selected_action": key, "post": "yes"}
    )
    assert answer.status_code == 400
    assert "Nothing was changed: go back, and choose or type it again." in answer.content.decode()


def test_in_a_refused_form_of_the_desk_that_is_shown_again(client):
    """Django looks for the row that was chosen, to show it."""
    client.force_login(officer())
    answer = client.post("/admin/events/penalty/add/", {"player": "12x", "section": "", "kind": "forfeit"})
    assert answer.status_code == 400
    assert "There is something else where a number belongs." in answer.content.decode()


@pytest.mark.parametrize("key", ["12x", "1\r\n2"])
def test_in_what_a_page_of_the_desk_says_that_it_showed(client, key):
    client.force_login(officer())
    arbiter = Arbiter.objects.create(name="Zanele Zulu")
    given = {"name": "Zanele Cele", "federation": "RSA", "player": "", "reason_for_change": "Married."}
    shown = {"initial-name": "Zanele Zulu", "initial-federation": "RSA", "initial-player": key}
    rows = {"memberships-TOTAL_FORMS": "0", "memberships-INITIAL_FORMS": "0"}
    answer = client.post(f"/admin/events/arbiter/{arbiter.pk}/change/", {**given, **shown, **rows})
    assert answer.status_code == 409  # not what the row has, so that it was changed meanwhile


@pytest.mark.parametrize("key", ["12x", "1\u202e2", "9" * 5000])
@pytest.mark.parametrize(
    "place", ["{key}/history/", "{key}/history/1/", "1/history/{key}/", "{key}/change/", "{key}/delete/"]
)
def test_in_an_address_of_the_desk(client, place, key):
    client.force_login(officer())
    people(1)
    assert client.get(f"/admin/players/player/{place.format(key=key)}").status_code in (302, 404)


def test_our_own_mistake_stays_one(rf):
    """Only what was sent is refused so."""
    with pytest.raises(ValueError, match="expected a number") as raised:
        Region.objects.get(pk="x")
    mistake = raised.value
    refuse = refuse_wrong_numbers(lambda request: None).process_exception
    assert refuse(rf.get("/", {"pk": "y"}), mistake) is None
    assert refuse(rf.get("/", {"pk": "x"}), mistake).status_code == 400


@pytest.mark.servers
def test_a_time_zone_that_there_is_not(rf):
    moment = "2024-01-01T00:00+23:59"
    with pytest.raises(DataError) as raised, transaction.atomic():
        Decision.objects.filter(at__gte=moment).exists()
    refuse = refuse_wrong_numbers(lambda request: None).process_exception
    assert refuse(rf.get("/", {"at__gte": moment}), raised.value).status_code == 400
