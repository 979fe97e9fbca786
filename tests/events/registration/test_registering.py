"""Registering an event: drafts, in time, late, changing, withdrawing, copying."""

import re
from datetime import date, timedelta

import pytest
from django.conf import settings
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from events.access import visible_events
from events.appeals.size_requests import SizeRequest, ask_permission
from events.models import Arbiter, Entry, Event, Membership, Section
from events.operations import EventError, LateError, move_event, register_event
from events.registration.operations import copy_event, grant_late, register, require_late_reason, save_registration
from events.registration.queries import Registration
from events.rules.states import MoveError, State
from events.submission.uploads import take_file
from events.withholding.operations import withdraw
from players.models import Region, RegionalAdministrator
from tests.admin_pages import posted_form
from tests.builders import details, everything, officer, player, region
from tests.events.registration.entries import NEW, ahead, arbiter, draft, entry, saved, send

pytestmark = pytest.mark.django_db


def test_an_event_registered_in_time_is_public_with_its_trail(browser_of, administrator):
    response = send(browser_of)
    event = Event.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/events/{event.pk}/")
    assert event.state == "registered"
    assert [(move.source, move.target, move.actor) for move in event.moves.all()] == [
        ("draft", "registered", administrator)
    ]
    section = event.sections.get()
    assert (section.base_minutes, section.increment_seconds, section.planned_rounds) == (15, 10, 5)
    assert [(one.number, one.date) for one in section.rounds.all()] == [(n, ahead(30)) for n in range(1, 6)]
    page = browser_of.get(f"/events/{event.pk}/").content.decode()
    assert "Mopane Open is registered." in page
    assert "Registered; its results are not submitted yet." in page


def test_a_draft_is_saved_with_what_there_is_and_stays_hidden(browser_of, client):
    blank = {"organiser_name": "", "organiser_number": "", "section-0-base": "", "section-0-name": ""}
    event = draft(browser_of, **blank, **{"section-0-rounds": "", "section-0-increment": "", "arbiter-0-arbiter": ""})
    assert (event.state, event.sections.count(), event.moves.count()) == ("draft", 0, 0)
    assert browser_of.get(f"/events/{event.pk}/").status_code == 404
    assert "Mopane Open" in browser_of.get(f"/events/{event.pk}/edit/").content.decode()
    assert "Mopane Open" not in browser_of.get("/events/calendar/").content.decode()


def test_what_is_missing_stands_at_the_fields_and_the_draft_is_kept(browser_of):
    response = send(browser_of, organiser_number="", **{"section-0-rounds": ""})
    page = response.content.decode()
    assert response.status_code == 422
    assert '<a href="#id_organiser_number">' in page
    assert '<a href="#id_section-0-rounds">Section 1, rounds: Give the number of rounds (article 13.3).</a>' in page
    assert Event.objects.get().state == "draft"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("starts", "1900-01-01", "1900 cannot be meant"),
        ("ends", "2999-01-01", "2999 cannot be meant"),
        ("starts", "17 of May", "Write the day as year, month and day"),
        ("ends", "2020-01-01", "The last day comes before the first"),
        ("organiser_number", "123", "Nobody on the register has the Chess SA id 123"),
        ("norm_event", "on", "A norm event is FIDE rated"),
        ("section-0-base", "ninety", "Write a whole number"),
        ("section-0-rounds", "31", "At most 30"),
        ("section-0-rounds", "5.0", "Write a whole number"),
        ("section-0-rounds", "٥", "Write a whole number"),
        ("section-0-rounds", "9" * 5000, "Write a whole number"),
        ("section-0-base", "1e3", "Write a whole number"),
        ("page", "7", "Load it again"),
        ("section-0-starts", "2020-01-01", "It lies outside the event’s days"),
        ("arbiter-0-first", "0", "At least 1"),
        ("arbiter-0-arbiter", "99999", "Select a valid choice"),
        ("name", "", "This field is required"),
    ],
)
def test_bad_input_is_said_at_its_field_and_does_not_become_a_registration(browser_of, field, value, said):
    given = entry(**{field: value})
    before = saved()
    response = browser_of.post(NEW, given)
    assert response.status_code == 422
    page = response.content.decode()
    assert said in page
    assert f'href="#id_{field}"' in page
    if field in ("name", "starts", "ends"):  # without which there is no draft
        assert saved() == before
    else:
        assert Event.objects.get().state == "draft"


