"""Operations on published lists and months."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404
from django.http.response import HttpResponse, HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.lists import serializers
from api.lists.filters import ListFilters, LiveFilters
from api.manners.pagination import MOST, page_body
from api.manners.problems import PlacedError, invalid_query
from api.manners.views import ApiView, Collection, Whole
from events.rules.age_groups import age_groups
from players.search import Choice
from ratings.downloads.queries import case_document
from ratings.lists import queries
from ratings.lists.activity import activity_on, activity_window, is_active
from ratings.lists.addresses import addressed_list, addressed_month
from ratings.lists.age_groups import in_age_group
from ratings.lists.definitions import ListDefinition, list_definitions
from ratings.lists.orders import BY_RANK, ORDERS
from ratings.lists.revisions import at_number
from ratings.live import queries as live_queries
from ratings.models import LiveRating, Rating
from ratings.seals.queries import seals


def published_list(
    code: str, period: str = ""
) -> tuple[ListDefinition, queries.Publication, list[queries.Publication]]:
    """Return a list, a published month, by default the latest, and all of them. Raises Http404. Two queries."""
    listing = definition(code)
    published = queries.publications()
    return listing, addressed_month(published, period), published


def definition(code: str) -> ListDefinition:
    """Return a list. Raises Http404. One query."""
    return addressed_list(list_definitions(), code)


@dataclass(frozen=True, slots=True)
class ListMonths:
    """A list with the published months in which it has players, newest first."""

    listing: ListDefinition
    months: list[queries.Publication]


class Lists(Collection):
    """The rating lists."""

    @extend_schema(summary="The rating lists", responses=serializers.ListAnswer(many=True), operation_id="lists")
    def get(self, request: Request) -> Response:
        """Answer with the lists in their order: the four of the regulations, then those of other systems."""
        return self.slice(serializers.ListAnswer, list_definitions())


class List(ApiView):
    """One rating list."""

    @extend_schema(summary="A rating list", responses=serializers.ListWithPeriodsAnswer, operation_id="list")
    def get(self, request: Request, code: str) -> Response:
        """Answer with a list and the months in which it has players, newest first."""
        listing, published = definition(code), queries.publications()
        filled = queries.filled_runs(listing.id)
        months = [month for month in published if month.run in filled]
        return self.one(serializers.ListWithPeriodsAnswer, ListMonths(listing, months))


class ListOfPeriod(Whole):
    """The lines of a published list."""

    filterset_class = ListFilters
    words_serializer = serializers.ListWords
    queryset = Rating.objects.none()

    @extend_schema(
        summary="A published list",
        responses=serializers.ListRowAnswer(many=True),
        operation_id="list_of_period",
        parameters=[serializers.ListWords],
    )
    def get(self, request: Request, code: str, period: str) -> HttpResponseBase:
        """Answer with the places of a list, best first or as `sort` says; as NDJSON or CSV (`Accept`) with all of them."""
        listing, publication, published = published_list(code, period)
        asked = self.asked()
        publication, _ = at_number(publication, asked.get("revision"))
        self.modified = publication.published_at
        window = activity_window(publication, published) if listing.is_national else None
        self.context = {"has_activity": window is not None}
        group = _in_age_group(asked["age_group"], year=publication.day.year) if "age_group" in asked else Q()

        def narrow(rows: QuerySet[Rating]) -> QuerySet[Rating]:
            if window:
                rows = rows.alias(active=is_active(listing.id, window))
            return self.filtered(rows).filter(group)

        given: dict[str, Any] = {
            "order": ORDERS.get(asked.get("sort", ""), BY_RANK),
            "activity": activity_on(listing.id, window) if window else None,
            "narrow": narrow if self.is_narrowed() or group else None,
        }

        def pages() -> Iterator[Sequence[queries.ListRow]]:
            after: int | None = 0
            while after is not None:
                page = queries.list_page(publication.run, listing, Choice(), after=after, size=MOST, **given)
                yield page.rows
                after = page.after

        if self.is_whole:
            return self.whole(serializers.ListRowAnswer, pages())
        page = queries.list_page(
            publication.run,
            listing,
            Choice(),
            after=self.key("after"),
            before=self.key("before"),
            size=self.limit(),
            **given,
        )
        return self.page(serializers.ListRowAnswer, page.rows, before=page.before, after=page.after)


def _in_age_group(group: str, *, year: int) -> Q:
    """Return the condition for who may enter the events of an age group in a year. Raises Problem."""
    groups = age_groups(year=year)
    if group not in groups:
        known = f"age_group: known are {', '.join(groups)}; write + as %2B."
        raise invalid_query([PlacedError("query.age_group", "invalid", known)])
    return in_age_group(group, year=year)


class LiveList(Collection):
    """A live list."""

    filterset_class = LiveFilters
    queryset = LiveRating.objects.none()
    has_fields = False

    @extend_schema(
        summary="A live list, not official", responses={200: serializers.LiveListAnswer}, operation_id="live_list"
    )
    def get(self, request: Request, code: str) -> Response:
        """Answer with today's standing of the open month on a list, by the events accepted so far. It is not official."""
        listing, live = definition(code), live_queries.live()
        if live is None:
            raise Http404(
                "The live list is not calculated yet: it appears within a minute of the first accepted event."
            )
        page = live_queries.live_page(
            listing,
            Choice(),
            after=self.key("after"),
            before=self.key("before"),
            size=self.limit(),
            narrow=self.filtered if self.is_narrowed() else None,
        )
        row = {
            "listing": listing,
            "official": False,
            "period": f"{live.month:%Y-%m}",
            "live": live,
            "events": live_queries.live_events(live.sections),
            "submitted": live_queries.submitted_events(),
            **page_body(request, page.rows, before=page.before, after=page.after),
        }
        return self.one(serializers.LiveListAnswer, row)


