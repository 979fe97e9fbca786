"""An erasure is asked for in the browser and done by a worker: one transaction, once, and what stands against it is told."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Decision
from config.lib.leases import lease_length
from events.archive import store_file
from events.models import RatingPeriod, Submission
from events.rules.states import EventError
from players.models import Player
from players.operations import NewPlayer, register_players
from ratings.models import Erasure, ImportJob
from ratings.personal_data.erasure.jobs import (
    FAULT,
    MOST_ATTEMPTS,
    ask_for_erasure,
    process_erasure,
    to_erase,
    withdraw_erasure,
)
from tests.builders import CLOCK, event_of, officer, people, publish

pytestmark = pytest.mark.django_db
MOMENT = timedelta(microseconds=1)


@pytest.fixture
def child():
    return register_players([NewPlayer("Nel", "Zola")], at=CLOCK)[0]


def work(erasure, *, at=CLOCK):
    """What a worker does that hears of it at a moment."""
    process_erasure(erasure.pk, clock=lambda: at)
    erasure.refresh_from_db()
    return erasure


def page_of(player):
    return f"/admin/ratings/erasure/players/{player.pk}/"


def test_it_is_asked_for_on_the_page_and_done_by_a_worker(client, child, django_capture_on_commit_callbacks):
    client.force_login(officer())
    with django_capture_on_commit_callbacks():
        answer = client.post(page_of(child), {"number": child.number, "reason": "his mother asks"})
    assert answer["Location"] == page_of(child)
    child.refresh_from_db()
    assert child.last_name == "Nel"
    shown = client.get(page_of(child)).content.decode()
    assert "This page tells when it is done" in shown
    assert "Erase for good" not in shown
    erasure = work(Erasure.objects.get())
    assert (erasure.state, erasure.error, erasure.attempts) == ("done", "", 1)
    child.refresh_from_db()
    assert child.last_name == erasure.pseudonym
    assert client.get(page_of(child), headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    assert f"He is {erasure.pseudonym} since" in client.get(page_of(child)).content.decode()
    asked = Decision.objects.get(action="erasure asked for")
    assert (asked.actor, asked.reason) == (erasure.by, "his mother asks")
    assert "Nel" not in asked.subject_name


def test_what_came_up_meanwhile_is_told_and_it_is_asked_for_again(client, child):
    by = officer()
    client.force_login(by)
    erasure = ask_for_erasure(child, at=CLOCK, by=by, reason="asked for")
    job = ImportJob.objects.create(kind="register", state="ready", filename="a.csv", size=1, at=CLOCK, asked_at=CLOCK)
    job.pieces.create(position=1, content=b"x")
    assert work(erasure).state == "failed"
    assert "neither taken nor discarded" in client.get(page_of(child)).content.decode()
    assert "Erasures that failed" in client.get("/admin/").content.decode()
    job.pieces.all().delete()
    client.post(page_of(child), {"number": child.number, "reason": "still asked for"})
    assert Erasure.objects.get().state == "waiting"
    erasure = work(erasure)
    assert (erasure.state, erasure.error, erasure.reason) == ("done", "", "still asked for")


def test_it_is_taken_back_until_it_is_done(client, child):
    by = officer()
    client.force_login(by)
    erasure = ask_for_erasure(child, at=CLOCK, by=by, reason="asked for")
    client.post(page_of(child), {"do": "withdraw"})
    assert not Erasure.objects.exists()
    assert Decision.objects.filter(action="erasure withdrawn").exists()
    process_erasure(erasure.pk)  # the message comes all the same
    child.refresh_from_db()
    assert child.last_name == "Nel"
    work(ask_for_erasure(child, at=CLOCK, by=by, reason="asked for"))
    answer = client.post(page_of(child), {"do": "withdraw"}, follow=True).content.decode()
    assert "is being erased, or is erased already" in answer
    with pytest.raises(EventError, match="erased already"):
        withdraw_erasure(child, at=CLOCK, by=by)


def test_a_second_officer_is_told_that_it_waits(child):
    ask_for_erasure(child, at=CLOCK, by=None, reason="asked for")
    with pytest.raises(EventError, match="asked for already"):
        ask_for_erasure(child, at=CLOCK, by=None, reason="asked for")


def test_what_stands_against_it_is_told_at_once(child):
    Player.objects.filter(pk=child.pk).update(merged_into=register_players([NewPlayer("Nel", "Z")], at=CLOCK)[0])
    with pytest.raises(EventError, match="is merged into"):
        ask_for_erasure(child, at=CLOCK, by=None, reason="asked for")
    assert not Erasure.objects.exists()


def test_a_worker_that_died_is_followed_by_another_when_its_lease_has_run_out(child):
    erasure = ask_for_erasure(child, at=CLOCK, by=None, reason="asked for")
    over = CLOCK + lease_length()
    Erasure.objects.update(attempts=1, lease_until=over)  # as it was left
    assert work(erasure, at=over).state == "waiting"
    assert list(to_erase(at=over)) == []
    assert list(to_erase(at=over + MOMENT)) == [erasure]
    assert work(erasure, at=over + MOMENT).state == "done"


def test_a_run_that_is_under_way_is_waited_for(client, child):
    client.force_login(officer())
    month = RatingPeriod.objects.create(month="2024-03-01", state="calculating")
    erasure = ask_for_erasure(child, at=CLOCK, by=None, reason="asked for")
    for _ in range(MOST_ATTEMPTS + 1):
        assert work(erasure).state == "waiting"
    assert "a worker is calculating the ratings of 2024-03" in client.get(page_of(child)).content.decode()
    RatingPeriod.objects.filter(pk=month.pk).update(state="open")
    assert work(erasure).state == "done"


@pytest.mark.parametrize(("attempts", "state"), [(MOST_ATTEMPTS - 1, "done"), (MOST_ATTEMPTS, "failed")])
def test_it_is_tried_three_times_in_all(child, attempts, state):
    erasure = ask_for_erasure(child, at=CLOCK, by=None, reason="asked for")
    Erasure.objects.update(attempts=attempts)
    assert work(erasure).state == state
    assert erasure.error.startswith("given up after 3 attempts") == (state == "failed")


def test_a_fault_is_told_without_names():
    """The form for results from abroad that is kept is no JSON."""
    event = event_of([(*people(2), "1-0")])
    publish()
    section = event.sections.get()
    Submission.objects.create(section=section, file=store_file(b"Nel, Zola"), name="abroad", at=CLOCK, format="abroad")
    player = section.games.first().white
    erasure = work(ask_for_erasure(player, at=CLOCK, by=None, reason="asked for"))
    assert (erasure.state, erasure.error) == ("failed", FAULT)
    player.refresh_from_db()
    assert player.erased_at is None


@pytest.mark.parametrize("fields", [{"state": "done"}, {"pseudonym": "Player 1234567"}, {"at": CLOCK}, {"reason": ""}])
def test_an_erasure_is_done_or_it_is_not(child, fields):
    erasure = ask_for_erasure(child, at=CLOCK, by=None, reason="asked for")
    with pytest.raises(IntegrityError), transaction.atomic():
        Erasure.objects.filter(pk=erasure.pk).update(**fields)


def test_what_has_become_his_since_the_page_was_opened_is_not_erased_unseen(client, child):
    client.force_login(officer())
    other = register_players([NewPlayer("Smit", "Ann")], at=CLOCK)[0]
    page = client.get(page_of(child)).content.decode()
    shown = re.search(r'name="shown" value="([^"]+)"', page)[1]
    Player.objects.filter(pk=other.pk).update(merged_into=child)
    sent = {"number": child.number, "reason": "his mother asks"}
    answer = client.post(page_of(child), {**sent, "shown": shown})
    assert f"the player {other} has become his since" in unescape(answer.content.decode())
    assert not Erasure.objects.exists()
    shown = re.search(r'name="shown" value="([^"]+)"', answer.content.decode())[1]
    assert client.post(page_of(child), {**sent, "shown": shown}).status_code == 302
    third = register_players([NewPlayer("Cele", "Sipho")], at=CLOCK)[0]
    Player.objects.filter(pk=third.pk).update(merged_into=child)
    erasure = work(Erasure.objects.get())
    assert (erasure.state, f"the player {third} has become his since" in erasure.error) == ("failed", True)
    assert not Player.objects.exclude(erased_at=None).exists()
