"""The language of a page: English, in which the pages are written, or one that has a catalogue under `locale/`.

The addresses are the same in all of them. What programs read, mails and the desk are in English.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext, gettext_noop, ngettext, pgettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from config.lib import formatting

ENGLISH_ONLY = ("/api/", "/admin/")  # how the addresses begin that answer in English alone
OF_PAGES = ("/calculators/players.json",)  # what scripts of pages show as it comes
# The long months are those of `config.lib.formatting`, which is pure; the short ones are called as Django calls them, so that
# its dates are written as ours.
_MONTHS = (
    gettext_noop("January"), gettext_noop("February"), gettext_noop("March"), gettext_noop("April"),
    gettext_noop("May"), gettext_noop("June"), gettext_noop("July"), gettext_noop("August"),
    gettext_noop("September"), gettext_noop("October"), gettext_noop("November"), gettext_noop("December"),
)  # fmt: skip
_SHORT_MONTHS = (
    gettext_noop("jan"), gettext_noop("feb"), gettext_noop("mar"), gettext_noop("apr"),
    gettext_noop("may"), gettext_noop("jun"), gettext_noop("jul"), gettext_noop("aug"),
    gettext_noop("sep"), gettext_noop("oct"), gettext_noop("nov"), gettext_noop("dec"),
)  # fmt: skip

Handler = Callable[[HttpRequest], HttpResponse]


def languages(get_response: Handler) -> Handler:
    """Answer in the reader's language: his choice, which a cookie keeps, or the first of his browser's that there is.

    Must stand before all that renders pages. While a form is sent, dates and numbers are written as in English: they may
    become part of what is stored.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        if _is_for_programs(request.path_info):
            with in_english():
                return get_response(request)
        language = translation.get_language_from_request(request)
        stores = request.method not in ("GET", "HEAD")
        with translation.override(language), formatting.written(formatting.ENGLISH if stores else style(language)):
            response = get_response(request)
        written = response.get("Content-Type", "").startswith("text/html") or request.path_info in OF_PAGES
        if response.status_code == 304 or written:
            response.headers.setdefault("Content-Language", html_language(language))
            patch_vary_headers(response, ["Accept-Language", "Cookie"])
        return response

    return answer


def in_english() -> translation.override:
    """Return a context, and decorator, in which texts are English: for what is stored or sent."""
    return translation.override(settings.LANGUAGE_CODE)


def in_readers_style() -> AbstractContextManager[None]:
    """Return a context in which numbers and dates are the reader's also in the answer to a form: for what is only shown."""
    return formatting.written(style(translation.get_language() or settings.LANGUAGE_CODE))


def counted(value: int, singular: str, plural: str) -> str:
    """Return a count with its noun, `17 games`, from the texts for one and for many, in which it is `%(count)s`."""
    return ngettext(singular, plural, value) % {"count": formatting.number(value)}


@csrf_exempt
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keep the reader's choice in a cookie, and go back to the page: browsers name it to its own site (Referer).

    Nothing else is changed, so the form needs no secret of its visitor, which the pages that are kept could not have.
    """
    return set_language(request)


@lru_cache
def style(language: str) -> formatting.Style:
    """Return how a language writes numbers and dates."""
    if language == settings.LANGUAGE_CODE:
        return formatting.ENGLISH
    with translation.override(language):
        return formatting.Style(
            months=tuple(gettext(name) for name in _MONTHS),
            short_months=tuple(gettext(name) for name in _SHORT_MONTHS),
            decimal_sign=pgettext("decimal sign", "."),
        )


def choices(request: HttpRequest) -> tuple[tuple[str, str, bool], ...]:
    """Return each language that a page can be read in: its code, the name that it has for itself, if it is the page's."""
    if _is_for_programs(request.path_info):
        return ()
    present = translation.get_language()
    return tuple((code, name, code == present) for code, name in _names())


@lru_cache
def _names() -> list[tuple[str, str]]:
    names = []
    for code, _ in settings.LANGUAGES:
        with translation.override(code):
            names.append((code, pgettext("this language’s own name", "English")))
    return names


@lru_cache
def html_language(code: str) -> str:
    """Return a language as pages name theirs, `en-GB`."""
    return translation.to_locale(code).replace("_", "-")


def _is_for_programs(path: str) -> bool:
    return path.startswith(ENGLISH_ONLY) or ("." in path.rpartition("/")[2] and path not in OF_PAGES)
