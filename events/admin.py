"""Admin pages for events and sections. Importing it also registers the other rooms' pages."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.html import format_html, format_html_join

from accounts.permissions import acting_user
from accounts.trail.admin_base import REASON, TrailAdmin
from config.lib.admin import RecordedAdmin, waiting_filter
from config.lib.database import LONGEST_CHANGE_REASON
from config.lib.texts import shortened
from events.abroad.changed_results import record_changed_results
from events.abroad.mails import tell_sender
from events.admin_base import EventActionForm, OnResultsAdmin, ReadOnlyInline, SenderInline, mailed
from events.admin_forms import (
    LISTED,
    EventAdminForm,
    SectionAdminForm,
    SectionFormSet,
    closed_sections,
)
from events.appeals.admin import AppealAdmin, PermissionRequestAdmin, RefusalInline
from events.appeals.mails import send_taken_back
from events.appeals.operations import record_notice, standing_refusal, take_back
from events.arbiters.admin import ArbiterAdmin
from events.arbiters.forms import AppointmentForm, AppointmentFormSet
from events.arbiters.operations import end_appointments
from events.error_reports.admin import ErrorReportAdmin
from events.mails import send_approval_taken_back, send_decision
from events.models import (
    Appointment,
    BodyApproval,
    Event,
    EventMove,
    Kind,
    PastAppointment,
    RatingPeriod,
    Section,
)
from events.operations import (
    approve_body,
    take_back_approval,
)
from events.organising_body import waiting_for_approval
from events.penalties.admin import PenaltyAdmin
from events.readings.admin import ReadingsAdmin
from events.review import decisions
from events.review import views as review_views
from events.rules.states import ACCEPTED_OR_LATER, State
from events.section_admin import SectionAdmin, record_holds
from events.submission.admin import SubmissionAdmin
from events.submission.changed_facts import EVENT_FACTS, record_changed_event
from events.waiting import (
    from_abroad,
    late_registrations,
    not_sent,
    played_not_sent_in,
    submitted_clean,
    submitted_with_holds,
    unchecked,
)
from events.withholding.admin import KeptBackReportAdmin, NotRegisteredReportAdmin, WithdrawalRequestAdmin
from events.withholding.operations import bring_back

# The pages of the other rooms are registered by importing them.
__all__ = [
    "AppealAdmin", "ArbiterAdmin", "ErrorReportAdmin", "KeptBackReportAdmin", "NotRegisteredReportAdmin",
    "PenaltyAdmin", "PermissionRequestAdmin", "ReadingsAdmin",
    "SectionAdmin", "SubmissionAdmin", "WithdrawalRequestAdmin",
]  # fmt: skip


_LAST_POSITION = 32_767  # that a column of positions holds


class SectionInline(admin.TabularInline):
    """An event's sections, except those of a published list."""

    model = Section
    form = SectionAdminForm
    formset = SectionFormSet
    extra = 0
    show_change_link = True
    fields = ("position", "name", "format", "base_minutes", "increment_seconds", "planned_rounds", "starts", "ends")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Section]:
        """Return the open sections; for a POST all, so that a row published since the page was loaded gets its error."""
        rows = super().get_queryset(request)
        return rows if request.method == "POST" else rows.exclude(period__state__in=RatingPeriod.CLOSED)

    def has_add_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        """Allow new sections only until the event is accepted, since later ones would not be rated."""
        placed = obj is not None and obj.state in ACCEPTED_OR_LATER
        return not placed and super().has_add_permission(request, obj)


class AppointmentInline(admin.TabularInline):
    """An event's arbiters in order."""

    model = Appointment
    form = AppointmentForm
    formset = AppointmentFormSet
    extra = 0
    autocomplete_fields = ("arbiter",)


def _make_room(formset: Any) -> None:
    """Put rows whose positions change, or that are removed, where no row is or comes: they are saved one after the other, and
    two would have one position for a moment."""
    removed = formset.deleted_forms
    moved = [row.instance.pk for row in formset.initial_forms if row in removed or "position" in row.changed_data]
    if not moved:
        return
    taken = set(formset.queryset.values_list("position", flat=True))
    taken.update(row.cleaned_data.get("position") for row in formset.forms)
    free = (position for position in range(_LAST_POSITION, 0, -1) if position not in taken)
    for key, position in zip(moved, free, strict=False):
        formset.model.objects.filter(pk=key).update(position=position)


class PastAppointmentInline(ReadOnlyInline):
    """Arbiters who are appointed no more, or for other rounds or another position."""

    model = PastAppointment
    verbose_name_plural = "former appointments"
    fields = ("arbiter", "position", "first_round", "last_round", "since", "until", "by", "reason", "during")
    readonly_fields = fields
    related = ("event", "arbiter", "by")


