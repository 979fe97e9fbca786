"""What the API says of players."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.lists.serializers import ORIGIN
from api.manners.fields import Answer, Day, Flag, Moment, Number, Text, TypedText, Whole
from config.lib import formatting
from ratings.explanations.game_figures import GameFigures
from ratings.explanations.layout import cell_text, figure_text
from ratings.systems.base import Cell, CellKind

MOST_LOOKED_UP = 500
_ADDRESS = {"type": "string", "format": "uri"}


class RegionOfPlayer(Answer):
    """A region."""

    code = Text()
    name = Text()


class PersonAnswer(Answer):
    """A player on the register."""

    number = Text(help_text="Chess SA id, nine digits.")
    name = Text()
    last_name = Text()
    first_name = Text()
    title = Text(source="title_id")
    sex = Text(help_text="M or F.")
    birth_year = Whole()
    died_in = Whole(help_text="The year of death; null for the living.")
    federation = Text()
    fide_id = Whole()
    club = Text()
    region = RegionOfPlayer(allow_null=True, read_only=True)
    address = serializers.SerializerMethodField()

    @extend_schema_field(_ADDRESS)
    def get_address(self, player: Any) -> str:
        """Return the address of the player."""
        return self.absolute(f"/api/v1/players/{player.number}/")


class LatestRating(Answer):
    """A published rating on the latest lists."""

    list = Text()
    rating = Number()
    rating_shown = Text()
    rating_rounded = Whole()


class FoundPlayerAnswer(PersonAnswer):
    """A player with his ratings on the latest of the federation’s own lists."""

    ratings = serializers.SerializerMethodField()

    @extend_schema_field(LatestRating(many=True))
    def get_ratings(self, player: Any) -> list[dict[str, Any]]:
        """Return the ratings on the latest lists."""
        known = self.context["ratings"]
        return [
            {
                "list": listing.code,
                "rating": known[player.pk, listing.id],
                "rating_shown": listing.rating(known[player.pk, listing.id]),
                "rating_rounded": formatting.rounded(known[player.pk, listing.id]),
            }
            for listing in self.context["lists"]
            if (player.pk, listing.id) in known
        ]


class StandingAnswer(Answer):
    """A player’s standing on a list at the end of a published month."""

    list = Text(source="listing.code")
    list_name = Text(source="listing.name")
    official = Flag(source="listing.is_national")
    period = Text(source="standing.publication.code")
    list_date = Day(source="standing.publication.day")
    rating = Number(source="standing.published", help_text="The published rating.")
    rating_shown = serializers.SerializerMethodField()
    rating_rounded = serializers.SerializerMethodField()
    change = Number(source="standing.moved", help_text="Against the list before; null on the first.")
    change_shown = serializers.SerializerMethodField()
    raw = Number(
        source="standing.raw", help_text="The raw rating (article 50); of another system its rating unrounded."
    )
    weighted = Number(source="standing.weighted", help_text="The weighted average of the raw ratings (article 49).")
    weighted_performance = Number(source="standing.weighted_performance")
    highest = Number(source="standing.highest", help_text="The highest rating, on which K depends (article 31).")
    k = Number(source="standing.k")
    games = Whole(source="standing.games", help_text="Games of the month that counted on the list.")
    rank = Whole(source="standing.rank")
    position = Whole(source="standing.position")

    def get_rating_shown(self, row: Any) -> str:
        """Return the rating as pages show it."""
        return str(row.listing.rating(row.standing.published))

    def get_rating_rounded(self, row: Any) -> int | None:
        """Return the rating as a whole number."""
        return None if row.standing.published is None else formatting.rounded(row.standing.published)

    def get_change_shown(self, row: Any) -> str:
        """Return the change as pages show it."""
        return "new" if row.standing.moved is None else str(row.listing.change(row.standing.moved))


class HistoryAnswer(StandingAnswer):
    """A standing with the games that count towards activity in its month."""

    activity_games = Whole(help_text="Games of the month that count towards activity (article 55).")


class CurrentRatingAnswer(StandingAnswer):
    """The latest standing on a list."""

    activity_games = Whole(
        help_text="Games of the last months that count towards activity; null on other systems’ lists."
    )
    active = serializers.SerializerMethodField(help_text="Article 55; null on lists of other systems.")

    def get_active(self, row: Any) -> bool | None:
        """Return whether the player is active on the list."""
        return None if row.activity_games is None else row.activity_games > 0


class LiveRatingAnswer(Answer):
    """A player's live rating on a list, which is not official."""

    list = Text(source="listing.code")
    rating = Number(help_text="The live rating, unrounded.")
    rating_shown = serializers.SerializerMethodField()
    published = Number(source="previous", help_text="That of the latest published list; null for who is new to it.")
    change = Number(help_text="Against the published rating.")
    games = Whole(help_text="Games of the open month that count on the list so far.")

    def get_rating_shown(self, standing: Any) -> str:
        """Return the live rating as pages show it."""
        return str(standing.listing.rating(standing.rating))


