"""Refusing an event or one section of it: the notice, what is rated all the same, and what is public."""

from datetime import date

import pytest
from django.core import mail
from django.db.models import RestrictedError
from django.utils import timezone

from accounts.models import Mail
from config.services import SMTP_BACKEND
from events.appeals.operations import refuse_section
from events.models import Event, RatingPeriod, Refusal, Section, SubmissionFinding
from events.operations import EventError, accept_event, move_event, return_event
from events.periods import get_or_create_period
from events.rules.states import State
from events.submission.validation import validate_file
from events.visibility import public_players
from ratings.models import Performance
from ratings.runs.inputs import read_input
from tests.builders import (
    CLOCK,
    MARCH,
    calculate,
    everything,
    officer,
    open_file,
    period,
    publish,
    refused_by,
    region,
    section_file,
    submitted,
)
from tests.events.appeals.cases import act, section, two_sections

pytestmark = pytest.mark.django_db
WHY = "Two time controls were used."
MARCH_3 = date(2024, 3, 3)


@pytest.fixture
def officer_client(client):
    client.force_login(officer())
    return client


def refuse(event, name="B", at=CLOCK):
    return refuse_section(section(event, name), at=at, by=None, reason=WHY)


@pytest.mark.rule("chessa 11")
def test_the_notice_of_a_refused_event_bears_time_actor_and_reason():
    event, by = two_sections(), officer()
    now = timezone.now()
    move_event(event, State.REFUSED, at=now, by=by, reason=WHY)
    refusal = event.refusals.get()
    assert (refusal.section, refusal.at, refusal.by, refusal.reason) == (None, now, by, WHY)


@pytest.mark.rule("chessa 11")
def test_a_section_that_is_refused_is_not_rated_and_the_rest_is():
    event = two_sections(MARCH_3)
    refusal = refuse(event)
    assert (refusal.section, refusal.reason, event.state) == (section(event), WHY, "submitted")
    accept_event(event, at=CLOCK)
    assert (section(event, "A").period, section(event).period) == (period(), None)
    publish()
    event.refresh_from_db()
    assert event.state == "published"
    assert set(Performance.objects.values_list("section", flat=True)) == {section(event, "A").pk}


@pytest.mark.rule("chessa 11")
@pytest.mark.parametrize("calculated", [False, True])
def test_an_accepted_section_leaves_its_period_and_the_run_is_made_again(calculated):
    event = two_sections(MARCH_3, state=State.ACCEPTED)
    before = calculate().input_hash if calculated else read_input(period()).hash
    refuse(event)
    assert section(event).period is None
    assert read_input(period()).hash != before
    publish()
    event.refresh_from_db()
    assert event.state == "published"
    assert set(Performance.objects.values_list("section", flat=True)) == {section(event, "A").pk}


@pytest.mark.parametrize("published", [False, True])
def test_an_event_goes_on_when_the_section_that_it_waited_for_is_refused(published):
    """Its A section counts in March, its B section would have counted in April."""
    event = two_sections(MARCH_3, state=State.ACCEPTED)
    Section.objects.filter(pk=section(event).pk).update(period=get_or_create_period(date(2024, 4, 1)))
    (publish if published else calculate)()
    event.refresh_from_db()
    assert event.state == "accepted"
    refuse(event)
    event.refresh_from_db()
    assert event.state == ("published" if published else "calculated")
    if not published:
        publish_again = RatingPeriod.objects.get(month=MARCH).runs.get(state="calculated")
        assert publish_again.input_hash == read_input(period()).hash


def test_a_refused_section_wants_no_decision_on_its_holds():
    event = submitted(open_file(dated=False))
    twin = Section.objects.get()
    rest = Section.objects.create(event=event, name="A", position=2, base_minutes=90, starts=MARCH_3, ends=MARCH_3)
    assert SubmissionFinding.objects.filter(severity="hold").exists()
    refuse_section(twin, at=CLOCK, by=None, reason=WHY)
    accept_event(event, at=CLOCK)
    rest.refresh_from_db()
    assert rest.period == period()


@pytest.mark.parametrize(
    ("prepare_event", "said"),
    [
        (lambda event: refuse(event), "it is refused already"),
        (lambda event: refuse(event, "A"), "no other section of its event is rated: refuse the event instead"),
        (lambda event: Event.objects.update(state="registered"), "its event is registered"),
        (lambda event: move_event(event, State.REFUSED, at=CLOCK, reason=WHY), "its event is refused"),
        (lambda event: (accept_event(event, at=CLOCK), publish()), "part of the published list"),
    ],
)
def test_what_cannot_be_refused_says_why_and_stays(prepare_event, said):
    event = two_sections(MARCH_3)
    prepare_event(event)
    before = everything()
    with pytest.raises(EventError, match=said):
        refuse(event)
    assert everything() == before


