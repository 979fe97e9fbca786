"""Pages for permission requests and appeals: of a region, of those who lead an event, of the sender of results from abroad."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.permissions import acting_user
from config.lib import formatting
from events.access import administers, asking_parties, is_chief_organiser, led_events, visible_events, writable_regions
from events.appeals.forms import AppealForm, CorrectedRequestForm, PermissionForm
from events.appeals.links import appeal_token, refusal_of, sender_of
from events.appeals.mails import tell_panel
from events.appeals.operations import lodge_appeal, may_lodge
from events.appeals.queries import permission_deadline, permission_rows, refusal_rows, smallest_sizes
from events.appeals.size_requests import SizeRequest, ask_permission, correct_request, section_name, why_not_permitted
from events.attachments.forms import REFUSED
from events.attachments.queries import visible_attachments
from events.attachments.views import file_answer
from events.mails import mail_officers
from events.models import AbroadLink, Appeal, Attachment, Event, PermissionRequest, Section
from events.operations import EventError
from events.rules.states import State
from events.visibility import public_events
from events.wording import party_words

_NO_LINK = "There is no such link, or its address is no longer on record: copy it in full from the mail of the refusal."


def _own_event(request: HttpRequest, event: int) -> tuple[Event, User]:
    """Return the event and the user, who may write it. Raises PermissionDenied if the user may only see it, or Http404."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - ensured by login_required
    row = Event.objects.select_related("region").filter(pk=event, region__in=writable_regions(user)).first()
    if row is not None:
        return row, user
    if visible_events(user).filter(pk=event).exists():
        raise PermissionDenied
    raise Http404("There is no such event, or it is another region’s.")


