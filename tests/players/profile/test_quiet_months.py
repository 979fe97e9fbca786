"""A month in which a player's rating moved though he did not play."""

import re
from datetime import date

import pytest
from django.utils.html import strip_tags

from tests.pages import builders

pytestmark = pytest.mark.django_db


@pytest.mark.rule("chessa 49", "chessa 50")
def test_a_rating_that_moved_without_a_game_leads_to_its_explanation(client):
    """The one who lost all his games stands at his weighted average, which falls month after month."""
    made = builders.players(6)
    builders.round_robin(builders.event("March Open").sections.get(), made)
    builders.publish(builders.MARCH)
    builders.round_robin(builders.event("April Open", ends=date(2024, 4, 20)).sections.get(), made[:2])
    builders.publish(builders.APRIL)
    page = client.get(f"/players/{made[5].number}/").content.decode()
    assert f'href="/players/{made[5].number}/2024-04/main/"' in page
    text = " ".join(strip_tags(page).split())
    assert "No games · Main −" in text
    assert "On the list of 1 May 2024" in text
    assert re.search(r"No rated game; the weighted average of the last 24 ratings took \d+\.\d away\.", text)
    assert "the weighted average of the last 24 raw ratings" in text
    explanation = client.get(f"/players/{made[5].number}/2024-04/main/")
    assert explanation.status_code == 200
    assert "49" in explanation.content.decode()


def test_a_month_in_which_nothing_moved_is_left_out(client):
    """The winner's raw rating is the higher one and stays."""
    made = builders.players(6)
    builders.round_robin(builders.event("March Open").sections.get(), made)
    builders.publish(builders.MARCH)
    builders.round_robin(builders.event("April Open", ends=date(2024, 4, 20)).sections.get(), made[3:])
    builders.publish(builders.APRIL)
    page = client.get(f"/players/{made[0].number}/").content.decode()
    assert "No games" not in page
    assert f'href="/players/{made[0].number}/2024-04/main/"' not in page.partition("Events and games")[2]
