"""Reads what was sent in earlier for an event abroad: by the player himself, and by other players."""

import json
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from itertools import pairwise

from django.db.models import QuerySet

from events.models import Event, Section, Submission
from events.rules.abroad import NamedEvent, ResultsAbroad, is_same_event
from events.rules.findings import Finding, Severity
from players.models import Player

_OF_OTHER = "other-player-held"


def first_sent(player: Player, results: ResultsAbroad, event: Event) -> datetime | None:
    """Return when a player's results of the event that `results` names were first sent in; None if they never were.

    What an officer made of the event's name, link and days by correcting them is that event, too.
    """
    corrections = _corrections(event)
    for submission, number, earlier in _sent(Submission.objects.filter(section__event=event).order_by("pk")):
        if number == player.number and any(is_same_event(results, name) for name in _names(earlier, corrections)):
            return submission.at
    return None


def _corrections(event: Event) -> list[tuple[NamedEvent, NamedEvent]]:
    """Return the event before and after each correction by an officer of what tells it from others, the first one first.

    Of the saves in its history theirs alone have a reason.
    """
    told_by = ("name", "federation", "results_url", "starts", "ends")
    return [
        (before, after)
        for before, after in pairwise(event.history.order_by("history_id"))
        if after.history_change_reason and any(getattr(before, name) != getattr(after, name) for name in told_by)
    ]


def _names(earlier: NamedEvent, corrections: Iterable[tuple[NamedEvent, NamedEvent]]) -> list[NamedEvent]:
    """Return what an event was called when results were sent in, and what officers have made of that."""
    names = [earlier]
    for before, after in corrections:
        if any(is_same_event(before, name) for name in names):
            names.append(after)
    return names


def holds_of_others(section: Section, player: Player) -> list[Finding]:
    """Return the holds of the other players' results in a section that no officer has waived, with their names.

    Only the latest submission of a section is looked at when its event is accepted, and that holds one player's results.
    """
    others = {
        entry.player.number: entry.player for entry in section.entries.exclude(player=player).select_related("player")
    }
    findings = []
    for submission, number, _ in _sent(section.submissions.order_by("-pk")):
        other = others.pop(number, None)
        if other is None:
            continue
        holds = submission.findings.filter(severity=Severity.HOLD.value, waived_at=None).exclude(code=_OF_OTHER)
        findings += [
            Finding(Severity.HOLD, _OF_OTHER, f"{other.name}: {hold.message}", article=hold.article) for hold in holds
        ]
    return findings


def _sent(submissions: QuerySet[Submission]) -> Iterator[tuple[Submission, str, ResultsAbroad]]:
    """Yield each submission of results from abroad with the player's number and what it said of the event."""
    for submission in submissions.filter(format="abroad").select_related("file"):
        content = json.loads(bytes(submission.file.content))
        named = ResultsAbroad(
            name=content["name"],
            federation=content["federation"],
            results_url=content["results_url"],
            starts=date.fromisoformat(content["starts"]),
            ends=date.fromisoformat(content["ends"]),
        )
        yield submission, content["player"], named
