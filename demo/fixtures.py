"""The kinds of event that the demonstration knows, and in which months of the year they are held."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FixtureGroup:
    """Who may enter a section: all players by strength, an age group up to `oldest`, or women."""

    name: str
    oldest: int | None = None
    women: bool = False


@dataclass(frozen=True, slots=True)
class Fixture:
    """A kind of event. `days`: for each round, days after the Saturday of its weekend; `size`: least and most players.

    `months`: of the year, empty for every month; `scope`: region, national or abroad.
    """

    title: str
    base: int
    increment: int
    days: tuple[int, ...]
    size: tuple[int, int]
    groups: tuple[FixtureGroup, ...] = (FixtureGroup(""),)
    kind: str = "otb"
    format: str = "swiss"
    months: tuple[int, ...] = ()
    scope: str = "region"
    fide_rated: bool = False


def _groups(*names: str) -> tuple[FixtureGroup, ...]:
    return tuple(FixtureGroup(name) for name in names)


def _ages(*oldest: int) -> tuple[FixtureGroup, ...]:
    return tuple(FixtureGroup(f"U{age} Open", age) for age in oldest) + tuple(
        FixtureGroup(f"U{age} Girls", age, women=True) for age in oldest[::2]
    )


_WEEKEND = (-1, 0, 0, 1, 1)  # Friday evening to Sunday
_EVENINGS = (-11, -9, -4, -2, 3, 5, 10)  # Tuesdays and Thursdays around the weekend

FIXTURES: tuple[Fixture, ...] = (
    Fixture("Open", 90, 30, _WEEKEND, (36, 48), _groups("A Section", "B Section"), fide_rated=True),
    Fixture("Classic", 60, 0, (0, 0, 0, 1, 1), (42, 60), _groups("A Section", "B Section", "C Section")),
    Fixture("Rapid", 25, 5, (0,) * 6, (34, 48), _groups("Premier", "Amateur")),
    Fixture("Blitz", 5, 3, (-1,) * 9, (20, 34)),
    Fixture("Challenge", 60, 0, (0, 0, 1, 1, 1), (16, 30)),
    Fixture("Rapid Sunday", 15, 10, (1,) * 6, (18, 34)),
    Fixture("Quick Rapid", 10, 0, (0,) * 7, (20, 34)),
    Fixture("Night Blitz", 3, 2, (-1,) * 9, (20, 30)),
    Fixture("Club Championship", 60, 0, _EVENINGS, (8, 8), kind="club", format="round-robin"),
    Fixture("Club Rapid", 15, 10, (-3, -3, -3, 4, 4, 4), (14, 22), kind="club"),
    Fixture("Club Blitz Duel", 5, 3, (-2,) * 10, (6, 6), kind="club", format="double-round-robin"),
    Fixture("Rapid Grand Day", 25, 5, (0,) * 6, (20, 36), months=(2, 3, 5, 6, 8, 9, 11)),
    Fixture("Online Hybrid", 25, 5, (1,) * 5, (16, 28), kind="hybrid", months=(3, 6, 9, 11)),
    Fixture("Schools Championship", 25, 5, (0,) * 6, (40, 60), _ages(12, 15, 18), months=(4, 8, 10)),
    Fixture("Schools League", 25, 5, (0,) * 5, (24, 28), (FixtureGroup("", 18),), format="team", months=(3, 9)),
    Fixture(
        "National Championship",
        120,
        30,
        (-8, -7, -6, -5, -4, -3, -2, -1, 0),
        (10, 10),
        kind="national",
        format="round-robin",
        months=(12,),
        scope="national",
        fide_rated=True,
    ),
    Fixture(
        "National Open",
        90,
        30,
        (-4, -3, -2, -1, 0, 0, 1),
        (50, 64),
        _groups("Championship", "Prestige"),
        kind="national",
        months=(7, 12),
        scope="national",
        fide_rated=True,
    ),
    Fixture(
        "National Junior Championship",
        60,
        0,
        (-4, -3, -3, -2, -2, -1, -1),
        (70, 90),
        _ages(12, 16, 20),
        kind="national",
        months=(1,),
        scope="national",
    ),
    Fixture(
        "National Women's Championship",
        90,
        30,
        (-2, -1, -1, 0, 0, 1),
        (16, 22),
        (FixtureGroup("", women=True),),
        kind="national",
        months=(6,),
        scope="national",
        fide_rated=True,
    ),
    Fixture(
        "Masters",
        90,
        30,
        (-4, -3, -2, -1, 0, 0, 1),
        (4, 6),
        kind="abroad",
        months=(2, 4, 5, 8, 10, 12),
        scope="abroad",
        fide_rated=True,
    ),
)
