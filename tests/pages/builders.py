"""A small federation for pages: players, events with games, months calculated and published by the real runs."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from django.utils import timezone

from events.models import Appointment, Arbiter, Entry, Event, EventMove, Game, Guest, RatingPeriod, Section
from events.periods import get_or_create_period
from events.rules.game_result import POINTS, Result
from events.rules.states import State
from players.models import Player, Region
from players.operations import NewPlayer, register_players
from ratings.models import RatingList
from ratings.runs.operations import request_publication, start_run
from ratings.runs.worker import process_run
from tests.kept import kept

CLOCK = datetime(2024, 1, 1, 8, 0, tzinfo=UTC)
MARCH, APRIL = date(2024, 3, 1), date(2024, 4, 1)
NAMES = [
    "Ashby Tom",
    "Botha Anri",
    "Cele Zola",
    "Dlamini Sipho",
    "Essop Imraan",
    "Fourie Chloé",
    "Gumede Nomsa",
    "Hlongwane Vusi",
]


def players(count: int = 8, *, region: str = "GAU", last: str = "", birth_year: int = 2001) -> list[Player]:
    """Register players; the first eight have the names above."""
    home = Region.objects.get(code=region)
    people = []
    for index in range(count):
        surname, _, given = (NAMES[index] if index < len(NAMES) else f"Zulu{index:03d} Given").partition(" ")
        people.append(
            NewPlayer(
                last_name=last or surname,
                first_name=given,
                region=home,
                birth_year=birth_year,
                birth_date=date(birth_year, 7, 19),
                sex="F",
            )
        )
    return register_players(people, at=CLOCK)


def event(
    name: str = "Open",
    *,
    ends: date = date(2024, 3, 17),
    state: State = State.ACCEPTED,
    region: str = "GAU",
    sections: Sequence[str] = ("",),
    time_control: tuple[int, int] = (90, 30),
) -> Event:
    """An event with sections without games, and the trail that leads to its state."""
    made = Event.objects.create(
        name=name, region=Region.objects.get(code=region), place="Pretoria", starts=ends, ends=ends, state=state
    )
    arbiter, _ = Arbiter.objects.get_or_create(name="Lindiwe Arendse", defaults={"title": "NA"})
    Appointment.objects.create(event=made, arbiter=arbiter, position=1)
    before = State.DRAFT
    for step, target in enumerate((State.REGISTERED, State.SUBMITTED, state)):
        if state is State.DRAFT or before is state:
            break
        at = datetime(ends.year, ends.month, ends.day, 8, tzinfo=UTC) + timedelta(days=(-14, 1, 2)[step])
        EventMove.objects.create(event=made, source=before, target=target, at=at)
        before = target
    for position, section in enumerate(sections, start=1):
        Section.objects.create(
            event=made,
            name=section,
            position=position,
            base_minutes=time_control[0],
            increment_seconds=time_control[1],
            starts=ends,
            ends=ends,
            period=get_or_create_period(ends.replace(day=1)) if state is State.ACCEPTED else None,
        )
    return made


def play(section: Section, pairings: Sequence[tuple[int, Player, Player | None, str]]) -> None:
    """Games of a section as (round, White, Black, result), with the entries that follow from them, best score first."""
    points: dict[Player, float] = {}
    for round_, white, black, result in pairings:
        Game.objects.create(section=section, round=round_, white=white, black=black, result=result)
        for player, gained in zip((white, black), POINTS[Result(result)], strict=True):
            if player is not None:
                points[player] = points.get(player, 0.0) + gained
    ranked = sorted(points, key=lambda player: (-points[player], player.number))
    Entry.objects.bulk_create(
        Entry(
            section=section,
            player=player,
            number=place,
            name_in_file=str(player),
            points=points[player],
            rank=place,
            match_reason="number and name agree",
        )
        for place, player in enumerate(ranked, start=1)
    )


def round_robin(section: Section, entrants: Sequence[Player]) -> None:
    """Everybody against everybody; the one named first wins with White, and draws with Black."""
    pairings: list[tuple[int, Player, Player | None, str]] = []
    half = list(entrants)
    for round_ in range(1, len(half)):
        for place in range(len(half) // 2):
            first, second = half[place], half[-1 - place]
            if entrants.index(first) > entrants.index(second):
                first, second = second, first
            if (round_ + place) % 2:
                pairings.append((round_, first, second, "1-0"))
            else:
                pairings.append((round_, second, first, "1/2-1/2"))
        half = [half[0], half[-1], *half[1:-1]]
    play(section, pairings)


def publish(month: date) -> RatingPeriod:
    """Calculate and publish a month."""
    run = calculate(month)
    request_publication(run, at=timezone.now())
    assert process_run(run.pk).state == "published"
    return RatingPeriod.objects.get(month=month)


def calculate(month: date):
    """Calculate a month and leave it unpublished."""
    run = process_run(start_run(get_or_create_period(month), at=CLOCK).pk)
    assert run.state == "calculated", run.error
    return run


@kept
def federation(count: int = 6) -> list[Player]:
    """Players who met in March, published, and in April, published too; the order of strength is that of the names."""
    made = players(count)
    round_robin(event("March Open").sections.get(), made)
    publish(MARCH)
    round_robin(event("April Rapid", ends=date(2024, 4, 20), time_control=(15, 10)).sections.get(), made)
    publish(APRIL)
    return made


def visitor(section: Section, player: Player, *, colour: str = "white", fide: int = 1700) -> Guest:
    """Ingrid Abroad, who loses to the player with White and beats him with Black, in the ninth round."""
    guest = Guest.objects.create(section=section, name="Ingrid Abroad", federation="NAM", fide_rating=fide)
    Game.objects.create(section=section, round=9, guest=guest, result="1-0", **{colour: player})
    return guest


def add_list(
    code: str, *, system: str = "", position: int = 5, starts_from: str = "main", **fields: object
) -> RatingList:
    """A list of another system; it begins with the month that is calculated next."""
    first = RatingList.objects.get(code=starts_from) if starts_from else None
    return RatingList.objects.create(
        code=code, name=code.upper(), position=position, system=system or code, starts_from=first, **fields
    )
