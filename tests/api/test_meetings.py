"""Head to head, and crosstables of many players: what was played, from both sides."""

import re
from datetime import date

import pytest
from django.utils.html import strip_tags

from config.lib import formatting
from events.models import Event, Game, Guest, Kind
from tests.markup import compact
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


def test_page_and_api_count_the_same_games(get, client):
    """Forfeits stand apart; a game abroad counts, marked, and once if both have sent it in; each list has its own."""
    two = [builders.Player.objects.get(number=number) for number in (TOM, SECOND)]
    forfeit = Game.objects.get(section__event__name="March Open", white__in=two, black__in=two)
    Game.objects.filter(pk=forfeit.pk).update(result="+--")
    for sender, opponent, colour in ((*two, "white"), (*two[::-1], "black")):
        abroad = builders.event("Windhoek Open", ends=date(2024, 5, 5))
        Event.objects.filter(pk=abroad.pk).update(kind=Kind.ABROAD, federation="NAM")
        section = abroad.sections.get()
        guest = Guest.objects.create(section=section, name=opponent.name, player=opponent, fide_rating=1500)
        Game.objects.create(section=section, round=1, guest=guest, result="0-1", **{colour: sender})
    answer = get(f"players/{TOM}/against/{SECOND}/")
    abroad, rapid = answer["games_played"]
    assert (abroad["event_name"], abroad["abroad"], abroad["rated_on"]) == ("Windhoek Open", True, [])
    assert (rapid["event_name"], rapid["abroad"], rapid["rated_on"]) == ("April Rapid", False, ["main", "rapid", "us"])
    assert [game["event_name"] for game in answer["not_counted"]] == ["March Open"]
    text = compact(client.get(f"/players/{TOM}/against/{SECOND}/").content.decode())
    rows = [[strip_tags(cell) for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", row)] for row in text.split("<tr>")[1:]]
    assert [row[1:] for row in rows if row[0].startswith(("Windhoek", "April", "March"))] == [
        ["1", "White, abroad", "0"],
        [str(rapid["round"]), "White" if rapid["white"] == TOM else "Black", formatting.score(answer["points"])],
        [str(forfeit.round), "not played, not rated", "1" if forfeit.white == two[0] else "0"],
    ]
    records = {row[0]: row[1:] for row in rows}
    scored = [str(answer[name]) for name in ("games", "wins", "draws", "losses")]
    assert records["All games"][:4] == scored
    assert records["rated on Main"][0] == records["rated on Rapid"][0] == "1"
    assert "rated on Blitz" not in records


def test_a_player_against_himself_or_nobody_is_not_there(get):
    get(f"players/{TOM}/against/{TOM}/", 404)
    get(f"players/{TOM}/against/999999999/", 404)


def test_many_players_in_one_call(post, get, django_assert_num_queries):
    numbers = [f"10000000{place}" for place in range(1, 7)]
    with django_assert_num_queries(4):  # players, games, the lists that rated them, lists
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
