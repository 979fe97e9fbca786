"""The officers' pages of months and runs."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.text import Truncator

from accounts.permissions import acting_user
from accounts.trail.right_lost import right_lost
from config.lib import formatting
from config.lib.admin import ReasonForm, ShownAdmin, never, waiting_filter
from config.lib.database import as_float
from config.lib.pages import position
from config.lib.waking import say_kept
from events.models import Penalty, RatingPeriod
from events.periods import period_for
from events.rules.states import State
from players.merged import player_of
from players.search import Choice
from ratings.explanations.layout import shown_steps
from ratings.explanations.queries import explain_list_month, explain_month
from ratings.explanations.words import said
from ratings.lists.addresses import addressed_list
from ratings.lists.definitions import list_definitions
from ratings.lists.markup import rows_html
from ratings.lists.queries import list_page
from ratings.models import RatingRun
from ratings.months.checks import in_the_way
from ratings.months.queries import month_page
from ratings.months.results import differences_of, movement
from ratings.periods import RunError, publication_opens, require_typed, status, stuck_runs
from ratings.runs.inputs import read_run_input
from ratings.runs.operations import request_publication, start_run
from ratings.runs.outlook import outlook
from ratings.runs.review import reviews
from ratings.tasks import wake_worker


class NothingByHand(ShownAdmin):
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
    fields = ("month", "how_far", "undecided_penalties", "published_at")
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

    @admin.display(description="state")
    def how_far(self, period: RatingPeriod) -> str:
        """Return how far the month is: the state of its run, if it has one."""
        return status(period)

    @admin.action(description="Start the calculation", permissions=["change"])
    def start(self, request: HttpRequest, periods: QuerySet[RatingPeriod]) -> None:
        """Queue the runs; a worker calculates them."""
        for period in periods.order_by("month"):
            self._start(request, period)

    def _start(self, request: HttpRequest, period: RatingPeriod) -> None:
        try:
            run = start_run(
                period, at=timezone.now(), by=acting_user(request), reason=request.POST.get("reason", "").strip()
            )
            wake_worker(run, say_kept(request))
        except RunError as error:
            self.message_user(request, str(error), messages.ERROR)
            return
        self.message_user(request, f"{run} is queued; its progress shows on the page of the month.", messages.SUCCESS)
        if opens := publication_opens(period, today=timezone.localdate()):
            self.message_user(
                request,
                f"{period} has not ended: what is accepted for it from now on is not in this run. It can be published"
                f" from {opens} on (article 66), after another calculation if anything came.",
                messages.WARNING,
            )

    def get_urls(self) -> list[URLPattern]:
        """Add the start of the calculation."""
        start = self.admin_site.admin_view(self.calculate_view)
        return [path("<int:period>/calculate/", start, name="events_ratingperiod_calculate"), *super().get_urls()]

    def calculate_view(self, request: HttpRequest, period: int) -> HttpResponse:
        """Start the calculation, and show the month again."""
        if not self.has_change_permission(request):
            return right_lost(request, [request.POST.get("reason", "")])
        row = RatingPeriod.objects.filter(pk=period).first()
        if row is None:
            raise Http404("There is no such month.")
        if request.method == "POST":
            self._start(request, row)
        return HttpResponseRedirect(reverse("admin:events_ratingperiod_change", args=[period]))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show what is in the month and what is missing, its run, and what to do next."""
        period = self.get_object(request, object_id)
        context = dict(extra_context or {})
        if period is not None:
            context |= {
                "title": f"The month {period}",
                "subtitle": None,
                "month": month_page(period, at=timezone.now()),
                "may_calculate": self.has_change_permission(request, period),
            }
        return super().change_view(request, object_id, form_url, context)


# Runs whose lists the public does not see yet.
_PREVIEWED = (RatingRun.State.CALCULATED, RatingRun.State.PUBLISHING)


