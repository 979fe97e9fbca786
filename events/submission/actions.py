"""What is done on the page of an event's results: a view and an address for each action."""

from datetime import datetime

from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext

from accounts.permissions import acting_user
from config.languages import in_english
from config.lib.pages import position
from config.lib.parsing import parse_pk
from events.attachments.forms import REFUSED
from events.attachments.operations import already_there, remove_proof, take
from events.files.swissperfect.loose import packed
from events.models import Correction, Event, Penalty, Section, Submission, Upload
from events.operations import EventError, sections_to_rate
from events.penalties.operations import decide_penalties
from events.rules.attachments import validate
from events.rules.corrections import PENALTY
from events.rules.limits import MAX_BYTES, MOST_FILES
from events.rules.sizes import LONGEST_REASON
from events.rules.states import AWAITING_RESULTS
from events.submission.correction_forms import FORMS
from events.submission.correction_forms.penalties import NoticeForm
from events.submission.correction_forms.section import FilesForm
from events.submission.declarations import is_declared
from events.submission.mails import tell_recalled
from events.submission.proofs import PROVABLE, holds_to_prove
from events.submission.recall import recall
from events.submission.tasks import ask_again, ask_few_again, check_or_wake, submit_or_wake, wake_all
from events.submission.typed import forget_typed, keep_typed
from events.submission.uploads import (
    answer_questions,
    assign,
    discard,
    not_submitted,
    remove_correction,
    remove_new_players,
    take_file,
)
from events.submission.views import AnswerAgain, action
from events.submission.words import too_large
from events.wording import state_name


@action()
def upload_files(request: HttpRequest, event: Event, now: datetime) -> str:
    """Take files for a section, or for those that their names tell."""
    files = request.FILES.getlist("file")
    form = FilesForm(sections_to_rate(event), request.POST)
    if not form.is_valid():
        raise AnswerAgain(problem=gettext("Choose a section of this event."), anchor="id_section")
    if not files:
        raise AnswerAgain(problem=gettext("Choose a file first."), anchor="id_file")
    if len(files) > MOST_FILES:
        text = gettext("At most %(number)s files at once.")
        raise AnswerAgain(problem=text % {"number": MOST_FILES}, anchor="id_file")
    section: Section | None = form.cleaned_data["section"]
    refused, read = list[str](), list[tuple[str, bytes]]()
    for file in files:
        name = file.name or "file"
        if (file.size or 0) > MAX_BYTES:
            refused.append(too_large(name, file.size or 0))
        else:
            read.append((name, file.read()))
    sent = packed(read)
    if len(sent) > 1 and section is not None:
        text = gettext("A section has one file: choose one, or let the files’ names tell.")
        raise AnswerAgain(problem=text, anchor="id_file")
    if len(sent) > 1 and sections_to_rate(event).count() == 1:  # the last would take the place of the others
        text = gettext("The event has one section, and a section one file: choose one.")
        raise AnswerAgain(problem=text, anchor="id_file")
    for name, content in sent:
        try:
            take_file(event, name=name, content=content, at=now, by=acting_user(request), section=section)
        except EventError as error:
            refused.append(str(error))
    wake_all(event)
    if refused:
        raise AnswerAgain(problem=" ".join(refused), anchor="id_file")
    return "report"


def _check_pending(event: Event, now: datetime) -> None:
    """Check the files of other sections that an answer concerns as well."""
    for upload in not_submitted(event.uploads.select_related("file")):
        if upload.pending:
            check_or_wake(upload, at=now)


@action()
def upload_again(request: HttpRequest, event: Event, now: datetime, submission: int) -> str:
    """Take the file that was returned once more: what was wrong with it stood elsewhere."""
    returned = get_object_or_404(Submission, pk=submission, section__event=event)
    content, by = bytes(returned.file.content), acting_user(request)
    upload = take_file(event, name=returned.name, content=content, at=now, by=by, section=returned.section)
    check_or_wake(upload, at=now)
    return f"section-{returned.section_id}"


