"""Registrations that are sent twice, changed late, changed after the event, or torn."""

import re
from uuid import uuid4

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from events.models import Appointment, Arbiter, Entry, Event, Round, Section
from events.operations import register_event
from events.registration.operations import grant_late, save_registration
from events.registration.queries import read_registration
from tests.builders import details, everything, player, region
from tests.events.registration.entries import NEW, ahead, arbiter, draft, entry, saved, send
from tests.events.submission.world import played

pytestmark = pytest.mark.django_db

LOCKED = {"name", "region", "kind", "starts", "ends", "fide_rated", "norm_event"} | {
    f"section-0-{name}" for name in ("name", "format", "base", "increment", "rounds", "disabled", "starts", "ends")
}


@pytest.mark.rule("chessa 60")
def test_a_section_is_not_swapped_for_another_late(browser_of):
    send(browser_of, starts=2, reason="The hall was let twice.")
    event = Event.objects.get()
    grant_late(event, at=timezone.now(), by=None, reason="We have seen it.")
    before = saved()
    response = send(browser_of, f"/events/{event.pk}/edit/", starts=2, do="save", **{"section-0-base": 3})
    assert response.status_code == 422
    assert "The last day to register this event was" in response.content.decode()
    assert saved() == before


def test_what_has_been_played_is_completed_and_not_planned_again(browser_of):
    send(browser_of)
    event, section = Event.objects.get(), Section.objects.get()
    Event.objects.update(starts=ahead(-1), ends=ahead(-1))
    Section.objects.update(starts=ahead(-1), ends=ahead(-1))
    Round.objects.update(date=ahead(-1))
    address, same = f"/events/{event.pk}/edit/", {"section-0-section": section.pk, "do": "save", "starts": ahead(-1)}
    page = browser_of.get(address).content.decode()
    assert "The event has been played." in page
    # What stays looks so, and is sent all the same, so that saving the page as it is changes nothing.
    assert {name for name in LOCKED if re.search(rf'name="{name}"[^>]* (readonly|disabled)', page)} == LOCKED
    assert '<input type="hidden" name="kind" value="otb">' in " ".join(page.split())
    assert not re.search(
        r'name="(place|organiser_name|section-0-day_1|arbiter-0-arbiter)"[^>]* (readonly|disabled)', page
    )
    assert "Remove section" not in page
    before = saved()
    for change in ({"name": "Another"}, {"kind": "national"}, {"section-0-base": 3}, {"section-0-section": ""}):
        answer = browser_of.post(address, entry(starts=-1) | same | change)
        assert answer.status_code == 422
        assert "this stays as it was registered" in answer.content.decode()
    assert saved() == before
    others = {"organiser_name": "Thandi Zodwa Nkosi"}, {"arbiter-0-arbiter": arbiter("Sipho Dlamini").pk}
    for other, why in zip(others, ("say why its Chief Organiser changes", "say why its arbiters change"), strict=True):
        unsaid = browser_of.post(address, entry(starts=-1) | same | other)
        assert unsaid.status_code == 422
        assert why in unsaid.content.decode()
    done = {"place": "Benoni"} | others[0] | others[1]
    done["change_reason"] = "She fell ill."
    assert browser_of.post(address, entry(starts=-1) | same | done).status_code == 302
    event.refresh_from_db()
    assert (event.place, event.organiser_name, event.appointments.get().arbiter.name) == (
        "Benoni", "Thandi Zodwa Nkosi", "Sipho Dlamini",
    )  # fmt: skip


def test_what_has_results_is_not_planned_again_before_its_last_day_either(browser_of):
    send(browser_of)
    event, section = Event.objects.get(), Section.objects.get()
    Entry.objects.create(section=section, player=player(), number=1, points=1, rank=1, name_in_file="x")
    answer = send(
        browser_of, f"/events/{event.pk}/edit/", name="Another", do="save", **{"section-0-section": section.pk}
    )
    assert "Its results are here, and this stays as it was registered: the name." in answer.content.decode()


