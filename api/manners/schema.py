"""The OpenAPI document: the words of every operation, and its errors."""

from typing import Any

from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.contrib.django_filters import DjangoFilterExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from api.manners.endings import Ending
from api.manners.problems import KINDS, MEDIA_TYPE
from api.manners.renderers import CSVRenderer, NDJSONRenderer

_PROBLEM = {
    "type": "object",
    "description": "Problem details (RFC 9457).",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "format": "uri", "description": "Address that explains this kind of problem."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["place", "code", "message"],
                "properties": {
                    "place": {"type": "string", "description": "As in `games[3].result` or `query.limit`."},
                    "code": {"type": "string"},
                    "message": {"type": "string"},
                },
            },
        },
    },
}
_PLAIN = {"pattern": r"^[^\u0000]*$"}  # PostgreSQL compares no NUL

_STREAMS = {
    NDJSONRenderer.media_type: "All results, a JSON object a line.",
    CSVRenderer.media_type: "All results, a line each, below the names of the fields.",
}


class OperationSchema(AutoSchema):
    """Describes an operation: its filters, pages and `fields`."""

    def get_override_parameters(self) -> list[Any]:
        """Return the word `fields` of operations that answer with chosen fields."""
        if self.method != "GET" or not getattr(self.view, "has_fields", False):
            return []
        about = "The fields of the answer, or of each of its results, with commas between; by default all."
        answer = self.get_response_serializers()
        serializer = getattr(answer, "child", answer() if isinstance(answer, type) else answer)
        names = {"type": "array", "minItems": 1, "items": {"type": "string", "enum": list(serializer.fields)}}
        return [OpenApiParameter("fields", names, description=about, required=False, style="form", explode=False)]

    def is_deprecated(self) -> bool:
        """Whether the operation will end."""
        return getattr(self.view, "ending", None) is not None

    def get_description(self) -> str:
        """Return what the operation does, and when it ends."""
        ending: Ending | None = getattr(self.view, "ending", None)
        about = super().get_description()
        return f"{about}\n\n{ending.sentence}" if ending else str(about)

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> dict[str, Any]:
        schema: dict[str, Any] = super()._map_basic_serializer(serializer, direction)
        for name, ending in getattr(serializer, "endings", {}).items():
            field = schema["properties"][name]
            about = " ".join(part for part in (field.get("description", ""), ending.sentence) if part)
            schema["properties"][name] = {**field, "deprecated": True, "description": about}
        return schema

    def get_filter_backends(self) -> list[Any]:
        """Return nothing: filters are described by `_get_filter_parameters`, for single objects too."""
        return []

    def _get_filter_parameters(self) -> list[dict[str, Any]]:
        filterset = getattr(self.view, "filterset_class", None)
        if filterset is None or self.method != "GET":
            return []
        backend = DjangoFilterBackend()
        parameters = DjangoFilterExtension(backend).get_schema_operation_parameters(self)
        for parameter in parameters:
            given = filterset.base_filters[parameter["name"]].extra
            words = (("max_length", "maxLength"), ("min_value", "minimum"), ("max_value", "maximum"))
            parameter["schema"] |= {word: given[name] for name, word in words if name in given}
        return parameters


def add_problems(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Add to every operation of a document its errors and, to one that reads, the answer to a valid ETag."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = _PROBLEM
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for methods in result["paths"].values():
        for method, operation in methods.items():
            responses = operation["responses"]
            for parameter in operation.get("parameters", ()):
                if parameter["schema"].get("type") == "string" and not {"enum", "pattern"} & parameter["schema"].keys():
                    parameter["schema"] |= _PLAIN
            for media_type, answer in responses.get("200", {}).get("content", {}).items():
                if media_type in _STREAMS:
                    answer["schema"] = {"type": "string", "description": _STREAMS[media_type]}
            if method == "get" and not operation.get("security"):
                responses["304"] = {"description": "What the client holds, as its If-None-Match says, is valid."}
            known = {400, 401, 404, 405, 406, 429}
            known |= {403} if operation.get("security") else set()
            known |= {422} if operation.get("security") and method in ("post", "put") else set()
            known |= {413, 415} if method in ("post", "put") else set()
            for kind in reversed(KINDS.values()):
                if kind.status in known:
                    responses[str(kind.status)] = {"description": kind.title, "content": content}
            operation["responses"] = dict(sorted(responses.items()))
    return result
