"""The web application for a WSGI server."""

import gc
import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application
from django.utils.http import parse_header_parameters

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

answer = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer a request. Words of a query and of a form are in UTF-8; another character set that its type names is left out.

    Hazard: Django would read and write the words in it. Some, as rot13 and idna, fail there before any middleware is asked.
    """
    kind, words = parse_header_parameters(environ.get("CONTENT_TYPE", ""))
    if words.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        environ["CONTENT_TYPE"] = kind
    return answer(environ, start_response)


# What was loaded by now stays for as long as the process lives: the collector need not go through it with each page.
gc.collect()
gc.freeze()
