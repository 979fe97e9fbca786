"""A player who was merged into another is on the register no more, and his number leads to the other for ever."""

import pytest
from django.test import Client

from events.rules.tournament import Entrant, Tournament
from events.submission.matching import match_entrants
from events.visibility import public_players
from players.lookup import Query, look_up
from players.merged import player_of
from players.models import Player
from tests.builders import event_of, officer, player, publish

pytestmark = pytest.mark.django_db


@pytest.fixture
def merged() -> tuple[Player, Player]:
    """A player who was merged, and the one who stays; he has a published game."""
    old, new = player("Mokoena", "Naledy", fide_id=14300002), player("Mokoena", "Naledi", fide_id=14300003)
    event_of([(new, player("Cele", "Chris"), "1-0")])
    publish()
    old.merged_into = new
    old.save()
    return old, new


@pytest.mark.parametrize(
    "address",
    [
        "/players/{}/",
        "/players/{}/statistics/",
        "/players/{}/feed.xml",
        "/players/{}/history.csv?range=all",
        "/players/{}/2024-03/main/",
        "/players/{}/2024-03/case.json",
        "/embed/players/{}.svg",
        "/api/v1/players/{}/",
        "/api/v1/players/{}/games/",
        "/api/v1/players/{}/history/",
    ],
)
def test_his_addresses_lead_to_the_other(client: Client, merged, address):
    old, new = merged
    answer = client.get(address.format(old.number))
    assert (answer.status_code, answer.headers["Location"]) == (301, address.format(new.number))
    assert "no-cache" in answer.headers["Cache-Control"]
    assert client.get(answer.headers["Location"]).status_code == 200


def test_he_is_found_nowhere_but_by_his_ids(client: Client, merged):
    old, new = merged
    assert old not in public_players()
    assert client.get("/players/", {"q": old.number}).headers["Location"] == f"/players/{new.number}/"
    assert [row["number"] for row in client.get("/players/suggest/", {"q": "Mokoena"}).json()["players"]] == [
        new.number
    ]
    assert old.number not in client.get("/sitemap-players.xml").content.decode()
    found = look_up(public_players(), [Query(number=old.number), Query(name="Mokoena, Naledy")])
    assert [[candidate.player for candidate in candidates] for candidates in found] == [[new], [new]]
    assert player_of(old.number) == new


@pytest.mark.parametrize("column", ["national_id", "fide_id", "fide_id_of_his"])
def test_a_line_of_a_file_with_his_id_is_the_other(merged, column):
    old, new = merged
    ids = {"national_id": {"national_id": old.number}, "fide_id": {"fide_id": old.number}}
    given = ids.get(column, {"fide_id": str(old.fide_id)})
    line = Entrant(1, "Mokoena, Naledi", "Mokoena", "Naledi", **given)
    (match,) = match_entrants(Tournament(format="trf", encoding="utf-8", entrants=[line]))
    assert match.player == new
    assert match.entrant.fide_id in ("", str(old.fide_id)) or match.id_moved


def test_a_line_with_his_name_alone_is_not_matched_with_him(merged):
    line = Entrant(1, "Mokoena, Naledy", "Mokoena", "Naledy")
    (match,) = match_entrants(Tournament(format="trf", encoding="utf-8", entrants=[line]))
    assert [candidate.player for candidate in match.candidates] == [merged[1]]


def test_the_desk_does_not_list_him_and_shows_him_without_a_form(client: Client, merged):
    old, new = merged
    client.force_login(officer())
    assert [row.pk for row in client.get("/admin/players/player/?q=Mokoena").context["cl"].queryset] == [new.pk]
    page = client.get(f"/admin/players/player/{old.pk}/change/")
    assert page.status_code == 200
    assert 'name="last_name"' not in page.content.decode()
    assert new.number in page.content.decode()
