"""Lists of the Irish, US and Canadian systems on the public pages, beside the four of article 24."""

import csv
import re
from datetime import date
from itertools import pairwise

import pytest

from config.lib.database import as_float
from events.models import Event, RatingPeriod, Section
from players.models import Player
from ratings.explanations.queries import explain_list_month
from ratings.lists.definitions import COLOURS, DASHES, ListDefinition, list_definitions
from ratings.models import Performance, Rating, RatingList
from tests.conftest import ROOT
from tests.federation import load
from tests.kept import kept
from tests.pages import builders

pytestmark = pytest.mark.django_db


def page(client, address) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def player_page(client, player) -> str:
    return page(client, f"/players/{player.number}/")


def stored(player, code, month=builders.APRIL):
    rows = Rating.objects.filter(list__code=code, player=player, run__period__month=month)
    return rows.annotate(now=as_float("published"), exact=as_float("raw")).get()


@pytest.fixture
@kept
def made():
    """Six players with a standard event in March and a rapid one in April; a US list without rapid games, and an Irish one."""
    builders.add_list("uscf", position=6, starts_from="", counts_rapid=False)
    builders.add_list("icu")
    return builders.federation()


def test_a_list_of_another_system_has_its_card(client, made):
    text = player_page(client, made[0])
    assert text.count('<li class="card">') == 5
    group = text[text.index('<h2 id="other-lists">Other systems</h2>') : text.index('<h2 id="games">')]
    cards = group.split('<li class="card">')[1:]
    assert [re.search(r"</svg>\s*(\w+)</h3>", card).group(1) for card in cards] == ["ICU", "USCF"]
    irish, american = cards
    now = stored(made[0], "icu")
    assert f'href="/players/{made[0].number}/2024-04/icu/"' in irish
    assert f">1\u202f{now.now - 1000:03.0f}</a>" in irish
    assert "ICU system, edition text" in irish
    assert re.findall(r"<dt>(\w+)</dt>", irish) == ["rank", "highest", "K", "games"]
    assert "USCF system, edition 2024" in american
    # Rated by the special formula, which has no K.
    assert re.findall(r"<dt>(\w+)</dt>", american) == ["rank", "highest", "games"]


def test_what_a_system_does_not_have_is_left_out(client, made):
    text = player_page(client, made[0])
    behind = text[text.index('<table class="compact behind-ratings">') :].split("</table>")[0]
    assert re.findall(r'<th scope="col" class="num">(\w+)</th>', behind) == ["Main", "Standard", "Rapid"]
    for label in ("Raw", "Weighted"):
        row = behind[behind.index(f'<th scope="row">{label} ') :].split("</tr>")[0]
        assert row.count('<td class="num">') == 3
    assert "<dt>raw</dt>" not in text
    assert "<dt>weighted</dt>" not in text
    assert text.count('<path class="raw"') == 3
    table = text[text.index('<table class="history" aria-labelledby="other-history">') :].split("</table>")[0]
    assert "raw" not in table
    assert re.findall(r'data-list="(\w+)"', table) == ["icu", "uscf"]


def test_its_line_waits_for_the_legend(client, made):
    text = player_page(client, made[0])
    legend = re.findall(r'<li data-list="(\w+)"( data-off)?>', text)
    assert legend == [("main", ""), ("standard", ""), ("rapid", ""), ("icu", " data-off"), ("uscf", " data-off")]
    assert '<g class="other-1 dash-1 off" data-list="icu">' in text
    assert '<g class="other-2 dash-1 off" data-list="uscf">' in text


def test_who_is_on_other_lists_only_sees_their_lines_at_once(client, made):
    Rating.objects.filter(player=made[0], list__system="chessa").delete()
    text = player_page(client, made[0])
    assert " data-off" not in text
    assert text.count('<li class="card">') == 2
    assert 'id="history"' not in text


