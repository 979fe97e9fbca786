"""Reporting that a region does not register an event: by whom, once, and the officer's answer (articles 12.2, 57.3)."""

from datetime import date

import pytest
from django.core import mail

from accounts.models import Decision, User
from events.models import Arbiter, NotRegisteredReport, Party
from events.operations import EventError
from events.withholding.not_registered import UnregisteredEvent, answer_not_registered, report_not_registered
from tests.builders import CLOCK, everything, officer, player, refused_by, region
from tests.events.appeals.cases import act

pytestmark = pytest.mark.django_db
PAGE = "/events/not-registered/"
DAY = date(2024, 3, 2)


@pytest.fixture
def arbiter():
    """The account of an arbiter who has no appointment."""
    user = User.objects.create_user("grace@example.org")
    Arbiter.objects.create(name="Grace Tenza", title="IA", user=user)
    return user


def event(**fields: object) -> UnregisteredEvent:
    return UnregisteredEvent(
        **{"name": "Mopane Open", "region": region(), "place": "Hall", "starts": DAY, "ends": DAY, **fields}
    )


def told(by: User, **fields: object) -> NotRegisteredReport:
    return report_not_registered(
        event(**fields), party=Party.CHIEF_ARBITER, account="They do not answer.", at=CLOCK, by=by
    )


def entered(**fields: object) -> dict[str, object]:
    """The form as a browser sends it."""
    return {
        "name": "Mopane Open", "region": region().pk, "place": "Hall", "starts": "2024-03-02", "ends": "2024-03-03",
        "party": "arbiter", "account": "I asked twice.", **fields,
    }  # fmt: skip


@pytest.mark.rule("chessa 57.3")
def test_an_event_is_reported_once_until_it_is_answered(arbiter):
    report = told(arbiter)
    assert (report.person, report.party, report.region, report.state) == (
        "Grace Tenza",
        "arbiter",
        region(),
        "reported",
    )
    before = everything()
    with pytest.raises(EventError, match="reported already"):
        told(arbiter)
    with pytest.raises(EventError, match="give the reason"):
        answer_not_registered(report, taken_up=True, at=CLOCK, by=None, answer=" ")
    assert everything() == before
    for other in ({"name": "Other"}, {"starts": date(2024, 3, 1)}, {"region": region("LCP")}):
        assert told(arbiter, **other).state == "reported"
    answer_not_registered(report, taken_up=False, at=CLOCK, by=None, answer="It breaks article 17.")
    with pytest.raises(EventError, match="dismissed already"):
        answer_not_registered(report, taken_up=True, at=CLOCK, by=None, answer="It does not.")
    assert told(arbiter).state == "reported"
    assert Decision.objects.filter(action="dismissed").count() == 1


def test_the_database_holds_it_too(arbiter):
    told(arbiter)
    row = {"name": "Mopane Open", "region": region(), "starts": DAY, "ends": DAY, "at": CLOCK, "by": arbiter}
    with refused_by("not_registered_reported_once_at_a_time"):
        NotRegisteredReport.objects.create(**row, party="arbiter")
    with refused_by("not_registered_answered_with_a_reason"):
        NotRegisteredReport.objects.update(state="taken up")
    with refused_by("not_registered_reported_by_organiser_or_arbiter"):
        NotRegisteredReport.objects.update(party="administrator")
    with refused_by("not_registered_ends_after_start"):
        NotRegisteredReport.objects.update(ends=date(2024, 3, 1))


@pytest.mark.rule("chessa 57.3")
def test_the_arbiter_reports_and_the_officer_answers_by_mail(client, arbiter):
    desk = officer()
    client.force_login(arbiter)
    assert PAGE in client.get("/events/mine/").content.decode()
    before = everything()
    assert client.get(PAGE).status_code == 200
    assert everything() == before
    assert client.post(PAGE, entered())["Location"] == PAGE
    page = client.get(PAGE).content.decode()
    assert "Mopane Open" in page
    assert "with the ratings officer" in page
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["officer@example.org"], "Reported as not registered: Mopane Open")
    assert "I asked twice." in sent.body
    assert "/admin/events/notregisteredreport/" in sent.body
    answer = client.post(PAGE, entered())
    assert (answer.status_code, "reported already" in answer.content.decode()) == (422, True)
    client.force_login(desk)
    assert "1 not-registered report" in client.get("/account/").content.decode()
    rows = NotRegisteredReport.objects.all()
    assert act(client, "notregisteredreport", "take_up", rows, "We register it ourselves.") == [
        "A mail is on its way to grace@example.org.", f"1 taken up: {rows.get()}.",
    ]  # fmt: skip
    assert "We register it ourselves." in mail.outbox[1].body
    client.force_login(arbiter)
    assert "We register it ourselves." in client.get(PAGE).content.decode()


@pytest.mark.rule("chessa 57.3")
def test_the_organiser_s_account_reports_in_his_name(client):
    user = User.objects.create_user("thandi@example.org")
    Arbiter.objects.create(name="Thandi Nkosi", title="FA", user=user, player=player("Nkosi", "Thandi"))
    client.force_login(user)
    assert client.post(PAGE, entered(party="organiser")).status_code == 302
    assert NotRegisteredReport.objects.get().person == "Thandi Nkosi"


def test_an_officer_enters_what_reached_the_bureau_by_telephone(client):
    client.force_login(officer())
    assert client.post(PAGE, entered(party="organiser", account="Thandi rang.")).status_code == 302
    assert NotRegisteredReport.objects.get().person == ""


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": ""}, "Give the name of the event."),
        ({"region": 0}, "Choose one of the list."),
        ({"place": " "}, "Say where it is played."),
        ({"ends": "2024-03-01"}, "The last day is before the first."),
        ({"starts": "x"}, "Enter a day as 2026-10-31."),
        ({"ends": ""}, "Give the day."),
        ({"party": "administrator"}, "Select a valid choice"),
        ({"account": ""}, "Say what happened."),
        ({"account": "x" * 20_000}, "shorten it"),
    ],
)
def test_what_is_missing_or_wrong_is_said_and_nothing_is_saved(client, arbiter, fields, said):
    client.force_login(arbiter)
    before = everything()
    answer = client.post(PAGE, entered(**fields))
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert everything() == before


def test_the_administrator_neither_reports_nor_reads_it(client, administrator, arbiter):
    told(arbiter)
    with pytest.raises(EventError, match="Chief Organiser or the Chief Arbiter"):
        told(administrator)
    client.force_login(administrator)
    assert client.get(PAGE).status_code == 403
    assert client.get("/admin/events/notregisteredreport/").status_code == 403
    assert PAGE not in client.get("/events/mine/").content.decode()


def test_another_arbiter_does_not_read_it(client, arbiter):
    told(arbiter)
    other = User.objects.create_user("other@example.org")
    Arbiter.objects.create(name="Other", title="FA", user=other)
    client.force_login(other)
    assert "They do not answer." not in client.get(PAGE).content.decode()
