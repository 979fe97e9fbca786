"""Admin page for penalties."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.text import Truncator

from accounts.trail.admin_base import TrailAdmin
from config.lib.admin import ReasonForm, RecordedAdmin, ShownAdmin, never, waiting_filter
from config.lib.forms import ShownErrors
from events.admin_base import ScopedAdmin
from events.models import Penalty, RatingPeriod
from events.operations import EventError, lock_open_periods
from events.penalties.operations import decide_penalties
from events.penalties.queries import rounds_taken, section_rounds
from events.rules.penalties import PenaltyKind, entry_errors
from events.waiting import undecided_penalties


class PenaltyForm(ShownErrors, forms.ModelForm):
    """A new penalty of a player in a section that is not published yet."""

    class Meta:
        model = Penalty
        fields = ("section", "player", "round", "kind", "points")

    def clean(self) -> dict[str, Any]:
        """Check the penalty against the section and the articles, and lock the section's period, which must be open."""
        cleaned: dict[str, Any] = super().clean() or {}
        section, player = cleaned.get("section"), cleaned.get("player")
        if section:
            try:
                lock_open_periods(RatingPeriod.objects.filter(sections=section.pk), str(section))
            except EventError as error:
                self.add_error("section", f"{error}.")
        if section and player and not section.entries.filter(player=player).exists():
            self.add_error("player", "He has no entry in this section.")
        if section and player and not self.errors:
            kind, round_, points = PenaltyKind(cleaned["kind"]), cleaned["round"], float(cleaned["points"])
            for finding in entry_errors(
                kind,
                round_,
                points,
                rounds=section_rounds(section, player),
                ends=section.ends,
                taken=rounds_taken(section, player),
            ):
                self.add_error(finding.field, f"{finding.message} (article {finding.article})")
        return cleaned


@admin.register(Penalty)
class PenaltyAdmin(ShownAdmin, TrailAdmin, ScopedAdmin, RecordedAdmin):
    """Penalties, which officers confirm or drop by actions."""

    event_path = "section__event"
    list_display = ("player", "status", "lost", "section", "why")
    list_filter = (
        waiting_filter(penalties=("undecided", undecided_penalties)),
        "status",
        "kind",
        "section__event__state",
        ("section__period", admin.RelatedOnlyFieldListFilter),
    )
    list_select_related = ("player", "section__event")
    search_fields = ("player__last_name", "player__number", "section__event__name")
    autocomplete_fields = ("player", "section")
    form = PenaltyForm
    action_form = ReasonForm
    actions = ("confirm", "drop")
    has_delete_permission = never  # penalties are dropped with a reason instead

    @admin.display(description="for", ordering="round")
    def lost(self, row: Penalty) -> str:
        """Return points, kind and round."""
        return f"{row.points_text}, {row.kind} in round {row.round}"

    @admin.display(description="points")
    def points_lost(self, row: Penalty) -> str:
        """Return the points."""
        return row.points_text

    @admin.display(description="reason")
    def why(self, row: Penalty) -> str:
        """Return the beginning of the reason."""
        return Truncator(row.reason).chars(60)

    def get_readonly_fields(self, request: HttpRequest, obj: Penalty | None = None) -> tuple[str, ...]:
        """Return the fields that cannot be changed: after it is added, all of them."""
        return (
            ("status", "reason")
            if obj is None
            else ("section", "player", "round", "kind", "points_lost", "status", "reason")
        )

    def get_exclude(self, request: HttpRequest, obj: Penalty | None = None) -> tuple[str, ...]:
        """Leave out the points as entered once they are shown."""
        return () if obj is None else ("points",)

    def save_model(self, request: HttpRequest, obj: Penalty, form: forms.ModelForm, change: bool) -> None:
        """Save a new penalty as an officer's: it waits for an officer, and a new file of the section does not remove it."""
        obj.final = True
        super().save_model(request, obj, form, change)

    @admin.action(description="Confirm: it was without notice", permissions=["change"])
    def confirm(self, request: HttpRequest, rows: QuerySet[Penalty]) -> None:
        """Confirm the penalties: the points are lost."""
        self._decide(request, rows, Penalty.Status.CONFIRMED)

    @admin.action(description="Drop (reason)", permissions=["change"])
    def drop(self, request: HttpRequest, rows: QuerySet[Penalty]) -> None:
        """Drop the penalties, with the reason."""
        self._decide(request, rows, Penalty.Status.DROPPED)

    def _decide(self, request: HttpRequest, rows: QuerySet[Penalty], status: Penalty.Status) -> None:
        decision = self.decision(request)
        self.act_on_rows(
            request, rows, lambda row: decide_penalties([row], status, **decision, final=True), status.value
        )
