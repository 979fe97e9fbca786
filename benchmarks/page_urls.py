"""The site's addresses, and a page of nothing to hold the others against."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def empty(request: HttpRequest) -> HttpResponse:
    """Answer with an empty page."""
    return HttpResponse()


urlpatterns = [path("benchmark/empty/", empty), path("", include("config.urls"))]
handler400 = "api.handlers.bad_request"
handler404 = "api.handlers.not_found"
handler500 = "api.handlers.server_error"
