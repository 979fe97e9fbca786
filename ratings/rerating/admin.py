"""The desk of corrections: what is right of published sections, and the months that are calculated again for it."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import Truncator

from accounts.models import User
from accounts.permissions import acting_user
from config.lib import formatting
from config.lib.admin import ReasonForm, ShownAdmin, never, state_filter, waiting_filter
from config.lib.parsing import parse_pk
from config.lib.shown import digest
from config.lib.shown_rows import first_of
from config.lib.waking import say_kept
from events.amending.differences import differences
from events.archive import store_file
from events.models import Section
from events.operations import EventError
from ratings.models import Adjustment, AmendingFile, Amendment, Rerating
from ratings.periods import RunError, require_typed
from ratings.rerating.adjustments import final_month, let_stand, withdraw_adjustments
from ratings.rerating.amendments import amend, amended_content, drop, why_not_amended
from ratings.rerating.forms import FORMS, AmendForm, FileForm
from ratings.rerating.new_files import give_up_file, is_small, keep_file
from ratings.rerating.operations import (
    calculate_again,
    request_publication,
    start_rerating,
    take_back,
    why_outdated,
    withdraw,
)
from ratings.rerating.queries import not_rerated
from ratings.rerating.review import MOST, Chosen, changed_players, from_now_on
from ratings.rerating.tasks import wake_reader, wake_rerating


@admin.register(Amendment)
class AmendmentAdmin(ShownAdmin):
    """What is right of published sections. They are amended from the section's page, and calculated here."""

    list_display = ("__str__", "what", "reason", "how_far", "by", "at")
    list_filter = (
        state_filter(
            "state",
            "state",
            waits=("waits to be calculated", Q(rerating=None)),
            rerated=("in a re-rating that is not published", Amendment.OPEN & Q(rerating__isnull=False)),
            applied=("in force", Q(applied_at__isnull=False)),
            stands=("let stand, corrected from now on", Q(let_stand_at__isnull=False)),
        ),
    )
    list_select_related = ("section__event", "rerating__first", "by")
    search_fields = ("section__name", "section__event__name", "reason")
    fields = ("section_page", "reason", "reports", "how_far", "by", "at")
    readonly_fields = fields
    action_form = ReasonForm
    actions = ("calculate", "give_up")
    has_add_permission = has_delete_permission = never

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the table of roles gives the right to re-rate."""
        return acting_user(request).has_perm("ratings.change_rerating")

    @admin.display(description="amended")
    def what(self, row: Amendment) -> str:
        """Return the first differences."""
        found = differences(row.before, row.after)
        text = "; ".join(f"{one.what}: {one.before or '–'} → {one.after or '–'}" for one in found[:3])
        return Truncator(f"{text}; and {len(found) - 3} more" if len(found) > 3 else text).chars(300)

    @admin.display(description="state")
    def how_far(self, row: Amendment) -> str:
        """Return whether it waits, is part of a re-rating, or is in force."""
        if row.rerating is None:
            return "waits to be calculated"
        address = reverse("admin:ratings_rerating_change", args=[row.rerating.pk])
        state = "in force" if row.applied_at else row.rerating.get_state_display()
        if row.let_stand_at:
            state = f"let stand, corrected from {row.rerating.adjustments.latest('pk').period} on"
        return format_html('<a href="{}">{}</a>, {}', address, row.rerating, state)

    @admin.display(description="section")
    def section_page(self, row: Amendment) -> str:
        """Return a link to the page on which the section is amended."""
        return _link_to_section(row.section)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show an amendment with its first differences."""
        row = self.get_object(request, object_id)
        found = first_of(differences(row.before, row.after) if row else [])
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), "differences": found})

    @admin.action(description="Calculate what they change (reason)", permissions=["change"])
    def calculate(self, request: HttpRequest, rows: QuerySet[Amendment]) -> HttpResponse | None:
        """Have a worker calculate the months from the first one that the chosen amendments concern."""
        chosen = list(rows)
        if any(row.rerating_id for row in chosen):
            self.message_user(request, "Choose amendments that wait: the others belong to a re-rating.", messages.ERROR)
            return None
        try:
            rerating = start_rerating(
                None, chosen, reason=request.POST.get("reason", ""), at=timezone.now(), by=acting_user(request)
            )
            wake_rerating(rerating, say_kept(request))
        except RunError as error:
            self.message_user(request, str(error), messages.ERROR)
            return None
        return HttpResponseRedirect(reverse("admin:ratings_rerating_change", args=[rerating.pk]))

    @admin.action(description="Give up (reason)", permissions=["change"])
    def give_up(self, request: HttpRequest, rows: QuerySet[Amendment]) -> None:
        """Give amendments up that wait."""
        try:
            with transaction.atomic():
                for row in rows:
                    drop(row, at=timezone.now(), by=acting_user(request), reason=request.POST.get("reason", ""))
        except EventError as error:
            self.message_user(request, f"Nothing was given up: {error}", messages.ERROR)
        else:
            self.message_user(request, "Given up; what is published stays as it is.", messages.SUCCESS)

    def get_urls(self) -> list[URLPattern]:
        """Add the page on which a section is amended."""
        page = self.admin_site.admin_view(self.section_view)
        return [path("section/<int:section>/", page, name="ratings_amendment_section"), *super().get_urls()]

    def section_view(self, request: HttpRequest, section: int) -> HttpResponse:
        """Say what is right of a section."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        row = Section.objects.select_related("event__region", "period").filter(pk=section).first()
        if row is None:
            raise Http404("There is no such section.")
        sent = request.POST.get("do", "")
        if sent == "give-up-file":
            return self._give_up_file(request, row)
        new_file = AmendingFile.objects.filter(section=row).first()
        is_read = new_file is not None and not new_file.error  # meanwhile the page loads itself again
        content = {} if is_read else amended_content(row)
        refused = why_not_amended(row)
        shown: list[AmendForm] = []
        for kind in () if refused or is_read else FORMS:
            bound = (request.POST, request.FILES) if sent == kind.do else ()
            form = kind(*bound, section=row, content=content)
            if form.is_bound and form.is_valid() and self._amended(request, row, form):
                return HttpResponseRedirect(request.path)
            if form.is_offered():
                shown.append(form)
        present = Amendment.objects.filter(Amendment.OPEN, section=row).select_related("rerating").first()
        found = [] if present is None or is_read else differences(present.before, present.after)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.model._meta,
            "title": f"Amend {row}",
            "section": row,
            "present": present,
            "new_file": new_file,
            "differences": first_of(found),
            "forms": shown,
            "shown": digest(content),
            "refused": refused,
        }
        return TemplateResponse(request, "admin/ratings/amendment/section.html", context)

    def _amended(self, request: HttpRequest, section: Section, form: AmendForm) -> bool:
        data = form.cleaned_data
        given = {"reason": data["reason"], "report": data["report"], "at": timezone.now(), "by": acting_user(request)}
        text = "What is right is kept; nothing published changes before the re-rating is published."
        try:
            if isinstance(form, FileForm) and not is_small(section, form.content_sent):
                with transaction.atomic():
                    kept = keep_file(
                        section, form.content_sent, **form.choices, **given, shown=request.POST.get("shown", "")
                    )
                    wake_reader(kept, say_kept(request))
                text = "The file is kept: it is read by a worker, which takes a moment."
            else:
                with transaction.atomic():
                    edit = form.edit()
                    if isinstance(form, FileForm):
                        given |= {"file": store_file(form.content_sent), "shown": request.POST.get("shown", "")}
                    if amend(section, edit, **given) is None:
                        text = "That is what is published already: nothing is left to correct."
        except EventError as error:
            form.add_error(None, str(error))
            return False
        self.message_user(request, text, messages.SUCCESS)
        return True

    def _give_up_file(self, request: HttpRequest, section: Section) -> HttpResponse:
        try:
            give_up_file(section, parse_pk(request.POST.get("file", "")))
        except EventError as error:
            self.message_user(request, formatting.sentence(str(error)), messages.ERROR)
        else:
            self.message_user(request, "The new file is given up; the section stays as it is.", messages.SUCCESS)
        return HttpResponseRedirect(request.path)


@admin.register(AmendingFile)
class AmendingFileAdmin(ShownAdmin):
    """New files for published sections, which are sent in and given up on the section's page."""

    list_display = ("section_page", "name", "by", "at", "error")
    list_display_links = None
    list_select_related = ("section__event", "by")
    fields = ("section_page", "name", "reason", "by", "at", "error")
    readonly_fields = fields
    has_add_permission = has_change_permission = has_delete_permission = never

    @admin.display(description="section")
    def section_page(self, row: AmendingFile) -> str:
        """Return a link to the page on which the section is amended."""
        return _link_to_section(row.section)


