import csv
import re
from datetime import UTC, date, datetime

import pytest
from django.db.models import F
from django.utils import timezone
from django.utils.html import strip_tags

from config.lib import formatting
from events.models import Game, Penalty
from events.rules.age_groups import age_group
from events.rules.states import State
from players.models import Player
from ratings.live.operations import refresh_live
from ratings.models import LiveRating, Rating
from tests.pages import builders
from tests.ratings.lists.test_lists import names

pytestmark = pytest.mark.django_db
TODAY = date(2026, 6, 15)


def page(client, player) -> str:
    response = client.get(f"/players/{player.number}/")
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.rule("chessa 16")
@pytest.mark.parametrize(
    ("year", "group"),
    [
        (2018, "U8"),
        (2017, "U10"),
        (2006, "U20"),
        (2005, ""),
        (1977, ""),
        (1976, "50+"),
        (1962, "50+"),
        (1961, "65+"),
        (None, ""),
    ],
)
def test_age_groups_are_by_year(year, group):
    """Article 16: year of the event less year of birth."""
    assert age_group(year, year=TODAY.year) == group


@pytest.mark.parametrize("number", ["999999999", "12345678", "1234567890", "abcdefghi"])
def test_there_is_no_such_player(client, number):
    assert client.get(f"/players/{number}/").status_code == 404


def test_a_player_without_games_is_told_what_would_fill_the_page(client):
    (player,) = builders.players(1)
    text = page(client, player)
    assert "No published rating yet." in text
    assert "has not played in a rated event" in text
    assert "<svg height" not in text


def test_the_birth_date_is_never_shown(client):
    made = builders.federation()
    for address in (
        f"/players/{made[0].number}/",
        "/players/",
        "/lists/main/",
        f"/players/{made[0].number}/history.csv",
    ):
        text = client.get(address).content.decode()
        assert "2001-07-19" not in text
        assert "19 Jul" not in text
    assert "born 2001" in page(client, made[0])


def test_cards_give_the_latest_list_with_its_date(client):
    made = builders.federation()
    text = page(client, made[0])
    assert "Published ratings of 1 May 2024, after the games of April 2024." in text
    assert text.count('<li class="card">') == 3
    assert text.count("<span>list of 1 May 2024</span>") == 3
    assert "Blitz</h3>" not in text
    # Article 31, by the highest rating at the start of April: 1200 to 1400 on two lists, unrated on Rapid.
    assert re.findall(r'<td class="num">(\d\d)\s*<span class="under-figure">', text) == ["36", "36", "40"]
    highest = [
        f"{rating:,.1f}".replace(",", "\u202f")
        for rating in Rating.objects.filter(player=made[0], run__period__month=builders.MARCH, published__isnull=False)
        .order_by("list__position")
        .values_list("highest", flat=True)
    ]
    assert re.findall(r'<span class="under-figure">(?:by )?([\d\u202f.]+|unrated)</span>', text) == [
        *highest,
        "unrated",
    ]


def test_every_link_of_a_players_page_leads_somewhere(client):
    made = builders.federation()
    links = {link for link in re.findall(r'href="(/[^"#]*)', page(client, made[0])) if not link.startswith("/static/")}
    assert f"/players/{made[0].number}/2024-04/main/" in links
    for link in links - {"/admin/"}:
        assert client.get(link).status_code == 200, link


def test_the_chart_has_its_table_and_its_words(client):
    made = builders.federation()
    text = page(client, made[0])
    assert '<title id="chart-title">Rating history of Tom Ashby</title>' in text
    assert re.search(r"<desc id=\"chart-text\">Main: 1\u202f\d+\.\d on 1 Apr 2024, ", text)
    assert text.count("<tr data-month=") == 2
    assert " style=" not in text


def test_months_have_events_scores_and_games(client):
    made = builders.federation()
    text = page(client, made[0])
    assert text.index("<h3>April 2024</h3>") < text.index("<h3>March 2024</h3>")
    march = text[text.index("<h3>March 2024</h3>") :]
    assert "1 event, 5 games" in march
    assert "March Open" in march
    assert "standard, 90 min + 30 s" in march
    assert f"/players/{made[1].number}/" in march
    assert march.count(">unrated</td>") == 2 * 5  # on Main and on Standard


@pytest.mark.rule("chessa 48")
def test_opponents_stand_with_their_raw_rating_at_the_start_of_the_period(client):
    made = builders.federation()
    text = page(client, made[0])
    april = text[text.index("<h3>April 2024</h3>") : text.index("<h3>March 2024</h3>")]
    shown = sorted(re.findall(r'<td class="num">(1\u202f\d{3}\.\d|\d{3}\.\d)</td><td class="num">', april))
    march = Rating.objects.filter(run__period__month=builders.MARCH, list__code="main").exclude(player=made[0])
    assert shown == sorted(f"{raw:,.1f}".replace(",", "\u202f") for raw in march.values_list("raw", flat=True))


