"""Regional Administrators: appointed, replaced, ended (articles 57, 58)."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.operations import AccountError, let_into_admin, open_account, set_active
from accounts.permissions import in_office
from config.lib.database import save_recorded
from players.models import Region, RegionalAdministrator


@dataclass(frozen=True, slots=True)
class AdministrationChange:
    """An administration that began, and the one that ended with it, if any."""

    administration: RegionalAdministrator
    before: RegionalAdministrator | None


def appoint_administrator(
    region: Region, email: str, *, first_name: str = "", last_name: str = "", at: datetime, by: User
) -> AdministrationChange:
    """Make somebody the region's administrator from today on; whoever was it ends today (articles 57, 58).

    Who has no account gets one without a password, which he sets by the invitation's link. The names are for a new account.

    Raises AccountError if the account is disabled, or his who is in office already.
    """
    with transaction.atomic():
        region = Region.objects.select_for_update().get(pk=region.pk)
        user = open_account(email, first_name=first_name, last_name=last_name)
        before = region.administrators.filter(until=None).first()
        if before and before.user_id == user.pk:
            raise AccountError(f"{user.email} is the Regional Administrator of {region} already.")
        if before:
            _end(before, at=at, by=by)
        let_into_admin(user)
        made = RegionalAdministrator(user=user, region=region, since=timezone.localdate(at))
        save_recorded(made, at=at, by=by)
        return AdministrationChange(made, before)


def end_administration(region: Region, *, at: datetime, by: User) -> RegionalAdministrator:
    """End the administration of whoever is in office, without a successor. Raises AccountError if nobody is."""
    with transaction.atomic():
        region = Region.objects.select_for_update().get(pk=region.pk)
        present = region.administrators.filter(until=None).first()
        if present is None:
            raise AccountError(f"{region} has no Regional Administrator.")
        _end(present, at=at, by=by)
        return present


def disable_account(user: User, *, at: datetime, by: User) -> list[RegionalAdministrator]:
    """Shut an account at once and end its administrations, which are returned. Raises AccountError as `set_active` does."""
    with transaction.atomic():
        user = set_active(user, False, by=by)
        ended = list(user.administrations.filter(until=None).select_related("region"))
        for administration in ended:
            _end(administration, at=at, by=by)
        return ended


def _end(administration: RegionalAdministrator, *, at: datetime, by: User) -> None:
    # One that has not begun yet ends on the day on which it would have.
    administration.until = max(timezone.localdate(at), administration.since)
    save_recorded(administration, at=at, by=by)


def own_regions(user: User) -> QuerySet[Region]:
    """The regions that a user administers today."""
    return Region.objects.filter(in_office("administrators__"), administrators__user=user).distinct()
