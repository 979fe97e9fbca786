"""The API as a Django app."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The API has no tables of its own."""

    name = "api"
