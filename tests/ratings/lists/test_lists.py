import csv
import re
from datetime import UTC, date, datetime

import pytest

from accounts.models import User
from events.models import RatingPeriod
from players.operations import save_player
from players.search import Choice
from ratings.lists.definitions import list_definitions
from ratings.lists.queries import list_page, publications
from ratings.models import Notice, RatingRun
from tests.pages import builders

pytestmark = pytest.mark.django_db


def names(response) -> list[str]:
    return re.findall(r'class="row-link" href="/players/\d+/">([^<]+)<', response.content.decode())


def test_nothing_is_published_yet(client):
    for address in ("/lists/", "/lists/main/"):
        text = client.get(address).content.decode()
        assert "No list is published yet." in text
        assert "first day of the month after" in text


def test_a_calculated_month_is_not_shown(client):
    made = builders.players(6)
    builders.round_robin(builders.event().sections.get(), made)
    builders.calculate(builders.MARCH)
    assert "No list is published yet." in client.get("/lists/main/").content.decode()
    assert client.get("/lists/main/2024-03/").status_code == 404
    builders.round_robin(builders.event("Second", ends=date(2024, 3, 20)).sections.get(), made[:4])
    builders.publish(builders.MARCH)
    assert RatingRun.objects.count() == 2
    response = client.get("/lists/main/2024-03/")
    assert len(names(response)) == 6


def test_the_list_is_by_rank_with_rating_and_change(client):
    builders.federation()
    text = client.get("/lists/main/").content.decode()
    assert "Main list, 1 May 2024" in text
    assert names(client.get("/lists/main/"))[0] == "Tom Ashby"
    row = text[text.index("Tom Ashby") :]
    rating, change = re.search(r'num rating">([^<]+)</td><td class="num (?:up|down)">([^<]+)<', row).groups()
    run = publications()[0].run
    top = list_page(run, list_definitions()[0], Choice()).rows[0]
    assert (top.rating, top.change) == (rating, change)
    assert re.fullmatch("1\u202f\\d{3}\\.\\d", rating)


def test_a_first_rating_is_new(client):
    builders.federation()
    assert names(client.get("/lists/rapid/"))[0] == "Tom Ashby"
    text = client.get("/lists/rapid/").content.decode()
    assert text.count(">new</td>") == 6


def test_an_earlier_month_stays_as_it_was_and_says_so(client):
    builders.federation()
    text = client.get("/lists/main/2024-03/").content.decode()
    assert "Main list, 1 April 2024" in text
    assert "Go to the latest list" in text
    assert "Go to the latest list" not in client.get("/lists/main/2024-04/").content.decode()


@pytest.mark.parametrize(
    "address", ["/lists/nothing/", "/lists/main/2023-01/", "/lists/main/2024-13/", "/lists/main/x/"]
)
def test_lists_that_do_not_exist(client, address):
    assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("chloe", ["Chloé Fourie"]),
        ("FOU", ["Chloé Fourie"]),
        ("fourie ch", ["Chloé Fourie"]),
        ("ourie", []),
        ("100000006", ["Chloé Fourie"]),
        ("14300777", ["Chloé Fourie"]),
        ("%", []),
        ("_", []),
        ("’", []),
    ],
)
def test_search_by_the_beginning_of_any_word_or_by_number(client, query, found):
    made = builders.federation()
    made[5].fide_id = 14300777
    save_player(made[5])
    assert names(client.get("/lists/main/", {"q": query})) == found


def test_who_is_not_found_is_told_why(client):
    builders.federation()
    text = client.get("/lists/main/", {"q": "nobody"}).content.decode()
    assert "Nobody on this list fits." in text
    assert "Show the whole list" in text


def test_region_and_province_narrow_the_list(client):
    made = builders.players(3) + builders.players(3, region="LVT", last="Baloyi")
    builders.round_robin(builders.event().sections.get(), made)
    builders.publish(builders.MARCH)
    assert len(names(client.get("/lists/main/?region=LVT"))) == 3
    assert len(names(client.get("/lists/main/?region=province-GP"))) == 3
    assert len(names(client.get("/lists/main/?region=province-EC"))) == 0
    text = client.get("/lists/main/?region=XXX").content.decode()
    assert "This could not be looked up" in text
    assert 'href="#id_region"' in text


