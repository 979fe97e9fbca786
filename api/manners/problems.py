"""Errors as problem details (RFC 9457): each kind with an address that explains it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost, PermissionDenied
from django.http import Http404, HttpRequest, JsonResponse
from django.urls import reverse
from rest_framework import exceptions
from rest_framework.response import Response

from config.lib.names import shown

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its word in addresses, HTTP status, title, and what it means and how to correct it."""

    code: str
    status: int
    title: str
    meaning: str


KINDS = {
    kind.code: kind
    for kind in (
        Kind(
            "invalid-query",
            400,
            "A word of the query is unknown or has a wrong value",
            "Each entry of `errors` names the word as `query.word` and says what was expected. Words that an operation does not"
            " know are refused, so that a misspelt filter is not taken for no filter.",
        ),
        Kind(
            "invalid-document",
            400,
            "The document that was sent cannot be read",
            "Each entry of `errors` names the place in the document, as in `games[3].result`, and what was expected there.",
        ),
        Kind("bad-request", 400, "The request cannot be read", "`detail` says what is wrong with the request."),
        Kind(
            "not-authenticated",
            401,
            "The operation needs a token",
            "Send the header `Authorization: Bearer` with a token, which its user makes on the account page. A token that is"
            " wrong, withdrawn or past its last day is refused everywhere, so that it is not taken for none.",
        ),
        Kind(
            "not-allowed",
            403,
            "The token or its user may not do this",
            "`detail` says whether the token lacks a scope, or its user the right: a token does nothing that its user may not"
            " do on the pages.",
        ),
        Kind(
            "not-found",
            404,
            "There is nothing at this address",
            "The address is misspelt, or it names a player, list, period, event or section that does not exist or is not"
            " public. Unpublished months and results that are not accepted yet are not public.",
        ),
        Kind(
            "method-not-allowed",
            405,
            "The address does not know this method",
            "The header `Allow` names the methods that it knows.",
        ),
        Kind(
            "not-acceptable",
            406,
            "The answer has none of the media types that `Accept` names",
            "Every operation answers with `application/json`; the operation’s documentation names its other media types.",
        ),
        Kind(
            "too-large",
            413,
            "The document that was sent is too large",
            "`detail` names the greatest size.",
        ),
        Kind(
            "unsupported-media-type",
            415,
            "The operation does not read this media type",
            "The operation’s documentation names the media types for `Content-Type`.",
        ),
        Kind(
            "not-done",
            422,
            "The bureau does not do this",
            "`detail` says why, in the words of the page, and what to do; `errors` names the sections and codes of what"
            " is open. Nothing was changed.",
        ),
        Kind(
            "too-many-requests",
            429,
            "There were too many requests from this network",
            "`Retry-After` says in how many seconds the next request is answered; `RateLimit-Limit`, `RateLimit-Remaining` and"
            " `RateLimit-Reset` stand on every answer.",
        ),
        Kind("server-error", 500, "The bureau made a mistake", "It is on record. Please try again later."),
        Kind(
            "unavailable",
            503,
            "The bureau cannot answer just now",
            "Its database or its disk is not at hand; `detail` says which. Try again after `Retry-After` seconds. What was sent"
            " may or may not have been kept: look at what is there first, before you send it again.",
        ),
    )
}
_BY_STATUS = {kind.status: kind for kind in reversed(KINDS.values())} | {400: KINDS["bad-request"]}


@dataclass(frozen=True, slots=True)
class PlacedError:
    """What is wrong at one place of a request: `query.limit`, `games[3].result`, or "" for the whole."""

    place: str
    code: str
    message: str

    def as_dict(self) -> dict[str, str]:
        """Return it as JSON has it."""
        return {"place": shown(self.place), "code": self.code, "message": shown(self.message)}


class Problem(exceptions.APIException):
    """A request that is refused, with its kind, and the places where something is wrong with it."""

    def __init__(self, code: str, detail: str, errors: Iterable[PlacedError] = ()) -> None:
        super().__init__(detail, code)
        self.kind = KINDS[code]
        self.status_code = self.kind.status
        self.errors = tuple(errors)


def invalid_query(errors: Iterable[PlacedError]) -> Problem:
    """Return the problem of a query whose words are unknown or have wrong values."""
    placed = tuple(errors)
    return Problem("invalid-query", " ".join(error.message for error in placed), placed)


def invalid_document(errors: Iterable[PlacedError]) -> Problem:
    """Return the problem of a document with something wrong in some places."""
    placed = tuple(errors)
    detail = " ".join(f"{error.place}: {error.message}" if error.place else error.message for error in placed)
    return Problem("invalid-document", detail, placed)


def placed_errors(detail: Any, place: str = "") -> list[PlacedError]:
    """Return the errors of a serializer or filter, nested as it gives them, with their places."""
    if isinstance(detail, Mapping):
        return [
            error
            for name, inner in detail.items()
            for error in placed_errors(inner, place if name == "non_field_errors" else _member(place, name))
        ]
    if isinstance(detail, list):
        return [error for inner in detail for error in placed_errors(inner, place)]
    return [PlacedError(place, getattr(detail, "code", "invalid"), str(detail))]


def _member(place: str, name: object) -> str:
    if isinstance(name, int):
        return f"{place}[{name}]"
    return f"{place}.{name}" if place else str(name)


def body(request: HttpRequest, kind: Kind, detail: str, errors: Iterable[PlacedError] = ()) -> dict[str, Any]:
    """Return the problem details of a request."""
    explained = f"{reverse('api:errors')}#{kind.code}"
    try:
        address = request.build_absolute_uri(explained)
    except DisallowedHost:  # which is what is refused
        address = f"{settings.SITE_URL}{explained}"
    details: dict[str, Any] = {"type": address, "title": kind.title, "status": kind.status, "detail": shown(detail)}
    placed = [error.as_dict() for error in errors]
    return {**details, "errors": placed} if placed else details


def problem_response(
    request: HttpRequest, code: str, detail: str, *, headers: Mapping[str, str] | None = None
) -> JsonResponse:
    """Return the answer to a request that no operation has taken."""
    kind = KINDS[code]
    return JsonResponse(body(request, kind, detail), status=kind.status, content_type=MEDIA_TYPE, headers=headers)


def handle(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the answer to an error in an operation; None for a mistake of the bureau's, which Django's handler takes."""
    request: HttpRequest = context["request"]._request
    if isinstance(error, Http404):
        error = exceptions.NotFound(str(error) or "There is nothing at this address.")
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    if not isinstance(error, exceptions.APIException):
        return None
    if isinstance(error, Problem):
        kind, errors = error.kind, error.errors
    else:
        kind, errors = _BY_STATUS.get(error.status_code, KINDS["bad-request"]), ()
    headers = {"WWW-Authenticate": error.auth_header} if hasattr(error, "auth_header") else {}
    if isinstance(error, exceptions.MethodNotAllowed):
        headers["Allow"] = ", ".join(context["view"].allowed_methods)
    return Response(
        body(request, kind, str(error.detail), errors), kind.status, headers=headers, content_type=MEDIA_TYPE
    )
