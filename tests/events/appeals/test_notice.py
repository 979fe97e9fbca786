"""The notice of a refusal: the 21 days run from it, and not while nobody was notified (article 11)."""

from datetime import date, timedelta

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import Decision, User
from events.appeals.operations import lodge_appeal, record_notice, refuse_section, take_back
from events.models import Arbiter, Event, Refusal
from events.operations import EventError, move_event
from events.rules.deadlines import appeal_closes
from events.rules.states import State
from events.tasks import notify_of_refusals
from players.models import RegionalAdministrator
from tests.builders import CLOCK, everything, officer, player, region
from tests.events.appeals.cases import SECOND, act, local, section, two_sections

pytestmark = pytest.mark.django_db
MARCH_3 = date(2024, 3, 3)
YEAR = timedelta(days=365)


def refused(*, at=CLOCK, whole=True) -> Refusal:
    event = two_sections(MARCH_3)
    if not whole:
        return refuse_section(section(event), at=at, by=None, reason="Without clocks.")
    move_event(event, State.REFUSED, at=at, reason="Without clocks.")
    return event.refusals.get()


def appeal(refusal, at):
    return lodge_appeal(refusal, appellant="Gauteng", grounds="There were clocks.", at=at, by=None)


def appoint(day: date) -> User:
    user = User.objects.create_user("gau@example.org", is_staff=True)
    RegionalAdministrator.objects.create(user=user, region=region(), since=day)
    return user


@pytest.mark.rule("chessa 11")
@pytest.mark.parametrize("whole", [True, False])
def test_while_nobody_is_notified_the_days_do_not_run(whole):
    refusal = refused(whole=whole)
    assert refusal.notified_at is None
    assert appeal_closes(refusal.notified_at) is None
    assert appeal(refusal, CLOCK + YEAR).state == "lodged"


@pytest.mark.rule("chessa 11")
@pytest.mark.parametrize("whole", [True, False])
def test_who_is_reached_by_mail_is_notified_at_once(administrator, whole):
    assert refused(whole=whole).notified_at == CLOCK


@pytest.mark.rule("chessa 11")
def test_the_organiser_s_account_is_enough():
    user = User.objects.create_user("thandi@example.org")
    Arbiter.objects.create(name="Thandi Nkosi", title="FA", number="199000009", user=user)
    assert refused().notified_at == CLOCK
    User.objects.update(is_active=False)
    Event.objects.all().delete()
    assert refused().notified_at is None


@pytest.mark.rule("chessa 11")
def test_the_administrator_appointed_later_is_notified_and_has_21_days():
    refusal = refused()
    notify_of_refusals()
    assert mail.outbox == []
    appoint(timezone.localdate())
    before = timezone.now()
    notify_of_refusals()
    notify_of_refusals()
    (sent,) = mail.outbox
    refusal.refresh_from_db()
    assert before <= refusal.notified_at <= timezone.now()
    last = timezone.localdate(refusal.notified_at) + timedelta(days=21)
    assert f"until the end of {last:%-d %B %Y} (article 11" in sent.body
    assert Decision.objects.get(action="refusal notified").actor_name == "command line or clock"
    with pytest.raises(EventError, match="The last day to appeal was"):
        appeal(refusal, appeal_closes(refusal.notified_at))
    assert appeal(refusal, appeal_closes(refusal.notified_at) - SECOND).state == "lodged"


def organiser_account() -> User:
    user = User.objects.create_user("thandi@example.org")
    Arbiter.objects.create(name="Thandi Nkosi", title="FA", number="199000009", user=user)
    return user


@pytest.mark.rule("chessa 11")
def test_the_days_run_anew_when_the_region_is_first_notified_after_its_organiser():
    organiser_account()
    refusal = refused()  # two years ago: the organiser's days are over
    with pytest.raises(EventError, match="The last day to appeal was"):
        appeal(refusal, timezone.now())
    notify_of_refusals()
    assert mail.outbox == []
    appoint(timezone.localdate())
    notify_of_refusals()
    notify_of_refusals()
    assert sorted(sent.to[0] for sent in mail.outbox) == ["gau@example.org", "thandi@example.org"]
    refusal.refresh_from_db()
    assert appeal(refusal, appeal_closes(refusal.notified_at) - SECOND).state == "lodged"
    assert timezone.localdate(refusal.notified_at) == timezone.localdate()


