"""What each game of a player earned, and the months by year."""

from datetime import date

import pytest

from players.profile import history
from players.profile.games import player_months
from ratings.lists.definitions import list_definitions
from ratings.lists.queries import publications
from ratings.models import Performance
from tests.pages import builders

pytestmark = pytest.mark.django_db


def months(player):
    published = publications()
    return player_months(player.pk, history.standings(player.pk, published), published, list_definitions())


@pytest.mark.rule("chessa 33", "chessa 41")
def test_the_games_of_a_section_earn_what_the_run_wrote_on_each_list():
    made = builders.federation()
    events = [event for month in months(made[0]) for event in month.events]
    assert [[listing.code for listing in event.lists] for event in events] == [["main", "rapid"], ["main", "standard"]]
    for event in events:
        for listing in event.lists:
            stored = Performance.objects.get(section=event.section_id, list=listing.id, player=made[0])
            figures = [game.on(listing.id) for game in event.games]
            assert sum(game.expected for game in figures) == pytest.approx(stored.expected, abs=1e-9)
            assert sum(game.change for game in figures) == pytest.approx(float(stored.change), abs=1e-9)
            assert sum(game.rating for game in figures) / len(figures) == pytest.approx(
                stored.average_opponent, abs=1e-9
            )


@pytest.mark.rule("chessa 45")
def test_games_abroad_are_rated_against_the_adjusted_rating():
    player = builders.players(1)[0]
    section = builders.event("Abroad Open").sections.get()
    builders.visitor(section, player, fide=2100)
    builders.publish(builders.MARCH)
    (event,) = months(player)[0].events
    (game,) = event.games
    assert [figures.rating for figures in game.earned] == [2162.0, 2162.0]
    assert "FIDE 2100" in game.figures


def test_no_game_says_what_it_earned_when_the_records_changed_since(client):
    made = builders.federation()
    made[0].games_as_white.filter(section__event__name="April Rapid").delete()
    (april, march) = months(made[0])
    assert april.events[0].lists == []
    assert all(game.earned == () for game in april.events[0].games)
    assert march.events[0].lists


def test_a_page_has_the_months_of_one_year(client):
    made = builders.federation()
    late = date(2025, 1, 1)
    builders.round_robin(builders.event("New Year Open", ends=date(2025, 1, 12)).sections.get(), made)
    for month in (*[date(2024, number, 1) for number in range(5, 13)], late):
        builders.get_or_create_period(month)
        builders.publish(month)
    latest = client.get(f"/players/{made[0].number}/").content.decode()
    assert "New Year Open" in latest
    assert "April Rapid" not in latest
    assert '?year=2024#games"' in latest
    earlier = client.get(f"/players/{made[0].number}/?year=2024").content.decode()
    assert "New Year Open" not in earlier
    assert "April Rapid" in earlier
    assert "March Open" in earlier
    for none in ("2019", "0", "-1", "9" * 5000, "twenty", "\u0661\u0662"):
        assert client.get(f"/players/{made[0].number}/", {"year": none}).status_code == 404
