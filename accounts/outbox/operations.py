"""Writes on mails: add, claim, record how it went, send again, forget. One transaction each; the clock is passed in."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Model, Q, QuerySet

from accounts.models import Mail, User
from accounts.outbox.content import Content
from accounts.retention.queries import retention
from accounts.trail.operations import key_of, record
from config.lib.texts import plain_text, shortened

# Between the attempts to send a mail: four days in all.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720, 1440, 1440, 1440))
MOST_ATTEMPTS = len(PAUSES) + 1
# Longer than a conversation with a mail server can take: about eleven steps of EMAIL_TIMEOUT seconds.
LEASE = timedelta(minutes=5)
LONGEST = LEASE - timedelta(minutes=1)  # that a worker is at it: then it leaves a server that comes to no end
FURTHEST = max(PAUSES) + timedelta(hours=1)  # from now at which a mail can be due, and what clocks may differ by
HELD = timedelta(minutes=2)  # for all that is due, when the mail server does not answer
LINK_KEPT = timedelta(days=7)  # a secret link in a mail that is not sent, if the link itself opens for longer

PUT_OFF = "Put off by the recipient’s server: "
EXPIRED = "Its link expired before it could be sent."
_LONGEST_ERROR = 500


class MailError(Exception):
    """The reason why a mail is not sent again, to show to the user."""


# Addresses are kept in small letters everywhere: who looks for those of a person compares them so.
def add_mail(content: Content, to: str, *, at: datetime, about: Model | None = None) -> Mail:
    """Add a mail to one address, in the caller's transaction. `about`: the row that it tells of."""
    return Mail.objects.create(
        to=to.lower(),
        about=key_of(about) if about else "",
        about_name=shortened(str(about), 300) if about else "",
        created_at=at,
        next_at=at,
        **_fields(content, at),
    )


def add_lookup(lookup: str, to: str, facts: Mapping[str, Any], *, at: datetime) -> Mail:
    """Add a mail of which the worker looks up whether and what is sent (`lookups`), in the caller's transaction."""
    return Mail.objects.create(lookup=lookup, kind=lookup, to=to.lower(), facts=dict(facts), created_at=at, next_at=at)


def fill_in(mail: Mail, content: Content | None, *, at: datetime) -> bool:
    """Give a mail that was looked up its content; without one delete it and return False."""
    if content is None:
        mail.delete()
        return False
    # A token in the content was made at this moment.
    fields = {**_fields(content, at), "lookup": "", "facts": {}}
    for name, value in fields.items():
        setattr(mail, name, value)
    mail.save(update_fields=list(fields))
    return True


def _fields(content: Content, at: datetime) -> dict[str, Any]:
    return {
        "kind": content.kind,
        "subject": content.subject,
        "text": content.text,
        "secret": bool(content.links),
        "links": content.links,
        "links_until": at + content.valid if content.valid else None,
    }


def _is_due(at: datetime) -> Q:
    """Return the condition of mails that are due. One that would be due later than any that is put off now was put off by a
    clock that went ahead and was set right since: it would wait for as long as that was."""
    return Q(next_at__lte=at) | Q(next_at__gt=at + FURTHEST)


def claim(*, at: datetime) -> Mail | None:
    """Return the mail that has waited longest, for this worker alone until the lease runs out; None if none is due.

    A worker that dies leaves a mail that is due again after the lease. The attempt's number is counted up, so that a worker
    that comes back late does not record anything.
    """
    with transaction.atomic():
        due = Mail.objects.filter(_is_due(at), state=Mail.State.WAITING).select_for_update(skip_locked=True)
        mail = due.filter(attempts__lt=MOST_ATTEMPTS).order_by("next_at", "pk").first()
        if mail is None:
            return None
        mail.attempts += 1
        mail.next_at = at + LEASE
        mail.save(update_fields=["attempts", "next_at"])
        return mail


def mark_sent(mail: Mail, *, at: datetime) -> None:
    """Record that the mail server has taken a mail, and forget its secret links."""
    _own(mail).update(state=Mail.State.SENT, sent_at=at, next_at=None, links={}, last_error="")


