"""Pages for requests for permission, of a region and of those who lead an event, and for a region's appeals."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.permissions import acting_user
from config.lib import formatting
from events.access import asking_parties, led_events, visible_events, writable_regions
from events.appeals.forms import AppealForm, PermissionForm
from events.appeals.operations import lodge_appeal
from events.appeals.queries import permission_deadline, permission_rows, refusal_rows, smallest_sizes
from events.appeals.size_requests import SizeRequest, ask_permission, section_name, why_not_permitted
from events.mails import mail_officers
from events.models import Event, Section
from events.operations import EventError


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
@require_http_methods(["GET", "POST"])
def permission(request: HttpRequest, event: int) -> HttpResponse:
    """Ask permission for a section below the smallest size, and show the answers (article 18)."""
    own_event, user = _event_to_ask_about(request, event)
    now, problems = timezone.now(), []
    form = PermissionForm(
        own_event, asking_parties(user, own_event), request.POST if request.method == "POST" else None
    )
    closed = why_not_permitted(own_event, at=now)
    if form.is_bound and closed:
        problems = [("", closed)]
    elif form.is_bound and form.is_valid():
        section, party = form.cleaned_data.pop("section"), form.cleaned_data.pop("party")
        try:
            permission = ask_permission(section, SizeRequest(**form.cleaned_data), at=now, by=user, party=party)
            subject = f"Permission asked for a smaller section by the {permission.get_party_display()}"
            mail_officers(
                request, own_event, subject, permission.reason, reverse("admin:events_permissionrequest_changelist")
            )
            messages.success(request, "The request is sent: the ratings officer answers here and by mail.")
            return redirect("events:permission", own_event.pk)
        except EventError as error:
            form.add_error(None, str(error))
    sections = list(own_event.sections.order_by("position"))
    context = {
        "here": "events",
        "event": own_event,
        "days": formatting.days(own_event.starts, own_event.ends),
        "requests": [(section_name(row.section), row) for row in permission_rows(own_event)],
        "deadline": permission_deadline(own_event, at=now),
        "sizes": smallest_sizes(sections),
        "closed": closed or _nothing_to_ask(form, sections),
        "form": form,
        "problems": problems or (form.problems() if form.is_bound else []),
    }
    return render(request, "events/appeals/permission.html", context, status=422 if context["problems"] else 200)


def _nothing_to_ask(form: PermissionForm, sections: list[Section]) -> str:
    if not sections:
        return "It has no section yet: enter its sections first."
    return "" if form.offered else "Permission is asked for every section: the ratings officer will answer."


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def appeal(request: HttpRequest, event: int) -> HttpResponse:
    """Show why an event or its sections were refused, lodge an appeal, and show the answers (article 11)."""
    own_event, user = _own_event(request, event)
    now = timezone.now()
    refusals = refusal_rows(own_event, at=now)
    choices = [(row.id, f"{row.what}, {row.day}") for row in refusals if row.can_appeal]
    form = AppealForm(own_event, choices, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            lodged = lodge_appeal(**form.cleaned_data, at=now, by=user)
            mail_officers(
                request, own_event, "Appeal lodged", lodged.grounds, reverse("admin:events_appeal_changelist")
            )
            messages.success(request, "The appeal is lodged: the ratings officer answers here and by mail.")
            return redirect("events:appeal", own_event.pk)
        except EventError as error:
            form.add_error(None, str(error))
    context = {
        "here": "events",
        "event": own_event,
        "days": formatting.days(own_event.starts, own_event.ends),
        "refusals": refusals,
        "choices": choices,
        "form": form,
        "problems": form.problems() if form.is_bound else [],
    }
    return render(request, "events/appeals/appeal.html", context, status=422 if context["problems"] else 200)
