"""Public pages of players."""

import csv

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from players.profile import history, queries
from players.profile.chart import history_chart
from players.profile.games import player_months
from players.search import name_choice
from players.search_form import PlayerFilter
from ratings.http_cache import versioned
from ratings.lists.definitions import list_definitions
from ratings.lists.queries import publications


@require_safe
@versioned
def search(request: HttpRequest) -> HttpResponse:
    """The register by name, narrowed by what the form asks for."""
    form = PlayerFilter(request.GET or None)
    choice = form.choice()
    lists = [listing for listing in list_definitions() if listing.is_national]
    published = publications()
    latest = published[0] if published else None
    page = queries.players(
        choice, lists, latest, after=request.GET.get("after", ""), before=request.GET.get("before", "")
    )
    context = {"form": form, "choice": choice, "lists": lists, "latest": latest, "page": page, "here": "players"}
    return render(request, "players/search.html", context)


@require_safe
@versioned
def suggest(request: HttpRequest) -> HttpResponse:
    """Players for what is being typed into a search field, as JSON."""
    found = queries.suggestions(name_choice(request.GET.get("q", "")[:80]))
    return JsonResponse({"players": found})


@require_safe
@versioned
def player(request: HttpRequest, number: str) -> HttpResponse:
    """A player's ratings, their history, and the events and games behind them."""
    profile = _profile(number)
    lists, published = list_definitions(), publications()
    found = history.standings(profile.id, published)
    ours, others = ([listing for listing in lists if listing.is_national is ours] for ours in (True, False))
    chart = history_chart(history.series(found, lists))
    places = chart.places if chart else {}
    other_cards = history.cards(found, others)
    others = [card.listing for card in other_cards]
    context = {
        "here": "players",
        "player": profile,
        "latest": published[0] if published else None,
        "lists": ours,
        "cards": history.cards(found, ours),
        "other_cards": other_cards,
        "others": others,
        "chart": chart,
        "rows": history.history_rows(found, ours, places),
        "other_rows": history.history_rows(found, others, places),
        "months": player_months(profile.id, found, published, lists),
    }
    return render(request, "players/profile/player.html", context)


@require_safe
@versioned
def history_csv(request: HttpRequest, number: str) -> HttpResponse:
    """The history as CSV: a line for each list and published period, the figures in full."""
    profile = _profile(number)
    names = {listing.id: listing.code for listing in list_definitions()}
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="ratings-{profile.number}.csv"'
    writer = csv.writer(answer)
    writer.writerow(
        ["list_date", "period", "list", "published", "raw", "weighted", "highest", "games", "k", "rank"],
    )
    for one in history.standings(profile.id, publications()):
        writer.writerow(
            [
                one.publication.day.isoformat(),
                one.publication.code,
                names[one.listing],
                one.published,
                one.raw,
                one.weighted,
                one.highest,
                one.games,
                one.k,
                one.rank,
            ]
        )
    return answer


def _profile(number: str) -> queries.Profile:
    profile = queries.profile(number, today=timezone.localdate())
    if profile is None:
        raise Http404(f"There is no player with the number {number} on the register.")
    return profile
