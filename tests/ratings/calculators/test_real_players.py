"""The Chess SA calculator from the published lists: known players, known opponents, real events played again."""

from datetime import date

import pytest
from django.http import QueryDict

from config.lib import formatting
from config.lib.database import as_float
from events.models import Guest, Penalty, RatingPeriod, Section
from ratings.models import Performance, Rating
from tests.pages import builders
from tests.ratings.calculators.entries import calculate, form

pytestmark = pytest.mark.django_db


def published_change(player, section, code):
    rows = Performance.objects.filter(
        run=section.period.publication.run, section=section, player=player, list__code=code
    )
    return rows.values_list(as_float("change"), flat=True).get()


def replayed(client, player, section):
    response = client.get("/calculators/chessa/", {"player": player.number, "section": section.pk})
    assert response.status_code == 302
    return QueryDict(response["Location"].partition("?")[2]).dict()


def test_an_event_played_again_unchanged_gives_the_published_change(client):
    players = builders.federation()
    for section in Section.objects.select_related("period__publication__run"):
        for player in players:
            entry = replayed(client, player, section)
            for part in calculate("chessa", entry):
                change = formatting.change(published_change(player, section, part.code))
                assert dict(part.keys)["Change by games"] == change
                assert dict(part.keys)["Change by games in this event, as published"] == change
                stored = Rating.objects.filter(
                    run=section.period.publication.run, player=player, list__code=part.code
                ).values_list(as_float("raw"), flat=True)
                assert part.rating == pytest.approx(stored.get(), abs=1e-9)


def test_other_results_change_the_rating_and_the_published_change_stays_in_sight(client):
    players = builders.federation()
    section = Section.objects.order_by("pk").last()
    entry = replayed(client, players[0], section)
    before = calculate("chessa", entry)[0]
    lost = calculate("chessa", entry | {name: "0" for name in entry if name.startswith("r")})[0]
    assert lost.rating < before.rating
    label = "Change by games in this event, as published"
    assert dict(lost.keys)[label] == dict(before.keys)[label] == dict(before.keys)["Change by games"]
    assert dict(lost.keys)["Change by games"] != dict(before.keys)["Change by games"]
    text = client.get("/calculators/chessa/", entry).content.decode()
    assert f"{section.event.name}</a> played again" in text
    assert "Ashby" in text


def test_an_event_played_again_from_the_latest_list_keeps_the_results_of_the_visitor(client):
    players = builders.federation()
    entry = replayed(client, players[0], Section.objects.order_by("pk")[0]) | {"at": "", "r1": "0"}
    response = client.get("/calculators/chessa/", entry, follow=True)
    query = QueryDict(response.redirect_chain[-1][0].partition("?")[2])
    assert "at" not in query
    assert query["r1"] == "0"
    assert response.status_code == 200


def test_an_event_abroad_is_played_again_with_its_guests(client):
    """Article 45: a FIDE rating counts 180 + 0.94 r up to 2000, 20 + 1.02 r above."""
    (player,) = builders.players(1)
    section = builders.event("Abroad").sections.get()
    for round_, (fide, performance, as_white) in enumerate([(2103, None, True), (None, 1911, False)], start=1):
        guest = Guest.objects.create(section=section, name=f"G{round_}", fide_rating=fide, performance=performance)
        sides = {"white": player} if as_white else {"black": player}
        section.games.create(round=round_, guest=guest, result="1-0", **sides)
    builders.publish(builders.MARCH)
    section.refresh_from_db()
    entry = replayed(client, player, section)
    assert float(entry["o1"]) == pytest.approx(20 + 1.02 * 2103)
    assert float(entry["o2"]) == pytest.approx(180 + 0.94 * 1911)
    for part in calculate("chessa", entry):
        assert dict(part.keys)["Change by games"] == formatting.change(published_change(player, section, part.code))


@pytest.mark.rule("chessa 51", "chessa 40")
def test_an_event_played_again_keeps_its_penalties_and_tells_each_part_of_the_change(client):
    players = builders.players(4)
    section = builders.event("March Open").sections.get()
    builders.round_robin(section, players)
    for player, status in ((players[0], "confirmed"), (players[1], "dropped")):
        Penalty.objects.create(section=section, player=player, round=1, kind="forfeit", points=20, status=status)
    builders.publish(builders.MARCH)
    section.refresh_from_db()
    for player, points in ((players[0], 20), (players[1], 0)):
        for part in calculate("chessa", replayed(client, player, section)):
            row = Rating.objects.filter(run=section.period.publication.run, player=player, list__code=part.code)
            raw, published = row.values_list(as_float("raw"), as_float("published")).get()
            assert part.rating == pytest.approx(raw, abs=1e-9)
            assert part.change == pytest.approx(raw - 1200, abs=1e-9)
            keys = dict(part.keys)
            assert keys.get("Penalty points (articles 51 to 54)") == ("−20.0" if points else None)
            told = [text for label, text in part.keys if label.startswith("Published on")]
            assert told == [formatting.rating(published)]


def test_a_rise_by_weighted_performance_has_its_own_line():
    players = builders.players(8)
    for ends in (date(2024, 3, day) for day in (3, 10, 17, 24)):
        builders.round_robin(builders.event(f"Open {ends.day}", ends=ends).sections.get(), players)
    builders.publish(builders.MARCH)
    entry = {"player": players[0].number}
    for number, other in enumerate(players[1:], start=1):
        entry |= {f"p{number}": other.number, f"c{number}": "w", f"r{number}": "1", f"o{number}": "1500"}
    for part in calculate("chessa", entry):
        keys = dict(part.keys)
        lines = [keys[label] for label in keys if label.startswith(("Change by", "Beyond", "Rise", "Penalty", "Held"))]
        moved = sum(float(text.replace(formatting.MINUS, "-")) for text in lines)
        assert moved == pytest.approx(part.change, abs=0.21)