@pytest.mark.parametrize("total", ["", "-1", "x", "100000"])
def test_a_broken_form_saves_nothing(browser_of, total):
    given = entry(**{"section-TOTAL_FORMS": total})
    before = everything()
    assert browser_of.post(NEW, given).status_code == 422
    assert everything() == before


@pytest.mark.rule("chessa 57", "chessa 62.1")
def test_only_the_own_regions_events_are_registered_and_changed(browser_of, client):
    other = send(browser_of, region=region("LCP").pk)
    assert other.status_code == 422
    assert "Choose one of your own regions (article 62)." in other.content.decode()
    event = draft(browser_of)
    Event.objects.update(region=region("LCP"))
    for page in ("edit", "withdraw", "copy"):
        assert browser_of.post(reverse(f"events:{page}", args=[event.pk]), entry()).status_code == 404
    nobody = User.objects.create_user("nobody@example.org")
    client.force_login(nobody)
    assert client.get(NEW).status_code == 403
    client.logout()
    for address in (NEW, "/events/mine/", f"/events/{event.pk}/edit/"):
        assert client.get(address)["Location"].startswith("/account/log-in/")


@pytest.mark.rule("chessa 60")
def test_late_asks_for_a_reason_and_goes_to_the_officer(browser_of, administrator):
    response = send(browser_of, starts=2)
    page = response.content.decode()
    assert response.status_code == 422
    assert "It is late: ask for permission" in page
    assert '<a href="#id_reason">' in page
    event = Event.objects.get()
    assert event.state == "draft"
    given = entry(starts=2, version=event.version, reason="The hall was let twice.")
    given["section-0-section"] = event.sections.get().pk
    assert browser_of.post(f"/events/{event.pk}/edit/", given).status_code == 302
    event.refresh_from_db()
    assert (event.state, event.moves.get().reason) == ("late", "The hall was let twice.")
    shown = browser_of.get(f"/events/{event.pk}/").content.decode()
    assert "Late: permission asked" in shown
    assert "With the ratings officer" in shown
    assert "Mopane Open" not in browser_of.get("/events/calendar/").content.decode()


@pytest.mark.rule("chessa 60")
def test_a_late_request_is_corrected_while_it_waits(browser_of, administrator, client):
    send(browser_of, starts=2, reason="The hall was let twice.")
    event, by = Event.objects.get(), officer()
    page = f"/events/{event.pk}/edit/"
    shown = browser_of.get(page).content.decode()
    assert "It waits for permission" in shown
    assert "The event is registered." not in shown
    assert "The hall was let twice." in shown
    given = entry(starts=3, version=event.version, do="save", place="Polokwane", reason="The hall burnt down.")
    given["section-0-section"] = event.sections.get().pk
    assert browser_of.post(page, {**given, "name": ""}).status_code == 422
    assert Event.objects.get().place == "Pretoria"
    assert browser_of.post(page, given).status_code == 302
    event.refresh_from_db()
    assert (event.state, event.place) == ("late", "Polokwane")
    assert [(move.target, move.reason, move.actor) for move in event.moves.all()] == [
        ("late", "The hall was let twice.", administrator),
        ("late", "The hall burnt down.", administrator),
    ]
    assert any("Request to register late corrected" in one.subject for one in mail.outbox)
    client.force_login(by)
    client.post("/admin/events/event/", {"action": "grant", "_selected_action": [event.pk], "reason": "So be it."})
    event.refresh_from_db()
    assert event.state == "registered"


