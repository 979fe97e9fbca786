"""The officers' pages for events, arbiters, penalties and submissions."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html_join

from accounts.permissions import acting_user
from config.lib.admin import ReasonForm, RecordedAdmin
from events.abroad.mails import tell_sender
from events.admin_base import GameAbroadInline, ReadOnlyInline, ScopedAdmin, SenderInline
from events.admin_forms import LISTED, EventDeskForm, SectionDeskForm, SectionRows, closed_sections
from events.appeals.admin import AppealAdmin, PermissionRequestAdmin, RefusalInline
from events.appeals.operations import refuse_section
from events.arbiters.admin import ArbiterAdmin
from events.mails import send_decision, send_refusal
from events.models import Appointment, Entry, Event, EventMove, Kind, RatingPeriod, Section
from events.operations import accept_event, move_event, return_event
from events.penalties.admin import PenaltyAdmin
from events.registration.operations import grant_late
from events.rules.states import State
from events.submission.admin import SubmissionAdmin
from events.tasks import tell_accepted

# The pages of the other rooms are registered by importing them.
__all__ = ["AppealAdmin", "ArbiterAdmin", "PenaltyAdmin", "PermissionRequestAdmin", "SubmissionAdmin"]


class SectionInline(admin.TabularInline):
    """An event's sections. Those that a published list was calculated from are not among them."""

    model = Section
    form = SectionDeskForm
    formset = SectionRows
    extra = 0
    show_change_link = True
    fields = ("position", "name", "format", "base_minutes", "increment_seconds", "planned_rounds", "starts", "ends")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Section]:
        """A row that was sent is looked at, and answered, even when its list was published since."""
        rows = super().get_queryset(request)
        return rows if request.method == "POST" else rows.exclude(period__state__in=RatingPeriod.CLOSED)

    def has_add_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        """Until the event is accepted: one that comes later is not rated."""
        placed = obj is not None and obj.state in (State.ACCEPTED, State.CALCULATED, State.PUBLISHED)
        return not placed and super().has_add_permission(request, obj)


class AppointmentInline(admin.TabularInline):
    """An event's arbiters in order."""

    model = Appointment
    extra = 0
    autocomplete_fields = ("arbiter",)


class MoveInline(ReadOnlyInline):
    """An event's trail."""

    model = EventMove
    fields = ("at", "source", "target", "who", "reason")
    readonly_fields = fields

    @admin.display(description="by")
    def who(self, row: EventMove) -> str:
        """Nobody is logged in on the command line, at the turn of a month, or behind a mailed link."""
        if row.actor:
            return str(row.actor)
        by_link = row.event.kind == Kind.ABROAD and row.target in (State.REGISTERED, State.SUBMITTED)
        return "player or team manager" if by_link else "command line or clock"


