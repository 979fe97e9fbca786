from datetime import date

import pytest
from django.utils.html import strip_tags
from hypothesis import given
from hypothesis import strategies as st

from events.models import Readings
from events.rules.game_result import ACTIVITY, BYES, FORFEITS, PENALISED, PLAYED, POINTS, UNPLAYED, Result, mirrored
from players.profile.figures import player_figures
from ratings.lists.activity import ActivityWindow
from ratings.models import Activity, RatingList
from tests.pages import builders
from tests.ratings.lists.test_lists import names

MAY = date(2024, 5, 1)


def counted(player, publication_run) -> dict[str, int]:
    codes = dict(RatingList.objects.values_list("pk", "code"))
    return {
        codes[listing]: games
        for (run, listing), games in player_figures(player.pk, [], live=False).counted.items()
        if run == publication_run
    }


@pytest.mark.rule("chessa 55")
def test_played_games_byes_of_the_program_and_forfeit_wins_count():
    assert {result for result in Result if ACTIVITY.get(result) == (True, True)} == PLAYED | PENALISED
    assert {result for result in Result if ACTIVITY.get(result, (False,))[0]} - PLAYED - PENALISED == {
        Result.FORFEIT_WHITE_WINS,
        Result.PAIRING_BYE,
    }
    assert not set(ACTIVITY) & (UNPLAYED | (BYES - {Result.PAIRING_BYE}) | {Result.FORFEIT_BOTH_LOSE})


@pytest.mark.rule("chessa 55")
@given(st.sampled_from(sorted(set(Result) - BYES)))
def test_colour_makes_no_difference_to_activity(result):
    assert ACTIVITY.get(mirrored(result), (False, False)) == ACTIVITY.get(result, (False, False))[::-1]


@pytest.mark.rule("chessa 55")
@given(st.sampled_from(sorted(FORFEITS)))
def test_of_a_forfeit_only_the_winner_counts(result):
    assert ACTIVITY.get(result, (False, False)) == tuple(points == 1 for points in POINTS[result])


@pytest.mark.rule("chessa 55")
@pytest.mark.django_db
def test_it_is_counted_by_player_list_and_month():
    """Of four rounds: a game, a forfeit win, a pairing bye and a bye that was asked for."""
    ashby, botha, cele, dlamini = builders.players(4)
    rounds = [
        (1, ashby, botha, "1-0"),
        (1, cele, dlamini, "0-0"),
        (2, botha, ashby, "--+"),
        (2, cele, dlamini, "1-0u"),
        (3, ashby, None, "bye"),
        (3, botha, cele, "---"),
        (4, ashby, None, "bye-half"),
        (4, botha, None, "bye-full"),
    ]
    builders.play(builders.event("March Rapid", time_control=(15, 10)).sections.get(), rounds)
    run = builders.publish(builders.MARCH).publication.run_id
    assert counted(ashby, run) == {"main": 3, "rapid": 3}
    assert counted(botha, run) == {"main": 1, "rapid": 1}
    assert counted(cele, run) == counted(dlamini, run) == {"main": 1, "rapid": 1}
    assert Activity.objects.count() == 8


@pytest.mark.rule("chessa 55")
@pytest.mark.django_db
def test_games_that_are_not_rated_and_runs_that_are_not_published_count_for_nothing():
    made = builders.players(4)
    builders.round_robin(builders.event("Bullet", time_control=(2, 0)).sections.get(), made)
    builders.calculate(builders.MARCH)
    builders.round_robin(builders.event("Standard").sections.get(), made[:2])
    run = builders.publish(builders.MARCH).publication.run_id
    assert counted(made[0], run) == {"main": 1, "standard": 1}
    assert set(Activity.objects.values_list("player", flat=True)) == {made[0].pk, made[1].pk}


