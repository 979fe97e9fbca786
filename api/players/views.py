"""Operations on players."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.lists.filters import RegisterFilters
from api.lists.views import published_list
from api.manners.views import ApiView, Collection, LimitedJSONParser, Whole
from api.players import serializers
from events.models import RatingPeriod
from events.visibility import public_players
from players.lookup import Query, look_up
from players.models import Player
from players.profile import history
from players.profile import queries as profile
from players.profile.figures import player_figures
from players.profile.games import EventLine, GameLine, player_months
from players.search import Choice
from ratings.explanations.published import Published, published_figures
from ratings.explanations.queries import EventExplanation, explain_list_month, explain_month
from ratings.lists.activity import activity_window
from ratings.lists.definitions import ListDefinition, list_definitions, national_lists
from ratings.lists.queries import Publication, publications
from ratings.live import queries as live_queries
from ratings.systems.base import Step


@dataclass(frozen=True, slots=True)
class Standing:
    """A standing with its list, and the games that count towards activity."""

    listing: ListDefinition
    standing: history.ListStanding
    activity_games: int | None


class Players(Collection):
    """The register."""

    filterset_class = RegisterFilters
    queryset = Player.objects.none()
    cursor_pattern = "^[0-9]{9}$"

    @extend_schema(
        summary="Players by name", responses=serializers.FoundPlayerAnswer(many=True), operation_id="players"
    )
    def get(self, request: Request) -> Response:
        """Answer with the players on the register by name, with their ratings on the latest lists."""
        lists = national_lists()
        words = request.query_params
        page = profile.players(
            Choice(),
            lists,
            next(iter(publications()), None),
            narrow=self.filtered if self.is_narrowed() else None,
            after=words.get("after", ""),
            before=words.get("before", ""),
            size=self.limit(),
        )
        self.context = {"ratings": page.ratings, "lists": lists}
        rows = [player for player, _ in page.rows]
        return self.page(serializers.FoundPlayerAnswer, rows, before=page.before, after=page.after)


class OnePlayer(ApiView):
    """A player."""

    @extend_schema(summary="A player", responses=serializers.PlayerAnswer, operation_id="player")
    def get(self, request: Request, number: str) -> Response:
        """Answer with a player, his latest standing on each list, and his live ratings."""
        player, lists, published = profile.public_player(number), list_definitions(), publications()
        activity = activity_window(published[0], published) if published else None
        live = live_queries.live()
        figures = player_figures(player.pk, published, live=live is not None)
        self.context = {
            "live": (live, figures.live_standings(lists)),
            "fide": figures.fide,
            "ratings": [
                Standing(listing, standing, history.active_games(listing, activity, figures.counted))
                for listing, standing in history.latest_standings(figures.standings, lists)
            ],
        }
        return self.one(serializers.PlayerAnswer, player)


class History(Whole):
    """A player's history."""

    words_serializer = serializers.HistoryWords

    @extend_schema(
        summary="A player’s history",
        responses=serializers.HistoryAnswer(many=True),
        operation_id="player_history",
        parameters=[serializers.HistoryWords],
    )
    def get(self, request: Request, number: str) -> HttpResponseBase:
        """Answer with every published month on every list, newest first."""
        player, published = profile.public_player(number), publications()
        lists = {listing.id: listing for listing in list_definitions()}
        figures = player_figures(player.pk, published, live=False)
        code = self.asked().get("list")
        rows = [
            Standing(
                lists[standing.listing],
                standing,
                figures.counted.get((standing.publication.run, standing.listing), 0)
                if lists[standing.listing].is_national
                else None,
            )
            for standing in figures.standings[::-1]
            if code in (None, lists[standing.listing].code)
        ]
        if self.is_whole:
            return self.whole(serializers.HistoryAnswer, [rows])
        return self.slice(serializers.HistoryAnswer, rows)