@pytest.mark.rule("chessa 11")
@pytest.mark.parametrize("later", ["successor", "organiser"])
def test_who_may_appeal_later_is_notified_while_the_days_run(later):
    """The region was notified: its days run on."""
    first = appoint(timezone.localdate() - timedelta(days=9))
    refusal = refused(at=timezone.now() - timedelta(days=3))
    notice = refusal.notified_at
    notify_of_refusals()
    assert mail.outbox == []
    if later == "organiser":
        address = organiser_account().email
    else:
        first.administrations.update(until=timezone.localdate())
        address = "next@example.org"
        user = User.objects.create_user(address)
        RegionalAdministrator.objects.create(user=user, region=region(), since=timezone.localdate())
    notify_of_refusals()
    notify_of_refusals()
    (sent,) = mail.outbox
    assert sent.to == [address]
    refusal.refresh_from_db()
    assert refusal.notified_at == notice
    last = timezone.localdate(notice) + timedelta(days=21)
    assert f"until the end of {last:%-d %B %Y} (article 11" in sent.body


@pytest.mark.rule("chessa 11")
@pytest.mark.parametrize(("days_ago", "mails"), [(21, 1), (22, 0)])
def test_who_may_appeal_later_is_not_mailed_once_the_days_are_over(days_ago, mails):
    appoint(timezone.localdate() - timedelta(days=40))
    refused(at=timezone.now() - timedelta(days=days_ago))
    organiser_account()
    notify_of_refusals()
    assert len(mail.outbox) == mails


def test_what_is_no_longer_refused_is_not_notified():
    take_back(refused(), at=CLOCK, by=None, reason="They had clocks.")
    appoint(timezone.localdate())
    notify_of_refusals()
    assert mail.outbox == []


@pytest.mark.rule("chessa 11")
def test_an_officer_enters_the_day_of_a_letter():
    refusal, by = refused(), officer()  # refused on 2 April
    now = local(2024, 4, 20)
    for day, reason, said in (
        (date(2024, 4, 10), " ", "say how"),
        (None, "Letter.", "give the day"),
        (date(2024, 4, 1), "Letter.", "from 6 Apr 2024 to 20 Apr 2024"),
        (date(2024, 4, 21), "Letter.", "give the day"),
    ):
        before = everything()
        with pytest.raises(EventError, match=said):
            record_notice(refusal, day, at=now, by=by, reason=reason)
        assert everything() == before
    record_notice(refusal, date(2024, 4, 10), at=now, by=by, reason="By registered letter.")
    refusal.refresh_from_db()
    decision = Decision.objects.get(action="refusal notified")
    assert (decision.actor, decision.after, decision.reason) == (
        by, {"notified": "10 Apr 2024"}, "By registered letter.",
    )  # fmt: skip
    with pytest.raises(EventError, match="they were notified on 10 Apr 2024 already: only a later day corrects it"):
        record_notice(refusal, date(2024, 4, 10), at=now, by=by, reason="Letter.")
    with pytest.raises(EventError, match="The last day to appeal was 1 May 2024"):
        appeal(refusal, local(2024, 5, 2))
    assert appeal(refusal, local(2024, 5, 2) - SECOND).state == "lodged"


@pytest.mark.rule("chessa 11")
def test_a_notice_whose_mail_came_back_is_corrected_to_a_later_day(administrator):
    refusal = refused()
    first = timezone.localdate(CLOCK)
    record_notice(
        refusal, first + timedelta(days=5), at=CLOCK + timedelta(days=6), by=None, reason="The mail came back."
    )
    refusal.refresh_from_db()
    assert timezone.localdate(refusal.notified_at) == first + timedelta(days=5)
    step = Decision.objects.filter(action="refusal notified").latest("pk")
    assert step.before["notified"] != step.after["notified"] != ""