@pytest.mark.rule("chessa 12.1", "chessa 60")
@pytest.mark.parametrize(("action", "state"), [("grant", "registered"), ("refuse", "refused")])
def test_the_officer_decides_a_late_registration_with_a_reason(browser_of, client, action, state):
    send(browser_of, starts=2, reason="The hall was let twice.")
    event = Event.objects.get()
    assert event.state == "late"
    by = officer()
    client.force_login(by)
    ask = {"action": action, "_selected_action": [event.pk]}
    client.post("/admin/events/event/", ask | {"reason": " "})
    event.refresh_from_db()
    assert event.state == "late"
    client.post("/admin/events/event/", ask | {"reason": "We have seen it."})
    event.refresh_from_db()
    last = event.moves.last()
    assert (event.state, last.reason, last.actor) == (state, "We have seen it.", by)


def test_permission_is_for_what_asks_for_it(browser_of):
    event = draft(browser_of)
    with pytest.raises(EventError, match="does not wait"):
        grant_late(event, at=timezone.now(), by=None, reason="why not")
    send(browser_of, f"/events/{event.pk}/edit/", version=event.version)
    event.refresh_from_db()
    with pytest.raises(EventError, match="not registered again"):
        register(event, at=timezone.now(), by=None)


def test_two_browsers_do_not_overwrite_each_other(browser_of):
    event = draft(browser_of)
    address = f"/events/{event.pk}/edit/"
    assert send(browser_of, address, do="save", name="Theirs").status_code == 302
    response = send(browser_of, address, do="save", name="Mine")
    page = response.content.decode()
    assert response.status_code == 409
    assert "Not saved: it was changed meanwhile" in page
    assert 'value="Mine"' in page
    assert Event.objects.get().name == "Theirs"
    # The old version goes along again: asking once more does not help either.
    assert '<input type="hidden" name="version" value="0"' in page


def test_saving_as_one_goes_gives_the_rows_their_keys(browser_of):
    """Every save of the script is a whole one; a row that was saved before is the same row."""
    rows = {"section-TOTAL_FORMS": 3, "section-1-format": "swiss", "section-2-base": 5, "section-2-format": "swiss"}
    rows |= {"arbiter-TOTAL_FORMS": 2, "arbiter-1-arbiter": arbiter("Sipho Dlamini").pk}
    first = browser_of.post(NEW, entry(do="save", **rows), headers={"HX-Request": "true"})
    event = Event.objects.get()
    keys = list(event.sections.values_list("pk", flat=True))
    page = first.content.decode()
    assert first.status_code == 200
    assert f'name="section-0-section" value="{keys[0]}"' in page
    assert 'name="section-1-section" id=' in page
    assert f'name="section-2-section" value="{keys[1]}"' in page
    rows |= {"section-0-section": keys[0], "section-2-section": keys[1]}
    for version in (0, 1):
        again = entry(do="save", version=version, **rows)
        assert browser_of.post(f"/events/{event.pk}/edit/", again, headers={"HX-Request": "true"}).status_code == 200
    assert list(event.sections.values_list("pk", flat=True)) == keys
    assert [one.arbiter.name for one in event.appointments.all()] == ["Grace Tenza", "Sipho Dlamini"]


def test_rows_are_added_and_removed_by_buttons(browser_of):
    added = send(browser_of, do="add-section")
    assert 'name="section-1-base"' in added.content.decode()
    rows = {"section-TOTAL_FORMS": 2, "section-1-name": "B", "section-1-base": 5, "section-1-format": "team"}
    removed = send(browser_of, do="remove-section-0", **rows).content.decode()
    assert 'name="section-1-base"' not in removed
    assert 'name="section-0-name" value="B"' in removed
    assert Event.objects.count() == 0


def test_a_section_with_results_is_not_taken_out(browser_of):
    event = draft(browser_of)
    Entry.objects.create(section=event.sections.get(), player=player(), number=1, points=1, rank=1, name_in_file="x")
    rows = {"section-0-name": "Another", "section-0-section": ""}
    response = send(browser_of, f"/events/{event.pk}/edit/", do="save", **rows)
    assert "has results and cannot be taken out" in response.content.decode()
    assert event.sections.get().name == "A"


