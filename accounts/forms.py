"""Forms of the account pages: Django's own with the bureau's labels and messages."""

from datetime import datetime
from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import (
    AdminPasswordChangeForm,
    AuthenticationForm,
    PasswordChangeForm,
    SetPasswordForm,
    UserChangeForm,
    UsernameField,
)
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import LONGEST_ADDRESS, User, plain_letters
from accounts.operations import AccountError, require_one_holder, require_superuser
from config.lib.days import is_plausible
from config.lib.forms import LineField, MailAddressField, ShownErrors


class AddressField(MailAddressField):
    """An e-mail address that an account can have: plain Latin letters, at most LONGEST_ADDRESS characters."""

    default_validators = [*forms.EmailField.default_validators, plain_letters]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"label": _("E-mail address"), "max_length": LONGEST_ADDRESS, **kwargs})


class AccountForm(UserChangeForm):
    """An account at the desk. Whether it is disabled is not changed here but by the actions, which end more than the log-in."""

    class Meta(UserChangeForm.Meta):
        model = User
        fields = "__all__"
        field_classes = {"email": AddressField, "first_name": LineField, "last_name": LineField}

    def clean(self) -> dict[str, Any]:
        """Refuse to hand an account on to another person."""
        given = super().clean() or self.cleaned_data
        known = User.objects.filter(pk=self.instance.pk).first()
        if known is not None and "email" in given:
            name = f"{given.get('first_name', '')} {given.get('last_name', '')}".strip()
            try:
                require_one_holder(known, email=given["email"], name=name)
            except AccountError as error:
                self.add_error("email", str(error))
        return given

    def clean_date_joined(self) -> datetime:
        """Refuse a day that cannot be meant: databases and clocks end soon after."""
        joined: datetime = self.cleaned_data["date_joined"]
        if not is_plausible(joined.date()):
            raise forms.ValidationError("This day cannot be meant.")
        return joined

    def clean_is_superuser(self) -> bool:
        """Return whether the account is a superuser's; one active superuser stays."""
        stays: bool = self.cleaned_data["is_superuser"]
        if self.initial.get("is_superuser") and not stays:
            try:
                require_superuser(self.instance)
            except AccountError as error:
                raise forms.ValidationError(str(error)) from error
        return stays


class LogInForm(AuthenticationForm):
    """E-mail address and password. A disabled account gets the message of a wrong password."""

    username = UsernameField(
        label=_("E-mail address"),
        max_length=LONGEST_ADDRESS,
        widget=forms.EmailInput(attrs={"autocomplete": "username"}),
    )
    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": _("This address and password do not go together. Capitals count in the password."),
    }


class ResetForm(ShownErrors, forms.Form):
    """The address to which the link for a new password is mailed."""

    email = AddressField(widget=forms.EmailInput(attrs={"autocomplete": "email"}))


class AppointForm(ShownErrors, forms.Form):
    """The account to appoint as Regional Administrator or to link to an arbiter, by address."""

    email = AddressField()
    first_name = LineField(max_length=150, required=False)
    last_name = LineField(max_length=150, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["first_name"].help_text = self.fields["last_name"].help_text = "For a new account."


class _ErrorAtFirstField:
    """Show what is wrong with a new password at the first of its two fields."""

    def validate_password_for_user(self, user: User, password_field_name: str = "new_password1") -> None:  # noqa: S107
        """Validate as Django does, but report at `new_password1` instead of `new_password2`."""
        super().validate_password_for_user(user, "new_password1")  # type: ignore[misc]


class _PasswordAlone:
    """Save a new password, and nothing else of an account: another may be disabling it at this moment.

    `overtaken`: whether another password was set since this one's user was known by the old one, or by the link, and stands.
    """

    prevails = False
    overtaken = False

    def set_password_and_save(self, user: User, *args: Any, **options: Any) -> User:
        """Set the password unless it is overtaken, or the account was closed for good; return the account as it is now."""
        known = user.password
        changed: User = super().set_password_and_save(user, *args, **options | {"commit": False})  # type: ignore[misc]
        with transaction.atomic():
            present = User.objects.select_for_update(no_key=True).filter(pk=changed.pk, erased_at=None).first()
            if present is not None and present.password != known and not self.prevails:
                self.overtaken = not present.check_password(changed._password)  # by a double click it is the same
            if present is not None and not self.overtaken:
                changed.save(update_fields=["password"])
        changed.refresh_from_db()
        return changed


class FirstPasswordForm(_PasswordAlone, _ErrorAtFirstField, SetPasswordForm):
    """A password for a user who followed a mailed link."""


class DeskPasswordForm(_PasswordAlone, AdminPasswordChangeForm):
    """A password that is set for another at the desk, whatever the account's user does at that moment."""

    prevails = True


class NewPasswordForm(_PasswordAlone, _ErrorAtFirstField, PasswordChangeForm):
    """A new password for a user who knows the old one. Wrong ones are counted as at the log-in."""

    def __init__(self, *args: Any, request: HttpRequest, **given: Any) -> None:
        super().__init__(*args, **given)
        self._request = request

    def clean_old_password(self) -> str:
        """Return the old password. Raises ValidationError if it is not the user's, or was tried too often."""
        typed: str = self.cleaned_data["old_password"]
        found = authenticate(self._request, username=self.user.get_username(), password=typed)
        if found != self.user:
            raise forms.ValidationError(self.error_messages["password_incorrect"], code="password_incorrect")
        self.user.password = found.password  # as it was compared, or hashed anew
        return typed
