"""Rows are deleted on the desk: what keeps them from it, and how many at once."""

import pytest
from django.contrib.admin.models import LogEntry
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Decision
from accounts.trail.admin_base import MOST_DELETED
from players.models import Player
from players.operations import NewPlayer, register_players
from tests.builders import lines, officer, round_robin, submitted, trf

pytestmark = pytest.mark.django_db
ONE, TOGETHER = "/admin/{0}/{1}/delete/", "/admin/{0}/"


@pytest.fixture
def desk(client):
    """The client of an officer."""
    client.force_login(officer())
    return client


@pytest.mark.parametrize("page", [ONE, TOGETHER])
def test_what_keeps_a_player_from_being_deleted_is_named_in_few_queries(desk, page):
    """Of a hundred players with two years of games it took minutes to say so."""

    def asked():
        chosen = {"action": "delete_selected", "_selected_action": list(Player.objects.values_list("pk", flat=True))}
        address = page.format("players/player", Player.objects.order_by("pk")[0].pk)
        with CaptureQueriesContext(connection) as queries:
            answer = desk.post(address, chosen) if page == TOGETHER else desk.get(address)
        return answer.content.decode(), len(queries)

    submitted()
    _, queries_of_one = asked()
    for results in ("0=10", "=10=", "10=1"):
        submitted(trf(lines(6), round_robin(6, results)))
    shown, queries = asked()
    assert "would require deleting the following protected related objects" in shown
    assert "entry: 19 more" in shown if page == TOGETHER else "entry:" in shown
    assert "game: 55 more" in shown or page == ONE
    assert "Yes, I’m sure" not in shown
    assert queries <= queries_of_one + 10


def test_so_many_rows_are_deleted_at_once(desk):
    register_players([NewPlayer(f"Botha {number}", "Naledi") for number in range(MOST_DELETED + 1)], at=timezone.now())
    chosen = {"action": "delete_selected", "_selected_action": list(Player.objects.values_list("pk", flat=True))}
    answer = desk.post("/admin/players/player/", chosen, follow=True).content.decode()
    assert "101 were chosen, and at most 100 are deleted at once" in answer
    assert "Yes, I’m sure" not in answer


def test_rows_that_cannot_be_deleted_after_all_leave_nothing_on_the_trail(desk):
    """The database is gone, or somebody else has a row for too long, between the lines of the trail and the deletion."""

    def breaks(execute, sql, params, many, context):
        if sql.startswith("DELETE") and "players_player" in sql:
            raise OperationalError("server closed the connection unexpectedly")
        return execute(sql, params, many, context)

    register_players([NewPlayer("Botha", "Naledi"), NewPlayer("Botha", "Thandi")], at=timezone.now())
    rows = list(Player.objects.values_list("pk", flat=True))
    before = Decision.objects.count(), LogEntry.objects.count()
    sent = {"action": "delete_selected", "_selected_action": rows, "post": "yes", "reason_for_change": "Entered twice."}
    with connection.execute_wrapper(breaks), pytest.raises(OperationalError):
        desk.post("/admin/players/player/", sent)
    assert list(Player.objects.values_list("pk", flat=True)) == rows
    assert (Decision.objects.count(), LogEntry.objects.count()) == before
    desk.post("/admin/players/player/", sent)
    assert not Player.objects.exists()
    assert Decision.objects.filter(action="deleted").count() == 2
