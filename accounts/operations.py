"""Writing accounts, and whose they are: a region's administrator's, an arbiter's.

One transaction each; the clock and the actor are passed in.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import MailRequest, User
from events.models import Arbiter
from players.models import Region, RegionalAdministrator


class AccountError(Exception):
    """Why an account or an administration stays as it is, for the officer to read."""


@dataclass(frozen=True, slots=True)
class Appointment:
    """An administration that began, and the one that ended with it, if any."""

    administration: RegionalAdministrator
    before: RegionalAdministrator | None


def appoint_administrator(
    region: Region, email: str, *, first_name: str = "", last_name: str = "", at: datetime, by: User
) -> Appointment:
    """Make somebody the region's administrator from today on; whoever was it ends today (articles 57, 58).

    Who has no account gets one without a password, which he sets by the invitation's link. The names are for a new account.

    Raises AccountError if the account is disabled, or his who is in office already.
    """
    with transaction.atomic():
        region = Region.objects.select_for_update().get(pk=region.pk)
        user, _ = User.objects.get_or_create(
            email=User.objects.normalize_email(email.strip()),
            defaults={"first_name": first_name, "last_name": last_name, "password": make_password(None)},
        )
        if not user.is_active:
            raise AccountError(f"The account {user.email} is disabled. Enable it first, under Users.")
        before = region.administrators.filter(until=None).first()
        if before and before.user_id == user.pk:
            raise AccountError(f"{user.email} is the Regional Administrator of {region} already.")
        if before:
            _end(before, at=at, by=by)
        _open_desk(user)
        made = RegionalAdministrator(user=user, region=region, since=timezone.localdate(at))
        _record(made, at=at, by=by)
        return Appointment(made, before)


def end_administration(region: Region, *, at: datetime, by: User) -> RegionalAdministrator:
    """End the administration of whoever is in office, without a successor. Raises AccountError if nobody is."""
    with transaction.atomic():
        region = Region.objects.select_for_update().get(pk=region.pk)
        present = region.administrators.filter(until=None).first()
        if present is None:
            raise AccountError(f"{region} has no Regional Administrator.")
        _end(present, at=at, by=by)
        return present


def link_arbiter(
    arbiter: Arbiter, email: str, *, first_name: str = "", last_name: str = "", at: datetime, by: User
) -> User:
    """Give an arbiter an account, in which he finds his appointments, activity and membership; the one before goes.

    Who has no account gets one without a password, which he sets by the invitation's link. The names are for a new account.

    Raises AccountError if the account is disabled, or belongs to an arbiter already.
    """
    with transaction.atomic():
        arbiter = Arbiter.objects.select_for_update().get(pk=arbiter.pk)
        user, _ = User.objects.get_or_create(
            email=User.objects.normalize_email(email.strip()),
            defaults={"first_name": first_name, "last_name": last_name, "password": make_password(None)},
        )
        user = User.objects.select_for_update().get(pk=user.pk)
        if not user.is_active:
            raise AccountError(f"The account {user.email} is disabled. Enable it first, under Users.")
        other = user.arbiters.first()
        if other is not None:
            raise AccountError(f"{user.email} is the account of {other.name} already.")
        _open_desk(user)
        arbiter.user = user
        _record(arbiter, at=at, by=by)
        return user


def unlink_arbiter(arbiter: Arbiter, *, at: datetime, by: User) -> User:
    """Take an arbiter's account from him; the account stays. Returns it. Raises AccountError if he has none."""
    with transaction.atomic():
        arbiter = Arbiter.objects.select_for_update().get(pk=arbiter.pk)
        user = arbiter.user
        if user is None:
            raise AccountError(f"{arbiter.name} has no account.")
        arbiter.user = None
        _record(arbiter, at=at, by=by)
        return user


def disable_account(user: User, *, at: datetime, by: User) -> list[RegionalAdministrator]:
    """Shut an account at once, open sessions included, and end its administrations, which are returned.

    Raises AccountError for one's own account, and for an officer's or superuser's unless a superuser does it.
    """
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        _may_switch(user, by)
        user.is_active = False
        user.save(update_fields=["is_active"])
        ended = list(user.administrations.filter(until=None).select_related("region"))
        for administration in ended:
            _end(administration, at=at, by=by)
        return ended


def enable_account(user: User, *, by: User) -> None:
    """Open a disabled account again. Administrations that ended with it stay ended.

    Raises AccountError as `disable_account` does.
    """
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        _may_switch(user, by)
        user.is_active = True
        user.save(update_fields=["is_active"])


# Mails within an hour: to one address, and for one place on the network, which may be a school or a proxy.
MAILS_AN_ADDRESS, MAILS_AN_ORIGIN, _HOUR = 5, 30, timedelta(hours=1)


def count_mail(email: str, origin: str, *, at: datetime, purpose: str, most: int = MAILS_AN_ADDRESS) -> None:
    """Count that a mail is asked for. AccountError when there were enough within the hour: `most` to one address for a
    purpose, so that one does not shut out another.

    Whether the address is known to us is not looked at: neither the answer nor its time may tell. What an address has
    after a plus sign leads to the same mailbox.
    """
    name, _, host = User.objects.normalize_email(email).rpartition("@")
    mailbox = f"{purpose} {name.partition('+')[0]}@{host}"
    address = salted_hmac("accounts.MailRequest", mailbox, algorithm="sha256").hexdigest()
    with transaction.atomic():
        MailRequest.objects.filter(at__lte=at - _HOUR).delete()
        recent = MailRequest.objects.all()
        if recent.filter(address=address).count() >= most:
            raise AccountError(
                f"{most} mails within an hour are enough for one address: look for the latest, or wait an hour."
            )
        if recent.filter(origin=origin).count() >= MAILS_AN_ORIGIN:
            raise AccountError("Too many mails were asked for from where you are: try again in an hour.")
        MailRequest.objects.create(address=address, origin=origin, at=at)


def _open_desk(user: User) -> None:
    """Let somebody enter the desk; whether an officer may is for a superuser to say."""
    if not user.is_staff and not user.is_officer:
        user.is_staff = True
        user.save(update_fields=["is_staff"])


def _may_switch(user: User, by: User) -> None:
    if user.pk == by.pk:
        raise AccountError("Nobody disables or enables their own account.")
    if user.of_bureau and not by.is_superuser:
        raise AccountError(f"{user.email} is an officer's account: a superuser disables and enables it.")


def _end(administration: RegionalAdministrator, *, at: datetime, by: User) -> None:
    # One that has not begun yet ends on the day on which it would have.
    administration.until = max(timezone.localdate(at), administration.since)
    _record(administration, at=at, by=by)


def _record(row: RegionalAdministrator | Arbiter, *, at: datetime, by: User) -> None:
    row._history_user = by  # type: ignore[union-attr]
    row._history_date = at  # type: ignore[union-attr]
    row.save()
