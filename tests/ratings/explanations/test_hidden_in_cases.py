"""In a public case file the place of a hidden player does not tell between whose Chess SA ids his is."""

import pytest

from players.operations import hide_player
from ratings.cases.chessa import answer
from ratings.cases.fields import Node
from ratings.explanations.case_files import export_period, export_player
from ratings.models import RatingList
from tests.builders import CLOCK, MARCH, event_of, people, period, publish

pytestmark = pytest.mark.django_db


def test_the_hidden_stand_behind_all_others_on_a_list_of_another_system(client):
    RatingList.objects.create(code="x", name="X", position=9, system="uscf")
    players = people(7)
    event_of([(players[place], players[place - 1], "1-0") for place in range(7)])
    publish()
    for hidden in (players[3], players[5]):
        hide_player(hidden, since=MARCH, at=CLOCK, by=None, reason="Their parents asked.")
    (document,) = client.get(f"/players/{players[4].number}/{MARCH:%Y-%m}/x/case.json").json()
    shown = [players[place].number for place in (0, 1, 2, 4, 6)]
    assert [row["id"] for row in document["players"]] == [*shown, "hidden-1", "hidden-2"]


def test_the_hidden_stand_behind_all_others():
    players = people(7)
    for hidden in (players[3], players[5]):
        hide_player(hidden, since=MARCH, at=CLOCK, by=None, reason="Their parents asked.")
    event_of([(players[place], players[place - 1], "1-0") for place in range(7)])
    publish()
    shown = [players[place].number for place in (0, 1, 2, 4, 6)]
    document = export_period(period())
    assert [row["id"] for row in document["players"]] == [*shown, "hidden-1", "hidden-2"]
    assert list(document["expected"]["players"]) == [*shown, "hidden-1", "hidden-2"]
    assert answer(Node(document, "$"))["players"] == document["expected"]["players"]
    met = export_player(period(), players[4])
    assert [row["id"] for row in met["players"]] == [players[4].number, "hidden-1", "hidden-2"]
