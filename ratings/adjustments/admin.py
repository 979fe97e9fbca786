"""The desk of adjustments: what was published stands, and the next list is corrected (article 64)."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.text import Truncator

from accounts.permissions import acting_user
from config.lib.admin import AsShownAdmin, ReasonForm, never, state_filter
from events.error_reports.queries import confirmed_reports
from events.models import RatingPeriod
from ratings.adjustments.forms import AdjustmentForm
from ratings.models import Adjustment, RatingList
from ratings.periods import RunError
from ratings.rerating.adjustments import adjust, withdraw_adjustment
from ratings.runs.inputs import national_list_ids


@admin.register(Adjustment)
class AdjustmentAdmin(AsShownAdmin):
    """Adjustments. Those that come with a re-rating are made and withdrawn on its page."""

    list_display = ("player", "list", "shown_points", "period", "state", "why", "by", "at")
    list_filter = (
        "period",
        "list",
        state_filter(
            "state",
            "state",
            waits=("waits for its month", Adjustment.IN_FORCE & ~Q(period__state__in=RatingPeriod.CLOSED)),
            published=("published", Adjustment.IN_FORCE & Q(period__state__in=RatingPeriod.CLOSED)),
            withdrawn=("withdrawn", ~Adjustment.IN_FORCE),
        ),
    )
    list_select_related = ("player", "list", "period", "rerating__first", "by")
    search_fields = ("player__number", "player__folded_name", "reason")
    form = AdjustmentForm
    fields = ("player", "list", "points", "reason", "report")
    autocomplete_fields = ("player",)
    action_form = ReasonForm
    actions = ("withdraw",)
    has_delete_permission = has_change_permission = never

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields of the form, or all of an adjustment that was made."""
        made = ("period", "state", "rerating", "by", "at", "withdrawn_at")
        return self.fields if obj is None else (*self.fields, *made)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return all fields of an adjustment that was made."""
        return () if obj is None else self.get_fields(request, obj)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        """Offer Chess SA's four lists and the confirmed reports."""
        if db_field.name == "list":
            options["queryset"] = RatingList.objects.filter(pk__in=national_list_ids()).order_by("position")
        if db_field.name == "report":
            options["queryset"] = confirmed_reports().filter(state__in=("received", "looked at"))
        return super().formfield_for_foreignkey(db_field, request, **options)

    def has_withdraw_permission(self, request: HttpRequest) -> bool:
        """Return whether the table of roles gives the right to adjust."""
        return acting_user(request).has_perm("ratings.add_adjustment")

    @admin.display(description="points", ordering="points")
    def shown_points(self, row: Adjustment) -> str:
        """Return the points with their sign."""
        return row.points_text

    @admin.display(description="reason")
    def why(self, row: Adjustment) -> str:
        """Return the beginning of the reason."""
        return Truncator(row.reason).chars(60)

    @admin.display(description="state")
    def state(self, row: Adjustment) -> str:
        """Return whether it waits, is published, or withdrawn, and the re-rating with which it came."""
        state = "published" if row.period.closed else "waits for its month"
        if row.withdrawn_at:
            state = "withdrawn"
        return f"{state}, with {row.rerating}" if row.rerating else state

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Adjust a player; say what is in the way if the month has been published at the same moment."""
        try:
            return super().add_view(request, form_url, extra_context)
        except RunError as error:
            self.message_user(request, f"Nothing was adjusted: {error}", messages.ERROR)
            return HttpResponseRedirect(request.path)

    def save_form(self, request: HttpRequest, form: forms.ModelForm, change: bool) -> Any:
        """Adjust the player by the operation."""
        data = form.cleaned_data
        form.save_m2m = lambda: None  # type: ignore[method-assign]
        return adjust(
            data["player"],
            data["list"],
            data["points"],
            reason=data["reason"],
            report=data["report"],
            at=timezone.now(),
            by=acting_user(request),
        )

    def save_model(self, request: HttpRequest, obj: Adjustment, form: forms.ModelForm, change: bool) -> None:
        """Do nothing more: `save_form` has made the adjustment."""

    @admin.action(description="Withdraw (reason)", permissions=["withdraw"])
    def withdraw(self, request: HttpRequest, rows: QuerySet[Adjustment]) -> None:
        """Withdraw adjustments whose month is not published."""
        try:
            with transaction.atomic():
                for row in rows:
                    withdraw_adjustment(
                        row, reason=request.POST.get("reason", ""), at=timezone.now(), by=acting_user(request)
                    )
        except RunError as error:
            self.message_user(request, f"Nothing was withdrawn: {error}", messages.ERROR)
        else:
            self.message_user(request, "Withdrawn: the next calculation leaves them out.", messages.SUCCESS)
