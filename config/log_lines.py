"""What is written to the log, and how: a line each, with the id of the request that it comes from. No personal data."""

import logging
import re
import time
from collections.abc import Callable
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from config.outages import BUSY, DATABASE, outage

_LEVELS = [name for name in logging.getLevelNamesMapping() if name != "NOTSET"]
_FORMATS = {
    "plain": "%(asctime)s %(levelname)s %(name)s %(request_id)s: %(message)s",
    "json": "%(levelname)s %(name)s %(request_id)s %(message)s",
}

log = logging.getLogger("bureau.requests")

Handler = Callable[[HttpRequest], HttpResponse]


class ShortRefusals(logging.Filter):
    """A request that is refused, for what the client sent or may not do, is one line: no traceback, and no second line for its
    status."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Take the traceback off; drop the line “Bad Request” of a request that has its own."""
        if record.name.startswith("django.security."):
            record.exc_info = record.exc_text = None
            request = getattr(record, "request", None)
            if request is not None:
                request.refusal_logged = True
        elif record.name == "django.request":
            if record.levelno < logging.ERROR:
                record.exc_info = record.exc_text = None
            return not getattr(getattr(record, "request", None), "refusal_logged", False)
        return True


_CHECKED = re.compile(r"(?<=checking failed - ).+(?= does not match any trusted origins)", re.DOTALL)


class WithoutSearches(logging.Filter):
    """Takes out of a refusal's line what may be personal in an address: a name, a search, the key of a mailed link."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Put the address's pattern, or what was the matter, where Django quotes the request."""
        request = getattr(record, "request", None)
        values = record.args if isinstance(record.args, tuple) else ()
        if isinstance(request, HttpRequest) and values and values[-1] in _quoted(request.path):
            record.args = (*map(_without_header, values[:-1]), _told(request))
        elif record.name.startswith("django.security.DisallowedModelAdmin"):
            record.msg, record.args = "A word of the query is none of this page of the desk", ()
        return True


class ShortOutages(logging.Filter):
    """While the database does not answer, each request and task that needs it is one line, as is one that it ended because it
    waited for another. Must stand behind `WithoutSearches`, which looks for the address among the values of a line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Put the first line of the error in the place of its traceback."""
        error = record.exc_info[1] if record.exc_info else None
        if outage(error) in (DATABASE, BUSY):
            message, reason = record.getMessage(), str(error).partition("\n")[0]
            record.msg, record.args = message if reason in message else f"{message}: {reason}", ()
            record.exc_info = record.exc_text = None
        return True


def _without_header(value: object) -> object:
    """Return why a form was refused without the header Origin or Referer, as Django quotes it."""
    return _CHECKED.sub("its value", value) if isinstance(value, str) else value


def _quoted(path: str) -> tuple[str, str]:
    """Return a path as Django quotes it: as it is, or with other letters and control characters as escapes."""
    return path, path.encode("unicode_escape").decode()


def _told(request: HttpRequest) -> str:
    """Return the request's path if its only variables are numbers and dates, else its pattern."""
    match = request.resolver_match
    if match is None:  # refused before it was looked at
        try:
            match = resolve(request.path_info)
        except Resolver404:
            return "an address that does not exist"
    # A pattern without variables may match any address.
    plain = match.kwargs and all(str(value).replace("-", "").isdigit() for value in match.kwargs.values())
    return request.path if plain and not match.args else f"/{match.route}"


def json_formatter(fmt: str, rename_fields: dict[str, str]) -> logging.Formatter:
    """Return the formatter of LOG_FORMAT=json: an object a line, its time in UTC."""
    from pythonjsonlogger.core import RESERVED_ATTRS
    from pythonjsonlogger.json import JsonFormatter

    # Django's records have their request, of which the address would be written.
    reserved = [*RESERVED_ATTRS, "request"]
    return JsonFormatter(fmt, rename_fields=rename_fields, reserved_attrs=reserved, timestamp="time")


def log_requests(get_response: Handler) -> Handler:
    """Log each answer at level INFO: method, the pattern of the address, status and milliseconds.

    The address itself is left out: it may hold a name that was searched for, or a secret link.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        response = get_response(request)
        if log.isEnabledFor(logging.INFO):
            match = request.resolver_match
            facts = {
                "method": request.method,
                "route": f"/{match.route}" if match else "/",
                "status": response.status_code,
                "milliseconds": round(1000 * (time.perf_counter() - begun)),
            }
            log.info("%(method)s %(route)s %(status)s, %(milliseconds)s ms", facts, extra=facts)
        return response

    return answer


def settings(env: environ.Env) -> dict[str, Any]:
    """Return Django's LOGGING from LOG_LEVEL, WARNING if it is empty, and LOG_FORMAT, plain if it is empty.

    Raises ImproperlyConfigured for an unknown level or format.
    """
    level: str = env.str("LOG_LEVEL", default="").strip().upper() or "WARNING"
    if level not in _LEVELS:
        raise ImproperlyConfigured(f"LOG_LEVEL={level[:40]} is none: choose one of {', '.join(_LEVELS)}")
    kind: str = env.str("LOG_FORMAT", default="").strip().lower() or "plain"
    if kind not in _FORMATS:
        raise ImproperlyConfigured(f"LOG_FORMAT={kind[:40]} is none: choose one of {', '.join(_FORMATS)}")
    formatters: dict[str, dict[str, Any]] = {
        "plain": {"format": _FORMATS["plain"]},
        "json": {
            "()": "config.log_lines.json_formatter",
            "fmt": _FORMATS["json"],
            "rename_fields": {"levelname": "level", "name": "logger"},
        },
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "short": {"()": "config.log_lines.ShortRefusals"},
            "searches": {"()": "config.log_lines.WithoutSearches"},
            "outages": {"()": "config.log_lines.ShortOutages"},
            "request_id": {"()": "django_guid.log_filters.CorrelationId", "correlation_id_field": "request_id"},
        },
        "formatters": {kind: formatters[kind]},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": kind,
                "filters": ["short", "searches", "outages", "request_id"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
        # Of an id that a client made up the one tells at length; the other, before the id is known, that a task has come.
        "loggers": {"django_guid": {"level": "ERROR"}, "celery.worker.strategy": {"level": "WARNING"}},
    }
