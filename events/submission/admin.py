"""The officers' pages for what was sent in: the file, what the checks found in it, and sending one in themselves."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from accounts.permissions import acting_user
from events.admin_base import ReadOnlyInline, ScopedAdmin
from events.models import EventMove, Submission, SubmissionFinding
from events.operations import EventError
from events.rules.findings import Severity
from events.rules.states import State
from events.submission.admin_forms import UploadForm
from events.submission.recording import resubmit, submit_new_event


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
    list_display = ("section", "event_state", "name", "format", "at", "by", "findings_count")
    list_filter = ("section__event__state", "format")
    list_select_related = ("section__event", "by")
    search_fields = ("section__event__name", "name")
    date_hierarchy = "at"
    inlines = (FindingInline, NoteInline)
    fields = ("section", "event_link", "original", "at", "by", "format", "encoding", "declaration", "said")
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

    @admin.display(description="file")
    def original(self, row: Submission) -> str:
        """To download as it came, with its hash."""
        event = row.section.event_id
        address = reverse("events:submitted", args=[event, row.pk])
        page = reverse("events:results", args=[event])
        return format_html(
            '<a href="{}">{}</a>, SHA-256 {}…; <a href="{}">checks and penalties on the results page</a>',
            address,
            row.name,
            row.file.sha256[:12],
            page,
        )

    @admin.display(description="reason for what is on hold")
    def said(self, row: Submission) -> str:
        """What the region said when it sent the file in."""
        moves = EventMove.objects.filter(event=row.section.event_id, target=State.SUBMITTED.value, at=row.at)
        return next((move.reason for move in moves), "") or "none"

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Adding is uploading."""
        return super().get_form(request, obj, change, **kwargs) if obj else UploadForm

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
        now, by = timezone.now(), acting_user(request)
        if prepared.file.section:
            event = resubmit(prepared, at=now, by=by)
        else:
            event = form.event
            event.starts, event.ends = prepared.starts or event.starts, prepared.ends or event.ends
            submit_new_event(prepared, event, at=now, by=by)
        return Submission.objects.filter(section__event=event).latest("pk")

    def save_model(self, request: HttpRequest, obj: Submission, form: Any, change: bool) -> None:
        """It is saved already."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """There is nothing beside it."""

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:
        """What the log says."""
        return [{"added": {}}] if add else []
