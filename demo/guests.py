"""Games abroad: a player's own, against guests with FIDE ratings or with performances only."""

from collections.abc import Sequence
from random import Random
from statistics import NormalDist

from demo.games import play_game
from demo.names import foreign_names
from demo.people import InventedPerson
from demo.plans import EventPlan
from events.abroad.recording import GameAbroad
from events.rules.game_result import Result

_FEDERATIONS = ("NAM", "BOT", "MRI", "ESP", "ZAM", "POR", "NOR")
_FIRST_FIDE_ID = 995_000_001


def games_abroad(event: EventPlan, person: InventedPerson, month: int, rounds: int) -> list[GameAbroad]:
    """Return one player's games in a section abroad, one for each round; about 2 % are forfeits."""
    random = Random(f"{event.key}/{person.number}")  # noqa: S311
    games: list[GameAbroad] = []
    for round_, name in enumerate(foreign_names(random, rounds), start=1):
        strength = person.strengths[month] + random.gauss(0, 150)
        white = (round_ + person.index) % 2 == 0
        sides = (person.strengths[month], strength) if white else (strength, person.strengths[month])
        rated = random.random() > 0.17
        games.append(
            GameAbroad(
                round=round_,
                white=white,
                result=Result.FORFEIT_WHITE_WINS if random.random() < 0.02 else play_game(*sides, random),
                opponent=name,
                federation=random.choice(_FEDERATIONS),
                fide_id=_FIRST_FIDE_ID + random.randrange(1_000_000) if rated else None,
                fide_rating=max(1400, round(strength)) if rated else None,
                performance=None if rated else max(1000, round(strength - 60)),
            )
        )
    return games


def places_abroad(event: EventPlan, points: Sequence[float], rounds: int) -> list[int]:
    """Return a place for each score in `points`, as if the field's scores were normally distributed."""
    field = 80 + 2 * (len(event.key) % 20)
    scores = NormalDist(rounds / 2, 0.4 * rounds**0.5)
    places = [0] * len(points)
    for ahead, index in enumerate(sorted(range(len(points)), key=lambda index: -points[index])):
        places[index] = ahead + 1 + round((field - len(points)) * (1 - scores.cdf(points[index])))
    return places
