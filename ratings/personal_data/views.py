"""The public page about personal data."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.permissions import acting_user
from accounts.retention.queries import retention
from config.http_cache import versioned
from events.readings.queries import readings
from ratings.models import RatingRun
from ratings.personal_data.export import export, of_user, record_export, zip_answer
from ratings.personal_data.periods import periods
from ratings.personal_data.purposes import WHOSE


@require_safe
@versioned
def privacy(request: HttpRequest) -> HttpResponse:
    """Show what is kept of whom, why, how long and who sees it, and what one may ask for."""
    rules = retention()
    words = periods(rules)
    parts = [
        (
            gettext(heading),
            [
                {
                    "code": purpose.code,
                    "what": gettext(purpose.what),
                    "why": gettext(purpose.why),
                    "kept": gettext(purpose.kept) % words,
                    "seen": gettext(purpose.seen),
                }
                for purpose in purposes
            ],
        )
        for heading, purposes in WHOSE.items()
    ]
    whole = readings().whole_birth_dates or RatingRun.objects.filter(whole_birth_dates=True).exists()
    context = {"parts": parts, "contact": rules.contact, "whole_dates": whole}
    return render(request, "ratings/personal_data/privacy.html", context)


@login_required
@never_cache
@require_POST
def own_data(request: HttpRequest) -> HttpResponse:
    """Answer with everything that is kept of the user who asks, as a zip."""
    user, now = acting_user(request), timezone.now()
    kept = of_user(user)
    record_export(user, kept, at=now, by=user)
    return zip_answer(export(kept, user.get_full_name() or user.email, at=now), "personal-data.zip")
