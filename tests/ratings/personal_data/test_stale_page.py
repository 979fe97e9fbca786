"""The page of a player on the desk that was open while he was erased, or merged into another."""

from datetime import date

import pytest

from accounts.models import User
from players.models import Player, RegionalAdministrator
from players.operations import NewPlayer, register_players
from ratings.personal_data.erasure.operations import erase_player
from ratings.rerating.merges import merge_players
from tests.admin_pages import opened_form
from tests.builders import CLOCK, officer, region

pytestmark = pytest.mark.django_db


@pytest.fixture
def child():
    return register_players([NewPlayer("Nel", "Zola", region=region())], at=CLOCK)[0]


def administrator(code: str) -> User:
    by = User.objects.create_user("region@example.org", is_staff=True)
    RegionalAdministrator.objects.create(user=by, region=region(code), since=date(2023, 1, 1))
    return by


def saved(client, player: Player, meanwhile) -> tuple[int, str]:
    """Status and text of the answer to who saves a page that was opened before."""
    page = f"/admin/players/player/{player.pk}/change/"
    form = opened_form(client, page, club="Rooks", reason_for_change="He told us.")
    meanwhile()
    answer = client.post(page, form)
    return answer.status_code, answer.content.decode()


def test_who_saves_it_is_told_that_the_data_was_erased_and_no_name_comes_back(client, child):
    client.force_login(officer())
    status, said = saved(client, child, lambda: erase_player(child, at=CLOCK, by=None, reason="asked for"))
    child.refresh_from_db()
    assert status == 409
    assert f"The data of this player was erased meanwhile: he is {child.last_name} by now" in said
    assert "has no right" not in said
    assert "He told us." in said
    assert child.club == ""


def test_who_saves_it_is_told_that_he_was_merged(client, child):
    client.force_login(officer())
    (other,) = register_players([NewPlayer("Nel", "Zola Mia")], at=CLOCK)
    status, said = saved(client, child, lambda: merge_players(child, other, reason="one", at=CLOCK, sure=True))
    assert status == 409
    assert f"was merged into {other.name}" in said


def test_a_stranger_to_him_learns_nothing_of_it(client, child):
    erase_player(child, at=CLOCK, by=None, reason="asked for")
    client.force_login(administrator("LWT"))
    answer = client.post(f"/admin/players/player/{child.pk}/change/", {"email": "x@example.org"})
    assert answer.status_code == 403
    assert "erased" not in answer.content.decode()
