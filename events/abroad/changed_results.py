"""Checks what an officer changes of an event abroad against the results that a player sent in (articles 10, 43)."""

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from events.abroad.operations import check_results
from events.models import Event, Section, Submission
from events.rules.abroad import GameAbroad, ResultsAbroad, abroad_errors
from events.rules.deadlines import is_late_abroad
from events.rules.findings import Finding, Severity
from events.rules.game_result import Result
from events.submission.changed_facts import record_changed_facts
from players.merged import bears, on_register

# What is wrong at these fields of the form for results is checked; the others are not changed on the desk.
_FIELDS = ("federation", "starts", "ends", "fide_rated", "base")
_LATE = "abroad-late"
# The holds that follow from the days, the time control, the format and the arbiters.
ABROAD_HOLDS = frozenset(
    [
        _LATE, "too-few-rounds", "met-twice", "same-days", "refused-before", "membership-unpaid", "licence-unpaid",
        "arbiter-plays", "arbiter-namesake", "fide-rating-differs",
    ]
)  # fmt: skip


def sent_from_abroad(section: Section) -> Submission | None:
    """Return the latest results of a section if a player sent them in from abroad; None if it has a file, or nothing."""
    submission = section.submissions.select_related("file").first()
    return submission if submission is not None and submission.format == "abroad" else None


def check_changed_results(section: Section, submission: Submission, *, today: date) -> list[Finding]:
    """Return the errors and holds of results from abroad by the facts of their section and event, saved or not.

    They are late by the day on which the player first sent them in. Of several players in a section those who sent in last are
    checked, as when it is accepted.
    """
    event = section.event
    content = json.loads(bytes(submission.file.content))
    player = on_register().get(bears(content["player"]))
    results = replace(
        _read(content),
        name=event.name,
        federation=event.federation,
        place=event.place,
        results_url=event.results_url,
        fide_rated=event.fide_rated,
        starts=section.starts,
        ends=section.ends,
        base=section.base_minutes,
        increment=section.increment_seconds,
        format=section.format,
    )
    late = is_late_abroad(section.ends, at=_first_sent(section, content["player"]))
    reason = "none; the days were corrected afterwards."
    findings = (
        *(finding for finding in abroad_errors(results, today=today) if finding.field in _FIELDS),
        *check_results(
            player, results, event=event, starts=min(section.starts, event.starts), late=late, reason=reason
        ),
    )
    held = [
        _as_before(finding, submission) if finding.code == _LATE else finding
        for finding in findings
        if finding.severity is Severity.HOLD and finding.code in ABROAD_HOLDS
    ]
    # Which event it is, the officer says who corrects it.
    errors = (finding for finding in findings if finding.severity is Severity.ERROR and finding.code != "another-event")
    return [*errors, *held]


def record_changed_results(event: Event, *, at: datetime, by: User | None, reason: str) -> None:
    """Check the results from abroad of an event that was changed, and record for what they are held now."""
    with transaction.atomic():
        for section in event.sections.all():
            section.event = event
            submission = sent_from_abroad(section)
            if submission is not None:
                findings = check_changed_results(section, submission, today=timezone.localdate(at))
                record_holds_abroad(section, findings, at=at, by=by, reason=reason)


def record_holds_abroad(
    section: Section, findings: Iterable[Finding], *, at: datetime, by: User | None, reason: str
) -> None:
    """Put the holds among the findings of changed results on their submission, as `record_changed_facts` does."""
    holds = [finding for finding in findings if finding.severity is Severity.HOLD]
    record_changed_facts(section, holds, codes=ABROAD_HOLDS, at=at, by=by, reason=reason)


def _read(content: dict[str, Any]) -> ResultsAbroad:
    """Return the rank, games and own id of results as they were kept; the rest is on the event and its section."""
    rows: list[dict[str, Any]] = content["games"]
    games = (GameAbroad(**row | {"result": Result(row["result"])}) for row in rows)
    return ResultsAbroad(games=tuple(games), rank=content["rank"], own_fide_id=content.get("own_fide_id"))


def _first_sent(section: Section, number: str) -> datetime:
    """Return when a player's results in a section were first sent in."""
    rows = section.submissions.filter(format="abroad").select_related("file").order_by("pk")
    return next(row.at for row in rows if json.loads(bytes(row.file.content))["player"] == number)


def _as_before(late: Finding, submission: Submission) -> Finding:
    """Return the hold for lateness with the reason that was given with the results, if they were late by that day already."""
    day = late.message.partition(" The reason")[0]
    known = submission.findings.filter(code=_LATE, message__startswith=day).first()
    return replace(late, message=known.message) if known else late