@admin.register(Rerating)
class ReratingAdmin(ShownAdmin):
    """Re-ratings: what they change, and their publication."""

    list_display = ("__str__", "reason", "how_far", "changes", "by", "published_at")
    list_filter = (waiting_filter(reratings=("that failed or were not published", not_rerated)), "state")
    list_select_related = ("first", "by")
    fields = (
        "first", "reason", "how_far", "error", "attempts", "by", "published_by", "queued_at", "finished_at", "published_at",
    )  # fmt: skip
    readonly_fields = fields
    has_add_permission = has_delete_permission = never

    class Media:
        js = ("js/runs.js",)

    @admin.display(description="state", ordering="state")
    def how_far(self, row: Rerating) -> str:
        """Return the state, with the progress while it is under way: then the page loads itself again."""
        under_way = f", {row.progress} % {row.stage}".rstrip() if row.state in Rerating.UNDER_WAY else ""
        return f"{row.get_state_display()}{under_way}"

    @admin.display(description="changes")
    def changes(self, row: Rerating) -> str:
        """Return how many ratings change, in all months and lists."""
        return str(sum(line["players"] for line in row.impact)) if row.impact else "–"

    def get_urls(self) -> list[URLPattern]:
        """Add the decision on a re-rating."""
        decide = self.admin_site.admin_view(self.decide)
        return [path("<int:rerating>/decide/", decide, name="ratings_rerating_decide"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show what the re-rating changes: by month and list, then player by player, greatest first."""
        row = self.get_object(request, object_id)
        context = dict(extra_context or {})
        if row is not None:
            chosen = Chosen.of(row, request.GET.get("month", ""), request.GET.get("list", ""))
            page = Paginator(changed_players(row, chosen), MOST).get_page(request.GET.get("p"))
            calculated, let_stand_ = (
                row.state == state for state in (Rerating.State.CALCULATED, Rerating.State.LET_STAND)
            )
            context |= {
                "outdated": formatting.sentence(why_outdated(row)) if calculated else "",
                "final_month": final_month(row) if let_stand_ else None,
                "amendments": [
                    (amendment, first_of(differences(amendment.before, amendment.after)))
                    for amendment in row.amendments.select_related("section__event")
                ],
                "chosen": chosen,
                "changed": page,
                "from_now_on": from_now_on(row) if calculated else None,
                "adjustments": Paginator(
                    row.adjustments.filter(Adjustment.IN_FORCE)
                    .select_related("player", "list", "period")
                    .order_by("pk"),
                    MOST,
                ).get_page(request.GET.get("p")),
                "may_decide": self.has_change_permission(request, row),
            }
        return super().change_view(request, object_id, form_url, context)

    def decide(self, request: HttpRequest, rerating: int) -> HttpResponse:
        """Publish, let the past stand, withdraw or take back."""
        if not acting_user(request).has_perm("ratings.change_rerating"):
            raise PermissionDenied
        row = Rerating.objects.select_related("first").filter(pk=rerating).first()
        if row is None:
            raise Http404("There is no such re-rating.")
        if request.method != "POST":  # back from the log-in: nothing was decided
            return HttpResponseRedirect(reverse("admin:ratings_rerating_change", args=[row.pk]))
        at, by = timezone.now(), acting_user(request)
        operations: dict[str, tuple[Callable[[], object], str]] = {
            "publish": (partial(_publish, row, request.POST.get("month", ""), at=at, by=by), "is being published."),
            "again": (
                partial(calculate_again, row, at=at, by=by),
                "is being calculated, with all that is published.",
            ),
            "let stand": (
                partial(let_stand, row, at=at, by=by),
                "is let stand: the ratings are corrected from the next list on.",
            ),
            "withdraw adjustments": (
                partial(withdraw_adjustments, row, reason=request.POST.get("reason", ""), at=at, by=by),
                "is let stand no longer: its adjustments are withdrawn, and its amendments wait again.",
            ),
            "withdraw": (partial(withdraw, row, at=at, by=by), "is withdrawn; its amendments wait again."),
            "take back": (
                partial(take_back, row, reason=request.POST.get("reason", ""), at=at, by=by),
                "is taken back: the former lists are in force again, and its amendments wait.",
            ),
        }
        done = operations.get(request.POST.get("do", ""))
        if done is None:
            raise PermissionDenied
        operation, text = done
        try:
            with transaction.atomic():
                new = operation()
                row = new if isinstance(new, Rerating) else row
                if request.POST["do"] in ("publish", "again"):
                    wake_rerating(row, say_kept(request))
            self.message_user(request, f"{row} {text}", messages.SUCCESS)
        except RunError as error:
            self.message_user(request, str(error), messages.ERROR)
        return HttpResponseRedirect(reverse("admin:ratings_rerating_change", args=[row.pk]))


def _publish(rerating: Rerating, typed: str, *, at: datetime, by: User | None) -> None:
    """Put a re-rating up for publication, when its first month was typed in. Raises RunError."""
    require_typed(typed, rerating.first)
    request_publication(rerating, at=at, by=by)


def _link_to_section(section: Section) -> str:
    return format_html('<a href="{}">{}</a>', reverse("admin:ratings_amendment_section", args=[section.pk]), section)
