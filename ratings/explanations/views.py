"""Why a published rating is what it is: the explanation of a player's month, and its case file."""

import json
from dataclasses import dataclass
from datetime import timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from config.http_cache import versioned
from config.lib import formatting
from config.lib.days import next_month
from events.models import RatingPeriod
from players.hidden import not_hidden
from players.merged import require_here
from players.models import Player
from players.profile.queries import public_player
from ratings.explanations.brought_in import brought_in
from ratings.explanations.case_files import export_list_month, export_player
from ratings.explanations.layout import Link, ShownStep, shown_steps
from ratings.explanations.published import Published, published_figures
from ratings.explanations.queries import (
    EventExplanation,
    ListMonthExplanation,
    MonthExplanation,
    explain_list_month,
    explain_month,
)
from ratings.explanations.words import said
from ratings.lists import queries
from ratings.lists.definitions import ListDefinition
from ratings.lists.revisions import corrected_ratings
from ratings.models import Rating
from ratings.systems.adapters import ADAPTERS
from ratings.systems.base import Cell, CellKind


@dataclass(frozen=True, slots=True)
class ShownEvent:
    """An event of a month on another system's list, ready for a template."""

    section: int
    event: int
    name: str
    day: str
    before: str
    after: str
    change: str
    direction: str
    steps: list[ShownStep]

    @property
    def anchor(self) -> str:
        """Its place on the page."""
        return f"section-{self.section}"


@require_safe
@versioned
def explanation(request: HttpRequest, number: str, month: str, code: str) -> HttpResponse:
    """Show the explanation of a published rating: nine steps on a national list, event by event on another list; of a month
    that was brought in what it brought."""
    player = public_player(number)
    published = queries.publications()
    place = next((index for index, publication in enumerate(published) if publication.code == month), None)
    if place is None:
        raise Http404(f"No list of the rating period {month} is published.")
    publication = published[place]
    ratings = published_figures(player.pk, publication.run)
    chosen = next((shown for shown in ratings if shown.listing.code == code), None)
    if chosen is None:
        raise Http404(f"{player.name} has no {code} rating on the list of {publication.day_text}.")
    period = RatingPeriod.objects.get(month=publication.month)
    earlier = published[place + 1] if place + 1 < len(published) else None
    before = earlier if earlier and next_month(earlier.month) == publication.month else None
    full = request.GET.get("full") == "1"
    context: dict[str, object] = {
        "here": "players",
        "player": player,
        "publication": publication,
        "before": before,
        "start_text": formatting.long_day(publication.month),
        "chosen": chosen,
        "found": ratings,
        "full": full,
        "corrected": corrected_ratings(player.pk, [publication], [chosen.listing]),
        "neighbours": _neighbours(player.pk, chosen.listing, earlier, published[place - 1] if place else None),
    }
    if not publication.is_calculated:
        context |= {"agrees": True, "brought_in": brought_in(publication.run, player.pk, chosen.listing)}
        return render(request, "ratings/explanations/brought_in.html", context)
    if not chosen.listing.is_national:
        month_on_list = explain_list_month(period, player.pk, chosen.listing.id)
        context |= _list_context(month_on_list, chosen, publication, full)
        return render(request, "ratings/explanations/list_explanation.html", context)
    explained = explain_month(period, player.pk, code)
    rated = _rated_before(explained, before, chosen.listing)
    context |= {
        "steps": shown_steps(explained.explanation, full=full, link=_links(explained, rated, before, code), say=said),
        "agrees": explained.published == chosen.rating,
        "explained_text": chosen.listing.rating(explained.published),
        "replays": [(named.name, named.ref) for named in explained.sections],
    }
    return render(request, "ratings/explanations/explanation.html", context)


@require_safe
@versioned
def case_file(request: HttpRequest, number: str, month: str) -> HttpResponse:
    """Answer with a player's published month as a rating case."""
    player = _player(number)
    publication = next((row for row in queries.publications() if row.code == month), None)
    if (
        player is None
        or publication is None
        or not any(shown.listing.is_national for shown in published_figures(player.pk, publication.run))
    ):
        raise Http404(f"No published rating of {number} in the rating period {month}.")
    _check_calculated(publication)
    period = RatingPeriod.objects.get(month=publication.month)
    return _download(export_player(period, player), f"{number}-{month}.json")


