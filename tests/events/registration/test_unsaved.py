"""Nothing typed into a registration is lost: what is right is saved, what is wrong stays as typed until it is mended."""

import re
from datetime import timedelta
from html import unescape
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client

from events.models import Event, UnsavedRegistration
from events.operations import EventError
from events.registration.operations import discard_draft
from events.registration.unsaved import BEGUN_KEPT, clear_begun
from tests.builders import officer
from tests.events.registration.entries import NEW, arbiter, draft, entry, organiser, send

pytestmark = pytest.mark.django_db
SCRIPT = {"HX-Request": "true"}


def edit(event: Event) -> str:
    return f"/events/{event.pk}/edit/"


def shown(client, address: str) -> str:
    return client.get(address).content.decode()


@pytest.mark.parametrize("headers", [{}, SCRIPT])
def test_a_wrong_field_keeps_no_other_from_being_saved(browser_of, headers):
    event = draft(browser_of)
    sent = entry(
        do="save", place="Benoni", **{"organiser_number": "123", "section-0-rounds": "many", "version": event.version}
    )
    sent |= {"section-0-section": event.sections.get().pk, "section-0-base": 60}
    answer = browser_of.post(edit(event), sent, headers=headers)
    assert answer.status_code == (200 if headers else 422)
    event.refresh_from_db()
    section = event.sections.get()
    assert (event.place, event.organiser_number) == ("Benoni", organiser())  # as it was saved before
    assert (section.base_minutes, section.planned_rounds) == (60, 5)
    page = shown(browser_of, edit(event))
    for typed in (
        'value="123"',
        'value="many"',
        "Nobody on the register has the Chess SA id 123",
        "Write a whole number",
    ):
        assert typed in page
    assert f'name="version" value="{event.version}"' in page


def test_what_is_wrong_is_shown_to_whoever_opens_the_draft_until_it_is_right(browser_of, administrator):
    event = draft(browser_of)
    key = event.sections.get().pk
    send(browser_of, edit(event), do="save", organiser_number="123", section__0__section=key)
    elsewhere = Client()
    elsewhere.force_login(administrator)
    assert 'value="123"' in shown(elsewhere, edit(event))
    event.refresh_from_db()
    right = send(elsewhere, edit(event), do="save", version=event.version, section__0__section=key)
    assert right.status_code == 302
    assert 'value="123"' not in shown(browser_of, edit(event))
    assert not UnsavedRegistration.objects.exists()


def test_what_another_has_typed_since_the_page_was_opened_is_kept(browser_of, administrator):
    event = draft(browser_of)
    Event.objects.update(state="registered")
    key, other = event.sections.get().pk, Client()
    other.force_login(officer())
    opened = shown(other, edit(event))
    assert re.search(r'name="typed" value=""', opened)
    wrong = {"do": "save", "organiser_number": "123", "section__0__section": key, "version": event.version}
    kept = send(browser_of, edit(event), **wrong, typed="")
    moment = re.search(r'name="typed" value="([^"]+)"', kept.content.decode())[1]
    assert (kept.status_code, moment) == (422, UnsavedRegistration.objects.get().at.isoformat())
    assert send(browser_of, edit(event), **wrong, typed=moment).status_code == 422  # in place of his own words
    right = {**wrong, "organiser_number": organiser(), "typed": ""}
    assert send(other, edit(event), **right).status_code == 302
    assert UnsavedRegistration.objects.get().by == administrator
    told = send(other, edit(event), **{**wrong, "organiser_number": "45", "typed": ""})
    assert (told.status_code, "what you typed now is not" in told.content.decode()) == (422, True)
    assert UnsavedRegistration.objects.get().by == administrator
    typed = re.search(r'name="typed" value="([^"]+)"', shown(other, edit(event)))[1]
    event.refresh_from_db()
    assert send(other, edit(event), **{**right, "typed": typed, "version": event.version}).status_code == 302
    assert not UnsavedRegistration.objects.exists()


NOT_KEPT = "Somebody has typed here meanwhile, and that is kept: what "


def test_a_draft_that_is_saved_but_for_what_is_wrong_says_if_that_is_not_kept(browser_of):
    event = draft(browser_of)
    other, key = Client(), event.sections.get().pk
    other.force_login(officer())
    given = {"version": event.version, "section__0__section": key, "typed": ""}
    assert send(other, edit(event), **given, do="add-section", organiser_name="Officer").status_code == 200
    answer = send(browser_of, edit(event), **given, do="save", organiser_number="123", place="Benoni")
    page = unescape(answer.content.decode())
    assert (answer.status_code, "stays as you typed it" in page) == (422, False)
    assert f"{NOT_KEPT}you typed and could not be saved is not." in page
    assert 'value="123"' in page
    assert Event.objects.get().place == "Benoni"
    assert UnsavedRegistration.objects.get().fields["organiser_name"] == ["Officer"]


