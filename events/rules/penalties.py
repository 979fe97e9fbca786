"""The penalties that results propose, for forfeits and withdrawals, and their points (articles 51, 52). Pure.

Files do not say whether notice was given: a region, an arbiter or an officer answers each proposal. What nobody answers is
applied, when an officer accepts the event all the same.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from config.lib import formatting
from events.rules.abroad import GameAbroad
from events.rules.findings import Finding, field_error
from events.rules.game_result import ACTIVITY, BYES, FORFEITS, Result
from events.rules.time_controls import edition_at
from events.rules.tournament import Pairing, Tournament

_FIRST_PENALISED_ROUND = 2  # article 51 excludes round 1
# A bye without points is also what a program writes for who is absent.
_BYES_OF_FORFEITS = BYES - {Result.ZERO_BYE}
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
        """The id within a file, such as `withdrawal-8-5-3`, to be compared only, never parsed.

        It has the number of rounds if there are several: what was answered about two is no answer about three.
        """
        rounds = f"-{self.rounds}" if self.rounds > 1 else ""
        return f"{self.kind}-{self.number}-{self.round}{rounds}"


def points_lost(proposal: Proposal, ends: date) -> float:
    """Return the rating points that a penalty costs for all its rounds, in a section that ended on a day (articles 51, 52)."""
    return proposal.rounds * float(edition_at(ends)["penalty_points"])


def proposals_abroad(games: Iterable[GameAbroad], number: int, *, format: str = "swiss") -> list[Proposal]:
    """Return the penalties that a player's own games abroad propose, as `proposals` does for a file.

    `number`: the player's start number in the section.
    """
    pairings = tuple(
        Pairing(game.round, number, None, game.result)
        if game.result in BYES
        else Pairing(game.round, *((number, 0) if game.white else (0, number)), game.result)
        for game in games
    )
    rounds = max((pairing.round for pairing in pairings), default=0)
    own = _by_player(pairings)[number]
    return _proposals_of(number, own, rounds if format in _FORMATS_WITH_WITHDRAWALS else None, line=None)


@dataclass(frozen=True, slots=True)
class SectionRounds:
    """A section's rounds for one player: the `last` one, and the last `common` one, which at least half of all played.

    `attended`: round → result of those in which the player was at the board, see `was_at_board`; `byes`: round → bye
    of those in which he had one.
    """

    last: int
    common: int
    attended: Mapping[int, Result] = field(default_factory=dict)
    byes: Mapping[int, Result] = field(default_factory=dict)


def was_at_board(result: Result, *, white: bool) -> bool:
    """Return whether the player of a colour came to his game: he played it, or won it by forfeit."""
    return result not in BYES and ACTIVITY.get(result, (False, False))[0 if white else 1]


def rounds_covered(round_: int, points: float, ends: date) -> range:
    """Return the rounds for which a penalty takes points, in a section that ended on a day (articles 51, 52)."""
    return range(round_, round_ + max(1, round(points / float(edition_at(ends)["penalty_points"]))))


def entry_errors(
    kind: PenaltyKind, round_: int, points: float, *, rounds: SectionRounds, ends: date, taken: Collection[int] = ()
) -> Iterator[Finding]:
    """Yield what is wrong with a penalty that an officer enters, at the form's fields (articles 51, 52).

    Nothing is lost for a round in which he was at the board or had a bye of the pairing, nor for a forfeit where he
    had one that he asked for. A withdrawal costs the points of every round to the
    last one. Only rounds after the last common one, those of a play-off or knock-out, may be left out, since not every player
    has a place in them.

    `rounds`: of the section for the player, which ended on the day `ends`; `taken`: for which the player has a penalty already.
    """
    each = float(edition_at(ends)["penalty_points"])
    covered = rounds_covered(round_, each if kind is PenaltyKind.FORFEIT else points, ends)
    if not 1 <= round_ <= rounds.last:
        message = f"The section has rounds 1 to {rounds.last}."
        yield field_error("round", "penalty-round", message, kind.article)
        return
    attended = {number: rounds.attended[number] for number in rounds.attended if number in covered}
    if attended:
        results = ", ".join(f"round {number} ({result})" for number, result in sorted(attended.items()))
        message = f"He was at the board in {results}, and no points are lost for that."
        yield field_error("round", "penalty-round-attended", message, kind.article)
        return
    contradicting = _BYES_OF_FORFEITS if kind is PenaltyKind.FORFEIT else (Result.PAIRING_BYE,)
    byes = sorted(number for number, bye in rounds.byes.items() if number in covered and bye in contradicting)
    if byes:
        message = f"He had a bye in round {', '.join(map(str, byes))}: there was no game to forfeit."
        yield field_error("round", "penalty-round-bye", message, kind.article)
        return
    if kind is PenaltyKind.FORFEIT and round_ < _FIRST_PENALISED_ROUND:
        yield field_error("round", "penalty-round", "A forfeit in round 1 costs no points.", kind.article)
    least = most = each
    if kind is PenaltyKind.WITHDRAWAL:
        least, most = (each * max(1, last - round_ + 1) for last in (rounds.common, rounds.last))
    if points not in _steps(least, most, each):
        message = f"A {kind} in round {round_} costs {formatting.points(least)}"
        if kind is PenaltyKind.WITHDRAWAL:
            message += f", {each:g} for that round and for each one after it"
        if most > least:
            message += (
                f", or up to {most:g} if he had a place in the last ones, which fewer than half of the players played"
            )
        yield field_error("points", "penalty-points", f"{message}.", kind.article)
        return
    twice = sorted(set(taken).intersection(covered))
    if twice:
        message = (
            f"He has a penalty for round {', '.join(map(str, twice))} already, and no round counts twice."
            " Drop that one first, with the reason."
        )
        yield field_error("round", "penalty-round-twice", message, kind.article)


def _steps(least: float, most: float, each: float) -> list[float]:
    return [least + each * step for step in range(round((most - least) / each) + 1)]


def last_common_round(paired: Mapping[int, int], participants: int) -> int:
    """Return the last round in which at least half of the participants were paired. `paired`: round → players."""
    return max((round_ for round_, players in paired.items() if players >= participants / 2), default=0)


def proposals(tournament: Tournament, rounds_planned: int | None = None, *, format: str = "swiss") -> list[Proposal]:
    """Return the penalties that a section's results propose, by start number and round.

    They are every forfeit after round 1, and in a Swiss every player who was paired and from some round on to the end was
    neither paired nor given a bye. A forfeit just before that belongs to the withdrawal, also one in round 1, which article 52
    does not exclude; it is not proposed besides. The end is the last round with a game; a round after the `rounds_planned` in
    which fewer than half of the participants play is a play-off, and not taken for absence of the others.

    No withdrawals are proposed for teams, whose reserves sit out rounds, nor for round-robins, in which a free round belongs
    to the schedule and players who leave forfeit their games.
    """
    entrant_lines = {entrant.number: entrant.line for entrant in tournament.entrants}
    by_player = _by_player(tournament.pairings)
    last = _last_round(tournament, rounds_planned)
    individual = format in _FORMATS_WITH_WITHDRAWALS and not tournament.teams
    proposed: list[Proposal] = []
    for number, line in entrant_lines.items():
        proposed += _proposals_of(number, by_player[number], last if individual else None, line=line)
    return sorted(proposed, key=lambda proposal: (proposal.number, proposal.round))


def _proposals_of(number: int, own: Mapping[int, Pairing], last: int | None, *, line: int | None) -> list[Proposal]:
    """Return the penalties that a player's pairings propose; `last`: the last round that can be missed, None for none."""
    first = None if last is None else _withdrawn_from(number, own, last)
    proposed = []
    missed = range(0)
    if first is not None and last is not None:
        missed = range(first, last + 1)
        lines = _lines(own, missed) or _known(line)
        proposed.append(Proposal(PenaltyKind.WITHDRAWAL, number, first, len(missed), lines))
    proposed += [
        Proposal(PenaltyKind.FORFEIT, number, round_, 1, _known(pairing.line))
        for round_, pairing in own.items()
        if round_ >= _FIRST_PENALISED_ROUND and _forfeited(number, pairing) and round_ not in missed
    ]
    return proposed


def _last_round(tournament: Tournament, rounds_planned: int | None) -> int:
    """Return the last round with a game that is no play-off."""
    paired: Counter[int] = Counter()
    for pairing in tournament.pairings:
        if pairing.black is not None:
            paired[pairing.round] += 2
    planned = (round_ for round_ in paired if round_ <= (rounds_planned or round_))
    return max(last_common_round(paired, len(tournament.participants)), *planned, 0)


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