@pytest.mark.rule("chessa 11")
@pytest.mark.parametrize(("days_ago", "taken"), [(14, True), (15, False)])
def test_a_notice_is_recorded_before_the_days_to_appeal_are_over(days_ago, taken):
    refusal = refused()
    now = CLOCK + timedelta(days=40)
    day = timezone.localdate(now) - timedelta(days=days_ago)
    if not taken:
        with pytest.raises(EventError, match="give the day of the notice"):
            record_notice(refusal, day, at=now, by=None, reason="By letter.")
        return
    record_notice(refusal, day, at=now, by=None, reason="By letter.")
    assert appeal(refusal, now).state == "lodged"


def test_a_letter_of_the_day_of_the_refusal_counts_from_it():
    refusal = refused()
    record_notice(refusal, CLOCK.date(), at=CLOCK, by=None, reason="By hand.")
    refusal.refresh_from_db()
    assert refusal.notified_at == CLOCK


@pytest.mark.rule("chessa 11")
def test_the_desk_the_page_and_the_task_say_that_the_days_do_not_run(client):
    event = two_sections()
    client.force_login(officer())
    said = act(client, "event", "refuse", [event], "Without clocks.")
    assert "The days to appeal run only from the notice" in said[0]
    assert (
        "nobody was notified: the days do not run"
        in client.get(f"/admin/events/event/{event.pk}/change/").content.decode()
    )
    person = player("Nkosi", "Thandi")
    user = User.objects.create_user("thandi@example.org")
    Event.objects.update(organiser_number=person.number)
    Arbiter.objects.create(name="Thandi Nkosi", title="FA", user=user, player=person)
    client.force_login(user)
    page = client.get(f"/events/{event.pk}/appeal/").content.decode()
    assert "None yet: the days run from the notice" in page
    assert "Lodge appeal" in page
    assert "no last day before the notice (article 11)" in client.get("/account/").content.decode()


@pytest.mark.rule("chessa 11")
@pytest.mark.parametrize("part", ["event", "section"])
def test_the_desk_records_a_letter(client, part):
    event = two_sections()
    client.force_login(officer())
    row = event if part == "event" else section(event)
    act(client, part, "refuse", [row], "Without clocks.")
    today = timezone.localdate()
    assert act(client, part, "notify", [row], "By letter.", day="31/31") == [
        "Nothing was changed. Day: write it as 2026-03-31."
    ]
    assert act(client, part, "notify", [row], "By letter.", day=today.isoformat()) == [f"1 notified: {row}."]
    page = client.get(f"/admin/events/event/{event.pk}/change/").content.decode()
    assert "nobody was notified" not in page


@pytest.mark.rule("chessa 11")
@pytest.mark.parametrize("day", [date(2024, 4, 2), date(2024, 4, 3)])
def test_a_letter_of_the_day_on_which_its_organiser_was_mailed_is_the_region_s_notice(day):
    """The mail of 2 April went to the Chief Organiser; on that day or the next the letter was handed over."""
    organiser_account()
    refusal, now = refused(), local(2024, 4, 4)
    with pytest.raises(EventError, match="already: only a later day"):
        record_notice(refusal, date(2024, 4, 1), at=now, by=None, reason="By letter.")
    record_notice(refusal, day, at=now, by=None, reason="Handed to the chairman.")
    refusal.refresh_from_db()
    assert (refusal.region_notified, timezone.localdate(refusal.notified_at)) == (True, day)
    notice = refusal.notified_at
    with pytest.raises(EventError, match="already: only a later day"):
        record_notice(refusal, day, at=now, by=None, reason="By letter.")
    appoint(timezone.localdate())
    notify_of_refusals()
    refusal.refresh_from_db()
    assert refusal.notified_at == notice
