"""The operation on statistics."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.lists.views import published_list
from api.manners.views import ApiView
from api.statistics.serializers import StatisticsAnswer
from ratings.statistics.queries import list_statistics


class ListStatistics(ApiView):
    """Statistics of a published list."""

    @extend_schema(summary="Statistics of a published list", responses=StatisticsAnswer, operation_id="statistics")
    def get(self, request: Request, code: str, period: str) -> Response:
        """Answer with distribution, age groups, regions, events by region and the first players of the page of statistics."""
        listing, publication, published = published_list(code, period)
        self.modified, self.context = publication.published_at, {"listing": listing}
        figures = list_statistics(listing, publication, published)
        return self.one(StatisticsAnswer, {"listing": listing, "publication": publication, "figures": figures})