class Periods(Collection):
    """The published months."""

    @extend_schema(
        summary="The published months", responses=serializers.PeriodAnswer(many=True), operation_id="periods"
    )
    def get(self, request: Request) -> Response:
        """Answer with the published rating periods, newest first."""
        published = queries.publications()
        self.modified = max((month.published_at for month in published if month.published_at), default=None)
        return self.slice(serializers.PeriodAnswer, published)


class Period(ApiView):
    """A published month."""

    @extend_schema(summary="A published month", responses=serializers.PeriodWithRevisionsAnswer, operation_id="period")
    def get(self, request: Request, period: str) -> Response:
        """Answer with a published rating period."""
        publication = _published(period)
        self.modified = publication.published_at
        return self.one(serializers.PeriodWithRevisionsAnswer, publication)


def _published(period: str) -> queries.Publication:
    """Return a published month. Raises Http404."""
    publication = next((month for month in queries.publications() if month.code == period), None)
    if publication is None:
        raise Http404(f"No list of the rating period {period} is published.")
    return publication


class Seals(Collection):
    """The hash chain of the published lists."""

    @extend_schema(
        summary="The seals of the published lists", responses=serializers.SealAnswer(many=True), operation_id="seals"
    )
    def get(self, request: Request) -> Response:
        """Answer with the hash chain, newest first: keep the first hash, and no list of before can be changed unseen.

        The hash is the SHA-256 of `previous`, `number`, `list`, `period`, `revision`, `rows`, `rows_hash` and, where it is not
        empty, `input_hash`, each with a line feed; the downloads of the month hold the rows.
        """
        chain = list(seals())
        self.modified = chain[0].sealed_at if chain else None
        return self.slice(serializers.SealAnswer, chain)


class Case(ApiView):
    """The case of a published month."""

    has_fields = False

    @extend_schema(
        summary="A month to recompute", responses={200: serializers.CASE_OF_MONTH}, operation_id="period_case"
    )
    def get(self, request: Request, period: str) -> HttpResponse:
        """Answer with all that a month's calculation took and gave, as the downloads have it.

        `POST /api/v1/calculators/chessa/` and `manage.py rate` calculate it again.
        """
        publication = _published(period)
        if not publication.is_calculated:
            raise Http404(
                f"The list of the rating period {period} was brought in: there are no games to recompute it from."
            )
        document = case_document(publication.run)
        if document is None:
            raise Http404(f"The case of the rating period {period} is still being made, or was never: see /downloads/.")
        self.modified = publication.published_at
        return HttpResponse(document, content_type="application/json")
