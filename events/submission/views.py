"""The page on which an event's results are sent in, and what is done on it."""

from collections.abc import Callable
from datetime import datetime
from io import BytesIO

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from accounts.models import User
from accounts.permissions import acting_user
from config.lib import formatting
from config.lib.parsing import parse_pk
from events.access import visible_events, writable_regions
from events.models import Correction, Event, Kind, Penalty, Section, Submission, SubmittedFile, Upload
from events.operations import EventError, sections_to_rate
from events.penalties.operations import ANSWERABLE, decide_penalties
from events.rules.corrections import PENALTY
from events.rules.limits import MAX_BYTES
from events.rules.sizes import LONGEST_REASON
from events.rules.states import MoveError
from events.submission.checker import check, is_small
from events.submission.correction_forms import FORMS, CorrectionForm, FilesForm, NoticeForm
from events.submission.operations import DECLARATION, submit_event
from events.submission.page import results_page
from events.submission.tasks import wake_checker
from events.submission.uploads import (
    OPEN,
    answer_questions,
    ask_again,
    assign,
    discard,
    is_outdated,
    live,
    take_file,
    undo,
    undo_new,
)

MOST_FILES = 20


class _AnswerAgain(Exception):
    """The page is shown once more, with a form that has errors, or with what cannot be done."""

    def __init__(
        self, *, bound: CorrectionForm | NoticeForm | None = None, problem: str = "", anchor: str = ""
    ) -> None:
        super().__init__(problem)
        self.bound, self.problem, self.anchor = bound, problem, anchor


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def results(request: HttpRequest, event: int) -> HttpResponse:
    """Upload, check, mend, answer for penalties, submit: all on one page, each a form that works without script."""
    user, now = acting_user(request), timezone.now()
    found = get_object_or_404(visible_events(user).select_related("region"), pk=event)
    if found.kind == Kind.ABROAD and found.state in OPEN:
        return redirect(f"{reverse('events:abroad')}?event={found.pk}")
    mine = writable_regions(user).filter(pk=found.region_id).exists()
    again = _AnswerAgain()
    if request.method == "POST":
        do = _DEEDS.get(request.POST.get("do", ""))
        if do is None:
            raise Http404("There is nothing of this name to do.")
        if not mine and not (do in (_penalty, _take_back) and _serves(user, found)):
            raise PermissionDenied
        if mine:
            _bring_up_to_date(found, now)
        try:
            anchor = do(request, found, user, now)
            return redirect(f"{reverse('events:results', args=[found.pk])}#{anchor or 'report'}")
        except _AnswerAgain as raised:
            again = raised
        except (EventError, MoveError) as error:
            if do is _submit and found.state in OPEN:
                _ask_anew(found, now)  # what stands in the way now may be what no report shows yet
            again = _AnswerAgain(problem=formatting.sentence(str(error)))
    return _page(
        request, found, again, mine=mine, may_answer=(mine or _serves(user, found)) and found.state in ANSWERABLE
    )


def _bring_up_to_date(event: Event, now: datetime) -> None:
    """Write the reports that the page showed of outdated ones."""
    for upload in live(event.uploads.all()).select_related("event"):
        if is_outdated(upload, today=timezone.localdate(now)):
            _look(upload, now)


def _ask_anew(event: Event, now: datetime) -> None:
    """Check again what was checked."""
    for upload in live(event.uploads.all()):
        if not upload.pending and not upload.error:
            _ask_again(upload, now)


def _serves(user: User, event: Event) -> bool:
    return event.appointments.filter(arbiter__user=user).exists()


def _page(request: HttpRequest, event: Event, again: _AnswerAgain, *, mine: bool, may_answer: bool) -> HttpResponse:
    page = results_page(
        event, today=timezone.localdate(), bound=again.bound, changing=request.GET.get("line", ""), renewed=mine
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
        "may_answer": may_answer,
        "files": FilesForm(sections_to_rate(event).order_by("position", "pk")),
        "declaration": DECLARATION,
        "reason": request.POST.get("reason", "") if request.POST.get("do") == "submit" else "",
        "problems": problems,
        "megabytes": MAX_BYTES // 1_000_000,
    }
    return render(request, "events/submission/results.html", context, status=422 if problems else 200)


