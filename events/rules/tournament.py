"""A tournament as a file contains it: what every reader of files returns and every writer takes. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import NamedTuple

from events.rules.findings import Finding, Severity
from events.rules.game_result import BYES, FORFEITS, PENALISED, PLAYED, Result


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Base time in minutes and increment in seconds a move."""

    base: int
    increment: int

    def __str__(self) -> str:
        return f"{self.base}+{self.increment}"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player as the file names them. Everything except the start number and the name may be missing."""

    number: int
    name: str
    last_name: str
    first_name: str
    sex: str = ""  # "M", "F" or "" (unknown)
    title: str = ""  # GM IM FM CM WGM WIM WFM WCM
    rating: int | None = None
    federation: str = ""
    region: str = ""
    club: str = ""
    fide_id: str = ""
    national_id: str = ""
    national_federation: str = ""  # of the player's national line (NRS) in the file
    national_rating: int | None = None
    birth_year: int | None = None
    birth_date: date | None = None  # only when the file gives the day
    points: float | None = None  # as in the file, not counted
    rank: int | None = None
    line: int | None = None

    @property
    def called(self) -> str:
        """The name, or the id where the file gives that alone."""
        return self.name or self.national_id or self.fide_id


class Pairing(NamedTuple):  # made quickly, half a million times for the largest file
    """A game, or one player's round without a game. `white` and `black` are start numbers.

    `black` is None for a round without an opponent. If the file gives no colours, `colour_known` is False and `white` is the
    lower start number.
    """

    round: int
    white: int
    black: int | None
    result: Result | None  # None: paired, no result yet
    colour_known: bool = True
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Team:
    """A team's name and its members' start numbers, in board order."""

    name: str
    members: tuple[int, ...]


@dataclass(frozen=True)
class Tournament:
    """The content of a tournament file that the bureau uses, with the findings of reading it.

    `rounds`: the greatest number of rounds of any player. `forfeit_slots` and `bye_slots` count player-rounds in the file (a
    normal forfeit counts two; in SwissPerfect's, which has a record for each game, one).
    """

    format: str  # TRF16, TRF26, TUNX, SwissPerfect, CSV
    encoding: str
    name: str = ""
    city: str = ""
    federation: str = ""
    starts: date | None = None
    ends: date | None = None
    rounds: int = 0
    planned_rounds: int | None = None
    round_dates: tuple[date | None, ...] = ()
    kind: str = ""  # free text of the file
    kind_code: str = ""  # coded type, TRF26 record 192
    chief_arbiter: str = ""
    deputy_arbiters: tuple[str, ...] = ()
    time_control_text: str = ""
    time_control: TimeControl | None = None
    time_controls: tuple[TimeControl, ...] = ()  # when the file states several (articles 21, 22)
    entrants: tuple[Entrant, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    teams: tuple[Team, ...] = ()
    tie_breaks: tuple[str, ...] = ()  # codes in the order of the file, TRF26 record 212 or 202
    forfeit_slots: int = 0
    bye_slots: int = 0
    sample_names: tuple[str, ...] = ()  # at most three, to show whether a guessed encoding is right
    findings: tuple[Finding, ...] = ()
    extra_lines: tuple[str, ...] = field(default=(), repr=False)  # unknown lines, stored unchanged

    @cached_property
    def by_number(self) -> Mapping[int, Entrant]:
        """The players by start number: the first line of each."""
        return {entrant.number: entrant for entrant in reversed(self.entrants)}

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that block."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.ERROR)

    @property
    def stated_controls(self) -> tuple[TimeControl, ...]:
        """All time controls that the file states."""
        return self.time_controls or ((self.time_control,) if self.time_control else ())

    @property
    def games(self) -> tuple[Pairing, ...]:
        """The pairings of two players that were played, those with an arbiter's penalty included."""
        return tuple(
            pairing for pairing in self.pairings if pairing.black is not None and pairing.result in PLAYED | PENALISED
        )

    @property
    def played_games(self) -> int:
        """The number of games that were played."""
        return len(self.games)

    @property
    def participants(self) -> frozenset[int]:
        """The start numbers of the players who played a game (article 17)."""
        return frozenset(number for game in self.games for number in (game.white, game.black) if number is not None)

    @property
    def completed_rounds(self) -> int:
        """The number of rounds in which a game was played (article 17)."""
        return len({game.round for game in self.games})

    def pairings_of(self, results: frozenset[Result]) -> Sequence[Pairing]:
        """Return the pairings with one of the results."""
        return [pairing for pairing in self.pairings if pairing.result in results]

    @property
    def forfeits(self) -> Sequence[Pairing]:
        """Pairings decided by forfeit."""
        return self.pairings_of(FORFEITS)

    @property
    def byes(self) -> Sequence[Pairing]:
        """Rounds of a player without an opponent."""
        return self.pairings_of(BYES)