def test_colours_and_dashes_are_all_different_and_all_styled():
    styles = (ROOT / "static" / "css" / "tables.css").read_text()
    for index in range(COLOURS * DASHES + 1):
        builders.add_list(f"icu-{index}", system="icu", position=10 + index)
    marks = [listing.mark for listing in list_definitions() if not listing.is_national]
    assert len(set(marks)) == COLOURS * DASHES
    assert marks[-1] == marks[0]
    dashes = re.findall(r"--dashes: ([\d ]+);", styles)
    assert len(dashes) == len(set(dashes)) == COLOURS * DASHES + 3
    for number in range(1, COLOURS + 1):
        assert f".other-{number} {{" in styles
        assert f".dash-2.other-{number} {{" in styles


def test_months_and_events_have_its_changes(client, made):
    text = player_page(client, made[0])
    april = text[text.index("<h3>April 2024</h3>") : text.index("<h3>March 2024</h3>")]
    march = text[text.index("<h3>March 2024</h3>") :]
    change = Performance.objects.get(list__code="icu", player=made[0], section__event__name="April Rapid").change
    assert f'ICU <b class="up">+{change:.0f}</b>' in april
    assert f'href="/players/{made[0].number}/2024-04/icu/"' in april
    assert "USCF" not in april
    assert 'USCF <b class="">new</b>' in march
    assert re.search(r"USCF <a [^>]+>new, 1\u202f\d{3}</a>", march)


def test_the_history_as_csv_has_it(client, made):
    rows = list(csv.DictReader(page(client, f"/players/{made[0].number}/history.csv").splitlines()))
    found = {(row["period"], row["list"]): row for row in rows if row["list"] in ("icu", "uscf")}
    # Nobody had a Main rating before March, with which an Irish one could have begun.
    assert set(found) == {("2024-04", "icu"), ("2024-03", "uscf"), ("2024-04", "uscf")}
    row, now = found["2024-04", "icu"], stored(made[0], "icu")
    assert (float(row["published"]), float(row["raw"])) == (now.now, now.exact)
    assert row["weighted"] == ""


def test_the_list_says_which_rules_it_follows_and_where_newcomers_start(client, made):
    irish, american = page(client, "/lists/icu/"), page(client, "/lists/uscf/")
    assert "It follows the system of the Irish Chess Union (edition text) on the same events" in irish
    assert "counts standard, rapid and blitz games" in irish
    assert "Players who are new to it bring their published Main rating." in irish
    assert "counts standard and blitz games" in american
    assert "Players who are new to it start unrated." in american
    assert "It follows" not in page(client, "/lists/main/")
    assert re.findall(r'num rating">([^<]+)<', irish)
    assert all("." not in rating for rating in re.findall(r'num rating">([^<]+)<', irish))


def test_events_fold_its_changes_away(client, made):
    text = page(client, f"/events/{Event.objects.get(name='March Open').pk}/")
    folded = text[text.index("<summary>Changes by other systems</summary>") :]
    assert re.findall(r'<a href="/lists/(\w+)/2024-03/">', folded) == ["uscf"]
    assert folded.count('<td class="num ">new</td>') == 6
    rapid = page(client, f"/events/{Event.objects.get(name='April Rapid').pk}/")
    folded = rapid[rapid.index("<summary>Changes by other systems</summary>") :]
    assert re.findall(r'<a href="/lists/(\w+)/2024-04/">', folded) == ["icu"]


@pytest.mark.parametrize("count", [4, 8])
@pytest.mark.parametrize("lists", [1, 3])
def test_queries_grow_neither_with_lists_nor_with_games(queries, count, lists):
    for index in range(lists):
        builders.add_list(f"icu-{index}", system="icu", position=10 + index)
    made = builders.federation(count)
    # Small tables, kept by the process from now on: who is adjusted, in which months; regions, provinces, titles, clubs.
    adjusted_players, adjusted_months, corrections, choices = 1, 1, 1, 4
    queries(f"/players/{made[0].number}/", 11 + adjusted_players)
    queries(f"/players/{made[0].number}/2024-04/icu-0/", 19 + adjusted_months)
    queries(f"/events/{Event.objects.get(name='April Rapid').pk}/", 6 + corrections)
    queries("/lists/icu-0/", 3 + choices)


