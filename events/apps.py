"""Events, their files and findings."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    """Events, their files and findings."""

    name = "events"
