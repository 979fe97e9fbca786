"""The officers' pages for events, arbiters, penalties and submissions."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.text import Truncator

from accounts.models import User
from events.admin_forms import LISTED, EventDeskForm, SectionDeskForm, SectionRows, closed_sections
from events.findings import Severity
from events.forms import PenaltyForm, ReasonForm, UploadForm
from events.models import (
    Appointment,
    Arbiter,
    Entry,
    Event,
    EventMove,
    Membership,
    Penalty,
    Section,
    Submission,
    SubmissionFinding,
)
from events.operations import EventError, accept_event, move_event, return_event
from events.penalties import decide_penalties
from events.registrations import grant_late
from events.scope import events_of
from events.states import State
from events.submissions import resubmit, submit_new_event
from players.admin import RecordedAdmin
from ratings.models import RatingRun
from ratings.periods import closing_run


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 - the admin lets nobody else in
    return request.user


class ScopedAdmin(admin.ModelAdmin):
    """Shows only what belongs to an event that the user may see. `event_path` leads from the row to the event."""

    event_path = ""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows of the user's events."""
        rows = super().get_queryset(request)
        mine = events_of(_user(request))
        return rows.filter(**{f"{self.event_path}__in": mine}) if self.event_path else rows.filter(pk__in=mine)

    def act(self, request: HttpRequest, rows: QuerySet[Any], action: Callable[[Any], object], done: str) -> None:
        """Do something with each chosen row; say what worked and, row by row, what did not and why."""
        worked = 0
        for row in rows:
            try:
                action(row)
                worked += 1
            except EventError as error:
                said = str(error)
                self.message_user(request, said if said.startswith(str(row)) else f"{row}: {said}", messages.ERROR)
        if worked:
            self.message_user(request, f"{worked} {done}.", messages.SUCCESS)


