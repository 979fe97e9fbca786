"""What every operation does: unknown words of the query are refused, answers are conditional, and hold the fields asked for."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponse, HttpResponseBase
from django.utils.http import http_date
from rest_framework.generics import GenericAPIView
from rest_framework.parsers import BaseParser
from rest_framework.permissions import BasePermission
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from accounts.models import Token, User
from api.manners import pagination
from api.manners.endings import Ending, announce, endings_in
from api.manners.problems import PlacedError, Problem, invalid_document, invalid_query, placed_errors
from api.manners.renderers import CSVRenderer, NDJSONRenderer, stream
from api.manners.tokens import TokenAuthentication
from config.http_cache import conditional
from config.lib.parsing import whole_number
from events.rules.limits import MAX_BYTES
from ratings.cases.document import DocumentError, parse_document

FIELDS = "fields"


class ApiView(GenericAPIView[Any]):
    """An operation that answers with one object. `queryset` is only for the types of filters in the OpenAPI document."""

    filter_backends = ()
    pagination_class: ClassVar[type[pagination.KeysetPagination] | None] = None
    words_serializer: ClassVar[type[Serializer[Any]] | None] = None  # of words of the query beside filters and pages
    filterset_class: ClassVar[Any] = None
    has_fields: ClassVar[bool] = True
    is_public: ClassVar[bool] = True
    context: Mapping[str, Any] = {}  # for the serializers
    ending: ClassVar[Ending | None] = None
    endings_shown: Sequence[Ending] = ()  # of fields in the answer
    modified: datetime | None = None  # when the month was published that the answer is about

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer; to GET and HEAD conditionally. An operation, or a field of the answer, that will end is announced."""
        response = self._answer(request, *args, **kwargs)
        announce(response, [*((self.ending,) if self.ending else ()), *self.endings_shown])
        if self.modified is not None:
            response.headers["Last-Modified"] = http_date(self.modified.timestamp())
        return response

    def _answer(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not self.is_public or request.method not in ("GET", "HEAD") or settings.DEBUG:
            return super().dispatch(request, *args, **kwargs)
        variant = ""
        if len(self.renderer_classes) > 1:
            self.format_kwarg = None
            asked = Request(request, negotiator=self.get_content_negotiator())
            variant = self.perform_content_negotiation(asked, force=True)[1]
        response: HttpResponse = conditional(super().dispatch, request, *args, variant=variant, **kwargs)
        response.headers.setdefault("Cache-Control", "no-cache" if response.status_code in (200, 304) else "no-store")
        return response

    def options(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Answer with the methods that the address knows."""
        return Response(status=204)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse words that the operation does not know. Raises Problem."""
        super().initial(request, *args, **kwargs)
        known = self.known_words()
        named = f"Known are {', '.join(known)}." if known else "This operation knows none."
        unknown = [
            PlacedError(f"query.{word}", "unknown", f"The word “{word}” is unknown. {named}")
            for word in request.query_params
            if word not in known
        ]
        if unknown:
            raise invalid_query(unknown)

    def known_words(self) -> list[str]:
        """Return the words of the query that the operation knows."""
        filters = list(self.filterset_class.base_filters) if self.filterset_class else []
        pages = pagination.WORDS if self.pagination_class else ()
        fields = (FIELDS,) if self.has_fields and self.request.method != "POST" else ()
        words = list(self.words_serializer().fields) if self.words_serializer else []
        return [*filters, *words, *pages, *fields]

    def asked(self) -> dict[str, Any]:
        """Return the words of the query that `words_serializer` reads. Raises Problem."""
        return {} if self.words_serializer is None else self.words(self.words_serializer)

    def words(self, serializer_class: type[Serializer[Any]]) -> dict[str, Any]:
        """Return the words of the query that a serializer reads. Raises Problem."""
        serializer = serializer_class(data=self.request.query_params.dict())
        if not serializer.is_valid():
            raise invalid_query(placed_errors(serializer.errors, "query"))
        return dict(serializer.validated_data)

    def filtered(self, rows: Any) -> Any:
        """Return a queryset narrowed by the operation's filters. Raises Problem."""
        filters = self.filterset_class(self.request.query_params, queryset=rows, request=self.request)
        if not filters.is_valid():
            raise invalid_query(
                PlacedError(f"query.{word}", error.code or "invalid", f"{word}: {' '.join(error.messages)}")
                for word, errors in filters.errors.as_data().items()
                for error in errors
            )
        return filters.qs

    def is_narrowed(self) -> bool:
        """Whether a filter is set."""
        return any(self.request.query_params.get(word) for word in self.filterset_class.base_filters)

    def chosen_fields(self, serializer: Serializer[Any]) -> list[str]:
        """Return the fields that the answer has, in their order. Raises Problem for an unknown one."""
        known = list(serializer.fields)
        if FIELDS not in self.request.query_params:
            return known
        asked = [name for name in self.request.query_params[FIELDS].split(",") if name]
        unknown = [name for name in asked if name not in known]
        if unknown or not asked:
            named = f"fields: known are {', '.join(known)}."
            raise invalid_query([PlacedError("query.fields", "unknown", named)])
        return [name for name in known if name in asked]

    def serialized(self, serializer_class: type[Serializer[Any]], rows: Iterable[Any]) -> list[dict[str, Any]]:
        """Return rows as JSON has them, with the fields asked for."""
        serializer = serializer_class(context={"request": self.request, **self.context})
        chosen = self.chosen_fields(serializer)
        for name in set(serializer.fields) - set(chosen):
            serializer.fields.pop(name)
        self.endings_shown = list(endings_in(serializer))
        return [serializer.to_representation(row) for row in rows]

    def one(self, serializer_class: type[Serializer[Any]], row: Any) -> Response:
        """Answer with one object."""
        return Response(self.serialized(serializer_class, [row])[0])

    def page(
        self,
        serializer_class: type[Serializer[Any]],
        rows: Sequence[Any],
        *,
        before: object = None,
        after: object = None,
    ) -> Response:
        """Answer with a page of a collection. `before`, `after`: the keys to continue from, None at either end."""
        results = self.serialized(serializer_class, rows)
        return Response(pagination.page_body(self.request, results, before=before, after=after))

    def key(self, word: str) -> int | None:
        """Return `after` or `before` as a whole number. Raises Problem."""
        text = self.request.query_params.get(word)
        if text is None:
            return None
        number = whole_number(text, digits=15)
        if number is None:
            raise invalid_query([PlacedError(f"query.{word}", "invalid", f"Take {word} from `next` or `previous`.")])
        return number

    def document(self) -> Any:
        """Return the document that was sent, an empty one if there was none. Raises Problem."""
        document = self.request.data
        # Of no body that claims to be a form the framework makes a form without fields, which cannot be changed.
        return {} if isinstance(document, QueryDict) and not document else document

    def sent(self, serializer_class: type[Serializer[Any]]) -> Any:
        """Return the document that was sent, checked. Raises Problem with the places."""
        serializer = serializer_class(data=self.document())
        if not serializer.is_valid():
            raise invalid_document(placed_errors(serializer.errors))
        return serializer.validated_data


class _HasScope(BasePermission):
    """A token with a scope for the method. A method that the operation does not know is refused as such."""

    def has_permission(self, request: Request, view: "TokenView") -> bool:
        """Return whether there is a token. Raises Problem if it lacks the scopes."""
        scopes = view.scopes.get(str(request.method))
        if scopes is None:
            return True
        token: Token | None = request.auth
        if token is not None and not any(map(token.may, scopes)):
            raise Problem("not-allowed", f"The token lacks the scope {' or '.join(scopes)}.")
        return token is not None


class TokenView(ApiView):
    """An operation that needs a token. `scopes`: method → the scopes of which the token has one."""

    authentication_classes = (TokenAuthentication,)
    permission_classes = (_HasScope,)
    scopes: ClassVar[Mapping[str, Sequence[Token.Scope]]] = {}
    is_public = False

    @property
    def user(self) -> User:
        """The user of the token."""
        user: User = self.request.user
        return user


class Collection(ApiView):
    """An operation that answers with a page of results."""

    pagination_class = pagination.KeysetPagination
    cursor_pattern: ClassVar[str] = "^[0-9]{1,15}$"

    def limit(self) -> int:
        """Return how many results are asked for. Raises Problem."""
        return pagination.limit_of(self.request.query_params)

    def slice(self, serializer_class: type[Serializer[Any]], rows: Sequence[Any]) -> Response:
        """Answer with a page of rows that are all at hand; `after` and `before` are places among them."""
        size, after, before = self.limit(), self.key("after"), self.key("before")
        first = after or 0 if after is not None or before is None else max(0, before - size)
        last = first + size if after is not None or before is None else before
        chosen = rows[first:last]
        return self.page(
            serializer_class,
            chosen,
            before=first if chosen and first else None,
            after=first + len(chosen) if chosen and first + len(chosen) < len(rows) else None,
        )


class Whole(Collection):
    """A collection that is also read whole, as NDJSON or CSV by `Accept`."""

    renderer_classes = (JSONRenderer, NDJSONRenderer, CSVRenderer)

    @property
    def is_whole(self) -> bool:
        """Whether the whole collection is asked for."""
        return not isinstance(self.request.accepted_renderer, JSONRenderer)

    def whole(self, serializer_class: type[Serializer[Any]], pages: Iterable[Sequence[Any]]) -> HttpResponseBase:
        """Answer with all rows, which come in pages; the first is read at once, so that the answer has its ETag."""
        refused = [word for word in pagination.WORDS if word in self.request.query_params]
        if refused:
            message = f"{refused[0]}: {self.request.accepted_media_type} is the whole collection, which has no pages."
            raise invalid_query([PlacedError(f"query.{refused[0]}", "invalid", message)])
        columns = self.chosen_fields(serializer_class())
        source = iter(pages)
        first = self.serialized(serializer_class, next(source, []))

        def rows() -> Iterable[dict[str, Any]]:
            yield from first
            for page in source:
                yield from self.serialized(serializer_class, page)

        return stream(self.request.accepted_renderer.media_type, rows(), columns)


class LimitedJSONParser(BaseParser):
    """JSON of at most `most` bytes, read as the command line reads it."""

    media_type = "application/json"
    most = 1_000_000

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """Return the document. Raises Problem."""
        content = stream.read(self.most + 1)
        if len(content) > self.most:
            raise Problem("too-large", f"A document of at most {self.most} bytes is read.")
        return self.document(content)

    def document(self, content: bytes) -> Any:
        """Return the document in the bytes. Raises Problem."""
        try:
            return parse_document(content)
        except DocumentError as error:
            raise invalid_document([PlacedError("", "invalid", str(error))]) from error


class BytesParser(BaseParser):
    """A file as the whole body."""

    media_type = "application/octet-stream"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> bytes:
        """Return the bytes, at most one more than may be read."""
        content: bytes = stream.read(MAX_BYTES + 1)
        return content
