"""Admin pages for requests to withdraw an event, and for reports that one is kept back or not registered (article 57.3)."""

from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.permissions import acting_user
from config.lib.admin import waiting_filter
from events.appeals.admin import AnsweredAdmin
from events.mails import send_kept_back, send_withdrawal, send_withdrawn
from events.models import KeptBackReport, NotRegisteredReport, WithdrawalRequest
from events.waiting import kept_back, not_registered, withdrawals_asked
from events.withholding.mails import send_not_registered
from events.withholding.not_registered import answer_not_registered
from events.withholding.operations import answer_kept_back, answer_withdrawal


@admin.register(WithdrawalRequest)
class WithdrawalRequestAdmin(AnsweredAdmin):
    """Requests to withdraw an event that has begun."""

    event_path = "event"
    open_states = (WithdrawalRequest.State.ASKED,)
    list_display = ("event", "state", "reason", "at", "by", "answered_at")
    list_filter = (waiting_filter(withdrawals=("without an answer", withdrawals_asked)), "state", "event__region")
    list_select_related = ("event", "by")
    search_fields = ("event__name",)
    fields = ("event", "reason", "at", "by", "state", "answer", "answered_at", "answered_by")
    actions = ("grant", "decline")

    @admin.action(description="Grant: withdraw the event (reason)", permissions=["change"])
    def grant(self, request: HttpRequest, rows: QuerySet[WithdrawalRequest]) -> None:
        """Grant the requests: the events are withdrawn."""
        self.decide(request, rows, "granted", partial(answer_withdrawal, granted=True), _tell_granted)

    @admin.action(description="Decline (reason)", permissions=["change"])
    def decline(self, request: HttpRequest, rows: QuerySet[WithdrawalRequest]) -> None:
        """Decline the requests: the events stay registered."""
        self.decide(request, rows, "declined", partial(answer_withdrawal, granted=False), send_withdrawal)


def _tell_granted(asked: WithdrawalRequest) -> list[str]:
    """Send the answer to who asked, and the withdrawal to those who lead the event and the officers. Return the addresses."""
    told = send_withdrawn(asked.event, asked.answer, by=asked.answered_by)
    return list(dict.fromkeys([*send_withdrawal(asked), *told]))


@admin.register(KeptBackReport)
class KeptBackReportAdmin(AnsweredAdmin):
    """Reports that the results of a played event are not submitted."""

    event_path = "event"
    open_states = (KeptBackReport.State.REPORTED,)
    list_display = ("event", "state", "party", "person", "at", "by", "answered_at")
    list_filter = (waiting_filter(keptback=("without an answer", kept_back)), "state", "event__region")
    list_select_related = ("event", "by")
    search_fields = ("event__name", "person")
    fields = ("event", "party", "person", "account", "at", "by", "state", "answer", "answered_at", "answered_by")
    actions = ("take_up", "dismiss")

    @admin.action(description="Take up (what the bureau does)", permissions=["change"])
    def take_up(self, request: HttpRequest, rows: QuerySet[KeptBackReport]) -> None:
        """Take the reports up: the bureau sees to it that the results come in, or submits them itself (article 12.2)."""
        self.decide(request, rows, "taken up", partial(answer_kept_back, taken_up=True), send_kept_back)

    @admin.action(description="Dismiss (reason)", permissions=["change"])
    def dismiss(self, request: HttpRequest, rows: QuerySet[KeptBackReport]) -> None:
        """Dismiss the reports."""
        self.decide(request, rows, "dismissed", partial(answer_kept_back, taken_up=False), send_kept_back)


@admin.register(NotRegisteredReport)
class NotRegisteredReportAdmin(AnsweredAdmin):
    """Reports that a region does not register an event."""

    open_states = (NotRegisteredReport.State.REPORTED,)
    list_display = ("name", "state", "region", "starts", "party", "person", "at", "by", "answered_at")
    list_filter = (waiting_filter(unregistered=("without an answer", not_registered)), "state", "region")
    list_select_related = ("region", "by")
    search_fields = ("name", "person")
    fields = (
        "name", "region", "place", "starts", "ends", "party", "person", "account", "at", "by",
        "state", "answer", "answered_at", "answered_by",
    )  # fmt: skip
    actions = ("take_up", "dismiss")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return all reports to officers, and none to others: they belong to no event by which a region could see them."""
        rows = NotRegisteredReport.objects.all()
        return rows if acting_user(request).is_officer else rows.none()

    @admin.action(description="Take up (what the bureau does)", permissions=["change"])
    def take_up(self, request: HttpRequest, rows: QuerySet[NotRegisteredReport]) -> None:
        """Take the reports up: the bureau sees to it that they are registered, or registers them itself (article 12.2)."""
        self.decide(request, rows, "taken up", partial(answer_not_registered, taken_up=True), send_not_registered)

    @admin.action(description="Dismiss (reason)", permissions=["change"])
    def dismiss(self, request: HttpRequest, rows: QuerySet[NotRegisteredReport]) -> None:
        """Dismiss the reports."""
        self.decide(request, rows, "dismissed", partial(answer_not_registered, taken_up=False), send_not_registered)