@pytest.mark.parametrize(
    "query",
    [
        {"player": "100000001", "section": "99999"},
        {"player": "999999999", "section": "1"},
        {"section": "1"},
        {"player": "100000001", "section": "x"},
        {"player": "100000001", "section": "9" * 40},
    ],
)
def test_what_cannot_be_played_again_is_not_found(client, query):
    builders.federation()
    if query["section"] == "1":
        query = query | {"section": str(Section.objects.order_by("pk")[0].pk)}
    assert client.get("/calculators/chessa/", query).status_code == 404


def test_an_unpublished_event_is_said_to_be_so(client):
    players = builders.federation()
    may = builders.event("May Open", ends=date(2024, 5, 11))
    builders.round_robin(may.sections.get(), players[:4])
    builders.calculate(date(2024, 5, 1))
    asked = {"player": players[0].number, "section": may.sections.get().pk}
    text = " ".join(client.get("/calculators/chessa/", asked, follow=True).content.decode().split())
    assert "May Open</a> not yet on a published list. Raw ratings on 1 May 2024: Main" in text
    assert "As it was published" not in text


def test_a_player_brings_his_ratings_history_and_highest(client):
    player, other = builders.federation()[:2]
    text = client.get("/calculators/chessa/", {"player": player.number}).content.decode()
    rows = Rating.objects.filter(
        run=RatingPeriod.objects.get(month=builders.APRIL).publication.run, player=player, list__code="main"
    )
    raw, highest = rows.values_list(as_float("raw"), as_float("highest")).get()
    assert f'Calculating for <a href="/players/{player.number}/">Tom Ashby</a>' in text
    assert f'placeholder="1\u202f{raw - 1000:05.1f}"' in text
    assert 'class="problem"' not in text
    entry = {"player": player.number, "p1": other.number, "c1": "w", "r1": "1"}
    lists = form("chessa", entry).case()["players"][0]["lists"]
    assert lists["main"]["raw"] == raw
    assert lists["main"]["highest"] == highest
    assert len(lists["main"]["raw_history"]) == 2
    assert [one["type"] for one in lists["main"]["last_performances"]] == ["rapid", "standard"]
    assert "rapid" not in lists


def test_a_typed_rating_takes_the_place_of_the_published_one():
    player, other = builders.federation()[:2]
    entry = {"player": player.number, "m": "1800", "p1": other.number, "o1": "1750", "c1": "b", "r1": "h"}
    case = form("chessa", entry).case()
    own = case["players"][0]["lists"]["main"]
    assert own["raw"] == own["raw_history"][0] == own["highest"] == 1800
    assert len(own["raw_history"]) == 2
    assert case["players"][1]["lists"]["main"] == {"raw": 1750}


def test_nobody_plays_against_himself():
    player = builders.federation()[0]
    made = form("chessa", {"player": player.number, "p1": player.number, "c1": "w", "r1": "1"})
    assert made.errors["p1"] == ["Nobody plays against himself."]


def test_ratings_of_an_earlier_list_can_be_chosen():
    player, other = builders.federation()[:2]
    entry = {"player": player.number, "p1": other.number, "c1": "w", "r1": "1"}
    raws = [
        form("chessa", entry | {"at": at}).case()["players"][0]["lists"].get("main", {}).get("raw")
        for at in ("2024-03", "2024-04", "2024-05")
    ]
    assert raws[0] is None
    assert raws[1] != raws[2]
    assert form("chessa", entry).case()["players"][0]["lists"]["main"]["raw"] == raws[2]


def test_suggestions_have_published_ratings_only(client):
    players = builders.federation()
    may = builders.event("May Open", ends=date(2024, 5, 11))
    builders.round_robin(may.sections.get(), players[:4])
    builders.calculate(date(2024, 5, 1))
    found = client.get("/calculators/players.json", {"q": "ash"}).json()
    assert found["day"] == "2024-05-01"
    (one,) = found["players"]
    assert (one["number"], one["name"], one["region"]) == (players[0].number, "Tom Ashby", "GAU")
    assert set(one["ratings"]) == {"main", "standard", "rapid"}
    rows = Rating.objects.filter(
        run=RatingPeriod.objects.get(month=builders.APRIL).publication.run, player=players[0], list__code="main"
    )
    published, raw = rows.values_list(as_float("published"), as_float("raw")).get()
    assert one["ratings"]["main"] == {"published": published, "raw": raw}
    earlier = client.get("/calculators/players.json", {"q": "ash", "at": "2024-04"}).json()
    assert earlier["day"] == "2024-04-01"
    assert client.get("/calculators/players.json", {"q": ""}).json()["players"] == []


@pytest.mark.parametrize("opponents", [1, 5])
def test_the_number_of_queries_does_not_grow_with_the_games(client, django_assert_num_queries, opponents):
    players = builders.federation()
    entry = {"player": players[0].number}
    for number, other in enumerate(players[1 : opponents + 1], start=1):
        entry |= {f"p{number}": other.number, f"c{number}": "w", f"r{number}": "h"}
    with django_assert_num_queries(9):
        assert client.get("/calculators/chessa/", entry).status_code == 200
