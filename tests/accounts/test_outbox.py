"""The outbox: written with the decision, sent by a worker, tried again with pauses, given up, sent again, forgotten."""

import time
import tracemalloc
from datetime import timedelta
from email.header import decode_header, make_header
from email.policy import default
from io import StringIO

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core import mail
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import Decision, Mail, User
from accounts.outbox import operations
from accounts.outbox.delivery import Outcome, _message, send_next
from accounts.outbox.operations import (
    EXPIRED,
    HELD,
    LEASE,
    LONGEST,
    MOST_ATTEMPTS,
    PAUSES,
    MailError,
    claim,
    clear_mails,
)
from accounts.outbox.queue import send
from accounts.outbox.tasks import send_mails
from config.services import SMTP_BACKEND
from tests.builders import everything, officer, refused_by
from tests.mail_server import MailServer

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)
SECRET = "https://bureau.example.org/account/invitation/MQ/token/"


def queued(*to, subject="Registered"):
    """A mail without a secret to each address."""
    context = {"event": subject, "days": "3 March", "returned": False, "reason": "Because.", "link": "https://x/"}
    send("events/mail/decision", context, to or ["thandi@example.org"])
    return list(Mail.objects.order_by("pk"))


def secret():
    """A mail with a link that opens something for an hour."""
    user = User(email="thandi@example.org", first_name="Thandi")
    context = {"user": user, "days": 3, "again": "https://x/"}
    send("accounts/mail/reset", context, [user.email], links={"link": SECRET}, valid=timedelta(hours=1))
    return Mail.objects.get()


@pytest.fixture
def server(settings):
    settings.EMAIL_BACKEND = SMTP_BACKEND
    with MailServer() as running:
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", running.port, 1
        yield running


def again(*rows):
    """Let the next attempt come now."""
    Mail.objects.filter(state=Mail.State.WAITING).update(next_at=timezone.now())
    send_mails()
    for row in rows:
        row.refresh_from_db()


# Written with the decision


def test_what_is_rolled_back_sends_nothing_and_what_is_committed_wakes_a_worker(
    worker_at_once, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True) as woken, transaction.atomic():
        queued()
        transaction.set_rollback(True)
    assert (Mail.objects.count(), woken, mail.outbox) == (0, [], [])
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        (row,) = queued()
        assert row.state == "waiting"
    row.refresh_from_db()
    assert row.state == "sent"


def test_a_queue_that_is_down_loses_no_mail(monkeypatch, django_capture_on_commit_callbacks):
    from config.celery import app

    monkeypatch.setattr(app.conf, "broker_write_url", "redis://127.0.0.1:1/0")
    monkeypatch.setattr(app.amqp, "_producer_pool", None)
    begun = time.monotonic()
    with django_capture_on_commit_callbacks(execute=True) as woken:
        (row,) = queued()
    assert len(woken) == 1
    assert time.monotonic() - begun < 5
    send_mails()  # what the clock wakes
    row.refresh_from_db()
    assert row.state == "sent"


def test_each_address_gets_a_mail_of_its_own(server):
    queued("thandi@example.org", "naledi@example.org", "thandi@example.org")
    server.unknown = {"thandi@example.org"}
    send_mails()
    assert list(Mail.objects.order_by("pk").values_list("to", "state")) == [
        ("thandi@example.org", "failed"),
        ("naledi@example.org", "sent"),
    ]
    assert [message["To"] for message in server.mails] == ["naledi@example.org"]


# Sending


def test_a_mail_server_takes_a_mail_once(server):
    queued("thandi@example.org", "naledi@example.org")
    for _ in range(3):  # a message that comes three times
        send_mails()
    assert [message["To"] for message in server.mails] == ["thandi@example.org", "naledi@example.org"]
    assert server.conversations == 1
    row = Mail.objects.get(to="thandi@example.org")
    assert (row.state, row.attempts, row.sent_at is not None, row.next_at) == ("sent", 1, True, None)


