"""Mails about appeals: to the panel, to the aggrieved party."""

from django.urls import reverse

from accounts.models import User
from accounts.outbox.operations import LINK_KEPT
from accounts.outbox.queue import send
from config.lib.texts import plain_text
from events.access import refusal_emails
from events.appeals.links import appeal_link, sender_of
from events.mails import asker, link_to, mail_request
from events.models import Appeal, Refusal


def tell_panel(appeal: Appeal) -> None:
    """Tell the appeals panel that an appeal was lodged, but not the member who refused; without a panel, the superusers."""
    members = User.objects.filter(is_panel=True, is_active=True).exclude(pk=appeal.refusal.by_id or 0)
    to = sorted(members.values_list("email", flat=True))
    subject = "Appeal lodged"
    if not to:
        subject = "Appeal lodged, and the appeals panel has no member to answer it"
        to = sorted(User.objects.filter(is_superuser=True, is_active=True).values_list("email", flat=True))
    page = reverse("admin:events_appeal_changelist")
    mail_request(appeal.refusal.event, subject, appeal.grounds, page, to=to)


def send_answer(appeal: Appeal) -> list[str]:
    """Send the answer to an appeal to those who lodged it. Return the addresses."""
    refusal = appeal.refusal
    event, sender = refusal.event, sender_of(refusal.event)
    if appeal.party == Appeal.Party.SENDER and sender is not None:
        links = {"link": appeal_link(refusal)}
        return send(
            "events/mail/appeal", {"appeal": appeal}, [sender.address], about=event, links=links, valid=LINK_KEPT
        )
    context = {"appeal": appeal, "link": link_to("appeal", event)}
    return send("events/mail/appeal", context, asker(appeal.by, event), about=event)


def send_taken_back(refusal: Refusal, reason: str) -> list[str]:
    """Tell the region and the Chief Organiser that a refusal was taken back. Return the addresses."""
    event = refusal.event
    context = {"refusal": refusal, "reason": plain_text(reason), "link": link_to("appeal", event)}
    return send("events/mail/taken_back", context, refusal_emails(event), about=event)
