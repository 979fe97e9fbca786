"""Which penalties results propose, and what they cost: forfeits and withdrawals (articles 51, 52). Pure.

Whether notice was given no file says: a proposal costs nothing until somebody who knows confirms it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from config.lib.days import next_month
from events.rules.abroad import GameAbroad
from events.rules.constants import edition_for
from events.rules.game_result import FORFEITS, Result
from events.rules.tournament import Pairing, Tournament

_FIRST_ROUND = 2  # round 1 is excluded: who is not there may never have come
_ABSENCES = frozenset({Result.ZERO_BYE})
_FORMATS_WITH_WITHDRAWALS = frozenset({"swiss"})


class PenaltyKind(StrEnum):
    """Why points may be lost."""

    FORFEIT = "forfeit"  # article 51
    WITHDRAWAL = "withdrawal"  # article 52

    @property
    def article(self) -> str:
        """The article that takes the points."""
        return "51" if self is PenaltyKind.FORFEIT else "52"


@dataclass(frozen=True, slots=True)
class Proposal:
    """One penalty: `number` is the start number, `round` the first of the `rounds` rounds that it covers, each of which
    costs the points of the edition. `lines` are those of the file that show it, where it has lines.

    An answer to it is kept by its `key`. Once it is recorded, kind, player and round tell it from the others of its section.
    """

    kind: PenaltyKind
    number: int
    round: int
    rounds: int = 1
    lines: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        """What tells it from the others of a file, as `withdrawal-8-5`. It is compared, never taken apart."""
        return f"{self.kind}-{self.number}-{self.round}"


def points_lost(proposal: Proposal, ends: date) -> float:
    """Rating points that a penalty costs for all its rounds, in a section that ended on a day (articles 51, 52)."""
    return proposal.rounds * float(edition_for(next_month(ends.replace(day=1)))["penalty_points"])


def proposals_abroad(games: Iterable[GameAbroad], number: int) -> list[Proposal]:
    """The penalties that a player's own games abroad propose: every forfeit after round 1 (article 51).

    `number` is his start number in the section.
    """
    return [
        Proposal(PenaltyKind.FORFEIT, number, game.round)
        for game in games
        if game.round >= _FIRST_ROUND and _lost_by_forfeit(game.result, white=game.white)
    ]


def proposals(tournament: Tournament, rounds_planned: int | None = None, *, format: str = "swiss") -> list[Proposal]:
    """The penalties that a section's results propose, by start number and round.

    Every forfeit after round 1, and in a Swiss every player who took part and from some round on was neither paired nor
    given a bye, to the end. A forfeit just before is the beginning of the withdrawal, not a penalty beside it. The
    end is the last round that anybody played, at most `rounds_planned`: a play-off is nobody's absence.

    No withdrawals are proposed for teams, whose reserves sit out rounds without having left, nor for round-robins, where a
    free round is the schedule's and whoever leaves forfeits the games that were drawn for him.
    """
    numbers = [entrant.number for entrant in tournament.entrants]
    entrant_lines = {entrant.number: entrant.line for entrant in tournament.entrants}
    by_player = _by_player(tournament.pairings)
    last = max((pairing.round for pairing in tournament.pairings if pairing.black is not None), default=0)
    if rounds_planned is not None:
        last = min(last, rounds_planned)
    individual = format in _FORMATS_WITH_WITHDRAWALS and not tournament.teams
    found: list[Proposal] = []
    for number in numbers:
        own = by_player[number]
        first = _withdrawn_from(number, own, last) if individual else None
        if first is not None:
            lines = _lines(own, range(first, last + 1)) or _known(entrant_lines[number])
            found.append(Proposal(PenaltyKind.WITHDRAWAL, number, first, last - first + 1, lines))
        found += [
            Proposal(PenaltyKind.FORFEIT, number, round_, 1, _known(pairing.line))
            for round_, pairing in own.items()
            if round_ >= _FIRST_ROUND and _forfeited(number, pairing) and (first is None or not first <= round_ <= last)
        ]
    return sorted(found, key=lambda proposal: (proposal.number, proposal.round))


def _by_player(pairings: Sequence[Pairing]) -> Mapping[int, dict[int, Pairing]]:
    """Each player's pairings by round."""
    found: defaultdict[int, dict[int, Pairing]] = defaultdict(dict)
    for pairing in sorted(pairings, key=lambda pairing: pairing.round):
        found[pairing.white][pairing.round] = pairing
        if pairing.black is not None:
            found[pairing.black][pairing.round] = pairing
    return found


def _withdrawn_from(number: int, own: Mapping[int, Pairing], last: int) -> int | None:
    """The round from which the player was away without notice to the end, or None."""
    first = last + 1
    while first > 1 and _absent(own.get(first - 1)):
        first -= 1
    if first > last:
        return None
    while first > 1 and (before := own.get(first - 1)) and _forfeited(number, before):
        first -= 1
    came = any(
        not _absent(pairing) and not _forfeited(number, pairing) for round_, pairing in own.items() if round_ < first
    )
    return first if came else None


def _absent(pairing: Pairing | None) -> bool:
    return pairing is None or (pairing.black is None and pairing.result in _ABSENCES)


def _forfeited(number: int, pairing: Pairing) -> bool:
    """Whether the player himself did not come."""
    return pairing.black is not None and _lost_by_forfeit(pairing.result, white=pairing.white == number)


def _lost_by_forfeit(result: Result | None, *, white: bool) -> bool:
    """Whether the side of this colour did not come; both sides of a double forfeit did not."""
    won = Result.FORFEIT_WHITE_WINS if white else Result.FORFEIT_BLACK_WINS
    return result in FORFEITS and result is not won


def _lines(own: Mapping[int, Pairing], rounds: range) -> tuple[int, ...]:
    return tuple(
        sorted({pairing.line for round_, pairing in own.items() if round_ in rounds and pairing.line is not None})
    )


def _known(line: int | None) -> tuple[int, ...]:
    return () if line is None else (line,)