@pytest.mark.parametrize("silent", ["CONNECT", "RCPT", "MAIL TEXT"])
def test_a_mail_server_that_hangs_holds_up_the_worker_once(server, silent):
    server.answers[silent] = ""
    first, second, third = queued("a@example.org", "b@example.org", "c@example.org")
    begun, now = time.monotonic(), timezone.now()
    send_mails()
    assert time.monotonic() - begun < 3  # the time-out is one second
    for row in (first, second, third):
        row.refresh_from_db()
        assert row.state == "waiting"
        assert "timed out" in row.last_error
    assert (first.attempts, second.attempts) == (1, 0)
    assert PAUSES[0] <= first.next_at - now < PAUSES[0] + 4 * SECOND
    assert HELD + 0.9 * SECOND <= second.next_at - now < HELD + 4 * SECOND  # from the end of the wait on
    server.answers.clear()
    again(first, second, third)
    assert [row.state for row in (first, second, third)] == ["sent"] * 3


class NeverEnding:
    """A conversation that a worker breaks off: the mail server says a little again and again, within each time-out."""

    def open(self):
        raise SoftTimeLimitExceeded


def test_a_mail_server_that_comes_to_no_end_is_left_before_the_lease_runs_out():
    assert send_mails.soft_time_limit == LONGEST.total_seconds()
    assert LONGEST < timedelta(seconds=send_mails.time_limit) <= LEASE
    first, second = queued("a@example.org", "b@example.org")
    now = timezone.now()
    assert send_next(NeverEnding(), at=now) is Outcome.NO_SERVER
    for row, pause in ((first, PAUSES[0]), (second, HELD)):
        row.refresh_from_db()
        assert (row.state, row.next_at) == ("waiting", now + LONGEST + pause)
        assert "to no end" in row.last_error


@pytest.mark.parametrize(
    ("command", "answer", "state"),
    [
        ("RCPT", "550 5.1.1 no such person", "failed"),
        ("RCPT", "599 never", "failed"),
        ("RCPT", "499 not now", "waiting"),
        ("RCPT", "450 4.2.0 greylisted", "waiting"),
        ("RCPT", "421 closing", "waiting"),
        ("RCPT", "550 no\0 such person", "failed"),
        ("RCPT", "450 not\0 now", "waiting"),
        ("RCPT", "421 closing\0", "waiting"),
        ("MAIL", "550 this sender may\0 not", "waiting"),
        ("MAIL", "550 this sender may not", "waiting"),
        ("MAIL TEXT", "554 spam", "failed"),
        ("MAIL TEXT", "452 full", "waiting"),
    ],
)
def test_what_the_recipients_server_refuses_for_good_is_given_up_at_once(server, command, answer, state):
    server.answers[command] = answer
    (row,) = queued()
    send_mails()
    row.refresh_from_db()
    assert (row.state, row.attempts) == (state, 1)
    assert answer.split()[0] in row.last_error
    server.answers.clear()
    again(row)
    assert row.state == ("failed" if state == "failed" else "sent")


def test_one_that_is_refused_does_not_hold_up_the_others(server):
    server.answers["RCPT"] = "450 later"
    queued("a@example.org", "b@example.org")
    send_mails()
    assert set(Mail.objects.values_list("state", "attempts")) == {("waiting", 1)}


def test_pauses_grow_over_days_until_it_is_given_up():
    assert list(PAUSES) == sorted(PAUSES)
    assert timedelta(days=3) < sum(PAUSES, timedelta()) < timedelta(days=5)
    (row,) = queued()
    at = row.next_at
    for attempt in range(1, MOST_ATTEMPTS + 1):
        assert claim(at=at - SECOND) is None
        claimed = claim(at=at)
        assert claimed.attempts == attempt
        operations.postpone(claimed, "connection refused", at=at)
        row.refresh_from_db()
        if attempt < MOST_ATTEMPTS:
            assert row.next_at == at + PAUSES[attempt - 1]
            at = row.next_at
    assert (row.state, row.last_error) == ("failed", "connection refused")