@pytest.mark.parametrize("headers", [{}, SCRIPT])
def test_a_reason_that_is_not_kept_stays_on_the_page_and_is_told_of(browser_of, headers):
    event = draft(browser_of, starts=1)
    other, key = Client(), event.sections.get().pk
    other.force_login(officer())
    given = {"version": event.version, "section__0__section": key, "typed": ""}
    assert send(other, edit(event), **given, starts=1, do="add-section", organiser_name="Officer").status_code == 200
    sent = entry(**given, starts=1, do="save", reason="The hall was let twice.")
    answer = browser_of.post(edit(event), sent, headers=headers)
    page = unescape(answer.content.decode())
    assert answer.status_code == 200
    assert f"{NOT_KEPT}you typed and could not be saved is not." in page
    assert "The hall was let twice." in page


def test_a_row_added_after_another_has_typed_is_not_kept_and_told_of(browser_of):
    event = draft(browser_of)
    other, key = Client(), event.sections.get().pk
    other.force_login(officer())
    given = {"version": event.version, "section__0__section": key, "typed": "", "do": "add-section"}
    assert NOT_KEPT not in send(other, edit(event), **given, organiser_name="Officer").content.decode()
    page = send(browser_of, edit(event), **given, organiser_name="Administrator").content.decode()
    assert f"Not saved yet. {NOT_KEPT}you typed now is not." in page
    assert 'value="Administrator"' in page
    assert UnsavedRegistration.objects.get().fields["organiser_name"] == ["Officer"]


def test_a_row_added_to_a_draft_that_was_discarded_meanwhile_is_shown(browser_of):
    event = draft(browser_of)

    def discards(execute, sql, *rest):
        if sql.startswith("SAVEPOINT") and Event.objects.exists():
            Event.objects.all().delete()
        return execute(sql, *rest)

    with connection.execute_wrapper(discards):
        answer = send(browser_of, edit(event), do="add-section", place="Benoni", version=event.version)
    assert (answer.status_code, 'value="Benoni"' in answer.content.decode()) == (200, True)
    assert not UnsavedRegistration.objects.exists()


