"""Reminders of results that are due: seven days and one day before, once each, to whoever is in office."""

from datetime import date, timedelta

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import Mail, User
from config.services import SMTP_BACKEND
from events.models import Event, Reminder
from events.operations import move_event
from events.rules.states import State
from events.submission.reminders import due_reminders, remind
from events.tasks import remind_regions
from players.models import RegionalAdministrator
from tests.builders import region
from tests.events.submission.world import played

pytestmark = pytest.mark.django_db
ENDED = date(2025, 1, 12)
CLOSES = date(2025, 2, 28)


def event():
    return played(first=ENDED, last=ENDED)


@pytest.mark.rule("chessa 61")
@pytest.mark.parametrize(
    ("today", "expected"),
    [
        (CLOSES - timedelta(days=8), []),
        (CLOSES - timedelta(days=7), [7]),
        (CLOSES - timedelta(days=2), [7]),
        (CLOSES - timedelta(days=1), [1]),
        (CLOSES, [1]),
        (CLOSES + timedelta(days=1), []),
    ],
)
def test_when_a_reminder_is_due(today, expected):
    event()
    assert [days for _, days in due_reminders(today=today)] == expected


def test_what_is_submitted_or_withdrawn_is_not_asked_for():
    move_event(event(), State.SUBMITTED, at=timezone.now())
    move_event(event(), State.WITHDRAWN, at=timezone.now(), reason="no")
    assert list(due_reminders(today=CLOSES)) == []


def test_it_goes_once_to_whoever_is_in_office(administrator):
    before = User.objects.create_user("before@example.org")
    RegionalAdministrator.objects.create(user=before, region=region(), since=date(2020, 1, 1), until=date(2023, 1, 1))
    found = event()
    assert remind(found, 7, at=timezone.now())
    assert not remind(found, 7, at=timezone.now())
    assert remind(found, 1, at=timezone.now())
    assert [one.to for one in mail.outbox] == [["gau@example.org"]] * 2
    assert "28 February 2025" in mail.outbox[0].subject
    assert f"http://127.0.0.1:8000/events/{found.pk}/results/" in mail.outbox[0].body


def test_one_that_a_clock_ahead_sent_is_sent_again_on_its_day(administrator):
    found = event()
    assert remind(found, 1, at=timezone.now() + timedelta(days=30))
    assert remind(found, 1, at=timezone.now())
    assert not remind(found, 1, at=timezone.now())
    assert len(mail.outbox) == 2


def test_a_mail_that_fails_is_tried_again(administrator, settings):
    today = timezone.localdate()
    ends = today.replace(day=1) - timedelta(days=1)
    found = played(first=ends, last=ends)
    closing = [days for _, days in due_reminders(today=today)]
    settings.EMAIL_BACKEND = SMTP_BACKEND
    settings.EMAIL_PORT = 1
    assert remind(found, 7, at=timezone.now())
    assert mail.outbox == []
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    Mail.objects.update(next_at=timezone.now())
    assert [sent.to for sent in mail.outbox] == [["gau@example.org"]]
    Reminder.objects.all().delete()
    remind_regions()
    assert Reminder.objects.count() == len(closing)
    assert len(mail.outbox) == 1 + len(closing)


def test_a_region_without_anybody_is_not_written_to():
    assert not remind(event(), 7, at=timezone.now())
    assert mail.outbox == []


def test_a_line_break_in_a_name_stops_nobodys_reminder(administrator):
    found = event()
    Event.objects.filter(pk=found.pk).update(name="Spring\nOpen")
    found.refresh_from_db()
    assert remind(found, 7, at=timezone.now())
    assert "Spring Open" in mail.outbox[0].subject
