"""The events app."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    """Registers the look-ups of mails."""

    name = "events"

    def ready(self) -> None:
        """Import the mails that a worker looks up."""
        import events.abroad.mails  # noqa: F401
