"""What the API says of the statistics of a list."""

from typing import Any

from rest_framework import serializers

from api.lists.serializers import RankedPlayerAnswer
from api.manners.fields import Answer, Day, Number, Text, Whole
from ratings.lists.distribution import BAND
from ratings.lists.region_best import BEST
from ratings.statistics.queries import FEWEST, LISTED, MONTHS, RatingBand

_HIDDEN = f"null over fewer than {FEWEST} players"


class BandAnswer(Answer):
    """The players of a stretch of ratings."""

    first = Whole(help_text="Ratings from this one on.")
    below = serializers.SerializerMethodField(help_text="Ratings below this one.")
    players = Whole()

    def get_below(self, band: RatingBand) -> int:
        """Return where the next band begins."""
        return band.first + BAND


class AverageAnswer(Answer):
    """An average rating over some players."""

    players = Whole()
    average = Number(source="rating", help_text=f"The average of the published ratings; {_HIDDEN}.")
    average_shown = serializers.SerializerMethodField()

    def get_average_shown(self, average: Any) -> str | None:
        """Return the average as the page shows it."""
        return None if average.rating is None else self.context["listing"].rating(average.rating)


class AgeGroupAnswer(Answer):
    """The players of an age group, each in the youngest that he may enter (article 16)."""

    age_group = Text(source="name", help_text="As U12 or 50+; `adults` for those between.")
    women = AverageAnswer(read_only=True)
    men = AverageAnswer(read_only=True)
    everybody = AverageAnswer(
        read_only=True,
        help_text="Its average is null, too, where it would give away that of a sex with too few players.",
    )


class RegionPlayersAnswer(Answer):
    """A region's players on a list."""

    region = Text(source="code")
    region_name = Text(source="name")
    players = Whole()
    active = Whole(help_text="Article 55; null on lists of other systems, which have no activity.")
    best_average = Number(source="ten_best", help_text=f"The average of its {BEST} best; null with fewer players.")
    best_average_shown = serializers.SerializerMethodField()

    def get_best_average_shown(self, region: Any) -> str | None:
        """Return the average as the page shows it."""
        return None if region.ten_best is None else self.context["listing"].rating(region.ten_best)


class HostAnswer(Answer):
    """The rated events that a region hosted."""

    region = Text(source="code")
    region_name = Text(source="name")
    events = Whole()
    sections = Whole()


class StatisticsAnswer(Answer):
    """The statistics of a list of a published month."""

    list = Text(source="listing.code")
    period = Text(source="publication.code")
    list_date = Day(source="publication.day")
    players = Whole(source="figures.players", help_text="Players on the list.")
    distribution = BandAnswer(source="figures.distribution", many=True, read_only=True, help_text="Without gaps.")
    ages = AgeGroupAnswer(source="figures.ages", many=True, read_only=True, help_text="The youngest first.")
    regions = RegionPlayersAnswer(source="figures.regions", many=True, read_only=True, help_text="Most players first.")
    events = HostAnswer(
        source="figures.hosts",
        many=True,
        read_only=True,
        help_text=f"Rated events of the last {MONTHS} months by region, on every list; most events first.",
    )
    improved_in_month = RankedPlayerAnswer(
        source="figures.risen_in_month",
        many=True,
        read_only=True,
        help_text="Players with games, against the month before.",
    )
    improved_in_year = RankedPlayerAnswer(
        source="figures.risen_in_year",
        many=True,
        read_only=True,
        allow_null=True,
        help_text="`change` is against the list of a year before; null where there is none.",
    )
    junior_group = Text(source="figures.junior_group", help_text="The age group of `juniors`, as U20.")
    juniors = RankedPlayerAnswer(source="figures.juniors", many=True, read_only=True, help_text=f"The {LISTED} best.")
    women = RankedPlayerAnswer(source="figures.women", many=True, read_only=True, help_text=f"The {LISTED} best.")