def test_a_section_with_a_file_or_a_request_is_not_taken_out(browser_of):
    event = draft(browser_of)
    move_event(event, State.REGISTERED, at=timezone.now())
    one = event.sections.get()
    rows = {"section-0-name": "Another", "section-0-section": ""}
    upload = take_file(event, name="a.trf", content=b"012 A", at=timezone.now(), by=None)
    said = send(browser_of, f"/events/{event.pk}/edit/", do="save", **rows).content.decode()
    assert "has an uploaded file" in said
    upload.delete()
    ask_permission(one, SizeRequest(players=4, rounds=5, reason="Few."), at=timezone.now(), by=None)
    said = send(browser_of, f"/events/{event.pk}/edit/", do="save", **rows).content.decode()
    assert "ermission was asked for" in said
    assert event.sections.get() == one


def test_a_registered_event_is_changed_but_stays_complete(browser_of):
    send(browser_of)
    event = Event.objects.get()
    address, key = f"/events/{event.pk}/edit/", event.sections.get().pk
    keys = {"section-0-section": key, "do": "save"}
    assert send(browser_of, address, name="Marula Open", **keys).status_code == 302
    lacking = send(browser_of, address, version=1, organiser_name="", **keys)
    assert "A registered event stays complete" in lacking.content.decode()
    event.refresh_from_db()
    assert (event.name, event.state, event.version, event.organiser_name) == (
        "Marula Open", "registered", 1, "Thandi Nkosi",
    )  # fmt: skip


@pytest.mark.rule("chessa 60")
def test_a_section_does_not_slip_in_late(browser_of):
    send(browser_of, starts=2, reason="The hall was let twice.")
    event = Event.objects.get()
    grant_late(event, at=timezone.now(), by=None, reason="We have seen it.")
    rows = {"section-0-section": event.sections.get().pk, "section-TOTAL_FORMS": 2, "section-1-base": 5}
    rows |= {"section-1-name": "B", "section-1-format": "swiss", "section-1-rounds": 5, "do": "save"}
    response = send(browser_of, f"/events/{event.pk}/edit/", starts=2, **rows)
    assert response.status_code == 422
    assert "The last day to register this event was" in response.content.decode()
    assert event.sections.count() == 1


def test_withdrawing_wants_a_reason_and_ends_with_the_submission(browser_of, administrator):
    send(browser_of)
    event = Event.objects.get()
    address = f"/events/{event.pk}/withdraw/"
    assert browser_of.post(address, {"reason": " "}).status_code == 422
    assert browser_of.post(address, {"reason": "No hall"}).status_code == 302
    event.refresh_from_db()
    assert (event.state, event.moves.last().reason, event.moves.last().actor) == ("withdrawn", "No hall", administrator)
    shown = browser_of.get(f"/events/{event.pk}/").content.decode()
    assert "It was withdrawn and is not rated." in shown
    assert "To be played" not in shown
    feed = browser_of.get("/events/calendar.ics").content.decode()
    assert "STATUS:CANCELLED" in feed
    Event.objects.update(state=State.SUBMITTED)
    browser_of.post(address, {"reason": "No hall"})
    event.refresh_from_db()
    assert event.state == "submitted"


@pytest.mark.parametrize(("length", "code"), [(1000, 302), (1001, 422)])
def test_a_reason_is_kept_whole_or_refused(browser_of, length, code):
    """As the browser counts: the end of a line is one character."""
    reason = ("x" * 9 + "\r\n") * 99 + "x" * (length - 990)
    send(browser_of)
    event = Event.objects.get()
    answer = browser_of.post(f"/events/{event.pk}/withdraw/", {"reason": reason})
    assert answer.status_code == code
    assert event.moves.filter(reason=reason).exists() == (code == 302)
    assert send(browser_of, name="Late Open", starts=2, reason=reason).status_code == code
    assert (f"The reason has {length} characters" in answer.content.decode()) == (code == 422)


