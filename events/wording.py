"""Words of pages for states of events, deadlines and rounds."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from config.lib import formatting
from events.rules.deadlines import last_day_before
from events.rules.states import State
from events.rules.time_controls import edition_at, minutes, tournament_weight, type_of_game


@dataclass(frozen=True, slots=True)
class StateWords:
    """What pages say about a state.

    `word` stands in lists, `sentence` on the event's page, `step` on its timeline, `heading` above a user's events in this
    state. `next`: what others do next; `uncounted`: why an appointment does not count as activity yet.
    """

    word: str
    sentence: str
    step: str
    heading: str
    next: str = ""
    uncounted: str = ""


STATE_WORDS: dict[State, StateWords] = {
    State.DRAFT: StateWords(word="draft", sentence="", step="", heading="Drafts"),
    State.LATE: StateWords(
        word="late",
        sentence="It came after the last day to register; the ratings officer decides whether it is registered all the same.",
        step="Late: permission asked",
        heading="Waiting for permission",
        next="The ratings officer decides",
    ),
    State.REGISTERED: StateWords(
        word="registered",
        sentence="Registered; its results are not submitted yet.",
        step="Registered",
        heading="Registered",
        uncounted="Its results are not submitted yet",
    ),
    State.SUBMITTED: StateWords(
        word="being checked",
        sentence="Its results are submitted and being checked.",
        step="Submitted",
        heading="With the ratings officer",
        next="The ratings officer checks it",
        uncounted="Its results are being checked",
    ),
    State.RETURNED: StateWords(
        word="returned",
        sentence="Its file went back to the region to be corrected.",
        step="Returned",
        heading="Returned to be corrected",
        uncounted="Its file went back to the region to be corrected",
    ),
    State.ACCEPTED: StateWords(
        word="accepted",
        sentence="Its results are accepted and wait for the month to be rated.",
        step="Accepted",
        heading="Accepted",
        next="It is rated after the end of the month",
        uncounted="It is not rated yet",
    ),
    State.REFUSED: StateWords(
        word="refused", sentence="It was refused and is not rated.", step="Refused", heading="Refused"
    ),
    State.CALCULATED: StateWords(
        word="rated",
        sentence="Its ratings are calculated; they count once the list is published.",
        step="Rated",
        heading="Calculated, not published yet",
        next="The ratings officer publishes the list",
        uncounted="Its ratings are not published yet",
    ),
    State.PUBLISHED: StateWords(
        word="published", sentence="It is rated and published.", step="Published", heading="Published"
    ),
    State.WITHDRAWN: StateWords(
        word="withdrawn", sentence="It was withdrawn and is not rated.", step="Withdrawn", heading="Withdrawn"
    ),
}


@dataclass(frozen=True, slots=True)
class Hint:
    """A line beside a field. `mark`: good, bad, open or plain; `article`: number, or ""."""

    text: str
    article: str = ""
    mark: str = "plain"


def time_control_hints(base: int, increment: int, ends: date) -> list[Hint]:
    """Return the type of game and the weight of a time control, in a section that ends on a day (articles 19, 20, 27)."""
    length = f"{minutes(base, increment, edition_at(ends)):g} minutes"
    kind = type_of_game(base, increment, ends)
    if kind == "not rated":
        return [Hint(f"{length}: too fast to be rated", "23", "bad")]
    weight = formatting.decimal(tournament_weight(base, increment, ends), 3)
    return [Hint(f"{kind.capitalize()} game, {length}", "19, 20"), Hint(f"Tournament weight on Main {weight}", "27")]


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
    last = last_day_before(closes)
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
