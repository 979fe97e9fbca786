"""Middleware that refuses methods of no standard, NUL characters and what is no number, searches for names as they are kept,
and leads on from numbers that others have replaced."""

import re
from collections.abc import Callable
from functools import cache

from django.apps import apps
from django.contrib.admin.exceptions import DisallowedModelAdminLookup
from django.contrib.admin.utils import unquote
from django.db import DataError
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, UnreadablePostError
from django.shortcuts import render
from django.urls import reverse
from django.views.defaults import page_not_found
from psycopg.errors import InvalidTimeZoneDisplacementValue, NumericValueOutOfRange

from config.lib.moved import MovedError
from config.lib.texts import plain_text

_YEARS = re.compile(r"0*[1-9][0-9]{0,3}(,0*[1-9][0-9]{0,3})*")
# What Python says of a day that there is not, and of a number of more than 4,300 digits, and Django of the key of a row that is
# no number.
_NO_DAY = re.compile(r"date value out of range|year -?\d+ is out of range")
_TOO_LONG = re.compile(r"^Exceeds the limit \(\d+ digits\) for integer string")
_NO_NUMBER = re.compile(r"^Field '\w+' expected a number but got (.+)\.$", re.DOTALL)
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
_SEARCHES = ("q", "term")  # of a list, and of a field that offers rows while one types
_MOST_WORDS, _MOST_LETTERS = 12, 200  # PostgreSQL plans a minute for 2,000 words
_LOOKUPS = {
    "contains", "date", "day", "endswith", "exact", "gt", "gte", "icontains", "iendswith", "iexact", "in", "isnull",
    "istartswith", "lt", "lte", "month", "startswith", "year",
}  # fmt: skip
Handler = Callable[[HttpRequest], HttpResponse]


def refuse_unknown_methods(get_response: Handler) -> Handler:
    """Answer 501 to a method of no standard: metrics and log would keep each invented word. Must stand before both."""

    def answer(request: HttpRequest) -> HttpResponse:
        if request.method not in _METHODS:
            refused = HttpResponse("Unknown method.\n", status=501, content_type="text/plain")
            refused._has_been_logged = True  # type: ignore[attr-defined]  # else Django logs it as an error, of nobody's request
            return refused
        return get_response(request)

    return answer


def refuse_nul(get_response: Handler) -> Handler:
    """Answer 400 to a NUL in the address or in a field of a form, and drop cookies with one.

    PostgreSQL can neither store nor compare a NUL. Must stand before the session middleware, which looks up a cookie.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if "\0" not in value}
        query = request.META.get("QUERY_STRING", "")
        if "\0" in request.path_info or "\0" in query or "%00" in query:
            return _refused(request)
        name = _field_with_nul(request) if request.method == "POST" else None
        return get_response(request) if name is None else _refused(request, field=name)

    return answer


def refuse_wrong_numbers(get_response: Handler) -> Handler:
    """Answer 400 where the database refuses a number because no column holds it: the key of a row with thirty digits; to
    what is no number where the key of a row belongs, 404 if that is in the address; to a day that is none in another time zone.

    Django looks for keys as they were typed when it shows a refused form again. It reads days in all forms of ISO 8601.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    def process_exception(request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, OverflowError) and "SQLite INTEGER" in str(error):
            return _refused(request, long_number=True)
        if request.GET and _is_no_day(error):
            return render(request, "400.html", status=400)
        if isinstance(error, DataError) and isinstance(error.__cause__, NumericValueOutOfRange):
            return _refused(request, long_number=True)
        if isinstance(error, ValueError) and _TOO_LONG.match(str(error)):
            return _refused(request, long_number=True)
        if isinstance(error, ValueError) and (found := _NO_NUMBER.match(str(error))):
            if found[1] in _parts(request):
                return page_not_found(request, error)
            if found[1] in _sent(request):
                return _refused(request, no_number=True)
        return None

    answer.process_exception = process_exception  # type: ignore[attr-defined]
    return answer


