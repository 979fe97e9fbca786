"""The week at a glance by mail: what it says, to whom, and when."""

from datetime import date, datetime, timedelta

import pytest
from django.core import mail
from django.db import transaction

from accounts.models import Mail, User, WeekMail
from events.models import Kind
from events.rules.deadlines import JOHANNESBURG
from events.rules.states import State
from ratings.desk.mails import send_week, to_mail_week
from ratings.desk.week import SHOWN, read_week
from tests.builders import officer, panel
from tests.ratings.desk.waiting import DAY, event

pytestmark = pytest.mark.django_db
MONDAY = date(2024, 4, 29)
MORNING = datetime(2024, 4, 29, 6, 5, tzinfo=JOHANNESBURG)


def _asking(user: User) -> User:
    user.week_mail = True
    user.save()
    return user


def _mail_week(at: datetime) -> list[str]:
    return [user.email for user in to_mail_week(at=at) if send_week(user, at=at)]


@pytest.mark.rule("chessa 60", "chessa 61")
def test_it_names_trays_deadlines_and_the_month():
    by = _asking(officer())
    sunday = MONDAY + 6 * DAY
    event(State.SUBMITTED, ends=date(2024, 4, 20), moved=date(2024, 4, 26))
    late = event(State.LATE, ends=MONDAY + DAY, moved=MONDAY - DAY)
    first = event(State.REGISTERED, ends=MONDAY, moved=MONDAY)
    last = event(State.REGISTERED, ends=sunday, moved=MONDAY)
    due = event(State.REGISTERED, ends=date(2024, 3, 31), moved=date(2024, 3, 1))
    others = (
        event(State.REGISTERED, ends=sunday + DAY, moved=MONDAY),
        event(State.REGISTERED, ends=sunday - DAY, moved=MONDAY, kind=Kind.ABROAD),
        event(State.REGISTERED, ends=date(2024, 2, 29), moved=MONDAY),  # its last day has passed
    )
    assert _mail_week(MORNING) == [by.email]
    text = mail.outbox[0].body
    assert mail.outbox[0].subject == "Week at a glance, 29 Apr – 5 May 2024"
    clean = "- Submitted, clean: 1 event; oldest 3 days, 26 Apr 2024; 1 day left before the month is calculated, 30 Apr 2024"
    assert f"{clean}\n  http://127.0.0.1:8000/admin/tray/clean/begin/\n" in text
    assert f"Late registrations whose play begins:\n- Tuesday, 30 Apr 2024: {late.name}, GAU\n" in text
    assert f"Last day to send in results (article 61):\n- Tuesday, 30 Apr 2024: {due.name}, GAU\n" in text
    begins = f"Events that begin:\n- Monday, 29 Apr 2024: {first.name}, GAU\n- Sunday, 5 May 2024: {last.name}, GAU\n"
    assert begins in text
    assert not any(other.name in text for other in others)
    assert "April 2024\n0 accepted, 1 submitted, 2 to be played; calculate on 1 May 2024.\n" in text
    assert "  http://127.0.0.1:8000/admin/tray/unsent/begin/\n" in text
    assert "  http://127.0.0.1:8000/account/\n" in text
    assert "Appeals" not in text
    assert "\n\n\n" not in text


def test_it_says_that_nothing_waits_and_how_many_more_there_are():
    by = officer()
    empty = read_week(by, today=MONDAY)
    assert (empty.trays, empty.deadlines) == ([], [])
    for _ in range(SHOWN + 2):
        event(State.REGISTERED, ends=MONDAY, moved=MONDAY)
    (begin,) = read_week(by, today=MONDAY).deadlines
    assert (len(begin.events), begin.more) == (SHOWN, 2)


def test_it_goes_once_a_week_to_each_who_asks_for_it():
    first, second = _asking(officer()), _asking(officer("second@example.org"))
    officer("third@example.org")
    asked = to_mail_week(at=MORNING)
    assert _mail_week(MORNING) == [first.email, second.email]
    assert _mail_week(MORNING + timedelta(hours=1)) == []
    assert [send_week(user, at=MORNING) for user in asked] == [False, False]  # another worker saw the same ones
    assert _mail_week(MORNING + 7 * DAY) == [first.email, second.email]
    assert Mail.objects.count() == 4
    assert set(WeekMail.objects.values_list("week", flat=True)) == {"2024-W18", "2024-W19"}


def test_the_week_of_a_mail_is_that_of_iso_8601():
    _asking(officer())
    assert _mail_week(datetime(2024, 12, 30, 6, tzinfo=JOHANNESBURG))
    assert WeekMail.objects.get().week == "2025-W01"


@pytest.mark.parametrize(
    ("day", "hour", "goes"),
    [(28, "23:59", False), (29, "00:00", False), (29, "05:59", False), (29, "06:00", True), (29, "23:59", True)],
)
def test_it_goes_on_mondays_from_six_in_south_africa(day, hour, goes):
    by = _asking(officer())
    at = datetime.fromisoformat(f"2024-04-{day}T{hour}:00+02:00")
    assert to_mail_week(at=at) == ([by] if goes else [])
    assert to_mail_week(at=datetime.fromisoformat("2024-04-30T00:00:00+02:00")) == []


@pytest.mark.parametrize(
    "lost", [{"is_active": False}, {"is_officer": False}, {"is_staff": False}, {"week_mail": False}]
)
def test_it_does_not_go_to_those_whose_right_is_gone_or_who_stopped_it(lost):
    by = _asking(officer())
    asked = to_mail_week(at=MORNING)
    User.objects.filter(pk=by.pk).update(**lost)
    assert [send_week(user, at=MORNING) for user in asked] == [False]
    assert _mail_week(MORNING) == []
    assert not Mail.objects.exists()
    assert not WeekMail.objects.exists()


def test_a_mail_that_is_rolled_back_goes_later():
    _asking(officer())
    with transaction.atomic():
        assert len(_mail_week(MORNING)) == 1
        transaction.set_rollback(True)
    assert len(_mail_week(MORNING)) == 1


def test_it_is_asked_for_and_stopped_on_the_account_page(client):
    by = officer()
    client.force_login(by)
    assert "Mail it to me" in client.get("/account/").content.decode()
    page = client.post("/account/week/", {"wanted": "yes"}, follow=True).content.decode()
    assert "The week at a glance will be mailed to you on Mondays." in page
    assert "Stop this mail" in page
    by.refresh_from_db()
    assert by.week_mail
    assert "nothing was changed" in client.post("/account/week/", {"wanted": "x"}, follow=True).content.decode()
    by.refresh_from_db()
    assert by.week_mail
    User.objects.filter(pk=by.pk).update(is_officer=False)
    assert "Stop this mail" in client.get("/account/").content.decode()  # who lost the right can stop it
    page = client.post("/account/week/", {"wanted": "no"}, follow=True).content.decode()
    assert "no longer mailed" in page
    assert "Mail it to me" not in page
    page = client.post("/account/week/", {"wanted": "yes"}, follow=True).content.decode()
    assert "These mails are for ratings officers" in page
    by.refresh_from_db()
    assert not by.week_mail
    client.force_login(panel())
    assert "Mail it to me" not in client.get("/account/").content.decode()