def test_a_refusal_has_a_reason_and_stands_once():
    event = two_sections()
    with pytest.raises(EventError, match="give the reason"):
        refuse_section(section(event), at=CLOCK, by=None, reason=" \n")
    row = {"event": event, "at": CLOCK, "reason": WHY}
    Refusal.objects.create(**row)
    Refusal.objects.create(**row, section=section(event))
    for name, fields in (
        ("refusal_of_event_once", row),
        ("refusal_of_section_once", row | {"section": section(event)}),
        ("refusal_with_a_reason", row | {"section": section(event, "A"), "reason": ""}),
    ):
        with refused_by(name):
            Refusal.objects.create(**fields)


@pytest.mark.rule("chessa 11")
def test_the_results_of_a_refused_section_are_not_public(client):
    event = two_sections(MARCH_3, state=State.ACCEPTED)
    refuse(event)
    page = client.get(f"/events/{event.pk}/").content.decode()
    assert "The ratings bureau refused this section on 2 Apr 2024 and gave the reason to the region" in page
    assert WHY not in page
    assert "B: refused" in page
    shown = section(event, "A").games.get().white
    hidden = section(event).games.get().white
    assert client.get(f"/players/{shown.number}/").content.decode().count("Mopane Open") > 0
    assert "Mopane Open" not in client.get(f"/players/{hidden.number}/").content.decode()
    assert {shown, hidden} <= set(public_players())


def test_who_stands_in_a_refused_section_only_is_not_public():
    event = submitted()
    newcomer = event.sections.get().entries.first().player
    Section.objects.create(event=event, name="A", position=2, base_minutes=90, starts=MARCH_3, ends=MARCH_3)
    refuse_section(event.sections.get(position=1), at=CLOCK, by=None, reason=WHY)
    accept_event(event, at=CLOCK)
    assert newcomer not in public_players()


def test_a_file_is_not_submitted_for_a_refused_section():
    event = submitted()
    one = event.sections.get()
    Section.objects.create(event=event, name="A", position=2, base_minutes=90, starts=MARCH_3, ends=MARCH_3)
    refuse_section(one, at=CLOCK, by=None, reason=WHY)
    return_event(event, at=CLOCK, reason="names")
    one.refresh_from_db()
    errors = validate_file(section_file(section=one), today=CLOCK.date()).errors
    assert "is refused and stays as it is, unless an appeal is upheld" in errors[0].message


@pytest.mark.rule("chessa 11")
def test_the_region_is_told_by_mail_why_and_how_long_it_may_appeal(officer_client, administrator):
    event = two_sections()
    last = timezone.localdate().toordinal() + 21
    said = act(officer_client, "section", "refuse", [section(event)], WHY)
    assert said == ["A mail is on its way to gau@example.org.", f"1 refused: {section(event)}."]
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["gau@example.org"], "Not rated: Mopane Open, B")
    assert WHY in sent.body
    assert f"until the end of {date.fromordinal(last):%-d %B %Y} (article 11" in sent.body
    assert f"http://127.0.0.1:8000/events/{event.pk}/appeal/" in sent.body
    act(officer_client, "event", "refuse", [event], WHY)
    assert mail.outbox[1].subject == "Not rated: Mopane Open"


def test_a_refusal_without_a_reason_is_no_refusal_and_sends_nothing(officer_client, administrator):
    event = two_sections()
    (said,) = act(officer_client, "section", "refuse", [section(event)])
    assert "give the reason" in said
    assert (Refusal.objects.count(), mail.outbox) == (0, [])


def test_a_mail_that_does_not_go_at_once_waits_and_the_decision_stands(officer_client, administrator, settings):
    settings.EMAIL_BACKEND = SMTP_BACKEND
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    event = two_sections()
    said = act(officer_client, "section", "refuse", [section(event)], WHY)
    assert said == ["A mail is on its way to gau@example.org.", f"1 refused: {section(event)}."]
    assert (Refusal.objects.count(), mail.outbox) == (1, [])
    waiting = Mail.objects.get()
    assert (waiting.state, waiting.attempts, "refused" in waiting.last_error) == ("waiting", 1, True)
    assert waiting.next_at > timezone.now()
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    Mail.objects.update(next_at=timezone.now())
    (sent,) = mail.outbox
    assert WHY in sent.body


def test_a_region_without_an_administrator_is_said(officer_client):
    event = two_sections()
    event.region = region("LVT")
    event.save()
    assert act(officer_client, "section", "refuse", [section(event)], WHY)[0].startswith(
        "Nobody administers the region"
    )


@pytest.mark.parametrize(("reason", "said"), [("x" * 10_000, "at most 500 characters")])
def test_a_reason_that_cannot_be_kept_is_said(officer_client, administrator, reason, said):
    event = two_sections()
    before = everything()
    (message,) = act(officer_client, "section", "refuse", [section(event)], reason)
    assert said in message
    assert everything() == before


def test_a_refused_section_stays_on_record_with_its_event():
    event = two_sections(MARCH_3)
    refuse(event)
    with pytest.raises(RestrictedError):
        section(event).delete()
    event.delete()
    assert not Refusal.objects.exists()