class MoveInline(ReadOnlyInline):
    """An event's moves."""

    model = EventMove
    fields = ("at", "source", "target", "actor", "role", "reason")
    readonly_fields = fields
    related = ("event", "actor")


class OrganisingBodyFilter(admin.SimpleListFilter):
    """National events whose organising body waits for approval."""

    title = "organising body"
    parameter_name = "body"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the one choice besides all events."""
        return [("waiting", "of a national event, not approved")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Event]) -> QuerySet[Event]:
        """Return the events that wait, if these are asked for."""
        return queryset.filter(pk__in=waiting_for_approval().values("pk")) if self.value() else queryset


class BodyApprovalInline(ReadOnlyInline):
    """The approvals of the bodies that a national event has named."""

    model = BodyApproval
    verbose_name_plural = "approvals of the organising body"
    fields = ("body", "at", "by", "reason")
    readonly_fields = fields
    related = ("event", "by")


_WAITING = waiting_filter(
    late=("late registrations", late_registrations),
    clean=("submitted, clean", submitted_clean),
    holds=("submitted, with holds", submitted_with_holds),
    abroad=("results from abroad", from_abroad),
    unsent=("played, not sent in", played_not_sent_in),
    unchecked=("with a file that could not be checked", unchecked),
    notsent=("that could not be sent in", not_sent),
)


@admin.register(Event)
class EventAdmin(TrailAdmin, OnResultsAdmin, RecordedAdmin):
    """Events. Acceptance, return and refusal are actions with a reason."""

    list_display = ("name", "region", "kind", "starts", "ends", "state", "review")
    list_filter = (_WAITING, "state", "kind", OrganisingBodyFilter, "region")
    list_select_related = ("region",)
    search_fields = ("name", "place")
    date_hierarchy = "ends"
    inlines = (
        SectionInline,
        AppointmentInline,
        PastAppointmentInline,
        SenderInline,
        BodyApprovalInline,
        RefusalInline,
        MoveInline,
    )
    form = EventAdminForm
    action_form = EventActionForm
    actions = (
        "grant",
        "accept",
        "send_back",
        "refuse",
        "notify",
        "take_back",
        "bring_back",
        "approve",
        "take_back_approval",
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Event | None = None) -> tuple[str, ...]:
        """Return the fields that cannot be changed; with published sections also the LISTED ones."""
        return ("state", *LISTED, "listed_sections") if obj and closed_sections(obj) else ("state",)

    @admin.display(description="sections on published lists")
    def listed_sections(self, event: Event) -> str:
        """Return links to the event's published sections."""
        rows = [(row.pk, row.name or row.event.name, row.period) for row in closed_sections(event)]
        return format_html_join(", ", '<a href="../../../section/{}/change/">{} ({})</a>', rows)

    def get_inlines(self, request: HttpRequest, obj: Event | None) -> Any:
        """Return the inlines: events abroad have senders instead of arbiters, national ones approvals of their body."""
        kind = obj.kind if obj else ""
        left_out = AppointmentInline if kind == Kind.ABROAD else SenderInline
        inlines = [inline for inline in self.inlines if inline is not left_out]
        return [inline for inline in inlines if inline is not BodyApprovalInline or kind == Kind.NATIONAL]

    def has_delete_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        """Allow deletion of drafts only: a registered event stays on record, and is withdrawn with a reason."""
        return obj is not None and obj.state == State.DRAFT and super().has_delete_permission(request, obj)

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the columns: officers get the way to the review."""
        officer = self.has_change_permission(request)
        return self.list_display if officer else tuple(name for name in self.list_display if name != "review")

    @admin.display(description="decide")
    def review(self, event: Event) -> str:
        """Return a link to the review of an event."""
        address = reverse("admin:events_event_review", args=[event.pk])
        return format_html('<a href="{}">Review<span class="visually-hidden"> {}</span></a>', address, event.name)

    def get_urls(self) -> list[URLPattern]:
        """Add the review of an event."""
        return [*review_views.urls(), *super().get_urls()]

    def add_view(self, request: HttpRequest, *_: Any, **__: Any) -> HttpResponse:
        """Lead to the page of the registration, which checks it and asks for the reason if it is late (articles 12.2, 60)."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return redirect("events:register")

    def save_model(self, request: HttpRequest, obj: Event, form: Any, change: bool) -> None:
        """Save with a new version, so that a form loaded earlier cannot overwrite it, and with the reason in its history."""
        obj.version += 1
        obj._change_reason = shortened(form.cleaned_data.get(REASON, ""), LONGEST_CHANGE_REASON)  # type: ignore[attr-defined]
        super().save_model(request, obj, form, change)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Save the rows; changed sections are held for what their files no longer fit, former appointments kept."""
        event: Event = form.instance
        before = list(event.appointments.all())
        if formset.model in (Section, Appointment):
            _make_room(formset)
        super().save_formset(request, form, formset, change)
        if formset.model is Appointment:
            after, reason = list(event.appointments.all()), form.cleaned_data.get(REASON, "")
            end_appointments(event, before, after, at=timezone.now(), by=acting_user(request), reason=reason)
            Appointment.objects.bulk_update(after, ["since"])
        for row in formset.forms:
            record_holds(request, row)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save the rows; files are held for what they no longer fit of the changed event and its arbiters."""
        super().save_related(request, form, formsets, change)
        rows_changed = any(formset.model is Appointment and formset.has_changed() for formset in formsets)
        if rows_changed or EVENT_FACTS.intersection(form.changed_data):
            reason = form.cleaned_data.get(REASON, "")
            decision = {"at": timezone.now(), "by": acting_user(request), "reason": reason}
            record_changed_event(form.instance, **decision)
            record_changed_results(form.instance, **decision)

    def decide(
        self,
        request: HttpRequest,
        rows: QuerySet[Event],
        decision: Callable[[Event], list[tuple[str, int]]],
        done: str,
    ) -> None:
        """Run a decision on each event, and show what it tells of its mails."""

        def decide(row: Event) -> None:
            for text, level in decision(row):
                self.message_user(request, text, level)

        self.act_on_rows(request, rows, decide, done)

    @admin.action(description="Register although late (reason)", permissions=["change"])
    def grant(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """Permit late registrations (articles 12, 60)."""
        decision = self.decision(request)
        self.decide(request, rows, lambda row: decisions.grant(row, **decision), "registered")

    @admin.action(description="Accept for rating", permissions=["change"])
    def accept(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """Accept the events into their rating periods, those without open holds; penalties are applied with their reason."""
        decision = {**self.decision(request), "penalty_reason": request.POST.get("penalty_reason", "")}
        self.decide(request, rows, lambda row: decisions.accept(row, **decision), "accepted")

    @admin.action(description="Return to the region (reason)", permissions=["change"])
    def send_back(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """Return the events to the Regional Administrator, results from abroad to their sender."""
        decision = {**self.decision(request), "ground": request.POST.get("ground", "")}
        self.decide(request, rows, lambda row: decisions.send_back(row, **decision), "returned")

    @admin.action(description="Refuse (reason)", permissions=["change"])
    def refuse(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """Refuse the events; the region gets the reason and the last day to appeal (article 11)."""
        decision = {**self.decision(request), "ground": request.POST.get("ground", "")}
        self.decide(request, rows, lambda row: decisions.refuse(row, **decision), "refused")

    @admin.action(description="Refusal notified by letter (day, and how)", permissions=["change"])
    def notify(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """Record when those who may appeal were notified; from then on the days run (article 11)."""
        decision, day = self.decision(request), parse_date(request.POST.get("day", ""))

        def notify(row: Event) -> None:
            record_notice(standing_refusal(row), day, **decision)

        self.act_on_rows(request, rows, notify, "notified")

    @admin.action(description="Take back the refusal (reason)", permissions=["take_back"])
    def take_back(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """Take back refusals of whole events made in error, while no appeal is answered."""
        decision = self.decision(request)

        def lift(row: Event) -> list[tuple[str, int]]:
            refusal = standing_refusal(row)
            take_back(refusal, **decision)
            row.refresh_from_db()
            told = [mailed(send_taken_back(refusal, decision["reason"]))]
            tell_sender(row, at=timezone.now(), reason=row.moves.latest("pk").reason)
            return told

        self.decide(request, rows, lift, "no longer refused")

    @admin.action(description="Bring back what was withdrawn (reason)", permissions=["change"])
    def bring_back(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """Register withdrawn events again (article 57.3)."""
        decision = self.decision(request)

        def register_again(row: Event) -> None:
            bring_back(row, **decision)
            row.refresh_from_db()
            self.show_mailed(request, send_decision(row, decision["reason"], brought_back=True))

        self.act_on_rows(request, rows, register_again, "registered again")

    @admin.action(description="Approve the organising body of a national event (reason)", permissions=["change"])
    def approve(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """Approve the bodies that organise the events (article 62.4)."""
        decision = self.decision(request)
        self.act_on_rows(request, rows, lambda row: approve_body(row, **decision), "approved")

    @admin.action(description="Take back the approval of the organising body (reason)", permissions=["change"])
    def take_back_approval(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """Take back approvals of bodies, until the events are accepted (article 62.4)."""
        decision = self.decision(request)

        def take_back(row: Event) -> None:
            take_back_approval(row, **decision)
            self.show_mailed(request, send_approval_taken_back(row, decision["reason"]))

        self.act_on_rows(request, rows, take_back, "no longer approved")