def test_a_draft_is_discarded(browser_of):
    event = draft(browser_of)
    assert browser_of.post(f"/events/{event.pk}/withdraw/").status_code == 302
    assert not Event.objects.exists()


def test_last_years_event_is_copied_to_the_same_weekdays(browser_of):
    send(browser_of)
    first = Event.objects.get()
    day = date(2025, 5, 17)
    Event.objects.update(starts=day, ends=day + timedelta(days=1))
    first.sections.update(starts=day, ends=day + timedelta(days=1))
    response = browser_of.post(f"/events/{first.pk}/copy/")
    made = Event.objects.exclude(pk=first.pk).get()
    assert response["Location"] == f"/events/{made.pk}/edit/"
    assert (made.state, made.starts.weekday(), made.ends - made.starts) == ("draft", 5, timedelta(days=1))
    assert made.starts > timezone.localdate()
    section = made.sections.get()
    assert (section.starts, section.ends, section.base_minutes) == (made.starts, made.ends, 15)
    assert section.rounds.count() == 5
    assert [one.arbiter for one in made.appointments.all()] == [arbiter()]


@pytest.mark.rule("chessa 62.2")
def test_a_hybrid_event_names_its_hubs_and_their_regions_see_it(browser_of):
    response = send(browser_of, kind="hybrid", hubs=[region("LCP").pk])
    assert '<a href="#id_hubs' in response.content.decode()
    event = Event.objects.get()
    hubs = [region().pk, region("LCP").pk]
    rows = {"section-0-section": event.sections.get().pk}
    assert send(browser_of, f"/events/{event.pk}/edit/", kind="hybrid", hubs=hubs, **rows).status_code == 302
    assert set(event.hubs.values_list("code", flat=True)) == {"GAU", "LCP"}
    other = User.objects.create_user("lcp@example.org")
    RegionalAdministrator.objects.create(user=other, region=region("LCP"), since=date(2023, 1, 1))
    assert list(visible_events(other)) == [event]
    # The hubs of what is no hybrid event any more give nobody a right.
    Event.objects.update(kind="otb")
    assert not visible_events(other).exists()


def hub_names(page: str) -> list[str]:
    """The regions that are ticked as hubs, in the order of the page."""
    return re.findall(r'<input[^>]*name="hubs"[^>]* checked[^>]*> (\w{3}) ', page)


def test_hubs_are_found_by_their_names_and_stay_when_a_name_fits_none(browser_of):
    assert 'name="hubs"' not in browser_of.get(NEW).content.decode()
    sent = {"kind": "hybrid", "hubs": [region().pk], "do": "add-hub"}
    assert hub_names(send(browser_of, **sent, hub="capricorn").content.decode()) == ["GAU", "LCP"]
    assert hub_names(send(browser_of, **sent, hub="lcp").content.decode()) == ["GAU", "LCP"]
    unknown = send(browser_of, **sent, hub="Atlantis").content.decode()
    assert hub_names(unknown) == ["GAU"]
    assert "No region is called that: choose one of the list." in unknown
    assert 'value="Atlantis"' in unknown
    several = send(browser_of, **sent, hub="limp").content.decode()
    assert "It fits" in several
    assert hub_names(several) == ["GAU"]


def test_a_hub_that_is_typed_and_not_added_is_saved_with_the_rest(browser_of):
    event = draft(browser_of, kind="hybrid", hubs=[region().pk], hub="Capricorn")
    assert set(event.hubs.values_list("code", flat=True)) == {"GAU", "LCP"}
    wrong = send(
        browser_of, f"/events/{event.pk}/edit/", kind="hybrid", hub="Atlantis", version=event.version, do="save"
    )
    assert wrong.status_code == 422
    assert 'value="Atlantis"' in browser_of.get(f"/events/{event.pk}/edit/").content.decode()
    # Of another kind of event it is nothing.
    assert send(browser_of, hub="Atlantis", do="save").status_code == 302


