"""Operations on regions and provinces."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.manners.fields import Answer, Day, Flag, Number, Text, Whole
from api.manners.views import ApiView, Collection
from events.public.regions import Best, RegionFigures, regions_page
from players.models import Province, Region
from ratings.lists.queries import Publication


class ProvinceAnswer(Answer):
    """One of the nine provinces (article 4.3)."""

    code = Text()
    name = Text()


class RegionAnswer(Answer):
    """A region within a province, a provincial body, or a body that hosts national events (article 4.4)."""

    code = Text()
    name = Text()
    province = ProvinceAnswer(allow_null=True, read_only=True)
    provincial = Flag(help_text="Whether it is a provincial body.")
    rules_address = Text(source="rules_url", help_text="Where rules of its own are published (article 59).")
    rules_approved = Day(help_text="The day on which the council of the region approved them.")


class BestPlayerAnswer(Answer):
    """A player among the ten best of a region on a list."""

    place = Whole()
    number = Text()
    name = Text()
    title = Text()
    rating = Number(source="figure", help_text="The published rating, unrounded.")
    rating_shown = Text(source="rating")


class BestAnswer(Answer):
    """The best of a region on a list."""

    list = Text(source="listing.code")
    average = Number(source="mean", help_text="Of the ten best, or of all if there are fewer; null without any.")
    average_shown = Text(source="average")
    players = BestPlayerAnswer(source="rows", many=True, read_only=True)


class RegionWithFiguresAnswer(RegionAnswer):
    """A region with its players and, on each of the regulations’ lists of the latest month, its ten best."""

    players = Whole(source="figures.players", help_text="Players on the register.")
    active = Whole(source="figures.active", help_text="Of them on Main (article 55); null before the first list.")
    list_date = Day(source="latest.day", default=None, help_text="Of the lists; null before the first.")
    best = BestAnswer(source="best_of_lists", many=True, read_only=True)


class ProvinceWithRegionsAnswer(ProvinceAnswer):
    """A province with the codes of its regions."""

    regions = serializers.SerializerMethodField()

    def get_regions(self, province: Any) -> list[str]:
        """Return the codes of the regions."""
        return [region.code for region in province.regions.all()]


class Regions(Collection):
    """The regions."""

    @extend_schema(summary="The regions", responses=RegionAnswer(many=True), operation_id="regions")
    def get(self, request: Request) -> Response:
        """Answer with the regions by their codes."""
        return self.slice(RegionAnswer, list(Region.objects.select_related("province")))


class OneRegion(ApiView):
    """A region."""

    @extend_schema(summary="A region", responses=RegionWithFiguresAnswer, operation_id="region")
    def get(self, request: Request, code: str) -> Response:
        """Answer with a region, the number of its players and its ten best on each list."""
        page = regions_page(code)
        if not page.rows:
            raise Http404(f"There is no region {code}.")
        figures = page.rows[0]
        return self.one(
            RegionWithFiguresAnswer, ShownRegion(figures.region, figures, page.latest, list(figures.best.values()))
        )


@dataclass(frozen=True)
class ShownRegion:
    """A region with its figures on the lists of the latest month; what `region` knows is read from there."""

    region: Region
    figures: RegionFigures
    latest: Publication | None
    best_of_lists: list[Best]

    def __getattr__(self, name: str) -> Any:
        """Return a column of the region."""
        return getattr(self.region, name)


class Provinces(Collection):
    """The provinces."""

    @extend_schema(summary="The provinces", responses=ProvinceWithRegionsAnswer(many=True), operation_id="provinces")
    def get(self, request: Request) -> Response:
        """Answer with the provinces by their names."""
        return self.slice(ProvinceWithRegionsAnswer, list(Province.objects.prefetch_related("regions")))
