"""The officers' pages for lists that they bring in: upload, progress, confirmation."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.permissions import acting_user
from config.lib.admin import never
from config.lib.csv_lines import csv_lines
from config.lib.waking import say_kept
from ratings.models import ImportJob
from ratings.moving_in.desks import DESKS
from ratings.moving_in.first_steps import first_steps
from ratings.moving_in.jobs.operations import (
    ImportRefusedError,
    State,
    as_shown,
    ask_for,
    cancel_job,
    create_job,
    discard_job,
    require_as_shown,
)
from ratings.moving_in.jobs.outlook import can_cancel, outlook
from ratings.moving_in.tasks import wake_importer

_FOLDER = "admin/ratings/importjob"


@admin.register(ImportJob)
class ImportJobAdmin(admin.ModelAdmin):
    """Lists that officers have brought in, and the pages on which they do."""

    list_display = ("__str__", "how_far", "at", "by")
    list_filter = ("kind", "state")
    list_select_related = ("by",)
    change_list_template = f"{_FOLDER}/change_list.html"
    has_add_permission = has_delete_permission = never

    @admin.display(description="state", ordering="state")
    def how_far(self, job: ImportJob) -> str:
        """Return the state, with the progress while a worker has the job."""
        under_way = f", {job.progress} %" if job.under_way else ""
        return f"{job.get_state_display()}{under_way}"

    def get_urls(self) -> list[URLPattern]:
        """Add the first steps of a bureau, and the page that asks for a file."""
        begin = self.admin_site.admin_view(require_safe(self.first_steps_view))
        bring = self.admin_site.admin_view(self.bring_view)
        return [
            path("first-steps/", begin, name="ratings_importjob_first_steps"),
            path("bring/<slug:kind>/", bring, name="ratings_importjob_bring"),
            *super().get_urls(),
        ]

    def first_steps_view(self, request: HttpRequest) -> HttpResponse:
        """Show the way from an empty bureau to its first list."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        steps = first_steps(settings.BRAND)
        return self._page(request, "first_steps", {"title": "First steps", "steps": steps, "running": steps[-1].done})

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the jobs, with the ways to bring in another list."""
        desks = DESKS.values() if self.has_change_permission(request) else ()
        answer: HttpResponse = super().changelist_view(request, {**(extra_context or {}), "desks": desks})
        return answer

    def bring_view(self, request: HttpRequest, kind: str) -> HttpResponse:
        """Take a file and have a worker read it."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        if kind not in DESKS:
            raise Http404("There is no such list.")
        desk = DESKS[kind]
        form = desk.form(desk, request.POST, request.FILES) if request.method == "POST" else desk.form(desk)
        if form.is_valid():
            file = form.cleaned_data["file"]
            job = create_job(
                desk.kind,
                filename=file.name,
                chunks=file.chunks(),
                at=timezone.now(),
                by=acting_user(request),
                how=form.how(),
            )
            wake_importer(job, say_kept(request))
            return _to(job)
        context = {"title": desk.title, "desk": desk, "form": form}
        return self._page(request, "bring", context, status=422 if form.errors else 200)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show a job: its progress while a worker has it, else the page of its kind; do what its buttons say."""
        job = self.get_object(request, object_id)
        if not self.has_view_permission(request, job):
            raise PermissionDenied
        if job is None:
            raise Http404("There is no such list.")
        desk = DESKS[job.kind]
        if request.method == "POST":
            if not self.has_change_permission(request, job):
                raise PermissionDenied
            return self._act(request, job)
        context = {"title": desk.title, "desk": desk, "job": job, "quiet": outlook(job, at=timezone.now())}
        context["as_shown"] = as_shown(job)
        if job.under_way:
            may = self.has_change_permission(request, job)
            return self._page(request, "job", {**context, "can_cancel": may and can_cancel(job)})
        if desk.rows is not None and request.GET.get("format") == "csv":
            return _csv(f"{job.kind}-{job.pk}.csv", desk.rows(job))
        return self._page(request, desk.template, {**context, **desk.shown(request, job)})

    def _act(self, request: HttpRequest, job: ImportJob) -> HttpResponse:
        desk, do = DESKS[job.kind], request.POST.get("do", "")
        at, by = timezone.now(), acting_user(request)
        text = ""
        try:
            with transaction.atomic():
                if "shown" in request.POST:  # of the buttons that concern the whole list
                    require_as_shown(job, request.POST["shown"])
                if do == "discard":
                    discard_job(job, at=at, by=by)
                    text = f"{job} is put away; nothing of it was taken."
                elif do == "cancel":
                    cancel_job(job, at=at, by=by)
                elif do == "again":
                    ask_for(job, State.READING, at=at, by=by)
                elif do in desk.acts:
                    text = desk.acts[do](request, job)
            if text:
                self.message_user(request, text, messages.SUCCESS)
            job.refresh_from_db()
            if job.under_way:
                wake_importer(job, say_kept(request))
        except ImportRefusedError as error:
            self.message_user(request, str(error), messages.ERROR)
        return _to(job, request.POST.get("back", ""))

    def _page(self, request: HttpRequest, name: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
        whole = {**self.admin_site.each_context(request), "opts": self.opts, **context}
        return render(request, f"{_FOLDER}/{name}.html", whole, status=status)


def _csv(name: str, rows: Iterator[Sequence[Any]]) -> HttpResponse:
    answer = HttpResponse(csv_lines(rows), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _to(job: ImportJob, back: str = "") -> HttpResponse:
    """Lead to a job's page; `back`: the query of the page from which the officer came."""
    query = f"?{back}" if back else ""
    return HttpResponseRedirect(f"{reverse('admin:ratings_importjob_change', args=[job.pk])}{query}")