def _event_to_ask_about(request: HttpRequest, event: int) -> tuple[Event, User]:
    """Return the event and the user, who writes it, or is its Chief Organiser or Chief Arbiter (article 18).

    Raises PermissionDenied if the user may only see it, or Http404.
    """
    user = acting_user(request)
    row = led_events(user).select_related("region").filter(pk=event).first()
    return (row, user) if row is not None else _own_event(request, event)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def permission(request: HttpRequest, event: int) -> HttpResponse:
    """Ask permission for a section below the smallest size, and show the answers (article 18)."""
    own_event, user = _event_to_ask_about(request, event)
    now, problems = timezone.now(), []
    parties = asking_parties(user, own_event)
    form = PermissionForm(own_event, parties, request.POST if request.method == "POST" else None)
    closed = why_not_permitted(own_event, at=now)
    if form.is_bound and closed:
        problems = [("", closed)]
    elif form.is_bound and form.is_valid():
        section, party = form.cleaned_data.pop("section"), form.cleaned_data.pop("party")
        try:
            with transaction.atomic():
                permission = ask_permission(section, SizeRequest(**form.cleaned_data), at=now, by=user, party=party)
                subject = f"Permission asked for a smaller section by the {permission.get_party_display()}"
                page = reverse("admin:events_permissionrequest_changelist")
                mail_officers(own_event, subject, permission.reason, page)
            messages.success(request, gettext("The request is sent: the ratings officer answers here and by e-mail."))
            return redirect("events:permission", own_event.pk)
        except EventError as error:
            form.add_error(None, str(error))
    sections = list(own_event.sections.order_by("position"))
    context = {
        "here": "events",
        "event": own_event,
        "days": formatting.days(own_event.starts, own_event.ends),
        "requests": [(section_name(row.section), row, party_words(row.party)) for row in permission_rows(own_event)],
        "parties": parties,
        "deadline": permission_deadline(own_event, at=now),
        "sizes": smallest_sizes(sections),
        "closed": closed or _nothing_to_ask(form, sections),
        "form": form,
        "problems": problems or (form.problems() if form.is_bound else []),
    }
    return render(request, "events/appeals/permission.html", context, status=422 if context["problems"] else 200)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def correct_permission(request: HttpRequest, event: int, permission: int) -> HttpResponse:
    """Correct the size and the reason of a request while no officer has answered it, by who may ask in its name."""
    own_event, user = _event_to_ask_about(request, event)
    asked = get_object_or_404(
        PermissionRequest.objects.select_related("section__event"), pk=permission, section__event=own_event
    )
    if asked.party not in asking_parties(user, own_event):
        raise PermissionDenied
    form = CorrectedRequestForm(asked, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            with transaction.atomic():
                correct_request(asked, SizeRequest(**form.cleaned_data), at=timezone.now(), by=user)
                page = reverse("admin:events_permissionrequest_changelist")
                mail_officers(own_event, "Request for permission corrected", form.cleaned_data["reason"], page)
            messages.success(request, gettext("The request is corrected; the ratings officer answers the new one."))
            return redirect("events:permission", own_event.pk)
        except EventError as error:
            form.add_error(None, str(error))
    context = {
        "here": "events",
        "event": own_event,
        "section": section_name(asked.section),
        "days": formatting.days(own_event.starts, own_event.ends),
        "answered": asked.answered_at is not None,
        "form": form,
        "problems": form.problems() if form.is_bound else [],
    }
    return render(
        request, "events/appeals/correct_permission.html", context, status=422 if context["problems"] else 200
    )


def _nothing_to_ask(form: PermissionForm, sections: list[Section]) -> str:
    if not sections:
        return gettext("It has no section yet: enter its sections first.")
    return "" if form.offered else gettext("Permission is asked for every section: the ratings officer will answer.")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def appeal(request: HttpRequest, event: int) -> HttpResponse:
    """Show why an event or its sections were refused, lodge an appeal, and show the answers (article 11)."""
    user = acting_user(request)
    row = Event.objects.select_related("region").filter(pk=event).exclude(state=State.DRAFT).first()
    own_event = row if row and is_chief_organiser(user, row) else _own_event(request, event)[0]
    return _appeal_page(request, own_event, user, may=may_lodge(user, own_event))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def appeal_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page of an appeal to the sender of results from abroad, by the link in the mail of the refusal."""
    refusal = refusal_of(token)
    if refusal is None:
        raise Http404(_NO_LINK)
    return _appeal_page(request, refusal.event, None, may=True)


def _appeal_page(request: HttpRequest, own_event: Event, user: User | None, *, may: bool) -> HttpResponse:
    now = timezone.now()
    refusals = refusal_rows(own_event, at=now)
    choices = [(row.id, f"{row.what}, {row.day}") for row in refusals if row.can_appeal]
    form = AppealForm(own_event, choices, *((request.POST, request.FILES) if request.method == "POST" else ()))
    sender = sender_of(own_event) if user is None else None
    form.fields["appellant"].initial = _appellant(own_event, user, sender)
    if form.is_bound and form.is_valid():
        file = form.cleaned_data.pop("evidence")
        evidence = (file.name, file.read()) if file else None
        try:
            with transaction.atomic():
                tell_panel(
                    lodge_appeal(**form.cleaned_data, at=now, by=user, party=Appeal.Party.SENDER, evidence=evidence)
                )
            messages.success(request, gettext("The appeal is lodged: the appeals panel answers here and by e-mail."))
            return redirect(request.path)
        except EventError as error:
            form.add_error(None, REFUSED.said(str(error)))
    context = {
        "here": "events",
        "event": own_event,
        "by_link": user is None,
        "public": Event.objects.filter(public_events(), pk=own_event.pk).exists(),
        "days": formatting.days(own_event.starts, own_event.ends),
        "refusals": [(row, _evidence(row.appeal, user)) for row in refusals],
        "choices": choices if may else [],
        "form": form,
        "problems": form.problems() if form.is_bound else [],
    }
    return render(request, "events/appeals/appeal.html", context, status=422 if context["problems"] else 200)


@never_cache
@require_safe
def appeal_evidence(request: HttpRequest, token: str, attachment: int) -> FileResponse:
    """Return the evidence of an appeal to the sender of results from abroad, by the link in the mail of the refusal."""
    refusal = refusal_of(token)
    if refusal is None:
        raise Http404(_NO_LINK)
    of_sender = Attachment.objects.filter(appeal__refusal=refusal, appeal__party=Appeal.Party.SENDER)
    return file_answer(get_object_or_404(of_sender.select_related("file"), pk=attachment))


def _evidence(appeal: Appeal | None, user: User | None) -> list[tuple[str, str]]:
    """Return (name, address) of each file of an appeal that may be read: by the user, or without one by the sender's link."""
    if appeal is None:
        return []
    if user is not None:
        files = visible_attachments(user).filter(appeal=appeal)
        return [(file.name, reverse("events:attachment", args=[file.pk])) for file in files]
    if appeal.party != Appeal.Party.SENDER:
        return []
    token = appeal_token(appeal.refusal)
    return [
        (file.name, reverse("events:appeal-evidence", args=[token, file.pk]))
        for file in Attachment.objects.filter(appeal=appeal)
    ]


def _appellant(event: Event, user: User | None, sender: AbroadLink | None) -> str:
    if sender is not None:
        return sender.player.name
    if user is not None and not administers(user, event.region) and is_chief_organiser(user, event):
        return event.organiser_name or user.get_full_name()
    return event.region.name
