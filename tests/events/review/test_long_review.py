"""The review of an event with hundreds of holds, notes and players: it shows a part, and decides on nothing else."""

import re

import pytest
from django.utils import timezone

from config.lib.shown_rows import MOST_SHOWN
from events.models import Event, Submission, SubmissionFinding
from events.review.operations import version_shown
from tests.builders import officer
from tests.events.submission.large import MANY, held_and_sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client):
    """The client of an officer."""
    client.force_login(officer())
    return client


@pytest.fixture
def event():
    return held_and_sent()


def page(desk, event: Event) -> str:
    return desk.get(f"/admin/events/event/{event.pk}/review/").content.decode()


def holds_of(event: Event):
    return SubmissionFinding.objects.filter(submission__section__event=event, severity="hold")


def test_the_review_shows_so_many_holds_at_once_those_of_the_whole_file_first(event, desk):
    """With 5,000 of them a page had 10 MB of forms."""
    holds = holds_of(event).count()
    assert holds > MANY
    shown = page(desk, event)
    assert shown.count("Waive this hold") == MOST_SHOWN
    assert f"{holds - MOST_SHOWN} more are shown when these are decided" in shown
    assert f"{holds} holds to waive" in shown
    first = re.search(r'id="hold-([0-9]+)"', shown)[1]
    assert holds_of(event).get(pk=first).line is None
    all_of_them = re.search(r'href="(/events/[^"]*/findings\.csv)"', shown)[1]
    assert desk.get(all_of_them).content.decode().count("\r\nhold,") == holds


def test_the_next_hold_comes_when_one_is_waived_which_stays_in_sight(event, desk):
    holds = holds_of(event).count()
    shown = re.findall(r'id="hold-([0-9]+)"', page(desk, event))
    waived = holds_of(event).filter(pk__in=shown[:-1])
    waived.update(waived_at=timezone.now(), waived_reason="I asked.")
    then = page(desk, event)
    assert f'id="hold-{shown[0]}"' in then
    assert then.count("Waive this hold") == MOST_SHOWN
    assert f"{holds - 2 * MOST_SHOWN + 1} more are shown when these are decided" in then
    following = re.findall(r'action="[^"]*/holds/([0-9]+)/"', then)[0:2]
    address = f"/admin/events/event/{event.pk}/review/holds/"
    for pk in following:
        assert desk.post(f"{address}{pk}/", {"reason": "I asked."}).status_code == 302
    then = page(desk, event)
    assert then.count("Waive this hold") == MOST_SHOWN
    assert all(f'id="hold-{pk}"' in then for pk in following)
    assert "1 more is waived or of a refused section" in then


def test_no_decision_takes_holds_along_that_are_not_shown(event, desk):
    shown = re.findall(r'id="hold-([0-9]+)"', page(desk, event))
    holds_of(event).filter(pk__in=shown).update(waived_at=timezone.now(), waived_reason="I asked.")
    sent = {"do": "accept", "shown": version_shown(event), "what": "event"}
    answer = desk.post(f"/admin/events/event/{event.pk}/review/decide/", sent)
    assert answer.status_code == 422
    assert f"{holds_of(event).count() - MOST_SHOWN} findings on hold" in answer.content.decode()
    event.refresh_from_db()
    assert event.state == "submitted"


def test_what_a_decision_rests_on_is_sent_in_few_letters(event, desk):
    before = re.search(r'name="shown" value="([^"]*)"', page(desk, event))[1]
    assert len(before) < 100
    assert before == version_shown(event)
    last = holds_of(event).last()
    last.waived_at, last.waived_reason = timezone.now(), "I asked."
    last.save()
    assert version_shown(event) != before


def test_the_review_shows_so_many_notes_at_once(event, desk):
    submission = Submission.objects.get()
    SubmissionFinding.objects.bulk_create(
        SubmissionFinding(submission=submission, severity="note", code="corrected-birth", message=f"Born {number}.")
        for number in range(2 * MOST_SHOWN)
    )
    notes = submission.findings.filter(severity="note").count()
    shown = page(desk, event)
    part = shown[shown.index('<details class="notes">') :]
    assert part[: part.index("</details>")].count("<li>") == MOST_SHOWN
    assert f"{notes} notes" in shown
    assert f"{notes - MOST_SHOWN} more are in" in shown


def test_the_review_shows_so_many_players_at_once(event, desk):
    shown = page(desk, event)
    assert shown.count('<td data-label="Matched">') == MOST_SHOWN
    assert f"{MANY} players" in shown
    assert f"{MANY - MOST_SHOWN} more" in shown
