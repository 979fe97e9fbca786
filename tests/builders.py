"""Players, tournament files, events and months for tests, so that a test says only what it is about. Names are invented."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from accounts.models import User
from config.lib.days import next_month
from config.models import OWN_MODELS
from events.models import Arbiter, Event, Game, RatingPeriod, Section
from events.operations import accept_event, add_section, move_event, register_event
from events.rules.states import State
from events.submission.recording import submit_new_event
from events.submission.validation import SectionFile, validate_file
from players.models import Player, Region
from players.operations import NewPlayer, register_players
from ratings.models import RatingRun
from ratings.runs.operations import request_publication, start_run
from ratings.runs.worker import process_run

CLOCK = datetime(2024, 4, 2, 8, tzinfo=UTC)
TODAY = CLOCK.date()
MARCH = date(2024, 3, 1)
LATE_REASON = "It was not registered."
SURNAMES = ("Adendorff", "Buthelezi", "Cele", "Dlamini", "Erasmus", "Fourie", "Gumede", "Hlongwane", "Isaacs", "Jacobs")
GIVEN = ("Anele", "Bets", "Chris", "Dumisani", "Elsabe", "Fikile", "Grace", "Hendrik", "Imraan", "Johanna")


@dataclass(frozen=True)
class Line:
    """A player's line of a file."""

    name: str
    sex: str = "m"
    title: str = ""
    rating: int = 0
    federation: str = "RSA"
    fide: str = ""
    national: str = ""
    national_federation: str = "RSA"
    born: str = ""


def lines(count: int) -> list[Line]:
    """Players of whom the regulations ask nothing more."""
    return [
        Line(f"{SURNAMES[index % 10]}{'' if index < 10 else index}, {GIVEN[index % 10]}", born=f"{1980 + index}/05/17")
        for index in range(count)
    ]


Pair = tuple[int, int | None, str]  # White, Black, White's result as record 001 has it
_OTHER_SIDE = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}
_POINTS = {"1": 1.0, "+": 1.0, "U": 1.0, "F": 1.0, "=": 0.5, "H": 0.5}


