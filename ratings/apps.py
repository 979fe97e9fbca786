"""Rating lists, periods, runs."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Rating lists, periods, runs."""

    name = "ratings"
