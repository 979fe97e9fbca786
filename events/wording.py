"""Words of pages for states of events, deadlines and rounds."""

from dataclasses import dataclass, fields
from datetime import date, datetime, timedelta

from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext, gettext_noop, ngettext, pgettext

from config.languages import counted
from config.lib import formatting
from config.lib.pure_texts import PureTexts
from events.models import Party
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


_ENGLISH: dict[State, StateWords] = {
    State.DRAFT: StateWords(word=gettext_noop("draft"), sentence="", step="", heading=gettext_noop("Drafts")),
    State.LATE: StateWords(
        word=gettext_noop("late"),
        sentence=gettext_noop(
            "It came after the last day to register; the ratings officer decides whether it is registered all the same."
        ),
        step=gettext_noop("Late: permission asked"),
        heading=gettext_noop("Waiting for permission"),
        next=gettext_noop("The ratings officer decides"),
    ),
    State.REGISTERED: StateWords(
        word=gettext_noop("registered"),
        sentence=gettext_noop("Registered; its results are not submitted yet."),
        step=gettext_noop("Registered"),
        heading=gettext_noop("Registered"),
        uncounted=gettext_noop("Its results are not submitted yet"),
    ),
    State.SUBMITTED: StateWords(
        word=gettext_noop("being checked"),
        sentence=gettext_noop("Its results are submitted and being checked."),
        step=gettext_noop("Submitted"),
        heading=gettext_noop("With the ratings officer"),
        next=gettext_noop("The ratings officer checks it"),
        uncounted=gettext_noop("Its results are being checked"),
    ),
    State.RETURNED: StateWords(
        word=gettext_noop("returned"),
        sentence=gettext_noop("Its file went back to the region to be corrected."),
        step=gettext_noop("Returned"),
        heading=gettext_noop("Returned to be corrected"),
        uncounted=gettext_noop("Its file went back to the region to be corrected"),
    ),
    State.ACCEPTED: StateWords(
        word=gettext_noop("accepted"),
        sentence=gettext_noop("Its results are accepted and wait for the month to be rated."),
        step=gettext_noop("Accepted"),
        heading=gettext_noop("Accepted"),
        next=gettext_noop("It is rated after the end of the month"),
        uncounted=gettext_noop("It is not rated yet"),
    ),
    State.REFUSED: StateWords(
        word=gettext_noop("refused"),
        sentence=gettext_noop("It was refused and is not rated."),
        step=gettext_noop("Refused"),
        heading=gettext_noop("Refused"),
    ),
    State.CALCULATED: StateWords(
        word=gettext_noop("rated"),
        sentence=gettext_noop("Its ratings are calculated; they count once the list is published."),
        step=gettext_noop("Rated"),
        heading=gettext_noop("Calculated, not published yet"),
        next=gettext_noop("The ratings officer publishes the list"),
        uncounted=gettext_noop("Its ratings are not published yet"),
    ),
    State.PUBLISHED: StateWords(
        word=gettext_noop("published"),
        sentence=gettext_noop("It is rated and published."),
        step=gettext_noop("Published"),
        heading=gettext_noop("Published"),
    ),
    State.WITHDRAWN: StateWords(
        word=gettext_noop("withdrawn"),
        sentence=gettext_noop("It was withdrawn and is not rated."),
        step=gettext_noop("Withdrawn"),
        heading=gettext_noop("Withdrawn"),
    ),
}


def state_words(state: State) -> StateWords:
    """Return what pages say about a state, in the reader's language."""
    return StateWords(*(gettext(getattr(_ENGLISH[state], field.name)) for field in fields(StateWords)))


_TYPES_OF_GAME = (gettext_noop("standard"), gettext_noop("rapid"), gettext_noop("blitz"), gettext_noop("not rated"))


# What `events.rules.states` answers to a move without a reason.
MOVES = PureTexts(
    gettext_noop("give the reason why the event is withdrawn"),
    gettext_noop("give the reason why the event is late"),
    gettext_noop("give the reason why the event is registered"),
)
_STATES = (gettext_noop("submitted"), gettext_noop("calculated"))  # the others are marked above


