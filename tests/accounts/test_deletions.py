"""Rows are deleted on the desk: what keeps them from it, and how many at once."""

import pytest
from django.contrib.admin.models import LogEntry
from django.db import IntegrityError, OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from psycopg.errors import DeadlockDetected

from accounts.models import Decision, User
from accounts.trail.admin_base import MOST_DELETED
from config.lib.admin import MOST_CHOSEN
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


def deletion_of_two() -> dict[str, object]:
    """What the page sends that deletes two players, who are on the register now."""
    register_players([NewPlayer("Botha", "Naledi"), NewPlayer("Botha", "Thandi")], at=timezone.now())
    rows = list(Player.objects.values_list("pk", flat=True))
    return {"action": "delete_selected", "_selected_action": rows, "post": "yes", "reason_for_change": "Entered twice."}


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

    sent = deletion_of_two()
    rows = sent["_selected_action"]
    before = Decision.objects.count(), LogEntry.objects.count()
    with connection.execute_wrapper(breaks), pytest.raises(OperationalError):
        desk.post("/admin/players/player/", sent)
    assert list(Player.objects.values_list("pk", flat=True)) == rows
    assert (Decision.objects.count(), LogEntry.objects.count()) == before
    desk.post("/admin/players/player/", sent)
    assert not Player.objects.exists()
    assert Decision.objects.filter(action="deleted").count() == 2


def test_what_another_makes_of_a_chosen_row_at_that_moment_keeps_all_of_them(desk):
    def keeps(execute, sql, params, many, context):
        if sql.startswith("DELETE") and "players_player" in sql:
            raise IntegrityError("update or delete violates foreign key constraint")
        return execute(sql, params, many, context)

    sent = deletion_of_two()
    before = Decision.objects.count()
    with connection.execute_wrapper(keeps):
        answer = desk.post("/admin/players/player/", sent, follow=True)
    assert "Nothing was deleted: another has changed" in answer.content.decode()
    assert (Player.objects.count(), Decision.objects.count()) == (2, before)


def test_of_chosen_rows_that_one_is_named_which_others_were_changing(client):
    """Two transactions waited for one another, and the database has ended that of the second account."""
    client.force_login(User.objects.create_superuser("superuser@example.org"))
    users = [User.objects.create_user(f"{name}@example.org") for name in ("first", "second")]
    seen = []

    def crosses(execute, sql, params, many, context):
        if sql.startswith("UPDATE") and '"accounts_user"' in sql and '"is_active"' in sql:
            seen.append(sql)
            if len(seen) == 2:
                raise OperationalError("deadlock detected") from DeadlockDetected()
        return execute(sql, params, many, context)

    sent = {"action": "disable", "_selected_action": [user.pk for user in users]}
    with connection.execute_wrapper(crosses):
        answer = client.post("/admin/accounts/user/", sent, follow=True).content.decode()
    active = list(User.objects.filter(pk__in=[user.pk for user in users]).order_by("is_active"))
    assert [user.is_active for user in active] == [False, True]
    assert f"{active[0].email.capitalize()} is disabled." in answer
    assert f"{active[1].email.capitalize()}: others were changing it at that moment, and it stays as it was." in answer
    assert Decision.objects.filter(action="disabled").count() == 1


@pytest.mark.parametrize(("more", "done"), [(0, True), (1, False)])
def test_an_action_is_done_to_so_many_rows_at_once(client, more, done):
    """Of 15,600 that were chosen across the pages a request named each."""
    client.force_login(User.objects.create_superuser("superuser@example.org"))
    people = [User(email=f"{number}@example.org", is_active=False) for number in range(MOST_CHOSEN - 1 + more)]
    User.objects.bulk_create(people)
    chosen = {"action": "enable", "_selected_action": [User.objects.latest("pk").pk], "select_across": "1"}
    answer = client.post("/admin/accounts/user/", chosen, follow=True).content.decode()
    assert ("501 are chosen, and at most 500 at once can be" in answer) != done
    assert User.objects.filter(is_active=True).exists()
    assert User.objects.filter(is_active=False).exists() != done