@login_required
@never_cache
@require_GET
def original(request: HttpRequest, event: int, upload: int) -> FileResponse:
    """An uploaded file as it came, byte for byte, for who may see the event."""
    mine = Upload.objects.select_related("file").filter(event=event, event__in=visible_events(acting_user(request)))
    found = get_object_or_404(mine, pk=upload)
    return _file(found.file, found.name)


@login_required
@never_cache
@require_GET
def submitted(request: HttpRequest, event: int, submission: int) -> FileResponse:
    """A submitted file as it came, byte for byte, for who may see the event."""
    mine = Submission.objects.filter(section__event=event, section__event__in=visible_events(acting_user(request)))
    found = get_object_or_404(mine.select_related("file"), pk=submission)
    return _file(found.file, found.name)


def _file(file: SubmittedFile, name: str) -> FileResponse:
    content = BytesIO(bytes(file.content))
    return FileResponse(content, as_attachment=True, filename=name, content_type="application/octet-stream")


def _own_upload(request: HttpRequest, event: Event) -> Upload:
    upload = Upload.objects.filter(pk=_key(request, "upload"), event=event).select_related("event", "section").first()
    if upload is None:
        raise Http404("There is no such file.")
    return upload


def _key(request: HttpRequest, name: str) -> int:
    return parse_pk(request.POST.get(name, ""))


def _look(upload: Upload, now: datetime) -> None:
    """Check at once what is small; a worker does the rest."""
    if is_small(upload):
        check(upload.pk, today=timezone.localdate(now))
    else:
        wake_checker(upload)


def _wake_all(event: Event) -> None:
    for upload in live(event.uploads.all()):
        if upload.pending:
            wake_checker(upload)


def _ask_again(upload: Upload, now: datetime) -> None:
    ask_again(upload, at=now)
    _look(upload, now)


def _take(request: HttpRequest, event: Event, user: User, now: datetime) -> str:
    files = request.FILES.getlist("file")
    form = FilesForm(sections_to_rate(event), request.POST)
    if not form.is_valid():
        raise _AnswerAgain(problem="Choose a section of this event.", anchor="id_section")
    if not files:
        raise _AnswerAgain(problem="Choose a file first.", anchor="id_file")
    if len(files) > MOST_FILES:
        raise _AnswerAgain(problem=f"At most {MOST_FILES} files at once.", anchor="id_file")
    section: Section | None = form.cleaned_data["section"]
    if section is not None and len(files) > 1:
        raise _AnswerAgain(
            problem="A section has one file: choose one, or let the files’ names tell.", anchor="id_file"
        )
    refused = []
    for file in files:
        name = file.name or "file"
        if (file.size or 0) > MAX_BYTES:
            refused.append(
                f"{name} has {(file.size or 0) / 1e6:.1f} MB; at most {MAX_BYTES // 1_000_000} MB can be read."
            )
            continue
        try:
            take_file(event, name=name, content=file.read(), at=now, by=user, section=section)
        except EventError as error:
            refused.append(str(error))
    _wake_all(event)
    if refused:
        raise _AnswerAgain(problem=" ".join(refused), anchor="id_file")
    return "report"


def _take_again(request: HttpRequest, event: Event, user: User, now: datetime) -> str:
    """The file that was returned, once more: what was wrong with it stood elsewhere."""
    submission = Submission.objects.filter(pk=_key(request, "submission"), section__event=event).first()
    if submission is None:
        raise Http404("There is no such file.")
    content = bytes(submission.file.content)
    upload = take_file(event, name=submission.name, content=content, at=now, by=user, section=submission.section)
    _look(upload, now)
    return f"section-{submission.section_id}"


def _assign(request: HttpRequest, event: Event, user: User, now: datetime) -> str:
    upload = _own_upload(request, event)
    section = sections_to_rate(event).filter(pk=_key(request, "section")).first()
    if section is None:
        raise _AnswerAgain(problem="Choose the section that the file is for.", anchor=f"stray-{upload.pk}")
    assign(upload, section, at=now)
    _look(upload, now)
    _wake_all(event)
    return f"section-{section.pk}"


