"""The week at a glance by mail, on Monday mornings, to the officers who asked for it."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User, WeekMail
from accounts.operations import gets_week_mail
from accounts.outbox.queue import send
from config.lib.site import site_address
from ratings.desk.week import read_week

FROM_HOUR = 6  # in South Africa
_MONDAY = 0


def to_mail_week(*, at: datetime) -> Sequence[User]:
    """Return those who asked for the week at a glance and have not had this week's; nobody but on Mondays from FROM_HOUR on."""
    local = timezone.localtime(at)
    if local.weekday() != _MONDAY or local.hour < FROM_HOUR:
        return []
    asked = User.objects.filter(week_mail=True, is_active=True)
    return list(asked.exclude(week_mails__week=_week_of(at)).order_by("pk"))


def send_week(user: User, *, at: datetime) -> bool:
    """Mail a user the week at a glance, once a week; return whether that was done now.

    Whoever stopped it meanwhile, whose account is disabled or whose right has gone gets none.
    """
    with transaction.atomic():
        current = User.objects.select_for_update().get(pk=user.pk)
        if not current.week_mail or not gets_week_mail(current):
            return False
        _, is_new = WeekMail.objects.get_or_create(user=current, week=_week_of(at), defaults={"at": at})
        if not is_new:
            return False
        context = {
            "week": read_week(current, today=timezone.localdate(at)),
            "desk": site_address("admin:index"),
            "account": site_address("accounts:account"),
        }
        send("ratings/mail/week_at_a_glance", context, [current.email])
        return True


def _week_of(at: datetime) -> str:
    """Return the week of a moment by ISO 8601, in South Africa: `2024-W13`."""
    year, week, _ = timezone.localdate(at).isocalendar()
    return f"{year}-W{week:02d}"
