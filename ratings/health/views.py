"""The answer for those who watch the site: whether it works, and for officers what does not; and its metrics."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.outages import outage
from ratings.health.checks import MAY_SEE, Health, examine


@require_safe
@never_cache
def health(request: HttpRequest) -> HttpResponse:
    """Answer 200 if all parts work, else 503; with the details for officers only."""
    found = examine(at=timezone.now())
    answer: dict[str, object] = {"works": found.works}
    if _may_see(request):
        answer |= _details(found)
    return JsonResponse(answer, status=200 if found.works else 503)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with the metrics in Prometheus's text format. Raises Http404 without METRICS_TOKEN; 401 for another token."""
    if not settings.METRICS_TOKEN:
        raise Http404("METRICS_TOKEN is not set.")
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not constant_time_compare(token.strip(), settings.METRICS_TOKEN):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    from ratings.health.metrics import CONTENT_TYPE, written  # only then are the packages loaded

    return HttpResponse(written(at=timezone.now()), content_type=CONTENT_TYPE)


def _may_see(request: HttpRequest) -> bool:
    try:
        return request.user.has_perm(MAY_SEE)
    except Exception as error:
        if outage(error):
            return False
        raise


def _details(found: Health) -> dict[str, object]:
    return {
        "checks": [{"part": check.part, "works": check.works, "text": check.text} for check in found.checks],
        "waiting": [{"kind": row.kind, "count": row.count, "since": row.since.isoformat()} for row in found.waiting],
    }