def test_a_double_click_makes_one_event(browser_of):
    page = str(uuid4())
    first, second = send(browser_of, page=page), send(browser_of, page=page)
    event = Event.objects.get()
    assert first["Location"] == second["Location"] == f"/events/{event.pk}/"
    assert "saved once" in browser_of.get(second["Location"]).content.decode()
    assert send(browser_of, name="Marula Open", page=str(uuid4())).status_code == 302
    assert Event.objects.count() == 2


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize(
    ("starts", "reason", "state"), [(30, "", "registered"), (2, "The hall was let twice.", "late")]
)
def test_what_was_cut_off_while_it_was_registered_is_sent_again_whole(browser_of, begun, starts, reason, state):
    """The database is gone or the process killed amid it: it is registered when it is sent again, and said no sooner."""

    def breaks(execute, sql, params, many, context):
        if sql.startswith("INSERT INTO") and "events_eventmove" in sql:
            raise OperationalError("database is locked")
        return execute(sql, params, many, context)

    sent, address = {"page": str(uuid4()), "starts": starts, "reason": reason}, NEW
    if begun:
        event = draft(browser_of, starts=starts)
        address = f"/events/{event.pk}/edit/"
        sent |= {"version": event.version, "section-0-section": event.sections.get().pk}
    browser_of.raise_request_exception = False
    whole = entry(**sent)
    before = saved()
    with connection.execute_wrapper(breaks):
        assert browser_of.post(address, whole).status_code == 503
    assert saved() == before
    answer = browser_of.post(address, whole)
    event = Event.objects.get()
    assert (event.state, answer["Location"]) == (state, f"/events/{event.pk}/")
    assert [move.reason for move in event.moves.all()] == [reason]
    assert "sent twice" not in browser_of.get(answer["Location"]).content.decode()


def test_a_double_click_on_a_draft_registers_it_once(browser_of):
    event = draft(browser_of, page=str(uuid4()))
    given = entry(version=event.version, **{"section-0-section": event.sections.get().pk})
    answers = [browser_of.post(f"/events/{event.pk}/edit/", given) for _ in range(2)]
    assert [answer["Location"] for answer in answers] == [f"/events/{event.pk}/"] * 2
    assert event.moves.count() == 1


def test_the_page_of_a_new_registration_has_a_key_of_its_own(browser_of):
    keys = [re.search(r'name="page" value="([-0-9a-f]{36})"', browser_of.get(NEW).content.decode())[1] for _ in "12"]
    assert keys[0] != keys[1]


def test_another_regions_page_is_not_ones_own(browser_of):
    page = str(uuid4())
    send(browser_of, page=page)
    Event.objects.update(region=region("LCP"))
    assert send(browser_of, page=page).status_code == 404
    assert Event.objects.count() == 1


def test_the_same_name_on_the_same_days_is_said_and_not_forbidden(browser_of):
    twin = register_event(details(ahead(30), ahead(30), name="MOPANE  Open", region=region("LCP")), at=timezone.now())
    hint = f"{twin.region.name}. If it is the same event"
    look = send(browser_of, do="look").content.decode()
    assert hint in look
    assert f'href="/events/{twin.pk}/"' in look
    for other in ({"name": "Marula Open"}, {"starts": 31}):
        assert hint not in send(browser_of, do="look", **other).content.decode()
    answer = send(browser_of)
    assert answer.status_code == 302
    assert hint in browser_of.get(answer["Location"]).content.decode()
    for state in ("draft", "withdrawn", "refused"):
        Event.objects.filter(pk=twin.pk).update(state=state)
        assert hint not in send(browser_of, do="look").content.decode()


def test_a_row_that_stands_twice_saves_nothing(browser_of):
    event = draft(browser_of)
    key = event.sections.get().pk
    rows = {"section-TOTAL_FORMS": 2, "section-0-section": key, "section-1-section": key, "section-1-base": 60}
    before = everything()
    answer = send(browser_of, f"/events/{event.pk}/edit/", do="save", **rows, **{"section-1-format": "swiss"})
    assert answer.status_code == 422
    assert "The form arrived torn." in answer.content.decode()
    assert everything() == before


@pytest.mark.parametrize("do", ["remove-section-" + "9" * 5000, "remove-section-²", "remove-section-0"])
def test_a_row_that_cannot_be_named_is_not_removed(browser_of, do):
    assert send(browser_of, do=do, **{"section-²-x": 1, "section-" + "9" * 500 + "-x": 1}).status_code == 200


@pytest.mark.rule("chessa 13.1")
@pytest.mark.parametrize("names", [("", ""), ("A", "A")])
def test_what_was_registered_before_sections_needed_names_is_still_completed(names):
    event = played("A", "B", organiser_number=player("Nkosi", "Thandi").number)
    for section, name in zip(event.sections.order_by("position"), names, strict=True):
        Section.objects.filter(pk=section.pk).update(name=name)
    grace = Arbiter.objects.create(name="Grace Tenza", title="IA", number="100000008")
    Appointment.objects.create(event=event, arbiter=grace, position=1, since=timezone.now())
    registration = read_registration(event)
    registration.event.place = "Durban"
    save_registration(registration, at=timezone.now())
    event.refresh_from_db()
    assert event.place == "Durban"
