"""The players' application."""

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    """Players, titles, regions, provinces."""

    name = "players"