@pytest.mark.parametrize("typed", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-01-01", "x\0"])
def test_a_moment_that_no_page_shows_is_none(browser_of, typed):
    event = draft(browser_of)
    assert browser_of.post(edit(event), {"do": "forget", "typed": typed}).status_code in (302, 400)


def test_a_draft_that_was_discarded_meanwhile_is_told_of_with_what_was_typed(browser_of):
    event = draft(browser_of)

    def discards(execute, sql, *rest):
        if sql.startswith("SAVEPOINT") and Event.objects.exists():
            Event.objects.all().delete()
        return execute(sql, *rest)

    with connection.execute_wrapper(discards):
        answer = send(browser_of, edit(event), do="save", place="Benoni", version=event.version)
    assert answer.status_code == 422
    page = unescape(answer.content.decode())
    assert "the draft was discarded meanwhile" in page
    assert 'value="Benoni"' in page
    with pytest.raises(EventError, match="discarded meanwhile"):
        discard_draft(event)


def test_a_registration_that_is_no_draft_yet_is_kept_for_who_began_it(browser_of, client):
    page = "0e37df36-f698-11e6-8dd4-cb9ced3df976"
    assert send(browser_of, do="save", name="", place="Benoni", page=page).status_code == 422
    assert not Event.objects.exists()
    assert 'value="Benoni"' in shown(browser_of, NEW)
    assert 'value="Benoni"' not in shown(browser_of, f"{NEW}?new")
    assert send(browser_of, do="save", name="Mopane Open", place="Benoni", page=page).status_code == 302
    assert 'value="Benoni"' not in shown(browser_of, NEW)


def test_two_registrations_that_were_begun_do_not_take_each_others_place(browser_of):
    pages = ["0e37df36-f698-11e6-8dd4-cb9ced3df97" + digit for digit in "67"]
    for page, place in zip(pages, ("Benoni", "Springs"), strict=True):
        send(browser_of, do="save", starts="", ends="", name=f"{place} Open", place=place, page=page)
    assert UnsavedRegistration.objects.count() == 2
    answer = shown(browser_of, NEW)
    assert 'value="Springs"' in answer
    assert "Benoni Open" in answer
    first = UnsavedRegistration.objects.get(page=pages[0])
    assert 'value="Benoni"' in shown(browser_of, f"{NEW}?begun={first.pk}")


def test_a_new_section_that_cannot_be_saved_stays_as_typed_beside_the_others(browser_of):
    rows = {"section-TOTAL_FORMS": 3, "section-1-name": "B", "section-1-format": "swiss", "section-1-rounds": 7}
    rows |= {"section-2-name": "C", "section-2-format": "swiss", "section-2-base": 60, "section-2-rounds": 7}
    assert send(browser_of, do="save", **rows).status_code == 422
    event = Event.objects.get()
    assert [section.name for section in event.sections.all()] == ["A", "C"]
    page = shown(browser_of, edit(event))
    assert 'name="section-1-name" value="B"' in page
    keys = [section.pk for section in event.sections.all()]
    for place, key in ((0, keys[0]), (2, keys[1])):
        assert f'name="section-{place}-section" value="{key}"' in page
    assert 'name="section-1-section"' in page
    rows |= {"section-1-base": 30, "section-0-section": keys[0], "section-2-section": keys[1]}
    assert send(browser_of, edit(event), do="save", version=event.version, **rows).status_code == 302
    assert {section.name for section in event.sections.all()} == {"A", "B", "C"}


def test_a_wrong_arbiter_row_stays_as_typed(browser_of):
    rows = {"arbiter-TOTAL_FORMS": 2, "arbiter-1-arbiter": arbiter("Sipho Dlamini").pk, "arbiter-1-first": "0"}
    assert send(browser_of, do="save", **rows).status_code == 422
    event = Event.objects.get()
    assert event.appointments.count() == 2
    assert 'name="arbiter-1-first" value="0"' in shown(browser_of, edit(event))


def test_the_reason_for_coming_late_is_kept_with_the_draft(browser_of):
    event = draft(browser_of, starts=1, reason="The hall was let twice.")
    assert "The hall was let twice." in shown(browser_of, edit(event))


def test_a_refused_change_of_a_registered_event_is_kept_and_can_be_taken_away(browser_of):
    send(browser_of)
    event = Event.objects.get()
    key = event.sections.get().pk
    refused = send(browser_of, edit(event), do="save", organiser_number="123", place="Benoni", section__0__section=key)
    assert refused.status_code == 422
    event.refresh_from_db()
    assert event.place == "Pretoria"  # it is public: nothing of a wrong form is
    page = shown(browser_of, edit(event))
    assert 'value="123"' in page
    assert 'value="Benoni"' in page
    assert 'value="Pretoria"' in shown(browser_of, f"{edit(event)}?saved")
    browser_of.post(edit(event), {"do": "forget"})
    assert 'value="Pretoria"' in shown(browser_of, edit(event))


def test_what_somebody_else_saved_meanwhile_is_not_overwritten_by_what_was_typed(browser_of):
    event = draft(browser_of)
    send(browser_of, edit(event), do="save", organiser_number="123", section__0__section=event.sections.get().pk)
    Event.objects.update(version=9, place="Springs")
    page = shown(browser_of, edit(event))
    assert "Not saved: it was changed meanwhile" in page
    assert 'value="123"' in page
    assert 'value="Springs"' in shown(browser_of, f"{edit(event)}?saved")


def test_a_torn_form_is_not_kept(browser_of):
    assert send(browser_of, do="save", **{"section-TOTAL_FORMS": "x"}).status_code == 422
    assert not UnsavedRegistration.objects.exists()


def test_what_was_typed_goes_with_the_draft(browser_of):
    event = draft(browser_of)
    send(browser_of, edit(event), do="save", organiser_number="123", section__0__section=event.sections.get().pk)
    event.delete()
    assert not UnsavedRegistration.objects.exists()


def test_a_registration_that_was_begun_and_left_alone_is_cleared_after_the_days_that_the_page_names(browser_of):
    send(browser_of, do="save", name="", page=str(uuid4()))
    changed = UnsavedRegistration.objects.get().at
    assert f"It is kept for {BEGUN_KEPT.days} days after the last change." in shown(browser_of, NEW)
    clear_begun(at=changed + BEGUN_KEPT - timedelta(seconds=1))
    assert UnsavedRegistration.objects.exists()
    clear_begun(at=changed + BEGUN_KEPT)
    assert not UnsavedRegistration.objects.exists()


def test_what_is_kept_of_an_event_is_not_cleared(browser_of):
    event = draft(browser_of)
    send(browser_of, edit(event), do="save", organiser_number="123", version=event.version)
    kept = UnsavedRegistration.objects.get(event=event)
    clear_begun(at=kept.at + 2 * BEGUN_KEPT)
    assert UnsavedRegistration.objects.exists()
