"""The web application for a WSGI server."""

import gc
import os
import re
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application
from django.db import connection

from config.form_parts import CountedParts

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_BOUNDARY = re.compile(r"""\bboundary\s*=\s*"?([^";\s\\]+)""", re.IGNORECASE)
answer = get_wsgi_application()
if connection.vendor == "postgresql":
    # What is asked for would run on after whoever asked for it has gone. nginx waits for an answer for a minute. Who waits for
    # a row that a worker has in hand is told so before that.
    connection.settings_dict["OPTIONS"]["options"] += " -c statement_timeout=30s -c lock_timeout=10s"


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer a request. Of what its type says beside the type, the boundary of a form's parts is kept. All words are in UTF-8.

    Hazard: Django reads these parameters, and by a character set the query, before any middleware is asked. What fails there,
    as `charset=rot13`, `x*=utf-9''%ff` or too many words, the web server would answer, and log the address.
    """
    kind, _, parameters = environ.get("CONTENT_TYPE", "").partition(";")
    if parameters:
        boundary = _BOUNDARY.search(parameters)
        environ["CONTENT_TYPE"] = kind.lower() + (f'; boundary="{boundary[1]}"' if boundary else "")
        if boundary:
            environ["wsgi.input"] = CountedParts(environ["wsgi.input"], boundary[1])
    return answer(environ, start_response)


# What was loaded by now stays for as long as the process lives: the collector need not go through it with each page.
gc.collect()
gc.freeze()
