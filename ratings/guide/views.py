"""The pages of the guide."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from config.http_cache import versioned
from ratings.guide.articles import GROUPS, Article
from ratings.guide.curves import HEIGHT, WIDTH
from ratings.guide.figures import figures
from ratings.guide.glossary import TERMS
from ratings.guide.rating_systems import system_guides
from ratings.lists.queries import publications
from ratings.systems import chessa


@require_safe
@versioned
def index(request: HttpRequest) -> HttpResponse:
    """Show the regulations by article, and what the bureau does for each."""
    edition = chessa.edition_for(timezone.localdate())
    values = figures(edition)
    groups = [
        (group.code, gettext(group.heading), [_shown(article, values) for article in group.articles])
        for group in GROUPS
    ]
    return render(request, "ratings/guide/regulations.html", {"groups": groups, "edition": edition})


@require_safe
@versioned
def systems(request: HttpRequest) -> HttpResponse:
    """Show the four rating systems with their curves."""
    context = {"systems": system_guides(timezone.localdate()), "width": WIDTH, "height": HEIGHT}
    return render(request, "ratings/guide/systems.html", context)


@require_safe
@versioned
def glossary(request: HttpRequest) -> HttpResponse:
    """Show the terms of the site, in the order of the reader's alphabet."""
    names = {term.code: gettext(term.name) for term in TERMS}
    terms = [
        (term.code, names[term.code], gettext(term.meaning), [(code, names[code]) for code in term.beside])
        for term in sorted(TERMS, key=lambda term: names[term.code].lower())
    ]
    return render(request, "ratings/guide/glossary.html", {"terms": terms})


@require_safe
@versioned
def where_from(request: HttpRequest) -> HttpResponse:
    """Show how the figures of the site come about."""
    published = publications()
    return render(request, "ratings/guide/figures.html", {"latest": published[0] if published else None})


def _shown(article: Article, values: dict[str, str]) -> dict[str, Any]:
    return {
        "numbers": article.numbers,
        "says": gettext(article.says).format_map(values),
        "does": gettext(article.does),
        "seen": [(reverse(name), gettext(words)) for name, words in article.seen],
        "open": gettext(article.open_) if article.open_ else "",
    }
