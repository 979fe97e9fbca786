"""An event with more small files than a request checks: a worker renews their reports, and sends them in."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from events.models import Declaration, Event, Upload
from events.rules.states import State
from events.submission.checker import FILES_AT_ONCE
from events.submission.tasks import check_upload, submit_large
from tests.events.submission.world import clean, known, played, taken

pytestmark = pytest.mark.django_db
RESULTS = ("1=01", "0=", "1", "=", "10", "01", "1==", "0=1")


def event_with(count: int) -> Event:
    known()
    event = played(*(f"Section {number}" for number in range(count)))
    for section, results in zip(event.sections.order_by("position"), RESULTS, strict=False):
        taken(event, clean(results=results), section=section, name=f"{section.name}.trf")
    return event


def outdated(event: Event) -> None:
    Upload.objects.filter(event=event).update(checked_on=timezone.localdate() - timedelta(days=1))


def page_of(desk, event: Event) -> str:
    return desk.get(f"/events/{event.pk}/results/").content.decode()


def sent(desk, event: Event, **fields: str):
    shown = re.search(r'name="shown" value="([^"]*)"', page_of(desk, event))
    return desk.post(f"/events/{event.pk}/results/submit/", {"shown": shown[1] if shown else "", **fields})


@pytest.mark.parametrize(("count", "waits"), [(FILES_AT_ONCE, False), (FILES_AT_ONCE + 1, True)])
def test_outdated_reports_of_many_files_are_renewed_by_a_worker(desk, count, waits):
    event = event_with(count)
    outdated(event)
    assert ("is not checked yet" in page_of(desk, event)) is waits
    assert Upload.objects.exclude(checked_on=timezone.localdate()).count() == count  # nothing was written
    for key in Upload.objects.values_list("pk", flat=True):
        check_upload(key)
    assert "is not checked yet" not in page_of(desk, event)
    assert not Upload.objects.exclude(checked_on=timezone.localdate()).exists()


@pytest.mark.parametrize("count", [FILES_AT_ONCE, FILES_AT_ONCE + 1])
def test_a_tick_that_was_forgotten_leaves_the_form_with_its_reason(desk, count):
    event = event_with(count)
    refused = sent(desk, event, reason="Typed for minutes.")
    text = refused.content.decode()
    assert refused.status_code == 422
    assert "Typed for minutes." in text
    assert 'name="declared"' in text
    assert "is not checked yet" not in text


@pytest.mark.parametrize(("count", "waits"), [(FILES_AT_ONCE, False), (FILES_AT_ONCE + 1, True)])
def test_many_files_are_sent_in_by_a_worker(desk, count, waits):
    event = event_with(count)
    assert sent(desk, event, declared="on", reason="All is right.").status_code == 302
    event.refresh_from_db()
    assert (event.state == State.SUBMITTED, Declaration.objects.exists()) == (not waits, waits)
    submit_large(event.pk)
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
