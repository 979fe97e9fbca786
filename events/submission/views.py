"""The page on which an event's results are sent in, and what all actions on it share (`actions.py`)."""

from collections.abc import Callable
from functools import wraps
from io import BytesIO
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.permissions import acting_user
from config.languages import in_readers_style
from config.lib import formatting
from config.lib.parsing import parse_pk
from events.access import administers, may_write, visible_events
from events.attachments.forms import TAKEN
from events.files.csv.template import write_template
from events.models import Event, Kind, Submission, SubmittedFile, Upload
from events.operations import EventError, sections_to_rate
from events.penalties.operations import ANSWERABLE
from events.rules.limits import MAX_BYTES
from events.rules.states import AWAITING_RESULTS
from events.submission.correction_forms.base import CorrectionForm
from events.submission.correction_forms.penalties import NoticeForm
from events.submission.correction_forms.section import FilesForm
from events.submission.csv_lists import matched_players, reported_findings, submitted_findings
from events.submission.csv_table import registered_table
from events.submission.declarations import is_being_sent
from events.submission.operations import DECLARATION
from events.submission.page import results_page
from events.submission.proofs import proofs_block
from events.submission.recall import sent
from events.submission.tasks import bring_up_to_date
from players.administrators import birth_date_regions


class AnswerAgain(Exception):
    """The page is shown once more, with a form that has errors, or with what cannot be done."""

    def __init__(
        self, *, bound: CorrectionForm | NoticeForm | None = None, problem: str = "", anchor: str = ""
    ) -> None:
        super().__init__(problem)
        self.bound, self.problem, self.anchor = bound, problem, anchor


@login_required
@never_cache
@require_safe
def results(request: HttpRequest, event: int) -> HttpResponse:
    """The page: upload, check, correct, answer for penalties, submit."""
    shown = _shown_event(request, event)
    if shown.kind == Kind.ABROAD and shown.state in AWAITING_RESULTS:
        return redirect(f"{reverse('events:abroad')}?event={shown.pk}")
    if after := parse_pk(request.GET.get("after", "")):
        return redirect(f"{reverse('events:results', args=[event])}#{_next_open(shown, after)}")
    return _page(request, shown, AnswerAgain())


def action(*, by_arbiters: bool = False) -> Callable[[Callable[..., str]], Callable[..., HttpResponse]]:
    """Make a view of an action: POST by an administrator of the event's region, or `by_arbiters`, by who serves at it, too.

    The action takes the request, the event, the clock and the keys of its address; it returns the anchor on the page to
    which it leads. Where it raises AnswerAgain or EventError, the page is the answer, with status 422.
    """

    def decorate(perform: Callable[..., str]) -> Callable[..., HttpResponse]:
        @login_required
        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(perform)
        def view(request: HttpRequest, event: int, **keys: Any) -> HttpResponse:
            shown, now = _shown_event(request, event), timezone.now()
            if request.method != "POST":  # who had to log in first, or asks for the address of an answer again
                return redirect("events:results", event)
            user = acting_user(request)
            mine = may_write(user, shown)
            if not mine and not (by_arbiters and _serves(user, shown)):
                raise PermissionDenied
            try:
                if is_being_sent(shown):
                    raise EventError(gettext("it is being sent in at this moment: wait until that is done"))
                if mine:
                    bring_up_to_date(shown, at=now)
                anchor = perform(request, shown, now, **keys)
            except AnswerAgain as again:
                refused = again
            except EventError as error:
                refused = AnswerAgain(problem=formatting.sentence(str(error)))
            else:
                return redirect(f"{reverse('events:results', args=[event])}#{_place(request, shown, anchor)}")
            with in_readers_style():
                return _page(request, shown, refused)

        return view

    return decorate


def _place(request: HttpRequest, event: Event, anchor: str) -> str:
    """Return where an action leads: of `next-5` the next open question of section 5. With script the page finds it itself."""
    section = anchor.removeprefix("next-")
    if section == anchor:
        return anchor
    if "HX-Request" in request.headers:
        return f"section-{section}"
    return _next_open(event, int(section))


def _next_open(event: Event, section: int) -> str:
    return results_page(event, today=timezone.localdate()).next_open(section)


def _shown_event(request: HttpRequest, event: int) -> Event:
    return get_object_or_404(visible_events(acting_user(request)).select_related("region"), pk=event)


