"""The federation's own colours and logo, from the settings."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from config.branding import LOGO_TYPES

_STYLE = """:root {{ --accent: {light}; --accent-paper: color-mix(in srgb, {light} 12%, var(--paper)); }}
@media (prefers-color-scheme: dark) {{
  :root {{ --accent: {dark}; --accent-paper: color-mix(in srgb, {dark} 18%, var(--paper)); }}
}}
"""


@require_safe
@cache_control(public=True, max_age=3600)
def colours(request: HttpRequest) -> HttpResponse:
    """Answer with the style sheet of the federation's colours. Raises Http404 without any."""
    accents = settings.BRAND.accents
    if accents is None:
        raise Http404("The federation has no colours of its own.")
    return HttpResponse(_STYLE.format(light=accents[0], dark=accents[1]), content_type="text/css; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=3600)
def logo(request: HttpRequest) -> HttpResponse:
    """Answer with the federation's logo. Raises Http404 without one."""
    path = settings.BRAND.logo
    if path is None:
        raise Http404("The federation has no logo of its own.")
    return HttpResponse(path.read_bytes(), content_type=LOGO_TYPES[path.suffix.lower()])


@require_safe
@cache_control(public=True, max_age=3600)
def icon(request: HttpRequest) -> HttpResponse:
    """Lead to the site's icon, where programs ask for one that no page has named to them."""
    return redirect(static("icons/favicon.svg"))
