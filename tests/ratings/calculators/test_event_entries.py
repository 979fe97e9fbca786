"""What an event that is on no list yet would do: its games in a calculator, for whoever played in it."""

from datetime import date

import pytest
from django.http import QueryDict

from events.rules.states import State
from tests.kept import kept
from tests.pages import builders
from tests.ratings.calculators.entries import FORMS

pytestmark = pytest.mark.django_db


@pytest.fixture
@kept
def people():
    """Six players on the lists of March 2024, of all four systems."""
    for position, code in enumerate(("icu", "uscf", "cfc"), start=5):
        builders.add_list(code, position=position)
    return builders.federation(6)


def section_of(state: State, players):
    section = builders.event("May Classic", ends=date(2024, 5, 11), state=state).sections.get()
    builders.round_robin(section, players[:6])
    return section


@pytest.mark.parametrize("system", FORMS)
def test_the_games_of_an_accepted_section_are_calculated_from_the_latest_lists(client, people, system):
    section, own = section_of(State.ACCEPTED, people), people[0]
    page = client.get(f"/calculators/{system}/", {"section": section.pk}).content.decode()
    assert f"?section={section.pk}&amp;player={own.number}" in page
    response = client.get(f"/calculators/{system}/", {"section": section.pk, "player": own.number})
    form = FORMS[system](QueryDict(response["Location"].partition("?")[2]))
    assert form.is_valid(), form.errors
    assert {game.opponent for game in form.games} == {player.number for player in people[1:6]}
    assert form.answer()[0].rating is not None
    answer = client.get(response["Location"]).content.decode()
    assert "Calculating for" in answer
    assert '<p class="new">' in answer


def test_the_page_of_the_event_leads_to_it_until_its_list_is_published(client, people):
    section = section_of(State.ACCEPTED, people)
    link = f'href="/calculators/chessa/?section={section.pk}"'
    assert link in client.get(f"/events/{section.event_id}/").content.decode()
    builders.publish(date(2024, 5, 1))
    assert link not in client.get(f"/events/{section.event_id}/").content.decode()


@pytest.mark.parametrize("system", FORMS)
def test_names_and_results_that_are_not_public_are_not_shown(client, people, system):
    section = section_of(State.SUBMITTED, people)
    assert client.get(f"/calculators/{system}/", {"section": section.pk}).status_code == 404
    own = {"section": section.pk, "player": people[0].number}
    assert client.get(f"/calculators/{system}/", own).status_code == 404
    assert client.get(f"/calculators/{system}/", {"section": 999_999}).status_code == 404


def test_who_did_not_play_has_no_entry(client, people):
    section = section_of(State.ACCEPTED, people)
    other = builders.players(1, last="Spectator")[0]
    page = {"section": section.pk, "player": other.number}
    assert client.get("/calculators/chessa/", page).status_code == 404
