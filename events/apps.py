"""The events app."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    """Registers the look-ups of mails."""

    name = "events"

    def ready(self) -> None:
        """Import the mails that a worker looks up, and what arbiters are called, which the register asks for."""
        import events.abroad.mails
        import events.arbiters.strangers  # noqa: F401
