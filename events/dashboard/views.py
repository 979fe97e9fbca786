"""Pages for users who are logged in: My events and the account."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.operations import gets_week_mail
from accounts.permissions import Role, acting_user, roles_of
from events.access import may_report_unregistered, writable_regions
from events.dashboard import account as queries
from events.dashboard.queries import own_groups
from events.error_reports.queries import own_reports


@login_required
@never_cache
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """Show the user's events, what waits for him first."""
    user = acting_user(request)
    context = {
        "here": "mine",
        "groups": own_groups(user, at=timezone.now(), today=timezone.localdate()),
        "can_register": writable_regions(user).exists(),
        "can_report": may_report_unregistered(user),
    }
    return render(request, "events/dashboard/my_events.html", context)


@require_safe
@never_cache
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Show the user's roles and what each allows."""
    user = acting_user(request)
    roles = roles_of(user)
    context = {
        "here": "account",
        "is_officer": Role.OFFICER in roles,
        "is_administrator": Role.ADMINISTRATOR in roles,
        "is_arbiter": Role.ARBITER in roles,
        "is_panel": Role.PANEL in roles,
        "has_role": bool(roles),
        "offices": queries.offices(user, held=True),
        "former_offices": queries.offices(user, held=False),
        "waiting": queries.waiting() if Role.OFFICER in roles else [],
        "appeals": queries.open_appeals(user, today=timezone.localdate()) if Role.PANEL in roles else [],
        "reports": own_reports(user),
        "refusals": queries.refusals_to_appeal(user, at=timezone.now()),
        "offers_week": gets_week_mail(user) or user.week_mail or user.event_mail,
        "appointments": queries.latest_events(user) if Role.ARBITER in roles else [],
    }
    return render(request, "events/dashboard/account.html", context)