class PlayerLiveAnswer(Answer):
    """Where a player stands by the events of the open month accepted so far."""

    official = Flag(help_text="Always false.")
    period = Text(help_text="The open month, 2024-03.")
    as_of = Moment()
    ratings = LiveRatingAnswer(many=True, read_only=True)


class FideRatingAnswer(Answer):
    """A rating on FIDE's list."""

    kind = Text(source="label", help_text="standard, rapid or blitz.")
    rating = Whole()
    k = Whole(help_text="Null where the list does not say it.")
    games = Whole(help_text="Games of the month before the list.")
    inactive = Flag(allow_null=True, help_text="Null where the list does not say it of the kind.")
    list_date = Day(source="month", help_text="The first day of the list's month.")


class PlayerAnswer(PersonAnswer):
    """A player with his ratings on all lists side by side."""

    ratings = serializers.SerializerMethodField()
    fide = serializers.SerializerMethodField(help_text="Ratings on FIDE’s list, which no national rating follows from.")
    live = serializers.SerializerMethodField(help_text="Live ratings, not official; null for who has none.")

    @extend_schema_field(CurrentRatingAnswer(many=True))
    def get_ratings(self, player: Any) -> Any:
        """Return the latest standings."""
        return CurrentRatingAnswer(self.context["ratings"], many=True).data

    @extend_schema_field(FideRatingAnswer(many=True))
    def get_fide(self, player: Any) -> Any:
        """Return FIDE's ratings."""
        return FideRatingAnswer(self.context["fide"], many=True).data

    @extend_schema_field(PlayerLiveAnswer(allow_null=True))
    def get_live(self, player: Any) -> Any:
        """Return the live ratings."""
        live, ratings = self.context["live"]
        if live is None or not ratings:
            return None
        row = {"official": False, "period": f"{live.month:%Y-%m}", "as_of": live.as_of, "ratings": ratings}
        return PlayerLiveAnswer(row).data


class OpponentAnswer(Answer):
    """An opponent; without a number if he is not on the register."""

    number = Text()
    name = Text()


class OfASection(Answer):
    """The section and its event, of an answer about what was played in it."""

    event = Whole(source="event.event")
    event_name = Text(source="event.name")
    section = Whole(source="event.section_id")
    section_name = Text(source="event.section")
    starts = Day(source="event.starts")
    ends = Day(source="event.ends")
    type_of_game = Text(source="event.type")


class GameEarnedAnswer(Answer):
    """What a game earned on a list, as the month's calculation has it."""

    list = Text(source="listing.code")
    opponent_rating = Number(
        source="rating",
        help_text="On this list at the start of the month; abroad the FIDE rating or performance as article 45 adjusts it.",
    )
    opponent_rated = Flag(
        source="is_rated", help_text="Whether he had a rating, and not the one at which the unrated start."
    )
    expected = Number(help_text="The expected score, from 0 to 1.")
    change = Number()
    change_shown = serializers.SerializerMethodField()

    def get_change_shown(self, figures: GameFigures) -> str:
        """Return the change as the player's page shows it."""
        return figures.listing.change(figures.change)


