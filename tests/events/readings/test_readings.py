"""The readings that officers choose: one row, its limits, its page, and what of a change is at once on the public pages."""

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Decision
from events.models import Readings
from events.readings.queries import readings
from tests.admin_pages import form_errors, posted_form
from tests.builders import officer
from tests.pages import builders

pytestmark = pytest.mark.django_db
PAGE = "/admin/events/readings/1/change/"


@pytest.fixture
def desk(client):
    client.force_login(officer())
    return client


@pytest.mark.rule("chessa 7", "chessa 55")
def test_a_bureau_begins_with_the_calendar_year_twelve_months_and_the_year_of_birth():
    assert (readings().aoc_year_begins, readings().activity_months, readings().whole_birth_dates) == (1, 12, False)


def test_there_is_one_row():
    with pytest.raises(IntegrityError), transaction.atomic():
        Readings.objects.create(pk=2)
    assert Readings.objects.count() == 1


@pytest.mark.rule("chessa 7", "chessa 55")
@pytest.mark.parametrize(
    ("field", "given", "good"),
    [
        *(("aoc_year_begins", given, given not in (0, 13)) for given in (0, 1, 10, 12, 13)),
        *(("activity_months", given, given not in (0, 121)) for given in (0, 1, 120, 121)),
    ],
)
def test_a_number_outside_its_limits_is_refused_by_the_page_and_by_the_table(desk, field, given, good):
    answer = desk.post(PAGE, posted_form(desk, PAGE, **{field: given}))
    assert answer.status_code == (302 if good else 200)
    assert good or form_errors(answer)
    assert (getattr(readings(), field) == given) is good
    if not good:
        with pytest.raises(IntegrityError), transaction.atomic():
            Readings.objects.update(**{field: given})


def test_a_change_stands_on_the_trail_in_words_and_with_its_reason(desk):
    changed = posted_form(desk, PAGE, aoc_year_begins=10, whole_birth_dates="on", reason_for_change="Council, 3 May")
    assert desk.post(PAGE, changed).headers["Location"] == PAGE
    step = Decision.objects.get()
    assert (step.action, step.reason) == ("changed", "Council, 3 May")
    month, dates = "First month of the AOC’s fee year", "Whole birth dates in downloads"
    assert step.before == {month: "January", dates: "no"}
    assert step.after == {month: "October", dates: "yes"}


def test_nothing_is_changed_without_a_reason(desk):
    answer = desk.post(PAGE, posted_form(desk, PAGE, activity_months=6, reason_for_change=" "))
    assert form_errors(answer)
    assert readings().activity_months == 12


def test_the_list_of_the_one_row_is_its_page(desk):
    assert desk.get("/admin/events/readings/").headers["Location"] == PAGE
    assert desk.get("/admin/events/readings/add/").status_code == 403


@pytest.mark.rule("chessa 55")
def test_the_public_pages_have_the_new_window_at_once(client):
    builders.round_robin(builders.event().sections.get(), builders.players(4))
    builders.publish(builders.MARCH)
    before = client.get("/lists/main/")
    assert "active (12 months)" in before.content.decode()
    Readings.objects.update(activity_months=6)
    after = client.get("/lists/main/", headers={"if-none-match": before.headers["ETag"]})
    assert "active (6 months)" in after.content.decode()
