"""Hands mails to the mail server. Only workers call it."""

import smtplib
import time
from datetime import datetime, timedelta
from email.header import Header
from enum import Enum
from urllib.parse import urlsplit

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction

from accounts.models import Mail
from accounts.outbox.lookups import LOOKUPS
from accounts.outbox.operations import EXPIRED, LONGEST, PUT_OFF, claim, fill_in, give_up, hold, mark_sent, postpone
from accounts.outbox.smtp import NoEndError

_CLOSING = 421  # the mail server ends the conversation


class Outcome(Enum):
    """How the attempt to send the next mail went."""

    NOTHING_DUE = "nothing due"
    GOES_ON = "goes on"
    NO_SERVER = "no server"


def send_next(connection: BaseEmailBackend, *, at: datetime) -> Outcome:
    """Send the mail that has waited longest, and record how it went.

    What the recipient's server refuses for good (5xx) is given up at once; any other failure is tried again later. When the
    mail server itself does not answer, all that is due waits, so that a worker is not held up by each mail.
    """
    began = time.monotonic()
    mail = claim(at=at)
    if mail is None:
        return Outcome.NOTHING_DUE
    if mail.lookup and not _look_up(mail, at=at):
        return Outcome.GOES_ON
    if mail.links_until is not None and mail.links_until <= at:
        give_up(mail, EXPIRED)
        return Outcome.GOES_ON
    try:
        _open(connection)
        connection.send_messages([_message(mail)])
    except smtplib.SMTPRecipientsRefused as error:
        code, answer = next(iter(error.recipients.values()))
        return _refused(mail, code, answer, at=at)
    except smtplib.SMTPDataError as error:
        return _refused(mail, error.smtp_code, error.smtp_error, at=at)
    except (NoEndError, SoftTimeLimitExceeded):
        return _no_server(mail, "The mail server comes to no end.", at=at + LONGEST)
    except OSError as error:  # that of smtplib, too
        # From now on, and not from before the server hung: mails that came meanwhile would each hold a worker up.
        now = at + timedelta(seconds=time.monotonic() - began)
        return _no_server(mail, str(error) or type(error).__name__, at=now)
    except ValueError as error:  # no header or address can be made of it
        give_up(mail, str(error))
        return Outcome.GOES_ON
    mark_sent(mail, at=at)
    return Outcome.GOES_ON


def _open(connection: BaseEmailBackend) -> None:
    """Open the connection to the mail server. Raises OSError, also for a log-in that is answered by what is no word of its."""
    try:
        connection.open()
    except ValueError as error:
        raise OSError(str(error) or type(error).__name__) from error


def hang_up(connection: BaseEmailBackend) -> None:
    """Close the connection to the mail server, if there is one, without a word to it."""
    for place in ("connection", "_partial_connection"):  # where Django keeps it, and while it is being opened
        if conversation := getattr(connection, place, None):
            conversation.close()
            setattr(connection, place, None)


def _look_up(mail: Mail, *, at: datetime) -> bool:
    with transaction.atomic():
        return fill_in(mail, LOOKUPS[mail.lookup](mail), at=at)


def _refused(mail: Mail, code: int, answer: bytes | str, *, at: datetime) -> Outcome:
    text = f"{code} {answer.decode(errors='replace') if isinstance(answer, bytes) else answer}"
    if code == _CLOSING or not 400 <= code <= 599:  # smtplib calls what is no answer -1
        return _no_server(mail, text, at=at)
    if 500 <= code <= 599:
        give_up(mail, text)
    else:
        postpone(mail, f"{PUT_OFF}{text}", at=at)
    return Outcome.GOES_ON


def _no_server(mail: Mail, error: str, *, at: datetime) -> Outcome:
    postpone(mail, error, at=at)
    hold(error, at=at)
    return Outcome.NO_SERVER


def _message(mail: Mail) -> EmailMessage:
    text = mail.text
    for mark, address in mail.links.items():
        text = text.replace(mark, address)
    # The same at each attempt: a mail whose worker was lost just after sending it arrives twice, and can be recognised.
    key = f"<{mail.pk}.{mail.created_at:%Y%m%d%H%M%S%f}@{urlsplit(settings.SITE_URL).hostname}>"
    # A subject of plain letters is sent as it is, and programs would decode what looks like an encoded word in it.
    subject = mail.subject
    if "=?" in subject:
        subject = Header(subject, "utf-8").encode(linesep="")
    return EmailMessage(subject, text, None, [mail.to], headers={"Message-ID": key})
