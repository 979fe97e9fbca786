"""The penalties that results propose, for forfeits and withdrawals, and their points (articles 51, 52). Pure.

Files do not say whether notice was given: a region, an arbiter or an officer answers each proposal. What nobody answers is
applied, when an officer accepts the event all the same.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from events.rules.abroad import GameAbroad
from events.rules.game_result import FORFEITS, Result
from events.rules.time_controls import edition_at
from events.rules.tournament import Pairing, Tournament

_FIRST_PENALISED_ROUND = 2  # article 51 excludes round 1
_ABSENCES = frozenset({Result.ZERO_BYE})
_FORMATS_WITH_WITHDRAWALS = frozenset({"swiss"})


class PenaltyKind(StrEnum):
    """Why points may be lost."""

    FORFEIT = "forfeit"  # article 51
    WITHDRAWAL = "withdrawal"  # article 52

    @property
    def article(self) -> str:
        """The article by which the points are lost."""
        return "51" if self is PenaltyKind.FORFEIT else "52"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed penalty of the player with the start number `number`.

    It covers `rounds` rounds from `round` on, each of which costs the points of the edition; `lines` of the file show it.
    Answers are stored by its `key`. Once it is recorded, kind, player and round identify it within its section.
    """

    kind: PenaltyKind
    number: int
    round: int
    rounds: int = 1
    lines: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        """The id within a file, such as `withdrawal-8-5`, to be compared only, never parsed."""
        return f"{self.kind}-{self.number}-{self.round}"


def points_lost(proposal: Proposal, ends: date) -> float:
    """Return the rating points that a penalty costs for all its rounds, in a section that ended on a day (articles 51, 52)."""
    return proposal.rounds * float(edition_at(ends)["penalty_points"])


def proposals_abroad(games: Iterable[GameAbroad], number: int) -> list[Proposal]:
    """Return the penalties that a player's own games abroad propose: every forfeit after round 1 (article 51).

    `number`: the player's start number in the section.
    """
    return [
        Proposal(PenaltyKind.FORFEIT, number, game.round)
        for game in games
        if game.round >= _FIRST_PENALISED_ROUND and _lost_by_forfeit(game.result, white=game.white)
    ]


def proposals(tournament: Tournament, rounds_planned: int | None = None, *, format: str = "swiss") -> list[Proposal]:
    """Return the penalties that a section's results propose, by start number and round.

    They are every forfeit after round 1, and in a Swiss every player who was paired and from some round on to the end was
    neither paired nor given a bye. A forfeit just before that belongs to the withdrawal, also one in round 1, which article 52
    does not exclude; it is not proposed besides. The end is the last round with a game, at most `rounds_planned`, so that a
    play-off is not taken for absence of the others.

    No withdrawals are proposed for teams, whose reserves sit out rounds, nor for round-robins, in which a free round belongs
    to the schedule and players who leave forfeit their games.
    """
    entrant_lines = {entrant.number: entrant.line for entrant in tournament.entrants}
    by_player = _by_player(tournament.pairings)
    last = max((pairing.round for pairing in tournament.pairings if pairing.black is not None), default=0)
    if rounds_planned is not None:
        last = min(last, rounds_planned)
    individual = format in _FORMATS_WITH_WITHDRAWALS and not tournament.teams
    proposed: list[Proposal] = []
    for number, line in entrant_lines.items():
        own = by_player[number]
        first = _withdrawn_from(number, own, last) if individual else None
        if first is not None:
            lines = _lines(own, range(first, last + 1)) or _known(line)
            proposed.append(Proposal(PenaltyKind.WITHDRAWAL, number, first, last - first + 1, lines))
        proposed += [
            Proposal(PenaltyKind.FORFEIT, number, round_, 1, _known(pairing.line))
            for round_, pairing in own.items()
            if round_ >= _FIRST_PENALISED_ROUND
            and _forfeited(number, pairing)
            and (first is None or not first <= round_ <= last)
        ]
    return sorted(proposed, key=lambda proposal: (proposal.number, proposal.round))


def _by_player(pairings: Sequence[Pairing]) -> Mapping[int, dict[int, Pairing]]:
    """Return start number → round → pairing, rounds in order."""
    by_player: defaultdict[int, dict[int, Pairing]] = defaultdict(dict)
    for pairing in sorted(pairings, key=lambda pairing: pairing.round):
        by_player[pairing.white][pairing.round] = pairing
        if pairing.black is not None:
            by_player[pairing.black][pairing.round] = pairing
    return by_player


def _withdrawn_from(number: int, own: Mapping[int, Pairing], last: int) -> int | None:
    """Return the round from which the player was absent to the end, or None."""
    first = last + 1
    while first > 1 and _absent(own.get(first - 1)):
        first -= 1
    if first > last:
        return None
    while first > 1 and (before := own.get(first - 1)) and _forfeited(number, before):
        first -= 1
    entered = any(not _absent(pairing) for round_, pairing in own.items() if round_ <= last)
    return first if entered else None


def _absent(pairing: Pairing | None) -> bool:
    return pairing is None or (pairing.black is None and pairing.result in _ABSENCES)


def _forfeited(number: int, pairing: Pairing) -> bool:
    return pairing.black is not None and _lost_by_forfeit(pairing.result, white=pairing.white == number)


def _lost_by_forfeit(result: Result | None, *, white: bool) -> bool:
    """Return whether the side of a colour lost by forfeit; both sides of a double forfeit did."""
    won = Result.FORFEIT_WHITE_WINS if white else Result.FORFEIT_BLACK_WINS
    return result in FORFEITS and result is not won


def _lines(own: Mapping[int, Pairing], rounds: range) -> tuple[int, ...]:
    return tuple(
        sorted({pairing.line for round_, pairing in own.items() if round_ in rounds and pairing.line is not None})
    )


def _known(line: int | None) -> tuple[int, ...]:
    return () if line is None else (line,)
