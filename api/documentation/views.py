"""The OpenAPI document and the pages of the API."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from api.documentation import operations as described
from api.documentation.changes import VERSIONS
from api.documentation.examples import examples, objects
from api.documentation.pushing import push_commands, push_script
from api.manners.pagination import MOST
from api.manners.problems import KINDS, problem_response
from config.http_cache import versioned
from events.rules.limits import MAX_BYTES


@lru_cache(maxsize=1)
def openapi() -> dict[str, Any]:
    """Return the OpenAPI document."""
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return document


@require_safe
@versioned
def schema(request: HttpRequest) -> HttpResponse:
    """Answer with the OpenAPI document."""
    return JsonResponse(openapi(), content_type="application/vnd.oai.openapi+json; version=3.1")


@require_safe
@versioned
def manners(request: HttpRequest) -> HttpResponse:
    """Explain how the API is used, with examples."""
    site = request.build_absolute_uri("/").rstrip("/")
    named = objects()
    context = {
        "examples": examples(site, named),
        "site": site,
        "limit": settings.API_REQUESTS_A_MINUTE,
        "token_limit": settings.API_TOKEN_REQUESTS_A_MINUTE,
        "most": MOST,
        "most_megabytes": MAX_BYTES // 1_000_000,
        "named": named,
    }
    return render(request, "api/manners.html", context)


@require_safe
@versioned
def pushing(request: HttpRequest) -> HttpResponse:
    """Explain how a program sends in results, step by step."""
    site = request.build_absolute_uri("/").rstrip("/")
    named = objects()
    context = {"site": site, "commands": push_commands(site, named), "script": push_script(site, named)}
    return render(request, "api/pushing.html", context)


@require_safe
@versioned
def changes(request: HttpRequest) -> HttpResponse:
    """Show what changed in each version, and what will end."""
    latest, *earlier = VERSIONS
    versions = [replace(latest, ends=(*latest.ends, *described.ending(openapi()))), *earlier]
    context = {"versions": versions, "ending": any(version.ends for version in versions)}
    return render(request, "api/changes.html", context)


@require_safe
@versioned
def operations(request: HttpRequest) -> HttpResponse:
    """Show the OpenAPI document as a page."""
    document = openapi()
    context = {"nouns": described.operations(document).items(), "things": described.things(document)}
    return render(request, "api/operations.html", context)


@require_safe
@versioned
def errors(request: HttpRequest) -> HttpResponse:
    """Explain each kind of error, under the word that `type` ends with."""
    return render(request, "api/errors.html", {"kinds": KINDS.values()})


@csrf_exempt
def unknown(request: HttpRequest) -> HttpResponse:
    """Answer 404 at an address that the API does not have; lead to the address with a slash at its end, if there is that."""
    if request.method in ("GET", "HEAD") and not request.path_info.endswith("/"):
        try:
            known = resolve(f"{request.path_info}/").func is not unknown
        except Resolver404:
            known = False
        if known:
            query = request.META.get("QUERY_STRING", "")
            return redirect(f"{request.path_info}/{'?' if query else ''}{query}", permanent=True)
    return problem_response(request, "not-found", "The API has no such address: see /api/v1/docs/.")
