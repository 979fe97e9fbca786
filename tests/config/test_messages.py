"""Messages repeat what was typed so that it is seen."""

import pytest
from django.contrib.messages import get_messages
from django.db import IntegrityError, OperationalError, connection
from django.test import RequestFactory
from django.utils.safestring import mark_safe

from config.messages import ShownMessages
from players.models import Player
from tests.builders import officer, region


def test_a_message_shows_what_cannot_be_seen():
    request = RequestFactory().get("/")
    request.session = {}
    messages = request._messages = ShownMessages(request)
    messages.add(20, "Nobody is called Moko\u202eena <b>.")
    messages.add(20, mark_safe("<b>Saved</b>"))
    kept = list(get_messages(request))
    assert [message.message for message in kept] == ["Nobody is called Moko‹U+202E›ena <b>.", "<b>Saved</b>"]
    assert [hasattr(message.message, "__html__") for message in kept] == [False, True]


@pytest.fixture
def desk(client):
    """The client of an officer, which gets the answers that a browser gets."""
    client.raise_request_exception = False
    client.force_login(officer())
    return client


def add_player(desk, error):
    """Add a player on the desk. What ends the transaction fails the first time, and takes all of it back. Return the answer."""
    outside, done = len(connection.savepoint_ids), []

    def fails(execute, sql, params, many, context):
        if sql.startswith("INSERT INTO") and "players_player" in sql:
            done.append("inserted")
        if sql.startswith("RELEASE SAVEPOINT") and done == ["inserted"] and len(connection.savepoint_ids) == outside:
            done.append("failed")
            raise error
        return execute(sql, params, many, context)

    typed = {"number": "198835114", "last_name": "Botha", "first_name": "Naledi", "region": region().pk}
    with connection.execute_wrapper(fails):
        return desk.post("/admin/players/player/add/", {**typed, "federation": "RSA"})


def said(answer):
    return [str(message) for message in get_messages(answer.wsgi_request)]


@pytest.mark.django_db
def test_of_a_request_that_failed_no_message_is_shown_later(desk):
    """Django queues that a row was added before it commits it."""
    assert add_player(desk, OperationalError("database or disk is full")).status_code == 503
    assert not Player.objects.exists()
    assert "was added" not in desk.get("/admin/").content.decode()


@pytest.mark.django_db
def test_what_waited_to_be_shown_before_a_request_failed_is_still_shown(desk):
    desk.post("/admin/players/region/", {"action": "delete_selected", "index": 0})
    assert add_player(desk, OperationalError("database or disk is full")).status_code == 503
    assert "Items must be selected" in desk.get("/admin/").content.decode()


@pytest.mark.django_db
def test_a_page_that_is_looked_at_again_says_nothing_of_the_first_time(desk):
    """The database refuses at the commit what another has taken away meanwhile, such as the region of a new player."""
    answer = add_player(desk, IntegrityError("FOREIGN KEY constraint failed"))
    assert len(said(answer)) == Player.objects.count() == 1
