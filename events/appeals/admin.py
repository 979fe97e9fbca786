"""Admin pages for requests for permission and appeals, which officers answer by actions with a reason."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.permissions import acting_user
from config.lib import formatting
from config.lib.admin import ReasonForm, RecordedAdmin, never
from events.access import writable_regions
from events.admin_base import ReadOnlyInline, ScopedAdmin
from events.appeals.operations import answer_appeal
from events.appeals.size_requests import answer_permission
from events.mails import send_appeal, send_permission
from events.models import Appeal, PermissionRequest, Refusal
from events.rules.deadlines import appeal_closes, last_day_before


class RefusalInline(ReadOnlyInline):
    """The refusals of an event and its sections, with reasons."""

    model = Refusal
    fields = ("section", "at", "by", "reason", "last_day", "lifted_at")
    readonly_fields = fields

    @admin.display(description="appeal until")
    def last_day(self, row: Refusal) -> str:
        """Return the last day to appeal (article 11)."""
        return formatting.day(last_day_before(appeal_closes(row.at)))


class AnsweredAdmin(ScopedAdmin, RecordedAdmin):
    """Requests of regions, read here and answered by actions."""

    action_form = ReasonForm
    date_hierarchy = "at"
    has_add_permission = never  # regions ask on their own pages
    has_delete_permission = never  # requests stay on record

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the requests of regions whose events the user may write; arbiters do not see any."""
        rows = super().get_queryset(request)
        return rows.filter(**{f"{self.event_path}__region__in": writable_regions(acting_user(request))})

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return all fields."""
        return self.fields

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow changes only by actions on the list, which record the officer and the reason."""
        return obj is None and super().has_change_permission(request)

    def decide(
        self,
        request: HttpRequest,
        rows: QuerySet[Any],
        done: str,
        answer: Callable[..., None],
        send: Callable[[HttpRequest, Any], list[str]],
    ) -> None:
        """Answer each row by `answer`, with the reason, and mail the result to the user who asked, by `send`."""
        answer_data = {"at": timezone.now(), "by": acting_user(request), "answer": request.POST.get("reason", "")}

        def decide(row: Any) -> None:
            answer(row, **answer_data)
            row.refresh_from_db()
            self.mail_decision(request, lambda: send(request, row))

        self.act_on_rows(request, rows, decide, done)


@admin.register(PermissionRequest)
class PermissionRequestAdmin(AnsweredAdmin):
    """Requests for permission for a section below the smallest size (article 18)."""

    event_path = "section__event"
    list_display = ("section", "state", "players", "rounds", "party", "at", "by", "answered_at")
    list_filter = ("state", "section__event__region")
    list_select_related = ("section__event", "by")
    search_fields = ("section__event__name", "section__name")
    fields = (
        "section", "players", "rounds", "reason", "party", "person", "at", "by",
        "state", "answer", "answered_at", "answered_by",
    )  # fmt: skip
    actions = ("grant", "decline")

    @admin.action(description="Grant (reason)", permissions=["change"])
    def grant(self, request: HttpRequest, rows: QuerySet[PermissionRequest]) -> None:
        """Grant the requests: the section is not put on hold for its size."""
        self.decide(request, rows, "granted", partial(answer_permission, granted=True), send_permission)

    @admin.action(description="Decline (reason)", permissions=["change"])
    def decline(self, request: HttpRequest, rows: QuerySet[PermissionRequest]) -> None:
        """Decline the requests: the section is put on hold for its size."""
        self.decide(request, rows, "declined", partial(answer_permission, granted=False), send_permission)


@admin.register(Appeal)
class AppealAdmin(AnsweredAdmin):
    """Appeals against refusals (article 11)."""

    event_path = "refusal__event"
    list_display = ("refusal", "state", "appellant", "at", "by", "answered_at")
    list_filter = ("state", "refusal__event__region")
    list_select_related = ("refusal__event", "refusal__section__event", "by")
    search_fields = ("refusal__event__name", "appellant")
    fields = (
        "refusal", "refused_at", "refused_because", "appellant", "grounds", "at", "by",
        "state", "answer", "answered_at", "answered_by",
    )  # fmt: skip
    actions = ("uphold", "dismiss")

    @admin.display(description="refused on")
    def refused_at(self, row: Appeal) -> str:
        """Return the day of the refusal."""
        return formatting.day(timezone.localdate(row.refusal.at))

    @admin.display(description="because")
    def refused_because(self, row: Appeal) -> str:
        """Return the reason of the refusal."""
        return row.refusal.reason

    @admin.action(description="Uphold: lift the refusal (reason)", permissions=["change"])
    def uphold(self, request: HttpRequest, rows: QuerySet[Appeal]) -> None:
        """Uphold the appeals: what was refused returns to its earlier state."""
        self.decide(request, rows, "upheld", partial(answer_appeal, upheld=True), send_appeal)

    @admin.action(description="Dismiss (reason)", permissions=["change"])
    def dismiss(self, request: HttpRequest, rows: QuerySet[Appeal]) -> None:
        """Dismiss the appeals: the refusals are final."""
        self.decide(request, rows, "dismissed", partial(answer_appeal, upheld=False), send_appeal)
