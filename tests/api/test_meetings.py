"""Head to head, and crosstables of many players: what was played, from both sides."""

import pytest

from events.models import Game
from tests.pages import builders

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("federation")]

TOM, SECOND = "100000001", "100000002"


def test_two_players_head_to_head(get):
    against, turned = get(f"players/{TOM}/against/{SECOND}/"), get(f"players/{SECOND}/against/{TOM}/")
    games = get(f"players/{TOM}/games/?opponent={SECOND}")["results"]
    assert [(row["section"], row["round"], row["result"]) for row in against["games_played"]] == [
        (game["section"], game["round"], game["result"]) for game in games
    ]
    assert against["games"] == len(games) == 2
    assert against["points"] == sum(game["points"] for game in games)
    assert (against["wins"], against["draws"], against["losses"]) == (
        turned["losses"], turned["draws"], turned["wins"],
    )  # fmt: skip
    assert against["wins"] + against["draws"] + against["losses"] == 2
    assert against["games_played"] == turned["games_played"]


def test_what_was_not_played_or_is_not_public_is_left_out(get):
    waiting = builders.event("May Open", state=builders.State.SUBMITTED)
    two = [builders.Player.objects.get(number=number) for number in (TOM, SECOND)]
    builders.play(waiting.sections.get(), [(1, *two, "1-0")])
    first = Game.objects.filter(section__event__name="March Open", white__in=two, black__in=two)
    first.update(result="+--")
    assert get(f"players/{TOM}/against/{SECOND}/")["games"] == 1


def test_a_player_against_himself_or_nobody_is_not_there(get):
    get(f"players/{TOM}/against/{TOM}/", 404)
    get(f"players/{TOM}/against/999999999/", 404)


def test_many_players_in_one_call(post, get, django_assert_num_queries):
    numbers = [f"10000000{place}" for place in range(1, 7)]
    with django_assert_num_queries(2):
        table = post("crosstables/", {"players": numbers})
    assert [player["number"] for player in table["players"]] == numbers
    assert len(table["scores"]) == 15
    assert len(table["games"]) == 30
    first = table["scores"][0]
    against = get(f"players/{TOM}/against/{SECOND}/")
    assert first == {name: against[name] for name in first}
    assert sum(row["games"] for row in table["scores"]) == 30


def test_an_unknown_player_of_a_crosstable_is_named(post):
    answer = post("crosstables/", {"players": [TOM, "999999999"]}, 400)
    assert [error["place"] for error in answer["errors"]] == ["players[1]"]
    for wrong in ([TOM], ["1", TOM], [TOM] * 201):
        post("crosstables/", {"players": wrong}, 400)
