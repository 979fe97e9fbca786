"""No operation says when somebody was born, beyond the year, nor how he is reached."""

import json
import re
from datetime import date

import pytest
from django.test import Client

from api.documentation.views import openapi
from events.models import Event, Section
from players.models import Player
from tests.accounts.world import OWN, made_world
from tests.api.test_tokens import token_for
from tests.builders import with_address
from tests.pages.test_versions import api_routes

pytestmark = pytest.mark.django_db


@pytest.fixture
def world():
    """A federation whose players have birth dates and e-mail addresses that stand nowhere else."""
    made = made_world()
    for place, player in enumerate(Player.objects.order_by("pk")):
        day = date(1971 + place % 30, 7, 19 + place % 9)
        Player.objects.filter(pk=player.pk).update(birth_date=day, birth_year=day.year)
        with_address(player, f"private{place}@secret.example")
    return made


def told(text: str) -> list[str]:
    """What of a text is an address, or the birth date of a player in one of the usual forms."""
    found = re.findall(r"private\d+|secret\.example|@", text)
    for day in Player.objects.exclude(birth_date=None).values_list("birth_date", flat=True):
        forms = (
            f"{day:%Y-%m-%d}",
            f"{day:%Y/%m/%d}",
            f"{day:%d.%m.%Y}",
            f"{day.day} {day:%b %Y}",
            f"{day.day} {day:%B %Y}",
        )
        found += [form for form in forms if form in text]
    return found


def test_no_answer_has_a_birth_date_or_an_address(world):
    client = Client()
    event = Event.objects.get(name="Club night")
    number = world.published[0].number
    addresses = [world.address(route, OWN, "anonymous") for route in api_routes()]
    addresses += [f"/api/v1/sections/{section}/" for section in Section.objects.values_list("pk", flat=True)]
    addresses += [f"/api/v1/events/{event.pk}/", f"/api/v1/players/{number}/explanations/2024-03/us/"]
    addresses += ["/api/v1/players/?limit=500", "/api/", "/api/v1/docs/", "/api/v1/schema/", "/api/errors/"]
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert told(answer.content.decode().replace("--data-binary @", "")) == [], address
    _, headers = token_for(world.users["arbiter"], name="privacy")
    for address in (world.address(route, OWN, "arbiter") for route in api_routes(public=False)):
        answer = client.get(address, headers=headers)
        assert answer.status_code == 200, address
        assert told(answer.content.decode()) == [], address
    for media_type in ("text/csv", "application/x-ndjson"):
        for address in ("/api/v1/lists/main/2024-03/", f"/api/v1/players/{number}/games/"):
            assert told(client.get(address, headers={"accept": media_type}).getvalue().decode()) == []


def test_no_look_up_finds_a_birth_date_out(world):
    player = Player.objects.exclude(birth_date=None).first()
    asked = [{"name": f"{player.last_name}, {player.first_name}", "birth_year": player.birth_year}]
    client = Client()

    def answers(players: object) -> str:
        sent = json.dumps({"players": players})
        return client.post("/api/v1/players/lookup/", sent, content_type="application/json").content.decode()

    first = answers(asked)
    assert told(first) == []
    day = player.birth_date.replace(day=2)
    Player.objects.filter(pk=player.pk).update(birth_date=day)
    assert answers(asked) == first
    assert answers([{**asked[0], "birth_date": str(day)}]) == first


def test_what_is_not_public_is_not_there(world):
    """The own region's event is submitted and not accepted: its players and results are unknown to the API."""
    section = world.rows["section", OWN]
    player = world.rows["player", OWN]
    client = Client()
    assert client.get(f"/api/v1/sections/{section.pk}/").json()["standings"] == []
    for rest in ("", "history/", "games/", "events/"):
        assert client.get(f"/api/v1/players/{player.number}/{rest}").status_code == 404
    sent = json.dumps({"players": [{"number": player.number}, {"name": f"{player.last_name}, {player.first_name}"}]})
    answer = client.post("/api/v1/players/lookup/", sent, content_type="application/json").json()
    assert player.number not in json.dumps(answer)


def test_no_field_is_named_after_what_is_private():
    names = {name for schema in openapi()["components"]["schemas"].values() for name in schema.get("properties", {})}
    assert {name for name in names if "birth" in name} == {"birth_year"}
    assert not {name for name in names if "mail" in name or "phone" in name}
