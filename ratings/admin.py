"""The officers' pages for lists, periods and runs."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.text import Truncator
from kombu.exceptions import OperationalError

from accounts.models import User
from accounts.permissions import acting_user
from accounts.trail.admin_base import TrailAdmin
from config.lib import formatting
from config.lib.admin import ReasonForm, never
from events.models import Penalty, RatingPeriod
from events.periods import period_for
from events.rules.states import State
from ratings.adjustments.admin import AdjustmentAdmin
from ratings.duplicates.admin import MergeAdmin
from ratings.lists.admin_forms import FillForm, RatingListForm
from ratings.models import Notice, Rating, RatingList, RatingRun, System
from ratings.moving_in.admin import ImportJobAdmin
from ratings.periods import RunError, parse_month, status
from ratings.rerating.admin import AmendmentAdmin, ReratingAdmin
from ratings.runs.filling import months_to_fill
from ratings.runs.operations import request_publication, start_run
from ratings.runs.outlook import outlook
from ratings.runs.review import reviews
from ratings.tasks import fill_from, wake_worker

# The pages of the other rooms are registered by importing them.
__all__ = [
    "AdjustmentAdmin", "AmendmentAdmin", "ImportJobAdmin", "MergeAdmin", "NoticeAdmin", "RatingListAdmin", "RatingPeriodAdmin",
    "RatingRunAdmin", "ReratingAdmin",
]  # fmt: skip


@admin.register(RatingList)
class RatingListAdmin(TrailAdmin):
    """The lists. Further ones of other systems are filled by the next run; what the figures depend on is then fixed."""

    form = RatingListForm
    list_display = ("name", "code", "system", "edition", "position")
    action_form = FillForm
    actions = ("fill",)

    @admin.action(description="Fill for published months, from a month on", permissions=["change"])
    def fill(self, request: HttpRequest, rows: QuerySet[RatingList]) -> None:
        """Have a worker rate the published months for lists that were added later; the other lists stay as they are."""
        for row in rows:
            try:
                first = parse_month(request.POST.get("month", "").strip())
                count = len(months_to_fill(row, first))
                fill_from.delay(row.pk, first.isoformat(), acting_user(request).pk)
                text = f"{row} is being filled for {formatting.count(count, 'month')}; its trail says when it is done."
                self.message_user(request, text, messages.SUCCESS)
            except RunError as error:
                self.message_user(request, f"{row}: {error}", messages.ERROR)
            except OperationalError:
                text = f"{row}: the queue is down, and nothing was begun. Try again, or run “manage.py fill_list”."
                self.message_user(request, text, messages.ERROR)

    def get_readonly_fields(self, request: HttpRequest, obj: RatingList | None = None) -> tuple[str, ...]:
        """Return the fields that cannot be changed: the code, part of addresses, and what published ratings depend on."""
        if obj is None:
            return ()
        fixed = obj.system == System.CHESSA or Rating.objects.filter(list=obj).exists()
        depends = ("system", "edition", "counts_standard", "counts_rapid", "counts_blitz", "starts_from")
        return ("code", *depends) if fixed else ()

    def has_delete_permission(self, request: HttpRequest, obj: RatingList | None = None) -> bool:
        """Return whether the list may be deleted: not with ratings."""
        if obj is None:
            return False
        return obj.system != System.CHESSA and not Rating.objects.filter(list=obj).exists()


class NothingByHand(admin.ModelAdmin):
    """Rows that only operations write."""

    has_add_permission = has_delete_permission = never


def _in_submitted_events(period: RatingPeriod) -> int:
    """Return how many proposed penalties are in submitted events that would be accepted into an open month."""
    if period.closed:
        return 0
    proposed = Penalty.objects.filter(status=Penalty.Status.PROPOSED, section__event__state=State.SUBMITTED.value)
    return sum(period_for(ended) == period.month for ended in proposed.values_list("section__ends", flat=True))


@admin.register(RatingPeriod)
class RatingPeriodAdmin(NothingByHand):
    """Months; the run is started here."""

    list_display = ("__str__", "how_far", "undecided_penalties", "published_at")
    ordering = ("-month",)
    fields = ("month", "how_far", "undecided_penalties", "published_run", "published_at")
    readonly_fields = fields
    action_form = ReasonForm
    actions = ("start",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[RatingPeriod]:
        """Count the penalties that keep a month from being published (articles 51, 52)."""
        undecided = Count("sections__penalties", Q(sections__penalties__status=Penalty.Status.PROPOSED), distinct=True)
        periods: QuerySet[RatingPeriod] = super().get_queryset(request).annotate(undecided=undecided)
        return periods

    @admin.display(description="undecided penalties", empty_value="–")
    def undecided_penalties(self, period: Any) -> str:
        """Return how many proposed penalties have no decision, with the way to them; "" if all are decided."""
        waiting = _in_submitted_events(period)
        submitted = f"{waiting} in submitted events" if waiting else ""
        if not period.undecided:
            return submitted
        address = reverse("admin:events_penalty_changelist")
        query = urlencode({"status__exact": Penalty.Status.PROPOSED, "section__period__id__exact": period.pk})
        link = format_html('<a href="{}?{}">{}</a>', address, query, period.undecided)
        return format_html("{}, {}", link, submitted) if submitted else link

    @admin.display
    def published_run(self, period: RatingPeriod) -> str:
        """Return a link to the run that its lists come from; "" before the publication."""
        run = RatingRun.objects.select_related("period").filter(publication__period=period).first()
        if run is None:
            return ""
        return format_html('<a href="{}">{}</a>', reverse("admin:ratings_ratingrun_change", args=[run.pk]), run)

    @admin.display(description="state")
    def how_far(self, period: RatingPeriod) -> str:
        """Return how far the month is: the state of its run, if it has one."""
        return status(period)

    @admin.action(description="Start the calculation", permissions=["change"])
    def start(self, request: HttpRequest, periods: QuerySet[RatingPeriod]) -> None:
        """Queue the run; a worker calculates it."""
        by = request.user if isinstance(request.user, User) else None
        for period in periods.order_by("month"):
            try:
                run = start_run(period, at=timezone.now(), by=by, reason=request.POST.get("reason", ""))
                wake_worker(run)
                self.message_user(request, f"{run} is queued; its progress shows under rating runs.", messages.SUCCESS)
                if timezone.localdate() < period.calculated_on:
                    self.message_user(
                        request,
                        f"{period} has not ended: what is accepted for it from now on is not in this run. It can be published"
                        f" from {period.calculated_on:%-d %b %Y} on (article 66), after another calculation if anything came.",
                        messages.WARNING,
                    )
            except RunError as error:
                self.message_user(request, str(error), messages.ERROR)


@admin.register(RatingRun)
class RatingRunAdmin(NothingByHand):
    """Runs with their progress; a calculated one is published here."""

    list_display = ("__str__", "how_far", "sections", "games", "players", "finished", "what_failed")
    list_filter = ("state",)
    list_select_related = ("period",)
    fields = (
        "period", "how_far", "attempts", "sections", "games", "players", "edition", "input_hash",
        "by", "published_by", "reason", "queued_at", "started_at", "finished_at", "remarks", "error",
    )  # fmt: skip
    readonly_fields = fields
    actions = ("publish",)

    class Media:
        js = ("js/runs.js",)

    @admin.display(description="state", ordering="state")
    def how_far(self, run: RatingRun) -> str:
        """Return the state, with the progress while it is under way: then the page loads itself again."""
        under_way = f", {run.progress} % {run.stage}".rstrip() if run.state in RatingRun.UNDER_WAY else ""
        silent = outlook(run, at=timezone.now())
        return f"{run.get_state_display()}{under_way}{silent and f' – {silent}'}"

    @admin.display(ordering="finished_at")
    def finished(self, run: RatingRun) -> str:
        """Return the day and time."""
        return f"{timezone.localtime(run.finished_at):%-d\u00a0%b\u00a0%Y %H:%M}" if run.finished_at else ""

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """With the differences that the officer looks at before he publishes."""
        run = self.get_object(request, object_id)
        context = {**(extra_context or {}), "reviews": reviews(run) if run else []}
        return super().change_view(request, object_id, form_url, context)

    @admin.display(description="error")
    def what_failed(self, run: RatingRun) -> str:
        """Return the beginning of the error; the run's page has all of it."""
        return Truncator(run.error).chars(80)

    @admin.action(description="Publish", permissions=["change"])
    def publish(self, request: HttpRequest, runs: QuerySet[RatingRun]) -> None:
        """Make the chosen runs' lists public."""
        for run in runs.select_related("period").order_by("period__month"):
            try:
                request_publication(run, at=timezone.now(), by=acting_user(request))
                wake_worker(run)
                self.message_user(request, f"{run} is being published.", messages.SUCCESS)
            except RunError as error:
                self.message_user(request, str(error), messages.ERROR)


@admin.register(Notice)
class NoticeAdmin(TrailAdmin):
    """Lines at the head of every public page."""

    list_display = ("text", "shown")
