"""Errors outside operations: problem details under `/api/v1/`, the site's pages elsewhere."""

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.views import defaults

from api.manners.middleware import API
from api.manners.problems import problem_response
from config.body_limits import too_large


def _of_api(request: HttpRequest) -> bool:
    return request.path_info.startswith(API)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400; 413 to a form with too much in it."""
    if _of_api(request):
        return problem_response(request, "bad-request", "The request cannot be read.")
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent):
        return too_large(request)
    return defaults.bad_request(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404."""
    if _of_api(request):
        return problem_response(request, "not-found", "There is nothing at this address.")
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500; Django has put the mistake on record."""
    if _of_api(request):
        return problem_response(request, "server-error", "The bureau made a mistake. It is on record.")
    return defaults.server_error(request)