@pytest.mark.parametrize(
    ("system", "k", "text"),
    [("uscf", 31.2345, "31.2"), ("uscf", 8.0, "8.0"), ("icu", 24.0, "24"), ("cfc", 32.0, "32"), ("uscf", None, "")],
)
def test_k_as_each_system_writes_it(system, k, text):
    assert ListDefinition(9, "x", "X", system).k(k) == text


@pytest.mark.parametrize(
    ("edition", "day", "follows"),
    [
        ("", date(2001, 1, 1), "USCF system, edition 2001"),
        ("2017", date(2024, 1, 1), "USCF system, edition 2017"),
        ("", date(2000, 12, 31), "USCF system"),
    ],
)
def test_the_edition_is_the_named_one_or_that_of_the_day(edition, day, follows):
    assert ListDefinition(9, "x", "X", "uscf", edition).follows(day) == follows


@kept
def _load_crowd():
    for position, code in enumerate(("icu", "uscf", "cfc"), start=5):
        builders.add_list(code, position=position)
    builders.add_list("from-nothing", system="uscf", position=9, starts_from="", counts_blitz=False)
    for month in (date(2024, 3, 1), date(2024, 4, 1), date(2024, 5, 1)):
        load(players=45, games=180, sections=8, seed=month.month, month=month, active=2 / 3)
        builders.publish(month)


@pytest.fixture
def crowd():
    """Three months of random events among 45 players, on one list of each system and one that starts with nobody."""
    _load_crowd()
    return RatingPeriod.objects.filter(publication__isnull=False).order_by("month")


LAST = {"icu": "Rating", "uscf": "Published", "cfc": "New rating", "from-nothing": "Published"}


def test_the_explanation_leads_to_the_stored_figures_bit_for_bit(crowd):
    told = dict.fromkeys(LAST, 0)
    for period in crowd:
        rows = Rating.objects.filter(run=period.publication.run).exclude(list__system="chessa")
        for player, list_id, code, raw, published in rows.values_list(
            "player_id", "list_id", "list__code", as_float("raw"), as_float("published")
        ):
            explained = explain_list_month(period, player, list_id)
            assert (explained.rating, explained.published) == (raw, published)
            sections = Performance.objects.filter(run=period.publication.run, list=list_id, player=player)
            rated = {one.section for one in explained.events if one.after is not None}
            assert rated == set(sections.values_list("section_id", flat=True))
            assert [one.ended for one in explained.events] == sorted(one.ended for one in explained.events)
            if explained.events:
                cells = {cell.label: cell.value for cell in explained.events[-1].explanation.steps[-1].result}
                assert cells[LAST[code]] == (raw if code == "icu" else published)
                told[code] += 1
    assert min(told.values()) > 50


def test_the_changes_of_the_events_add_up_to_that_of_the_list(crowd):
    told = 0
    for period in crowd:
        for row in Rating.objects.filter(run=period.publication.run, previous__isnull=False).exclude(
            list__system="chessa"
        ):
            changes = Performance.objects.filter(run=row.run_id, list=row.list_id, player=row.player_id)
            total = sum(float(change) for change in changes.values_list("change", flat=True))
            assert total == pytest.approx(float(row.published - row.previous), abs=1e-6)
            told += 1
    assert told > 100


def test_each_event_begins_where_the_one_before_ended(crowd):
    period, icu = crowd.last(), RatingList.objects.get(code="icu")
    busiest = 0
    for player in Rating.objects.filter(run=period.publication.run, list=icu).values_list("player_id", flat=True):
        events = explain_list_month(period, player, icu.pk).events
        assert all(one.after == other.before for one, other in pairwise(events))
        busiest = max(busiest, len(events))
    assert busiest > 2


