"""The trays of the desk: what is in them, who sees them, what is overdue, and where they lead."""

from datetime import date, timedelta

import pytest
from django.apps import apps
from django.utils import timezone

from accounts.models import User
from events import waiting
from events.models import Appointment, Arbiter, BodyApproval, Kind, Membership, Penalty, RatingPeriod, Refusal
from events.rules.states import State
from ratings.desk.figures import read_trays
from ratings.desk.trays import BY_CODE, TRAYS
from ratings.models import Rerating
from tests.builders import officer, panel, player
from tests.ratings.desk.waiting import DAY, event, fill, hold, moment

pytestmark = pytest.mark.django_db
TODAY = date(2024, 4, 10)


def _tray(code: str, today: date = TODAY):
    """The tray as it is shown."""
    by = panel() if code == "appeals" else User.objects.filter(is_officer=True).first() or officer()
    return next(row for row in read_trays(by, today=today) if row.tray.code == code)


def test_every_tray_counts_what_its_list_shows(client):
    fill(2, today=timezone.localdate())
    for by in (officer(), panel()):
        client.force_login(by)
        rows = read_trays(by, today=timezone.localdate())
        assert {row.count for row in rows} == {2}
        for row in rows:
            page = client.get(row.tray.list_address())
            assert page.status_code == 200, row.tray.code
            shown = page.context["cl"].result_count if "cl" in page.context else page.context["duplicates"].total
            assert shown == row.count, row.tray.code


def test_the_first_page_costs_the_same_whatever_waits(client, django_assert_max_num_queries):
    client.force_login(officer())
    RatingPeriod.objects.create(month=date(2020, 9, 1))  # the figures of a month cost a query
    with django_assert_max_num_queries(15) as empty:
        assert "Nothing waits: every tray is empty." in client.get("/admin/").content.decode()
    fill(6, today=timezone.localdate())
    with django_assert_max_num_queries(15) as full:
        page = client.get("/admin/").content.decode()
    assert len(full.captured_queries) == len(empty.captured_queries)
    assert page.count('class="tray') >= len(TRAYS) - 1


def test_each_role_sees_the_trays_on_which_it_acts():
    codes = {tray.code for tray in TRAYS}
    fill(1, today=TODAY)
    assert {row.tray.code for row in read_trays(officer(), today=TODAY)} == codes - {"appeals"}
    assert {row.tray.code for row in read_trays(panel(), today=TODAY)} == {"appeals"}
    assert read_trays(User.objects.create_superuser("chief@example.org"), today=TODAY) == []


def test_a_tray_leads_to_its_oldest_and_to_its_list_when_it_is_empty(client):
    client.force_login(officer())
    today = timezone.localdate()
    begin = "/admin/tray/clean/begin/"
    assert client.get(begin)["Location"] == "/admin/events/event/?waiting=clean"
    event(State.SUBMITTED, ends=today - 3 * DAY, moved=today - 2 * DAY)
    older = event(State.SUBMITTED, ends=today - 2 * DAY, moved=today - 3 * DAY)
    assert client.get(begin)["Location"] == f"/admin/events/event/{older.pk}/review/"
    assert client.get("/admin/tray/nothing/begin/").status_code == 404
    assert client.get("/admin/tray/appeals/begin/").status_code == 403
    client.force_login(panel())
    assert client.get(begin).status_code == 403


def test_every_tray_leads_to_a_row_of_its_list(client):
    fill(2, today=timezone.localdate())
    for by in (officer(), panel()):
        client.force_login(by)
        for row in read_trays(by, today=timezone.localdate()):
            address = client.get(f"/admin/tray/{row.tray.code}/begin/")["Location"]
            assert address != row.tray.list_address(), row.tray.code
            assert client.get(address).status_code == 200, row.tray.code


def test_every_kind_of_work_that_is_tried_again_has_a_tray_for_what_failed():
    """Rows whose attempts are counted are a worker's."""
    counted = {
        model._meta.db_table
        for model in apps.get_models()
        if any(field.name.endswith("attempts") for field in model._meta.fields)
    }
    assert len(counted) >= 9
    asked = " ".join(str(tray.rows(TODAY).query) for tray in TRAYS)
    assert not [table for table in counted if f'"{table}"' not in asked]


def test_a_rerating_that_was_not_published_waits_until_it_is_put_up_again():
    period = RatingPeriod.objects.create(month=date(2020, 9, 1))
    rows = BY_CODE["reratings"].rows
    calculated = Rerating.objects.create(first=period, state="calculated", queued_at=timezone.now(), reason="So.")
    assert not rows(TODAY).exists()
    Rerating.objects.filter(pk=calculated.pk).update(error="Not published: 2020-09 is not what it was calculated from.")
    assert list(rows(TODAY)) == [calculated]


def test_a_filter_that_is_none_leads_back_to_the_list(client):
    client.force_login(officer())
    assert client.get("/admin/events/event/?waiting=nothing")["Location"] == "/admin/events/event/?e=1"