def round_robin(count: int, results: str = "1=01") -> list[list[Pair]]:
    """Everybody against everybody, an even number of players, with these results over and over."""
    order = list(range(1, count + 1))
    rounds: list[list[Pair]] = []
    for _ in range(count - 1):
        pairs = [(order[index], order[count - 1 - index]) for index in range(count // 2)]
        rounds.append([(*pair, results[(len(rounds) + index) % len(results)]) for index, pair in enumerate(pairs)])
        order = [order[0], order[-1], *order[1:-1]]
    return rounds


def with_byes(rounds: list[list[Pair]], *numbers: int, player: int = 6, bye: str = "H") -> list[list[Pair]]:
    """The rounds, of which these are free for a player with such a bye, and for his opponents with a whole point."""
    return [
        _with_bye(pairs, player, bye) if number in numbers else pairs for number, pairs in enumerate(rounds, start=1)
    ]


def _with_bye(pairs: list[Pair], player: int, bye: str) -> list[Pair]:
    ((white, black, _),) = [pair for pair in pairs if player in pair[:2]]
    others = [pair for pair in pairs if player not in pair[:2]]
    return [*others, (player, None, bye), (white + (black or 0) - player, None, "U")]


def trf(
    players: Sequence[Line],
    rounds: Sequence[Sequence[Pair]],
    *,
    starts: date = date(2024, 3, 2),
    ends: date | None = date(2024, 3, 3),
    name: str = "Mopane Open",
    arbiter: str = "IA Grace Tenza (14300001)",
    control: str = "90+30",
    dated: bool = True,
) -> bytes:
    """A TRF16 file."""
    cells: dict[int, list[str]] = {number: [] for number in range(1, len(players) + 1)}
    points = dict.fromkeys(cells, 0.0)
    for played in rounds:
        found = dict.fromkeys(cells, "0000 - Z")
        for white, black, result in played:
            points[white] += _POINTS.get(result, 0)
            found[white] = f"{black or 0:>4} {'w' if black else '-'} {result}"
            if black:
                points[black] += _POINTS.get(_OTHER_SIDE[result], 0)
                found[black] = f"{white:>4} b {_OTHER_SIDE[result]}"
        for number, cell in found.items():
            cells[number].append(cell if cell[:4] != "   0" else f"0000{cell[4:]}")
    records = [f"012 {name}", "022 Thohoyandou", "032 RSA"]
    if ends:
        records += [f"042 {starts:%Y/%m/%d}", f"052 {ends:%Y/%m/%d}"]
    records += ["092 Individual: Swiss-System", f"102 {arbiter}", f"122 {control}"]
    if dated and ends:
        days = [min(starts + timedelta(days=index), ends) for index in range(len(rounds))]
        records.append("132" + " " * 88 + "  ".join(f"{day:%y/%m/%d}" for day in days))
    for number, one in enumerate(players, start=1):
        records.append(
            f"001 {number:>4} {one.sex:1}{one.title:>3} {one.name:33} {one.rating or '':>4} {one.federation:3} {one.fide:>11}"
            f" {one.born:10} {points[number]:>4.1f} {number:>4}" + "".join(f"  {cell:8}" for cell in cells[number])
        )
    for number, one in enumerate(players, start=1):
        if one.national:
            records.append(
                f"{one.national_federation} {number:>4} {one.sex:1}    {one.name:33}      GAU {one.national:>11}"
            )
    return ("\n".join(records) + "\n").encode()


def open_file(**fields: object) -> bytes:
    """A file of six players and five rounds, all against all."""
    return trf(lines(6), round_robin(6), **fields)


def section_file(content: bytes | None = None, **fields: object) -> SectionFile:
    """What an uploader sends: every unknown player is new."""
    given = {"base": 90, "increment": 30, "create_players": True, **fields}
    return SectionFile(content=open_file() if content is None else content, filename="open.txt", **given)


def region(code: str = "GAU") -> Region:
    """A region that the register begins with."""
    return Region.objects.get(code=code)


def details(starts: date = date(2024, 3, 2), ends: date = date(2024, 3, 3), **fields: object) -> Event:
    """An event that is not saved yet."""
    given = {
        "name": "Mopane Open",
        "region": region(),
        "organiser_name": "Thandi Nkosi",
        "organiser_number": "199000009",
        **fields,
    }
    return Event(starts=starts, ends=ends, **given)


def recognised(*, year: int = 2024) -> Arbiter:
    """The arbiter whom files name, on the register with the AOC's fee of a year, or as the test has put him there."""
    arbiter = Arbiter.objects.filter(name="Grace Tenza").first()
    if arbiter is None:
        arbiter = Arbiter.objects.create(name="Grace Tenza", title="IA", fide_id=14300001)
        arbiter.memberships.create(year=year, paid_on=date(year - 1, 12, 1))
    return arbiter


def submitted(content: bytes | None = None, *, at: datetime = CLOCK, code: str = "GAU", **fields: object) -> Event:
    """An event of one section whose file was submitted."""
    recognised()
    event = details(region=region(code))
    prepared = validate_file(replace(section_file(content, **fields), event=event), today=at.date())
    assert prepared.errors == [], prepared.errors
    assert prepared.starts
    assert prepared.ends
    event.starts, event.ends = prepared.starts, prepared.ends
    return submit_new_event(prepared, event, at=at, by=None, late_reason=LATE_REASON)


def named(kind: type[Player | Arbiter | User], first_name: str, last_name: str) -> Player | Arbiter | User:
    """Somebody of a name: on the register, on record as an arbiter, or with an account."""
    if kind is Player:
        return player(last_name, first_name)
    if kind is Arbiter:
        return Arbiter.objects.create(name=f"{first_name} {last_name}")
    email = f"{first_name.split()[0].lower()}@example.org"
    return User.objects.create_user(email, first_name=first_name, last_name=last_name)


def player(last_name: str = "Mokoena", first_name: str = "Naledi", **fields: object) -> Player:
    """A player on the register."""
    return register_players([NewPlayer(last_name, first_name, **fields)], at=CLOCK)[0]


def with_address(player: Player, email: str = "naledi@example.org") -> Player:
    """The player, with this e-mail address on record."""
    Player.objects.filter(pk=player.pk).update(email=email)
    player.email = email
    return player


def people(count: int) -> list[Player]:
    """Players on the register, of no birth date."""
    return register_players(
        [NewPlayer(f"{SURNAMES[index % 10]}{index}", GIVEN[index // 10 % 10]) for index in range(count)], at=CLOCK
    )


Played = tuple[Player, Player, str]


def event_of(
    games: Sequence[Played],
    ends: date = date(2024, 3, 3),
    *,
    base: int = 60,
    increment: int = 0,
    code: str = "GAU",
    accept: bool = True,
    name: str = "Club night",
) -> Event:
    """An event of one section with these games, a round each; accepted unless that is not wanted."""
    event = register_event(details(ends, ends, name=name, region=region(code)), at=CLOCK)
    section = add_section(event, Section(base_minutes=base, increment_seconds=increment, starts=ends, ends=ends))
    add_games(section, games)
    move_event(event, State.SUBMITTED, at=CLOCK)
    if accept:
        accept_event(event, at=max(CLOCK, datetime(ends.year, ends.month, ends.day, 12, tzinfo=UTC)))
    return event


def add_games(section: Section, games: Sequence[Played]) -> None:
    """Games of a section, a round each."""
    Game.objects.bulk_create(
        Game(section=section, round=number, white=white, black=black, result=result)
        for number, (white, black, result) in enumerate(games, start=1)
    )


def period(month: date = MARCH) -> RatingPeriod:
    """The period of a month on record."""
    return RatingPeriod.objects.get(month=month)


def calculate(month: date = MARCH, at: datetime = CLOCK) -> RatingRun:
    """The month's run, calculated."""
    return process_run(start_run(period(month), at=at).pk)


def publish(month: date = MARCH, at: datetime = CLOCK) -> RatingRun:
    """The month's run, calculated and published."""
    run = calculate(month, at)
    assert run.state == RatingRun.State.CALCULATED, run.error
    request_publication(run, at=timezone.now())
    return process_run(run.pk)


def months(first: date, count: int) -> list[date]:
    """Months in a row."""
    found = [first]
    while len(found) < count:
        found.append(next_month(found[-1]))
    return found


def officer(email: str = "officer@example.org") -> User:
    """A ratings officer who may enter the admin."""
    return User.objects.create_user(email, is_staff=True, is_officer=True)


def panel(email: str = "panel@example.org") -> User:
    """A member of the appeals panel who may enter the admin."""
    return User.objects.create_user(email, is_staff=True, is_panel=True)


def desk_line(row: models.Model, by: User, message: str = "") -> LogEntry:
    """A line of the desk's log that a user changed a row."""
    kind = ContentType.objects.get_for_model(row)
    return LogEntry.objects.create(
        user=by, content_type=kind, object_id=row.pk, object_repr=str(row), action_flag=CHANGE, change_message=message
    )


def everything() -> dict[str, list[str]]:
    """Every row of every table but the sessions and the versions of tables: what was there before must be there after."""
    rows = {}
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            if model._meta.app_label != "sessions" and model not in OWN_MODELS:
                cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')
                rows[model._meta.db_table] = sorted(map(repr, cursor.fetchall()))
    return rows


@contextmanager
def refused_by(constraint: str) -> Iterator[None]:
    """Expect the database to refuse what is done here by the named constraint; of a unique one SQLite gives the columns."""
    texts = {constraint} | {
        ", ".join(f"{model._meta.db_table}.{model._meta.get_field(name).column}" for name in unique.fields)
        for model in apps.get_models()
        for unique in model._meta.constraints
        if unique.name == constraint and isinstance(unique, models.UniqueConstraint) and unique.fields
    }
    with pytest.raises(IntegrityError, match="|".join(map(re.escape, texts))), transaction.atomic():
        yield