def test_byes_and_forfeits_are_marked(client):
    first, second, *_ = made = builders.players(6)
    section = builders.event().sections.get()
    builders.play(
        section,
        [(1, first, second, "+--"), (2, first, None, "bye"), (3, second, first, "1-0"), (4, first, None, "bye-half")],
    )
    builders.publish(builders.MARCH)
    text = page(client, made[0])
    assert text.count("forfeit, not rated") == 1
    assert ">bye<" in text
    assert "half-point bye" in text
    assert "2½/4" in text
    assert "1 event, 1 game and 1 forfeit" in text
    assert re.search(r"</span> 1 game and 1 forfeit</summary>", text)


def test_an_event_that_is_not_published_has_a_score_and_no_figures(client):
    made = builders.federation()
    waiting = builders.event("Waiting Open", ends=date(2024, 5, 12))
    builders.round_robin(waiting.sections.get(), made)
    text = page(client, made[0])
    stretch = text[text.index("<h3>Not yet published</h3>") : text.index("<h3>April 2024</h3>")]
    assert "Waiting Open" in stretch
    assert "accepted" in stretch
    assert "performance" not in stretch


def test_a_calculated_month_shows_nothing_of_its_figures(client):
    made = builders.federation()
    before = client.get(f"/players/{made[0].number}/history.csv").content
    builders.round_robin(builders.event("May Open", ends=date(2024, 5, 12)).sections.get(), made)
    builders.calculate(date(2024, 5, 1))
    text = page(client, made[0])
    stretch = text[text.index("<h3>Not yet published</h3>") : text.index("<h3>April 2024</h3>")]
    assert "May Open" in stretch
    assert "performance" not in stretch
    assert client.get(f"/players/{made[0].number}/history.csv").content == before


@pytest.mark.parametrize("state", [State.DRAFT, State.SUBMITTED, State.RETURNED, State.REFUSED])
def test_games_that_nobody_has_accepted_are_nobody_s_business(client, state):
    made = builders.federation()
    event = builders.event("Secret Open", ends=date(2024, 5, 12), state=state)
    builders.round_robin(event.sections.get(), made)
    text = page(client, made[0])
    assert "Secret Open" not in text
    assert "<h3>Not yet published</h3>" not in text


@pytest.mark.parametrize("state", [State.SUBMITTED, State.RETURNED, State.REFUSED])
def test_who_is_only_in_a_file_that_nobody_has_accepted_is_not_public(client, state):
    """He is found as soon as one of his events is accepted, and stays."""
    known, stranger, *_ = made = builders.players(4)
    builders.round_robin(builders.event("Accepted Open").sections.get(), [known, made[2]])
    waiting = builders.event("Waiting Open", state=state)
    builders.round_robin(waiting.sections.get(), [known, stranger])

    def shown() -> list[bool]:
        found = client.get(f"/players/suggest/?q={stranger.number}").json()["players"]
        calculators = client.get(f"/calculators/players.json?q={stranger.number}").json()["players"]
        return [
            client.get(f"/players/{stranger.number}/").status_code == 200,
            client.get(f"/players/{stranger.number}/history.csv").status_code == 200,
            stranger.name in names(client.get("/players/")),
            bool(found),
            bool(calculators),
        ]

    assert known.name in names(client.get("/players/"))
    assert made[3].name in names(client.get("/players/"))
    assert shown() == [False] * 5
    waiting.state = State.ACCEPTED
    waiting.save()
    assert shown() == [True] * 5


def test_only_confirmed_penalties_are_shown(client):
    made = builders.players(6)
    section = builders.event().sections.get()
    builders.round_robin(section, made)
    for round_, status in ((3, "confirmed"), (4, "dropped")):
        Penalty.objects.create(
            section=section, player=made[5], round=round_, kind="forfeit", points=20, status=status, reason="absent"
        )
    builders.publish(builders.MARCH)
    text = page(client, made[5])
    assert "Round 3: −20.0 for forfeit without notice (article 51)." in text
    assert "Round 4: −20" not in text


