"""What the API says of lists, months and the lines of a list."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.manners.fields import Answer, Day, Flag, Moment, Number, Text, Whole
from config.lib import formatting
from ratings.lists.orders import ORDERS
from ratings.lists.revisions import all_revisions

_ADDRESS = {"type": "string", "format": "uri"}


ORIGIN = (
    "calculated; opening: an opening balance; history: a list of a former bureau. Only the first can be recomputed."
)
CASE_OF_MONTH = {
    "type": "object",
    "description": "A rating case: players with their standings before, events with their games, penalties, `adjustments` where"
    " the bureau corrected what was published before (`player`, `list`, `points`), and `expected`.",
    "additionalProperties": True,
}


class ListAnswer(Answer):
    """A rating list: what it counts and which system it follows."""

    code = Text(help_text="Its word in addresses.")
    name = Text()
    system = Text(help_text="chessa, icu, uscf or cfc.")
    edition = Text(help_text="Of another system’s rules; null: the one in force on the event’s last day.")
    counts = serializers.ListField(
        source="counted_types", child=serializers.CharField(), read_only=True, help_text="The types of game it counts."
    )
    starts_from = Text(help_text="The list from which newcomers bring their rating; null: they start unrated.")
    official = Flag(source="is_national", help_text="Whether it is one of the four of the regulations (article 24).")
    decimals = Whole(help_text="How many decimals the site shows of its ratings.")
    address = serializers.SerializerMethodField()

    @extend_schema_field(_ADDRESS)
    def get_address(self, listing: Any) -> str:
        """Return the address of the list."""
        return self.absolute(f"/api/v1/lists/{listing.code}/")


class PeriodAnswer(Answer):
    """A published rating period."""

    period = Text(source="code", help_text="The month of the games, 2024-03.")
    list_date = Day(source="day", help_text="The day from which its lists count: the first of the next month.")
    state = Text(help_text="The state of the month: published.")
    published_on = Day(source="appeared", help_text="The day on which its lists appeared, in South Africa.")
    published_at = Moment(help_text="The moment, which is the Last-Modified of answers about the month.")
    sections = Whole()
    games = Whole()
    players = Whole(help_text="Players with a rating on one of the lists.")
    origin = Text(source="kind", help_text=ORIGIN)
    revision = Whole(help_text="1, and one more for each correction of the month’s lists after they were published.")
    hash = Text(help_text="SHA-256 of all that the regulations’ lists of the month were calculated from.")
    case = serializers.SerializerMethodField(help_text="Address of the month’s case, to recompute it.")

    @extend_schema_field(_ADDRESS)
    def get_case(self, publication: Any) -> str:
        """Return the address of the case."""
        return self.absolute(f"/api/v1/periods/{publication.code}/case/")


class SealAnswer(Answer):
    """A published list in the hash chain."""

    number = Whole(help_text="Its place in the chain, from 1.")
    list = Text(source="code", help_text="The code of the list when it was sealed.")
    period = serializers.SerializerMethodField(help_text="The month of the games, 2024-03.")
    revision = Whole(source="revision.number")
    rows = Whole(
        help_text="How many rows are sealed: players without a place, and of an opening balance former months, too."
    )
    rows_hash = Text(help_text="SHA-256 of the digests of all rows in ascending order, each with a line feed.")
    input_hash = serializers.CharField(
        read_only=True,
        help_text="SHA-256 of what the month was calculated from, or brought in from; empty in the seals of earlier releases.",
    )
    previous = serializers.CharField(read_only=True, help_text="The hash of the seal before; empty for the first.")
    hash = Text()
    sealed_at = Moment()

    @extend_schema_field({"type": "string"})
    def get_period(self, seal: Any) -> str:
        """Return the month of the games."""
        return f"{seal.revision.period.month:%Y-%m}"


class RevisionAnswer(Answer):
    """A revision of a month's lists: what was published, and until a later one in force."""

    number = Whole()
    published_at = Moment()
    reason = Text(help_text="Why the lists were corrected; empty for the first.")


class PeriodWithRevisionsAnswer(PeriodAnswer):
    """A published rating period with the revisions of its lists, the one in force last."""

    revisions = serializers.SerializerMethodField(
        help_text="`lists/{code}/{period}/?revision=` gives the lines of each."
    )

    @extend_schema_field(RevisionAnswer(many=True))
    def get_revisions(self, publication: Any) -> Any:
        """Return the revisions."""
        rows = all_revisions(publication)
        return RevisionAnswer(rows, many=True, context=self.context).data


