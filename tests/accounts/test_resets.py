"""Links to set a password: how many within an hour, and that neither answer nor work tells who has an account."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Mail, MailRequest, User
from accounts.operations import MAILS_AN_ADDRESS, MAILS_AN_ORIGIN, AccountError, count_mail
from tests.builders import CLOCK

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def user():
    return User.objects.create_user("thandi@example.org", "correct horse 9")


def ask(client, email):
    return client.post("/account/reset/", {"email": email})


@pytest.mark.parametrize("email", ["thandi@example.org", "nobody@example.org"])
def test_the_sixth_mail_within_an_hour_is_refused_whoever_has_the_address(user, client, email):
    for _ in range(MAILS_AN_ADDRESS):
        assert ask(client, email).status_code == 302
    for other in (email, email.upper()):
        page = ask(client, other).content.decode()
        assert '<a href="#id_email">E-mail address: 5 mails within an hour are enough for one address' in page
        assert 'id="id_email_error"' in page
    assert len(mail.outbox) == (5 if email == user.email else 0)
    MailRequest.objects.update(at=timezone.now() - HOUR)
    assert ask(client, email).status_code == 302


def test_the_hour_at_its_limit():
    for _ in range(MAILS_AN_ADDRESS):
        count_mail("thandi@example.org", "192.0.2.1", at=CLOCK, purpose="reset")
    with pytest.raises(AccountError, match="for one address"):
        count_mail("thandi@example.org", "192.0.2.2", at=CLOCK + HOUR - timedelta(microseconds=1), purpose="reset")
    count_mail("thandi@example.org", "192.0.2.2", at=CLOCK + HOUR, purpose="reset")
    assert MailRequest.objects.count() == 1


def test_one_place_asks_for_thirty():
    for number in range(MAILS_AN_ORIGIN):
        count_mail(f"{number}@example.org", "192.0.2.1", at=CLOCK, purpose="reset")
    with pytest.raises(AccountError, match="from where you are"):
        count_mail("another@example.org", "192.0.2.1", at=CLOCK, purpose="reset")
    count_mail("another@example.org", "192.0.2.2", at=CLOCK, purpose="reset")
    assert not MailRequest.objects.filter(address__contains="example").exists()


def test_the_request_does_the_same_work_for_an_address_with_an_account_and_one_without(user, client):
    asked = []
    for email in ("thandi@example.org", "nobody@example.org"):
        with CaptureQueriesContext(connection) as queries:
            answer = ask(client, email)
        assert (answer.status_code, answer.headers["Location"]) == (302, "/account/reset/sent/")
        asked.append([re.split(r" WHERE| VALUES|SAVEPOINT", query["sql"])[0] for query in queries])
    assert asked[0] == asked[1]
    assert not any("accounts_user" in sql for sql in asked[0])
    assert list(Mail.objects.order_by("to").values_list("to", "text")) == [
        ("nobody@example.org", ""),
        ("thandi@example.org", ""),
    ]
    assert [sent.to for sent in mail.outbox] == [["thandi@example.org"]]
    assert not Mail.objects.filter(to="nobody@example.org").exists()


def test_mails_for_one_purpose_do_not_shut_out_another():
    for _ in range(MAILS_AN_ADDRESS):
        count_mail("thandi@example.org", "192.0.2.1", at=CLOCK, purpose="abroad")
    count_mail("thandi+club@example.org", "192.0.2.1", at=CLOCK, purpose="reset")
    with pytest.raises(AccountError, match="enough for one address"):
        count_mail("thandi+more@example.org", "192.0.2.1", at=CLOCK, purpose="abroad")


@pytest.mark.parametrize(
    "email",
    ['"thandi"@example.org', r'"th\andi"@example.org', r"t\handi@example.org", r'"\t\h\a\ndi+club"@example.org'],
)
def test_a_mailbox_in_quotation_marks_is_the_one_without(email):
    """RFC 5321, 4.1.2: they and the backslashes are no part of its name."""
    for _ in range(MAILS_AN_ADDRESS):
        count_mail("thandi@example.org", "192.0.2.1", at=CLOCK, purpose="reset")
    with pytest.raises(AccountError, match="enough for one address"):
        count_mail(email, "192.0.2.2", at=CLOCK, purpose="reset")
    count_mail('"thandi m"@example.org', "192.0.2.2", at=CLOCK, purpose="reset")


def test_what_was_asked_for_by_a_clock_that_went_ahead_shuts_nobody_out():
    """The clock was set right after an hour, and links could not be asked for until it had caught up."""
    ahead = timezone.now() + timedelta(days=40)
    asked = {"email": "player@example.org", "origin": "203.0.113.7", "purpose": "reset"}
    for _ in range(MAILS_AN_ADDRESS):
        count_mail(**asked, at=ahead)
    with pytest.raises(AccountError):
        count_mail(**asked, at=ahead)
    count_mail(**asked, at=timezone.now())
