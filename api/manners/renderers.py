"""Whole lists and histories as a stream: a JSON object a line, or CSV."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.http import StreamingHttpResponse
from rest_framework.renderers import BaseRenderer


class NDJSONRenderer(BaseRenderer):
    """A JSON object a line; only names the media type, since such answers are streams."""

    media_type = "application/x-ndjson"
    format = "ndjson"
    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        """Return an error, which is not a stream, as JSON."""
        return json.dumps(data, ensure_ascii=False).encode()


class CSVRenderer(NDJSONRenderer):
    """Comma-separated values; only names the media type, since such answers are streams."""

    media_type = "text/csv"
    format = "csv"


class TextRenderer(NDJSONRenderer):
    """A file of text; only names the media type, since the answer is the file itself."""

    media_type = "text/plain"
    format = "txt"


def stream(media_type: str, rows: Iterable[Mapping[str, Any]], columns: list[str]) -> StreamingHttpResponse:
    """Return rows as a stream of NDJSON or CSV. Objects within a row are written as JSON in CSV; missing values are empty."""
    if media_type == CSVRenderer.media_type:
        return StreamingHttpResponse(_csv(rows, columns), content_type="text/csv; charset=utf-8")
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return StreamingHttpResponse(lines, content_type=NDJSONRenderer.media_type)


class _Line:
    def write(self, text: str) -> str:
        return text


def _csv(rows: Iterable[Mapping[str, Any]], columns: list[str]) -> Iterator[str]:
    writer = csv.writer(_Line())
    yield writer.writerow(columns)
    for row in rows:
        yield writer.writerow([_text(row[name]) for name in columns])


def _text(value: Any) -> Any:
    if isinstance(value, bool | list | dict):
        return json.dumps(value, ensure_ascii=False)
    return value