def test_a_mail_server_whose_log_in_is_answered_by_no_word_of_its_is_tried_again(server, settings):
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "bureau", "secret"
    server.answers |= {"EHLO": "250-here\r\n250 AUTH CRAM-MD5", "AUTH": "334 !!!abc"}
    rows = queued("a@example.org", "b@example.org")
    send_mails()
    for row in rows:
        row.refresh_from_db()
        assert (row.state, row.last_error != "") == ("waiting", True)
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    server.answers.clear()
    again(*rows)
    assert [row.state for row in rows] == ["sent", "sent"]


def test_an_answer_of_a_mail_server_without_end_is_not_kept(server):
    """3 million lines took 2 GB."""
    rows = queued("a@example.org", "b@example.org")
    for command in ("CONNECT", "EHLO", "MAIL", "RCPT", "DATA", "MAIL TEXT"):
        server.answers = {command: "250-yyy\r\n" * 100_000 + "250 here"}
        Mail.objects.update(next_at=timezone.now(), attempts=0)
        tracemalloc.start()
        send_mails()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 2_000_000, command
        assert set(Mail.objects.values_list("state", flat=True)) == {"waiting"}
        assert "comes to no end" in Mail.objects.order_by("pk").first().last_error, command
    server.answers = {"EHLO": "250-here\r\n" * 100 + "250 SIZE"}
    again(*rows)
    assert [row.state for row in rows] == ["sent", "sent"]


@pytest.mark.parametrize("command", ["CONNECT", "EHLO", "RCPT", "MAIL TEXT"])
def test_a_mail_server_that_sends_byte_by_byte_is_left_by_every_kind_of_worker(server, monkeypatch, command):
    """Each byte ends a silence; a worker without processes of its own has no limit of time for its tasks."""
    monkeypatch.setattr("accounts.outbox.smtp.LONGEST", 2 * SECOND)
    server.answers, server.dripping = {command: f"250-{'y' * 400}"}, {command}
    first, second = queued("a@example.org", "b@example.org")
    begun, now = time.monotonic(), timezone.now()
    send_mails()
    assert 1.5 < time.monotonic() - begun < 4
    for row, pause in ((first, PAUSES[0]), (second, HELD)):
        row.refresh_from_db()
        assert row.state == "waiting"
        assert LONGEST + pause <= row.next_at - now < LONGEST + pause + 3 * SECOND
        assert "to no end" in row.last_error
    server.answers.clear()
    server.dripping.clear()
    again(first, second)
    assert [row.state for row in (first, second)] == ["sent"] * 2


def test_a_mail_server_that_takes_its_leave_byte_by_byte_is_left_with_the_mail_sent(server, monkeypatch):
    monkeypatch.setattr("accounts.outbox.smtp.LONGEST", 2 * SECOND)
    server.answers, server.dripping = {"QUIT": f"221-{'y' * 400}"}, {"QUIT"}
    (row,) = queued("a@example.org")
    begun = time.monotonic()
    again(row)
    assert time.monotonic() - begun < 4
    assert row.state == "sent"


def test_a_mail_server_that_sends_slowly_and_comes_to_an_end_takes_its_mail(server):
    server.dripping = {"CONNECT", "MAIL TEXT"}
    (row,) = queued("a@example.org")
    again(row)
    assert row.state == "sent"


def test_of_a_mail_server_that_comes_to_no_end_no_leave_is_taken(monkeypatch):
    """It would not end either: the worker would be killed at its limit."""
    endless = NeverEnding()
    endless.connection = conversation = StringIO()  # as a socket, it can be closed
    endless.close = pytest.fail
    monkeypatch.setattr("accounts.outbox.tasks.get_connection", lambda: endless)
    queued()
    send_mails()
    assert conversation.closed
    assert endless.connection is None


def test_a_name_of_which_no_header_can_be_made_is_given_up_and_the_next_is_sent(server):
    Mail.objects.filter(pk=queued()[0].pk).update(to="a@example.org\nBcc: b@example.org")
    queued("c@example.org")
    send_mails()
    assert [message["To"] for message in server.mails] == ["c@example.org"]
    assert Mail.objects.get(state="failed").last_error


