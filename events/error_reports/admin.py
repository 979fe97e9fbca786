"""The officers' list of reported errors, with their answers (articles 63, 64)."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join

from accounts.permissions import acting_user
from config.lib import formatting
from config.lib.admin import ReasonForm, RecordedAdmin, never, waiting_filter
from events.admin_base import ScopedAdmin
from events.answer_page import AnswerPage
from events.error_reports.mails import send_answer
from events.error_reports.operations import answer_report, take_up
from events.error_reports.queries import confirmed_reports, timeliness
from events.models import ErrorReport
from events.waiting import open_reports


@admin.register(ErrorReport)
class ErrorReportAdmin(AnswerPage, ScopedAdmin, RecordedAdmin):
    """Reported errors, read here and answered by actions; the reason is the answer to the reporter."""

    open_states = (ErrorReport.State.RECEIVED, ErrorReport.State.LOOKED_AT)
    answer_keys = "rax"
    list_display = ("__str__", "state", "in_time", "role", "reporter_name", "at", "answered_at")
    list_filter = (
        waiting_filter(errors=("without an answer", open_reports)),
        "state",
        "month",
        "section__event__region",
    )
    list_select_related = ("section__event", "section__period", "player")
    search_fields = ("section__event__name", "section__name", "player__last_name", "player__number", "reporter_name")
    date_hierarchy = "at"
    fields = (
        "what", "round", "played_in", "in_time", "wrong", "right", "proof_url", "files", "role", "reporter_name",
        "reporter_email", "at", "state", "answer", "answered_at", "answered_by",
    )  # fmt: skip
    action_form = ReasonForm
    actions = ("look", "correct", "reject")
    has_add_permission = never  # errors are reported on the pages of what is wrong
    has_delete_permission = never  # reports stay on record
    has_change_permission = never

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the confirmed reports; only officers have the right to see any."""
        return confirmed_reports()

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return all fields."""
        return self.fields

    def has_answer_permission(self, request: HttpRequest) -> bool:
        """Return whether the table of roles gives the right to answer reports."""
        return acting_user(request).has_perm("events.answer_errorreport")

    @admin.display(description="what it is about")
    def what(self, row: ErrorReport) -> str:
        """Return links to the section on the desk, and to the player's page, if he has one."""
        links = []
        if row.section:
            links.append((reverse("admin:events_section_change", args=[row.section.pk]), str(row.section)))
            if row.section.period and row.section.period.closed:
                links.append((reverse("admin:ratings_amendment_section", args=[row.section.pk]), "amend it"))
        if row.player and row.player.hidden_since is None:
            links.append((reverse("players:player", args=[row.player.number]), str(row.player)))
        shown = [format_html('<a href="{}">{}</a>', *link) for link in links]
        if row.player and row.player.hidden_since:
            shown.append(format_html("{}", row.player))
        return format_html_join(", ", "{}", ((part,) for part in shown))

    @admin.display(description="played in")
    def played_in(self, row: ErrorReport) -> str:
        """Return the month of the rating period."""
        return formatting.month(row.month)

    @admin.display(description="reported")
    def in_time(self, row: ErrorReport) -> str:
        """Return whether it came before the end of its rating period."""
        return timeliness(row)

    @admin.display(description="files")
    def files(self, row: ErrorReport) -> str:
        """Return links to the files that prove it."""
        files = [(reverse("events:attachment", args=[file.pk]), file.name) for file in row.attachments.all()]
        return format_html_join(", ", '<a href="{}">{}</a>', files) or "none"

    @admin.action(description="Look at it", permissions=["answer"])
    def look(self, request: HttpRequest, rows: QuerySet[ErrorReport]) -> None:
        """Mark the reports as being looked at."""
        decision = self.decision(request)
        self.act_on_rows(
            request, rows, lambda row: take_up(row, at=decision["at"], by=decision["by"]), "being looked at"
        )

    @admin.action(description="Corrected (answer)", permissions=["answer"])
    def correct(self, request: HttpRequest, rows: QuerySet[ErrorReport]) -> None:
        """Answer that it was corrected, and mail the answer to the reporter."""
        self._answer(request, rows, corrected=True)

    @admin.action(description="Rejected (answer)", permissions=["answer"])
    def reject(self, request: HttpRequest, rows: QuerySet[ErrorReport]) -> None:
        """Answer that it is not corrected, and mail the answer to the reporter."""
        self._answer(request, rows, corrected=False)

    def _answer(self, request: HttpRequest, rows: QuerySet[ErrorReport], *, corrected: bool) -> None:
        decision = self.decision(request)

        def answer(row: ErrorReport) -> None:
            answer_report(row, corrected=corrected, at=decision["at"], by=decision["by"], answer=decision["reason"])
            row.refresh_from_db()
            if to := send_answer(row):
                self.show_mailed(request, to)
            else:
                self.message_user(request, "The reporter has no address any more: no mail was sent.", messages.WARNING)

        self.act_on_rows(request, rows, answer, "corrected" if corrected else "rejected")
