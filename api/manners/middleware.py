"""What stands around every operation: tokens, limits, reading from pages of other sites, compression, no NUL in the address."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

from api.manners.limits import take
from api.manners.problems import problem_response
from api.manners.tokens import SCHEME, UNKNOWN, read_token
from config.lib.parsing import whole_number
from events.rules.limits import MAX_BYTES

API = "/api/"
PREFIX = "/api/v1/"
_METHODS = "GET, HEAD, POST, OPTIONS"
_EXPOSED = "Allow, Deprecation, ETag, Link, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Sunset"
_PREFLIGHT = {
    "Access-Control-Allow-Methods": _METHODS,
    "Access-Control-Allow-Headers": "Accept, Content-Type, If-None-Match",
    "Access-Control-Max-Age": "86400",
}

MOST_BYTES = MAX_BYTES + 100_000  # a tournament file, and the parts of a form around it

Handler = Callable[[HttpRequest], HttpResponseBase]


def manners(get_response: Handler) -> Handler:
    """Give answers of the API their limits and headers. Must stand before the middleware that refuses NULs with a page.

    Any site may read the API from a browser, but never as a user: no credentials are allowed, and no operation reads cookies.
    Answers may be compressed, since they hold no secrets (BREACH), and no other site can have a request made with a token.
    """
    compress = GZipMiddleware(lambda request: HttpResponse()).process_response

    def answer(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PREFIX):
            return get_response(request)
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            response: HttpResponseBase = HttpResponse(status=204, headers=_PREFLIGHT)
        else:
            sent = "Authorization" in request.headers
            token = read_token(request) if sent else None
            allowance = take(request, token)
            if allowance.exceeded:
                detail = (
                    f"At most {allowance.limit} requests a minute are answered. Try again in {allowance.reset} seconds."
                )
                response = problem_response(request, "too-many-requests", detail)
            elif sent and token is None:
                response = problem_response(request, "not-authenticated", UNKNOWN, headers={"WWW-Authenticate": SCHEME})
            else:
                response = _taken(request, get_response)
            for name, value in allowance.headers().items():
                response.headers[name] = value
            response.headers["Access-Control-Expose-Headers"] = _EXPOSED
            response.headers.setdefault("Cache-Control", "no-store")
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        patch_vary_headers(response, ["Accept"])
        return compress(request, response)

    return answer


def _taken(request: HttpRequest, get_response: Handler) -> HttpResponseBase:
    query = request.META.get("QUERY_STRING", "")
    if "\0" in request.path_info or "\0" in query or "%00" in query:
        return problem_response(request, "bad-request", "The address has a NUL character, which no name or word has.")
    # Before anything is read: a form is read whole by the middleware that looks for NULs in its fields.
    length = whole_number(request.META.get("CONTENT_LENGTH") or "0", digits=12)
    if "X-Body-Refused" in request.headers or length is None or length > MOST_BYTES:
        return problem_response(request, "too-large", f"At most {MOST_BYTES} bytes are read.")
    response = get_response(request)
    if response.status_code == 400 and response.headers["Content-Type"].startswith("text/html"):
        return problem_response(request, "bad-request", "A field of the form has a NUL character.")
    return response