@pytest.mark.rule("chessa 6", "chessa 7", "chessa 8", "chessa 19", "chessa 20", "chessa 27")
def test_what_the_regulations_make_of_it_stands_beside_the_fields(browser_of):
    who = arbiter(player=player("Tenza", "Grace"))
    look = {"do": "look", "section-0-base": 90, "section-0-increment": 30, "section-0-rounds": 4}
    look |= {"arbiter-0-first": 1, "arbiter-0-last": 3}
    page = send(browser_of, **look).content.decode()
    assert "Standard game, 120 minutes" in page
    assert "Tournament weight on Main 1.000" in page
    assert "at least 6 players and 5 rounds; 4 planned" in page
    assert "No arbiter in round 4" in page
    assert "not paid yet" in page
    assert "Not entered as a player" in page
    assert Event.objects.count() == 0
    Membership.objects.create(arbiter=who, year=ahead(30).year, paid_on=ahead(29))
    assert f"Membership of {ahead(30).year} paid <" in send(browser_of, **look).content.decode()
    event = draft(browser_of)
    Entry.objects.create(
        section=event.sections.get(), player=who.player, number=1, points=1, rank=1, name_in_file="Tenza"
    )
    look["section-0-section"] = event.sections.get().pk
    assert "Is entered as a player" in send(browser_of, f"/events/{event.pk}/edit/", **look).content.decode()
    assert (
        "May play: it is a club event"
        in send(browser_of, f"/events/{event.pk}/edit/", kind="club", **look).content.decode()
    )


def test_my_events_say_what_is_next_and_by_when(browser_of):
    draft(browser_of)
    late = register_event(details(date(2026, 1, 10), date(2026, 1, 10), name="January Open"), at=timezone.now())
    page = browser_of.get("/events/mine/").content.decode()
    assert "Register it" in page
    assert "(article 60)" in page
    assert "January Open" in page
    assert "by 28 Feb 2026 (article 61)" in page
    assert f"/events/{late.pk}/withdraw/" in page


def test_a_month_of_the_calendar(client):
    for day, name in ((date(2026, 3, 31), "Over"), (date(2026, 4, 30), "Last"), (date(2026, 6, 1), "Later")):
        register_event(details(day, day + timedelta(days=1), name=name), at=timezone.now())
    page = client.get("/events/calendar/?month=2026-04").content.decode()
    assert [name for name in ("Over", "Last", "Later") if f">{name}</a>" in page] == ["Over", "Last"]
    assert "?month=2026-03" in page
    assert "?month=2026-06" in page
    for bad in ("x", "2026-13", "1800-01", "9999-12"):
        assert client.get(f"/events/calendar/?month={bad}").status_code == 404
    assert "No event is registered for July 2026." in client.get("/events/calendar/?month=2026-07").content.decode()


def test_the_feed_names_registered_events_with_the_address_of_the_site(client):
    event = register_event(details(ahead(5), ahead(6), name="Mopane, Open"), at=timezone.now())
    Event.objects.create(name="Hidden", region=Region.objects.first(), starts=ahead(5), ends=ahead(5))
    response = client.get("/events/calendar.ics")
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    text = response.content.decode()
    assert "SUMMARY:Mopane\\, Open\r\n" in text
    assert f"URL:{settings.SITE_URL}/events/{event.pk}/\r\n" in text
    assert text.count("BEGIN:VEVENT") == 1


def test_pages_ask_the_same_number_of_queries_for_one_event_and_for_three(client, django_assert_num_queries):
    client.get("/events/calendar/")  # notices are kept from here on
    for count in (1, 2):
        for number in range(count):
            register_event(details(ahead(0), ahead(0), name=f"Open {number}"), at=timezone.now())
        with django_assert_num_queries(1 + 4):
            client.get("/events/calendar/")


def test_withdrawing_a_draft_is_no_move():
    event = Event.objects.create(name="Open", region=region(), starts=ahead(5), ends=ahead(5))
    with pytest.raises(MoveError):
        withdraw(event, at=timezone.now(), by=None, reason="No hall")


