"""Results from abroad on the officer's desk: what he sees, and what the sender is told of his decision."""

import re

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import Mail, User
from config.services import SMTP_BACKEND
from events.abroad.links import token_of
from events.appeals.operations import refuse_section
from events.models import Event, Game, Guest
from events.operations import EventError, accept_event, return_event
from players.models import RegionalAdministrator
from tests.builders import everything, officer, player, region
from tests.events.abroad.entries import PAGE, text_of, this_month

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(client, address):
    client.post(address, this_month())
    client.force_login(officer())
    return Event.objects.get()


def act(client, event, action, reason="", ground="incomplete"):
    data = {"action": action, "_selected_action": event.pk, "reason": reason, "ground": ground}
    return client.post("/admin/events/event/", data, follow=True)


def test_the_officer_sees_who_sent_it_and_the_games(client, waiting, naledi):
    text = text_of(client.get(f"/admin/events/event/{waiting.pk}/change/"))
    assert "naledi@example.org" in text
    assert "Sent in by the player, by mailed link." in text
    section = waiting.sections.get()
    text = text_of(client.get(f"/admin/events/section/{section.pk}/change/"))
    assert "Varga, Tomas, HUN, id 995000001, FIDE 2104" in text
    assert "Duarte, Ilse, POR, id 995000002, performance 1850" in text


def test_the_region_s_administrator_does_not_see_the_address(client, address):
    client.post(address, this_month())
    event = Event.objects.get()
    by = User.objects.create_user("gau@example.org", is_staff=True)
    RegionalAdministrator.objects.create(user=by, region=region(), since=timezone.localdate())
    client.force_login(by)
    places = [f"/admin/events/event/{event.pk}/change/", "/events/mine/"]
    places.append(f"/admin/events/submission/{event.sections.get().submissions.get().pk}/change/")
    for place in places:
        response = client.get(place)
        assert response.status_code == 200
        assert "naledi@example.org" not in response.content.decode()
    assert f'href="/events/{event.pk}/"' not in client.get("/events/mine/").content.decode()


@pytest.mark.parametrize(
    ("action", "reason", "words"),
    [
        ("accept", "", "accepted the results"),
        ("send_back", "Round 3 was a draw.", "Round 3 was a draw."),
        ("refuse", "It was not FIDE rated.", "It was not FIDE rated."),
    ],
)
def test_the_sender_is_told_what_was_decided(client, waiting, action, reason, words):
    mail.outbox.clear()
    act(client, waiting, action, reason)
    assert [message.to for message in mail.outbox] == [["naledi@example.org"]]
    assert words in mail.outbox[0].body
    assert "Swakopmund Open" in mail.outbox[0].subject


@pytest.mark.rule("chessa 10")
@pytest.mark.parametrize("action", ["send_back", "refuse"])
@pytest.mark.parametrize("ground", ["", "The player wishes it", "wish"])
def test_a_players_wish_is_no_ground_to_return_or_refuse(client, waiting, action, ground):
    mail.outbox.clear()
    text = text_of(act(client, waiting, action, "The player asks for it.", ground=ground))
    assert "choose the ground" in text
    waiting.refresh_from_db()
    assert (waiting.state, mail.outbox) == ("submitted", [])


@pytest.mark.rule("chessa 10")
@pytest.mark.parametrize(("action", "state"), [("send_back", "returned"), ("refuse", "refused")])
def test_the_ground_stands_before_the_reason(client, waiting, action, state):
    act(client, waiting, action, "Round 3 was a draw.", ground="not-verified")
    waiting.refresh_from_db()
    reason = "Not verified by the official results. Round 3 was a draw."
    assert (waiting.state, waiting.moves.last().reason) == (state, reason)
    assert reason in mail.outbox[-1].body


@pytest.mark.rule("chessa 10")
def test_a_section_abroad_is_refused_on_a_ground_only(waiting):
    before = everything()
    with pytest.raises(EventError, match="choose the ground"):
        refuse_section(waiting.sections.get(), at=timezone.now(), by=None, reason="He wishes it.")
    assert everything() == before


@pytest.mark.rule("chessa 10")
def test_what_is_sent_in_is_neither_withdrawn_nor_recalled_by_its_sender_or_region(client, waiting, administrator):
    link, before = f"/events/abroad/{token_of(waiting.abroad_links.get())}/", everything()
    assert "<form" not in client.get(link).content.decode().split("<main")[1]
    client.post(link, this_month(game_2_result="h"))
    client.post(f"/events/{waiting.pk}/withdraw/", {"reason": "He wishes it."})
    waiting.refresh_from_db()
    assert waiting.state == "submitted"
    rows = ("events_event", "events_game", "events_eventmove")
    assert all(everything()[table] == before[table] for table in rows)


def test_a_name_of_two_lines_does_not_break_the_mail(client, waiting):
    Event.objects.update(name="Swakopmund\r\nBcc: everybody@example.org")
    act(client, waiting, "accept")
    assert mail.outbox[-1].subject == "Swakopmund Bcc: everybody@example.org: accepted for rating"
    assert mail.outbox[-1].recipients() == ["naledi@example.org"]


def test_a_file_does_not_correct_results_from_abroad(client, waiting):
    return_event(waiting, at=timezone.now(), reason="Look again.", ground="incomplete")
    page = client.get("/admin/events/submission/add/").content.decode()
    assert "Swakopmund Open" not in page


def test_a_decision_that_fails_is_not_mailed(client, waiting):
    act(client, waiting, "refuse")
    waiting.refresh_from_db()
    assert (waiting.state, mail.outbox) == ("submitted", [])


def test_a_decision_stands_when_its_mail_cannot_be_sent_and_the_mail_goes_later(client, waiting, settings):
    settings.EMAIL_BACKEND = SMTP_BACKEND
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    act(client, waiting, "accept")
    waiting.refresh_from_db()
    assert (waiting.state, mail.outbox) == ("accepted", [])
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    Mail.objects.update(next_at=timezone.now())
    assert [sent.to for sent in mail.outbox] == [["naledi@example.org"]]


def test_returned_results_are_corrected_by_the_mail_s_link(client, waiting):
    act(client, waiting, "send_back", "Round 3 was a draw.")
    client.logout()
    place = re.search(r"http://127.0.0.1:8000(/events/abroad/\S+/)\n", mail.outbox[-1].body)[1]
    page = text_of(client.get(place))
    assert "Round 3 was a draw." in page
    assert 'value="Swakopmund Open"' in page
    client.post(place, this_month(game_2_result="h"))
    waiting.refresh_from_db()
    assert waiting.state == "submitted"
    assert (Game.objects.get(round=3).result, Guest.objects.count()) == ("1/2-1/2", 4)


def test_an_event_that_its_region_sent_in_is_not_mailed(client, administrator, naledi):
    client.post(f"{PAGE}for/{naledi.number}/", this_month())
    client.force_login(officer())
    act(client, Event.objects.get(), "accept")
    assert (Event.objects.get().state, mail.outbox) == ("accepted", [])


def test_an_opponent_on_the_register_is_a_link_on_the_player_s_page(client, naledi, address):
    other = player("Botha", "Anri", fide_id=995000001)
    client.post(address, this_month())
    accept_event(Event.objects.get(), at=timezone.now())
    assert f'<a href="/players/{other.number}/">Varga, Tomas</a>' in text_of(client.get(f"/players/{naledi.number}/"))
