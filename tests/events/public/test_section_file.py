"""A section's results as a tournament file, for anybody once they are public."""

import pytest

from events.files.reader import read
from events.models import Refusal
from events.rules.states import State
from tests.pages import builders

pytestmark = pytest.mark.django_db


def played(state: State = State.ACCEPTED):
    event = builders.event("Mopane Open", state=state)
    section = event.sections.get()
    builders.round_robin(section, builders.players(4))
    return f"/events/{event.pk}/sections/{section.pk}.trf", section


def test_the_file_reads_back_as_the_page_shows_it(client):
    address, section = played()
    answer = client.get(address)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{section.pk}-mopane-open.trf"'
    tournament = read(answer.content, "section.trf")
    assert not tournament.errors
    assert tournament.chief_arbiter == "NA Lindiwe Arendse"
    assert [entrant.points for entrant in tournament.entrants] == [
        float(entry.points) for entry in section.entries.order_by("number")
    ]
    games = {(pairing.round, pairing.result.value) for pairing in tournament.pairings}
    assert games == set(section.games.values_list("round", "result"))
    page = client.get(f"/events/{section.event_id}/").content.decode()
    assert f'href="{address}"' in page


@pytest.mark.parametrize("state", [State.REGISTERED, State.SUBMITTED, State.RETURNED, State.REFUSED])
def test_before_acceptance_there_is_none(client, state):
    address, section = played()
    type(section.event).objects.update(state=state)
    assert client.get(address).status_code == 404


def test_of_a_refused_section_there_is_none(client):
    address, section = played()
    Refusal.objects.create(event=section.event, section=section, at=builders.CLOCK, reason="clocks")
    assert client.get(address).status_code == 404


def test_of_another_event_there_is_none(client):
    _, section = played()
    other = builders.event("Other")
    assert client.get(f"/events/{other.pk}/sections/{section.pk}.trf").status_code == 404


def test_no_day_of_birth_is_in_it(client):
    address, _ = played()
    content = client.get(address).content
    assert b"2001/00/00" in content
    assert b"07/19" not in content


def test_a_number_of_thirty_digits_is_not_there(client):
    assert client.get(f"/events/{'9' * 30}/sections/1.trf").status_code == 404
    assert client.get(f"/events/1/sections/{'9' * 30}.trf").status_code == 404


@pytest.mark.parametrize("breaks", ["\u2028", "\x85", "\x0b", "\x1c", "\n", "\x01"])
def test_a_name_adds_no_line_to_the_file(client, breaks):
    address, section = played()
    player = section.entries.first().player
    type(player).objects.filter(pk=player.pk).update(last_name=f"Evil{breaks}001    2 m    Fake")
    lines = client.get(address).content.decode().splitlines()
    assert sum(line.startswith("001") for line in lines) == 4
