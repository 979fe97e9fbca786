"""Forms of the account's pages: Django's own, in the bureau's words."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm, UsernameField

from accounts.models import LONGEST_ADDRESS, User, plain_letters


class AddressField(forms.EmailField):
    """An e-mail address as accounts have it."""

    default_validators = [*forms.EmailField.default_validators, plain_letters]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"label": "E-mail address", "max_length": LONGEST_ADDRESS, **kwargs})


class LogInForm(AuthenticationForm):
    """E-mail address and password. A disabled account is told what a wrong password is told."""

    username = UsernameField(
        label="E-mail address", max_length=LONGEST_ADDRESS, widget=forms.EmailInput(attrs={"autocomplete": "username"})
    )
    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": "This address and password do not go together. Capitals count in the password.",
    }


class ResetForm(forms.Form):
    """The address that a link goes to."""

    email = AddressField(widget=forms.EmailInput(attrs={"autocomplete": "email"}))


class AppointForm(forms.Form):
    """Who is to administer a region, or which arbiter's account it is."""

    email = AddressField()
    first_name = forms.CharField(max_length=150, required=False)
    last_name = forms.CharField(max_length=150, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["first_name"].help_text = self.fields["last_name"].help_text = "For a new account."


class _AtTheFirst:
    """What is wrong with a new password is said at the field in which it was typed first."""

    def validate_password_for_user(self, user: User, password_field_name: str = "new_password1") -> None:  # noqa: S107
        """Django says it at the second."""
        super().validate_password_for_user(user, "new_password1")  # type: ignore[misc]


class FirstPasswordForm(_AtTheFirst, SetPasswordForm):
    """A password for somebody who came by a mailed link."""


class NewPasswordForm(_AtTheFirst, PasswordChangeForm):
    """A new password for somebody who knows the old one."""
