"""Admin page of sections."""

from typing import Any

from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date

from accounts.permissions import acting_user
from accounts.trail.admin_base import REASON, TrailAdmin
from config.lib.admin import never
from config.lib.texts import plain_text
from events.abroad.changed_results import record_holds_abroad, sent_from_abroad
from events.admin_base import GameAbroadInline, NoticeForm, OnResultsAdmin, ReadOnlyInline, without_notice
from events.admin_forms import SectionAdminForm, SectionPageForm
from events.appeals.mails import send_taken_back
from events.appeals.operations import record_notice, refuse_section, standing_refusal, take_back
from events.mails import send_refusal
from events.models import Entry, Event, Kind, Section
from events.submission.changed_facts import record_changed_facts


def record_holds(request: HttpRequest, form: Any) -> None:
    """Record for what a changed section's file is now held."""
    if isinstance(form, SectionAdminForm) and form.holds is not None:
        reason = plain_text(request.POST.get(REASON, ""))
        record_changed = record_holds_abroad if sent_from_abroad(form.instance) else record_changed_facts
        record_changed(form.instance, form.holds, at=timezone.now(), by=acting_user(request), reason=reason)


class EntryInline(ReadOnlyInline):
    """A section's players."""

    model = Entry
    fields = ("rank", "number", "name_in_file", "player", "points", "match_reason")
    readonly_fields = fields
    related = ("player",)

    def all_rows(self, parent: Any) -> str:
        """Return the address of the section's file; "" without one."""
        sent = parent.submissions.order_by("pk").values_list("pk", flat=True).last()
        return reverse("events:submitted", args=[parent.event_id, sent]) if sent else ""


@admin.register(Section)
class SectionAdmin(TrailAdmin, OnResultsAdmin):
    """Sections."""

    event_path = "event"
    list_display = ("__str__", "format", "base_minutes", "increment_seconds", "ends", "period")
    list_filter = ("format", "event__region")
    list_select_related = ("event", "period")
    search_fields = ("name", "event__name")
    autocomplete_fields = ("event",)
    form = SectionPageForm
    inlines = (EntryInline,)
    action_form = NoticeForm
    actions = ("refuse", "notify", "take_back")
    has_add_permission = has_delete_permission = never  # only on their event's page, where a change needs a reason

    def save_model(self, request: HttpRequest, obj: Section, form: Any, change: bool) -> None:
        """Save the section, which is held for what its file no longer fits; a registration that is open elsewhere is told."""
        super().save_model(request, obj, form, change)
        Event.objects.filter(pk=obj.event_id).update(version=F("version") + 1)
        record_holds(request, form)

    @admin.action(description="Refuse, and rate the rest of the event (reason)", permissions=["change"])
    def refuse(self, request: HttpRequest, rows: QuerySet[Section]) -> None:
        """Refuse the sections only; the region gets the reason and the last day to appeal (article 11)."""
        decision = self.decision(request)

        def refuse(row: Section) -> None:
            refusal = refuse_section(row, **decision, ground=request.POST.get("ground", ""))
            self.show_mailed(request, send_refusal(refusal), nobody=without_notice(refusal))

        self.act_on_rows(request, rows, refuse, "refused")

    @admin.action(description="Refusal notified by letter (day, and how)", permissions=["change"])
    def notify(self, request: HttpRequest, rows: QuerySet[Section]) -> None:
        """Record when those who may appeal were notified; from then on the days run (article 11)."""
        decision, day = self.decision(request), parse_date(request.POST.get("day", ""))

        def notify(row: Section) -> None:
            record_notice(standing_refusal(row.event, row), day, **decision)

        self.act_on_rows(request, rows, notify, "notified")

    @admin.action(description="Take back the refusal (reason)", permissions=["take_back"])
    def take_back(self, request: HttpRequest, rows: QuerySet[Section]) -> None:
        """Take back refusals of sections made in error, while no appeal is answered."""
        decision = self.decision(request)

        def lift(row: Section) -> None:
            refusal = standing_refusal(row.event, row)
            take_back(refusal, **decision)
            self.show_mailed(request, send_taken_back(refusal, decision["reason"]))

        self.act_on_rows(request, rows, lift, "no longer refused")

    def get_inlines(self, request: HttpRequest, obj: Section | None) -> Any:
        """Return the inlines; sections abroad, which have no file, also show their games."""
        return (*self.inlines, GameAbroadInline) if obj and obj.event.kind == Kind.ABROAD else self.inlines

    def get_readonly_fields(self, request: HttpRequest, obj: Section | None = None) -> tuple[str, ...]:
        """Return the fields that cannot be changed: a section cannot move to another event."""
        return ("period", "event") if obj else ("period",)

    def has_change_permission(self, request: HttpRequest, obj: Section | None = None) -> bool:
        """Refuse changes of published sections. A POST is let through, so that the form can say what was published since."""
        closed = obj and obj.period and obj.period.closed
        read_only = closed and request.method != "POST"
        return not read_only and super().has_change_permission(request, obj)