@require_safe
@versioned
def list_case_file(request: HttpRequest, number: str, month: str, code: str) -> HttpResponse:
    """Answer with a player's published month on a list of another system as rating cases, one for each section."""
    player = _player(number)
    publication = next((row for row in queries.publications() if row.code == month), None)
    ratings = published_figures(player.pk, publication.run) if player and publication else []
    listing = next(
        (shown.listing for shown in ratings if shown.listing.code == code and not shown.listing.is_national), None
    )
    if player is None or publication is None or listing is None:
        raise Http404(f"No published rating of {number} on such a list in the rating period {month}.")
    _check_calculated(publication)
    period = RatingPeriod.objects.get(month=publication.month)
    return _download(export_list_month(period, player, listing), f"{number}-{month}-{code}.json")


def _check_calculated(publication: queries.Publication) -> None:
    if not publication.is_calculated:
        raise Http404(f"The list of {publication.day_text} was brought in: there are no games to recompute it from.")


def _player(number: str) -> Player | None:
    player = Player.objects.filter(not_hidden(), number=number, merged_into=None).first()
    if player is None:
        require_here(number)
    return player


def _download(document: object, name: str) -> HttpResponse:
    answer = HttpResponse(json.dumps(document, ensure_ascii=False, indent=1), content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _list_context(
    explained: ListMonthExplanation, chosen: Published, publication: queries.Publication, full: bool
) -> dict[str, object]:
    listing = chosen.listing

    def link(cell: Cell) -> str:
        number = explained.players.get(cell.ref) if cell.kind is CellKind.PLAYER else None
        return f"/players/{number}/" if number else ""

    def shown(event: EventExplanation) -> ShownEvent:
        moved = None if event.before is None or event.after is None else event.after - event.before
        return ShownEvent(
            section=event.section,
            event=event.event,
            name=event.name,
            day=formatting.day(event.ended),
            before=gettext("unrated") if event.before is None else listing.rating(event.before),
            after=gettext("unrated") if event.after is None else listing.rating(event.after),
            change="" if moved is None else listing.change(moved),
            direction=listing.direction(moved),
            steps=shown_steps(event.explanation, full=full, link=link, say=said),
        )

    return {
        "rules": listing.rules(publication.day - timedelta(days=1)),
        "brought_text": "" if explained.brought is None else formatting.rating(explained.brought),
        "turns": [shown(event) for event in explained.events],
        "refused": explained.refused,
        "agrees": explained.published == chosen.rating,
        "explained_text": listing.rating(explained.published),
        "ages_by_day": explained.ages_by_day and ADAPTERS[listing.system].uses_age,
    }


def _rated_before(
    explained: MonthExplanation, before: queries.Publication | None, listing: ListDefinition
) -> frozenset[str]:
    if before is None:
        return frozenset()
    rows = Rating.objects.filter(run_id=before.run, list_id=listing.id, published__isnull=False)
    return frozenset(
        rows.filter(player__number__in=list(explained.players.values())).values_list("player__number", flat=True)
    )


def _links(explained: MonthExplanation, rated: frozenset[str], before: queries.Publication | None, code: str) -> Link:
    """Return the links of cells: players to their pages, ratings to their explanations, tournaments to their events."""

    def link(cell: Cell) -> str:
        if cell.kind in (CellKind.EVENT, CellKind.PENALTY):
            event = explained.events.get(cell.ref)
            return "" if event is None else f"/events/{event}/"
        number = explained.players.get(cell.ref)
        if cell.kind is CellKind.PLAYER:
            return f"/players/{number}/" if number else ""
        if cell.kind is CellKind.RATING and before and number in rated:
            return f"/players/{number}/{before.code}/{code}/"
        return ""

    return link


def _neighbours(
    player: int, listing: ListDefinition, earlier: queries.Publication | None, later: queries.Publication | None
) -> dict[str, queries.Publication]:
    near = {"earlier": earlier, "later": later}
    runs = [publication.run for publication in near.values() if publication]
    rows = Rating.objects.filter(run_id__in=runs, list_id=listing.id, player_id=player, published__isnull=False)
    known = set(rows.values_list("run_id", flat=True))
    return {name: publication for name, publication in near.items() if publication and publication.run in known}
