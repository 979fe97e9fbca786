"""The seeded choice of moments: each follows from the seed and its number alone."""

from random import Random

from tests.faults.kill.trial import Place, Plan, Undisturbed

WHATS = ("run", "publication", "rerating", "upload", "submission")


def what_of(seed: int, number: int, what: str) -> str:
    """The work of a moment, of all in turn."""
    return what if what != "all" else WHATS[(seed + number) % len(WHATS)]


def plan_of(seed: int, number: int, right: Undisturbed, kind: str) -> Plan:
    """What is killed when, in a work whose places an undisturbed bureau has shown."""
    chance = Random(f"{seed}/{number}")
    place: Place = chance.choice(right.places)
    own = "web" if place.work == "POST" else "worker"
    victim = own if kind == "embedded" else chance.choice([own, own, own, "postgres", "postgres", "redis"])
    statement = chance.randint(1, place.statements + 1)
    seconds = chance.choice([0.0, 0.0, chance.randint(1, 40) / 1000])
    return Plan(place, victim, statement, seconds)
