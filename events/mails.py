"""Mails to a region about decisions, and to officers about requests."""

from django.conf import settings

from accounts.models import User
from accounts.outbox.queue import send
from config.lib import formatting
from config.lib.site import site_address
from config.lib.texts import plain_text
from events.access import administrator_emails, leader_emails, refusal_emails
from events.models import Event, KeptBackReport, Party, PermissionRequest, Refusal, WithdrawalRequest
from events.organising_body import organising_body
from events.rules.deadlines import appeal_closes, last_day_before
from events.rules.states import State


def send_refusal(refusal: Refusal, to: list[str] | None = None) -> list[str]:
    """Send a refusal with its reason and the last day to appeal (article 11) to the region and the Chief Organiser.

    `to`: the addresses, if not all of theirs. Return the addresses.
    """
    event, closes = refusal.event, appeal_closes(refusal.notified_at)
    context = {
        "refusal": refusal,
        "last_day": formatting.long_day(last_day_before(closes)) if closes else "",
        "link": link_to("appeal", event),
    }
    return send("events/mail/refusal", context, refusal_emails(event) if to is None else to, about=event)


def send_decision(event: Event, reason: str, *, brought_back: bool = False) -> list[str]:
    """Tell that an event was returned, registered although late, or brought back, with the reason. Return the addresses."""
    returned = event.state == State.RETURNED
    context = {
        "event": event,
        "days": formatting.days(event.starts, event.ends),
        "returned": returned,
        "brought_back": brought_back,
        "reason": reason,
        "link": link_to("results" if returned else "event", event),
    }
    return send("events/mail/decision", context, administrator_emails(event.region), about=event)


def send_acceptance(event: Event, *, applied: str = "") -> list[str]:
    """Tell that an event was accepted, and which penalties were `applied` without an answer. Return the addresses."""
    context = {
        "event": event,
        "applied": applied,
        "days": formatting.days(event.starts, event.ends),
        "link": link_to("event", event),
    }
    return send("events/mail/accepted", context, administrator_emails(event.region), about=event)


def send_approval_taken_back(event: Event, reason: str) -> list[str]:
    """Tell the region that the approval of a national event's organising body is taken back. Return the addresses."""
    context = {
        "event": event,
        "days": formatting.days(event.starts, event.ends),
        "body": organising_body(event),
        "reason": plain_text(reason),
        "link": link_to("event", event),
    }
    return send("events/mail/approval_taken_back", context, administrator_emails(event.region), about=event)


def send_permission(permission: PermissionRequest) -> list[str]:
    """Send the answer to a request for permission to the user who asked, and to the region too. Return the addresses."""
    event = permission.section.event
    context = {"asked": permission, "link": link_to("permission", event)}
    to = asker(permission.by, event)
    if permission.party != Party.ADMINISTRATOR:
        to = sorted({*to, *administrator_emails(event.region)})
    return send("events/mail/permission", context, to, about=event)


def send_withdrawal(asked: WithdrawalRequest) -> list[str]:
    """Send the answer to a request to withdraw an event to the user who asked. Return the addresses."""
    context = {"asked": asked, "link": link_to("event", asked.event)}
    return send("events/mail/withdrawal", context, asker(asked.by, asked.event), about=asked.event)


def send_withdrawn(event: Event, reason: str, *, by: User | None) -> list[str]:
    """Tell the Chief Organiser, the Chief Arbiter and the officers that an event is withdrawn (57.3), but not who did it.

    Return the addresses.
    """
    context = {
        "event": event,
        "days": formatting.days(event.starts, event.ends),
        "reason": plain_text(reason),
        "link": link_to("kept-back", event),
    }
    to = {*leader_emails(event), *officer_emails()} - {by.email if by else ""}
    return send("events/mail/withdrawn", context, sorted(to), about=event)


def officer_emails() -> list[str]:
    """Return the addresses of the active ratings officers."""
    return sorted(User.objects.filter(is_officer=True, is_active=True).values_list("email", flat=True))


def send_kept_back(report: KeptBackReport) -> list[str]:
    """Send the answer to a report that an event is kept back to the user who made it. Return the addresses.

    It does not go to the region, whose administrator it is about.
    """
    context = {"report": report, "link": link_to("kept-back", report.event)}
    to = [report.by.email] if report.by and report.by.is_active else []
    return send("events/mail/kept_back", context, to, about=report.event)


def mail_officers(event: Event, subject: str, reason: str, page: str) -> None:
    """Tell the officers that something was asked or reported. `page`: path of the admin's list on which it is answered."""
    mail_request(event, subject, reason, page, to=officer_emails())


def mail_request(event: Event, subject: str, reason: str, page: str, *, to: list[str]) -> None:
    """Tell those who answer a request that it was made, as `mail_officers` does."""
    context = {
        "event": event,
        "days": formatting.days(event.starts, event.ends),
        "what": subject,
        "reason": reason,
        "link": f"{settings.SITE_URL}{page}",
    }
    send("events/mail/asked", context, to, about=event)


def asker(by: User | None, event: Event) -> list[str]:
    """Return the address of the user who asked, or of the region's administrators if that account is disabled."""
    return [by.email] if by and by.is_active else administrator_emails(event.region)


def link_to(page: str, event: Event) -> str:
    """Return the full address of an event's page, by the name of its view."""
    return site_address(f"events:{page}", event.pk)
