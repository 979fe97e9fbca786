"""Words of pages for states of events, deadlines and rounds."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from config.lib import formatting
from events.rules.states import State

STATE_WORDS = {
    State.LATE: "late",
    State.REGISTERED: "registered",
    State.SUBMITTED: "being checked",
    State.RETURNED: "returned",
    State.ACCEPTED: "accepted",
    State.REFUSED: "refused",
    State.CALCULATED: "rated",
    State.PUBLISHED: "published",
    State.WITHDRAWN: "withdrawn",
}


STATE_SENTENCES = {
    State.LATE: "It came after the last day to register; the ratings officer decides whether it is registered all the same.",
    State.REGISTERED: "Registered; its results are not submitted yet.",
    State.SUBMITTED: "Its results are submitted and being checked.",
    State.RETURNED: "Its file went back to the region to be mended.",
    State.ACCEPTED: "Its results are accepted and wait for the month to be rated.",
    State.REFUSED: "It was refused and is not rated.",
    State.CALCULATED: "It is rated; the list is not published yet.",
    State.PUBLISHED: "It is rated and published.",
    State.WITHDRAWN: "It was withdrawn and is not rated.",
}


@dataclass(frozen=True, slots=True)
class Hint:
    """A line beside a field. `mark`: good, bad, open or plain; `article`: number, or ""."""

    text: str
    article: str = ""
    mark: str = "plain"


@dataclass(frozen=True, slots=True)
class Deadline:
    """The last day to do something. `clock`: the time left or passed, in words."""

    day: str
    machine_day: str
    clock: str
    article: str
    late: bool


def deadline_before(closes: datetime, article: str, *, at: datetime) -> Deadline:
    """Return the deadline of an article that closes at midnight, South African time, at `closes`, as seen at `at`."""
    last = timezone.localdate(closes) - timedelta(days=1)
    late = at >= closes
    spent = _span(at - closes if late else closes - at)
    return Deadline(
        day=f"{last:%A} {formatting.long_day(last)}",
        machine_day=last.isoformat(),
        clock=f"closed {spent} ago" if late else f"{spent} left, until midnight of that day",
        article=article,
        late=late,
    )


def _span(length: timedelta) -> str:
    hours, minutes = length.seconds // 3600, length.seconds % 3600 // 60
    if length.days:
        return formatting.count(length.days, "day") + (f" and {formatting.count(hours, 'hour')}" if hours else "")
    if hours:
        return f"{formatting.count(hours, 'hour')} and {formatting.count(minutes, 'minute')}"
    return formatting.count(minutes, "minute") if minutes else "less than a minute"


def rounds_text(rounds: list[int]) -> str:
    """Return round numbers in words, consecutive ones as a range: `round 3`, `rounds 1–3, 7`."""
    runs: list[list[int]] = []
    for number in rounds:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]
    return f"round{'s' if len(rounds) > 1 else ''} {', '.join(parts)}"
