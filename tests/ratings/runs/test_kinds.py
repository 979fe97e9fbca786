"""The kind of an event decides who registers it, and not how its games are rated."""

from datetime import date

import pytest

from events.models import Event, Kind
from ratings.models import Rating
from tests.builders import event_of, people, publish

pytestmark = pytest.mark.django_db


@pytest.mark.rule("chessa 4.7", "chessa 4.8")
def test_hybrid_games_are_rated_like_games_over_the_board():
    over_the_board, hybrid = people(4)[:2], people(4)[2:]
    for kind, pair in ((Kind.OVER_THE_BOARD, over_the_board), (Kind.HYBRID, hybrid)):
        event = event_of([(*pair, "1-0")], date(2024, 3, 3), name=kind.label)
        Event.objects.filter(pk=event.pk).update(kind=kind)
    run = publish()
    standings = [
        [
            list(Rating.objects.filter(run=run, player=player).order_by("list").values_list("list", "raw", "published"))
            for player in pair
        ]
        for pair in (over_the_board, hybrid)
    ]
    assert standings[0] == standings[1]
    assert all(standings[0])
