"""An event with more files, or a larger one, than a request checks: a worker renews their reports, and sends them in."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from events.models import Declaration, Event, Upload
from events.rules.states import State
from events.submission.checker import FILES_AT_ONCE
from events.submission.tasks import check_upload, submit_large
from tests.builders import Line, lines, round_robin, trf
from tests.events.submission.world import FIRST, LAST, clean, do, known, many, played, table, taken

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


def test_the_page_waits_with_a_large_file_that_is_given_its_section(desk):
    """The report of before says its name and how many play."""
    event = played("A", "B")
    upload = taken(event, many()[1])
    assert upload.section is None
    assert do(desk, event, f"{upload.pk}/assign", section=event.sections.first().pk).status_code == 302
    assert "is not checked yet" in page_of(desk, event)
    assert sent(desk, event, declared="on").status_code == 422
    assert desk.get(f"/events/{event.pk}/results/{upload.pk}/players/").status_code == 302
    check_upload(upload.pk)
    assert "600 players" in page_of(desk, event)


def test_an_answer_to_a_report_of_an_earlier_release_waits_for_the_next(desk):
    """Reports had no lines then. A worker renews those of many files; the answer is shown as one that came too late."""
    event = event_with(FILES_AT_ONCE)
    newcomer = trf([*lines(5), Line("Zulu, Ayanda")], round_robin(6, "0=1"), starts=FIRST, ends=LAST)
    section = played("With somebody new").sections.get()
    section.event, section.position = event, 99
    section.save()
    upload = taken(event, newcomer, section=section, name="new.trf")
    for row in Upload.objects.filter(event=event):
        del row.report["lines"]
        row.save(update_fields=["report"])
    answer = table(desk, upload, "new-6")
    assert answer.status_code == 422
    assert "is asked no more" in answer.content.decode()
    check_upload(upload.pk)
    assert table(desk, upload, "new-6").status_code == 302
