"""Where the messages are kept that the next page shows."""

from typing import Any

from django.contrib.messages import get_messages
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpRequest, HttpResponseBase
from django.utils.safestring import SafeData

from config.lib.names import shown


class ShownMessages(FallbackStorage):
    """Messages with signs for characters that cannot be seen (`shown`): they repeat what was typed or stands in a file."""

    def add(self, level: int, message: str, extra_tags: str | None = "") -> None:
        """Keep a message for the next page."""
        super().add(level, message if isinstance(message, SafeData) else shown(str(message)), extra_tags)

    def forget_queued(self) -> None:
        """Forget the messages of this request."""
        self._queued_messages: list[Any] = []
        self.added_new = False

    def update(self, response: HttpResponseBase) -> Any:
        """Keep the messages of this request for the next page. Of one that failed (500 and more) none is kept: Django queues
        them before it commits what they tell of. Those that waited before it go on waiting."""
        return [] if response.status_code >= 500 else super().update(response)


def forget_queued(request: HttpRequest) -> None:
    """Forget the messages of a request: what they tell of was rolled back, and is looked at again."""
    storage = get_messages(request)
    if isinstance(storage, ShownMessages):
        storage.forget_queued()
