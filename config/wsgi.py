"""The web application for a WSGI server."""

import gc
import os
import re
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application
from django.db import connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_CHARSET = re.compile(r"""\s*;\s*charset\b[^;]*""", re.IGNORECASE)
answer = get_wsgi_application()
if connection.vendor == "postgresql":
    # What is asked for would run on after whoever asked for it has gone. nginx waits for an answer for a minute.
    connection.settings_dict["OPTIONS"]["options"] += " -c statement_timeout=30s"


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer a request. Words of a query and of a form are in UTF-8; a character set that its type names is left out.

    Hazard: Django would read the query in it at once. In rot13 or idna, or with too many words, that fails before any
    middleware is asked: the web server would answer, and log the address.
    """
    if "charset" in (kind := environ.get("CONTENT_TYPE", "")).lower():
        environ["CONTENT_TYPE"] = _CHARSET.sub("", kind)
    return answer(environ, start_response)


# What was loaded by now stays for as long as the process lives: the collector need not go through it with each page.
gc.collect()
gc.freeze()