class ReadOnlyInline(admin.TabularInline):
    """Rows that are shown, not edited."""

    extra = 0
    can_delete = False
    classes: tuple[str, ...] = ("only-rows",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False


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
        return rows if request.method == "POST" else rows.exclude(period__runs__state__in=RatingRun.CLOSING)

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
        """Nobody is logged in on the command line, nor at the turn of a month."""
        return str(row.actor) if row.actor else "command line or clock"


@admin.register(Event)
class EventAdmin(ScopedAdmin, RecordedAdmin):
    """Events; acceptance, return and refusal are actions with a reason."""

    list_display = ("name", "region", "kind", "starts", "ends", "state")
    list_filter = ("state", "kind", "region")
    list_select_related = ("region",)
    search_fields = ("name", "place")
    date_hierarchy = "ends"
    inlines = (SectionInline, AppointmentInline, MoveInline)
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

    def has_delete_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        """An event that was sent in stays on record."""
        fresh = obj is not None and obj.state in (State.DRAFT, State.REGISTERED)
        return fresh and super().has_delete_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Event, form: Any, change: bool) -> None:
        """Save; a new event is registered. An organiser's page that was opened before does not overwrite it."""
        obj.version += 1
        super().save_model(request, obj, form, change)
        if not change:
            move_event(obj, State.REGISTERED, at=timezone.now(), by=_user(request))

    @admin.action(description="Register although late (reason)", permissions=["change"])
    def grant(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """The permission that a late registration asks for (articles 12, 60)."""
        reason, now = request.POST.get("reason", ""), timezone.now()
        self.act(request, rows, lambda row: grant_late(row, at=now, by=_user(request), reason=reason), "registered")

    @admin.action(description="Accept for rating", permissions=["change"])
    def accept(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """Into the period of rating; open holds are waived with the reason."""
        reason, now = request.POST.get("reason", ""), timezone.now()
        self.act(request, rows, lambda row: accept_event(row, at=now, by=_user(request), reason=reason), "accepted")

    @admin.action(description="Return to the region (reason)", permissions=["change"])
    def send_back(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """Back to the Regional Administrator."""
        reason, now = request.POST.get("reason", ""), timezone.now()
        self.act(request, rows, lambda row: return_event(row, at=now, by=_user(request), reason=reason), "returned")

    @admin.action(description="Refuse (reason)", permissions=["change"])
    def refuse(self, request: HttpRequest, rows: QuerySet[Event]) -> None:
        """Not to be rated (article 11)."""
        reason, now = request.POST.get("reason", ""), timezone.now()
        self.act(
            request,
            rows,
            lambda row: move_event(row, State.REFUSED, at=now, by=_user(request), reason=reason),
            "refused",
        )


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

    def get_readonly_fields(self, request: HttpRequest, obj: Section | None = None) -> tuple[str, ...]:
        """A section stays with its event."""
        return ("period", "event") if obj else ("period",)

    def has_change_permission(self, request: HttpRequest, obj: Section | None = None) -> bool:
        """What a published list was calculated from is only read; what is published meanwhile, the form says."""
        closed = obj and obj.period and closing_run(obj.period)
        shown = closed and request.method != "POST"
        return not shown and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Section | None = None) -> bool:
        """Sections go with their event."""
        return False


class MembershipInline(admin.TabularInline):
    """An arbiter's paid years."""

    model = Membership
    extra = 0


@admin.register(Arbiter)
class ArbiterAdmin(admin.ModelAdmin):
    """Arbiters."""

    list_display = ("name", "title", "number", "fide_id")
    list_filter = ("title",)
    search_fields = ("name", "number")
    autocomplete_fields = ("player",)
    inlines = (MembershipInline,)


@admin.register(Penalty)
class PenaltyAdmin(ScopedAdmin, RecordedAdmin):
    """Proposed penalties are confirmed or dropped."""

    event_path = "section__event"
    list_display = ("player", "status", "lost", "section", "why")
    list_filter = ("status", "kind")
    list_select_related = ("player", "section__event")
    search_fields = ("player__last_name", "player__number", "section__event__name")
    autocomplete_fields = ("player", "section")
    form = PenaltyForm
    action_form = ReasonForm
    actions = ("confirm", "drop")

    @admin.display(description="for", ordering="round")
    def lost(self, row: Penalty) -> str:
        """What the points are lost for."""
        return f"{row.points.normalize():f}, {row.kind} in round {row.round}"

    @admin.display(description="reason")
    def why(self, row: Penalty) -> str:
        """The beginning of the reason; the penalty's page has all of it."""
        return Truncator(row.reason).chars(60)

    def get_readonly_fields(self, request: HttpRequest, obj: Penalty | None = None) -> tuple[str, ...]:
        """A penalty is proposed here; deciding it is an action."""
        return (
            ("status", "reason")
            if obj is None
            else ("section", "player", "round", "kind", "points", "status", "reason")
        )

    def has_delete_permission(self, request: HttpRequest, obj: Penalty | None = None) -> bool:
        """It is dropped with a reason instead."""
        return False

    @admin.action(description="Confirm: it was without notice", permissions=["change"])
    def confirm(self, request: HttpRequest, rows: QuerySet[Penalty]) -> None:
        """The points are lost."""
        reason = request.POST.get("reason", "")
        self.act(
            request, rows, lambda row: decide_penalties([row], Penalty.Status.CONFIRMED, reason=reason), "confirmed"
        )

    @admin.action(description="Drop (reason)", permissions=["change"])
    def drop(self, request: HttpRequest, rows: QuerySet[Penalty]) -> None:
        """The points are kept."""
        reason = request.POST.get("reason", "")
        self.act(request, rows, lambda row: decide_penalties([row], Penalty.Status.DROPPED, reason=reason), "dropped")


class FindingInline(ReadOnlyInline):
    """What the checks found and somebody must decide."""

    model = SubmissionFinding
    verbose_name_plural = "findings that ask for a decision"
    fields = ("severity", "article", "line", "column", "message", "waived", "waived_reason")
    readonly_fields = fields

    @admin.display(description="waived by")
    def waived(self, row: SubmissionFinding) -> str:
        """Nobody is logged in on the command line."""
        return "" if row.waived_at is None else str(row.waived_by) if row.waived_by else "on the command line"

    def get_queryset(self, request: HttpRequest) -> QuerySet[SubmissionFinding]:
        """Without the notes."""
        return super().get_queryset(request).exclude(severity=Severity.NOTE.value)


class NoteInline(ReadOnlyInline):
    """What the checks found and only say; folded."""

    model = SubmissionFinding
    verbose_name_plural = "notes"
    classes = ("only-rows", "collapse")
    fields = ("article", "line", "column", "message")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[SubmissionFinding]:
        """The notes alone."""
        return super().get_queryset(request).filter(severity=Severity.NOTE.value)


@admin.register(Submission)
class SubmissionAdmin(ScopedAdmin):
    """Files that were sent in. Adding one reads it, checks it and registers its event; what blocks is said at the file."""

    event_path = "section__event"
    list_display = ("section", "event_state", "file", "format", "at", "by", "findings_count")
    list_filter = ("section__event__state", "format")
    list_select_related = ("section__event", "file", "by")
    search_fields = ("section__event__name", "file__name")
    date_hierarchy = "at"
    inlines = (FindingInline, NoteInline)
    fields = ("section", "event_link", "file", "at", "by", "format", "encoding")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Without the files' content."""
        return super().get_queryset(request).defer("file__content").prefetch_related("findings")

    @admin.display(description="state")
    def event_state(self, row: Submission) -> str:
        """Where the event stands."""
        return row.section.event.state

    @admin.display(description="findings")
    def findings_count(self, row: Submission) -> str:
        """How many of each severity."""
        found = [finding.severity for finding in row.findings.all()]
        counts = [f"{found.count(word)} {word}{'s' if found.count(word) > 1 else ''}" for word in ("hold", "note")]
        return ", ".join(count for count in counts if not count.startswith("0")) or "none"

    @admin.display(description="event")
    def event_link(self, row: Submission) -> str:
        """The event, where it is accepted or returned."""
        event = row.section.event
        return format_html('<a href="../../../event/{}/change/">{} ({})</a>', event.pk, event.name, event.state)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Adding is uploading."""
        if obj:
            return super().get_form(request, obj, change, **kwargs)
        return type("UploadForm", (UploadForm,), {"user": _user(request)})

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """What somebody else did between the check and the writing is said, like any other hindrance."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except EventError as error:
            self.message_user(request, str(error), messages.ERROR)
            return HttpResponseRedirect(request.path)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """The upload's fields, or the record's."""
        return super().get_fieldsets(request, obj) if obj else [(None, {"fields": list(UploadForm.declared_fields)})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """A record is not edited."""
        return self.readonly_fields if obj else ()

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        """Findings exist once the file is read."""
        return self.inlines if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A file that was sent in stays on record."""
        return False

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        """Submit the file in its form; the record is the submission that this makes."""
        if change:
            return super().save_form(request, form, change)
        prepared = form.prepared
        details = replace(
            form.details, starts=prepared.starts or form.details.starts, ends=prepared.ends or form.details.ends
        )
        now, by = timezone.now(), _user(request)
        event = (
            resubmit(prepared, at=now, by=by)
            if prepared.file.section
            else submit_new_event(prepared, details, at=now, by=by)
        )
        return Submission.objects.filter(section__event=event).latest("pk")

    def save_model(self, request: HttpRequest, obj: Submission, form: Any, change: bool) -> None:
        """It is saved already."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """There is nothing beside it."""

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:
        """What the log says."""
        return [{"added": {}}] if add else []
