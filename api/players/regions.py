"""Operations on regions and provinces."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.manners.fields import Answer, Day, Flag, Text
from api.manners.views import ApiView, Collection
from players.models import Province, Region


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

    @extend_schema(summary="A region", responses=RegionAnswer, operation_id="region")
    def get(self, request: Request, code: str) -> Response:
        """Answer with a region."""
        region = Region.objects.select_related("province").filter(code=code).first()
        if region is None:
            raise Http404(f"There is no region {code}.")
        return self.one(RegionAnswer, region)


class Provinces(Collection):
    """The provinces."""

    @extend_schema(summary="The provinces", responses=ProvinceWithRegionsAnswer(many=True), operation_id="provinces")
    def get(self, request: Request) -> Response:
        """Answer with the provinces by their names."""
        return self.slice(ProvinceWithRegionsAnswer, list(Province.objects.prefetch_related("regions")))