def _serves(user: User, event: Event) -> bool:
    return event.appointments.filter(arbiter__user=user).exists()


def _page(request: HttpRequest, event: Event, again: AnswerAgain) -> HttpResponse:
    user = acting_user(request)
    mine = may_write(user, event)
    page = results_page(
        event,
        today=timezone.localdate(),
        bound=again.bound,
        renewed=mine,
        births_of=birth_date_regions(user),
    )
    problems = [(again.anchor, again.problem)] if again.problem else []
    if again.bound is not None:
        prefix = str(again.bound.prefix)
        for name, errors in again.bound.errors.items():
            problems += [(prefix if name == "__all__" else f"id_{prefix}-{name}", str(error)) for error in errors]
    context = {
        "here": "events",
        "page": page,
        "event": event,
        "mine": mine,
        "may_answer": (mine or _serves(user, event)) and event.state in ANSWERABLE,
        "files": FilesForm(sections_to_rate(event).order_by("position", "pk")),
        "declaration": gettext(DECLARATION),
        "proofs": proofs_block(event) if mine else None,
        "taken": TAKEN,
        "reason": request.POST.get("reason", ""),
        "sent": sent(event) if mine else None,
        "recallable": administers(user, event.region),
        "recall_reason": request.POST.get("recall_reason", ""),
        "problems": problems,
        "megabytes": MAX_BYTES // 1_000_000,
    }
    response = render(request, "events/submission/results.html", context, status=422 if problems else 200)
    if "X-Poll" in request.headers and not page.open:  # sent in since: the head of the page says something else now
        response["HX-Refresh"] = "true"
    return response


@login_required
@never_cache
@require_safe
def csv_template(request: HttpRequest, event: int) -> HttpResponse:
    """A table of results to fill in, for who may see the event: with what is registered, or with `example` as an example."""
    shown = _shown_event(request, event)
    example = "example" in request.GET
    text = (
        write_template()
        if example
        else write_template(**registered_table(shown, parse_pk(request.GET.get("section", ""))))
    )
    name = "results-example.csv" if example else "results.csv"
    return _csv(text, name)


def _csv(text: str, name: str) -> HttpResponse:
    response = HttpResponse(f"\ufeff{text}", content_type="text/csv; charset=utf-8")  # the mark is for spreadsheets
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@login_required
@never_cache
@require_safe
def original(request: HttpRequest, event: int, upload: int) -> FileResponse:
    """An uploaded file as it came, byte for byte, for who may see the event."""
    found = _visible_upload(request, event, upload)
    return _file(found.file, found.file.name_of(found.name))


@login_required
@never_cache
@require_safe
def findings(request: HttpRequest, event: int, upload: int) -> HttpResponse:
    """All findings of an uploaded file as CSV, for who may see the event."""
    return _csv(reported_findings(_visible_upload(request, event, upload).report), "findings.csv")


@login_required
@never_cache
@require_safe
def matched(request: HttpRequest, event: int, upload: int) -> HttpResponse:
    """All players of an uploaded file who were found on the register as CSV, for who may see the event."""
    births_of = birth_date_regions(acting_user(request))
    return _csv(matched_players(_visible_upload(request, event, upload).report, births_of), "matched.csv")


def _visible_upload(request: HttpRequest, event: int, upload: int) -> Upload:
    visible = Upload.objects.filter(event=event, event__in=visible_events(acting_user(request)))
    return get_object_or_404(visible, pk=upload)


@login_required
@never_cache
@require_safe
def submitted(request: HttpRequest, event: int, submission: int) -> FileResponse:
    """A submitted file as it came, byte for byte, for who may see the event."""
    found = _visible_submission(request, event, submission)
    return _file(found.file, found.file.name_of(found.name))


@login_required
@never_cache
@require_safe
def findings_submitted(request: HttpRequest, event: int, submission: int) -> HttpResponse:
    """All findings of a submitted file as CSV, for who may see the event."""
    return _csv(submitted_findings(_visible_submission(request, event, submission)), "findings.csv")


def _visible_submission(request: HttpRequest, event: int, submission: int) -> Submission:
    visible = Submission.objects.filter(section__event=event, section__event__in=visible_events(acting_user(request)))
    return get_object_or_404(visible, pk=submission)


def _file(file: SubmittedFile, name: str) -> FileResponse:
    content = BytesIO(bytes(file.content))
    return FileResponse(content, as_attachment=True, filename=name, content_type="application/octet-stream")
