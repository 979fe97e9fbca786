"""Reads what a new or confirmed penalty is held against: the rounds of its section, and the player's other penalties."""

from collections import defaultdict

from events.models import Kind, Penalty, Section
from events.rules.game_result import PENALISED, PLAYED
from events.rules.penalties import SectionRounds, last_common_round, rounds_covered
from players.models import Player


def section_rounds(section: Section) -> SectionRounds:
    """Return the rounds of a section with results. Abroad, where one player's own rounds are recorded, all are common."""
    rounds: set[int] = set()
    paired: defaultdict[int, int] = defaultdict(int)
    participants: set[int | None] = set()
    for round_, white, black, result in section.games.values_list("round", "white", "black", "result"):
        rounds.add(round_)
        if black is not None:
            paired[round_] += 2
            participants |= {white, black} if result in PLAYED | PENALISED else set()
    last = max(rounds, default=0)
    abroad = section.event.kind == Kind.ABROAD
    return SectionRounds(last, last if abroad else last_common_round(paired, len(participants)))


def rounds_taken(section: Section, player: Player) -> set[int]:
    """Return the rounds for which a player has a penalty in a section, proposed or confirmed."""
    return {
        round_
        for penalty in section.penalties.filter(player=player).exclude(status=Penalty.Status.DROPPED)
        for round_ in rounds_covered(penalty.round, float(penalty.points), section.ends)
    }
