"""The filter and the orders of a list, and the file of what is shown."""

import csv
import io
from datetime import date

import pytest
from django.utils.html import strip_tags

from players.models import Player, Title
from ratings.lists.definitions import list_definitions
from ratings.lists.orders import BY_CHANGE, BY_NAME
from ratings.lists.queries import Choice, list_page, publications
from tests.pages import builders
from tests.ratings.lists.test_lists import names

pytestmark = pytest.mark.django_db


def text(response) -> str:
    return " ".join(strip_tags(response.content.decode()).split())


def born(*years: int | None) -> list[Player]:
    """Players of these years of birth who met in March 2024, published on 1 April 2024."""
    made = builders.players(len(years))
    for player, year in zip(made, years, strict=True):
        Player.objects.filter(pk=player.pk).update(birth_year=year, birth_date=year and date(year, 12, 31))
    builders.round_robin(builders.event().sections.get(), made)
    builders.publish(builders.MARCH)
    return made


@pytest.mark.rule("chessa 16")
@pytest.mark.parametrize(
    ("group", "found"),
    [
        ("U10", {"Tom Ashby"}),
        ("U12", {"Tom Ashby", "Anri Botha"}),
        ("U14", {"Tom Ashby", "Anri Botha", "Zola Cele"}),
        ("50+", {"Imraan Essop", "Chloé Fourie"}),
        ("65+", {"Chloé Fourie"}),
    ],
)
def test_an_age_group_has_all_who_may_enter_its_events(client, group, found):
    """By the year of the list less the year of birth, whatever the day: each of these was born on 31 December."""
    born(2014, 2012, 2011, 1975, 1974, 1959, None)
    response = client.get("/lists/main/2024-03/", {"group": group})
    assert set(names(response)) == found
    assert f"Download {'this player' if len(found) == 1 else f'these {len(found)} players'}" in text(response)


@pytest.mark.rule("chessa 16")
def test_the_year_is_that_of_the_list_and_not_of_the_games(client):
    """The games of December 2024 make the list of 1 January 2025."""
    made = builders.players(2, birth_year=2012)
    builders.round_robin(builders.event(ends=date(2024, 12, 15)).sections.get(), made)
    builders.publish(date(2024, 12, 1))
    assert names(client.get("/lists/main/?group=U12")) == []
    assert len(names(client.get("/lists/main/?group=U14"))) == 2


def test_sex_and_title_narrow_the_list(client):
    made = builders.federation()
    title = Title.objects.get(code="CM")
    Player.objects.filter(pk=made[1].pk).update(sex="M")
    Player.objects.filter(pk=made[2].pk).update(title=title)
    assert names(client.get("/lists/main/?sex=M")) == ["Anri Botha"]
    assert names(client.get("/lists/main/?title=CM")) == ["Zola Cele"]
    answer = client.get("/lists/main/?title=CM&sex=M&group=U20")
    assert "has no male CM in the age group U20 of 2024." in text(answer)
    assert "by year of birth (article 16)" in text(answer)


@pytest.mark.parametrize("query", ["group=U13", "sex=X", "title=XYZ", "sort=age", "activity=both"])
def test_what_no_filter_knows_is_named_at_its_field(client, query):
    builders.federation()
    name = query.partition("=")[0]
    page = client.get(f"/lists/main/?{query}")
    assert names(page) == []
    assert f'href="#id_{name}"' in page.content.decode()
    answer = client.get(f"/lists/main/2024-04/players.csv?{query}")
    assert (answer.status_code, answer.content.decode().startswith(f"{name}: ")) == (400, True)


def test_by_surname_it_stands_first(client):
    builders.federation()
    response = client.get("/lists/main/?sort=name")
    assert names(response) == [
        "Ashby, Tom", "Botha, Anri", "Cele, Zola", "Dlamini, Sipho", "Essop, Imraan", "Fourie, Chloé",
    ]  # fmt: skip
    assert '<th scope="col" aria-sort="ascending">Player' in response.content.decode()