def _discard(request: HttpRequest, event: Event, user: User, now: datetime) -> str:
    upload = _own_upload(request, event)
    before = discard(upload, at=now)
    _wake_all(event)
    if before is None:
        messages.success(request, f"{upload.name} is taken away.")
        return "files"
    _look(before, now)
    messages.success(request, f"{upload.name} is taken away; {before.name} is back, with what was answered of it.")
    return f"section-{before.section_id}"


def _control(request: HttpRequest, event: Event, user: User, now: datetime) -> str:
    upload, form_class = _own_upload(request, event), FORMS.get(request.POST.get("control", ""))
    if form_class is None:
        raise Http404("There is nothing of this name to mend.")
    form = form_class(upload, request.POST.get("key", "")[:40], request.POST)
    if form.stale:
        raise EventError("This was answered meanwhile, or is asked no more: look at the page as it is now.")
    if not form.is_valid():
        raise _AnswerAgain(bound=form)
    answer_questions(upload, form.answers(), at=now, by=user)
    _look(upload, now)
    return f"section-{upload.section_id}"


def _undo(request: HttpRequest, event: Event, user: User, now: datetime) -> str:
    correction = (
        Correction.objects.filter(pk=_key(request, "correction"), upload__event=event)
        .select_related("upload__event")
        .first()
    )
    if correction is None:
        raise EventError("That answer is taken back already.")
    undo(correction, at=now)
    _look(correction.upload, now)
    return f"section-{correction.upload.section_id}"


def _undo_new(request: HttpRequest, event: Event, user: User, now: datetime) -> str:
    upload = _own_upload(request, event)
    undo_new(upload, at=now)
    _look(upload, now)
    return f"section-{upload.section_id}"


def _take_back(request: HttpRequest, event: Event, user: User, now: datetime) -> str:
    """An answer for a penalty, by who may give one."""
    if not Correction.objects.filter(pk=_key(request, "correction"), kind=PENALTY.code).exists():
        raise EventError("That answer is taken back already.")
    return _undo(request, event, user, now)


def _check(request: HttpRequest, event: Event, user: User, now: datetime) -> str:
    upload = _own_upload(request, event)
    _ask_again(upload, now)
    return f"section-{upload.section_id}"


def _penalty(request: HttpRequest, event: Event, user: User, now: datetime) -> str:
    """An answer of the administrator or of an arbiter, before the file is sent in or after."""
    if request.POST.get("upload"):
        if request.POST.get("control") != "penalty":
            raise PermissionDenied
        return _control(request, event, user, now)
    penalty = Penalty.objects.filter(pk=_key(request, "penalty"), section__event=event).first()
    if penalty is None:
        raise Http404("There is no such penalty.")
    form = NoticeForm(request.POST, prefix=f"p{penalty.pk}")
    if not form.is_valid():
        raise _AnswerAgain(bound=form)
    reason = form.cleaned_data["reason"]
    status = Penalty.Status.DROPPED if reason else Penalty.Status.CONFIRMED
    decide_penalties([penalty], status, at=now, by=user, reason=reason)
    messages.success(request, "Your answer is kept; the ratings officer sees it.")
    return f"p{penalty.pk}"


def _submit(request: HttpRequest, event: Event, user: User, now: datetime) -> str:
    submit_event(
        event,
        declared=request.POST.get("declared") == "on",
        reason=request.POST.get("reason", "")[:LONGEST_REASON],
        at=now,
        today=timezone.localdate(now),
        by=user,
        shown=request.POST.get("shown", ""),
    )
    messages.success(request, f"{event.name} is submitted. The ratings officer has it now.")
    return "report"


_Deed = Callable[[HttpRequest, Event, User, datetime], str]
_DEEDS: dict[str, _Deed] = {
    "upload": _take,
    "again": _take_again,
    "assign": _assign,
    "discard": _discard,
    "correct": _control,
    "undo": _undo,
    "undo-new": _undo_new,
    "check": _check,
    "penalty": _penalty,
    "take-back": _take_back,
    "submit": _submit,
}