def state_name(state: str) -> str:
    """Return what messages call a state of an event, in the reader's language."""
    return gettext(str(state))


def party_words(party: str) -> str:
    """Return in whose name somebody turns to the bureau, as a sentence names it behind its article."""
    return {
        Party.ADMINISTRATOR: pgettext("in a sentence", "Regional Administrator"),
        Party.ORGANISER: pgettext("in a sentence", "Chief Organiser"),
        Party.CHIEF_ARBITER: pgettext("in a sentence", "Chief Arbiter"),
    }[Party(party)]


def sentence_of(message: str, article: str) -> str:
    """Return a message with its article behind it, as `Finding.as_sentence` writes it in English."""
    if not article:
        return message
    return gettext("%(message)s (article %(article)s).") % {"message": message.removesuffix("."), "article": article}


def type_words(base: int, increment: int, ends: date) -> str:
    """Return the type of game of a section that ends on a day, in the reader's language (articles 20, 23)."""
    return gettext(type_of_game(base, increment, ends))


@dataclass(frozen=True, slots=True)
class Hint:
    """A line beside a field. `mark`: good, bad, open or plain; `article`: number, or ""."""

    text: str
    article: str = ""
    mark: str = "plain"


def time_control_hints(base: int, increment: int, ends: date) -> list[Hint]:
    """Return the type of game and the weight of a time control, in a section that ends on a day (articles 19, 20, 27)."""
    length = gettext("%(number)s minutes") % {"number": f"{minutes(base, increment, edition_at(ends)):g}"}
    kind = type_of_game(base, increment, ends)
    if kind == "not rated":
        return [Hint(gettext("%(length)s: too fast to be rated") % {"length": length}, "23", "bad")]
    weight = formatting.decimal(tournament_weight(base, increment, ends), 3)
    game = {"standard": gettext("Standard game, %(length)s"), "rapid": gettext("Rapid game, %(length)s")}.get(
        kind, gettext("Blitz game, %(length)s")
    )
    return [
        Hint(game % {"length": length}, "19, 20"),
        Hint(gettext("Tournament weight on Main %(weight)s") % {"weight": weight}, "27"),
    ]


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
        day=f"{WEEKDAYS[last.weekday()]} {formatting.long_day(last)}",
        machine_day=last.isoformat(),
        clock=(gettext("closed %(time)s ago") if late else gettext("%(time)s left, until midnight of that day"))
        % {"time": spent},
        article=article,
        late=late,
    )


def time_left(closes: datetime, *, at: datetime) -> str:
    """Return the time left until the first moment that is too late, or since then, in days and hours."""
    if at >= closes:
        return gettext("closed %(time)s ago") % {"time": _span(at - closes)}
    return gettext("%(time)s left") % {"time": _span(closes - at)}


def since_text(value: date, today: date) -> str:
    """Return how long something has waited, `since 18 May 2024, 2 days`."""
    waited = (today - value).days
    length = counted(waited, "%(count)s day", "%(count)s days") if waited else gettext("today")
    return gettext("since %(day)s, %(length)s") % {"day": formatting.day(value), "length": length}


def _span(length: timedelta) -> str:
    hours, minutes = length.seconds // 3600, length.seconds % 3600 // 60
    if length.days:
        days = counted(length.days, "%(count)s day", "%(count)s days")
        return (
            gettext("%(days)s and %(hours)s")
            % {"days": days, "hours": counted(hours, "%(count)s hour", "%(count)s hours")}
            if hours
            else days
        )
    if hours:
        return gettext("%(hours)s and %(minutes)s") % {
            "hours": counted(hours, "%(count)s hour", "%(count)s hours"),
            "minutes": counted(minutes, "%(count)s minute", "%(count)s minutes"),
        }
    return counted(minutes, "%(count)s minute", "%(count)s minutes") if minutes else gettext("less than a minute")


def rounds_text(rounds: list[int]) -> str:
    """Return round numbers in words, consecutive ones as a range: `round 3`, `rounds 1–3, 7`."""
    runs: list[list[int]] = []
    for number in rounds:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]
    return ngettext("round %(rounds)s", "rounds %(rounds)s", len(rounds)) % {"rounds": ", ".join(parts)}
