"""Admin pages for requests for permission, which officers answer, and for appeals, which the panel answers."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join

from accounts.permissions import Role, acting_user, roles_of
from config.lib import formatting
from config.lib.admin import ReasonForm, RecordedAdmin, never, waiting_filter
from events.access import writable_regions
from events.admin_base import ReadOnlyInline, ScopedAdmin
from events.answer_page import AnswerPage
from events.appeals.mails import send_answer
from events.appeals.operations import answer_appeal, impartial_appeals, why_not_impartial
from events.appeals.size_requests import answer_permission
from events.mails import send_permission
from events.models import Appeal, PermissionRequest, Refusal
from events.rules.deadlines import appeal_closes, last_day_before
from events.waiting import open_appeals, permissions_asked


class RefusalInline(ReadOnlyInline):
    """The refusals of an event and its sections, with reasons."""

    model = Refusal
    fields = (
        "section",
        "at",
        "by",
        "reason",
        "notified_at",
        "last_day",
        "lifted_at",
        "taken_back_reason",
        "taken_back_by",
    )
    readonly_fields = fields
    related = ("section__event", "event", "by", "taken_back_by")

    @admin.display(description="appeal until")
    def last_day(self, row: Refusal) -> str:
        """Return the last day to appeal (article 11)."""
        closes = appeal_closes(row.notified_at)
        return formatting.day(last_day_before(closes)) if closes else "nobody was notified: the days do not run"


class AnsweredAdmin(AnswerPage, ScopedAdmin, RecordedAdmin):
    """Requests, read here and answered by actions."""

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
        send: Callable[[Any], list[str]],
    ) -> None:
        """Answer each row by `answer`, with the reason, and mail the result to the user who asked, by `send`."""
        answer_data = {"at": timezone.now(), "by": acting_user(request), "answer": request.POST.get("reason", "")}

        def decide(row: Any) -> None:
            answer(row, **answer_data)
            row.refresh_from_db()
            self.show_mailed(request, send(row))

        self.act_on_rows(request, rows, decide, done)


@admin.register(PermissionRequest)
class PermissionRequestAdmin(AnsweredAdmin):
    """Requests for permission for a section below the smallest size (article 18)."""

    event_path = "section__event"
    open_states = (PermissionRequest.State.ASKED,)
    correctable = ("players", "rounds", "reason")
    list_display = ("section", "state", "players", "rounds", "party", "at", "by", "answered_at")
    list_filter = (
        waiting_filter(permissions=("without an answer", permissions_asked)),
        "state",
        "section__event__region",
    )
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
    """Appeals against refusals (article 11). The appeals panel answers them by actions with a reason; officers read them."""

    event_path = "refusal__event"
    open_states = (Appeal.State.LODGED,)
    list_display = ("refusal", "state", "appellant", "party", "at", "answered_at")
    list_filter = (waiting_filter(appeals=("without an answer", open_appeals)), "state", "refusal__event__region")
    list_select_related = ("refusal__event", "refusal__section__event", "by")
    search_fields = ("refusal__event__name", "appellant")
    fields = (
        "refusal", "event", "refused_at", "refused_by", "refused_because", "appellant", "party",
        "grounds", "evidence", "at", "by", "state", "answer", "answered_at", "answered_by",
    )  # fmt: skip
    actions = ("uphold", "dismiss")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Appeal]:
        """Return all appeals to the panel; to others those of regions whose events they may write."""
        if Role.PANEL in roles_of(acting_user(request)):
            return admin.ModelAdmin.get_queryset(self, request)
        return super().get_queryset(request)

    def waiting(self, request: HttpRequest) -> QuerySet[Appeal]:
        """Return the appeals that wait and in which the user has no part."""
        return impartial_appeals(super().waiting(request), acting_user(request))

    def why_not(self, request: HttpRequest, row: Appeal) -> str:
        """Return which part in the appeal keeps the user from answering it."""
        return why_not_impartial(row, acting_user(request))

    def has_answer_permission(self, request: HttpRequest) -> bool:
        """Return whether the table of roles gives the right to answer appeals."""
        return acting_user(request).has_perm("events.answer_appeal")

    @admin.display(description="evidence")
    def evidence(self, row: Appeal) -> str:
        """Return links to the files sent in with the appeal."""
        files = [(reverse("events:attachment", args=[file.pk]), file.name) for file in row.attachments.all()]
        return format_html_join(", ", '<a href="{}">{}</a>', files)

    @admin.display(description="event")
    def event(self, row: Appeal) -> str:
        """Return the event with its days and region, linked to its page on the desk."""
        event = row.refusal.event
        days = formatting.days(event.starts, event.ends)
        return format_html(
            '<a href="{}">{}</a>, {}, {}',
            reverse("admin:events_event_change", args=[event.pk]),
            event,
            days,
            event.region,
        )

    @admin.display(description="refused by")
    def refused_by(self, row: Appeal) -> str:
        """Return who refused, and so does not answer the appeal."""
        return str(row.refusal.by or "command line")

    @admin.display(description="refused on")
    def refused_at(self, row: Appeal) -> str:
        """Return the day of the refusal."""
        return formatting.day(timezone.localdate(row.refusal.at))

    @admin.display(description="because")
    def refused_because(self, row: Appeal) -> str:
        """Return the reason of the refusal."""
        return row.refusal.reason

    @admin.action(description="Uphold: lift the refusal (reason)", permissions=["answer"])
    def uphold(self, request: HttpRequest, rows: QuerySet[Appeal]) -> None:
        """Uphold the appeals: what was refused returns to its earlier state."""
        self.decide(request, rows, "upheld", partial(answer_appeal, upheld=True), send_answer)

    @admin.action(description="Dismiss (reason)", permissions=["answer"])
    def dismiss(self, request: HttpRequest, rows: QuerySet[Appeal]) -> None:
        """Dismiss the appeals: the refusals are final."""
        self.decide(request, rows, "dismissed", partial(answer_appeal, upheld=False), send_answer)
