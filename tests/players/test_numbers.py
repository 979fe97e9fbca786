"""The number of a player who was merged into another, and one that was changed, lead to him wherever a number is looked up."""

from datetime import date

import pytest
from django.core.management import CommandError, call_command
from django.http import QueryDict
from django.test import Client

from events.access import organisers_of, parties_led
from events.arbiters.register import ArbiterRegister
from events.files.dates import Birth
from events.files.register_list import RegisterLine
from events.models import Arbiter
from events.rules.tournament import Entrant, Tournament
from events.submission.crosstable.posted import complete
from events.submission.matching import match_entrants, still_registered
from events.visibility import public_players
from players.id_bearers import IdBearers
from players.lookup import Query, look_up
from players.merged import leading_on, player_of, players_of
from players.models import Player
from players.search import suggested_players
from ratings.moving_in.register.matching import Kind, differences
from ratings.opening.reading import SentFile, read_standings
from tests.builders import event_of, officer, player, publish

pytestmark = pytest.mark.django_db
OLD, MIDDLE, NEW = "100000004", "100000005", "100000003"


def numbered(first_name: str, *numbers: str, into: Player | None = None) -> Player:
    """A player who has had some numbers, one after the other, and perhaps was merged."""
    found = player("Mokoena", first_name, birth_year=2001, national_id=numbers[0])
    for number in numbers[1:]:
        found.number = number
        found.save()
    found.merged_into = into
    found.save()
    return found


@pytest.fixture(params=["merged", "changed", "changed, then merged", "changed twice"])
def naledi(request) -> Player:
    """The player to whom OLD leads; she has a published game against Chris Cele."""
    naledi = numbered(
        "Naledi", *([OLD, MIDDLE, NEW] if "twice" in request.param else [OLD, NEW][request.param != "changed" :])
    )
    if request.param == "merged":
        numbered("Naledy", OLD, into=naledi)
    elif request.param == "changed, then merged":
        numbered("Naledy", OLD, MIDDLE, into=naledi)
    event_of([(naledi, player("Cele", "Chris", national_id="100000001"), "1-0")])
    publish()
    return naledi


def test_pages_of_the_old_number_lead_to_the_new(client: Client, naledi):
    for address in ("/players/{}/", "/players/{}/2024-03/main/", "/api/v1/players/{}/", "/embed/players/{}.svg"):
        assert client.get(address.format(OLD)).headers["Location"] == address.format(NEW)
    assert client.get("/players/", {"q": OLD}).headers["Location"] == f"/players/{NEW}/"
    assert "Naledi Mokoena" in client.get("/compare/", {"players": f"{OLD} 100000001"}).content.decode()
    assert client.get("/events/error-reports/new/", {"player": OLD, "month": "2024-03"}).status_code == 200


def test_searches_with_the_whole_old_number_find_the_player(client: Client, naledi):
    assert suggested_players(public_players(), OLD) == [naledi]
    assert "Naledi" in client.get("/lists/main/", {"q": OLD}).content.decode()
    (found,) = look_up(public_players(), [Query(number=OLD)])
    assert [candidate.player for candidate in found] == [naledi]
    client.force_login(officer())
    assert [row.pk for row in client.get("/admin/players/player/", {"q": OLD}).context["cl"].queryset] == [naledi.pk]


def test_the_calculators_know_the_old_number(client: Client, naledi):
    entry = {"player": OLD, "b": "90", "i": "30", "p1": "100000001", "c1": "w", "r1": "1"}
    page = client.get("/calculators/chessa/", entry).content.decode()
    assert "Nobody on the register" not in page
    assert "Naledi Mokoena" in page
    page = client.get("/calculators/chessa/", entry | {"player": NEW, "p1": OLD}).content.decode()
    assert "Nobody plays against himself" in page
    section = naledi.games_as_white.get().section
    played = client.get("/calculators/chessa/", {"player": OLD, "section": section.pk})
    assert f"player={NEW}" in played.headers["Location"]


def test_crosstables_of_the_api_know_the_old_number(client: Client, naledi):
    sent = {"players": [OLD, "100000001", NEW]}
    answer = client.post("/api/v1/crosstables/", sent, content_type="application/json").json()
    assert [row["number"] for row in answer["players"]] == [NEW, "100000001"]


def test_a_file_with_the_old_number_is_of_the_player(naledi):
    line = Entrant(1, "Mokoena, Naledi", "Mokoena", "Naledi", national_id=OLD)
    (match,) = match_entrants(Tournament(format="trf", encoding="utf-8", entrants=[line]))
    assert match.player == naledi
    assert still_registered({1: OLD}) == ({1: OLD}, {})
    sheet = QueryDict(mutable=True)
    sheet["p1-name"] = OLD
    assert complete(sheet, [1]) == {1: naledi}
    assert (sheet["p1-name"], sheet["p1-national_id"]) == ("Mokoena, Naledi", NEW)


def test_a_register_with_the_old_number_is_of_the_player(naledi):
    line = RegisterLine(2, "Mokoena", "Naledi", OLD, birth=Birth(2001), club="Mopane")
    (found,) = differences([line], {})
    assert (found.kind, found.player) == (Kind.CHANGED, naledi)
    (found,) = differences([RegisterLine(2, "Someone", "Else")], {2: OLD})
    assert found.player == naledi


def test_standings_with_the_old_number_are_of_the_player(naledi):
    read = read_standings([SentFile(f"id,raw\n{OLD},1400\n".encode(), "ratings_main.csv")], date(2024, 2, 1))
    assert (read.errors, read.numbers) == ([], [NEW])
    read = read_standings(
        [SentFile(f"id,raw\n{OLD},1400\n{NEW},1300\n".encode(), "ratings_main.csv")], date(2024, 2, 1)
    )
    assert [finding.code for finding in read.errors] == ["player-twice"]


def test_who_led_an_event_under_the_old_number_leads_it(naledi):
    event = naledi.games_as_white.get().section.event
    event.organiser_number = OLD
    event.save()
    user = officer("organiser@example.org")
    arbiter = Arbiter.objects.create(name="Naledi Mokoena", number=NEW, player=naledi, user=user)
    assert [str(party) for party in parties_led(user, event)] == ["organiser"]
    assert list(organisers_of(event)) == [user]
    register = ArbiterRegister([arbiter])
    assert register.find("Naledi Mokoena", number=OLD).arbiter == arbiter
    assert register.find_by_text("Naledi Mokoena", OLD).by == "Chess SA id"
    assert IdBearers([OLD]).other_than("Naledi Mokoena", OLD) is None
    assert IdBearers([OLD]).other_than("Chris Cele", OLD) == naledi


def test_commands_know_the_old_number(naledi):
    with pytest.raises(CommandError, match="one player"):
        call_command("merge", OLD, NEW, reason="One person.")


def test_a_number_that_another_player_has_now_is_that_players():
    naledi = numbered("Naledi", OLD, MIDDLE, NEW)
    assert leading_on([OLD, MIDDLE, NEW, "x"]) == {OLD: NEW, MIDDLE: NEW}
    other = numbered("Thabo", MIDDLE)
    assert players_of(public_players(), [OLD, MIDDLE]) == {OLD: naledi, MIDDLE: other}
    assert player_of(MIDDLE) == other
    assert leading_on([OLD, MIDDLE]) == {OLD: NEW}
