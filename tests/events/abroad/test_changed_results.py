"""What an officer changes of results from abroad is checked as they were when they were sent in."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from events.abroad.changed_results import check_changed_results, sent_from_abroad
from events.abroad.operations import Channel, submit_abroad
from events.models import Appointment, Arbiter, Fee, Membership, SubmissionFinding
from events.operations import EventError, accept_event
from events.rules.abroad import GameAbroad
from events.rules.game_result import Result
from tests.admin_pages import form_errors, posted_form
from tests.builders import CLOCK, officer, publish
from tests.events.abroad.entries import AT, WHOLE

pytestmark = pytest.mark.django_db
TODAY = CLOCK.date()
DAY = timedelta(days=1)


@pytest.fixture
def event(naledi):
    """Results of 2 to 6 March, sent in on 12 March, of whom nothing is held."""
    event = submit_abroad(naledi, WHOLE, at=AT, channel=Channel(by=officer()))
    assert holds(event) == set()
    return event


@pytest.fixture
def desk(client):
    client.force_login(officer("desk@example.org"))
    return client


def holds(event, **which):
    rows = SubmissionFinding.objects.filter(submission__section__event=event, severity="hold", **which)
    return set(rows.values_list("code", flat=True))


def codes(event, **changed):
    """The errors and holds of the section with these facts, unsaved."""
    section = event.sections.get()
    for name, value in changed.items():
        setattr(section, name, value)
    return {found.code for found in check_changed_results(section, sent_from_abroad(section), today=TODAY)}


def save(desk, event, **changed):
    address = f"/admin/events/event/{event.pk}/change/"
    return desk.post(address, posted_form(desk, address, **changed))


@pytest.mark.rule("chessa 10")
@pytest.mark.parametrize(("ends", "late"), [(date(2024, 2, 1), False), (date(2024, 1, 31), True)])
def test_days_by_which_they_came_too_late_hold_them(event, ends, late):
    """What ended in January was due by the end of February, and was sent in on 12 March."""
    assert codes(event, starts=ends - DAY, ends=ends) == ({"abroad-late"} if late else set())


@pytest.mark.rule("chessa 10", "chessa 17", "chessa 23")
@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"base_minutes": 3, "increment_seconds": 0}, {"too-fast"}),
        ({"base_minutes": 5, "increment_seconds": 0}, set()),
        ({"format": "double-round-robin"}, {"too-few-rounds"}),
        ({"ends": TODAY}, set()),
        ({"ends": TODAY + DAY}, {"not-ended"}),
    ],
)
def test_time_control_format_and_last_day_are_checked_as_they_were(event, changed, found):
    assert codes(event, **changed) == found


@pytest.mark.rule("chessa 10", "chessa 43")
def test_what_is_changed_on_the_desk_holds_them_until_it_is_waived(desk, event):
    days = {"starts": "2024-01-02", "ends": "2024-01-06"}
    answer = save(desk, event, **days, **{f"sections__0__{name}": day for name, day in days.items()})
    assert answer.status_code == 302, form_errors(answer)
    assert holds(event, waived_at=None) == {"abroad-late"}
    message = SubmissionFinding.objects.get(code="abroad-late").message
    assert message.startswith("Sent in after 29 Feb 2024")
    with pytest.raises(EventError, match="give the reason why it is rated all the same"):
        accept_event(event, at=CLOCK)
    back = {"starts": "2024-03-02", "ends": "2024-03-06"}
    save(desk, event, **back, **{f"sections__0__{name}": day for name, day in back.items()})
    assert holds(event) == set()


@pytest.mark.rule("chessa 43")
def test_an_event_abroad_is_not_moved_home(desk, event):
    errors = form_errors(save(desk, event, federation="RSA"))
    assert errors
    assert any("South Africa" in error for error in errors)


@pytest.mark.rule("chessa 7", "chessa 10")
@pytest.mark.parametrize(("starts", "unpaid"), [("2024-02-21", False), ("2024-02-20", True)])
def test_the_fees_are_asked_for_the_first_day_as_it_is_corrected(desk, event, starts, unpaid):
    """They were paid on 20 February."""
    arbiter = Arbiter.objects.create(name="Anele Dube", title="FA", fide_id=14300077)
    for fee in Fee:
        Membership.objects.create(arbiter=arbiter, year=2024, paid_on=date(2024, 2, 20), fee=fee)
    Appointment.objects.create(event=event, arbiter=arbiter, position=1, since=AT)
    assert save(desk, event, starts=starts, sections__0__starts=starts).status_code == 302
    assert holds(event, waived_at=None) == ({"membership-unpaid", "licence-unpaid"} if unpaid else set())


@pytest.mark.rule("chessa 10")
def test_the_reason_for_lateness_stays_while_they_are_late_by_that_day(naledi):
    at = AT + timedelta(days=60)
    again = GameAbroad(6, True, Result.WHITE_WINS, "Weber, Jan", "GER", 995000007, 2001)
    results = replace(WHOLE, games=(*WHOLE.games, again))
    event = submit_abroad(naledi, results, at=at, channel=Channel(by=officer()), reason="He was ill.")
    section = event.sections.get()
    section.base_minutes = 60
    (late,) = check_changed_results(section, sent_from_abroad(section), today=at.date())
    assert late.message == "Sent in after 30 Apr 2024, the last day. The reason given: He was ill."


@pytest.mark.rule("chessa 10")
@pytest.mark.parametrize(
    ("changed", "errors"),
    [
        ({"results_url": ""}, ["Give the address of the official results (article 10)."]),
        ({"federation": "QQQ"}, ["FIDE knows no federation QQQ: three letters as in BOT, ENG, ESP (article 10)."]),
        ({"results_url": "https://example.org/other"}, []),
        ({"federation": "BOT"}, []),
    ],
)
def test_the_desk_asks_for_the_link_and_the_federation_of_an_event_abroad(desk, event, changed, errors):
    answer = save(desk, event, **changed)
    assert (form_errors(answer) if errors else answer.status_code) == (errors or 302)


@pytest.mark.rule("chessa 10")
def test_a_published_event_abroad_keeps_a_link(desk, event):
    accept_event(event, at=CLOCK, reason="seen")
    publish()
    assert form_errors(save(desk, event, results_url="")) == ["Give the address of the official results (article 10)."]
    assert save(desk, event, results_url="https://example.org/moved").status_code == 302