@pytest.mark.rule("chessa 12")
def test_clean_is_what_can_be_accepted_as_it_is():
    clean = event(State.SUBMITTED, ends=TODAY - DAY, moved=TODAY)
    held, waived = (event(State.SUBMITTED, ends=TODAY - DAY, moved=TODAY) for _ in range(2))
    hold(held)
    hold(waived, waived=True)
    again = event(State.SUBMITTED, ends=TODAY - DAY, moved=TODAY)
    hold(again)
    hold(again, waived=True)  # the later file counts
    penalised, national, refused = (
        event(State.SUBMITTED, ends=TODAY - DAY, moved=TODAY, kind=kind)
        for kind in (Kind.OVER_THE_BOARD, Kind.NATIONAL, Kind.OVER_THE_BOARD)
    )
    penalty = Penalty.objects.create(
        section=penalised.sections.get(), player=player(), round=1, kind="forfeit", points=20
    )
    hold(refused)
    Refusal.objects.create(event=refused, section=refused.sections.get(), at=moment(TODAY), reason="no")
    assert set(waiting.submitted_with_holds(TODAY)) == {held}
    assert set(waiting.submitted_clean(TODAY)) == {clean, waived, again, refused}
    assert list(waiting.undecided_penalties(TODAY)) == [penalty]
    BodyApproval.objects.create(event=national, body=national.region.name, at=moment(TODAY), reason="known")
    assert national in waiting.submitted_clean(TODAY)


@pytest.mark.rule("chessa 61")
def test_an_event_that_is_not_sent_in_is_overdue_after_the_next_month():
    event(State.REGISTERED, ends=date(2024, 3, 31), moved=date(2024, 3, 1))
    tray = _tray("unsent", date(2024, 4, 1))
    assert (tray.count, tray.overdue, tray.age_text) == (1, 0, "oldest 1 day, 31 Mar 2024")
    assert tray.due_text == "29 days left to be sent in (article 61), 30 Apr 2024"
    assert (
        _tray("unsent", date(2024, 4, 30)).due_text == "today is the last day to be sent in (article 61), 30 Apr 2024"
    )
    late = _tray("unsent", date(2024, 5, 1))
    assert (late.overdue, late.due_text) == (1, "1 overdue, the first since 30 Apr 2024")
    assert _tray("unsent", date(2024, 3, 31)).count == 0  # it is being played


@pytest.mark.rule("chessa 60")
def test_a_late_registration_is_overdue_when_play_begins():
    event(State.LATE, ends=TODAY + DAY, moved=TODAY - DAY)
    assert _tray("late").due_text == "today is the last day before play begins, 10 Apr 2024"
    assert _tray("late", TODAY + DAY).overdue == 1


def test_what_was_sent_in_is_overdue_when_its_month_is_calculated_and_overdue_trays_come_first():
    event(State.LATE, ends=TODAY + DAY, moved=TODAY)
    event(State.SUBMITTED, ends=date(2024, 3, 10), moved=date(2024, 3, 31))
    event(State.SUBMITTED, ends=date(2024, 3, 10), moved=date(2024, 4, 1))
    rows = read_trays(officer(), today=TODAY)
    assert [(row.tray.code, row.count, row.overdue) for row in rows[:2]] == [("clean", 2, 1), ("late", 1, 0)]
    assert _tray("clean", date(2024, 3, 31)).overdue == 0
    first = waiting.submitted_clean(TODAY).get(moves__at=moment(date(2024, 3, 31)))
    assert (
        BY_CODE["clean"].first_address(User.objects.get(is_officer=True), TODAY)
        == f"/admin/events/event/{first.pk}/review/"
    )


@pytest.mark.rule("chessa 7")
@pytest.mark.parametrize(("days", "counts"), [(0, False), (1, True), (14, True), (15, False)])
def test_arbiters_unpaid_before_an_event_of_the_next_two_weeks(days, counts):
    coming = event(State.REGISTERED, ends=TODAY + timedelta(days=days), moved=TODAY)
    arbiter = Arbiter.objects.create(name="Grace", title="NA")
    Appointment.objects.create(event=coming, arbiter=arbiter, position=1)
    assert list(waiting.unpaid_arbiters(TODAY)) == ([arbiter] if counts else [])


@pytest.mark.rule("chessa 7", "chessa 12.3")
def test_an_arbiter_is_paid_for_the_year_of_the_event_and_with_fides_licence_where_it_is_fide_rated():
    today = date(2024, 12, 28)
    first = event(State.REGISTERED, ends=date(2024, 12, 30), moved=TODAY)
    second = event(State.REGISTERED, ends=date(2025, 1, 4), moved=TODAY)
    arbiter = Arbiter.objects.create(name="Grace", title="NA")
    for coming in (first, second):
        Appointment.objects.create(event=coming, arbiter=arbiter, position=1)

    def unpaid() -> set[int]:
        return set(waiting.unpaid_appointments(today).values_list("event", flat=True))

    Membership.objects.create(arbiter=arbiter, fee="aoc", year=2024, paid_on=date(2024, 1, 2))
    assert unpaid() == {second.pk}
    paid = Membership.objects.create(arbiter=arbiter, fee="aoc", year=2025, paid_on=second.starts)
    assert unpaid() == {second.pk}  # article 7: before it starts
    paid.paid_on = second.starts - DAY
    paid.save()
    assert unpaid() == set()
    first.fide_rated = True
    first.save()
    assert unpaid() == {first.pk}
    Membership.objects.create(arbiter=arbiter, fee="fide", year=2024, paid_on=date(2024, 1, 2))
    assert unpaid() == set()
    arbiter.federation = "BOT"
    arbiter.save()
    Membership.objects.all().delete()
    assert unpaid() == set()
