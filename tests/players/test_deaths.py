"""A player's day of death: later lists leave him out, pages say so, and later games are a finding."""

from datetime import UTC, date, datetime

import pytest

from events.files.reader import read
from events.rules.findings import Severity
from events.submission.match_findings import match_findings
from events.submission.matching import match_entrants
from players.models import Player
from ratings.models import Rating
from tests.admin_pages import posted_form
from tests.builders import lines, officer, publish, refused_by, round_robin, submitted, trf
from tests.pages import builders

pytestmark = pytest.mark.django_db


@pytest.fixture
def player():
    """The best of a federation with lists of March and April."""
    return builders.federation()[0]


@pytest.mark.parametrize(("died_on", "listed"), [(date(2024, 5, 31), False), (date(2024, 6, 1), True)])
def test_the_lists_that_count_from_a_later_day_leave_him_out(client, player, died_on, listed):
    before = Rating.objects.filter(run__publication__period__month=date(2024, 4, 1), player=player)
    assert before.filter(position__isnull=False).exists()
    Player.objects.filter(pk=player.pk).update(died_on=died_on)
    publish(date(2024, 5, 1), at=datetime(2024, 6, 2, 8, tzinfo=UTC))
    rows = Rating.objects.filter(run__publication__period__month=date(2024, 5, 1), list__code="main")
    assert rows.filter(player=player, position__isnull=False).exists() is listed
    assert rows.get(player=player).published is not None
    positions = sorted(row for row in rows.values_list("position", flat=True) if row)
    assert positions == list(range(1, len(positions) + 1))
    page = client.get("/lists/main/2024-05/").content.decode()
    assert (player.number in page) is listed
    assert player.number in client.get("/lists/main/2024-04/").content.decode()
    assert (player.number in client.get("/lists/main/2024-05/players.csv").getvalue().decode()) is listed
    answer = client.get(f"/players/{player.number}/2024-05/main/")
    assert answer.status_code == (200 if listed else 404)


def test_his_page_keeps_his_last_ratings_and_says_so_with_the_year_alone(client, player):
    Player.objects.filter(pk=player.pk).update(died_on=date(2024, 5, 17))
    publish(date(2024, 5, 1), at=datetime(2024, 6, 2, 8, tzinfo=UTC))
    text = " ".join(client.get(f"/players/{player.number}/").content.decode().split())
    assert "died in 2024. These are the last ratings published until then" in text
    assert "1 May 2024" in text
    assert "1 Jun 2024" not in text
    assert "17 May" not in text
    known = client.get(f"/api/v1/players/{player.number}/").json()
    assert known["died_in"] == 2024
    assert {row["period"] for row in known["ratings"]} == {"2024-04"}
    assert player.number in client.get(f"/players/?q={player.last_name}").content.decode()


@pytest.mark.parametrize(
    ("died_on", "held"),
    [(date(2023, 12, 31), True), (date(2024, 3, 2), True), (date(2024, 12, 31), True), (date(2025, 1, 1), False)],
)
def test_games_of_its_year_and_after_it_are_held(died_on, held):
    first = submitted().sections.get().entries.order_by("number").first().player
    Player.objects.filter(pk=first.pk).update(died_on=died_on)
    matches = match_entrants(read(trf(lines(6), round_robin(6))))
    found = match_findings(matches, create=True, ends=date(2024, 3, 3))
    assert [(one.severity, one.code) for one in found if one.code == "player-died"] == (
        [(Severity.HOLD, "player-died")] if held else []
    )


def test_who_sends_files_of_one_day_after_the_other_does_not_find_out_the_day():
    first = submitted().sections.get().entries.order_by("number").first().player
    Player.objects.filter(pk=first.pk).update(died_on=date(2024, 5, 17))
    matches = match_entrants(read(trf(lines(6), round_robin(6))))
    told = {
        tuple(one.message for one in match_findings(matches, create=True, ends=day) if one.code == "player-died") != ()
        for day in (date(2024, 5, 16), date(2024, 5, 17), date(2024, 5, 18))
    }
    assert told == {True}


def test_the_desk_takes_it_with_a_reason_and_no_day_to_come(client, player):
    client.force_login(officer())
    form = f"/admin/players/player/{player.pk}/change/"
    later = posted_form(client, form, died_on="2999-01-01", reason_for_change="His family told us.")
    assert "This day has not come yet." in client.post(form, later).content.decode()
    given = posted_form(client, form, died_on="2024-05-17", reason_for_change="His family told us.")
    assert client.post(form, given).status_code == 302
    player.refresh_from_db()
    assert player.died_on == date(2024, 5, 17)


def test_nobody_dies_before_his_birth(player):
    Player.objects.filter(pk=player.pk).update(birth_date=date(1960, 2, 1), birth_year=1960)
    with refused_by("player_died_after_birth"):
        Player.objects.filter(pk=player.pk).update(died_on=date(1959, 12, 31))