class ListWithPeriodsAnswer(ListAnswer):
    """A rating list with the months in which it is published, newest first."""

    latest = serializers.SerializerMethodField(help_text="The latest published month; null before the first.")
    periods = serializers.SerializerMethodField(help_text="The published months.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the list with its months."""
        self.context["months"] = instance.months
        return super().to_representation(instance.listing)

    @extend_schema_field(PeriodAnswer(allow_null=True))
    def get_latest(self, listing: Any) -> Any:
        """Return the latest month."""
        months = self.context["months"]
        return PeriodAnswer(months[0], context=self.context).data if months else None

    def get_periods(self, listing: Any) -> list[str]:
        """Return the months."""
        return [month.code for month in self.context["months"]]


class RankedPlayerAnswer(Answer):
    """A player on a list."""

    position = Whole(help_text="Place in the order of the list; no two are alike.")
    rank = Whole(source="figures.rank", help_text="Players with equal published ratings share a rank.")
    number = Text(
        help_text="The player’s Chess SA id; null of a player who is hidden at his own wish, of whom only region, federation"
        " and figures are told."
    )
    name = Text()
    last_name = Text(source="player.last_name")
    first_name = Text(source="player.first_name")
    title = Text()
    sex = Text(source="player.sex", help_text="M or F.")
    birth_year = Whole()
    federation = Text(source="player.federation")
    fide_id = Whole(source="player.fide_id")
    club = Text(source="player.club", help_text="As the register has it today.")
    region = Text(help_text="Code of the region at the time of the list.")
    region_name = Text()
    rating = Number(source="figures.rating", help_text="The published rating, unrounded.")
    rating_shown = Text(source="rating")
    rating_rounded = serializers.SerializerMethodField(help_text="The published rating as a whole number.")
    change = Number(source="figures.change", help_text="Against the month before; null for who is new to the list.")
    change_shown = Text(source="change")
    games = Whole(help_text="Games of the month that counted on the list.")

    def get_rating_rounded(self, row: Any) -> int:
        """Return the rating as a whole number."""
        return formatting.rounded(row.figures.rating)


class ListRowAnswer(RankedPlayerAnswer):
    """A player's line on a published list."""

    active = serializers.SerializerMethodField(
        help_text="Article 55; null on lists of other systems, which have no activity."
    )

    def get_active(self, row: Any) -> bool | None:
        """Return whether the player is active, where the list has activity."""
        return bool(row.is_active) if self.context.get("has_activity") else None


class ListWords(serializers.Serializer[Any]):
    """Words of the query of a published list, beside its filters."""

    age_group = serializers.RegexField(
        r"^(U[0-9]{1,2}|[0-9]{2}\+)\Z",
        required=False,
        help_text="Who may enter the events of an age group in the year of the list (article 16), as U18 or 50+ (%2B).",
    )
    revision = serializers.IntegerField(
        min_value=1,
        max_value=9999,
        required=False,
        help_text="The list as this revision of it was published (see `periods/{period}/`); by default the one in force.",
    )
    sort = serializers.ChoiceField(
        [order.code or "rank" for order in ORDERS.values()],
        required=False,
        help_text="The order: by rank, by surname, or by change, the greatest rise first; by default by rank.",
    )


class LiveRowAnswer(RankedPlayerAnswer):
    """A player's line on a live list."""

    rank = Whole(source="figures.rank", help_text="Players with equal live ratings share a rank.")
    rating = Number(source="figures.rating", help_text="The live rating, unrounded. Not official.")
    rating_rounded = serializers.SerializerMethodField(help_text="The live rating as a whole number.")
    published = Number(
        source="figures.previous", help_text="That of the latest published list; null for who is new to it."
    )
    published_shown = Text(source="previous")
    change = Number(source="figures.change", help_text="Against the published rating; null for who is new to the list.")
    games = Whole(help_text="Games of the open month that count on the list so far.")


class LiveEventAnswer(Answer):
    """A section that the live ratings count."""

    event = Whole()
    event_name = Text(source="name")
    section_name = Text(source="section")
    region = Text(help_text="Code of the region that hosts the event.")
    ends = Day()


class LiveListAnswer(Answer):
    """A page of a live list, with what it stands on: where players stand by the events of the open month accepted so far."""

    list = Text(source="listing.code")
    official = Flag(help_text="Always false: the list of the month is published when it is over.")
    period = Text(help_text="The open month, 2024-03.")
    as_of = Moment(source="live.as_of", help_text="When it was calculated.")
    list_date = Day(source="live.day", help_text="The day from which the official list that follows will count.")
    games = Whole(source="live.games", help_text="Games of the month that are in.")
    events = LiveEventAnswer(many=True, read_only=True, help_text="What is in, the latest first.")
    submitted = Whole(help_text="Events that are submitted and not accepted yet.")
    results = LiveRowAnswer(many=True, read_only=True)
    next = Text(help_text="Address of the next page; null on the last.")
    previous = Text(help_text="Address of the page before; null on the first.")