class GameAnswer(OfASection):
    """A game, or a round without one, from the player’s side."""

    period = Text(help_text="The month in which it was rated; null before that.")
    round = Whole(source="game.number")
    colour = serializers.SerializerMethodField(help_text="white or black; null where it is not known.")
    opponent = serializers.SerializerMethodField(help_text="Null for a bye.")
    opponent_rating = Number(
        source="game.rating",
        help_text="His raw Main rating at the start of the month; of a guest abroad his FIDE rating or performance.",
    )
    opponent_rating_shown = serializers.SerializerMethodField()
    result = serializers.SerializerMethodField(help_text="As it was recorded, from White’s side.")
    points = Number(source="game.points", help_text="The player’s points.")
    played = serializers.SerializerMethodField(help_text="Whether it was played, and so is rated.")
    remark = Text(source="game.remark")
    earned = GameEarnedAnswer(
        source="game.earned",
        many=True,
        read_only=True,
        help_text="On Main and the list of its type, once the month is published.",
    )

    def get_colour(self, row: Any) -> str | None:
        """Return the player's colour."""
        return row.game.colour.lower() or None

    @extend_schema_field(OpponentAnswer(allow_null=True))
    def get_opponent(self, row: Any) -> dict[str, str | None] | None:
        """Return the opponent."""
        if not row.game.opponent:
            return None
        return {"number": row.game.opponent_number or None, "name": row.game.opponent}

    def get_opponent_rating_shown(self, row: Any) -> str | None:
        """Return the opponent's rating as the player's page shows it."""
        return row.game.figures[0] or None

    def get_result(self, row: Any) -> str:
        """Return the result."""
        return str(row.game.result.value)

    def get_played(self, row: Any) -> bool:
        """Return whether it was played."""
        return bool(row.game.counts_as == "game")


class EarnedAnswer(Answer):
    """What the games of a section earned on a list."""

    list = Text()
    change = Number(help_text="Null for who is new to the list.")
    change_shown = Text()


class PlayedSectionAnswer(OfASection):
    """A section that the player played in."""

    time_control = Text(source="event.time_control")
    period = Text(help_text="The month in which it was rated; null before that.")
    points = Number(source="event.points")
    rounds = serializers.SerializerMethodField()
    score_shown = Text(source="event.score")
    performance = Number(source="event.performance_rating")
    performance_shown = Text(source="event.performance")
    changes = serializers.SerializerMethodField()

    def get_rounds(self, row: Any) -> int:
        """Return how many rounds there are of the player."""
        return len(row.event.games)

    @extend_schema_field(EarnedAnswer(many=True))
    def get_changes(self, row: Any) -> list[dict[str, Any]]:
        """Return the change on each list."""
        return [
            {
                "list": listing.code,
                "change": change,
                "change_shown": "new" if change is None else listing.change(change),
            }
            for listing, change in row.event.earned
        ]


class CellAnswer(Answer):
    """A figure or words of a step."""

    label = Text()
    kind = Text(
        help_text="What it is: rating, change, score, figure, round, day, text, player, outside, event, penalty, adjustment."
    )
    value = serializers.SerializerMethodField(help_text="The number, unrounded, or the words; null for none.")
    shown = serializers.SerializerMethodField()
    player = serializers.SerializerMethodField(help_text="The number of the player that it is about.")
    event = serializers.SerializerMethodField(help_text="The event that it is about.")

    @extend_schema_field({"type": ["number", "string", "null"]})
    def get_value(self, cell: Cell) -> float | str | None:
        """Return the value."""
        return cell_text(cell.value, full=True) if isinstance(cell.value, tuple) else cell.value

    def get_shown(self, cell: Cell) -> str:
        """Return the value as pages show it."""
        return figure_text(cell)

    def get_player(self, cell: Cell) -> str | None:
        """Return the player's number."""
        return self.context["players"].get(cell.ref) if cell.kind in (CellKind.PLAYER, CellKind.RATING) else None

    def get_event(self, cell: Cell) -> int | None:
        """Return the event."""
        return self.context["events"].get(cell.ref) if cell.kind in (CellKind.EVENT, CellKind.PENALTY) else None


class StepAnswer(Answer):
    """One step of an explanation."""

    id = Text()
    label = Text()
    formula = Text()
    rows = serializers.SerializerMethodField(help_text="The figures put in: a row for each game, tournament or term.")
    result = CellAnswer(many=True, read_only=True, help_text="What comes out.")
    source = Text(help_text="The article or document.")
    remark = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=CellAnswer(many=True)))
    def get_rows(self, step: Any) -> Any:
        """Return the rows."""
        return [CellAnswer(row, many=True, context=self.context).data for row in step.rows]

    def get_remark(self, step: Any) -> str | None:
        """Return what a reader must know."""
        return cell_text(step.remark, full=True) or None