# Two workers, and one that is lost


def test_a_worker_that_is_lost_leaves_its_mail_to_another_after_the_lease():
    (row,) = queued()
    at = row.next_at
    lost = claim(at=at)
    assert claim(at=at + LEASE - SECOND) is None
    other = claim(at=at + LEASE)
    assert (other.pk, other.attempts) == (lost.pk, 2)
    operations.postpone(lost, "came back late", at=at + LEASE)
    row.refresh_from_db()
    assert (row.last_error, row.next_at) == ("", at + 2 * LEASE)
    operations.mark_sent(other, at=at + LEASE)
    operations.give_up(lost, "came back late")
    row.refresh_from_db()
    assert row.state == "sent"


@pytest.mark.parametrize("ahead", [timedelta(days=1, hours=2), timedelta(days=36)])
def test_what_a_clock_that_was_ahead_has_put_off_is_sent_when_it_is_right_again(server, ahead):
    """Written, tried or held by a worker meanwhile, of which the last was killed."""
    now = timezone.now()
    queued("thandi@example.org", "naledi@example.org")
    Mail.objects.update(next_at=now + ahead)
    claim(at=now + ahead)
    send_mails()
    assert Mail.objects.filter(state=Mail.State.SENT).count() == 2


def test_a_mail_waits_for_its_longest_pause():
    now = timezone.now()
    queued("thandi@example.org")
    Mail.objects.update(next_at=now + max(PAUSES))
    assert claim(at=now) is None


def test_both_attempts_bear_the_same_number_so_that_a_second_arrival_is_recognised(server):
    (row,) = queued()
    server.answers["MAIL TEXT"] = "452 full"
    send_mails()
    server.answers.clear()
    again(row)
    Mail.objects.update(state="waiting", next_at=timezone.now(), sent_at=None)
    send_mails()
    first, second = server.mails
    assert first["Message-ID"] == second["Message-ID"]
    assert "@127.0.0.1>" in first["Message-ID"]


def test_a_mail_that_loses_every_worker_is_given_up():
    (row,) = queued()
    at = row.next_at
    for attempt in range(MOST_ATTEMPTS):
        assert claim(at=at + attempt * LEASE) is not None
    last = at + (MOST_ATTEMPTS - 1) * LEASE
    assert claim(at=last + LEASE) is None
    clear_mails(at=last + LEASE - SECOND)
    row.refresh_from_db()
    assert row.state == "waiting"
    clear_mails(at=last + LEASE)
    row.refresh_from_db()
    assert row.state == "failed"


# Secret links


def test_a_secret_link_is_in_the_mail_and_nowhere_once_it_is_sent(server):
    row = secret()
    assert SECRET not in row.text
    send_mails()
    (message,) = server.mails
    assert SECRET in message_text(message)
    row.refresh_from_db()
    assert (row.secret, row.links) == (True, {})
    assert SECRET not in str(everything())


def message_text(message):
    from email import message_from_bytes

    return message_from_bytes(message.as_bytes(), policy=default).get_content()


def test_a_secret_link_that_has_expired_is_not_sent():
    row = secret()
    until = row.links_until
    connection_to_nowhere = mail.get_connection("django.core.mail.backends.locmem.EmailBackend")
    Mail.objects.update(next_at=until)
    assert send_next(connection_to_nowhere, at=until) is Outcome.GOES_ON
    row.refresh_from_db()
    assert (row.state, row.last_error, mail.outbox) == ("failed", EXPIRED, [])


def test_links_are_forgotten_when_they_expire():
    row = secret()
    until = row.links_until
    clear_mails(at=until - SECOND)
    row.refresh_from_db()
    assert (row.state, row.links != {}) == ("waiting", True)
    clear_mails(at=until)
    row.refresh_from_db()
    assert (row.state, row.links, row.last_error) == ("failed", {}, EXPIRED)