def test_the_script_is_answered_with_the_page_and_the_code_in_it(browser_of):
    response = browser_of.post(NEW, entry(do="save", name=""), headers={"HX-Request": "true"})
    assert response.status_code == 200
    page = response.content.decode()
    assert 'data-code="422"' in page
    assert "Not saved yet. Name of the event: This field is required." in page
    assert 'class="problem"' not in page  # what is merely not filled in yet


def test_what_an_officer_changed_in_the_admin_is_not_overwritten_either(browser_of, administrator, client):
    event = draft(browser_of)
    client.force_login(officer())
    address = f"/admin/events/event/{event.pk}/change/"
    assert client.post(address, posted_form(client, address, place="Benoni")).status_code == 302
    client.force_login(administrator)
    assert send(client, f"/events/{event.pk}/edit/", do="save").status_code == 409
    assert Event.objects.get().place == "Benoni"


def test_a_name_of_two_lines_is_said_at_its_field(browser_of):
    said = send(browser_of, name="Mopane\r\nBcc: everybody@example.org")
    assert said.status_code == 422
    assert "Write it on one line." in said.content.decode()
    assert not Event.objects.filter(state="registered").exists()


def test_a_draft_is_seen_by_who_writes_it_and_not_by_its_arbiters(browser_of, administrator):
    event = draft(browser_of)
    user = User.objects.create_user("arbiter@example.org", is_staff=True)
    Arbiter.objects.filter(pk=event.appointments.get().arbiter_id).update(user=user)
    assert list(visible_events(administrator)) == [event]
    assert not visible_events(user).exists()
    Event.objects.update(state="registered")
    assert list(visible_events(user)) == [event]


@pytest.mark.rule("chessa 17.5")
def test_a_section_for_disabled_players_is_registered_as_such(browser_of):
    look = send(browser_of, do="look", **{"section-0-disabled": "on", "section-0-rounds": 3}).content.decode()
    assert "at least 4 players and 3 rounds" in look
    send(browser_of, **{"section-0-disabled": "on"})
    section = Event.objects.get().sections.get()
    assert section.disabled
    page = browser_of.get(f"/events/{section.event_id}/edit/").content.decode()
    assert re.search(r'<input type="checkbox" name="section-0-disabled"[^>]* checked', page)


TWO = {
    "section-TOTAL_FORMS": 2,
    **{
        f"section-1-{name}": value
        for name, value in {"format": "swiss", "base": 15, "increment": 10, "rounds": 5}.items()
    },
}


@pytest.mark.rule("chessa 13.1")
@pytest.mark.parametrize(("first", "second", "code"), [("", "", 422), ("A", "a ", 422), ("A", "B", 302)])
def test_two_sections_are_registered_with_two_names(browser_of, first, second, code):
    answer = send(browser_of, **TWO, **{"section-0-name": first, "section-1-name": second})
    assert answer.status_code == code
    assert Event.objects.get().state == ("registered" if code == 302 else "draft")
    assert code == 302 or 'id="id_section-1-name"' in answer.content.decode()


def test_an_event_whose_sections_the_desk_counts_from_0_is_changed(browser_of):
    send(browser_of, **TWO, **{"section-0-name": "A", "section-1-name": "B"})
    event = Event.objects.get()
    for section in event.sections.all():
        Section.objects.filter(pk=section.pk).update(position=section.position - 1)
    rows = {f"section-{place}-section": section.pk for place, section in enumerate(event.sections.all())}
    names = {"section-0-name": "A", "section-1-name": "B"}
    answer = send(browser_of, f"/events/{event.pk}/edit/", place="Knysna", **TWO, **names, **rows)
    assert answer.status_code == 302
    event.refresh_from_db()
    assert event.place == "Knysna"
    assert list(event.sections.values_list("name", flat=True)) == ["A", "B"]


def test_an_event_of_the_last_year_of_all_is_not_copied(browser_of):
    send(browser_of)
    first = Event.objects.get()
    day = date(2099, 12, 20)
    first.sections.update(starts=day, ends=day)
    Event.objects.update(starts=day, ends=day)
    answer = browser_of.post(f"/events/{first.pk}/copy/", follow=True)
    assert "Nothing was copied: its copy would be in 2100, which cannot be meant." in answer.content.decode()
    assert Event.objects.get() == first


