"""The pages of results from abroad: asking, entering, looking, sending in; and that the preview is the calculation's."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Mail, User
from accounts.operations import MAILS_AN_ORIGIN
from config.lib import formatting
from config.lib.database import as_float
from config.services import SMTP_BACKEND
from events.abroad.links import MOST_FOR_PLAYER, MOST_TO_ADDRESS, VALID, ask_link, token_of
from events.abroad.operations import Channel, submit_abroad
from events.models import AbroadLink, Entry, Event, EventMove, Game, Kind
from events.operations import accept_event, register_event, return_event
from events.rules.states import State
from ratings.models import Performance
from tests.builders import event_of, everything, people, player, publish, region, with_address
from tests.events.abroad.entries import AT, PAGE, WHOLE, text_of, this_month

pytestmark = pytest.mark.django_db


def asked(number, **fields):
    return {"do": "ask", "number": number, "email": "naledi@example.org", "sender": "player", **fields}


def linked_problems(response):
    """The ids that the summary of errors leads to, each of which is on the page."""
    text = response.content.decode()
    ids = re.findall(r'href="#([\w-]+)"', text.partition('class="problems"')[2].partition("</div>")[0])
    for one in ids:
        assert f'id="{one}"' in text, one
    return ids


# Asking for a link


def test_the_answer_is_the_same_whether_or_not_the_number_exists(client, naledi):
    known = client.post(PAGE, asked(naledi.number), follow=True)
    assert [message.to for message in mail.outbox] == [["naledi@example.org"]]
    unknown = client.post(PAGE, asked("999999998"), follow=True)
    assert known.redirect_chain == unknown.redirect_chain
    assert known.content == unknown.content
    assert len(mail.outbox) == 1


def test_the_mail_opens_the_form_and_has_no_address_in_it(client, naledi):
    client.post(PAGE, asked(naledi.number, sender="manager"))
    body = mail.outbox[0].body
    assert "Naledi Mokoena" in body
    assert "as team manager" in body
    place = re.search(r"http://127.0.0.1:8000(/events/abroad/\S+/)\n", body)[1]
    response = client.get(place)
    assert response.status_code == 200
    assert "Results from abroad of Naledi Mokoena" in text_of(response)
    assert "naledi@example.org" not in text_of(response)


def test_mails_are_counted(client, naledi):
    for _ in range(MOST_FOR_PLAYER + 2):
        assert client.post(PAGE, asked(naledi.number)).status_code == 302
    assert len(mail.outbox) == MOST_FOR_PLAYER


def test_one_mailbox_and_one_place_have_so_many_an_hour(client, naledi):
    """What stands after a plus sign is the same mailbox; a number that nobody has counts as well."""
    for number in range(MOST_TO_ADDRESS):
        assert client.post(PAGE, asked("100999999", email=f"victim+{number}@example.org")).status_code == 302
    response = client.post(PAGE, asked(naledi.number, email="victim+more@example.org"))
    assert response.status_code == 422
    assert "mails within an hour are enough" in text_of(response)
    for number in range(MAILS_AN_ORIGIN - MOST_TO_ADDRESS):
        assert client.post(PAGE, asked("100999999", email=f"{number}@example.org")).status_code == 302
    assert "from where you are" in text_of(client.post(PAGE, asked(naledi.number)))
    assert client.post(PAGE, asked(naledi.number), REMOTE_ADDR="192.0.2.7").status_code == 302
    assert len(mail.outbox) == 1


def test_a_link_that_cannot_be_mailed_at_once_is_mailed_later(client, naledi, settings):
    settings.EMAIL_BACKEND = SMTP_BACKEND
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    assert client.post(PAGE, asked(naledi.number)).status_code == 302
    assert mail.outbox == []
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    Mail.objects.update(next_at=timezone.now())
    (sent,) = mail.outbox
    place = re.search(r"http://127.0.0.1:8000(/events/abroad/\S+/)\n", sent.body)[1]
    assert client.get(place).status_code == 200
    assert AbroadLink.objects.count() == 1


def test_the_request_does_the_same_work_whether_or_not_the_address_is_on_record(client, naledi):
    asked_for = []
    for fields in (asked(naledi.number), asked(naledi.number, email="other@example.org"), asked("100999999")):
        with CaptureQueriesContext(connection) as queries:
            assert client.post(PAGE, fields)["Location"] == "/events/abroad/sent/"
        asked_for.append([re.split(r" WHERE| VALUES|SAVEPOINT", query["sql"])[0] for query in queries])
    assert asked_for[0] == asked_for[1] == asked_for[2]
    assert not any("players_player" in sql for sql in asked_for[0])
    assert not AbroadLink.objects.exists()
    assert len(mail.outbox) == 1
    assert AbroadLink.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"number": "12345678"}, "id_number"),
        ({"number": "１２３４５６７８９"}, "id_number"),
        ({"number": "1" * 10_000}, "id_number"),
        ({"email": "nobody"}, "id_email"),
        ({"email": "a@example.org\nBcc: b@example.org"}, "id_email"),
        ({"email": f"{'a' * 10_000}@example.org"}, "id_email"),
        ({"sender": "uncle"}, "id_sender"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(client, naledi, fields, place):
    response = client.post(PAGE, asked(naledi.number) | fields)
    assert response.status_code == 422
    assert set(linked_problems(response)) == {place}
    assert mail.outbox == []


@pytest.mark.parametrize("token", ["1", "1:abc", "x" * 2000, "1:\u0661"])
def test_a_link_that_is_none_says_what_to_do(client, token):
    response = client.get(f"{PAGE}{token}/")
    assert response.status_code == 404
    assert "Ask for a new link" in text_of(response)


def test_an_expired_link_neither_opens_nor_sends(client, naledi):
    link = ask_link(naledi.number, "naledi@example.org", AbroadLink.Sender.PLAYER, at=timezone.now() - VALID)
    address = f"{PAGE}{token_of(link)}/"
    assert "7 days" in text_of(client.get(address))
    assert client.post(address, this_month()).status_code == 409
    assert not Event.objects.exists()


@pytest.mark.parametrize("do", ["send", "look", "add"])
@pytest.mark.parametrize("ends", ["days", "address"])
def test_what_was_typed_while_the_link_expired_is_shown_again(client, naledi, do, ends):
    asked_at = timezone.now() - (VALID if ends == "days" else timedelta())
    link = ask_link(naledi.number, "naledi@example.org", AbroadLink.Sender.PLAYER, at=asked_at)
    if ends == "address":
        with_address(naledi, "other@example.org")
    answer = client.post(f"{PAGE}{token_of(link)}/", this_month(name="Windhoek Open", do=do))
    text = text_of(answer)
    assert answer.status_code == 409
    for part in (
        "This is not sent in",
        "this one opens no more",
        "Ask for a new link",
        "Windhoek Open",
        "Varga, Tomas",
        "2104",
    ):
        assert part in text
    assert not Event.objects.exists()


@pytest.mark.parametrize("address", ["other@example.org", ""])
def test_a_link_whose_address_is_no_longer_the_players_tells_nothing_of_him(client, naledi, address):
    link = ask_link(naledi.number, "naledi@example.org", AbroadLink.Sender.PLAYER, at=timezone.now())
    with_address(naledi, address)
    answer = client.post(f"{PAGE}{token_of(link)}/", this_month(do="look"))
    assert answer.status_code == 409
    for told in (naledi.last_name, naledi.number, naledi.region.name):
        assert told not in text_of(answer)


# Looking


@pytest.mark.rule("chessa 45", "chessa 46")
def test_looking_shows_the_adjusted_ratings_and_saves_nothing(client, naledi, address):
    before = everything()
    text = text_of(client.post(address, this_month(do="look")))
    for rating in (20 + 1.02 * 2104, 180 + 0.94 * 1850, 180 + 0.94 * 1990):
        assert f"counts {formatting.rating(rating)}" in text
    assert text.count("not rated<") == 2
    assert "Nothing is missing" in text
    assert everything() == before


def test_the_preview_is_what_the_run_then_gives(client, naledi, address):
    """To the last decimal that is shown, on both lists, for a player who is not new."""
    other = people(1)[0]
    event_of([(naledi, other, "1-0")], name="Club night")
    publish()
    text = text_of(client.post(address, this_month(do="look")))
    shown = re.findall(r'class="big">([^<]+)</span> <span class="\w+">([^<]+)<', text)
    assert len(shown) == 2
    client.post(address, this_month())
    event = Event.objects.get(kind=Kind.ABROAD)
    # The month after the latest list, as the preview says: the months between would move the standing on.
    days = {"starts": "2024-04-02", "ends": "2024-04-06"}
    Event.objects.filter(pk=event.pk).update(**days)
    event.sections.update(**days)
    accept_event(event, at=timezone.now())
    run = publish(event.sections.get().period.month)
    for (rating, change), code in zip(shown, ("main", "standard"), strict=True):
        row = run.ratings.filter(player=naledi, list__code=code)
        assert rating == formatting.rating(row.values_list(as_float("raw"), flat=True).get())
        games = Performance.objects.get(run=run, player=naledi, list__code=code)
        assert games.games == 3
        assert change == formatting.change(row.values_list(as_float("change"), flat=True).get())


def test_what_the_officer_will_look_at_is_said_before(client, address):
    text = text_of(client.post(address, this_month(do="look", rounds=3)))
    assert "3 rounds; a Swiss section needs at least 5." in text
    assert "article 17" in text


def test_a_round_is_added_and_what_was_typed_stays(client, address):
    response = client.post(address, this_month(do="add"))
    assert response.status_code == 200
    assert 'id="id_game-5-result"' in text_of(response)
    assert 'value="Varga, Tomas"' in text_of(response)
    assert linked_problems(response) == []
    full = text_of(client.post(address, this_month(do="add") | {"game-TOTAL_FORMS": 30}))
    assert "at most 30 rounds" in full
    assert 'value="add"' not in full


# Sending in


def test_sent_in_it_waits_for_the_officer_and_the_link_shows_how_far_it_is(client, link, address):
    response = client.post(address, this_month(), follow=True)
    text = text_of(response)
    assert "With the ratings officer" in text
    assert "by the player or team manager" in text
    event = Event.objects.get()
    assert event.state == State.SUBMITTED
    client.post(address, this_month(name="Another"))
    assert Event.objects.get().name == "Swakopmund Open"


@pytest.mark.parametrize("do", ["send", "look", "add"])
def test_a_second_form_of_a_used_link_is_not_taken_for_the_first(client, address, do):
    client.post(address, this_month())
    before = everything()
    other = this_month(
        name="Windhoek Open", results_url="https://example.org/windhoek", game_1_opponent="Silva, Ana", do=do
    )
    answer = client.post(address, other)
    text = text_of(answer)
    assert answer.status_code == 409
    for part in (
        "This is not sent in",
        "the results of Swakopmund Open were sent in before",
        "Ask for a new link",
        'value="Windhoek Open"',
        'value="Silva, Ana"',
        'value="https://example.org/windhoek"',
    ):
        assert part in text
    assert "The results are sent in" not in text
    assert everything() == before


def test_the_same_results_sent_twice_are_sent_in(client, address):
    assert client.post(address, this_month()).status_code == 302
    again = client.post(address, this_month(), follow=True)
    assert again.redirect_chain == [(address, 302)]
    assert "The results are sent in" in text_of(again)
    assert Event.objects.count() == 1


def test_nothing_of_it_is_public_until_it_is_accepted(client, naledi, address):
    client.post(address, this_month(name="Buy my watches"))
    event = Event.objects.get()
    month = timezone.localdate()

    def public():
        pages = (f"/events/{event.pk}/", "/events/", f"/events/calendar/?month={month:%Y-%m}", "/events/calendar.ics")
        return ["Buy my watches" in client.get(place).content.decode() for place in pages]

    assert public() == [False] * 4
    assert client.get(f"/players/{naledi.number}/").status_code == 200
    accept_event(event, at=timezone.now())
    assert public() == [True] * 4
    assert "naledi@example.org" not in client.get(f"/events/{event.pk}/").content.decode()


@pytest.mark.parametrize(
    ("fields", "places"),
    [
        ({"results_url": "javascript:alert(1)"}, ["id_results_url"]),
        ({"results_url": "ftp://example.org"}, ["id_results_url"]),
        ({"results_url": "https://example.org/" + "x" * 1_000}, ["id_results_url"]),
        ({"name": "x" * 10_000}, ["id_name"]),
        ({"federation": "Namibia"}, ["id_federation"]),
        ({"federation": "RSA"}, ["id_federation"]),
        ({"starts": "1900-01-01"}, ["id_starts"]),
        ({"ends": "2999-01-01"}, ["id_ends"]),
        ({"ends": "31.02.2024"}, ["id_ends"]),
        ({"fide_rated": ""}, ["id_fide_rated"]),
        ({"base": "3", "increment": "1"}, ["id_base"]),
        ({"rank": "0"}, ["id_rank"]),
        ({"format": "quiz"}, ["id_format"]),
        ({"version": "x"}, ["id_version"]),
        ({"game_0_result": "2"}, ["id_game-0-result"]),
        ({"game_0_result": ""}, ["id_game-0-result"]),
        ({"game_0_colour": ""}, ["id_game-0-colour"]),
        ({"game_0_fide_rating": "0"}, ["id_game-0-fide_rating"]),
        ({"game_0_fide_rating": "9999"}, ["id_game-0-fide_rating"]),
        ({"game_0_fide_rating": ""}, ["id_game-0-fide_rating"]),
        ({"game_0_fide_id": "-3"}, ["id_game-0-fide_id"]),
        ({"game_0_fide_id": "14300001"}, ["id_game-0-fide_id"]),
        ({"game_0_opponent": "x" * 10_000}, ["id_game-0-opponent"]),
        ({"game_1_opponent": ""}, ["id_game-1-opponent"]),
        ({"game_2_fide_id": "995000001"}, ["id_game-2-fide_id"]),
        ({"game_3_opponent": "Somebody"}, ["id_game-3-result"]),
        ({"game-TOTAL_FORMS": "60"}, []),
        ({"game-TOTAL_FORMS": ""}, []),
    ],
)
def test_bad_input_is_named_with_its_place_and_changes_nothing(client, address, fields, places):
    data = this_month(**fields)
    before = everything()
    response = client.post(address, data)
    assert response.status_code == 422
    found = linked_problems(response)
    assert found == places or not places
    assert "This must be corrected" in text_of(response)
    assert everything() == before


def test_a_game_that_was_not_played_needs_no_colour(client, address):
    assert client.post(address, this_month(game_4_colour="")).status_code == 302
    assert Game.objects.get(round=5).result in ("+--", "--+")


def test_days_in_the_wrong_order_and_still_to_come(client, address):
    today = timezone.localdate()
    for starts, ends in ((today, today - timedelta(days=1)), (today, today + timedelta(days=1))):
        data = this_month() | {"starts": starts.isoformat(), "ends": ends.isoformat()}
        assert linked_problems(client.post(address, data)) == ["id_ends"]


def test_sixty_rounds_are_too_many(client, address):
    row = {"result": "1", "colour": "w", "opponent": "Varga, Tomas", "fide_id": 995000001, "fide_rating": 2104}
    rows = {f"game-{place}-{name}": value for place in range(60) for name, value in row.items()}
    response = client.post(address, this_month() | rows | {"game-TOTAL_FORMS": 60})
    assert response.status_code == 422
    assert "60 rounds were sent; an event has at most 30 here." in text_of(response)


def test_late_results_ask_for_a_reason_and_then_go_through(client, address):
    long_ago = timezone.localdate() - timedelta(days=100)
    data = this_month() | {"starts": long_ago.isoformat(), "ends": long_ago.isoformat()}
    response = client.post(address, data)
    assert (response.status_code, linked_problems(response)) == (422, ["id_reason"])
    assert not Event.objects.exists()
    response = client.post(address, data | {"reason": "The federation sent them late."}, follow=True)
    assert "With the ratings officer" in text_of(response)
    assert "sent them late" in EventMove.objects.last().reason


# The region's door


def test_an_administrator_sends_in_for_a_player_of_his_region(client, administrator, naledi):
    response = client.post(PAGE, {"do": "choose", "chosen": naledi.number})
    assert response["Location"] == f"{PAGE}for/{naledi.number}/"
    response = client.post(response["Location"], this_month(), follow=True)
    assert "The results of Naledi Mokoena are with the ratings officer." in text_of(response)
    assert "by the Regional Administrator" in text_of(response)
    assert Event.objects.get().moves.last().actor == administrator
    assert mail.outbox == []


def test_a_player_of_another_region_is_not_found(client, administrator):
    other = player("Botha", "Anri", region=region("LCP"))
    response = client.post(PAGE, {"do": "choose", "chosen": other.number})
    assert (response.status_code, linked_problems(response)) == (422, ["id_chosen"])
    assert client.post(f"{PAGE}for/{other.number}/", this_month()).status_code == 404


def test_nobody_else_is_offered_the_region_s_door(client):
    assert "For a player of your region" not in text_of(client.get(PAGE))
    client.force_login(User.objects.create_user("nobody@example.org"))
    assert "For a player of your region" not in text_of(client.get(PAGE))
    assert client.post(PAGE, {"do": "choose", "chosen": "100000001"}).status_code == 422


def test_a_returned_event_is_corrected_from_my_events(client, administrator, naledi):
    client.post(f"{PAGE}for/{naledi.number}/", this_month())
    event = Event.objects.get()
    return_event(event, at=timezone.now(), reason="Round 3 was a draw.", ground="incomplete")
    assert f"{PAGE}?event={event.pk}" in text_of(client.get("/events/mine/"))
    page = text_of(client.get(f"{PAGE}?event={event.pk}"))
    assert f'value="{naledi.number}"' in page
    assert f'value="{event.pk}" selected' in page
    place = client.post(PAGE, {"do": "choose", "chosen": naledi.number, "event": event.pk})["Location"]
    page = text_of(client.get(place))
    assert "Round 3 was a draw." in page
    assert 'value="Olsen, Per"' in page
    assert '<option value="bye" selected>' in page
    response = client.post(place, this_month(version=0, game_2_result="h"), follow=True)
    assert "With the ratings officer" in text_of(response)
    assert Game.objects.get(round=3).result == "1/2-1/2"
    assert client.post(place, this_month(version=1)).status_code == 422


def test_a_registered_event_abroad_is_filled_from_my_events(client, administrator, naledi):
    today = timezone.localdate()
    details = Event(
        name="Zone 4.3", region=region(), starts=today, ends=today, kind=Kind.ABROAD, federation="NAM",
        fide_rated=True, results_url="https://example.org/zone",
    )  # fmt: skip
    event = register_event(details, at=timezone.now(), by=administrator)
    assert "Send in results" in text_of(client.get("/events/mine/"))
    place = f"{PAGE}for/{naledi.number}/?event={event.pk}"
    assert 'value="Zone 4.3"' in text_of(client.get(place))
    client.post(place, this_month(name="Zone 4.3"))
    event.refresh_from_db()
    assert (event.state, Event.objects.count(), Entry.objects.get().player) == ("submitted", 1, naledi)


@pytest.mark.parametrize("key", ["0", "x", "-1", "99999999999999999999", "\u0661"])
def test_an_event_that_is_none_is_not_there(client, administrator, naledi, key):
    assert client.get(f"{PAGE}for/{naledi.number}/", {"event": key}).status_code == 404
    assert client.get(PAGE, {"event": key}).status_code == 404


def test_another_region_s_event_is_not_there(client, administrator, naledi):
    other = with_address(player("Botha", "Anri", region=region("LCP")), "anri@example.org")
    link = ask_link(other.number, "anri@example.org", AbroadLink.Sender.PLAYER, at=AT)
    event = submit_abroad(other, WHOLE, at=AT, channel=Channel(link=link))
    return_event(event, at=AT, reason="Look again.", ground="incomplete")
    assert client.get(PAGE, {"event": event.pk}).status_code == 404
    assert client.post(f"{PAGE}for/{naledi.number}/?event={event.pk}", this_month()).status_code == 404