@action()
def attach(request: HttpRequest, event: Event, now: datetime) -> str:
    """Attach a proof to a finding on hold, for the officer who decides."""
    about, file = request.POST.get("about", ""), request.FILES.get("proof")
    if event.state not in PROVABLE:
        text = gettext("The event is %(state)s: a proof is attached until the ratings officer has decided.")
        raise EventError(text % {"state": state_name(event.state)})
    hold = next((hold for hold in holds_to_prove(event) if about in (hold.key, hold.code)), None)
    if hold is None:
        raise AnswerAgain(problem=gettext("Choose the finding that the file is a proof for."), anchor="id_about")
    if file is None:
        raise AnswerAgain(problem=gettext("Choose a file first."), anchor="id_proof")
    try:
        content = file.read(MAX_BYTES + 1)
        validate(file.name or "", content, file.size)
        by = acting_user(request)
        proof = take(file.name or "", content, at=now, by=by, event=event, about=hold.code, note=hold.text)
    except EventError as error:
        raise AnswerAgain(problem=f"{REFUSED.said(str(error))}.", anchor="id_proof") from error
    new = gettext("The proof is attached: the ratings officer finds it beside the finding.")
    messages.success(request, new if proof.at == now else already_there(file.name or "", proof))
    return "proofs"


@action()
def detach(request: HttpRequest, event: Event, now: datetime, attachment: int) -> str:
    """Take a proof away again, before the event is sent in."""
    own = get_object_or_404(event.attachments.exclude(about=""), pk=attachment)
    remove_proof(own, at=now, by=acting_user(request))
    messages.success(request, gettext("%(file)s is taken away.") % {"file": own.name})
    return "proofs"


def _own_upload(event: Event, upload: int) -> Upload:
    return get_object_or_404(Upload.objects.select_related("event", "section"), pk=upload, event=event)


@action()
def assign_upload(request: HttpRequest, event: Event, now: datetime, upload: int) -> str:
    """Say which section a file is for."""
    assigned = _own_upload(event, upload)
    section = sections_to_rate(event).filter(pk=parse_pk(request.POST.get("section", ""))).first()
    if section is None:
        raise AnswerAgain(problem=gettext("Choose the section that the file is for."), anchor=f"stray-{upload}")
    assign(assigned, section, at=now)
    check_or_wake(assigned, at=now)
    wake_all(event)
    return f"section-{section.pk}"


@action()
def discard_upload(request: HttpRequest, event: Event, now: datetime, upload: int) -> str:
    """Take a file away; the one whose place it took comes back."""
    discarded = _own_upload(event, upload)
    before = discard(discarded, at=now)
    wake_all(event)
    if before is None:
        messages.success(request, gettext("%(file)s is taken away.") % {"file": discarded.name})
        return "files"
    check_or_wake(before, at=now)
    text = gettext("%(file)s is taken away; %(before)s is back, with what was answered of it.")
    messages.success(request, text % {"file": discarded.name, "before": before.name})
    return f"section-{before.section_id}"


@action()
def check_again(request: HttpRequest, event: Event, now: datetime, upload: int) -> str:
    """Check a file once more."""
    checked = _own_upload(event, upload)
    if is_declared(event):
        raise EventError(gettext("it is being sent in at this moment: wait until that is done"))
    ask_again(checked, at=now)
    return f"section-{checked.section_id}"


@action()
def correct(request: HttpRequest, event: Event, now: datetime, upload: int, form: str) -> str:
    """Answer what a file's report asks, by the form of this name."""
    return _answer(request, _own_upload(event, upload), form, request.POST.get("key", "")[:40], now)


@action(by_arbiters=True)
def answer_proposal(request: HttpRequest, event: Event, now: datetime, upload: int, key: str) -> str:
    """Say whether a penalty that a file proposes is due."""
    return _answer(request, _own_upload(event, upload), PENALTY.form, key, now)


def _answer(request: HttpRequest, upload: Upload, name: str, key: str, now: datetime) -> str:
    if name not in FORMS:
        raise Http404("There is no form of this name.")
    form = FORMS[name](upload, key, request.POST)
    if form.stale:
        text = gettext("This was answered meanwhile, or is asked no more: look at the page as it is now.")
        raise EventError(text)
    if "forget" in request.POST:
        forget_typed(upload.event, form.anchor)
        return f"section-{upload.section_id}"
    valid, user = form.is_valid(), acting_user(request)
    with in_english():
        answers = form.answers() if valid or form.in_parts else []
    if not valid:
        keep_typed(upload.event, form, at=now, by=user)
    if answers:
        try:
            answer_questions(upload, answers, at=now, by=user)
        except EventError:
            if form.in_parts:  # its other parts may still be asked
                keep_typed(upload.event, form, at=now, by=user)
            raise
        check_or_wake(upload, at=now)
        _check_pending(upload.event, now)
    if not valid:
        upload.refresh_from_db()
        left = FORMS[name](upload, key, request.POST)
        raise AnswerAgain(bound=form if left.is_valid() else left)
    forget_typed(upload.event, form.anchor)
    return f"next-{upload.section_id}"


