"""The files for search engines."""

from django.contrib.sitemaps import views as sitemap_views
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from config.http_cache import versioned
from config.lib.site import site_address
from ratings.sitemaps import SITEMAPS


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
