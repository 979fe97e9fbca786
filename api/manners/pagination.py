"""Pages of collections by the key of a row: `after` and `before`, which `next` and `previous` hold."""

from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.utils.urls import remove_query_param, replace_query_param

from api.manners.problems import PlacedError, invalid_query
from config.lib.pages import PAGE_SIZE
from config.lib.parsing import whole_number

MOST = 500
WORDS = ("after", "before", "limit")


class KeysetPagination(BasePagination):
    """The words of a collection's pages, and the envelope of its answers, for the OpenAPI document."""

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Return the parameters of a collection."""
        key = {"type": "string", "pattern": view.cursor_pattern}
        about = "Where the page begins: take it from `next`." if view.cursor_pattern else ""
        return [
            _parameter("after", key, about),
            _parameter("before", key, "Where the page ends: take it from `previous`. Ignored beside `after`."),
            _parameter(
                "limit",
                {"type": "integer", "minimum": 1, "maximum": MOST, "default": PAGE_SIZE},
                f"How many results a page has, at most {MOST}.",
            ),
        ]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the schema of a page of results."""
        address = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["results", "next", "previous"],
            "properties": {
                "results": schema,
                "next": {**address, "description": "Address of the next page; null on the last."},
                "previous": {**address, "description": "Address of the page before; null on the first."},
            },
        }


def _parameter(name: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "description": description, "schema": schema}


def limit_of(words: Mapping[str, str]) -> int:
    """Return how many results are asked for. Raises Problem."""
    if "limit" not in words:
        return PAGE_SIZE
    limit = whole_number(words["limit"], digits=4)
    if limit is None or not 1 <= limit <= MOST:
        raise invalid_query([PlacedError("query.limit", "invalid", f"limit is a whole number from 1 to {MOST}.")])
    return limit


def page_body(request: Request, results: Sequence[Any], *, before: object, after: object) -> dict[str, Any]:
    """Return a page of results with the addresses of the pages around it. `before`, `after`: keys, None at either end."""
    address = request.build_absolute_uri()

    def around(word: str, key: object) -> str | None:
        if key is None:
            return None
        plain = remove_query_param(remove_query_param(address, "after"), "before")
        return replace_query_param(plain, word, str(key))

    return {"results": results, "next": around("after", after), "previous": around("before", before)}
