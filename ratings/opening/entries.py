"""What a file says of the players' standings, before anything is filled in or checked against the register. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from events.rules.findings import Finding, Severity

RATINGS = (1.0, 4000.0)  # that anybody can have
PERFORMANCES = (-1000.0, 5000.0)
MOST_LINES = 50_000  # of a table, or standings of a case: more of the shortest take longer than a file may
MOST_STANDINGS = 500_000  # of all files together: 100,000 players on five lists; one takes a kilobyte


class Code(StrEnum):
    """A kind of finding of an opening balance. Hazard: other programs read the values; never change one."""

    severity: Severity

    def __new__(cls, value: str, severity: Severity = Severity.ERROR) -> "Code":
        """Make a member with its severity."""
        code = str.__new__(cls, value)
        code._value_, code.severity = value, severity
        return code

    UNREADABLE_CASE = "unreadable-case"
    WRONG_MONTH = "wrong-month"
    MONTH_NOT_OPEN = "month-not-open"
    EVENTS_LEFT_OUT = "events-left-out", Severity.NOTE
    MISSING_LIST = "missing-list"
    UNKNOWN_LIST = "unknown-list"
    LIST_BY_FILE_NAME = "list-by-file-name", Severity.NOTE
    MISSING_ID = "missing-id"
    UNKNOWN_PLAYER = "unknown-player"
    PLAYER_LEFT_OUT = "player-left-out", Severity.NOTE
    ANOTHER_NAME = "another-name", Severity.HOLD
    PLAYER_TWICE = "player-twice"
    UNREADABLE_NUMBER = "unreadable-number"
    OUT_OF_RANGE = "out-of-range"
    HISTORY_GAP = "history-gap"
    HISTORY_BEGINS = "history-begins"
    FIGURES_WITHOUT_RATING = "figures-without-rating"
    INCOMPLETE_PERFORMANCE = "incomplete-performance"
    UNKNOWN_TYPE = "unknown-type"
    UNREADABLE_DATE = "unreadable-date"
    DATE_AS_NUMBER = "date-as-number"
    AMBIGUOUS_DATE = "ambiguous-date"
    LATE_DATE = "late-date"
    DATE_ORDER = "date-order", Severity.NOTE
    DATE_FORM = "date-form", Severity.NOTE
    DECIMAL_COMMA = "decimal-comma", Severity.NOTE
    K_DIFFERS = "k-differs", Severity.NOTE


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: in a table by line and columns, in a case by the words of `path`."""

    line: int | None = None
    column: int | None = None
    end_column: int | None = None
    path: str = ""
    heading: str = ""  # of the column

    def __str__(self) -> str:
        return self.path or f"line {self.line}"


@dataclass(frozen=True, slots=True)
class Entry:
    """A player's standing on a list, as a file gives it. What it does not say is None or empty.

    `number`: Chess SA id, `fide_id` where there is no such; `list`: its code; `history`: raw ratings newest first, from `raw`
    on; `performances`: (performance, day, index in TYPES_OF_GAME) newest first; `window`: the sums of article 49 as they were
    carried on; `activity`: games of the last months that count towards it. On a list of another system `games`, `wins`,
    `draws`, `events` and `record` say what that system must know, or `standing` says all of it, in its own words.
    """

    place: Place
    number: str
    list: str
    fide_id: int | None = None
    name: str = ""
    raw: float | None = None
    published: float | None = None
    highest: float | None = None
    k: float | None = None
    history: tuple[float, ...] = ()
    performances: tuple[tuple[float, int, int], ...] = ()
    pending_penalty: float = 0.0
    window: tuple[float, float] | None = None
    activity: int = 0
    games: int | None = None
    wins: int = 0
    draws: int = 0
    events: int = 0
    record: str = ""
    standing: Any = None

    @property
    def is_rated(self) -> bool:
        """Whether the file gives a rating."""
        return self.raw is not None or self.published is not None


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The standings of a file, and the findings of its reading."""

    entries: Sequence[Entry] = ()
    findings: Sequence[Finding] = field(default=())

    @property
    def errors(self) -> list[Finding]:
        """The findings that block the import."""
        return [finding for finding in self.findings if finding.severity is Severity.ERROR]
