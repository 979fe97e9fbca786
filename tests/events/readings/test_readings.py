"""The readings that officers choose: one row, its limits, its page, and what of a change is at once on the public pages."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.models import Decision, User
from events.models import Readings
from events.readings.queries import readings
from tests.admin_pages import form_errors, opened_form, posted_form
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


def test_the_page_says_what_is_read_and_cannot_be_chosen(desk):
    page = " ".join(desk.get(PAGE).content.decode().split())
    assert "Ratings of before that are lacking (articles 49 and 50)" in page
    assert "each that is lacking counts as a new player’s" in page


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


@pytest.fixture
def two(desk):
    """Two officers who have opened the page; the other one has chosen six months since."""
    other = Client()
    other.force_login(
        User.objects.create_user("other@example.org", first_name="Lindiwe", is_officer=True, is_staff=True)
    )
    mine = opened_form(desk, PAGE)
    theirs = opened_form(other, PAGE) | {"activity_months": "6", "reason_for_change": "Council, 4 May"}
    assert other.post(PAGE, theirs).status_code == 302
    return desk, mine


def test_the_second_of_two_officers_is_told_what_the_first_changed_and_keeps_what_he_typed(two):
    desk, mine = two
    answer = desk.post(PAGE, mine | {"aoc_year_begins": "10", "reason_for_change": "Council, 5 May"})
    assert answer.status_code == 409
    (told,) = form_errors(answer)
    for words in ("Lindiwe", "12 → 6", "“Council, 4 May”", "Nothing of yours was saved"):
        assert words in told
    assert (readings().aoc_year_begins, readings().activity_months) == (1, 6)
    page = answer.content.decode()
    assert "Council, 5 May" in page
    form = answer.context["adminform"].form
    assert (form["aoc_year_begins"].value(), form["activity_months"].value()) == ("10", "6")
    # What the page shows now can be saved.
    again = {bound.html_name: bound.value() for bound in form if bound.value() is not False}
    again |= {bound.html_initial_name: form.data.get(bound.html_initial_name, "") for bound in form}
    assert desk.post(PAGE, again).status_code == 302
    assert (readings().aoc_year_begins, readings().activity_months) == (10, 6)


def test_what_both_changed_is_decided_by_the_second_once_he_has_read_of_the_first(two):
    desk, mine = two
    answer = desk.post(PAGE, mine | {"activity_months": "24", "whole_birth_dates": "on"})
    form = answer.context["adminform"].form
    assert (answer.status_code, form["activity_months"].value(), form["whole_birth_dates"].value()) == (409, "24", True)
    assert 'name="initial-activity_months" value="6"' in answer.content.decode()
    assert readings().activity_months == 6


def test_a_page_that_is_sent_twice_by_a_double_click_is_saved_once(desk):
    sent = opened_form(desk, PAGE) | {"activity_months": "6", "reason_for_change": "Council"}
    assert [desk.post(PAGE, sent).status_code for _ in range(2)] == [302, 302]
    assert Decision.objects.count() == 1


def test_who_is_no_longer_an_officer_gets_back_what_he_typed(desk):
    mine = opened_form(desk, PAGE) | {"activity_months": "6", "reason_for_change": "Council, 5 May"}
    User.objects.update(is_officer=False)
    answer = desk.post(PAGE, mine)
    assert answer.status_code == 403
    assert "activity months: 6" in answer.content.decode()
    assert "Council, 5 May" in answer.content.decode()
    assert readings().activity_months == 12
