"""Operations on the games between players: head to head, and crosstables of many."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.manners.fields import Answer, Day, Number, Text, Whole
from api.manners.problems import PlacedError, invalid_document
from api.manners.views import ApiView, LimitedJSONParser
from events.visibility import public_players
from players.merged import players_of
from players.models import Player
from players.profile import queries as profile
from players.profile.head_to_head import Meeting, meetings, score_of
from players.profile.statistics import Record
from ratings.lists.definitions import list_definitions

MOST_IN_TABLE = 200


class MeetingAnswer(Answer):
    """A game that was played between two players."""

    event = Whole()
    event_name = Text()
    section = Whole()
    section_name = Text()
    ends = Day(help_text="The section’s last day.")
    round = Whole()
    white = serializers.SerializerMethodField(help_text="Chess SA id; where `colours_known` is false, of either.")
    black = serializers.SerializerMethodField()
    colours_known = serializers.BooleanField(source="colour_known", read_only=True)
    result = Text(source="result.value", help_text="From White’s side.")
    abroad = serializers.BooleanField(
        source="is_abroad", read_only=True, help_text="Sent in from an event abroad by one of them."
    )
    rated_on = serializers.SerializerMethodField(help_text="Codes of the lists that a published month rated it on.")

    def get_white(self, game: Meeting) -> str:
        """Return the number of the player with White."""
        return str(self.context["numbers"][game.white])

    def get_black(self, game: Meeting) -> str:
        """Return the number of the player with Black."""
        return str(self.context["numbers"][game.black])

    def get_rated_on(self, game: Meeting) -> list[str]:
        """Return the codes of the lists."""
        return [listing.code for listing in self.context["lists"] if listing.id in game.rated_on]


class ScoreAnswer(Answer):
    """What a player scored against another in the games that were played."""

    player = Text(help_text="Chess SA id.")
    opponent = Text()
    games = Whole(source="score.games")
    wins = Whole(source="score.won")
    draws = Whole(source="score.drawn")
    losses = Whole(source="score.lost")
    points = Number(source="score.points", help_text="Of the player.")


class AgainstAnswer(ScoreAnswer):
    """Two players head to head."""

    player_name = Text()
    opponent_name = Text()
    games_played = MeetingAnswer(many=True, read_only=True, help_text="The newest first.")
    not_counted = MeetingAnswer(
        many=True, read_only=True, help_text="Forfeits and other pairings without a rated game; no part of the score."
    )


class CrosstableRequest(serializers.Serializer[Any]):
    """The players of a crosstable, by their Chess SA ids."""

    players = serializers.ListField(
        child=serializers.RegexField("^[0-9]{9}$"), min_length=2, max_length=MOST_IN_TABLE, allow_empty=False
    )


class CrosstablePlayer(Answer):
    """A player of a crosstable, in the order of the request."""

    number = Text()
    name = Text()


class CrosstableAnswer(Answer):
    """All that some players have played against each other."""

    players = CrosstablePlayer(many=True, read_only=True)
    scores = serializers.SerializerMethodField(help_text="Of each two who have played; the first as in `players`.")
    games = MeetingAnswer(many=True, read_only=True, help_text="The newest first.")

    @extend_schema_field(ScoreAnswer(many=True))
    def get_scores(self, row: Any) -> Any:
        """Return the scores."""
        return ScoreAnswer(row.scores, many=True).data


@dataclass(frozen=True, slots=True)
class Against:
    """A player's score against another, by their numbers."""

    player: str
    opponent: str
    score: Record
    player_name: str
    opponent_name: str
    games_played: list[Meeting]
    not_counted: list[Meeting]


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Players with their scores and games."""

    players: list[Player]
    scores: list[Against]
    games: list[Meeting]


def _against(player: Player, opponent: Player, games: list[Meeting]) -> Against:
    return Against(
        player.number,
        opponent.number,
        score_of(player.pk, games),
        player.name,
        opponent.name,
        [game for game in games if game.is_played],
        [game for game in games if not game.is_played],
    )


class HeadToHead(ApiView):
    """Two players."""

    @extend_schema(summary="Two players head to head", responses=AgainstAnswer, operation_id="against")
    def get(self, request: Request, number: str, other: str) -> Response:
        """Answer with the games that two players have played against each other, whatever they counted for."""
        if number == other:
            raise Http404("Give two players.")
        player, opponent = profile.public_player(number), profile.public_player(other)
        numbers = {player.pk: player.number, opponent.pk: opponent.number}
        self.context = {"numbers": numbers, "lists": list_definitions()}
        return self.one(AgainstAnswer, _against(player, opponent, meetings([player.pk, opponent.pk])))


class Crosstables(ApiView):
    """Many players."""

    parser_classes = (LimitedJSONParser,)

    @extend_schema(
        summary="What many players have played against each other",
        request=CrosstableRequest,
        responses={200: CrosstableAnswer},
        operation_id="crosstables",
    )
    def post(self, request: Request) -> Response:
        """Answer with the games that any two of the players have played, and the score of each two; nothing is kept."""
        asked = self.sent(CrosstableRequest)["players"]
        known = players_of(public_players(), asked)
        wrong = [
            PlacedError(f"players[{place}]", "unknown", f"There is no player with the number {number} on the register.")
            for place, number in enumerate(asked)
            if number not in known
        ]
        if wrong:
            raise invalid_document(wrong)
        people = list(dict.fromkeys(known[number] for number in asked))
        games = [game for game in meetings([player.pk for player in people]) if game.is_played]
        of_two: defaultdict[frozenset[int], list[Meeting]] = defaultdict(list)
        for game in games:
            of_two[frozenset((game.white, game.black))].append(game)
        scores = [
            _against(player, opponent, of_two[frozenset((player.pk, opponent.pk))])
            for player, opponent in combinations(people, 2)
            if frozenset((player.pk, opponent.pk)) in of_two
        ]
        numbers = {player.pk: player.number for player in people}
        context = {"request": request, "numbers": numbers, "lists": list_definitions()}
        return Response(CrosstableAnswer(Crosstable(people, scores, games), context=context).data)
