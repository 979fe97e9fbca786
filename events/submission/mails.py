"""Mails about what is sent in: the region's receipt, and a note to the officers who ask for one at each event."""

from datetime import datetime

from accounts.models import User
from accounts.operations import gets_week_mail
from accounts.outbox.queue import send
from accounts.trail.operations import role_of
from config.languages import in_english
from config.lib import formatting
from config.lib.days import next_month
from config.lib.site import site_address
from events.access import administrator_emails
from events.mails import link_to
from events.models import Event, Submission
from events.periods import period_for
from events.rules.deadlines import last_day_to_submit
from events.rules.findings import Severity
from events.submission.recall import moment_text
from players.administrators import called


@in_english()
def tell_sent(event: Event, *, at: datetime, by: User, reason: str) -> None:
    """Send the region the receipt of what was sent in at a moment, and tell the officers who want to know."""
    files = Submission.objects.filter(section__event=event, at=at).select_related("section", "file")
    sent = [_sent(row) for row in files.defer("file__content").order_by("section__position")]
    months = sorted({period_for(section.ends) for section in event.sections.all()})
    context = {
        **_facts(event, by=by, reason=reason),
        "at": moment_text(at),
        "files": sent,
        "lists": [(formatting.month(month), formatting.long_day(next_month(month))) for month in months],
        "link": link_to("results", event),
        "preview": link_to("preview", event),
    }
    to = administrator_emails(event.region)
    send("events/mail/receipt", context, sorted({*to, by.email}), about=event)
    _tell_officers("Sent in", event, by=by, reason=reason)


@in_english()
def tell_not_sent(event: Event, *, at: datetime, by: User, problem: str) -> None:
    """Tell the region why what was declared at a moment could not be sent in."""
    context = {
        **_facts(event, by=by, reason=""),
        "at": moment_text(at),
        "problem": formatting.sentence(problem),
        "last": formatting.long_day(last_day_to_submit(event.ends)),
        "link": link_to("results", event),
    }
    send("events/mail/not_sent", context, sorted({*administrator_emails(event.region), by.email}), about=event)


@in_english()
def tell_recalled(event: Event, *, by: User, reason: str) -> None:
    """Tell the officers who were told that results were sent in that their region recalled them."""
    _tell_officers("Recalled", event, by=by, reason=reason)


def _tell_officers(what: str, event: Event, *, by: User, reason: str) -> None:
    asked = User.objects.filter(event_mail=True, is_active=True).exclude(pk=by.pk).order_by("email")
    to = [user.email for user in asked if gets_week_mail(user)]
    if to:
        desk = site_address("admin:events_event_review", event.pk)
        context = {
            **_facts(event, by=by, reason=reason),
            "what": what,
            "link": desk,
            "account": site_address("accounts:account"),
        }
        send("events/mail/sent_in", context, to, about=event)


def _facts(event: Event, *, by: User, reason: str) -> dict[str, object]:
    return {
        "event": event,
        "days": formatting.days(event.starts, event.ends),
        "by": called(by),
        "role": role_of(by),
        "reason": reason,
    }


def _sent(file: Submission) -> dict[str, object]:
    section = file.section
    holds = file.findings.filter(severity=Severity.HOLD.value).count()
    numbers = [
        formatting.count(section.entries.count(), "player"),
        formatting.count(section.games.exclude(black=None).count(), "game"),
    ]
    if holds:
        numbers.append(formatting.count(holds, "finding") + " on hold")
    return {"section": section.name, "name": file.name, "facts": ", ".join(numbers), "sha256": file.file.sha256}