@pytest.mark.parametrize("order", [BY_NAME, BY_CHANGE])
def test_pages_of_every_order_meet_in_both_directions(order):
    made = builders.federation(8)
    newcomers = builders.players(2, last="Adams")
    builders.round_robin(builders.event(ends=date(2024, 5, 20)).sections.get(), [*made[:4], *newcomers])
    builders.publish(date(2024, 5, 1))
    run, main = publications()[0].run, list_definitions()[0]
    whole = list_page(run, main, Choice(), order=order, size=100).rows
    if order is BY_NAME:
        assert [row.player.last_name for row in whole] == sorted(row.player.last_name for row in whole)
    else:
        changes = [row.figures.change for row in whole[:-2]]
        assert changes == sorted(changes, reverse=True)
        assert {row.player.last_name for row in whole[-2:]} == {"Adams"}
        assert [row.change for row in whole[-2:]] == ["new", "new"]
    forwards, after, backwards = [], None, []
    while True:
        page = list_page(run, main, Choice(), order=order, after=after, size=3)
        forwards += page.rows
        after = page.after
        if after is None:
            break
    assert forwards == whole
    before = page.before
    while before is not None:
        page = list_page(run, main, Choice(), order=order, before=before, size=3)
        backwards = page.rows + backwards
        before = page.before
    assert backwards == whole[: len(backwards)]
    assert len(backwards) + len(whole) % 3 == len(whole)
    assert list_page(run, main, Choice(), order=order, after=99).rows == []


@pytest.mark.parametrize("query", ["", "?sort=name", "?sort=change&sex=F&activity=active", "?q=cele", "?q=nobody"])
def test_the_file_has_what_the_page_shows(client, query):
    builders.federation()
    page = client.get(f"/lists/main/{query}")
    address = f"/lists/main/2024-04/players.csv{query}"
    assert (f'href="{address.replace("&", "&amp;")}"' in page.content.decode()) == bool(names(page))
    answer = client.get(address)
    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    shown = [
        f"{row['last_name']}, {row['first_name']}" if "name" in query else f"{row['first_name']} {row['last_name']}"
        for row in rows
    ]
    assert shown == names(page)
    for row in rows:
        assert row["list_date"] == "2024-05-01"
        assert row["rating_shown"] == f"1\u202f{float(row['rating']) - 1000:05.1f}"
        assert len(row["rating"]) > 12
        assert row["birth_year"] == "2001"
    assert "07-19" not in answer.getvalue().decode()


def test_the_region_is_named_in_full(client):
    builders.federation()
    region = Player.objects.first().region
    assert f'{region.code} <span class="region">{region.name}</span>' in client.get("/lists/main/").content.decode()


def test_a_club_is_chosen_among_those_of_the_players_on_the_latest_lists(client):
    first, second, third = born(2000, 2001, 2002)
    assert "Club" not in text(client.get("/lists/main/"))
    Player.objects.filter(pk__in=[first.pk, third.pk]).update(club="Soweto & Sons")
    builders.players(1, last="Later")  # on the register, but on no list
    Player.objects.exclude(pk__in=[first.pk, second.pk, third.pk]).update(club="Elsewhere")
    page = client.get("/lists/main/")
    assert '<option value="Soweto &amp; Sons">Soweto &amp; Sons</option>' in page.content.decode()
    assert "Elsewhere" not in page.content.decode()
    assert set(names(client.get("/lists/main/", {"club": "Soweto & Sons"}))) == {first.name, third.name}
    table = (
        client.get(f"/lists/main/{publications()[0].code}/players.csv", {"club": "Soweto & Sons"}).getvalue().decode()
    )
    assert [row["club"] for row in csv.DictReader(io.StringIO(table))] == ["Soweto & Sons"] * 2
    assert "no player of the club Soweto &amp; Sons" in text(client.get("/lists/rapid/", {"club": "Soweto & Sons"}))
    assert names(client.get("/lists/main/", {"club": "Elsewhere"})) == []
    assert "Soweto &amp; Sons" in client.get(f"/players/{first.number}/").content.decode()
