"""Reasons that the public reads name no hidden player, though they were written before he was hidden."""

from datetime import date
from decimal import Decimal

import pytest
from django.utils import timezone

from accounts.models import User
from events.amending.edits import with_result
from events.models import Arbiter, EventMove
from events.rules.game_result import Result
from players.hidden import hidden_in
from players.models import Player
from players.operations import hide_player, save_player
from ratings.models import RatingList, Revision
from ratings.rerating.adjustments import adjust
from ratings.rerating.amendments import amend
from tests.builders import CLOCK, MARCH, event_of, named, people, player, publish
from tests.ratings.chain import AT, publish_again, rerate

pytestmark = pytest.mark.django_db
APRIL = date(2024, 4, 1)


@pytest.mark.parametrize("kind", [Player, Arbiter, User])
def test_who_is_called_as_it_once_stood_on_a_hidden_player_s_line_by_a_slip_stays_named(kind):
    child = player("Zqbabbage", "Hettie")
    named(kind, "Gert", "Kasparr")
    for first, last in (("Gert", "Kasparr"), ("Hettie", "Zqbabbage")):
        child.first_name, child.last_name = first, last
        save_player(child)
    hide_player(child, since=MARCH, at=CLOCK, by=None, reason="asked for")
    reason = "Gert Kasparr won against Hettie Zqbabbage."
    assert hidden_in([reason]).replaced(reason) == "Gert Kasparr won against Hidden player."


@pytest.mark.parametrize("genitive", ["'s", "’s", "ʼs", "`s", "'S", "'", "´s"])
def test_a_hidden_player_s_name_goes_in_the_genitive_too(genitive):
    child = player("Zqbabbage", "Hettie")
    hide_player(child, since=MARCH, at=CLOCK, by=None, reason="asked for")
    for name in ("Hettie Zqbabbage", "Zqbabbage, Hettie"):
        reason = f"{name}{genitive} result was entered the wrong way round."
        left = hidden_in([reason]).replaced(reason)
        assert "babbage" not in left.lower()
        assert left.endswith("result was entered the wrong way round.")


@pytest.mark.parametrize("written", "'’ʼ`‘´′")
@pytest.mark.parametrize("registered", "'‘")
def test_a_hidden_player_s_name_goes_whatever_is_typed_for_its_apostrophe(registered, written):
    child = player(f"O{registered}Zqbrien", "Seanus")
    hide_player(child, since=MARCH, at=CLOCK, by=None, reason="asked for")
    reason = f"The result against Seanus O{written}Zqbrien was typed wrongly."
    assert hidden_in([reason]).replaced(reason) == "The result against Hidden player was typed wrongly."


def test_no_reason_in_public_names_a_hidden_player(client):
    white, black = people(2)
    child = player("Zqbabbage", "Hettie")
    event = event_of([(white, child, "1-0"), (child, black, "1-0"), (white, black, "1-0")] * 3)
    EventMove.objects.filter(event=event).update(reason=f"Looked at {child}.")
    publish()
    section = event.sections.get()
    game = section.games.earliest("pk")
    for reason in ("Zqbabbage, Hettie won: the score sheet says so.", "HETTIE ZQBABBAGE won."):
        result = Result.BLACK_WINS if reason.startswith("Z") else Result.DRAW
        amend(section, lambda content, result=result: with_result(content, game.pk, result), reason=reason, at=AT)
        assert publish_again(rerate()).state == "published"
    adjust(
        white, RatingList.objects.get(code="main"), Decimal(5), reason="Hettie Zqbabbage had won.", at=timezone.now()
    )
    publish(APRIL, at=timezone.now())
    Revision.objects.filter(number=2).update(reason="Hettie Zqbabbage won.")
    addresses = [
        f"/lists/main/{MARCH:%Y-%m}/?revision=1",
        f"/api/v1/lists/main/{MARCH:%Y-%m}/?revision=2",
        f"/events/{event.pk}/",
        f"/players/{white.number}/",
        f"/players/{white.number}/{APRIL:%Y-%m}/main/",
        f"/api/v1/players/{white.number}/explanations/{APRIL:%Y-%m}/main/",
    ]
    for is_named in (True, False):
        if not is_named:
            hide_player(child, since=MARCH, at=CLOCK, by=None, reason="asked for")
        told = {address: client.get(address).content.decode().lower() for address in addresses}
        assert {address: "zqbabbage" in text for address, text in told.items()} == dict.fromkeys(addresses, is_named)
