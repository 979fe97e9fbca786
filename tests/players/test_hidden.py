"""A player who is hidden at his own wish: the desk hides and shows him, lists stay whole, his number leads nowhere.

That nothing of him is told anywhere in public: `tests/pages/test_privacy.py`.
"""

from datetime import date

import pytest

from accounts.models import Decision
from players.models import Player
from ratings.models import Rating
from tests.admin_pages import posted_form
from tests.builders import officer
from tests.pages import builders

pytestmark = pytest.mark.django_db


@pytest.fixture
def player():
    """The best of a federation with lists of March and April."""
    return builders.federation()[0]


def hide(player):
    Player.objects.filter(pk=player.pk).update(hidden_since=date(2024, 5, 1))


def test_the_desk_hides_and_shows_him_with_a_reason(client, player):
    client.force_login(officer())
    form = f"/admin/players/player/{player.pk}/change/"
    later = posted_form(client, form, hidden_since="2999-01-01", reason_for_change="His parents ask for it.")
    assert "This day has not come yet" in client.post(form, later).content.decode()
    for day, reason in (("2024-05-01", "His parents ask for it."), ("", "He is of age and wants to be shown.")):
        given = posted_form(client, form, hidden_since=day, reason_for_change=reason)
        assert client.post(form, given).status_code == 302
        player.refresh_from_db()
        assert player.hidden_since == (date(2024, 5, 1) if day else None)
        assert Decision.objects.latest("pk").reason == reason
    hide(player)
    assert player.last_name in client.get(f"/admin/players/player/?q={player.number}").content.decode()
    assert player.last_name in client.get("/admin/players/player/?hidden=yes").content.decode()


def test_his_number_leads_nowhere(client, player):
    other = Player.objects.exclude(pk=player.pk).filter(performances__isnull=False)[0]
    number = player.number
    addresses = [
        f"/players/{number}/", f"/players/{number}/statistics/", f"/players/{number}/feed.xml",
        f"/players/{number}/history.csv", f"/players/{number}/against/{other.number}/",
        f"/players/{other.number}/against/{number}/", f"/players/{number}/2024-04/main/",
        f"/players/{number}/2024-04/case.json", f"/embed/players/{number}.svg", f"/embed/players/{number}.png",
        f"/api/v1/players/{number}/", f"/api/v1/players/{number}/history/", f"/api/v1/players/{number}/games/",
        f"/api/v1/players/{number}/events/", f"/api/v1/players/{number}/explanations/2024-04/main/",
        f"/api/v1/players/{other.number}/against/{number}/",
    ]  # fmt: skip
    assert {client.get(address).status_code for address in addresses} == {200}
    hide(player)
    assert {client.get(address).status_code for address in addresses} == {404}
    assert client.get(f"/players/suggest/?q={player.last_name}").json() == {"players": []}
    assert client.get(f"/compare/?players={number}").content.decode().count(player.last_name) == 0
    asked = {"players": [{"number": number}, {"name": player.last_name}]}
    found = client.post("/api/v1/players/lookup/", asked, content_type="application/json").json()["results"]
    assert number not in {row["player"]["number"] for result in found for row in result["candidates"]}


def test_a_number_that_he_bore_before_leads_nowhere_either(client, player):
    old = player.number
    player.number = "777000777"
    player.save()
    assert client.get(f"/players/{old}/").headers["Location"] == "/players/777000777/"
    hide(player)
    for address in (f"/players/{old}/", f"/players/{old}/2024-04/case.json", f"/api/v1/players/{old}/"):
        answer = client.get(address)
        assert answer.status_code == 404
        assert "777000777" not in answer.content.decode()


def test_lists_stay_whole_with_him_last_by_surname(client, player):
    hide(player)
    places = Rating.objects.filter(run__publication__period__month=date(2024, 4, 1), list__code="main")
    everybody = places.filter(position__isnull=False).count()
    for sort, place in (("rank", 0), ("name", -1)):
        rows = client.get(f"/api/v1/lists/main/2024-04/?sort={sort}&limit=500").json()["results"]
        assert len(rows) == everybody
        hidden = rows[place]
        assert (hidden["name"], hidden["number"], hidden["fide_id"], hidden["birth_year"], hidden["sex"]) == (
            "Hidden player", None, None, None, None,
        )  # fmt: skip
        assert hidden["rating"]
    page = client.get("/lists/main/2024-04/", headers={"Accept-Language": "af"}).content.decode()
    assert "Versteekte speler" in page


@pytest.mark.parametrize(
    "address",
    [
        "/calculators/chessa/?player={}",
        "/calculators/chessa/?p1={}&r1=w",
        "/calculators/icu/?player={}",
        "/calculators/uscf/?p1={}",
        "/calculators/cfc/?player={}",
        "/compare/?player={}",
        "/players/{}/",
        "/api/v1/players/{}/",
    ],
)
def test_no_version_of_a_page_tells_that_an_id_is_a_hidden_player_s(client, player, address):
    """An ETag names which tables were read for the page."""
    hide(player)
    answers = [client.get(address.format(number)) for number in (player.number, "199999998", "155555555")]
    assert len({answer.status_code for answer in answers}) == 1
    assert len({answer.headers.get("ETag", "").split("-")[0] for answer in answers}) == 1
