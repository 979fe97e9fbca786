"""Users and their roles."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Users and their roles."""

    name = "accounts"
