"""Reads what was sent in earlier for an event abroad: by the player himself, and by other players."""

import json
from collections.abc import Iterator
from datetime import date, datetime

from django.db.models import QuerySet

from events.models import Event, Section, Submission
from events.rules.abroad import ResultsAbroad, is_same_event
from events.rules.findings import Finding, Severity
from players.models import Player

_OF_OTHER = "other-player-held"


def first_sent(player: Player, results: ResultsAbroad, event: Event) -> datetime | None:
    """Return when a player's results of the event that `results` names were first sent in; None if they never were."""
    for submission, number, earlier in _sent(Submission.objects.filter(section__event=event).order_by("at", "pk")):
        if number == player.number and is_same_event(results, earlier):
            return submission.at
    return None


def holds_of_others(section: Section, player: Player) -> list[Finding]:
    """Return the holds of the other players' results in a section that no officer has waived, with their names.

    Only the latest submission of a section is looked at when its event is accepted, and that holds one player's results.
    """
    others = {
        entry.player.number: entry.player for entry in section.entries.exclude(player=player).select_related("player")
    }
    findings = []
    for submission, number, _ in _sent(section.submissions.order_by("-at", "-pk")):
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
