"""FIDE's list on the desk: what is asked for, what its page shows, what its buttons do."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.http import urlencode

from accounts.permissions import acting_user
from config.lib import formatting
from config.lib.pages import Stretch, keyset_page, position
from events.files.fide_list.listed import KINDS, FideListError
from players.models import FideList, FideQuestion
from ratings.models import FideChange, ImportJob
from ratings.moving_in.fide_matching import Kind
from ratings.moving_in.fide_operations import NO_LONGER_ASKED, answer_question, person_of
from ratings.moving_in.fide_work import in_words
from ratings.moving_in.jobs.desk import Desk, MonthForm
from ratings.moving_in.jobs.operations import ImportRefusedError, State, ask_for
from ratings.periods import parse_month

LIMIT = 200_000_000  # bytes: zipped, the text has about 25 MB, the XML 45
_WORDS = {
    Kind.NEW: "new",
    Kind.CHANGED: "changed",
    Kind.UNCHANGED: "unchanged",
    Kind.QUESTION: "in question",
    Kind.GONE: "gone",
}
_OPTIONS = {
    "older": "Take it though it is older",
    "fewer": "Take it though it has fewer players",
}


class FideForm(MonthForm):
    """FIDE's list, its month and its kind."""

    if_larger = "Send the zip as FIDE has it, or have those who run the site bring it in: manage.py import_fide FILE."
    kind = forms.ChoiceField(
        required=False,
        label="It is of",
        choices=[("", "The list says"), *((kind, f"{kind} alone") for kind in KINDS)],
        help_text="Only for a list of one kind whose file is not called after it.",
    )

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.fields["file"].help_text = "As it was downloaded, zipped or not. What it would change is shown first."
        self.fields["month"].help_text = "As 2024-03: the month whose list it is."

    def how(self) -> dict[str, Any]:
        """Return month and kind."""
        return {**super().how(), "kind": self.cleaned_data["kind"]}


def shown(request: HttpRequest, job: ImportJob) -> dict[str, Any]:
    """Return what the template shows of a list that was compared or taken."""
    if job.state in (State.DISCARDED, State.FAILED):
        return {}
    summary = job.summary
    if "option" in summary:
        return {"option": summary["option"], "option_words": _OPTIONS[summary["option"]], "refusal": summary["refusal"]}
    done = FideList.objects.filter(pk=summary.get("list", 0)).select_related("by").first()
    kind = request.GET.get("kind", "")
    kind = kind if kind in set(Kind) - {Kind.UNCHANGED} else ""
    asks = done is not None and kind == Kind.QUESTION
    after, before = position(request.GET.get("after")), position(request.GET.get("before"))
    stretch = _questions(done, after, before) if asks and done else _changes(job, kind, after, before)
    return {
        "month": formatting.month(parse_month(summary["month"])),
        "kinds": ", ".join(summary["kinds"]),
        "listed": formatting.count(summary["listed"], "player"),
        "unreadable": summary.get("unreadable", []),
        "cleaned": summary.get("cleaned", []),
        "cleaned_names": summary.get("cleaned_names", 0),
        "counts": [(each.value, words, formatting.number(summary["counts"][each])) for each, words in _WORDS.items()],
        "questions": summary["counts"][Kind.QUESTION],
        "kind": kind,
        "rows": [] if asks else stretch.rows,
        "asked": [(question, in_words(person_of(question.listed))) for question in stretch.rows] if asks else [],
        "asks": asks,
        "open": _open(done).count() if done else 0,
        "earlier": _query(kind, before=_key(stretch.rows[0])) if stretch.earlier else "",
        "later": _query(kind, after=_key(stretch.rows[-1])) if stretch.later else "",
        "here": request.GET.urlencode(),
        "done": done,
        "ready": job.state == State.READY,
    }


def _open(done: FideList) -> QuerySet[FideQuestion]:
    return FideQuestion.objects.filter(list=done, answer="").select_related("player")


def _questions(done: FideList, after: int | None, before: int | None) -> Stretch[Any]:
    return _stretch(_open(done), "pk", after, before)


def _changes(job: ImportJob, kind: str, after: int | None, before: int | None) -> Stretch[Any]:
    rows = FideChange.objects.filter(job=job)
    return _stretch(rows.filter(kind=kind) if kind else rows, "position", after, before)


def _stretch(rows: Any, order: str, after: int | None, before: int | None) -> Stretch[Any]:
    key = before if before is not None else after
    return keyset_page(rows, [order], None if key is None else [key], backwards=before is not None)


def _key(row: FideChange | FideQuestion) -> int:
    return row.position if isinstance(row, FideChange) else row.pk


def _query(kind: str, **place: int) -> str:
    words: dict[str, str | int] = {"kind": kind, **place} if kind else {**place}
    return urlencode(words)


def _again_with(option: str, request: HttpRequest, job: ImportJob) -> str:
    how = {**job.options, option: True}
    ask_for(job, State.READING, at=timezone.now(), by=acting_user(request), how=how)
    return ""


def take_older(request: HttpRequest, job: ImportJob) -> str:
    """Have a list compared that is older than the one held. Raises ImportRefusedError."""
    return _again_with("older", request, job)


def take_fewer(request: HttpRequest, job: ImportJob) -> str:
    """Have a list compared that has less than half of the players held. Raises ImportRefusedError."""
    return _again_with("fewer", request, job)


def compare_again(request: HttpRequest, job: ImportJob) -> str:
    """Have the list compared again with the register as it is now. Raises ImportRefusedError."""
    ask_for(job, State.COMPARING, at=timezone.now(), by=acting_user(request))
    return ""


def take(request: HttpRequest, job: ImportJob) -> str:
    """Have the list taken. Raises ImportRefusedError, also for one that is taken only if the officer says so."""
    if "counts" not in job.summary:
        raise ImportRefusedError("The list has not been compared: look at the page as it is.")
    ask_for(job, State.TAKING, at=timezone.now(), by=acting_user(request))
    return ""


def _answer(answer: str, request: HttpRequest, job: ImportJob) -> str:
    questions = FideQuestion.objects.filter(list=job.summary.get("list", 0))
    question = questions.filter(pk=position(request.POST.get("question")) or 0).select_related("player").first()
    if question is None:
        raise ImportRefusedError(NO_LONGER_ASKED)
    try:
        answer_question(question, answer, at=timezone.now(), by=acting_user(request))
    except FideListError as error:
        raise ImportRefusedError(str(error)) from error
    return f"{question}: {FideQuestion.Answer(answer).label}."


def is_same(request: HttpRequest, job: ImportJob) -> str:
    """Say that the person of the list is the player. Raises ImportRefusedError."""
    return _answer(FideQuestion.Answer.SAME, request, job)


def is_other(request: HttpRequest, job: ImportJob) -> str:
    """Say that the person of the list is somebody else. Raises ImportRefusedError."""
    return _answer(FideQuestion.Answer.OTHER, request, job)


DESK = Desk(
    kind=ImportJob.Kind.FIDE,
    title="Bring in FIDE’s list",
    template="fide/list",
    help="admin/ratings/importjob/fide/help.html",
    accept=".txt,.xml,.zip",
    limit=LIMIT,
    form=FideForm,
    shown=shown,
    acts={
        "older": take_older,
        "fewer": take_fewer,
        "compare": compare_again,
        "take": take,
        "same": is_same,
        "other": is_other,
    },
)
