"""Reads what a new or confirmed penalty is held against: the rounds of its section, and the player's other penalties."""

from collections import defaultdict

from events.models import Kind, Penalty, Section
from events.rules.game_result import BYES, PENALISED, PLAYED, Result
from events.rules.penalties import SectionRounds, last_common_round, rounds_covered, was_at_board
from players.models import Player


def section_rounds(section: Section, player: Player) -> SectionRounds:
    """Return the rounds of a section with results, for a player who is in it.

    Abroad they are his own rows, all of them common: others in the section say nothing of how long he had to play.
    """
    attended: dict[int, Result] = {}
    byes: dict[int, Result] = {}
    rounds: set[int] = set()
    paired: defaultdict[int, int] = defaultdict(int)
    participants: set[int | None] = set()
    abroad = section.event.kind == Kind.ABROAD
    for round_, white, black, result in section.games.values_list("round", "white", "black", "result"):
        own = player.pk in (white, black)
        if own and was_at_board(Result(result), white=white == player.pk):
            attended[round_] = Result(result)
        if own and result in BYES:
            byes[round_] = Result(result)
        if own or not abroad:
            rounds.add(round_)
        if black is not None:
            paired[round_] += 2
            participants |= {white, black} if result in PLAYED | PENALISED else set()
    last = max(rounds, default=0)
    return SectionRounds(last, last if abroad else last_common_round(paired, len(participants)), attended, byes)


def rounds_taken(section: Section, player: Player) -> set[int]:
    """Return the rounds for which a player has a penalty in a section, proposed or confirmed."""
    return {
        round_
        for penalty in section.penalties.filter(player=player).exclude(status=Penalty.Status.DROPPED)
        for round_ in rounds_covered(penalty.round, float(penalty.points), section.ends)
    }
