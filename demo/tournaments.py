"""Plays a section round by round, into the Tournament value that reading its file would give."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from random import Random

from demo.games import play_game
from demo.officials import Official
from demo.people import InventedPerson
from demo.plans import Defect, EventPlan, SectionPlan
from demo.regions import PLACES
from demo.swiss import Pairs, PlayerCard, pair_round, record_game, round_robin
from demo.teams import draw_teams, pair_teams
from events.rules.game_result import BYES, FORFEITS, POINTS, Result
from events.rules.tournament import Entrant, Pairing, Team, TimeControl, Tournament

_NO_SHOW, _HALF_BYE, _WITHDRAWS, _COMES_LATE = 0.006, 0.03, 0.012, 0.01
_WITHOUT_BIRTH_DATE = 4  # with Defect.BIRTH_DATES every fourth player has none
_KINDS = {  # format → the file's words and FIDE's type code
    "swiss": ("Individual: Swiss System", "CUSTOM_SWISS"),
    "round-robin": ("Individual: Round Robin", "CUSTOM_ROUNDROBIN"),
    "double-round-robin": ("Individual: Double Round Robin", "CUSTOM_ROUNDROBIN"),
    "team": ("Team: Round Robin", "CUSTOM_TEAMROUNDROBIN"),
}


@dataclass(slots=True)
class _Absences:
    """Byes by (start number, round). `vanishes`: the round in which a player is paired, fails to appear and withdraws."""

    byes: dict[tuple[int, int], Result]
    vanishes: dict[int, int]


def play_section(
    event: EventPlan,
    section: SectionPlan,
    people: Sequence[InventedPerson],
    officials: Sequence[Official],
    month: int,
    ratings: Mapping[str, int],
) -> Tournament:
    """Play a section in the month with index `month`. `ratings` by player number give the seeding; others are unrated."""
    random = Random(f"{event.key}/{section.name}")  # noqa: S311
    entered = [people[index] for index in section.players]
    entered.sort(key=lambda person: (-ratings.get(person.number, 0), person.file_name))
    minutes = section.base + section.increment
    strengths = {
        number: person.strengths[month] + person.quickness * 20 / (20 + minutes) + random.gauss(0, 60)
        for number, person in enumerate(entered, start=1)
    }
    cards = {number: PlayerCard(number) for number in strengths}
    teams = draw_teams(list(cards)) if section.format == "team" else ()
    schedule = _schedule(section, len(cards), teams)
    absences = _Absences({}, {}) if schedule else _draw_absences(random, list(cards), section.rounds)
    pairings: list[Pairing] = []
    for round_ in range(1, section.rounds + 1):
        away = {number: result for (number, day), result in absences.byes.items() if day == round_}
        pairs = schedule[round_ - 1] if schedule else pair_round([cards[n] for n in cards if n not in away])
        played = [Pairing(round_, number, None, result) for number, result in sorted(away.items())]
        if pairs.bye is not None:
            cards[pairs.bye].had_bye = True
            played.append(Pairing(round_, pairs.bye, None, Result.PAIRING_BYE if not schedule else Result.ZERO_BYE))
        for white, black in pairs.games:
            gone = {number for number in (white, black) if absences.vanishes.get(number) == round_}
            steady = [number for number in (white, black) if number not in absences.vanishes]
            result = _forfeit(random, white, gone, steady) or play_game(strengths[white], strengths[black], random)
            record_game(cards[white], cards[black])
            played.append(Pairing(round_, white, black, result))
        for pairing in played:
            _score(pairing, cards)
        pairings += played
    return _tournament(event, section, entered, officials, pairings, cards, ratings, _named(event, teams))


def _schedule(section: SectionPlan, players: int, teams: tuple[tuple[int, ...], ...]) -> list[Pairs]:
    """Return all rounds of a section, or an empty list for a Swiss, which is paired round by round."""
    if section.format == "swiss":
        return []
    if teams:
        return pair_teams(teams)
    return round_robin(players, double=section.format == "double-round-robin")


def _draw_absences(random: Random, numbers: list[int], rounds: int) -> _Absences:
    absences = _Absences({}, {})
    for number in numbers:
        chance = random.random()
        if chance < _WITHDRAWS:
            leaves = random.randint(2, rounds)
            vanishes = random.random() < 0.5
            if vanishes:
                absences.vanishes[number] = leaves
            for later in range(leaves + vanishes, rounds + 1):
                absences.byes[number, later] = Result.ZERO_BYE
        elif chance < _WITHDRAWS + _COMES_LATE:
            absences.byes[number, 1] = Result.ZERO_BYE
        elif chance < _WITHDRAWS + _COMES_LATE + _HALF_BYE:
            absences.byes[number, random.randint(1, rounds - 1)] = Result.HALF_BYE
    return absences


def _forfeit(random: Random, white: int, gone: set[int], steady: list[int]) -> Result | None:
    """`steady`: those of the pair who never leave; one of them may fail to appear in this round only."""
    if random.random() < _NO_SHOW and steady:
        gone = gone | {random.choice(steady)}
    if not gone:
        return None
    if len(gone) == 2:
        return Result.FORFEIT_BOTH_LOSE
    return Result.FORFEIT_BLACK_WINS if white in gone else Result.FORFEIT_WHITE_WINS


def _score(pairing: Pairing, cards: Mapping[int, PlayerCard]) -> None:
    white, black = POINTS[pairing.result or Result.ZERO_BYE]
    cards[pairing.white].points += white
    if pairing.black is not None:
        cards[pairing.black].points += black


def _tournament(
    event: EventPlan,
    section: SectionPlan,
    entered: list[InventedPerson],
    officials: Sequence[Official],
    pairings: list[Pairing],
    cards: Mapping[int, PlayerCard],
    ratings: Mapping[str, int],
    teams: tuple[Team, ...],
) -> Tournament:
    opponents = {n: sum(cards[other].points for other in sorted(cards[n].met)) for n in cards}
    order = sorted(cards, key=lambda n: (-cards[n].points, -opponents[n], n))
    ranks = {number: rank for rank, number in enumerate(order, start=1)}
    dates: tuple[date | None, ...] = () if Defect.ROUND_DATES in event.defects else section.round_dates
    arbiters = [arbiter_text(officials[index]) for index in event.officials]
    clubs = {number: team.name for team in teams for number in team.members}
    kind, kind_code = _KINDS[section.format]
    return Tournament(
        format="TRF26",
        encoding="utf-8",
        name=f"{event.name}, {section.name}" if section.name else event.name,
        city=event.place,
        federation="RSA",
        starts=section.round_dates[0],
        ends=section.round_dates[-1],
        rounds=section.rounds,
        planned_rounds=section.rounds,
        round_dates=dates,
        kind=kind,
        kind_code=kind_code,
        chief_arbiter=arbiters[0] if arbiters else "",
        deputy_arbiters=tuple(arbiters[1:]),
        time_control_text=f"{section.base} min + {section.increment} sec"
        if section.increment
        else f"{section.base} min",
        time_control=TimeControl(section.base, section.increment),
        entrants=tuple(
            _entrant(
                number,
                person,
                ratings.get(person.number),
                cards[number].points,
                ranks[number],
                clubs.get(number, ""),
                with_birth_date=Defect.BIRTH_DATES not in event.defects or number % _WITHOUT_BIRTH_DATE > 0,
            )
            for number, person in enumerate(entered, start=1)
        ),
        pairings=tuple(pairings),
        teams=teams,
        forfeit_slots=2 * sum(pairing.result in FORFEITS for pairing in pairings),
        bye_slots=sum(pairing.result in BYES for pairing in pairings),
    )


def _named(event: EventPlan, teams: tuple[tuple[int, ...], ...]) -> tuple[Team, ...]:
    emblems = Random(f"{event.key}/teams").sample([place.emblem for place in PLACES], len(teams))  # noqa: S311
    return tuple(Team(f"{emblem} High School", members) for emblem, members in zip(emblems, teams, strict=True))


def _entrant(
    number: int,
    person: InventedPerson,
    rating: int | None,
    points: float,
    rank: int,
    club: str,
    *,
    with_birth_date: bool,
) -> Entrant:
    return Entrant(
        number=number,
        name=person.file_name,
        last_name=person.last_name,
        first_name=person.first_name,
        sex=person.sex,
        title=person.title,
        rating=rating,
        federation="RSA",
        region=person.place.code,
        club=club,
        fide_id=str(person.fide_id or ""),
        national_id=person.number,
        national_federation="RSA",
        national_rating=rating,
        birth_year=person.born.year if with_birth_date else None,
        birth_date=person.born if with_birth_date else None,
        points=points,
        rank=rank,
    )


def arbiter_text(official: Official) -> str:
    """Return an arbiter's text as files write it: `IA Name (FIDE id)`."""
    return f"{official.title} {official.name}" + (f" ({official.fide_id})" if official.fide_id else "")
