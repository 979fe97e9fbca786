"""The officers' pages for lists, periods and runs."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.text import Truncator

from accounts.models import User
from events.forms import ReasonForm
from ratings.forms import RatingListForm
from ratings.listings import listings
from ratings.models import Notice, Rating, RatingList, RatingPeriod, RatingRun, System
from ratings.operations import request_publication, start_run
from ratings.periods import RunError, status
from ratings.queries import changes
from ratings.tasks import wake


@admin.register(RatingList)
class RatingListAdmin(admin.ModelAdmin):
    """The lists. Further ones of other systems are filled by the next run; what the figures depend on is then fixed."""

    form = RatingListForm
    list_display = ("name", "code", "system", "edition", "position")

    def get_readonly_fields(self, request: HttpRequest, obj: RatingList | None = None) -> tuple[str, ...]:
        """The code is part of addresses; what is published was calculated with the rest."""
        if obj is None:
            return ()
        fixed = obj.system == System.CHESSA or Rating.objects.filter(list=obj).exists()
        depends = ("system", "edition", "counts_standard", "counts_rapid", "counts_blitz", "starts_from")
        return ("code", *depends) if fixed else ()

    def has_delete_permission(self, request: HttpRequest, obj: RatingList | None = None) -> bool:
        """A list with ratings stays."""
        if obj is None:
            return False
        return obj.system != System.CHESSA and not Rating.objects.filter(list=obj).exists()


class NothingByHand(admin.ModelAdmin):
    """Rows that only operations write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False


@admin.register(RatingPeriod)
class RatingPeriodAdmin(NothingByHand):
    """Months; the run is started here."""

    list_display = ("__str__", "state", "published_at")
    ordering = ("-month",)
    fields = ("month", "state", "published_run", "published_at")
    readonly_fields = fields
    action_form = ReasonForm
    actions = ("start",)

    @admin.display
    def state(self, period: RatingPeriod) -> str:
        """How far the month is."""
        return status(period)

    @admin.action(description="Start the calculation", permissions=["change"])
    def start(self, request: HttpRequest, periods: QuerySet[RatingPeriod]) -> None:
        """Queue the run; a worker calculates it."""
        by = request.user if isinstance(request.user, User) else None
        for period in periods.order_by("month"):
            try:
                run = start_run(period, at=timezone.now(), by=by, reason=request.POST.get("reason", ""))
                wake(run)
                self.message_user(request, f"{run} is queued; its progress shows under rating runs.", messages.SUCCESS)
            except RunError as error:
                self.message_user(request, str(error), messages.ERROR)


@admin.register(RatingRun)
class RatingRunAdmin(NothingByHand):
    """Runs with their progress; a calculated one is published here."""

    list_display = (
        "__str__",
        "state",
        "per_cent",
        "stage",
        "sections",
        "games",
        "players",
        "finished_at",
        "what_failed",
    )
    list_filter = ("state",)
    list_select_related = ("period", "by")
    fields = (
        "period", "state", "stage", "progress", "attempts", "sections", "games", "players", "edition", "input_hash",
        "by", "reason", "queued_at", "started_at", "finished_at", "remarks", "error",
    )  # fmt: skip
    readonly_fields = fields
    actions = ("publish",)

    class Media:
        js = ("js/runs.js",)

    @admin.display(description="progress")
    def per_cent(self, run: RatingRun) -> str:
        """The progress; the page loads itself again while a run is under way."""
        return f"{run.progress} %"

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """With the differences that the officer looks at before he publishes."""
        run = self.get_object(request, object_id)
        context = {**(extra_context or {}), "differences": _differences(run) if run else []}
        return super().change_view(request, object_id, form_url, context)

    @admin.display(description="error")
    def what_failed(self, run: RatingRun) -> str:
        """The beginning of the error; the run's page has all of it."""
        return Truncator(run.error).chars(60)

    @admin.action(description="Publish", permissions=["change"])
    def publish(self, request: HttpRequest, runs: QuerySet[RatingRun]) -> None:
        """Make the chosen runs' lists public."""
        for run in runs.select_related("period").order_by("period__month"):
            try:
                request_publication(run, at=timezone.now())
                wake(run)
                self.message_user(request, f"{run} is being published.", messages.SUCCESS)
            except RunError as error:
                self.message_user(request, str(error), messages.ERROR)


def _differences(run: RatingRun) -> list[dict[str, object]]:
    """What a run that is calculated changes on each list: the ten greatest rises and falls, the new, those raised by Wp."""
    if run.state not in (RatingRun.State.CALCULATED, *RatingRun.CLOSING):
        return []
    raised = Rating.objects.filter(run=run, weighted_performance__isnull=False, position__isnull=False)
    counts = dict(raised.order_by().values_list("list_id").annotate(count=Count("player_id")))
    return [
        {"listing": listing, "changes": changes(run.pk, listing, size=10), "raised": counts.get(listing.id, 0)}
        for listing in listings()
    ]


@admin.register(Notice)
class NoticeAdmin(admin.ModelAdmin):
    """Lines at the head of every public page."""

    list_display = ("text", "shown")