@admin.register(Event)
class EventAdmin(ScopedAdmin, RecordedAdmin):
    """Events; acceptance, return and refusal are actions with a reason."""

    list_display = ("name", "region", "kind", "starts", "ends", "state")
    list_filter = ("state", "kind", "region")
    list_select_related = ("region",)
    search_fields = ("name", "place")
    date_hierarchy = "ends"
    inlines = (SectionInline, AppointmentInline, SenderInline, RefusalInline, MoveInline)
    form = EventDeskForm
    action_form = ReasonForm
    actions = ("grant", "accept", "send_back", "refuse")

    def get_readonly_fields(self, request: HttpRequest, obj: Event | None = None) -> tuple[str, ...]:
        """What its published sections are listed with stays."""
        return ("state", *LISTED, "listed_sections") if obj and closed_sections(obj) else ("state",)

    @admin.display(description="sections on published lists")
    def listed_sections(self, event: Event) -> str:
        """They stay as they are."""
        rows = [(row.pk, row.name or row.event.name, row.period) for row in closed_sections(event)]
        return format_html_join(", ", '<a href="../../../section/{}/change/">{} ({})</a>', rows)

    def get_inlines(self, request: HttpRequest, obj: Event | None) -> Any:
        """Events abroad have senders, the others arbiters."""
        left_out = AppointmentInline if obj and obj.kind == Kind.ABROAD else SenderInline
        return [inline for inline in self.inlines if inline is not left_out]

    def has_delete_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        """An event that was sent in stays on record."""
        fresh = obj is not None and obj.state in (State.DRAFT, State.REGISTERED)
        return fresh and super().has_delete_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Event, form: Any, change: bool) -> None:
        """Save; a new event is registered. An organiser's page that was opened before does not overwrite it."""
        obj.version += 1
        super().save_model(request, obj, form, change)
        if not change:
            move_event(obj, State.REGISTERED, at=timezone.now(), by=acting_user(request))

    @admin.action(description="Register although late (reason)", permissions=["change"])
    def grant(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """The permission that a late registration asks for (articles 12, 60)."""
        reason, now = request.POST.get("reason", ""), timezone.now()

        def grant(row: Event) -> None:
            grant_late(row, at=now, by=acting_user(request), reason=reason)
            row.refresh_from_db()
            self.tell(request, lambda: send_decision(request, row, reason))

        self.act(request, rows, grant, "registered")

    def decide(
        self, request: HttpRequest, rows: QuerySet[Event], decision: Callable[[Event], object], done: str
    ) -> None:
        """Decide on each chosen event; whoever sent one in by a mailed link is told by mail."""

        def decided(row: Event) -> None:
            decision(row)
            try:
                tell_sender(request, row, at=timezone.now(), reason=request.POST.get("reason", ""))
            except OSError as error:
                said = f"{row} is {done}, but the mail to its sender could not be sent: {error}"
                self.message_user(request, said, messages.WARNING)

        self.act(request, rows, decided, done)

    @admin.action(description="Accept for rating", permissions=["change"])
    def accept(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """Into the period of rating; open holds are waived with the reason."""
        reason, now = request.POST.get("reason", ""), timezone.now()

        accepted: list[Event] = []

        def accept(row: Event) -> None:
            accept_event(row, at=now, by=acting_user(request), reason=reason)
            if row.kind != Kind.ABROAD:
                accepted.append(row)

        self.decide(request, rows, accept, "accepted")
        if not tell_accepted(accepted):
            self.message_user(request, "The queue is down: the regions were not told by mail.", messages.WARNING)

    @admin.action(description="Return to the region (reason)", permissions=["change"])
    def send_back(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """Back to the Regional Administrator; results from abroad to whoever sent them in."""
        reason, now = request.POST.get("reason", ""), timezone.now()

        def send_back(row: Event) -> None:
            return_event(row, at=now, by=acting_user(request), reason=reason)
            if row.kind != Kind.ABROAD:
                self.tell(request, lambda: send_decision(request, row, reason))

        self.decide(request, rows, send_back, "returned")

    @admin.action(description="Refuse (reason)", permissions=["change"])
    def refuse(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """Not to be rated: the region is told why, and how long it may appeal (article 11)."""
        reason, now = request.POST.get("reason", ""), timezone.now()

        def refuse(row: Event) -> None:
            move_event(row, State.REFUSED, at=now, by=acting_user(request), reason=reason)
            self.tell(request, lambda: send_refusal(request, row.refusals.latest("pk")))

        self.decide(request, rows, refuse, "refused")


class EntryInline(ReadOnlyInline):
    """A section's players."""

    model = Entry
    fields = ("rank", "number", "name_in_file", "player", "points", "match_reason")
    readonly_fields = fields


@admin.register(Section)
class SectionAdmin(ScopedAdmin):
    """Sections."""

    event_path = "event"
    list_display = ("__str__", "format", "base_minutes", "increment_seconds", "ends", "period")
    list_filter = ("format", "event__region")
    list_select_related = ("event", "period")
    search_fields = ("name", "event__name")
    autocomplete_fields = ("event",)
    form = SectionDeskForm
    inlines = (EntryInline,)
    action_form = ReasonForm
    actions = ("refuse",)

    @admin.action(description="Refuse, and rate the rest of the event (reason)", permissions=["change"])
    def refuse(self, request: HttpRequest, rows: QuerySet[Section]) -> None:
        """Not to be rated, without the rest of its event: the region is told why, and how long it may appeal (article 11)."""
        reason, now = request.POST.get("reason", ""), timezone.now()

        def refuse(row: Section) -> None:
            refusal = refuse_section(row, at=now, by=acting_user(request), reason=reason)
            self.tell(request, lambda: send_refusal(request, refusal))

        self.act(request, rows, refuse, "refused")

    def get_inlines(self, request: HttpRequest, obj: Section | None) -> Any:
        """Abroad the games too: there is no file to look into."""
        return (*self.inlines, GameAbroadInline) if obj and obj.event.kind == Kind.ABROAD else self.inlines

    def get_readonly_fields(self, request: HttpRequest, obj: Section | None = None) -> tuple[str, ...]:
        """A section stays with its event."""
        return ("period", "event") if obj else ("period",)

    def has_change_permission(self, request: HttpRequest, obj: Section | None = None) -> bool:
        """What a published list was calculated from is only read; what is published meanwhile, the form says."""
        closed = obj and obj.period and obj.period.closed
        shown = closed and request.method != "POST"
        return not shown and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Section | None = None) -> bool:
        """Sections go with their event."""
        return False