def test_a_link_without_an_end_is_not_taken():
    row = secret()
    with refused_by("mail_links_expire"):
        Mail.objects.filter(pk=row.pk).update(links_until=None)
    with refused_by("mail_state_has_its_moment"):
        Mail.objects.filter(pk=row.pk).update(state="sent")


# Kept, and deleted


def test_mails_are_kept_for_so_long_and_what_waits_is_never_deleted():
    now = timezone.now()
    queued("sent@example.org", "failed@example.org", "waiting@example.org")
    old = {"created_at": now - timedelta(days=90)}
    Mail.objects.filter(to="sent@example.org").update(
        **old, state="sent", sent_at=now - timedelta(days=90), next_at=None
    )
    Mail.objects.filter(to="failed@example.org").update(**old, state="failed", next_at=None)
    Mail.objects.filter(to="waiting@example.org").update(**old)
    clear_mails(at=now - SECOND)
    assert Mail.objects.count() == 3
    clear_mails(at=now)
    assert list(Mail.objects.values_list("to", flat=True)) == ["waiting@example.org"]


# The officers' list


def act(client, *rows):
    chosen = {"action": "send_again", "_selected_action": [row.pk for row in rows]}
    answer = client.post("/admin/accounts/mail/", chosen, follow=True)
    return [str(message) for message in answer.context["messages"]]


@pytest.fixture
def desk(client):
    client.force_login(officer())
    return client


def test_an_officer_sees_what_waits_was_sent_and_failed_and_each_as_it_was_sent(desk):
    failed, sent, _ = queued("failed@example.org", "sent@example.org", "waiting@example.org")
    now = timezone.now()
    Mail.objects.filter(pk=failed.pk).update(state="failed", next_at=None, last_error="550 no such person")
    Mail.objects.filter(pk=sent.pk).update(state="sent", next_at=None, sent_at=now)
    page = desk.get("/admin/accounts/mail/").content.decode()
    assert ">1 failed</a>" in page
    assert ">1 waiting</a>" in page
    for query, shown in (
        ("state__exact=failed", "failed@"),
        ("q=waiting@example.org", "waiting@"),
        ("kind=decision&state__exact=sent", "sent@"),
        (f"created_at__year={now.year}&state__exact=sent", "sent@"),
    ):
        page = desk.get(f"/admin/accounts/mail/?{query}").content.decode()
        rows = page.partition('id="result_list"')[2]
        assert [address in rows for address in ("failed@", "sent@", "waiting@")].count(True) == 1, query
        assert shown in rows
    page = desk.get(f"/admin/accounts/mail/{failed.pk}/change/").content.decode()
    assert all(text in page for text in ("Because.", "Registered: Registered", "550 no such person"))


def test_the_page_of_a_mail_sends_it_again_once(desk):
    (row,) = queued()
    page = f"/admin/accounts/mail/{row.pk}/change/"
    assert "Send again" not in desk.get(page).content.decode()
    assert "waits to be sent already" in desk.post(page.replace("change", "again"), follow=True).content.decode()
    Mail.objects.update(state="failed", next_at=None, attempts=MOST_ATTEMPTS, last_error="550 no such person")
    assert "Send again" in desk.get(page).content.decode()
    answer = desk.post(page.replace("change", "again"), follow=True)
    assert "1 waiting to be sent again." in answer.content.decode()
    assert answer.redirect_chain == [(page, 302)]
    assert Decision.objects.get().action == "mail sent again"


@pytest.mark.parametrize(("links", "offered"), [({"a": "b"}, True), ({}, False)])
def test_a_mail_whose_secret_link_is_gone_has_no_button_to_send_it_again(desk, links, offered):
    row = secret()
    Mail.objects.update(state="failed", links=links, next_at=None)
    assert ("Send again" in desk.get(f"/admin/accounts/mail/{row.pk}/change/").content.decode()) is offered


