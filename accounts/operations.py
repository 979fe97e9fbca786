"""Writes on accounts: open, disable, enable; ask for the week at a glance; count mails.

One transaction each; the clock and the actor are passed in. Accounts are locked without their keys: who is named on the trail
meanwhile (`accounts.trail`) does not wait for them, or in a ring.
"""

from datetime import datetime, timedelta
from typing import Literal

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext

from accounts.models import MailRequest, User
from accounts.sessions import end_sessions
from accounts.tokens.operations import withdraw_tokens_of
from accounts.trail.operations import record
from config.lib.database import lock_table


class AccountError(Exception):
    """The reason why an account or an administration was not changed, to show to the user."""


def open_account(email: str, *, first_name: str = "", last_name: str = "") -> User:
    """Return the account of an address, locked, inside the caller's transaction.

    An address without an account gets one, with the names given and no password: the invitation's link sets it. Raises
    AccountError if the account is disabled, or that of a member of the appeals panel: with a part in an event he would not
    answer the appeal (article 11).
    """
    user, _ = User.objects.get_or_create(
        email=User.objects.normalize_email(email.strip()),
        defaults={"first_name": first_name, "last_name": last_name, "password": make_password(None)},
    )
    user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if not user.is_active:
        raise AccountError(f"The account {user.email} is disabled. Enable it first, under Users.")
    if user.is_panel:
        raise AccountError(f"{user.email} is on the appeals panel: a superuser ends that first.")
    return user


def open_first_account(email: str, password: str, *, at: datetime) -> User | None:
    """Return the first account of a bureau, a ratings officer who is superuser, too; None if there are accounts already.

    Raises AccountError if the address is none.
    """
    with transaction.atomic():
        if User.objects.exists():
            return None
        user = User(email=User.objects.normalize_email(email), is_staff=True, is_superuser=True, is_officer=True)
        user.set_password(password)
        try:
            user.full_clean()
        except ValidationError as error:
            raise AccountError(f"{email[:80]}: {' '.join(error.messages)}") from None
        user.save()
        record("account opened", user, at=at, by=None, after={"roles": "ratings officer, superuser"})
    return user


def let_into_admin(user: User) -> None:
    """Let a user enter the admin. An officer's access is left as it is: a superuser sets it."""
    if not user.is_staff and not user.is_officer:
        user.is_staff = True
        user.save(update_fields=["is_staff"])


def set_active(user: User, active: bool, *, at: datetime, by: User) -> User:
    """Enable an account, or disable it at once, logging the user out and withdrawing his tokens; return it, locked.

    Raises AccountError if `by` is the user, was disabled meanwhile, or is no superuser while the account is an officer's,
    superuser's or panel member's: officers do not choose who decides the appeals against their refusals (article 11).
    """
    with transaction.atomic():
        # Both, in one order: of two superusers who disable each other at one moment one stays.
        rows = User.objects.select_for_update(no_key=True).filter(pk__in=[user.pk, by.pk]).order_by("pk")
        both = {row.pk: row for row in rows}
        user, by = both[user.pk], both[by.pk]
        if user.pk == by.pk:
            raise AccountError("Nobody disables or enables their own account.")
        if user.erased_at is not None:
            raise AccountError(f"{user.email} is closed for good: open another account.")
        if not by.is_active:
            raise AccountError("Your own account was disabled meanwhile: nothing was changed.")
        if (user.is_officer or user.is_superuser) and not by.is_superuser:
            raise AccountError(
                f"{user.email} is an officer's or a superuser's account: a superuser disables and enables it."
            )
        if user.is_panel and not by.is_superuser:
            raise AccountError(f"{user.email} is on the appeals panel: a superuser disables and enables the account.")
        user.is_active = active
        user.save(update_fields=["is_active"])
        if not active:
            withdraw_tokens_of(user, at=at, by=by)
            end_sessions(user)
        record("enabled" if active else "disabled", user, at=at, by=by, after={"account": "on" if active else "off"})
        return user


def choose_mail(user: User, mail: Literal["week_mail", "event_mail"], wanted: bool) -> None:
    """Record whether a user asks for the week at a glance, or for a mail at each event that is sent in.

    Who may not ask for it may still stop it. Raises AccountError.
    """
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if wanted and not gets_week_mail(user):
            raise AccountError(gettext("These mails are for ratings officers: nothing was changed."))
        setattr(user, mail, wanted)
        user.save(update_fields=[mail])


def gets_week_mail(user: User) -> bool:
    """Return whether the officers' mails are for a user: an officer to whom the desk is open."""
    return user.is_active and user.is_staff and user.has_perm("accounts.ask_week_mail")


def require_superuser(user: User) -> None:
    """Refuse that an account stops being a superuser's, if no other active one is: nobody could edit users any more.

    Call it within the transaction of the change. Raises AccountError.
    """
    chiefs = User.objects.select_for_update(no_key=True).filter(is_superuser=True, is_active=True).order_by("pk")
    if {chief.pk for chief in chiefs} == {user.pk}:
        raise AccountError(f"{user.email} is the last active superuser: make another one first.")


def require_one_holder(user: User, *, email: str, name: str) -> None:
    """Refuse another address together with a name without a word of the present one, once the user has logged in: that is
    another person, who would read and fetch what is the former one's. Raises AccountError."""
    present = user.get_full_name()
    if user.last_login is None or not present or not name or email.casefold() == user.email.casefold():
        return
    if not set(present.casefold().split()) & set(name.casefold().split()):
        raise AccountError(
            f"Another name and another address: if this is no longer {present}, disable the account and open one for"
            " the other person. If it is, change the name and save, then the address."
        )


# Mails within an hour to one e-mail address, and for one IP address, which may be a school's or a proxy's.
MAILS_AN_ADDRESS, MAILS_AN_ORIGIN, REQUESTS_KEPT = 5, 30, timedelta(hours=1)


def count_mail(email: str, origin: str, *, at: datetime, purpose: str, most: int = MAILS_AN_ADDRESS) -> None:
    """Record that a mail was asked for.

    Raises AccountError at the limit within the hour: `most` to one mailbox for one `purpose`, or MAILS_AN_ORIGIN for one
    `origin` (an IP address). Neither text after a plus sign nor quotation marks and backslashes make another mailbox.
    """
    # Hazard: do not ask whether an account exists; neither the answer nor its time may reveal it.
    name, _, host = User.objects.normalize_email(email).rpartition("@")
    name = name.replace('"', "").replace("\\", "")  # "n\ame" is name (RFC 5321, 4.1.2)
    mailbox = f"{purpose} {name.partition('+')[0]}@{host}"
    address = salted_hmac("accounts.MailRequest", mailbox, algorithm="sha256").hexdigest()
    with transaction.atomic():
        lock_table(MailRequest)  # two at one moment would not count each other
        MailRequest.objects.filter(at__lte=at - REQUESTS_KEPT).delete()
        # What was asked for in the future was so by a clock that was set right since.
        recent = MailRequest.objects.filter(at__lte=at + REQUESTS_KEPT)
        if recent.filter(address=address).count() >= most:
            raise AccountError(
                gettext(
                    "%(most)s mails within an hour are enough for one address: look for the latest, or wait an hour."
                )
                % {"most": most}
            )
        if recent.filter(origin=origin).count() >= MAILS_AN_ORIGIN:
            raise AccountError(gettext("Too many mails were asked for from where you are: try again in an hour."))
        MailRequest.objects.create(address=address, origin=origin, at=at)
