"""A player's e-mail address: seen and changed by officers and the region's administrator, and by nobody else."""

from datetime import date

import pytest
from django.test import Client

from accounts.models import User
from players.models import Player, RegionalAdministrator
from tests.builders import event_of, officer, player, publish, region, with_address

pytestmark = pytest.mark.django_db
ADDRESS = "naledi@example.org"


@pytest.fixture
def administrator():
    by = User.objects.create_user("gau@example.org", is_staff=True)
    RegionalAdministrator.objects.create(user=by, region=region(), since=date(2024, 1, 1))
    return by


@pytest.fixture
def people():
    """A player of the administrator's region, one of another, and one of none, all with the address on record."""
    return {
        code: with_address(player("Mokoena", region=code and region(code)), ADDRESS) for code in ("GAU", "LCP", None)
    }


def desk(person, page="change"):
    return f"/admin/players/player/{person.pk}/{page}/"


def test_the_administrator_of_the_region_sees_and_changes_the_address_and_nothing_else(client, administrator, people):
    client.force_login(administrator)
    own = people["GAU"]
    assert ADDRESS in client.get(desk(own)).content.decode()
    reason = {"reason_for_change": "He asked for it."}
    given = {
        **reason,
        "email": " New@Example.org ",
        "last_name": "Other",
        "birth_date": "1980-01-01",
        "region": region("LCP").pk,
    }
    assert client.post(desk(own), given).status_code == 302
    own.refresh_from_db()
    assert (own.email, own.last_name, own.birth_date, own.region) == ("new@example.org", "Mokoena", None, region())
    assert own.history.latest().history_user == administrator


@pytest.mark.parametrize("code", ["LCP", None])
def test_of_others_he_neither_sees_nor_changes_it(client, administrator, people, code):
    client.force_login(administrator)
    other = people[code]
    other.save()  # a version with the address
    assert ADDRESS not in client.get(desk(other)).content.decode()
    assert client.get(desk(other, "history")).status_code == 403
    assert client.post(desk(other), {"email": "new@example.org"}).status_code == 403
    assert Player.objects.get(pk=other.pk).email == ADDRESS


def test_the_address_is_not_sought_by(client, administrator, people):
    client.force_login(administrator)
    assert "Mokoena" not in client.get(f"/admin/players/player/?q={ADDRESS}").content.decode()
    assert client.get("/admin/players/player/?email__startswith=n").status_code in (302, 400)


def test_an_officer_changes_it_with_the_rest(client, people):
    client.force_login(officer())
    page = client.get(desk(people["LCP"])).content.decode()
    assert ADDRESS in page
    assert 'name="last_name"' in page


def test_it_is_on_no_public_page(people):
    event_of([(people["GAU"], people["LCP"], "1-0")])
    publish()
    number = people["GAU"].number
    for address in (
        f"/players/{number}/",
        f"/players/{number}/history.csv",
        "/players/",
        f"/players/suggest/?q={number}",
    ):
        assert ADDRESS not in Client().get(address).content.decode()
