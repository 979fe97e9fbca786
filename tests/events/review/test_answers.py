"""Requests are read and answered on one page, as events are: permissions, withdrawals, reports, appeals."""

import re
from html import unescape

import pytest
from django.core import mail
from django.db import connection
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.models import User
from events.appeals.size_requests import SizeRequest, answer_permission, correct_request
from events.claims import claim, claim_of
from events.models import PermissionRequest, ReviewClaim
from events.operations import EventError
from tests.accounts.world import OWN, made_world
from tests.builders import CLOCK, officer, submitted

WHY = "Two players fell ill."


@pytest.fixture
def desk(db, client):
    """The client of an officer."""
    client.force_login(officer())
    return client


@pytest.fixture
def asked(db):
    """A request for a section of a submitted event."""
    section = submitted().sections.get()
    by = User.objects.create_user("gau@example.org")
    return PermissionRequest.objects.create(section=section, at=CLOCK, players=5, rounds=4, reason="ill", by=by)


def page_of(row, part="change/"):
    return f"/admin/events/{row._meta.model_name}/{row.pk}/{part}"


def text(answer):
    return " ".join(strip_tags(answer.content.decode()).split())


@pytest.mark.rule("chessa 18")
def test_a_permission_is_answered_on_its_page(desk, asked):
    shown = desk.get(page_of(asked))
    assert f"/admin/events/event/{asked.section.event_id}/review/" in shown.content.decode()
    answer = desk.post(page_of(asked, "answer/"), {"do": "grant", "reason": " "})
    assert (answer.status_code, PermissionRequest.objects.get().state) == (422, "asked")
    answer = desk.post(page_of(asked, "answer/"), {"do": "", "reason": WHY})
    assert answer.status_code == 422
    assert "choose an answer" in text(answer)
    assert WHY in text(answer)
    answer = desk.post(page_of(asked, "answer/"), {"do": "grant", "reason": WHY})
    assert answer.headers["Location"] == "/admin/events/permissionrequest/"
    asked.refresh_from_db()
    assert (asked.state, asked.answer) == ("granted", WHY)
    assert WHY in mail.outbox[-1].body


def test_a_request_that_was_corrected_meanwhile_is_read_anew_before_it_is_answered(desk, asked):
    shown = unescape(re.search(r'name="shown" value="([^"]*)"', desk.get(page_of(asked)).content.decode())[1])
    correct_request(asked, SizeRequest(players=3, rounds=2, reason="fewer"), at=CLOCK, by=asked.by)
    answer = desk.post(page_of(asked, "answer/"), {"do": "grant", "reason": WHY, "shown": shown})
    assert (answer.status_code, PermissionRequest.objects.get().state) == (422, "asked")
    assert "it was corrected, or added to, meanwhile" in text(answer)
    assert WHY in text(answer)
    with pytest.raises(EventError, match="corrected meanwhile"):
        answer_permission(asked, granted=True, at=CLOCK, by=None, answer=WHY)
    shown = unescape(re.search(r'name="shown" value="([^"]*)"', answer.content.decode())[1])
    desk.post(page_of(asked, "answer/"), {"do": "grant", "reason": WHY, "shown": shown})
    assert PermissionRequest.objects.get().state == "granted"


def test_who_answers_what_is_answered_already_keeps_the_words(desk, asked):
    PermissionRequest.objects.update(state="declined", answer="no", answered_at=CLOCK)
    answer = desk.post(page_of(asked, "answer/"), {"do": "grant", "reason": WHY})
    assert answer.status_code == 422
    assert WHY in text(answer)
    assert PermissionRequest.objects.get().answer == "no"


def test_who_lost_the_right_to_answer_gets_the_words_back(client, asked):
    user = officer()
    client.force_login(user)
    User.objects.filter(pk=user.pk).update(is_officer=False)
    answer = client.post(page_of(asked, "answer/"), {"do": "grant", "reason": WHY})
    assert (answer.status_code, PermissionRequest.objects.get().state) == (403, "asked")
    assert WHY in text(answer)


def test_who_was_logged_out_gets_the_words_back(client, asked):
    answer = client.post(page_of(asked, "answer/"), {"do": "grant", "reason": WHY})
    assert (answer.status_code, PermissionRequest.objects.get().state) == (403, "asked")
    assert WHY in text(answer)


def test_a_claim_may_be_given_up_at_another_page_while_it_is_renewed(asked):
    by = officer()
    claim(asked, at=timezone.now(), by=by)

    def gives_up(execute, sql, *rest):
        if sql.startswith("UPDATE"):
            ReviewClaim.objects.all().delete()
        return execute(sql, *rest)

    with connection.execute_wrapper(gives_up):
        claim(asked, at=timezone.now(), by=by)
    assert not ReviewClaim.objects.exists()


@pytest.mark.parametrize("part", ["answer/", "claim/"])
def test_the_address_of_an_answer_leads_to_the_page(desk, asked, part):
    assert desk.get(page_of(asked, part)).headers["Location"] == page_of(asked)


def test_a_claim_is_shown_to_others_and_ends_with_the_answer(desk, asked):
    claim(asked, at=timezone.now(), by=User.objects.create_user("first@example.org", first_name="Ayanda"))
    assert "Ayanda has this open" in text(desk.get(page_of(asked)))
    desk.post(page_of(asked, "answer/"), {"do": "decline", "reason": WHY})
    assert claim_of(asked, at=timezone.now()) is None


@pytest.mark.parametrize(
    ("model", "do", "role", "state"),
    [
        ("withdrawalrequest", "decline", "officer", "declined"),
        ("keptbackreport", "take_up", "officer", "taken up"),
        ("notregisteredreport", "dismiss", "officer", "dismissed"),
        ("errorreport", "reject", "officer", "rejected"),
        ("appeal", "dismiss", "panel", "dismissed"),
    ],
)
def test_all_requests_have_such_a_page_and_lead_to_the_next(db, client, model, do, role, state):
    world = made_world()
    client.force_login(world.users[role])
    row = world.rows[model, OWN]
    if model == "appeal":
        row.refusal.lifted_at = None
        row.refusal.save()
    assert "Next that waits" in text(client.get(page_of(row)))
    answer = client.post(page_of(row, "answer/"), {"do": do, "reason": WHY})
    assert answer.status_code == 302
    assert answer.headers["Location"] != page_of(row)
    row.refresh_from_db()
    assert (row.state, row.answer) == (state, WHY)