def test_the_page_explains_event_by_event_with_names(client, made):
    text = page(client, f"/players/{made[0].number}/2024-04/icu/")
    assert "<h1>ICU rating of Tom Ashby, 1 May 2024</h1>" in text
    assert "<h2>April Rapid</h2>" in text
    for other in made[1:]:
        assert f'<a href="/players/{other.number}/">{other.name}</a>' in text
    opponents = re.findall(r'data-label="Opponent">(.*?)</td>', text)
    assert opponents
    assert all(re.fullmatch(r'<a href="/players/\d{9}/">[^<\d]+</a>', opponent) for opponent in opponents)
    assert f'id="section-{Section.objects.get(event__name="April Rapid").pk}-step-1"' in text
    assert 'rel="prev"' not in text
    assert 'rel="prev"' in page(client, f"/players/{made[0].number}/2024-04/uscf/")
    assert "These steps lead to" not in text
    assert f'href="/players/{made[0].number}/2024-04/main/"' in text
    assert 'href="/calculators/icu/?list=icu' in text


def test_an_opponent_abroad_is_named(client):
    builders.add_list("uscf", starts_from="")
    made = builders.players(4)
    section = builders.event("Abroad").sections.get()
    builders.round_robin(section, made)
    builders.visitor(section, made[0])
    builders.publish(builders.MARCH)
    assert "Ingrid Abroad" in page(client, f"/players/{made[0].number}/2024-03/uscf/")


def test_a_month_without_a_counted_event_says_why(client, made):
    text = page(client, f"/players/{made[0].number}/2024-04/uscf/")
    assert "No event of the month moved this rating." in text
    assert "</a>: this list does not count rapid games.</li>" in text


def test_what_could_not_be_rated_is_said_with_the_reason(client):
    players = builders.players(8)
    builders.round_robin(builders.event("First").sections.get(), players[:6])
    builders.publish(builders.MARCH)
    builders.add_list("cfc")
    builders.round_robin(builders.event("Known", ends=date(2024, 4, 6)).sections.get(), players[:6])
    newcomers = builders.players(6, last="New")
    builders.round_robin(
        builders.event("Unknown", ends=date(2024, 4, 13)).sections.get(), [players[0], *newcomers, players[6]]
    )
    builders.publish(builders.APRIL)
    text = page(client, f"/players/{players[0].number}/2024-04/cfc/")
    assert "<h2>Not rated on this list</h2>" in text
    assert re.search(r">Unknown</a>: 7 of 8 players are unrated: a preliminary rating is needed", text)
    assert re.search(r"against the Main rating 1\u202f\d{3}\.\d brought to this list", text)


def test_records_that_changed_after_publication_are_owned_up_to(client, made):
    address = f"/players/{made[0].number}/2024-04/icu/"
    assert "These steps lead to" not in page(client, address)
    made[0].games_as_white.filter(section__event__name="April Rapid").delete()
    assert "These steps lead to" in page(client, address)


@pytest.mark.parametrize("address", ["2024-04/cfc/", "2024-02/icu/", "2024-05/icu/"])
def test_only_what_is_published_is_explained(client, made, address):
    assert client.get(f"/players/{made[0].number}/{address}").status_code == 404


def test_two_opponents_of_one_name_lead_to_their_own_pages(client):
    builders.add_list("uscf", starts_from="")
    made = builders.players(4)
    Player.objects.filter(pk__in=[made[1].pk, made[2].pk]).update(first_name="Sam", last_name="Same")
    builders.round_robin(builders.event("Open").sections.get(), made)
    builders.publish(builders.MARCH)
    text = page(client, f"/players/{made[0].number}/2024-03/uscf/")
    for player in made[1:3]:
        assert f'<a href="/players/{player.number}/">Sam Same ({player.number})</a>' in text
