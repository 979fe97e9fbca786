"""What workers do with standings that were sent: read them, publish them once an officer has signed; compare a trial month."""

from datetime import datetime
from typing import Any

from django.utils import timezone

from config.lib.database import long_work
from config.lib.days import next_month
from ratings.models import ImportJob
from ratings.moving_in.jobs.files import opened
from ratings.moving_in.jobs.findings import kept
from ratings.moving_in.jobs.operations import ImportRefusedError, State, drop_file
from ratings.moving_in.jobs.progress import Tell
from ratings.moving_in.jobs.worker import Steps
from ratings.opening.operations import Check, check_history, check_opening, take_history, take_opening, with_hindrance
from ratings.opening.reading import SentFile, Standings, read_standings, sent_files
from ratings.opening.standings import FILLED
from ratings.opening.trial import Trial, trial
from ratings.periods import RunError, parse_month

_MOST_REMARKS = 500
_READING, _PUBLISHING, _CALCULATING = "Reading the standings", "Publishing them", "Calculating the month"


def _files(job: ImportJob) -> list[SentFile]:
    with opened(job) as file:
        return sent_files(file.read(), job.filename, job.options.get("list", ""))


def _read(job: ImportJob) -> Standings:
    unknown = bool(job.options.get("leave_out_unknown"))
    return read_standings(_files(job), parse_month(job.options["month"]), leave_out_unknown=unknown)


def read_opening(job: ImportJob, tell: Tell, at: datetime) -> dict[str, Any]:
    """Read an opening balance; return what its page shows. If none can be taken for the month that is an error beside those of
    the file."""
    return _shown(job, tell, at, check_opening)


def read_history(job: ImportJob, tell: Tell, at: datetime) -> dict[str, Any]:
    """Read a former list, as `read_opening` does."""
    return _shown(job, tell, at, check_history)


def _shown(job: ImportJob, tell: Tell, at: datetime, check: Check) -> dict[str, Any]:
    tell(_READING, 0.1)
    today = timezone.localdate(at)
    standings = with_hindrance(_read(job), check, today=today)
    return {
        "findings": [kept(finding) for finding in standings.findings],
        "errors": len(standings.errors),
        "totals": _totals(standings),
        "filled": [
            [total.list, count, FILLED[name]] for total in standings.totals for name, count in total.filled.items()
        ],
        "remarks": [
            [remark.list, remark.number, standings.names[remark.number], remark.text]
            for remark in standings.remarks[:_MOST_REMARKS]
        ],
        "more_remarks": max(len(standings.remarks) - _MOST_REMARKS, 0),
    }


def _totals(standings: Standings) -> list[list[Any]]:
    return [
        [total.list, total.players, total.sum, total.sum_raw, total.highest, total.lowest] for total in standings.totals
    ]


def sign_opening(job: ImportJob, tell: Tell, at: datetime) -> dict[str, Any]:
    """Publish the opening balance that was signed. Raises ImportRefusedError if it is not what the officer saw, or cannot be
    taken by now."""
    standings = _signed(job, tell)
    try:
        run = take_opening(standings, at=at, by=job.asked_by, reason=job.options.get("reason", ""))
    except RunError as error:
        raise ImportRefusedError(str(error)) from error
    drop_file(job)
    return {**job.summary, "run": run.pk, "players": run.players, "next": f"{next_month(standings.month):%Y-%m}"}


def take_former(job: ImportJob, tell: Tell, at: datetime) -> dict[str, Any]:
    """Publish the former list that was confirmed, as `sign_opening` does."""
    standings = _signed(job, tell)
    try:
        run = take_history(standings, at=at, by=job.asked_by, reason=job.options.get("reason", ""))
    except RunError as error:
        raise ImportRefusedError(str(error)) from error
    drop_file(job)
    return {**job.summary, "run": run.pk, "players": run.players}


def _signed(job: ImportJob, tell: Tell) -> Standings:
    tell(_PUBLISHING, 0.2)
    with long_work():
        standings = _read(job)
    if _totals(standings) != job.summary.get("totals"):
        raise ImportRefusedError(
            "The register or the lists have changed since this was read: have it read again, then sign."
        )
    tell(_PUBLISHING, 0.5)
    return standings


def compare(job: ImportJob, tell: Tell, at: datetime) -> dict[str, Any]:
    """Calculate the month and compare it with the lists that were sent; return what the page and the CSV show. Nothing is
    published. Raises ImportRefusedError if the month cannot be calculated."""
    tell(_CALCULATING, 0.1)
    try:
        result = trial(parse_month(job.options["month"]), _files(job))
    except RunError as error:
        raise ImportRefusedError(str(error)) from error
    return {
        "findings": [kept(finding) for finding in result.findings],
        "errors": len(result.errors),
        "text": result.text,
        "lists": _lists(result),
        "rows": [list(row) for row in result.rows()],
        "at": at.isoformat(),
    }


def _lists(result: Trial) -> list[dict[str, Any]]:
    return [
        {
            "code": of_list.listing.code,
            "name": of_list.listing.name,
            "text": of_list.text,
            "both": of_list.both,
            "agree": of_list.agree,
            "causes": of_list.causes,
        }
        for of_list in result.lists
    ]


OPENING: Steps = {State.READING: read_opening, State.TAKING: sign_opening}
HISTORY: Steps = {State.READING: read_history, State.TAKING: take_former}
TRIAL: Steps = {State.READING: compare}
