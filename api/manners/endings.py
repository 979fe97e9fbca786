"""What of the API will end: an operation or a field says since when it is discouraged, when it ends, and what to use instead.

Mark an operation with `ending` of its view, a field with `endings` of its answer. Headers, the OpenAPI document and the page of
versions follow.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.http.response import HttpResponseBase
from django.utils.http import http_date
from rest_framework.serializers import BaseSerializer, ListSerializer

from config.lib import formatting
from config.lib.site import site_address

NOTICE = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of an operation or a field: announced on `since`, gone from `until` on. `instead`: what to use, in a sentence."""

    since: date
    until: date
    instead: str

    def __post_init__(self) -> None:
        if self.until < self.since + NOTICE:
            raise ValueError(f"What ends is announced a year ahead: {self.since} to {self.until} is less.")

    @property
    def sentence(self) -> str:
        """When it ends and what to use, in words."""
        return f"Ends on {formatting.day(self.until)}. {self.instead}"


def endings_in(serializer: BaseSerializer[Any]) -> Iterator[Ending]:
    """Yield the endings of the fields of an answer, and of the objects in it."""
    shown = serializer.child if isinstance(serializer, ListSerializer) else serializer
    fields = getattr(shown, "fields", {})
    yield from (ending for name, ending in getattr(shown, "endings", {}).items() if name in fields)
    for field in fields.values():
        if isinstance(field, BaseSerializer):
            yield from endings_in(field)


def announce(response: HttpResponseBase, endings: list[Ending]) -> None:
    """Set the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the link to the page that explains, if something ends.

    Of several endings the answer names the first day of each kind.
    """
    if not endings:
        return
    response.headers["Deprecation"] = f"@{_seconds(min(ending.since for ending in endings))}"
    response.headers["Sunset"] = http_date(_seconds(min(ending.until for ending in endings)))
    response.headers["Link"] = f'<{site_address("api:changes")}>; rel="deprecation"; type="text/html"'


def _seconds(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())
