"""An opponent abroad who is on our register, and hidden: who sends results in, and the public, are not told that he is."""

from dataclasses import replace
from datetime import date

import pytest
from django.utils import timezone

from events.abroad.operations import Channel, submit_abroad
from events.amending.edits import with_result
from events.models import Game
from events.operations import accept_event
from events.rules.game_result import Result
from players.operations import hide_player
from ratings.rerating.amendments import amend
from tests.builders import CLOCK, MARCH, officer, player, publish
from tests.events.abroad.entries import AT, WIN, results, text_of, this_month
from tests.ratings.chain import publish_again, rerate

pytestmark = pytest.mark.django_db


@pytest.fixture
def hidden():
    opponent = player("Zqkasparr", "Hettie", fide_id=WIN.fide_id, birth_date=date(2014, 3, 4))
    hide_player(opponent, since=MARCH, at=CLOCK, by=None, reason="His parents asked.")
    return opponent


def test_who_has_a_link_does_not_read_which_fide_ids_are_hidden_players(client, address, hidden):
    looked = text_of(client.post(address, this_month(do="look", game_0_opponent="Somebody, Else")))
    assert "Somebody, Else" in looked
    assert hidden.number not in looked
    assert "on the register (" not in looked


def test_who_comes_on_the_register_after_the_results_and_is_hidden_is_not_named(client, naledi):
    met = replace(WIN, opponent="Zqkasparr, Hettie")
    event = submit_abroad(naledi, results(games=(met,)), at=AT, channel=Channel(by=officer()))
    accept_event(event, at=AT, reason="One game of a league.")
    run = publish()
    section = event.sections.get()
    game = Game.objects.get(section=section)
    amend(section, lambda content: with_result(content, game.pk, Result.DRAW), reason="A slip.", at=timezone.now())
    assert publish_again(rerate()).state == "published"
    opponent = player("Zqkasparr", "Hettie", fide_id=WIN.fide_id)
    addresses = [
        f"/events/{event.pk}/",
        f"/events/{event.pk}/sections/{section.pk}.trf",
        f"/players/{naledi.number}/",
        f"/players/{naledi.number}/{MARCH:%Y-%m}/main/",
        f"/api/v1/players/{naledi.number}/games/",
        f"/api/v1/sections/{section.pk}/",
    ]
    assert run.period.month == MARCH
    for hidden_now in (False, True):
        if hidden_now:
            hide_player(opponent, since=MARCH, at=CLOCK, by=None, reason="asked for")
        told = {address: text_of(client.get(address)) for address in addresses}
        assert {address: "Zqkasparr" in text for address, text in told.items()} == dict.fromkeys(
            addresses, not hidden_now
        )
        assert {address for address, text in told.items() if str(WIN.fide_id) in text} <= (
            set() if hidden_now else set(addresses)
        )


def test_a_correction_in_public_does_not_name_him(client, naledi, hidden):
    met = replace(WIN, opponent="Zqkasparr, Hettie")
    event = submit_abroad(naledi, results(games=(met,)), at=AT, channel=Channel(by=officer()))
    accept_event(event, at=AT, reason="One game of a league.")
    publish()
    section = event.sections.get()
    game = Game.objects.get(section=section, guest__player=hidden)
    amend(section, lambda content: with_result(content, game.pk, Result.DRAW), reason="A slip.", at=timezone.now())
    assert publish_again(rerate()).state == "published"
    page = text_of(client.get(f"/events/{event.pk}/"))
    assert "Hidden player" in page
    assert "Zqkasparr" not in page
