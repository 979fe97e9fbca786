"""Public pages beside a player's own: statistics, one player against another, several in one chart, and his feed."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.http_cache import versioned
from config.lib import formatting
from config.lib.texts import plain_text
from players.profile import history, queries
from players.profile.chart import history_chart
from players.profile.compared_players import read_players
from players.profile.comparison import MOST_COMPARED, compared
from players.profile.games import PlayedRow, played_rows
from players.profile.head_to_head import meetings, score_of, scores_of
from players.profile.statistics import statistics
from ratings.lists.definitions import ListDefinition, list_definitions, national_lists
from ratings.lists.distribution import distribution
from ratings.lists.queries import Publication, publications, published_ratings, raw_ratings, run_before

_LONGEST_TYPED = 400  # characters of the players to compare


@require_safe
@versioned
def player_statistics(request: HttpRequest, number: str) -> HttpResponse:
    """Show a player's results by colour, strength, year and opponent, his best wins, and his place on a list."""
    player = queries.public_player(number)
    lists = national_lists()
    published = publications()
    rows = played_rows(player.pk)
    context: dict[str, object] = {
        "here": "players",
        "player": player,
        "statistics": statistics(rows, _main_ratings(rows, published, lists)),
        "lists": lists,
    }
    if published:
        standing = published_ratings(published[0].run, [player.pk])
        on = [listing for listing in lists if (player.pk, listing.id) in standing]
        asked = request.GET.get("list", on[0].code if on else "")
        chosen = next((listing for listing in on if listing.code == asked), None)
        if asked and chosen is None:
            raise Http404(f"{player.name} is not on the latest list “{asked}”.")
        if chosen:
            rating = standing[player.pk, chosen.id]
            context |= {
                "latest": published[0],
                "rated_on": on,
                "chosen": chosen,
                "rating": chosen.rating(rating),
                "distribution": distribution(published[0].run, chosen.id, rating),
            }
    return render(request, "players/profile/statistics.html", context)


def _main_ratings(rows: list[PlayedRow], published: list[Publication], lists: list[ListDefinition]) -> dict[int, float]:
    """Return the opponents' raw Main ratings at the start of the month, and of opponents abroad what they brought, by game."""
    before, main = run_before(published), lists[0].id if lists else 0
    met = {row.id: (before.get(row.month) if row.month else None, row.opponent) for row in rows}
    start = raw_ratings({(run, opponent) for run, opponent in met.values() if run and opponent}, [main])
    found = {row.id: row.guest_rating if row.guest else start.get((*met[row.id], main)) for row in rows}  # type: ignore[arg-type]
    return {game: rating for game, rating in found.items() if rating is not None}


@require_safe
@versioned
def against(request: HttpRequest, number: str, other: str) -> HttpResponse:
    """Show the games of one player against another, newest first."""
    player, opponent = queries.public_player(number), queries.public_player(other)
    if player == opponent:
        raise Http404(f"{player.name} does not play against himself: choose another player.")
    games = meetings([player.pk, opponent.pk])
    lists, published = national_lists(), publications()
    known = published_ratings(published[0].run, [player.pk, opponent.pk]) if published else {}
    context = {
        "here": "players",
        "player": player,
        "opponent": opponent,
        "total": score_of(player.pk, games),
        "records": scores_of(player.pk, games, lists),
        "games": [
            (game, formatting.score(game.points(player.pk)), game.remark(player.pk), formatting.day(game.ends))
            for game in games
        ],
        "latest": published[0] if published else None,
        "lists": lists,
        "ratings": [
            (shown, [listing.rating(known.get((shown.pk, listing.id))) for listing in lists])
            for shown in (player, opponent)
        ],
    }
    return render(request, "players/profile/against.html", context)


@require_safe
@versioned
def compare(request: HttpRequest) -> HttpResponse:
    """Show the published ratings of up to four players on one list in one chart. What is typed wrong is said beside it."""
    text = plain_text(request.GET.get("players", "")[:_LONGEST_TYPED])
    typed = read_players(text)
    chosen = typed.players
    lists, published = list_definitions(), publications()
    code = request.GET.get("list", lists[0].code if lists else "")
    listing = next((listing for listing in lists if listing.code == code), None)
    if code and listing is None:
        raise Http404(f"There is no list “{code}”.")
    lines = compared(chosen, listing, published) if listing else []
    chart = history_chart([line.series for line in lines])
    context = {
        "here": "players",
        "typed": text,
        "problems_found": typed.problems,
        "choices": typed.choices,
        "lists": lists,
        "listing": listing,
        "lines": lines,
        "unrated": [line.player for line in lines if not line.series.points],
        "chart": chart,
        "rows": history.compared_rows([line.series for line in lines], chart.places if chart else {}),
        "charted": ", ".join(player.name for player in chosen),
        "most": MOST_COMPARED,
    }
    return render(request, "players/profile/compare.html", context)