def test_the_history_as_csv_has_the_figures_in_full(client):
    made = builders.federation()
    response = client.get(f"/players/{made[0].number}/history.csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(response.content.decode().splitlines()))
    assert [(row["list_date"], row["period"], row["list"]) for row in rows[:1]] == [("2024-04-01", "2024-03", "main")]
    assert len(rows) == 5
    for row in rows:
        stored = Rating.objects.get(player=made[0], list__code=row["list"], run__period__month=f"{row['period']}-01")
        assert float(row["published"]) == pytest.approx(float(stored.published), abs=1e-9)
        assert len(row["published"]) > len("1234.5")


@pytest.mark.parametrize("count", [2, 8])
def test_a_page_takes_at_most_six_queries_whatever_stands_on_it(queries, count):
    made = builders.federation(count)
    small_tables = (
        6  # lists, months, the live list's head, penalties, adjustments, notices: kept by the process from now on
    )
    queries(f"/players/{made[0].number}/", 6 + small_tables)
    queries("/players/", 6)
    queries(f"/players/{made[1].number}/", 6)
    refresh_live(at=datetime(2024, 5, 22, 8, 30, tzinfo=UTC))
    head_of_the_live_list = 1
    queries(f"/players/{made[0].number}/", 6 + head_of_the_live_list)
    queries(f"/players/{made[1].number}/", 6)
    section = Game.objects.filter(white=made[0]).first().section
    Penalty.objects.create(
        section=section, player=made[0], round=1, kind="forfeit", points=20, status="confirmed", reason="absent"
    )
    penalties = 1
    assert "for forfeit without notice" in queries(f"/players/{made[0].number}/", 6 + penalties).content.decode()


def test_the_live_rating_stands_below_the_published_ones_where_it_differs(client):
    made = builders.federation()
    at = datetime(2024, 5, 22, 8, 30, tzinfo=UTC)
    builders.round_robin(builders.event("May Open", ends=date(2024, 5, 18)).sections.get(), made[:3:2])
    builders.round_robin(builders.event("May Cup", ends=date(2024, 5, 19)).sections.get(), made[:3:2])
    refresh_live(at=at)
    live = {row.list.code: row for row in LiveRating.objects.filter(player=made[0]).select_related("list")}
    shown = [
        f"{row.list.name} {formatting.rating(float(row.published))}"
        for row in live.values()
        if formatting.rating(float(row.published)) != formatting.rating(float(row.previous))
    ]
    text = page(client, made[0])
    assert shown
    assert "(2 events not yet published), not official" in text
    for rating in shown:
        assert rating in strip_tags(text)
    assert f'href="/lists/main/live/?q={made[0].number}"' in text
    LiveRating.objects.update(published=F("previous"))
    assert "Live today" not in page(client, made[0])


def test_the_register_is_searched_by_word_and_number(client):
    builders.federation()
    assert names(client.get("/players/?q=dlam")) == ["Sipho Dlamini"]
    assert names(client.get("/players/?q=1000000")) == [
        player.name for player in Player.objects.order_by("folded_name")
    ]
    assert "Nobody on the register fits." in client.get("/players/?q=xyz").content.decode()
    assert "Nobody is registered yet." not in client.get("/players/?q=xyz").content.decode()


@pytest.mark.parametrize("text", ["100000004", " 100 000 004 ", "14300004"])
def test_a_whole_number_leads_to_its_player(client, text):
    made = builders.federation()
    Player.objects.filter(pk=made[3].pk).update(fide_id=14300004)
    answer = client.get("/players/", {"q": text})
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/players/{made[3].number}/")


def test_a_number_of_two_players_leads_to_both(client):
    made = builders.federation()
    Player.objects.filter(pk=made[0].pk).update(fide_id=100000004)
    assert names(client.get("/players/?q=100000004")) == ["Tom Ashby", "Sipho Dlamini"]
    assert client.get("/players/?q=100000004&region=GAU").status_code == 200


def test_the_register_goes_on_from_a_number_in_both_directions(client):
    builders.players(120)
    first = client.get("/players/")
    assert len(names(first)) == 50
    after = re.search(r"after=(\d{9})", first.content.decode()).group(1)
    second = client.get(f"/players/?after={after}")
    assert len(names(second)) == 50
    assert not set(names(first)) & set(names(second))
    before = re.search(r"before=(\d{9})", second.content.decode()).group(1)
    assert names(client.get(f"/players/?before={before}")) == names(first)
    after = re.search(r"after=(\d{9})", second.content.decode()).group(1)
    last = client.get(f"/players/?after={after}")
    assert len(names(last)) == 20
    assert "Next →" not in last.content.decode()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("dl", ["100000004"]),
        ("SIPHO dl", ["100000004"]),
        ("1000 0000 4", ["100000004"]),
        ("zzz", []),
        ("", []),
        ("  ", []),
    ],
)
def test_suggestions_while_one_types(queries, text, found):
    builders.players(8)
    response = queries(f"/players/suggest/?q={text}", 2 if text.strip() else 1)
    assert [player["number"] for player in response.json()["players"]] == found


def test_suggestions_are_few_and_say_who_is_who(client):
    builders.players(12, last="Mokoena")
    players = client.get("/players/suggest/?q=mok").json()["players"]
    assert len(players) == 8
    assert players[0] == {
        "number": "100000002",
        "name": "Anri Mokoena",
        "listed": "Mokoena, Anri",
        "detail": "GAU · 100000002",
    }


@pytest.mark.rule("chessa 16")
def test_the_page_names_the_year_of_the_events_with_the_age_group(client):
    made, year = builders.players(6), timezone.localdate().year
    Player.objects.filter(pk=made[0].pk).update(birth_date=None, birth_year=year - 12)
    builders.round_robin(builders.event().sections.get(), made)
    builders.publish(builders.MARCH)
    assert f"U12 in events of {year}" in page(client, made[0])
