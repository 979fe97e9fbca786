"""Mails about appeals: to the panel, to the aggrieved party. They raise OSError if they cannot be sent."""

from django.http import HttpRequest
from django.urls import reverse

from accounts.models import User
from events.access import administrator_emails, organiser_emails
from events.appeals.links import appeal_link, sender_of
from events.mails import asker, link_to, mail_request, send_from_site
from events.models import Appeal, Refusal


def tell_panel(request: HttpRequest, appeal: Appeal) -> None:
    """Tell the appeals panel that an appeal was lodged, but not the member who refused; without a panel, the superusers.

    A mail that cannot be sent is only logged: the appeal is on the panel's desk anyway.
    """
    members = User.objects.filter(is_panel=True, is_active=True).exclude(pk=appeal.refusal.by_id or 0)
    to = sorted(members.values_list("email", flat=True))
    subject = "Appeal lodged"
    if not to:
        subject = "Appeal lodged, and the appeals panel has no member to answer it"
        to = sorted(User.objects.filter(is_superuser=True, is_active=True).values_list("email", flat=True))
    page = reverse("admin:events_appeal_changelist")
    mail_request(request, appeal.refusal.event, subject, appeal.grounds, page, to=to)


def send_answer(request: HttpRequest, appeal: Appeal) -> list[str]:
    """Send the answer to an appeal to those who lodged it. Return the addresses."""
    refusal = appeal.refusal
    event, sender = refusal.event, sender_of(refusal.event)
    if appeal.party == Appeal.Party.SENDER and sender is not None:
        to, link = [sender.address], appeal_link(request, refusal)
    else:
        to, link = asker(appeal.by, event), link_to(request, "appeal", event)
    return send_from_site(request, "appeal", {"appeal": appeal, "link": link}, to)


def send_taken_back(request: HttpRequest, refusal: Refusal, reason: str) -> list[str]:
    """Tell the region and the Chief Organiser that a refusal was taken back. Return the addresses."""
    event = refusal.event
    context = {"refusal": refusal, "reason": reason.strip(), "link": link_to(request, "appeal", event)}
    to = dict.fromkeys([*administrator_emails(event.region), *organiser_emails(event)])
    return send_from_site(request, "taken_back", context, list(to))
