"""Public pages of players."""

import csv

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from config.http_cache import versioned
from config.kept_reads import kept
from config.lib.parsing import whole_number
from events.rules.age_groups import age_group
from players.profile import history, queries
from players.profile.beginning import beginning
from players.profile.chart import history_chart
from players.profile.fide import fide_lines
from players.profile.figures import player_figures
from players.profile.games import played_rows, player_months, years_played
from players.profile.live import live_line
from players.search_form import PlayerFilter
from ratings.lists.activity import activity_window
from ratings.lists.definitions import by_kind, list_definitions, national_lists
from ratings.lists.queries import publications
from ratings.lists.revisions import corrected_ratings
from ratings.live import queries as live_queries
from ratings.rerating.queries import adjusted_points, player_adjustments


@require_safe
@versioned
def search(request: HttpRequest) -> HttpResponse:
    """Show the register by name, filtered by the form; a whole number leads to its player."""
    form = PlayerFilter(request.GET or None)
    choice = form.choice()
    player = queries.player_of_number(choice)
    if player is not None:
        return redirect("players:player", player.number)
    lists = national_lists()
    published = kept(publications)
    latest = published[0] if published else None
    page = queries.players(
        choice, lists, latest, after=request.GET.get("after", ""), before=request.GET.get("before", "")
    )
    context = {"form": form, "choice": choice, "lists": lists, "latest": latest, "page": page, "here": "players"}
    return render(request, "players/search.html", context)


@require_safe
@versioned
def suggest(request: HttpRequest) -> HttpResponse:
    """Answer with JSON of the players that match the text typed into a search field so far."""
    return JsonResponse({"players": queries.suggestions(request.GET.get("q", ""))})


@require_safe
@versioned
def player(request: HttpRequest, number: str) -> HttpResponse:
    """Show a player's ratings, their history, and the events and games behind them: those of the latest year, or of `year`."""
    player = queries.public_player(number)
    lists, published = kept(list_definitions), kept(publications)
    live = kept(live_queries.live)
    figures = player_figures(player.pk, published, live=live is not None)
    standings = figures.standings
    national, others = by_kind(lists)
    ranges = history.ranges(standings, request.GET.get("range", ""))
    chart = history_chart(history.series(history.within(standings, ranges), lists))
    places = chart.places if chart else {}
    latest = published[0] if published else None
    activity = activity_window(latest, published) if latest else None
    other_cards = history.cards(standings, others, activity, figures.counted)
    others = [card.listing for card in other_cards]
    rows = played_rows(player.pk)
    years = years_played(rows, standings, published, lists)
    asked = request.GET.get("year", "")
    year = whole_number(asked, digits=4) if asked else next(iter(years), None)
    if asked and year not in years:
        raise Http404(f"No rated games of {player.name} in such a year.")
    adjustments = player_adjustments(player.pk, published, lists)
    months = player_months(
        player.pk,
        standings,
        published,
        lists,
        rows=rows,
        year=year,
        waiting=not asked,
        adjusted=adjusted_points(adjustments),
    )
    context = {
        "here": "players",
        "player": player,
        "age_group": None if player.died_on else age_group(player.birth_year, year=timezone.localdate().year),
        "year": timezone.localdate().year,
        "latest": latest,
        "activity": activity,
        "lists": national,
        "cards": history.cards(standings, national, activity, figures.counted),
        "other_cards": other_cards,
        "others": others,
        "fide": fide_lines(figures.fide),
        "live": None if player.died_on else live_line(live, figures.live_standings(national), rows),
        "chart": chart,
        "charted": player.name,
        "ranges": ranges,
        "beginning": beginning(player.pk, standings, lists),
        "asked_year": asked,
        "rows": history.history_rows(standings, national, places),
        "other_rows": history.history_rows(standings, others, places),
        "months": months,
        "years": years,
        "shown_year": year,
        "opened": next((month for month in months if month.publication), None),
        "corrected": corrected_ratings(player.pk, published, lists),
        "adjustments": adjustments,
    }
    return render(request, "players/profile/player.html", context)


@require_safe
@versioned
def history_csv(request: HttpRequest, number: str) -> HttpResponse:
    """Answer with the history as CSV: a row for each list and published period, ratings unrounded."""
    player = queries.public_player(number)
    names = {listing.id: listing.code for listing in list_definitions()}
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="ratings-{player.number}.csv"'
    figures = ("published", "raw", "weighted", "highest", "games", "k", "rank")
    writer = csv.writer(answer)
    writer.writerow(["list_date", "period", "list", *figures, "activity", "published_on"])
    known = player_figures(player.pk, publications(), live=False)
    for standing in known.standings:
        publication, listing = standing.publication, names[standing.listing]
        row = [publication.day.isoformat(), publication.code, listing, *(getattr(standing, name) for name in figures)]
        activity = known.counted.get((publication.run, standing.listing), 0)
        writer.writerow([*row, activity, publication.appeared.isoformat()])
    return answer
