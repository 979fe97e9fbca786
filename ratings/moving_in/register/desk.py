"""The register from a list on the desk: what its page shows, and what its buttons do."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.http import urlencode

from accounts.permissions import acting_user
from config.lib import formatting
from config.lib.pages import position
from players.identity import is_chess_sa_id
from players.models import RegisterImport
from ratings.models import ImportJob
from ratings.moving_in.jobs import findings
from ratings.moving_in.jobs.desk import Desk
from ratings.moving_in.jobs.operations import ImportRefusedError, State, ask_for
from ratings.moving_in.register import queries
from ratings.moving_in.register.answering import SAME, answer_lines
from ratings.moving_in.register.matching import LEAVE_OUT, NEW, Kind
from ratings.moving_in.register.undoing import what_depends

LIMIT = 60_000_000  # bytes: 100,000 players take about 10 MB, and less in a zip
_COLUMN, _LINE = "column-", "line-"
_NUMBER = "id"  # the answer that the Chess SA id stands in the field beside it


def shown(request: HttpRequest, job: ImportJob) -> dict[str, Any]:
    """Return what the template shows of a list."""
    if job.state in (State.DISCARDED, State.FAILED):
        return {}
    kind = request.GET.get("kind", "")
    after, before = position(request.GET.get("after")), position(request.GET.get("before"))
    done = RegisterImport.objects.filter(pk=job.summary.get("import", 0)).select_related("by").first()
    stretch = queries.page_of(job, kind, after=after, before=before)
    counts, columns = queries.counts(job), queries.columns(job)
    number = {count.kind: count.lines for count in counts}
    lines = queries.shown_lines(stretch.rows, done)
    to_take = number[Kind.NEW] + number[Kind.CHANGED]
    return {
        "counts": counts,
        "number": number,
        "kind": kind if kind in queries.KINDS else "",
        "columns": columns,
        "headings": ", ".join(column.heading for column in columns if column.column),
        "meanings": queries.meanings(),
        **findings.shown(job.summary),
        "lines": lines,
        "asks": any(line.asks for line in lines),
        "earlier": _query(kind, before=stretch.rows[0].line) if stretch.earlier else "",
        "later": _query(kind, after=stretch.rows[-1].line) if stretch.later else "",
        "here": request.GET.urlencode(),
        "open": number[Kind.DOUBTFUL] + number[Kind.REFUSED],
        "to_take": to_take,
        "take": _take_words(number[Kind.NEW], number[Kind.CHANGED]),
        "done": done,
        "hindrance": what_depends(done) if done and job.state == State.TAKEN else "",
        "ready": job.state == State.READY,
        "NEW": NEW,
        "LEAVE_OUT": LEAVE_OUT,
        "SAME": SAME,
    }


def _query(kind: str, **place: int) -> str:
    words: dict[str, str | int] = {"kind": kind, **place} if kind else {**place}
    return urlencode(words)


def _take_words(new: int, changed: int) -> str:
    return f"{formatting.count(new, 'new player')} and {formatting.count(changed, 'changed one')}"


def read_again(request: HttpRequest, job: ImportJob) -> str:
    """Have the list read again with the columns as the officer has said that they are."""
    chosen = {}
    for place, (heading, _) in enumerate(job.summary.get("columns", [])):
        if (meaning := request.POST.get(f"{_COLUMN}{place}")) is not None:
            chosen[heading] = meaning
    ask_for(job, State.READING, at=timezone.now(), by=acting_user(request), how={"columns": chosen})
    return "The list is being read with these columns."


def compare_again(request: HttpRequest, job: ImportJob) -> str:
    """Have the list compared again with the register as it is now; the answers stay."""
    how = {"columns": job.options.get("columns")}
    ask_for(job, State.COMPARING, at=timezone.now(), by=acting_user(request), how=how)
    return ""


def answer(request: HttpRequest, job: ImportJob) -> str:
    """Keep the answers to the lines of the page. Raises ImportRefusedError."""
    answers: dict[int, str] = {}
    for name, value in request.POST.items():
        line = position(name.removeprefix(_LINE)) if name.startswith(_LINE) else None
        if line is None or not value:
            continue
        given = str(value)
        if given == _NUMBER:
            given = request.POST.get(f"id-{line}", "").strip()
            if not is_chess_sa_id(given):
                raise ImportRefusedError(f"Line {line}: give the nine figures of the player’s Chess SA id.")
        given = "" if given == "open" else given
        # What stands there as the page showed it may have been answered otherwise by another meanwhile.
        if given != request.POST.get(f"shown-{line}"):
            answers[line] = given
    if not answers:
        raise ImportRefusedError("No line was answered: choose whom it means, then keep the answers.")
    answer_lines(job, answers)
    return f"{formatting.count(len(answers), 'answer')} kept."


def answer_all(request: HttpRequest, job: ImportJob) -> str:
    """Have all doubtful lines answered alike, those to which the answer can be given."""
    how = request.POST.get("how", "")
    if how not in (SAME, NEW, LEAVE_OUT):
        raise ImportRefusedError("Choose what all doubtful lines are.")
    options = {"columns": job.options.get("columns"), "doubtful": how}
    ask_for(job, State.COMPARING, at=timezone.now(), by=acting_user(request), how=options)
    return ""


def take(request: HttpRequest, job: ImportJob) -> str:
    """Have the list taken into the register."""
    ask_for(job, State.TAKING, at=timezone.now(), by=acting_user(request))
    return ""


def undo(request: HttpRequest, job: ImportJob) -> str:
    """Have the import taken back."""
    ask_for(job, State.UNDOING, at=timezone.now(), by=acting_user(request))
    return ""


DESK = Desk(
    kind=ImportJob.Kind.REGISTER,
    title="Bring in a register",
    template="register/list",
    help="admin/ratings/importjob/register/help.html",
    accept=".csv,.txt,.xlsx,.zip",
    limit=LIMIT,
    shown=shown,
    acts={
        "columns": read_again,
        "compare": compare_again,
        "answer": answer,
        "answer-all": answer_all,
        "take": take,
        "undo": undo,
    },
)