@pytest.mark.rule("chessa 55")
@pytest.mark.django_db
def test_an_opponent_abroad_counts_for_the_player_on_the_register():
    made = builders.players(2)
    section = builders.event().sections.get()
    builders.play(section, [(1, made[0], made[1], "1-0")])
    builders.visitor(section, made[1])
    run = builders.publish(builders.MARCH).publication.run_id
    assert (counted(made[0], run)["main"], counted(made[1], run)["main"]) == (1, 2)


@pytest.fixture
def three_months():
    """Six who play in March, the first two of them in April, and the first alone, with a bye, in May."""
    made = builders.players(6)
    builders.round_robin(builders.event("March Open").sections.get(), made)
    builders.publish(builders.MARCH)
    builders.round_robin(builders.event("April Open", ends=date(2024, 4, 20)).sections.get(), made[:2])
    builders.publish(builders.APRIL)
    builders.play(builders.event("May Open", ends=date(2024, 5, 20)).sections.get(), [(1, made[0], None, "bye")])
    builders.publish(MAY)
    Readings.objects.update(activity_months=2)
    return made


@pytest.mark.rule("chessa 55")
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("months", "active"), [(1, ["Tom Ashby"]), (2, ["Tom Ashby", "Anri Botha"]), (3, None)], ids=["one", "two", "three"]
)
def test_the_list_is_narrowed_to_who_is_active(client, three_months, months, active):
    Readings.objects.update(activity_months=months)
    everybody = names(client.get("/lists/main/"))
    response = client.get("/lists/main/?activity=active")
    assert sorted(names(response)) == sorted(active or everybody)
    assert len(everybody) == 6
    assert client.get("/lists/main/").content.decode().count(">inactive<") == 6 - len(active or everybody)
    assert f"active ({months} month{'s' if months > 1 else ''})</option>" in response.content.decode()


@pytest.mark.rule("chessa 55")
@pytest.mark.django_db
def test_an_earlier_list_has_the_window_of_its_own_month(client, three_months):
    assert len(names(client.get("/lists/main/2024-03/?activity=active"))) == 6
    assert len(names(client.get("/lists/main/2024-04/?activity=active"))) == 6
    assert len(names(client.get("/lists/main/2024-05/?activity=active"))) == 2


@pytest.mark.django_db
def test_a_narrowed_list_without_anybody_says_so(client, three_months):
    text = " ".join(strip_tags(client.get("/lists/main/?activity=active&q=cele").content.decode()).split())
    assert "The list of 1 Jun 2024 has no active player with this name or number." in text


@pytest.mark.django_db
def test_a_list_of_another_system_has_no_activity(client):
    builders.add_list("uscf", starts_from="")
    builders.round_robin(builders.event().sections.get(), builders.players(4))
    builders.publish(builders.MARCH)
    text = client.get("/lists/uscf/?activity=active").content.decode()
    assert len(names(client.get("/lists/uscf/?activity=active"))) == 4
    assert "id_activity" not in text
    assert "inactive" not in text


@pytest.mark.rule("chessa 55")
@pytest.mark.django_db
def test_the_player_sees_his_activity(client, three_months):
    def activity(player) -> str:
        text = client.get(f"/players/{player.number}/").content.decode()
        return text.partition(">Activity</abbr>")[2].partition('<td class="num">')[2].partition("</td>")[0]

    ashby, botha, cele = three_months[:3]
    assert (activity(ashby), activity(botha), activity(cele)) == ("2", "1", "0")
    lines = client.get(f"/players/{ashby.number}/history.csv").content.decode().splitlines()
    place = lines[0].split(",").index("activity")
    by_period = {line.split(",")[1]: line.split(",")[place] for line in lines[1:] if line.split(",")[2] == "main"}
    assert by_period == {"2024-03": "5", "2024-04": "1", "2024-05": "1"}


def test_the_window_in_words():
    assert ActivityWindow(1, ()).text == "in the last month"
    assert ActivityWindow(12, ()).text == "in the last 12 months"
