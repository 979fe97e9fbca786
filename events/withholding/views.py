"""Pages on which an event is withdrawn, or reported to the bureau as kept back or not registered (article 57.3)."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.permissions import acting_user
from config.lib import formatting
from events.access import led_events, may_report_unregistered, parties_led, visible_events, writable_regions
from events.mails import mail_officers, send_withdrawn
from events.models import Event, NotRegisteredReport, Party, WithdrawalRequest
from events.operations import EventError
from events.registration.operations import discard_draft
from events.rules.states import WITHDRAWABLE, State
from events.withholding import operations
from events.withholding.forms import KeptBackForm, NotRegisteredForm
from events.withholding.mails import tell_officers
from events.withholding.not_registered import UnregisteredEvent, report_not_registered
from events.wording import MOVES, party_words, state_name


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw_event(request: HttpRequest, event: int) -> HttpResponse:
    """Withdraw a registration with a reason, from its first day on ask for it; or discard a draft."""
    user, now = acting_user(request), timezone.now()
    own, error = get_object_or_404(Event, pk=event, region__in=writable_regions(user)), ""
    if own.state not in (State.DRAFT, *WITHDRAWABLE):
        messages.info(
            request,
            gettext("%(event)s is %(state)s: it can no longer be withdrawn.")
            % {"event": own.name, "state": state_name(own.state)},
        )
        return redirect("events:mine")
    asks = own.state != State.DRAFT and not operations.withdraws_himself(user, own, at=now)
    reason = request.POST.get("reason", "")
    if request.method == "POST":
        try:
            if own.state == State.DRAFT:
                discard_draft(own)
                messages.success(request, gettext("The draft of %(event)s is discarded.") % {"event": own.name})
            elif asks:
                with transaction.atomic():
                    asked = operations.ask_withdrawal(own, at=now, by=user, reason=reason)
                    page = reverse("admin:events_withdrawalrequest_changelist")
                    mail_officers(own, "Withdrawal asked after the event began", asked.reason, page)
                messages.success(
                    request, gettext("The request is sent: the ratings officer answers here and by e-mail.")
                )
                return redirect("events:withdraw", own.pk)
            else:
                with transaction.atomic():
                    operations.withdraw(own, at=now, by=user, reason=reason)
                    send_withdrawn(own, reason, by=user)
                messages.success(request, gettext("%(event)s is withdrawn.") % {"event": own.name})
            return redirect("events:mine")
        except EventError as problem:
            error = f"{own.name}: {MOVES.said(str(problem)).removesuffix('.')}."
    requests = list(own.withdrawal_requests.all())
    context = {
        "here": "events",
        "event": own,
        "draft": own.state == State.DRAFT,
        "asks": asks,
        "requests": requests,
        "waits": any(row.state == WithdrawalRequest.State.ASKED for row in requests),
        "days": formatting.days(own.starts, own.ends),
        "error": error,
        "reason": reason,
    }
    return render(request, "events/withholding/withdraw.html", context, status=422 if error else 200)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def kept_back(request: HttpRequest, event: int) -> HttpResponse:
    """Tell the bureau that a played event is kept back, and show the answers; officers enter what they were told."""
    user, now = acting_user(request), timezone.now()
    own, parties = _led_event(user, event)
    form = KeptBackForm(parties, request.POST if request.method == "POST" else None)
    closed = operations.why_not_reported(own, today=timezone.localdate(now))
    problems = [("", closed)] if form.is_bound and closed else []
    if form.is_bound and not closed and form.is_valid():
        try:
            with transaction.atomic():
                report = operations.report_kept_back(own, **form.cleaned_data, at=now, by=user)
                page = reverse("admin:events_keptbackreport_changelist")
                mail_officers(own, "Results reported as kept back", report.account, page)
            messages.success(request, gettext("The report is sent: the ratings officer answers here and by e-mail."))
            return redirect("events:kept-back", own.pk)
        except EventError as error:
            form.add_error(None, str(error))
    reports = list(own.kept_back_reports.all())
    context = {
        "here": "events",
        "event": own,
        "days": formatting.days(own.starts, own.ends),
        "reports": [(row, party_words(row.party)) for row in reports],
        "closed": closed,
        "waits": any(row.answered_at is None for row in reports),
        "form": form,
        "problems": problems or (form.problems() if form.is_bound else []),
    }
    return render(request, "events/withholding/kept_back.html", context, status=422 if context["problems"] else 200)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def not_registered(request: HttpRequest) -> HttpResponse:
    """Tell the bureau of an event that its region does not register, and show the user's reports with their answers."""
    user = acting_user(request)
    if not may_report_unregistered(user):
        raise PermissionDenied
    form = NotRegisteredForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_bound and form.is_valid():
        values = dict(form.cleaned_data)
        party, account = values.pop("party"), values.pop("account")
        try:
            with transaction.atomic():
                report = report_not_registered(
                    UnregisteredEvent(**values), party=party, account=account, at=timezone.now(), by=user
                )
                tell_officers(report)
            messages.success(request, gettext("The report is sent: the ratings officer answers here and by e-mail."))
            return redirect("events:not-registered")
        except EventError as error:
            form.add_error(None, str(error))
    rows = NotRegisteredReport.objects.filter(by=user).select_related("region")
    context = {
        "here": "events",
        "reports": [(row, formatting.days(row.starts, row.ends), party_words(row.party)) for row in rows],
        "form": form,
        "problems": form.problems() if form.is_bound else [],
    }
    return render(request, "events/withholding/not_registered.html", context, status=422 if form.is_bound else 200)


def _led_event(user: User, event: int) -> tuple[Event, list[Party]]:
    """Return the event and in whose name the user may report it. Raises PermissionDenied if he may only see it, or Http404."""
    chosen = Event.objects.exclude(state=State.DRAFT) if user.is_officer else led_events(user)
    row = chosen.filter(pk=event).first()
    if row is not None:
        return row, [Party.ORGANISER, Party.CHIEF_ARBITER] if user.is_officer else parties_led(user, row)
    if visible_events(user).filter(pk=event).exists():
        raise PermissionDenied
    raise Http404("There is no such event, or you are neither its Chief Organiser nor its Chief Arbiter.")