@action(by_arbiters=True)
def answer_penalty(request: HttpRequest, event: Event, now: datetime, penalty: int) -> str:
    """Say whether a penalty on record is due."""
    recorded = get_object_or_404(Penalty, pk=penalty, section__event=event)
    form = NoticeForm(request.POST, prefix=f"p{penalty}")
    if "forget" not in request.POST and not form.is_valid():
        keep_typed(event, form, at=now, by=acting_user(request))
        raise AnswerAgain(bound=form)
    if "forget" in request.POST:
        forget_typed(event, f"p{penalty}")
        return f"p{penalty}"
    reason = form.cleaned_data["reason"]
    status = Penalty.Status.DROPPED if reason else Penalty.Status.CONFIRMED
    recorded.status = request.POST.get("from", recorded.status)  # as the page showed it
    try:
        decide_penalties([recorded], status, at=now, by=acting_user(request), reason=reason)
    except EventError:
        keep_typed(event, form, at=now, by=acting_user(request))
        raise
    forget_typed(event, f"p{penalty}")
    messages.success(request, gettext("Your answer is kept; the ratings officer sees it."))
    return f"next-{recorded.section_id}"


@action()
def undo_correction(request: HttpRequest, event: Event, now: datetime, correction: int) -> str:
    """Take an answer back."""
    return _undo(Correction.objects.filter(pk=correction, upload__event=event), now)


@action(by_arbiters=True)
def undo_answer(request: HttpRequest, event: Event, now: datetime, correction: int) -> str:
    """Take the answer for a proposed penalty back."""
    return _undo(Correction.objects.filter(pk=correction, upload__event=event, kind=PENALTY.code), now)


def _undo(corrections: QuerySet[Correction], now: datetime) -> str:
    correction = corrections.select_related("upload__event").first()
    if correction is None:
        raise EventError(gettext("That answer is taken back already."))
    remove_correction(correction, at=now)
    check_or_wake(correction.upload, at=now)
    _check_pending(correction.upload.event, now)
    return f"section-{correction.upload.section_id}"


@action()
def undo_new_players(request: HttpRequest, event: Event, now: datetime, upload: int) -> str:
    """Take back that lines of a file are new players."""
    corrected = _own_upload(event, upload)
    remove_new_players(corrected, position(request.POST.get("last")), at=now)
    check_or_wake(corrected, at=now)
    return f"section-{corrected.section_id}"


@action()
def submit(request: HttpRequest, event: Event, now: datetime) -> str:
    """Declare the results complete and correct, and send them to the ratings officer."""
    by, reason = acting_user(request), request.POST.get("reason", "")[:LONGEST_REASON]
    try:
        submitted = submit_or_wake(
            event,
            declared=request.POST.get("declared") == "on",
            reason=reason,
            shown=request.POST.get("shown", ""),
            at=now,
            by=by,
        )
    except EventError:
        if event.state in AWAITING_RESULTS:
            ask_few_again(event, at=now)  # what stands in the way now may be what no report shows yet
        raise
    if not submitted:
        return "declaration"
    text = gettext("%(event)s is submitted. The ratings officer has it now.")
    messages.success(request, text % {"event": event.name})
    return "report"


@action()
def recall_sent(request: HttpRequest, event: Event, now: datetime) -> str:
    """Take back what was sent in, before an officer has opened it."""
    by, reason = acting_user(request), request.POST.get("recall_reason", "")[:LONGEST_REASON]
    with transaction.atomic():
        recall(event, at=now, by=by, reason=reason)
        tell_recalled(event, by=by, reason=reason)
    wake_all(event)
    text = gettext("%(event)s is recalled: its files are here again, as you left them.")
    messages.success(request, text % {"event": event.name})
    return "report"