def _is_no_day(error: Exception) -> bool:
    """Return whether an error is about a day, a year or a time zone that there is not."""
    if isinstance(error, DataError):
        return isinstance(error.__cause__, InvalidTimeZoneDisplacementValue)
    return isinstance(error, OverflowError | ValueError) and _NO_DAY.match(str(error)) is not None


def lead_on(get_response: Handler) -> Handler:
    """Answer MovedError with a redirect to the address with the new number. Browsers ask each time: it may move back."""

    def answer(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    def process_exception(request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, MovedError):
            return None
        path = re.sub(rf"(?<=/){re.escape(error.old)}(?=[/.])", error.new, request.path)
        query = request.META.get("QUERY_STRING", "")
        redirect = HttpResponsePermanentRedirect(f"{path}?{query}" if query else path)
        redirect.headers["Cache-Control"] = "no-cache"
        return redirect

    answer.process_exception = process_exception  # type: ignore[attr-defined]
    return answer


def _is_long_number(text: str) -> bool:
    """Return whether a text is a number, in figures of any script, that is none of a month or a day."""
    try:
        return not 0 <= int(text) < 100
    except ValueError:
        return False  # Django says what is wrong with it


def plain_searches(get_response: Handler) -> Handler:
    """Have the desk search for the first words that are typed, as names are kept: composed, and without characters that cannot
    be seen. Refuse years, months and days that no calendar has, on which Django fails, and look-ups that its pages do not use:
    a regular expression can keep the database busy for as long as it likes.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        if request.GET and request.path_info.startswith(reverse("admin:index")):
            for name, texts in request.GET.lists():
                _, *lookups = name.split("__")
                no_date = "year" in lookups and not all(map(_YEARS.fullmatch, texts))
                no_date |= not {"month", "day"}.isdisjoint(lookups) and any(map(_is_long_number, texts))
                if no_date or (lookups and lookups[-1] in _other_lookups()):
                    raise DisallowedModelAdminLookup("The desk does not look up rows so.")
            query = request.GET.copy()
            for name in _SEARCHES:
                if name in query:
                    query[name] = " ".join(plain_text(request.GET[name])[:_MOST_LETTERS].split(" ")[:_MOST_WORDS])
            request.GET = query  # type: ignore[assignment]
        return get_response(request)

    return answer


@cache
def _other_lookups() -> frozenset[str]:
    """Return the look-ups and transforms of all fields but those that the desk's pages use."""
    fields = [field for model in apps.get_models() for field in model._meta.concrete_fields]
    return frozenset({name for field in fields for name in field.get_lookups()} - _LOOKUPS)


def _field_with_nul(request: HttpRequest) -> str | None:
    try:
        fields = request.POST.lists()
    except UnreadablePostError:  # the connection broke off: the view gets an empty form
        return None
    for name, texts in fields:
        if "\0" in name or any("\0" in text for text in texts):
            return name.replace("\0", "")[:60]
    return None


def _parts(request: HttpRequest) -> set[str]:
    """Return the parts of the address that its pattern names, as Python writes them, and as the desk reads them."""
    match = request.resolver_match
    parts = [text for text in (*match.args, *match.kwargs.values()) if isinstance(text, str)] if match else []
    return {repr(text) for text in (*parts, *map(unquote, parts))}


def _sent(request: HttpRequest) -> set[str]:
    """Return the texts of the address's query and of the form, as Python writes them."""
    return {repr(text) for sent in (request.GET, request.POST) for _, texts in sent.lists() for text in texts}


def _refused(
    request: HttpRequest, *, field: str | None = None, long_number: bool = False, no_number: bool = False
) -> HttpResponse:
    nul = not (long_number or no_number)
    context = {"nul": nul, "long_number": long_number, "no_number": no_number, "field": field}
    return render(request, "400.html", context, status=400)