def test_a_chosen_month_leads_to_its_address_and_keeps_the_search(client):
    builders.federation()
    response = client.get("/lists/main/?period=2024-03&q=cele&region=&after=50")
    assert (response.status_code, response["Location"]) == (302, "/lists/main/2024-03/?q=cele")
    assert client.get("/lists/main/?period=2020-01").status_code == 404


def test_keyset_pages_meet_in_both_directions():
    builders.round_robin(builders.event().sections.get(), builders.players(8))
    run, main = builders.publish(builders.MARCH).publication.run.pk, list_definitions()[0]
    whole = list_page(run, main, Choice(), size=100).rows
    assert len(whole) == 8
    forwards, after = [], None
    for _ in range(3):
        page = list_page(run, main, Choice(), after=after, size=3)
        forwards += page.rows
        after = page.after
    assert forwards == whole
    assert after is None
    backwards, before = list(page.rows), page.before
    while before is not None:
        page = list_page(run, main, Choice(), before=before, size=3)
        backwards = page.rows + backwards
        before = page.before
    assert backwards == whole
    assert list_page(run, main, Choice(), after=99).rows == []


@pytest.mark.parametrize("after", ["x", "-1", "9" * 30, "１", ""])
def test_a_strange_place_to_go_on_from_is_the_beginning(client, after):
    builders.federation()
    assert names(client.get("/lists/main/", {"after": after}))[0] == "Tom Ashby"


@pytest.mark.parametrize("count", [2, 8])
def test_queries_do_not_grow_with_the_rows(queries, count):
    builders.federation(count)
    versions = 1
    small_tables = 7  # lists, months, notices, regions, provinces, titles, clubs: kept by the process from now on
    queries("/lists/main/", versions + 2 + small_tables)
    queries("/lists/main/?after=1", versions + 2)
    queries("/lists/main/?q=a&sort=change&group=U20", versions + 2)
    queries("/lists/", 4)


def test_a_page_is_fetched_again_only_when_something_changed(client):
    made = builders.federation()
    first = client.get("/lists/main/")
    tag = first["ETag"]
    assert "Cookie" in first["Vary"]
    assert first["Cache-Control"] == "no-cache"
    assert client.get("/lists/main/", headers={"if-none-match": tag}).status_code == 304

    Notice.objects.create(text="The April list is delayed.")
    second = client.get("/lists/main/", headers={"if-none-match": tag})
    assert second.status_code == 200
    assert "The April list is delayed." in second.content.decode()

    made[0].first_name = "Thomas"
    save_player(made[0])
    third = client.get("/lists/main/", headers={"if-none-match": second["ETag"]})
    assert names(third)[0] == "Thomas Ashby"

    builders.round_robin(builders.event("May", ends=date(2024, 5, 20)).sections.get(), made)
    builders.publish(date(2024, 5, 1))
    assert client.get("/lists/main/", headers={"if-none-match": third["ETag"]}).status_code == 200


def test_nothing_is_kept_for_somebody_who_is_logged_in(client):
    builders.federation()
    tag = client.get("/lists/main/")["ETag"]
    client.force_login(User.objects.create_user("officer@example.org", is_officer=True))
    response = client.get("/lists/main/", headers={"if-none-match": tag})
    assert response.status_code == 200
    assert "ETag" not in response


@pytest.mark.rule("chessa 66")
@pytest.mark.parametrize(
    ("moment", "late"),
    [
        (datetime(2024, 4, 1, 21, 59, 59, tzinfo=UTC), False),  # 23:59:59 on 1 April in Johannesburg
        (datetime(2024, 4, 1, 22, 0, tzinfo=UTC), True),
    ],
)
def test_a_list_says_from_which_day_it_counts_and_when_it_appeared_if_later(client, moment, late):
    made = builders.players(6)
    builders.round_robin(builders.event().sections.get(), made)
    builders.publish(builders.MARCH)
    RatingPeriod.objects.filter(publication__isnull=False).update(published_at=moment)
    number = made[0].number
    for address in ("/", "/lists/main/", "/lists/main/2024-03/", f"/players/{number}/"):
        text = " ".join(client.get(address).content.decode().split())
        assert "from 1 April 2024" in text, address
        assert ("from 1 April 2024; published on 2 April 2024" in text) == late, address
    months = client.get("/lists/").content.decode()
    assert ("published 2 Apr 2024" in months) == late
    rows = list(csv.DictReader(client.get(f"/players/{number}/history.csv").content.decode().splitlines()))
    assert (rows[0]["list_date"], rows[0]["published_on"]) == ("2024-04-01", "2024-04-02" if late else "2024-04-01")