@pytest.mark.rule("chessa 13.1")
def test_the_copy_of_an_event_with_unnamed_sections_is_registered_once_they_have_names(browser_of):
    send(browser_of, **TWO, **{"section-1-name": "B"})
    Section.objects.update(name="")
    draft = copy_event(Event.objects.get(), at=timezone.now())
    with pytest.raises(EventError, match="Name the section"):
        register(draft, at=timezone.now(), by=None)
    for section in draft.sections.all():
        Section.objects.filter(pk=section.pk).update(name=f"Section {section.position}")
    assert register(draft, at=timezone.now(), by=None) == "registered"


@pytest.mark.rule("chessa 10", "chessa 62.1")
def test_an_event_at_home_names_no_other_federation(browser_of):
    answer = send(browser_of, federation="NAM", place="Windhoek")
    assert answer.status_code == 422
    assert "is registered as an event abroad (article 10)" in answer.content.decode()
    assert Event.objects.get().state == "draft"


def test_what_came_back_from_abroad_is_not_changed_in_its_registration(browser_of):
    event = register_event(details(kind="abroad", federation="BOT"), at=timezone.now())
    Event.objects.filter(pk=event.pk).update(state="returned")
    answer = browser_of.get(f"/events/{event.pk}/edit/")
    assert (answer.status_code, answer["Location"]) == (302, "/events/mine/")
    with pytest.raises(EventError, match="no longer changed here"):
        save_registration(Registration(details(pk=event.pk, kind="abroad", federation="ENG")), at=timezone.now())


def test_the_officers_are_told_of_a_late_request(browser_of):
    officer()
    send(browser_of, starts=2, reason="The hall was let twice.")
    (sent,) = mail.outbox
    assert sent.to == ["officer@example.org"]
    assert sent.subject == "Permission asked to register late: Mopane Open"
    assert "The hall was let twice." in sent.body
    assert "http://127.0.0.1:8000/admin/events/event/?state__exact=late" in sent.body


@pytest.mark.rule("chessa 60")
@pytest.mark.parametrize("reason", ["", " ", "\u200b", "\u2800"])
def test_a_late_event_is_not_taken_in_for_a_reason_that_cannot_be_read(reason):
    event = details(ahead(0), ahead(0))
    with pytest.raises(LateError, match="Say why the bureau takes it in"):
        require_late_reason(event, reason, at=timezone.now())
    assert require_late_reason(event, " It was \u200bannounced ", at=timezone.now()) == "It was announced"
    assert require_late_reason(details(ahead(60), ahead(60)), "", at=timezone.now()) == ""


@pytest.mark.parametrize(
    ("pattern", "first", "days"),
    [
        ("one-day", "", [30, 30, 30, 30, 30]),
        ("daily", "", [30, 31, 32, 33, 34]),
        ("two-a-day", "", [30, 30, 31, 31, 32]),
        ("weekly", 31, [31, 38, 45, 52, 59]),
        ("", "", None),
    ],
)
def test_the_days_of_all_rounds_are_filled_in_at_once(browser_of, pattern, first, days):
    given = {"ends": ahead(90), "section-0-pattern": pattern, "section-0-from": ahead(first) if first else ""}
    answer = send(browser_of, do="days-0", **given)
    assert answer.status_code == 200
    found = re.findall(r'name="section-0-day_\d+" value="([^"]*)"', answer.content.decode())
    assert found == ([ahead(day).isoformat() for day in days] if days else [])


def test_an_arbiter_of_rounds_that_no_section_has_is_remarked_on(browser_of):
    answer = send(browser_of, do="look", arbiter__0__first=1, arbiter__0__last=6)
    assert "No section has round 6: the last one is round 5" in answer.content.decode()
    answer = send(browser_of, do="look", arbiter__0__first=1, arbiter__0__last=5)
    assert "No section has round" not in answer.content.decode()
