"""Writing accounts: opened, disabled, enabled; mails counted.

One transaction each; the clock and the actor are passed in.
"""

from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils.crypto import salted_hmac

from accounts.models import MailRequest, User


class AccountError(Exception):
    """Why an account or an administration stays as it is, for the officer to read."""


def open_account(email: str, *, first_name: str = "", last_name: str = "") -> User:
    """The account of an address, locked, inside the caller's transaction.

    An address that has none gets one without a password, which is set by the invitation's link. The names are for a new
    account. Raises AccountError if the account is disabled.
    """
    user, _ = User.objects.get_or_create(
        email=User.objects.normalize_email(email.strip()),
        defaults={"first_name": first_name, "last_name": last_name, "password": make_password(None)},
    )
    user = User.objects.select_for_update().get(pk=user.pk)
    if not user.is_active:
        raise AccountError(f"The account {user.email} is disabled. Enable it first, under Users.")
    return user


def let_into_admin(user: User) -> None:
    """Let a user enter the admin; whether an officer may is for a superuser to say."""
    if not user.is_staff and not user.is_officer:
        user.is_staff = True
        user.save(update_fields=["is_staff"])


def set_active(user: User, active: bool, *, by: User) -> User:
    """Enable an account, or shut it at once, open sessions included; returns it, locked.

    Raises AccountError for one's own account, and for an officer's or superuser's unless a superuser does it.
    """
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        if user.pk == by.pk:
            raise AccountError("Nobody disables or enables their own account.")
        if user.of_bureau and not by.is_superuser:
            raise AccountError(f"{user.email} is an officer's account: a superuser disables and enables it.")
        user.is_active = active
        user.save(update_fields=["is_active"])
        return user


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
