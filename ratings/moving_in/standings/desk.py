"""Opening balance, former lists and trial month on the desk: what is asked for, what the pages show, what the buttons do."""

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils import timezone

from accounts.permissions import acting_user
from config.lib import formatting
from ratings.models import ImportJob, RatingList
from ratings.moving_in.jobs import findings
from ratings.moving_in.jobs.desk import Desk, FileForm, MonthForm
from ratings.moving_in.jobs.operations import ImportRefusedError, State, ask_for

LIMIT = 60_000_000  # bytes
_MOST = 200  # differences of a list that the page shows
_FOLDER = "admin/ratings/importjob/standings"


class StandingsForm(MonthForm):
    """The file, its month, and the list that it is of."""

    list = forms.ChoiceField(
        required=False,
        label="It is of the list",
        help_text="Only for a file of one list that neither has a column List nor is called after it.",
    )

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        lists = RatingList.objects.order_by("position").values_list("code", "name")
        self.fields["file"].label = "File"
        self.fields["month"].help_text = "As 2024-02. The standings are those after the games of this month."
        self.fields["list"].choices = [("", "The file says"), *lists]  # type: ignore[attr-defined]

    def how(self) -> dict[str, Any]:
        """Return month and list."""
        return {**super().how(), "list": self.cleaned_data["list"]}


class HistoryForm(StandingsForm):
    """A former list: players who have left the register are left out, if that is wanted."""

    leave_out_unknown = forms.BooleanField(
        required=False,
        label="Leave out players who are not on the register",
        help_text="Else they must be put on it first.",
    )

    def how(self) -> dict[str, Any]:
        """Return month, list, and whether unknown players are left out."""
        return {**super().how(), "leave_out_unknown": self.cleaned_data["leave_out_unknown"]}


class TrialForm(StandingsForm):
    """The lists that the old bureau published of the trial month."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.fields["file"].label = "The old bureau’s lists"
        self.fields["file"].help_text = "As it published them after the month. Nothing of them is kept."
        self.fields[
            "month"
        ].help_text = "As 2024-03: the first month after the opening balance, with its events accepted."


def shown(request: HttpRequest, job: ImportJob) -> dict[str, Any]:
    """Return what the template shows of standings that were read or taken."""
    if job.state in (State.DISCARDED, State.FAILED):
        return {}
    names = dict(RatingList.objects.values_list("code", "name"))
    return {
        "month": job.options.get("month", ""),
        "is_opening": job.kind == ImportJob.Kind.OPENING,
        **findings.shown(job.summary),
        "totals": [
            (names.get(code, code), formatting.number(players), *(_figure(figure) for figure in figures))
            for code, players, *figures in job.summary.get("totals", [])
        ],
        "filled": [(names.get(code, code), *rest) for code, *rest in job.summary.get("filled", [])],
        "remarks": [(names.get(code, code), *rest) for code, *rest in job.summary.get("remarks", [])],
        "more_remarks": job.summary.get("more_remarks", 0),
        "ready": job.state == State.READY,
        "taken": job.state == State.TAKEN,
    }


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def shown_trial(request: HttpRequest, job: ImportJob) -> dict[str, Any]:
    """Return what the template shows of a trial month."""
    if job.state in (State.DISCARDED, State.FAILED):
        return {}
    _, *rows = job.summary.get("rows", [[]])
    lists = []
    for of_list in job.summary.get("lists", []):
        mine = [row for row in rows if row[0] == of_list["code"]]
        texts = [
            (
                number,
                name,
                formatting.rating(here),
                formatting.rating(there),
                formatting.change(points),
                games,
                cause,
                about,
            )
            for _, number, name, here, there, points, games, cause, about in mine[:_MOST]
        ]
        lists.append({**of_list, "rows": texts, "more": max(len(mine) - _MOST, 0)})
    return {
        "month": job.options.get("month", ""),
        **findings.shown(job.summary),
        "lists": lists,
        "differences": len(rows),
    }


def trial_rows(job: ImportJob) -> Iterator[Sequence[Any]]:
    """Yield the differences of a trial month, the heading first."""
    yield from job.summary.get("rows", [])


def sign(request: HttpRequest, job: ImportJob) -> str:
    """Have the standings published. Raises ImportRefusedError without the officer's word that the totals agree."""
    if job.kind == ImportJob.Kind.OPENING and not request.POST.get("agreed"):
        raise ImportRefusedError("Say that the totals agree with the old bureau’s before you sign.")
    how = {**job.options, "reason": request.POST.get("reason", "")}
    ask_for(job, State.TAKING, at=timezone.now(), by=acting_user(request), how=how)
    return ""


def read_again(request: HttpRequest, job: ImportJob) -> str:
    """Have the file read again, with the register and the month as they are now."""
    ask_for(job, State.READING, at=timezone.now(), by=acting_user(request))
    return ""


def _desk(kind: ImportJob.Kind, title: str, template: str, form: type[FileForm], **more: Any) -> Desk:
    given = {"shown": shown, "acts": {"sign": sign, "read": read_again}, **more}
    return Desk(
        kind=kind,
        title=title,
        template=f"standings/{template}",
        help=f"{_FOLDER}/help.html",
        accept=".csv,.txt,.xlsx,.zip,.json",
        limit=LIMIT,
        form=form,
        **given,
    )


OPENING = _desk(ImportJob.Kind.OPENING, "Bring in the opening balance", "balance", StandingsForm)
HISTORY = _desk(ImportJob.Kind.HISTORY, "Bring in a former list", "balance", HistoryForm)
TRIAL = _desk(
    ImportJob.Kind.TRIAL,
    "Compare a trial month",
    "trial",
    TrialForm,
    shown=shown_trial,
    acts={"read": read_again},
    rows=trial_rows,
)
