"""What the page of statistics says of a list."""

from collections import Counter
from datetime import date

import pytest
from django.db.models import Q
from django.utils.html import strip_tags

from events.models import Readings
from players.models import Player
from ratings.lists.activity import activity_window, is_active
from ratings.lists.definitions import list_definitions
from ratings.lists.queries import publications
from ratings.models import Rating
from ratings.statistics import queries as statistics
from ratings.statistics.bars import HEIGHT, bars
from tests.pages import builders


def latest():
    """The run of the latest month and its Main list."""
    return publications()[0].run, list_definitions()[0]


def published(players) -> list[float]:
    run, main = latest()
    rows = Rating.objects.filter(run=run, list=main.id, player__in=players).values_list("published", flat=True)
    return [float(rating) for rating in rows]


@pytest.mark.django_db
def test_every_rating_is_in_its_class_and_no_class_is_left_out():
    made = builders.federation(8)
    classes, _ = statistics.bands_and_ages(*latest(), year=2024)
    ratings = published(made)
    assert sum(row.players for row in classes) == 8
    assert [row.first for row in classes] == list(range(classes[0].first, classes[-1].first + 1, 100))
    assert {row.first: row.players for row in classes if row.players} == Counter(
        int(rating // 100) * 100 for rating in ratings
    )


@pytest.mark.django_db
@pytest.mark.parametrize(("girls", "shown"), [(4, False), (5, True)])
def test_no_average_over_fewer_than_five_is_shown_or_follows(girls, shown):
    made = builders.players(12, birth_year=2012)
    boys = made[girls:]
    Player.objects.filter(pk__in=[player.pk for player in boys]).update(sex="M")
    builders.round_robin(builders.event().sections.get(), made)
    builders.publish(builders.MARCH)
    (group,) = statistics.bands_and_ages(*latest(), year=2024)[1]
    assert (group.name, group.women.players, group.men.players) == ("U12", girls, 12 - girls)
    assert (group.women.rating is not None, group.everybody.rating is not None) == (shown, shown)
    assert group.men.rating == pytest.approx(sum(published(boys)) / len(boys))


@pytest.mark.django_db
def test_adults_stand_between_the_young_and_the_veterans_and_who_has_no_year_nowhere():
    made = builders.federation(4)
    for player, year in zip(made, (2015, 2000, 1950, None), strict=True):
        Player.objects.filter(pk=player.pk).update(birth_year=year, birth_date=None)
    groups = statistics.bands_and_ages(*latest(), year=2024)[1]
    assert [group.name for group in groups] == ["U10", "adults", "65+"]


@pytest.mark.rule("chessa 55")
@pytest.mark.django_db
def test_regions_by_players_activity_and_the_average_of_their_ten_best():
    Readings.objects.update(activity_months=1)
    many, few = builders.players(11, last="Nkosi"), builders.players(9, region="LVT", last="Baloyi")
    builders.round_robin(builders.event(sections=["", "B"]).sections.first(), [*many, *few])
    builders.publish(builders.MARCH)
    builders.round_robin(builders.event(ends=date(2024, 4, 20), region="LVT").sections.get(), many[:2])
    builders.publish(builders.APRIL)
    run, main = latest()
    window = activity_window(publications()[0], publications())
    first, second = statistics.regions(run, main, is_active(main.id, window))
    assert (first.code, first.players, first.active, second.code, second.players, second.active) == (
        "GAU", 11, 2, "LVT", 9, 0,
    )  # fmt: skip
    assert first.ten_best == pytest.approx(sum(sorted(published(many))[1:]) / 10)
    assert second.ten_best is None
    assert [row.active for row in statistics.regions(run, main, None)] == [None, None]


@pytest.mark.django_db
def test_events_are_those_rated_in_the_twelve_months_up_to_the_list():
    made = builders.players(4)
    for month, region in ((3, "GAU"), (4, "LVT"), (5, "GAU")):
        builders.round_robin(builders.event(ends=date(2024, month, 20), region=region).sections.get(), made)
        builders.publish(date(2024, month, 1))
    builders.event(ends=date(2024, 6, 20))  # not published
    hosts = [(row.code, row.events, row.sections) for row in statistics.events_by_region(date(2025, 2, 1))]
    assert hosts == [("GAU", 2, 2), ("LVT", 1, 1)]
    assert [row.code for row in statistics.events_by_region(date(2025, 3, 1))] == ["GAU", "LVT"]
    assert [row.code for row in statistics.events_by_region(date(2025, 5, 1))] == []
    assert [row.code for row in statistics.events_by_region(date(2024, 3, 1))] == ["GAU"]


@pytest.mark.django_db
def test_who_rose_is_held_against_the_earlier_list():
    made = builders.federation()
    run, main = latest()
    first = publications()[-1].run
    rows = statistics.risen_since(run, main, first)
    now = {number: float(rating) for number, rating in
           Rating.objects.filter(run=run, list=main.id).values_list("player__number", "published")}  # fmt: skip
    then = {number: float(rating) for number, rating in
            Rating.objects.filter(run=first, list=main.id).values_list("player__number", "published")}  # fmt: skip
    risen = sorted((now[player.number] - then[player.number] for player in made), reverse=True)
    assert [row.figures.change for row in rows] == pytest.approx([change for change in risen if change > 0])
    assert [row.number for row in statistics.risen_in_month(run, main)] == [row.number for row in rows]


@pytest.mark.rule("chessa 16")
@pytest.mark.django_db
def test_juniors_are_who_may_enter_the_events_of_the_oldest_group():
    made = builders.federation(4)
    for player, year in zip(made, (2003, 2004, 2015, None), strict=True):
        Player.objects.filter(pk=player.pk).update(birth_year=year, birth_date=None)
    group, condition = statistics.juniors(year=2024)
    rows = statistics.best_players(*latest(), condition)
    assert (group, [row.number for row in rows]) == ("U20", [made[1].number, made[2].number])
    assert statistics.best_players(*latest(), Q(player__sex="M")) == []


@pytest.mark.django_db
@pytest.mark.parametrize("count", [2, 8])
def test_the_page_takes_at_most_twelve_queries(queries, count):
    builders.federation(count)
    queries("/statistics/", 11)  # one more when there is a list of a year before
    queries("/statistics/main/2024-03/", 8)


@pytest.mark.django_db
def test_list_and_month_are_in_the_address(client):
    builders.federation()
    text = " ".join(strip_tags(client.get("/statistics/rapid/2024-04/").content.decode()).split())
    assert "Statistics of the Rapid list" in text
    assert "There is no list of that day to compare with." in text
    moved = client.get("/statistics/rapid/?period=2024-03")
    assert (moved.status_code, moved["Location"]) == (302, "/statistics/rapid/2024-03/")
    for address in ("/statistics/x/", "/statistics/main/2023-01/", "/statistics/main/?period=2023-01"):
        assert client.get(address).status_code == 404


@pytest.mark.django_db
def test_before_the_first_list_it_says_what_will_come(client):
    assert "No list is published yet." in client.get("/statistics/").content.decode()


def test_the_highest_bar_has_the_whole_height_and_the_least_can_be_seen():
    drawn = bars([("1 000", 1, "1"), ("1 100", 0, "0"), ("1 200", 1000, "1 000")])
    assert [(bar.height, bar.count) for bar in drawn] == [(1, "1"), (0, ""), (HEIGHT, "1 000")]
