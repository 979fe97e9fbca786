"""What the form for results abroad says, and the kinds of findings of its reading. Pure."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from events.rules.abroad import GameAbroad
from events.rules.findings import Finding, Severity
from events.rules.game_result import BYES, POINTS


class FormCode(StrEnum):
    """A kind of finding of this reader; the values are stable."""

    FILE_TOO_LARGE = "file-too-large"
    WRONG_FORMAT = "wrong-format"
    DAMAGED_FILE = "damaged-file"
    ENCODING_GUESSED = "encoding-guessed"
    BAD_QUOTES = "bad-quotes"
    EXTRA_CELLS = "extra-cells"
    UNKNOWN_LINE = "unknown-line"
    HEADING_TWICE = "heading-twice"
    BAD_DATE = "bad-date"
    DATE_FORMAT = "date-format"
    DATES_REVERSED = "dates-reversed"
    BAD_ROUNDS = "bad-rounds"
    NO_PLAYERS = "no-players"
    TOO_MANY_PLAYERS = "too-many-players"
    TOO_MANY_ROUNDS = "too-many-rounds"
    PLAYER_TWICE = "player-twice"
    MISSING_NAME = "missing-name"
    LONG_NAME = "long-name"
    NO_ROUNDS = "no-rounds"
    ROUND_BEFORE_PLAYER = "round-before-player"
    ROUND_TWICE = "round-twice"
    ROUND_AFTER_LAST = "round-after-last"
    ROUNDS_MISSING = "rounds-missing"
    UNKNOWN_RESULT = "unknown-result"
    UNKNOWN_COLOUR = "unknown-colour"
    MISSING_OPPONENT = "missing-opponent"
    BYE_WITH_OPPONENT = "bye-with-opponent"
    BAD_RATING = "bad-rating"
    UNKNOWN_TITLE = "unknown-title"
    UNKNOWN_FEDERATION = "unknown-federation"
    BAD_TOTAL = "bad-total"
    TOTAL_DIFFERS = "total-differs"
    TOTAL_MISSING = "total-missing"

    @property
    def severity(self) -> Severity:
        """A note where the file was read all the same, else an error."""
        return Severity.NOTE if self in (FormCode.ENCODING_GUESSED, FormCode.DATE_FORMAT) else Severity.ERROR


def full_name(last_name: str, first_name: str) -> str:
    """Return `Last, First`."""
    return ", ".join(part for part in (last_name, first_name) if part)


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A player of the form and his rounds, as far as they can be read. `number`: the id, in whatever register; may be ""."""

    line: int
    number: str
    last_name: str
    first_name: str
    games: tuple[GameAbroad, ...] = ()
    total: float | None = None

    @property
    def name(self) -> str:
        """`Last, First`."""
        return full_name(self.last_name, self.first_name)


@dataclass(frozen=True, slots=True)
class TeamResults:
    """What the form says, and the findings of its reading; without players if it is refused as a whole."""

    event: str = ""
    starts: date | None = None
    ends: date | None = None
    rounds: int | None = None
    website: str = ""
    players: tuple[ListedPlayer, ...] = ()
    findings: tuple[Finding, ...] = ()


def points_of(game: GameAbroad) -> float:
    """Return the player's points in a round."""
    white, black = POINTS[game.result]
    return white if game.white or game.result in BYES else black
