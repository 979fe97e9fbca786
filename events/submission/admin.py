"""Admin page for submitted files and their findings, where officers also upload files themselves."""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join

from accounts.permissions import acting_user
from config.lib.admin import ShownAdmin, never
from config.lib.formatting import count
from config.lib.parsing import parse_pk
from events.admin_base import ReadOnlyInline, ScopedAdmin
from events.attachments.queries import proofs
from events.models import Attachment, EventMove, Submission, SubmissionFinding
from events.operations import EventError
from events.rules.findings import Severity
from events.rules.states import State
from events.submission.admin_forms import UploadForm
from events.submission.recording import resubmit, submit_new_event

_SEVERITIES = (Severity.HOLD.value, Severity.NOTE.value)  # of what is submitted


class _Findings(ReadOnlyInline):
    """Findings of a file; its page names the first ones."""

    model = SubmissionFinding

    def all_rows(self, parent: Any) -> str:
        """Return the address of all findings as CSV."""
        return reverse("events:findings-submitted", args=[parent.section.event_id, parent.pk])


class FindingInline(_Findings):
    """The findings that an officer decides."""

    verbose_name_plural = "findings that ask for a decision"
    attached: Mapping[str, list[Attachment]] = {}  # code → proofs; read for each request
    fields = ("severity", "article", "line", "column", "message", "proofs", "waived", "waived_reason")
    readonly_fields = fields
    related = ("waived_by",)

    @admin.display(description="proofs")
    def proofs(self, row: SubmissionFinding) -> str:
        """Return links to the files attached to the finding, for those who may read them."""
        links = [
            (reverse("events:attachment", args=[found.pk]), found.name, f" ({found.note})" if found.note else "")
            for found in self.attached.get(row.code, [])
        ]
        return format_html_join(", ", '<a href="{}">{}</a>{}', links) or "–"

    @admin.display(description="waived by")
    def waived(self, row: SubmissionFinding) -> str:
        """Return who waived the finding; commands have no user."""
        return "" if row.waived_at is None else str(row.waived_by) if row.waived_by else "on the command line"

    def get_queryset(self, request: HttpRequest) -> QuerySet[SubmissionFinding]:
        """Return the findings except notes, and keep the proofs of the event for their column."""
        key = parse_pk(str(request.resolver_match.kwargs.get("object_id", ""))) if request.resolver_match else None
        submission = Submission.objects.filter(pk=key).select_related("section__event").first() if key else None
        if submission is not None:
            self.attached = proofs(submission.section.event, acting_user(request))
        return super().get_queryset(request).exclude(severity=Severity.NOTE.value)


class NoteInline(_Findings):
    """The notes, folded."""

    verbose_name_plural = "notes"
    classes = ("only-rows", "collapse")
    fields = ("article", "line", "column", "message")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[SubmissionFinding]:
        """Return only the notes."""
        return super().get_queryset(request).filter(severity=Severity.NOTE.value)


@admin.register(Submission)
class SubmissionAdmin(ShownAdmin, ScopedAdmin):
    """Submitted files. Adding one reads and checks it and registers its event; errors are shown at the file."""

    event_path = "section__event"
    list_display = ("section", "event_state", "name", "format", "at", "by", "findings_count")
    list_filter = ("section__event__state", "format")
    list_select_related = ("section__event", "by")
    search_fields = ("section__event__name", "name")
    date_hierarchy = "at"
    inlines = (FindingInline, NoteInline)
    fields = ("section", "event_link", "original", "at", "by", "format", "encoding", "declaration", "reason")
    readonly_fields = fields
    has_delete_permission = never  # submitted files stay on record

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the submissions without the content of their files, with how many holds and notes they have."""
        numbers = {f"{word}s": Count("findings", filter=Q(findings__severity=word)) for word in _SEVERITIES}
        rows: QuerySet[Any] = super().get_queryset(request).defer("file__content").annotate(**numbers)
        return rows

    @admin.display(description="state")
    def event_state(self, row: Submission) -> str:
        """Return the state of the event."""
        return row.section.event.state

    @admin.display(description="findings")
    def findings_count(self, row: Submission) -> str:
        """Return the numbers of holds and notes in words."""
        numbers = {word: getattr(row, f"{word}s") for word in _SEVERITIES}
        counts = [count(number, word) for word, number in numbers.items() if number]
        return ", ".join(counts) or "none"

    @admin.display(description="event")
    def event_link(self, row: Submission) -> str:
        """Return a link to the event, where it is accepted or returned."""
        event = row.section.event
        return format_html('<a href="../../../event/{}/change/">{} ({})</a>', event.pk, event.name, event.state)

    @admin.display(description="file")
    def original(self, row: Submission) -> str:
        """Return links to the file, with its hash, and to the results page."""
        event = row.section.event_id
        address = reverse("events:submitted", args=[event, row.pk])
        page = reverse("events:results", args=[event])
        markup = '<a href="{}">{}</a>, SHA-256 {}…; <a href="{}">checks and penalties on the results page</a>'
        return format_html(markup, address, row.name, row.file.sha256[:12], page)

    @admin.display(description="reason for what is on hold")
    def reason(self, row: Submission) -> str:
        """Return the reason that the region gave when it submitted the file."""
        moves = EventMove.objects.filter(event=row.section.event_id, target=State.SUBMITTED.value, at=row.at)
        return next((move.reason for move in moves), "") or "none"

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Return the form: to add is to upload a file."""
        return super().get_form(request, obj, change, **kwargs) if obj else UploadForm

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Show the page. What another user did between check and writing is shown as an error."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except EventError as error:
            self.message_user(request, str(error), messages.ERROR)
            return HttpResponseRedirect(request.path)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields of the upload, or of the submission."""
        return super().get_fieldsets(request, obj) if obj else [(None, {"fields": list(UploadForm.declared_fields)})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return all fields of a submission, which is not edited."""
        return self.readonly_fields if obj else ()

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        """Return the lists of findings, which exist once the file is read."""
        return self.inlines if obj else ()

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        """Submit the file and return the submission."""
        if change:
            return super().save_form(request, form, change)
        validated = form.validated
        now, by = timezone.now(), acting_user(request)
        if validated.file.section:
            event = resubmit(validated, at=now, by=by)
        else:
            event = submit_new_event(validated, form.event, at=now, by=by, late_reason=form.cleaned_data["late_reason"])
        return Submission.objects.filter(section__event=event).latest("pk")

    def save_model(self, request: HttpRequest, obj: Submission, form: Any, change: bool) -> None:
        """Do nothing: `save_form` has saved it."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Do nothing: there are no related rows to save."""

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:
        """Return the text for the log."""
        return [{"added": {}}] if add else []
