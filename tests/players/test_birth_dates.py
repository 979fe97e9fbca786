"""Who sees a player's birth date at the desk: officers everybody's, administrators those of their own region's players."""

from datetime import date

import pytest

from accounts.models import User
from players.models import RegionalAdministrator
from players.operations import save_player
from tests.builders import officer, player, region

pytestmark = pytest.mark.django_db
BORN = date(1967, 4, 11)
SPELLED = ("1967-04-11", "11/04/1967", "11 April 1967", "April 11, 1967", "11 Apr")


@pytest.fixture
def people():
    return {code: player("Mokoena", f"Naledi {code}", birth_date=BORN, region=code and region(code))
            for code in ("GAU", "LCP", None)}  # fmt: skip


@pytest.fixture
def administrator():
    by = User.objects.create_user("gau@example.org", is_staff=True)
    RegionalAdministrator.objects.create(user=by, region=region(), since=date(2024, 1, 1))
    return by


def told(client, address):
    page = client.get(address).content.decode()
    return any(text in page for text in SPELLED)


def test_an_administrator_sees_the_year_of_a_player_of_another_region_or_of_none(client, administrator, people):
    client.force_login(administrator)
    for code, shown in (("GAU", True), (None, False), ("LCP", False)):
        pages = {name: f"/admin/players/player/{people[code].pk}/{name}/" for name in ("change", "history")}
        assert told(client, pages["change"]) == shown, code
        assert "1967" in client.get(pages["change"]).content.decode()
        assert client.get(pages["history"]).status_code == (200 if shown else 403)
        old = f"{pages['history']}{people[code].history.get().pk}/"
        assert client.get(old).status_code == (200 if shown else 403)
    assert not told(client, "/admin/players/player/")


def test_the_day_of_death_is_shown_to_whom_the_birth_date_is(client, administrator, people):
    for one in people.values():
        one.died_on = date(2023, 8, 17)
        save_player(one)
    for code, shown in (("GAU", True), (None, False), ("LCP", False)):
        client.force_login(administrator)
        page = client.get(f"/admin/players/player/{people[code].pk}/change/").content.decode()
        assert ("17 Aug" in page or "2023-08-17" in page) == shown, code
        assert "2023" in page
    for asked in ("died_on=2023-08-17", "died_on__lt=2023-08-18", "died_on__day=17"):
        assert client.get(f"/admin/players/player/?{asked}").status_code == 400


def test_an_officer_sees_everybodys(client, people):
    client.force_login(officer())
    for one in people.values():
        assert told(client, f"/admin/players/player/{one.pk}/change/")
    assert client.get("/admin/players/player/?birth_date__gte=1967-01-01").status_code == 200


@pytest.mark.parametrize("asked", ["birth_date=1967-04-11", "birth_date__gte=1967-04-11", "birth_date__month=4"])
def test_a_birth_date_is_not_found_out_by_filters(client, administrator, people, asked):
    client.force_login(administrator)
    assert client.get(f"/admin/players/player/?{asked}").status_code == 400


def test_an_administrator_does_not_read_what_was_typed_into_his_player_s_row_by_mistake(client, administrator, people):
    own = people["GAU"]
    player("Qwibbelthorpe", "Zandile", birth_date=BORN, region=region("LCP"))
    for values in (("Qwibbelthorpe", "Zandile", BORN), ("Mokoena", "Naledi GAU", date(1980, 5, 17))):
        own.last_name, own.first_name, own.birth_date = values
        save_player(own)
    history = f"/admin/players/player/{own.pk}/history/"
    client.force_login(administrator)
    assert client.get(history).status_code == 403
    assert client.get(f"{history}{own.history.earliest().pk}/").status_code == 403
    client.force_login(officer())
    assert client.get(history).status_code == 200
