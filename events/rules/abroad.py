"""The rules for results from abroad, with their articles (10, 43–46). Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import pairwise
from typing import Protocol

from config.lib import formatting
from config.lib.days import FIRST_RATED_DAY
from config.lib.texts import plain_text
from events.rules.days import day_errors, order_errors
from events.rules.deadlines import last_day_abroad
from events.rules.federations import FEDERATIONS, PLACEHOLDERS, unknown_federation
from events.rules.findings import Finding, Severity, field_error
from events.rules.game_result import BYES, PLAYED, Result
from events.rules.sizes import FORMAT_NAMES, smallest
from events.rules.states import EventError
from events.rules.time_controls import speed_errors
from players.identity import fold

MOST_ROUNDS = 30  # as many as the table of the calculator that previews them
# On the form of a whole team, which has a field for each detail of each round of each player.
MOST_TEAM_PLAYERS, MOST_TEAM_ROUNDS = 10, 20


class Ground(StrEnum):
    """Why results from abroad are returned or refused. A wish of the player or of anyone else is none (article 10)."""

    INCOMPLETE = "incomplete"
    NOT_VERIFIED = "not-verified"
    NOT_FIDE_RATED = "not-fide-rated"
    TWICE = "twice"
    REGULATIONS = "regulations"


GROUND_WORDS = {
    Ground.INCOMPLETE: "wrong or incomplete results",
    Ground.NOT_VERIFIED: "not verified by the official results",
    Ground.NOT_FIDE_RATED: "not FIDE rated",
    Ground.TWICE: "on record already",
    Ground.REGULATIONS: "against another article",
}


def grounded_reason(ground: str, reason: str) -> str:
    """Return the reason for returning or refusing results from abroad, its ground in front (article 10).

    Raises EventError if the ground is none of `Ground`, or without a reason.
    """
    reason = plain_text(reason)
    if ground not in list(Ground):
        raise EventError(
            "choose the ground: results from abroad are not returned or refused because the player, the team manager or"
            " anyone else wishes it (article 10)"
        )
    if not reason:
        raise EventError("give the reason beside the ground")
    return f"{formatting.sentence(GROUND_WORDS[Ground(ground)])}. {reason}"


FIDE_RATINGS = (1000, 3000)  # the range of ratings that FIDE has published
PERFORMANCES = (100, 3500)
_ONCE = ("swiss", "round-robin")  # formats in which players meet at most once


@dataclass(frozen=True, slots=True)
class GameAbroad:
    """A game of the player, or a round without one. `result` is from White's side; for a bye, from the player's.

    The opponent has a FIDE rating, or else a performance rating, both before the adjustment of article 45; a bye has no
    opponent.
    """

    round: int
    white: bool
    result: Result
    opponent: str = ""
    federation: str = ""
    fide_id: int | None = None
    fide_rating: int | None = None
    performance: int | None = None

    @property
    def rating(self) -> int | None:
        """The opponent's rating before the adjustment (article 44)."""
        return self.performance if self.fide_rating is None else self.fide_rating


@dataclass(frozen=True, slots=True)
class ResultsAbroad:
    """A player's results in an event abroad as submitted; values not given are None or empty.

    `rank`: the player's final place; `own_fide_id`: the player's FIDE id on the register.
    """

    name: str = ""
    federation: str = ""
    place: str = ""
    starts: date | None = None
    ends: date | None = None
    results_url: str = ""
    fide_rated: bool = False
    base: int | None = None
    increment: int = 0
    format: str = "swiss"
    rank: int | None = None
    games: tuple[GameAbroad, ...] = ()
    own_fide_id: int | None = None


class NamedEvent(Protocol):
    """What tells one event abroad from another."""

    @property
    def name(self) -> str:
        """The event's name."""

    @property
    def federation(self) -> str:
        """FIDE's three letters of where it was played."""

    @property
    def results_url(self) -> str:
        """The link to the official results."""

    @property
    def starts(self) -> date | None:
        """The first day."""

    @property
    def ends(self) -> date | None:
        """The last day."""