def test_no_page_shows_or_finds_a_secret_link(desk):
    row = secret()
    page = desk.get(f"/admin/accounts/mail/{row.pk}/change/").content.decode()
    assert "Somebody, probably you, asked to set a new password" in page
    assert "(a link that only the recipient gets)" in page
    for text in (page, desk.get("/admin/accounts/mail/").content.decode()):
        assert SECRET not in text
        assert "/invitation/" not in text
    for query in ("links__icontains=token", "facts__icontains=x", "again__links__icontains=token"):
        assert desk.get(f"/admin/accounts/mail/?{query}").status_code in (302, 400), query
    assert "result_list" not in desk.get("/admin/accounts/mail/?q=token").content.decode()


def test_what_failed_is_sent_again_and_stands_on_the_trail(desk):
    (row,) = queued()
    Mail.objects.update(state="failed", next_at=None, attempts=MOST_ATTEMPTS, last_error="550 no such person")
    assert act(desk, row) == ["1 waiting to be sent again."]
    (sent,) = mail.outbox
    assert sent.to == ["thandi@example.org"]
    row.refresh_from_db()
    assert (row.state, row.attempts, Mail.objects.count()) == ("sent", 1, 1)
    decision = Decision.objects.get()
    assert (decision.action, decision.actor.email) == ("mail sent again", "officer@example.org")
    assert (decision.before, decision.after) == ({"mail": "failed"}, {"mail": "waiting"})
    assert "thandi" not in decision.subject_name


def test_what_was_sent_is_sent_again_as_a_new_mail_once(desk):
    (row,) = queued()
    send_mails()
    assert act(desk, row) == ["1 waiting to be sent again."]
    assert "is on its way again already" in act(desk, row)[0]
    assert len(mail.outbox) == 2
    new = Mail.objects.exclude(pk=row.pk).get()
    assert (new.again_of, new.text, new.subject, new.state) == (row, row.text, row.subject, "sent")
    row.refresh_from_db()
    assert row.state == "sent"
    send_mails()
    assert "was sent again a moment ago" in act(desk, row)[0]
    assert len(mail.outbox) == 2
    Mail.objects.filter(pk=new.pk).update(created_at=timezone.now() - operations.JUST_NOW)
    assert act(desk, row) == ["1 waiting to be sent again."]


def test_what_waits_or_bore_a_secret_link_is_not_sent_again(desk):
    (row,) = queued()
    assert "waits to be sent already" in act(desk, row)[0]
    row.delete()
    row = secret()
    Mail.objects.update(state="failed", next_at=None)
    assert act(desk, row) == ["1 waiting to be sent again."]
    send_mails()
    assert "a new one must be asked for" in act(desk, row)[0]
    Mail.objects.update(state="failed", next_at=None, sent_at=None)
    with pytest.raises(MailError, match="a new one must be asked for"):
        operations.send_again(row, at=timezone.now(), by=User.objects.get())


def test_only_officers_see_mails(client):
    (row,) = queued()
    client.force_login(User.objects.create_user("gau@example.org", is_staff=True))
    for page in ("", f"{row.pk}/change/"):
        assert client.get(f"/admin/accounts/mail/{page}").status_code == 403
    assert client.post("/admin/accounts/mail/", {"action": "send_again", "_selected_action": row.pk}).status_code == 403


def test_the_list_asks_as_much_for_many_mails_as_for_one(desk):
    from django.test.utils import CaptureQueriesContext

    counts = []
    for number in (1, 9):
        queued(*(f"{number}-{place}@example.org" for place in range(number)))
        with CaptureQueriesContext(connection) as asked:
            desk.get("/admin/accounts/mail/")
        counts.append(len(asked))
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    "name", ["Open", "Open of the schools of the north, under sixteen, girls and boys " * 2, "Óbidos " * 20]
)
def test_a_subject_that_looks_encoded_is_read_as_it_is_written(db, name):
    """A mail program would show what it encodes: another subject, or characters that cannot be seen."""
    subject = f"Appeal lodged: =?utf-8?b?4oCuZXZpbA==?= {name}".strip()
    mail = Mail(pk=1, to="anna@example.org", subject=subject, text="x", created_at=timezone.now(), links={})
    header = _message(mail).message()["Subject"]
    assert str(make_header(decode_header(str(header)))) == subject