def give_up(mail: Mail, error: str) -> None:
    """Record that a mail will not be sent."""
    _own(mail).update(state=Mail.State.FAILED, next_at=None, last_error=_words(error))


def postpone(mail: Mail, error: str, *, at: datetime) -> None:
    """Record that an attempt failed: the next one follows after a pause, or the mail is given up after the last."""
    if mail.attempts >= MOST_ATTEMPTS:
        give_up(mail, error)
    else:
        _own(mail).update(next_at=at + PAUSES[mail.attempts - 1], last_error=_words(error))


def hold(error: str, *, at: datetime) -> None:
    """Let all that is due wait for a while, since the mail server does not answer. It counts as no attempt."""
    due = Mail.objects.filter(_is_due(at), state=Mail.State.WAITING)
    due.update(next_at=at + HELD, last_error=_words(error))


def _words(error: str) -> str:
    """Return what went wrong as it can be kept: a mail server says whatever it likes, be it a NUL."""
    return plain_text(error)[:_LONGEST_ERROR]


def _own(mail: Mail) -> QuerySet[Mail]:
    """Return the mail as this worker claimed it; nothing if another has claimed it since."""
    return Mail.objects.filter(pk=mail.pk, state=Mail.State.WAITING, attempts=mail.attempts)


# Within this time a mail is sent again once: a button that is pressed thrice gives one mail.
JUST_NOW = timedelta(minutes=1)


def is_link_gone(mail: Mail) -> bool:
    """Return whether a mail had a secret link that is no longer kept, so that it cannot be sent again."""
    return bool(mail.secret and not (mail.state == Mail.State.FAILED and mail.links))


def send_again(mail: Mail, *, at: datetime, by: User) -> Mail:
    """Have a mail sent again: one that was given up itself, for one that was sent a new one. Return it.

    Raises MailError for a mail that waits, one that is on its way again already, and one whose secret link is gone.
    """
    with transaction.atomic():
        current = Mail.objects.select_for_update().get(pk=mail.pk)
        if current.state == Mail.State.WAITING:
            raise MailError("it waits to be sent already")
        if is_link_gone(current):
            raise MailError("its link was for the recipient alone and is not kept: a new one must be asked for")
        if current.again.filter(state=Mail.State.WAITING).exists():
            raise MailError("it is on its way again already")
        if current.again.filter(created_at__gt=at - JUST_NOW, created_at__lt=at + JUST_NOW).exists():
            raise MailError("it was sent again a moment ago")
        before = current.get_state_display()
        if current.state == Mail.State.FAILED:
            current.state, current.attempts, current.next_at = Mail.State.WAITING, 0, at
            current.save(update_fields=["state", "attempts", "next_at"])
            again = current
        else:
            again = Mail.objects.create(
                kind=current.kind,
                to=current.to,
                subject=current.subject,
                text=current.text,
                about=current.about,
                about_name=current.about_name,
                created_at=at,
                next_at=at,
                again_of=current,
            )
        record("mail sent again", current, at=at, by=by, before={"mail": before}, after={"mail": "waiting"})
        return again


def clear_mails(*, at: datetime) -> None:
    """Give up what no attempt is left for, forget links that have expired, delete mails that were kept long enough."""
    lost = Mail.objects.filter(_is_due(at), state=Mail.State.WAITING, attempts__gte=MOST_ATTEMPTS)
    lost.update(state=Mail.State.FAILED, next_at=None, last_error="A worker was lost at the last attempt.")
    expired = Mail.objects.filter(links_until__lte=at)
    expired.filter(state=Mail.State.WAITING).update(state=Mail.State.FAILED, next_at=None, last_error=EXPIRED)
    expired.filter(state=Mail.State.FAILED).update(links={})
    over = at - timedelta(days=retention().mail_days)
    Mail.objects.filter(state=Mail.State.SENT, sent_at__lte=over).delete()
    Mail.objects.filter(state=Mail.State.FAILED, created_at__lte=over).delete()