def is_same_event(results: NamedEvent, other: NamedEvent) -> bool:
    """Return whether both name one event: they share a day, and two of name, federation and link (article 10).

    So a mistake in one of the three can be corrected, and another event does not pass for this one.
    """
    if results.starts is None or results.ends is None or other.starts is None or other.ends is None:
        return False
    agreeing = (
        fold(results.name) == fold(other.name),
        results.federation == other.federation,
        plain_link(results.results_url) == plain_link(other.results_url),
    )
    return sum(agreeing) >= 2 and results.starts <= other.ends and other.starts <= results.ends


def plain_link(url: str) -> str:
    """Return a link without its scheme, `www.` and the last slash, in small letters, to compare it."""
    return url.lower().partition("//")[2].removeprefix("www.").rstrip("/")


def abroad_errors(results: ResultsAbroad, *, today: date) -> Iterator[Finding]:
    """Yield what must be corrected, at the form’s fields, in the order of the form.

    Rows of games count from 0: `game-2-opponent` is the opponent in round 3.
    """
    if not results.name:
        yield field_error("name", "event-name-missing", "Give the complete name of the event.", "13.1")
    yield from _federation(results.federation)
    yield from _days(results.starts, results.ends, today)
    if not results.results_url:
        yield field_error("results_url", "results-link-missing", "Give the address of the official results.", "10")
    if not results.fide_rated:
        yield field_error("fide_rated", "not-fide-rated", "An event abroad is rated only when it is FIDE rated.", "10")
    if results.base is None:
        yield field_error("base", "time-control-missing", "Give the base time in minutes.", "19")
    else:
        yield from speed_errors(results.base, results.increment, results.ends or today, field="base")
    if results.rank is None:
        yield field_error("rank", "rank-missing", "Give the final place, as the official results have it.")
    yield from _rounds(results.games)
    for game in results.games:
        yield from _game_errors(game)
    yield from _persons(results)


def _federation(code: str) -> Iterator[Finding]:
    if not code:
        message = "Give FIDE’s three letters of the federation where it was played."
        yield field_error("federation", "federation-missing", message, "10")
    elif code == "RSA":
        message = "An event in South Africa is submitted by its region, as a file."
        yield field_error("federation", "event-at-home", message, "43")
    elif code not in FEDERATIONS:
        yield field_error("federation", "federation-unknown", unknown_federation(code), "10")


def _days(starts: date | None, ends: date | None, today: date) -> Iterator[Finding]:
    if starts is None:
        yield field_error("starts", "dates-missing", "Give the first day.", "13.2")
    else:
        yield from day_errors("starts", starts, first=FIRST_RATED_DAY, article="13.2")
    if ends is None:
        yield field_error("ends", "dates-missing", "Give the last day.", "13.2")
    elif ends > today:
        message = "That day is still to come. Send the results in when the event has ended."
        yield field_error("ends", "not-ended", message, "10")
    elif starts:
        yield from order_errors(starts, ends, article="13.2")


def _rounds(games: Iterable[GameAbroad]) -> Iterator[Finding]:
    """Yield an error for each round that is missing or given twice."""
    numbers = [game.round for game in games]
    if not any(game.result in PLAYED for game in games):
        message = "Give at least one game that was played: there is nothing to rate."
        yield field_error("game-0-result", "no-games", message, "46")
    for number, times in sorted(Counter(numbers).items()):
        if times > 1 or not 1 <= number <= MOST_ROUNDS:
            message = f"Round {number}: give one game a round, and rounds from 1 to {MOST_ROUNDS}."
            yield field_error("", "round-repeated", message)
    for number in sorted(set(range(1, min(max(numbers, default=0), MOST_ROUNDS))) - set(numbers)):
        message = f"Round {number} is blank: give its game, or say that there was none."
        yield field_error(f"game-{number - 1}-result", "round-blank", message)