class ExplainedEventAnswer(Answer):
    """An event of the month on a list of another system, which rates one after the other."""

    event = Whole()
    section = Whole()
    name = Text()
    ended = Day()
    before = Number(help_text="The rating before it; null: unrated.")
    after = Number()
    steps = StepAnswer(source="explanation.steps", many=True, read_only=True)


class NotRatedAnswer(Answer):
    """A section that was not rated on another system’s list, and why."""

    event = Whole()
    name = Text()
    reason = Text()


class ExplanationAnswer(Answer):
    """Why a player’s published rating is what it is: the steps of the calculation with its figures and articles.

    On a list of Chess SA the month is one calculation (`steps`); on a list of another system each event is (`events`). A month
    that was brought in (`origin`) has neither.
    """

    number = Text(source="player.number")
    name = Text(source="player.name")
    list = Text(source="published.listing.code")
    period = Text(source="publication.code")
    list_date = Day(source="publication.day")
    rating = Number(source="published.rating")
    rating_shown = Text(source="published.rating_text")
    change = serializers.SerializerMethodField()
    change_shown = Text(source="published.change_text")
    games = Whole(source="published.games")
    origin = Text(source="publication.kind", help_text=ORIGIN)
    explained = Number(help_text="The rating to which the steps lead.")
    brought = Number(help_text="The rating that a player who is new to another system’s list brought from Chess SA’s.")
    steps = StepAnswer(many=True, read_only=True)
    refused = NotRatedAnswer(many=True, read_only=True)
    events = ExplainedEventAnswer(many=True, read_only=True)

    def get_change(self, row: Any) -> float | None:
        """Return the change against the list before."""
        return None if row.published.previous is None else row.published.rating - row.published.previous


class HistoryWords(serializers.Serializer[Any]):
    """Words that narrow a history."""

    list = serializers.SlugField(max_length=20, required=False, help_text="Code of a list.")


class GameWords(HistoryWords):
    """Words that narrow a player's games."""

    colour = serializers.ChoiceField(["white", "black"], required=False)
    opponent = serializers.RegexField("^[0-9]{9}$", required=False, help_text="Number of an opponent.")

    def get_fields(self) -> dict[str, Any]:
        """Return the words, with those of the days, of which one is a word of Python's."""
        days = {
            "from": serializers.DateField(required=False, help_text="Sections that ended on this day or later."),
            "to": serializers.DateField(required=False, help_text="Sections that ended on this day or earlier."),
        }
        return {**super().get_fields(), **days}


class LookupQuery(serializers.Serializer[Any]):
    """Whom a program looks for: a number, a FIDE id, or a name, best with the year of birth."""

    number = serializers.RegexField("^[0-9]{9}$", required=False, help_text="Chess SA id.")
    fide_id = serializers.IntegerField(min_value=1, max_value=99_999_999_999, required=False)
    name = TypedText(max_length=120, required=False, help_text="In any order; “Surname, First name” is the surest.")
    birth_year = serializers.IntegerField(min_value=1000, max_value=9999, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a query without number, FIDE id and name."""
        if not {"number", "fide_id", "name"} & attrs.keys():
            raise serializers.ValidationError("Give a number, a fide_id or a name.", code="required")
        return attrs


class LookupRequest(serializers.Serializer[Any]):
    """Up to 500 players to look up at once."""

    players = LookupQuery(many=True, allow_empty=False, min_length=1, max_length=MOST_LOOKED_UP)


class CandidateAnswer(Answer):
    """A player who may be the one looked for."""

    player = PersonAnswer(read_only=True)
    certain = serializers.SerializerMethodField(help_text="Whether nothing speaks against it and an id agrees.")
    score = Number(source="likelihood.score", help_text="From 0 to 1; a weighted sum of evidence, not a probability.")
    reason = Text(source="likelihood.reason", help_text="What agrees and what does not.")

    def get_certain(self, candidate: Any) -> bool:
        """Return whether the match is certain."""
        return str(candidate.likelihood.strength.value) == "certain"


class LookupResult(Answer):
    """The candidates for one query, the likeliest first."""

    index = Whole(help_text="Which query it answers, from 0.")
    candidates = CandidateAnswer(many=True, read_only=True)


class LookupAnswer(Answer):
    """The answers to a look-up, in the order of the queries."""

    results = LookupResult(many=True, read_only=True)
