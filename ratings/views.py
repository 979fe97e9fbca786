"""Public pages of the published lists, and the files for search engines."""

from datetime import timedelta

from django.contrib.sitemaps import views as sitemap_views
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from config.http_cache import versioned
from config.lib import formatting
from config.lib.pages import position
from config.lib.site import site_address
from ratings.lists import queries
from ratings.lists.activity import activity_window, is_active
from ratings.lists.definitions import list_definitions
from ratings.lists.forms import ListFilter
from ratings.sitemaps import SITEMAPS


@require_safe
@versioned
def months(request: HttpRequest) -> HttpResponse:
    """Show all published lists, by month."""
    published = queries.publications()
    lead = f"{formatting.count(len(published), 'month')}, the first on {published[-1].day_text}." if published else ""
    context = {"lists": list_definitions(), "published": published, "lead": lead, "here": "lists"}
    return render(request, "ratings/lists/months.html", context)


@require_safe
@versioned
def rating_list(request: HttpRequest, code: str, period: str = "") -> HttpResponse:
    """Show a published list, by default the latest. A period chosen in the form leads to its address."""
    if "period" in request.GET:
        return _to_period(request, code)
    lists, published = list_definitions(), queries.publications()
    listing = next((candidate for candidate in lists if candidate.code == code), None)
    if listing is None:
        raise Http404(f"There is no rating list “{code}”.")
    publication = (
        next((candidate for candidate in published if candidate.code == period), None)
        if period
        else next(iter(published), None)
    )
    if publication is None and period:
        raise Http404(f"No list of the rating period {period} is published.")
    activity = activity_window(publication, published) if publication and listing.is_national else None
    form = ListFilter(request.GET or None, activity=activity)
    choice = form.choice()
    page = queries.ListPage([], 0, None, None)
    if publication:
        page = queries.list_page(
            publication.run,
            listing,
            choice,
            is_active=is_active(listing.id, activity) if activity else None,
            only_active=form.only_active,
            after=position(request.GET.get("after")),
            before=position(request.GET.get("before")),
        )
    context = {
        "listing": listing,
        "rules": listing.rules(publication.day - timedelta(days=1)) if publication else "",
        "lists": lists,
        "publication": publication,
        "published": published,
        "is_latest": publication is None or publication is published[0],
        "form": form,
        "choice": choice,
        "is_narrowed": choice or form.only_active,
        "activity": activity,
        "page": page,
        "here": "lists",
    }
    return render(request, "ratings/lists/list.html", context)


def _to_period(request: HttpRequest, code: str) -> HttpResponse:
    query = request.GET.copy()
    period = query.pop("period")[-1]
    query.pop("after", None)
    query.pop("before", None)
    if not any(publication.code == period for publication in queries.publications()):
        raise Http404(f"No list of the rating period {period} is published.")
    kept = {name: str(value) for name, value in query.items() if value}
    address = reverse("ratings:list-of", kwargs={"code": code, "period": period})
    return redirect(f"{address}?{urlencode(kept)}" if kept else address)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Answer with what search engines may read: public pages, without searches and officers' pages."""
    lines = ["User-agent: *", "Disallow: /admin/", "Disallow: /account/", "Disallow: /*?", "Allow: /sitemap-*.xml?"]
    lines += ["", f"Sitemap: {site_address('ratings:sitemap-index')}"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
@versioned
def sitemap_index(request: HttpRequest) -> HttpResponse:
    """Answer with the addresses of the site maps, 5,000 pages each."""
    return sitemap_views.index(request, SITEMAPS, sitemap_url_name="ratings:sitemap")


@require_safe
@versioned
def sitemap_section(request: HttpRequest, section: str) -> HttpResponse:
    """Answer with the public pages of a kind. Raises Http404."""
    return sitemap_views.sitemap(request, SITEMAPS, section)
