"""Standings with tie-breaks and teams, rounds and crosstable, as the page of an event shows them."""

import re

import pytest

from events.files.reader import read
from events.models import Entry, Event, Section
from events.operations import accept_event
from tests.builders import CLOCK, lines, round_robin, submitted, trf
from tests.pages import builders

pytestmark = pytest.mark.django_db

TEAMS = b"013 Rooks                               1    4    5    8\n013 Knights                             6    3    2    7\n"


def accepted(content: bytes, **fields: object) -> tuple[Event, Section]:
    event = submitted(content, **fields)
    accept_event(event, at=CLOCK)
    return event, event.sections.get()


def text_of(client, event: Event) -> str:
    response = client.get(f"/events/{event.pk}/")
    assert response.status_code == 200
    return response.content.decode()


def cells(row: str) -> list[str]:
    return [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)]


def test_players_level_in_all_tie_breaks_share_the_place(client):
    first, second, third, fourth = builders.players(4)
    event = builders.event()
    pairings = [(1, first, second, "1-0"), (1, third, fourth, "1-0"), (2, first, third, "1/2-1/2")]
    builders.play(event.sections.get(), [*pairings, (2, second, fourth, "1/2-1/2")])
    text = text_of(client, event)
    rows = re.findall(r'<tr><td class="num rank">.*?</tr>', text)
    assert [cells(row)[0] for row in rows] == ["1", "1", "3", "3"]
    # of each: the other leader with 1½ and a loser with ½; a win against the loser, a draw against the leader
    assert cells(rows[0])[2:] == ["1½", "2.0", "1.5", "1.25", "1"]
    assert "BH" in text
    assert "shares a place if all are equal" in text


def test_the_file_s_tie_breaks_are_shown_and_its_places_stand_where_it_orders_by_others(client):
    content = trf(lines(6), round_robin(6)) + b"212 PTS,SB,DE\n"
    event, section = accepted(content)
    assert section.tie_breaks == "PTS,SB,DE"
    text = text_of(client, event)
    head = text[text.index("<h3>Standings</h3>") : text.index("<tbody>")]
    assert re.findall(r'<abbr title="([^"]+)"', head) == ["Sonneborn-Berger"]
    assert "Places as in the arbiter’s file, which orders by PTS, SB, DE." in text
    assert b"212 PTS,SB,DE\n" in client.get(f"/events/{event.pk}/sections/{section.pk}.trf").content


def test_a_file_without_places_is_ordered_by_the_tie_breaks():
    content = re.sub(rb"(?m)^(001.{82}).{4}", rb"\1    ", trf(lines(6), round_robin(6)))
    ranks = list(submitted(content).sections.get().entries.order_by("rank").values_list("rank", "points"))
    assert ranks[0][0] == 1
    assert [points for _, points in ranks] == sorted((points for _, points in ranks), reverse=True)


def test_teams_have_their_standings_boards_and_matches(client):
    event, section = accepted(trf(lines(8), round_robin(8)) + TEAMS, format="team")
    assert list(section.teams.values_list("number", "name")) == [(1, "Rooks"), (2, "Knights")]
    boards = dict(Entry.objects.filter(team__name="Knights").values_list("number", "board"))
    assert boards == {6: 1, 3: 2, 2: 3, 7: 4}
    text = text_of(client, event)
    assert "2 teams, 8 players" in text
    teams = text[text.index("<h3>Teams</h3>") : text.index("<h3>Players</h3>")]
    rows = re.findall(r'<tr><td class="num rank">.*?</tr>', teams)
    points = [cells(row)[2] for row in rows]
    matches = re.findall(r"<caption>(Rooks [\d½]+ – [\d½]+ Knights)</caption>", text)
    assert len(rows) == 2
    assert len(points) == 2
    assert matches
    tournament = read(client.get(f"/events/{event.pk}/sections/{section.pk}.trf").content, "section.trf")
    assert [(team.name, team.members) for team in tournament.teams] == [
        ("Rooks", (1, 4, 5, 8)),
        ("Knights", (6, 3, 2, 7)),
    ]


def test_a_round_has_its_pairings_and_the_crosstable_leads_there(client):
    first, second, third, *_ = builders.players(3)
    event = builders.event()
    section = event.sections.get()
    builders.play(section, [(1, first, second, "0-1"), (1, third, None, "bye"), (2, third, second, "--+")])
    text = text_of(client, event)
    assert f'<a href="#section-{section.pk}-round-2">' in text
    second_round = text[text.index(f'id="section-{section.pk}-round-2"') :]
    assert cells(second_round[: second_round.index("</tr></tbody>")])[1:] == ["Zola Cele", "− – +", "Anri Botha"]
    assert f'<a href="/players/{first.number}/">Tom Ashby</a>' in text[text.index("<h3>Crosstable</h3>") :]


def test_the_colour_stands_apart_from_the_name_of_a_visitor(client):
    (player,) = builders.players(1)
    event = builders.event()
    builders.play(event.sections.get(), [(1, player, None, "bye")])
    builders.visitor(event.sections.get(), player)
    text = text_of(client, event)
    assert ">Ingrid Abroad · w <b>1</b></td>" in text
    assert "Ingrid Abroad (NAM)" in text
    assert "FIDE 1\u202f700" in text
