"""Regional Administrators: appointed, replaced, ended (articles 57, 58)."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.operations import AccountError, let_into_admin, open_account, set_active
from accounts.permissions import in_office
from accounts.trail.operations import record
from config.lib.database import save_recorded
from players.models import Region, RegionalAdministrator

CHANGED_MEANWHILE = "Another has appointed somebody meanwhile, or ended it: this is how it stands now."


@dataclass(frozen=True, slots=True)
class AdministrationChange:
    """An administration that began, and the one that ended with it, if any."""

    administration: RegionalAdministrator
    before: RegionalAdministrator | None


def appoint_administrator(
    region: Region, email: str, *, first_name: str = "", last_name: str = "", at: datetime, by: User
) -> AdministrationChange:
    """Appoint an address's account as administrator from today; a predecessor's term ends today (articles 57, 58).

    An address without an account gets one, with the names given and no password: the invitation's link sets it. Who is to begin
    later, appointed while the clock was ahead, begins today.

    Raises AccountError if the account is disabled, or if its user is in office already.
    """
    with transaction.atomic():
        region = Region.objects.select_for_update().get(pk=region.pk)
        to_come = region.administrators.filter(until=None, since__gt=timezone.localdate(at))
        expected = to_come.values_list("user", flat=True).first()
        overdue = _end_what_lies_ahead(region.administrators.all(), at=at, by=by)
        user = open_account(email, first_name=first_name, last_name=last_name)
        before = region.administrators.filter(until=None).first()
        if before and before.user_id == user.pk:
            if expected != user.pk:
                raise AccountError(f"{user.email} is the Regional Administrator of {region} already.")
            return AdministrationChange(before, overdue[0] if overdue else None)
        if before:
            _set_end(before, at=at, by=by)
        let_into_admin(user)
        administration = RegionalAdministrator(user=user, region=region, since=timezone.localdate(at))
        save_recorded(administration, at=at, by=by)
        record(
            "administrator appointed",
            region,
            at=at,
            by=by,
            part_of=user,
            before={"administrator": before.user.email if before else ""},
            after={"administrator": user.email},
        )
        return AdministrationChange(administration, before)


def end_administration(
    region: Region, *, at: datetime, by: User, shown: RegionalAdministrator | None = None
) -> RegionalAdministrator:
    """End the administration in office without a successor and return it. Raises AccountError if there is none, or another than
    the one that was `shown`, if one was."""
    with transaction.atomic():
        region = Region.objects.select_for_update().get(pk=region.pk)
        present = region.administrators.filter(until=None).first()
        if shown is not None and present != shown:
            raise AccountError(CHANGED_MEANWHILE)
        overdue = _end_what_lies_ahead(region.administrators.all(), at=at, by=by)
        in_office = region.administrators.filter(until=None).first()
        if in_office is None and overdue:
            return overdue[0]
        if in_office is None:
            raise AccountError(f"{region} has no Regional Administrator.")
        _end(in_office, at=at, by=by)
        return in_office


def disable_account(user: User, *, at: datetime, by: User) -> list[RegionalAdministrator]:
    """Disable an account at once; end and return its administrations. Raises AccountError as `set_active` does."""
    with transaction.atomic():
        user = set_active(user, False, at=at, by=by)
        _end_what_lies_ahead(user.administrations.all(), at=at, by=by)
        ended = list(user.administrations.filter(until=None).select_related("region"))
        for administration in ended:
            _end(administration, at=at, by=by)
        return ended


def _end_what_lies_ahead(
    terms: QuerySet[RegionalAdministrator], *, at: datetime, by: User
) -> list[RegionalAdministrator]:
    """Begin and end today those of some terms that begin or end later, and return those that are over: a clock was ahead when
    they were written, for they begin and end on the day on which an officer says so."""
    today, ended = timezone.localdate(at), []
    for term in terms.filter(Q(since__gt=today) | Q(until__gt=today)).select_related("region", "user"):
        term.since = min(term.since, today)
        if term.until is not None:
            term.until = min(term.until, today)
        save_recorded(term, at=at, by=by)
        if term.until is not None:
            _record_end(term, at=at, by=by)
            ended.append(term)
    return ended


def _end(administration: RegionalAdministrator, *, at: datetime, by: User) -> None:
    _set_end(administration, at=at, by=by)
    _record_end(administration, at=at, by=by)


def _record_end(administration: RegionalAdministrator, *, at: datetime, by: User) -> None:
    record(
        "administration ended",
        administration.region,
        at=at,
        by=by,
        part_of=administration.user,
        before={"administrator": administration.user.email},
        after={"administrator": ""},
    )


def _set_end(administration: RegionalAdministrator, *, at: datetime, by: User) -> None:
    # A term that begins in the future ends on its first day, so that it never ends before it starts.
    administration.until = max(timezone.localdate(at), administration.since)
    save_recorded(administration, at=at, by=by)


def birth_date_regions(user: User) -> set[int | None]:
    """Return the keys of the regions of whose players a user may see the whole birth date: officers of all, and of players
    without a region (None), administrators of theirs. One query."""
    if user.has_perm("players.change_player"):
        return {None, *Region.objects.values_list("pk", flat=True)}
    return set(own_regions(user).values_list("pk", flat=True))


def own_regions(user: User) -> QuerySet[Region]:
    """Return the regions that a user administers today."""
    return Region.objects.filter(in_office("administrators__"), administrators__user=user).distinct()


def called(user: User) -> str:
    """Return what a user is called on pages and in mails: the account's name, else the regions administered today, else the
    name of the arbiter's record, else the address. One query without a name, or two."""
    name = user.get_full_name()
    if name:
        return name
    regions = ", ".join(own_regions(user).order_by("name").values_list("name", flat=True))
    arbiter = "" if regions else user.arbiters.order_by("pk").values_list("name", flat=True).first()
    return regions or arbiter or user.email
