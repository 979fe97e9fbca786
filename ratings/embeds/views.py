"""Pictures of ratings for other sites: SVG cards that they may frame, and the picture beside a link."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from config.http_cache import versioned
from config.lib.site import site_address
from players.profile import history
from players.profile.queries import player_detail, public_player
from players.search import Choice
from ratings.embeds.colours import THEMES, Colours
from ratings.embeds.forms import DARK, LIGHT, GuideForm, ListPictureForm, PictureForm
from ratings.embeds.picture import player_picture as draw_player
from ratings.lists.definitions import list_definitions, national_lists
from ratings.lists.queries import Publication, list_page, publications

_PLACES = 10
_CARD = (420, 176)
_LIST_WIDTH, _LIST_HEAD, _LIST_ROW, _LIST_FOOT = 420, 64, 26, 40

View = Callable[..., HttpResponse]


def framed_anywhere(view: View) -> View:
    """Decorate a view whose answer other sites may frame."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response

    framed: View = csp_replace({"frame-ancestors": "*"})(xframe_options_exempt(answer))
    return framed


@require_safe
@versioned
def guide(request: HttpRequest) -> HttpResponse:
    """Show the pictures, and the lines that put them on a page."""
    form = GuideForm(request.GET or None)
    asked = form.cleaned_data if form.is_valid() else {}
    lists = list_definitions()
    listing = next((listing for listing in lists if listing.code == asked.get("list")), lists[0] if lists else None)
    words = {"theme": DARK} if asked.get("theme") == DARK else {}
    number = asked.get("player") or ""
    player = public_player(number) if number else None
    pictures = []
    if player:
        path = _address("embeds:player", player.number, words)
        pictures.append(
            _picture(
                path,
                reverse("players:player", args=(player.number,)),
                gettext("Ratings of %(name)s") % {"name": player.name},
                _CARD,
            )
        )
    if listing and publications():
        place = asked.get("region")
        chosen = {"region": request.GET["region"]} if place else {}
        places = asked.get("places")
        chosen |= {"places": str(places)} if places else {}
        size = (_LIST_WIDTH, _list_height(places or _PLACES))
        path = _address("embeds:list", listing.code, {**chosen, **words})
        target = reverse("ratings:list", args=(listing.code,))
        pictures.append(
            _picture(path, target, gettext("The first of the %(name)s list") % {"name": listing.name}, size)
        )
    return render(request, "ratings/embeds/guide.html", {"form": form, "pictures": pictures, "here": "lists"})


def _address(view: str, argument: str, words: dict[str, str]) -> str:
    return reverse(view, args=(argument,)) + (f"?{urlencode(words)}" if words else "")


def _picture(path: str, target: str, title: str, size: tuple[int, int]) -> dict[str, Any]:
    return {
        "path": path,
        "address": f"{settings.SITE_URL}{path}",
        "target": f"{settings.SITE_URL}{target}",
        "title": title,
        "width": size[0],
        "height": size[1],
    }


@require_safe
@framed_anywhere
@versioned
def player_card(request: HttpRequest, number: str) -> HttpResponse:
    """Answer with a card of a player's latest ratings as SVG. Raises Http404."""
    player = public_player(number)
    lists, published = national_lists(), publications()
    colours = _colours(PictureForm(request.GET))
    cards = history.cards(history.standings(player.pk, published), lists, None, {})
    width = (_CARD[0] - 32) / max(1, len(cards))
    context = {
        "player": player,
        "detail": player_detail(player),
        "day": published[0].day_text if published else "",
        "cards": [
            (round(16 + place * width, 1), card, colours.of_direction(card.direction), colour)
            for place, (card, colour) in enumerate(zip(cards, colours.lists, strict=False))
        ],
        "address": site_address("players:player", player.number),
        "width": _CARD[0],
        "height": _CARD[1],
    }
    return _svg(request, "ratings/embeds/player.svg", context, colours)


@require_safe
@framed_anywhere
@versioned
def list_card(request: HttpRequest, code: str) -> HttpResponse:
    """Answer with the first places of the latest list as SVG, of a region if one is named. Raises Http404."""
    listing = next((listing for listing in list_definitions() if listing.code == code), None)
    published = publications()
    if listing is None or not published:
        raise Http404(f"There is no rating list “{code}”, or none is published yet.")
    form = ListPictureForm(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    choice = Choice(place=asked["region"]) if asked.get("region") else Choice()
    size = asked.get("places") or _PLACES
    page = list_page(published[0].run, listing, choice, size=size)
    colours = _colours(form)
    context = {
        "listing": listing,
        "where": request.GET["region"].removeprefix("province-") if choice else "",
        "day": published[0].day_text,
        "rows": [
            (place, _LIST_HEAD + place * _LIST_ROW, row, colours.of_direction(row.direction))
            for place, row in enumerate(page.rows, 1)
        ],
        "address": site_address("ratings:list", listing.code),
        "width": _LIST_WIDTH,
        "height": _list_height(size),
        "foot": _list_height(size) - 14,
    }
    return _svg(request, "ratings/embeds/list.svg", context, colours)


@require_safe
@versioned
def player_picture(request: HttpRequest, number: str) -> HttpResponse:
    """Answer with the picture that social networks show beside the link to a player's page. Raises Http404."""
    player = public_player(number)
    lists, published = national_lists(), publications()
    standings = history.standings(player.pk, published)
    content = draw_player(
        player.name,
        player_detail(player),
        f"{settings.BRAND.name} · {_day(published)}",
        [(card.listing.name, card.rating) for card in history.cards(standings, lists, None, {})],
        history.series(standings, lists),
    )
    return HttpResponse(content, content_type="image/png")


def _day(published: list[Publication]) -> str:
    return published[0].day_text if published else "not rated yet"


def _colours(form: PictureForm) -> Colours:
    form.is_valid()
    return THEMES[form.cleaned_data.get("theme") or LIGHT]


def _list_height(places: int) -> int:
    return _LIST_HEAD + places * _LIST_ROW + _LIST_FOOT


def _svg(request: HttpRequest, template: str, context: dict[str, Any], colours: Colours) -> HttpResponse:
    return render(request, template, {**context, "colours": colours}, content_type="image/svg+xml; charset=utf-8")
