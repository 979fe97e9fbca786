"""Where the messages are kept that the next page shows."""

from django.contrib.messages.storage.fallback import FallbackStorage
from django.utils.safestring import SafeData

from config.lib.names import shown


class ShownMessages(FallbackStorage):
    """Messages with signs for characters that cannot be seen (`shown`): they repeat what was typed or stands in a file."""

    def add(self, level: int, message: str, extra_tags: str | None = "") -> None:
        """Keep a message for the next page."""
        super().add(level, message if isinstance(message, SafeData) else shown(str(message)), extra_tags)