@admin.register(RatingRun)
class RatingRunAdmin(NothingByHand):
    """Runs with their progress; a calculated one is published here."""

    list_display = ("__str__", "how_far", "sections", "games", "players", "finished", "what_failed")
    list_filter = (waiting_filter(runs=("failed or not published, and not calculated again", stuck_runs)), "state")
    list_select_related = ("period",)
    fieldsets = (
        (None, {"fields": (("period", "how_far"), ("sections", "games", "players"), "remarks", "error")}),
        (
            "How it was calculated",
            {
                "classes": ["collapse"],
                "fields": (
                    "attempts", "edition", "input_hash", "by", "published_by", "reason", "queued_at", "started_at",
                    "finished_at",
                ),
            },
        ),
    )  # fmt: skip
    readonly_fields = (
        "period", "how_far", "attempts", "sections", "games", "players", "edition", "input_hash",
        "by", "published_by", "reason", "queued_at", "started_at", "finished_at", "remarks", "error",
    )  # fmt: skip

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
        context = dict(extra_context or {})
        if run is not None:
            may_publish = (
                run.state == RatingRun.State.CALCULATED
                and run.rerating_id is None
                and self.has_change_permission(request, run)
            )
            gathered = read_run_input(run.period) if may_publish else None
            if gathered is not None:
                not_yet = {
                    "opens": publication_opens(run.period, today=timezone.localdate()),
                    "is_stale": not gathered.input.is_of(run),
                    "in_the_way": in_the_way(run.period),
                }
                context |= {**not_yet, "is_ready": not any(not_yet.values())}
            context |= {
                "reviews": [(review, movement(run, review.listing)) for review in reviews(run, gathered)],
                "differences": differences_of(run),
                "month_text": str(run.period),
                "is_previewed": run.state in _PREVIEWED,
                "may_publish": may_publish,
            }
        return super().change_view(request, object_id, form_url, context)

    @admin.display(description="error")
    def what_failed(self, run: RatingRun) -> str:
        """Return the beginning of the error; the run's page has all of it."""
        return Truncator(run.error).chars(80)

    def get_urls(self) -> list[URLPattern]:
        """Add the publication, the lists in preview, and the explanation of a rating that is not published yet."""
        pages = [
            path("<int:run>/publish/", self.admin_site.admin_view(self.publish_view), name="ratings_ratingrun_publish"),
            path(
                "<int:run>/lists/<slug:code>/",
                self.admin_site.admin_view(self.preview_view),
                name="ratings_ratingrun_preview",
            ),
            path(
                "<int:run>/lists/<slug:code>/<str:number>/",
                self.admin_site.admin_view(self.explanation_view),
                name="ratings_ratingrun_explanation",
            ),
        ]
        return [*pages, *super().get_urls()]

    def publish_view(self, request: HttpRequest, run: int) -> HttpResponse:
        """Make the run's lists public, when the month was typed in."""
        if not self.has_change_permission(request):
            return right_lost(request, [request.POST.get("month", "")])
        row = self._run(request, run)
        if request.method == "POST":
            self._publish(request, row)
        return HttpResponseRedirect(reverse("admin:ratings_ratingrun_change", args=[run]))

    def _publish(self, request: HttpRequest, run: RatingRun) -> None:
        try:
            require_typed(request.POST.get("month", ""), run.period)
            request_publication(run, at=timezone.now(), by=acting_user(request))
            wake_worker(run, say_kept(request))
            self.message_user(request, f"{run} is being published.", messages.SUCCESS)
        except RunError as error:
            self.message_user(request, str(error), messages.ERROR)

    def preview_view(self, request: HttpRequest, run: int, code: str) -> HttpResponse:
        """Show a list as the public will see it."""
        row = self._previewed(request, run)
        lists = list_definitions()
        listing = addressed_list(lists, code)
        after, before = (position(request.GET.get(name)) for name in ("after", "before"))
        page = list_page(row.pk, listing, Choice(), after=after, before=before)
        context = {
            "run": row,
            "listing": listing,
            "lists": lists,
            "day_text": formatting.long_day(row.period.calculated_on),
            "page": page,
            "caption": page.caption(found=False),
            "rows": rows_html(page.rows, surname_first=False),
        }
        return render(request, "ratings/lists/preview.html", context)

    def explanation_view(self, request: HttpRequest, run: int, code: str, number: str) -> HttpResponse:
        """Show why a rating of a run that is not published yet is what it is, from what is in the month now."""
        row = self._previewed(request, run)
        listing = addressed_list(list_definitions(), code)
        player = player_of(number)
        rows = row.ratings.filter(list__code=code, player=player).values_list(as_float("published"), flat=True)
        if player is None or not rows:
            raise Http404(f"{number} has no {code} rating in this run.")
        if listing.is_national:
            explained = explain_month(row.period, player.pk, code, on_desk=True)
            published, parts = explained.published, [("", shown_steps(explained.explanation, say=said))]
        else:
            month = explain_list_month(row.period, player.pk, listing.id, on_desk=True)
            published = month.published
            parts = [(event.name, shown_steps(event.explanation, say=said)) for event in month.events]
        context = {
            "run": row,
            "listing": listing,
            "player": player,
            "rating_text": listing.rating(published),
            "agrees": published == rows[0],
            "parts": parts,
        }
        return render(request, "ratings/explanations/preview.html", context)

    def _previewed(self, request: HttpRequest, run: int) -> RatingRun:
        row = self._run(request, run)
        if row.state not in _PREVIEWED:
            raise Http404(f"{row} is {row.get_state_display()}: what is calculated and not published has a preview.")
        return row

    def _run(self, request: HttpRequest, run: int) -> RatingRun:
        if not self.has_view_permission(request):
            raise PermissionDenied
        row = RatingRun.objects.select_related("period").filter(pk=run).first()
        if row is None:
            raise Http404("There is no such run.")
        return row
