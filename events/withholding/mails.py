"""Mails about events that a region does not register: to the officers, and their answer (article 57.3)."""

from accounts.outbox.queue import send
from config.lib import formatting
from config.lib.site import site_address
from events.mails import officer_emails
from events.models import NotRegisteredReport


def tell_officers(report: NotRegisteredReport) -> list[str]:
    """Tell the officers that an event is reported as not registered. Return the addresses."""
    context = {
        "report": report,
        "days": formatting.days(report.starts, report.ends),
        "link": site_address("admin:events_notregisteredreport_changelist"),
    }
    return send("events/mail/not_registered", context, officer_emails(), about=report)


def send_not_registered(report: NotRegisteredReport) -> list[str]:
    """Send the answer to a report to the user who made it, and not to the region that it is about. Return the addresses."""
    context = {"report": report, "link": site_address("events:not-registered")}
    to = [report.by.email] if report.by and report.by.is_active else []
    return send("events/mail/not_registered_answer", context, to, about=report)
