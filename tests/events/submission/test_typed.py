"""Nothing typed into the page of results is lost: what is right is kept, what is wrong stays as typed, in every form."""

from datetime import timedelta

import pytest

from events.models import UnsavedAnswer
from events.rules.corrections import ROUND_DAY
from tests.events.submission.world import FIRST, LAST, clean, correction, do, known, played, taken

pytestmark = pytest.mark.django_db


def page(desk, event) -> str:
    return desk.get(f"/events/{event.pk}/results/").content.decode()


@pytest.fixture
def days(desk):
    """An event whose rounds have no days in the file: the upload, its first day, and one after the event."""
    known()
    event = played()
    return taken(event, clean(dated=False)), FIRST.isoformat(), (LAST + timedelta(days=1)).isoformat()


def test_a_wrong_day_keeps_no_other_from_being_set_and_stays_as_typed(desk, days):
    upload, good, late = days
    answer = correction(desk, upload, "days", _1=good, _2=late, _3=good)
    assert answer.status_code == 422
    assert set(upload.corrections.values_list("kind", "key")) == {(ROUND_DAY.code, "1"), (ROUND_DAY.code, "3")}
    for shown in (answer.content.decode(), page(desk, upload.event)):
        assert f'value="{late}"' in shown
        assert "lies outside the event’s days" in shown
        assert f'name="u{upload.pk}-days-1"' not in shown
    assert correction(desk, upload, "days", **{f"_{number}": good for number in (2, 4, 5)}).status_code == 302
    assert not UnsavedAnswer.objects.exists()


def test_another_answer_and_a_reload_leave_what_was_refused_until_it_is_cleared(desk, days):
    upload, _, late = days
    correction(desk, upload, "days", _1=late)
    correction(desk, upload, "arbiter", arbiter="x")
    do(desk, upload.event, f"{upload.pk}/check")
    shown = page(desk, upload.event)
    assert f'value="{late}"' in shown
    assert 'name="forget"' in shown
    do(desk, upload.event, f"{upload.pk}/corrections/days", forget="1")
    shown = page(desk, upload.event)
    assert f'value="{late}"' not in shown
    assert 'name="forget"' not in shown


def test_a_refused_answer_about_a_penalty_stays_as_typed(desk):
    known()
    event = played()
    upload = taken(event, clean(results="1=0+"))
    key = upload.report["proposals"][0]["key"]
    given = {f"u{upload.pk}-penalty-{key}-notice": "without", f"u{upload.pk}-penalty-{key}-reason": "He was ill."}
    assert do(desk, event, f"{upload.pk}/penalties/{key}", **given).status_code == 422
    shown = page(desk, event)
    assert 'value="He was ill."' in shown
    assert "Without notice no reason is kept" in shown


def test_nothing_is_kept_of_a_question_that_is_answered_otherwise(desk, days):
    upload, good, late = days
    correction(desk, upload, "days", _1=late)
    assert correction(desk, upload, "days", **{f"_{number}": good for number in range(1, 6)}).status_code == 302
    assert late not in page(desk, upload.event)