@dataclass(frozen=True, slots=True)
class PlayedSection:
    """A section that a player played in, with the month in which it was rated, "" before that."""

    event: EventLine
    period: str


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of a player with its section."""

    event: EventLine
    period: str
    game: GameLine


def played_sections(player: Player) -> Iterator[PlayedSection]:
    """Yield the sections that a player played in, newest first. Seven queries."""
    published = publications()
    standings = history.standings(player.pk, published)
    for month in player_months(player.pk, standings, published, list_definitions()):
        for event in month.events:
            yield PlayedSection(event, month.publication.code if month.publication else "")


class Games(Whole):
    """A player's games."""

    words_serializer = serializers.GameWords

    @extend_schema(
        summary="A player’s games",
        responses=serializers.GameAnswer(many=True),
        operation_id="player_games",
        parameters=[serializers.GameWords],
    )
    def get(self, request: Request, number: str) -> HttpResponseBase:
        """Answer with every game and every round without one, newest first."""
        asked = self.asked()
        rows = [
            PlayedGame(played.event, played.period, game)
            for played in played_sections(profile.public_player(number))
            if _is_asked(played.event, asked)
            for game in played.event.games[::-1]
            if asked.get("opponent") in (None, game.opponent_number)
            and asked.get("colour") in (None, game.colour.lower())
        ]
        if self.is_whole:
            return self.whole(serializers.GameAnswer, [rows])
        return self.slice(serializers.GameAnswer, rows)


def _is_asked(event: EventLine, asked: dict[str, Any]) -> bool:
    if "list" in asked and asked["list"] not in [listing.code for listing, _ in event.earned]:
        return False
    if event.ends is None:
        return False
    return asked.get("from", event.ends) <= event.ends <= asked.get("to", event.ends)


class PlayedEvents(Whole):
    """The events behind a player's ratings."""

    @extend_schema(
        summary="A player’s events", responses=serializers.PlayedSectionAnswer(many=True), operation_id="player_events"
    )
    def get(self, request: Request, number: str) -> HttpResponseBase:
        """Answer with every section that the player played in, and what it earned on each list, newest first."""
        rows = list(played_sections(profile.public_player(number)))
        if self.is_whole:
            return self.whole(serializers.PlayedSectionAnswer, [rows])
        return self.slice(serializers.PlayedSectionAnswer, rows)


@dataclass(frozen=True, slots=True)
class Explained:
    """A player's published rating with the steps that lead to it."""

    player: Player
    publication: Publication
    published: Published
    explained: float | None
    brought: float | None
    steps: tuple[Step, ...]
    events: list[EventExplanation]
    refused: list[dict[str, Any]]


class Explanation(ApiView):
    """Why a rating is what it is."""

    @extend_schema(
        summary="Why a rating is what it is", responses=serializers.ExplanationAnswer, operation_id="explanation"
    )
    def get(self, request: Request, number: str, period: str, code: str) -> Response:
        """Answer with the steps of the calculation, their figures, formulas and articles."""
        player = profile.public_player(number)
        listing, publication, _ = published_list(code, period)
        self.modified = publication.published_at
        published = next(
            (shown for shown in published_figures(player.pk, publication.run) if shown.listing.code == listing.code),
            None,
        )
        if published is None:
            raise Http404(f"{player.name} has no {code} rating on the list of {publication.day_text}.")
        month = RatingPeriod.objects.get(month=publication.month)
        people: Mapping[str, str] = {}
        events: Mapping[str, int] = {}
        if not publication.is_calculated:
            row = Explained(player, publication, published, None, None, (), [], [])
        elif listing.is_national:
            explanation = explain_month(month, player.pk, code)
            people, events = explanation.players, explanation.events
            steps = explanation.explanation.steps
            row = Explained(player, publication, published, explanation.published, None, steps, [], [])
        else:
            of_list = explain_list_month(month, player.pk, listing.id)
            people, events = of_list.players, {str(event.section): event.event for event in of_list.events}
            row = Explained(
                player,
                publication,
                published,
                of_list.published,
                of_list.brought,
                (),
                of_list.events,
                [{"event": event, "name": name, "reason": why} for event, name, why in of_list.refused],
            )
        self.context = {"players": people, "events": events}
        return self.one(serializers.ExplanationAnswer, row)


class Lookup(ApiView):
    """Many players at once."""

    parser_classes = (LimitedJSONParser,)

    @extend_schema(
        summary="Look up many players at once",
        request=serializers.LookupRequest,
        responses={200: serializers.LookupAnswer},
        operation_id="lookup",
    )
    def post(self, request: Request) -> Response:
        """Answer with the players who match each query, the likeliest first; nothing is kept."""
        asked = self.sent(serializers.LookupRequest)["players"]
        found = look_up(public_players(), [Query(**query) for query in asked])
        rows = [{"index": index, "candidates": candidates} for index, candidates in enumerate(found)]
        return Response(serializers.LookupAnswer({"results": rows}, context={"request": request}).data)