def _game_errors(game: GameAbroad) -> Iterator[Finding]:
    row = f"game-{game.round - 1}"
    if game.result in BYES:
        if game.opponent or game.rating is not None or game.fide_id is not None:
            message = f"Round {game.round}: a bye has no opponent. Correct one of the two."
            yield field_error(f"{row}-result", "bye-with-opponent", message, "46")
        return
    if not game.opponent.strip():
        yield field_error(f"{row}-opponent", "opponent-missing", f"Round {game.round}: name the opponent.", "10")
    if game.federation and game.federation not in FEDERATIONS | PLACEHOLDERS:
        message = f"Round {game.round}: FIDE knows no federation {game.federation}."
        yield field_error(f"{row}-federation", "federation-unknown", message)
    if game.rating is None:
        message = f"Round {game.round}: give the opponent’s FIDE rating, or the performance rating of one who has none."
        yield field_error(f"{row}-fide_rating", "rating-missing", message, "44")
    elif game.fide_rating is not None and game.performance is not None:
        message = f"Round {game.round}: an opponent with a FIDE rating counts at that. Take the performance out."
        yield field_error(f"{row}-performance", "rating-twice", message, "44")
    for name, value, (least, most) in (
        ("fide_rating", game.fide_rating, FIDE_RATINGS),
        ("performance", game.performance, PERFORMANCES),
    ):
        if value is not None and not least <= value <= most:
            message = f"Round {game.round}: {value} cannot be; {least} to {most} can."
            yield field_error(f"{row}-{name}", "rating-implausible", message, "44")


def _persons(results: ResultsAbroad) -> Iterator[Finding]:
    """Yield an error where opponents with one FIDE id differ in name or rating, or the id is the player's own."""
    met: dict[int, list[GameAbroad]] = defaultdict(list)
    for game in results.games:
        if game.fide_id is None or game.result in BYES:
            continue
        if game.fide_id == results.own_fide_id:
            message = f"Round {game.round}: {game.fide_id} is the player’s own FIDE id. Give the opponent’s."
            yield field_error(f"game-{game.round - 1}-fide_id", "own-fide-id", message)
        met[game.fide_id].append(game)
    for number, games in met.items():
        for first, second in pairwise(games):
            row, rounds = f"game-{second.round - 1}", f"rounds {first.round} and {second.round}"
            if first.opponent != second.opponent:
                message = f"In {rounds} the FIDE id {number} has two names. Correct one of them."
                yield field_error(f"{row}-fide_id", "two-names", message, "14.4")
            elif (first.fide_rating, first.performance) != (second.fide_rating, second.performance):
                message = f"In {rounds} {second.opponent} has two ratings. That at the start of the event counts."
                yield field_error(f"{row}-fide_rating", "two-ratings", message, "44")


def abroad_findings(results: ResultsAbroad, *, late: bool = False, reason: str = "") -> list[Finding]:
    """Return what an officer decides on: lateness, size, missing ids, opponents met twice."""
    return [*_late(results, late, reason), *_size(results), *_without_ids(results), *_met_twice(results)]


def _late(results: ResultsAbroad, late: bool, reason: str) -> Iterator[Finding]:
    if late and results.ends:
        message = f"Sent in after {last_day_abroad(results.ends):%-d %b %Y}, the last day. The reason given: {reason}"
        yield Finding(Severity.HOLD, "abroad-late", message, article="10")


def _size(results: ResultsAbroad) -> Iterator[Finding]:
    if not results.ends:
        return
    _, least = smallest(results.format, results.ends)
    rounds = max((game.round for game in results.games), default=0)
    if rounds < least:
        name = FORMAT_NAMES.get(results.format, results.format)
        played = formatting.count(rounds, "round")
        message = f"{played}; a {name} section needs at least {least}. Look into the official results."
        yield Finding(Severity.HOLD, "too-few-rounds", message, article="17")


def _without_ids(results: ResultsAbroad) -> Iterator[Finding]:
    rounds = [str(game.round) for game in results.games if game.result not in BYES and game.fide_id is None]
    if rounds:
        message = f"No FIDE id of the opponent in round {', '.join(rounds)}, which a FIDE-rated event asks for."
        yield Finding(Severity.HOLD, "fide-ids-missing", message, article="14.4")


def _met_twice(results: ResultsAbroad) -> Iterator[Finding]:
    if results.format not in _ONCE:
        return
    times = Counter(game.fide_id or game.opponent for game in results.games if game.result not in BYES)
    names = {game.fide_id or game.opponent: game.opponent for game in results.games}
    for opponent, count in times.items():
        if count > 1:
            message = f"{names[opponent]} is met {count} times, which a {results.format} section does not have."
            yield Finding(Severity.HOLD, "met-twice", message)
