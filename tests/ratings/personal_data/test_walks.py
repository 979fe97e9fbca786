"""Random walks: players are typed into each other's lines, merged, split, published, renamed and erased, in any order. Nothing
of an erased person is left in the database or a public file, others keep what is theirs, and `verify` finds nothing."""

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random

import pytest
from django.core.management import CommandError
from django.db import transaction

from accounts.models import User
from accounts.trail.operations import record
from events.models import Arbiter, Event
from events.rules.states import EventError
from players.models import Player
from players.operations import hide_player, save_player
from ratings.downloads.operations import make_downloads
from ratings.merging.rows import played_in
from ratings.models import Amendment, Download, Merge, RatingList, Rerating
from ratings.periods import RunError
from ratings.personal_data.erasure.operations import erase_player
from ratings.personal_data.export import of_player
from ratings.rerating.merges import merge_players, undo_merge
from ratings.rerating.operations import take_back
from ratings.rerating.splits import split_player
from tests.builders import CLOCK, MARCH, event_of, everything, months, people, player, publish
from tests.ratings.chain import publish_again, rerate
from tests.ratings.personal_data.children import held_for_years
from tests.ratings.personal_data.test_erasure import verified

pytestmark = pytest.mark.django_db
STEPS = 12
MONTHS = months(MARCH, 3)
_OWN = ("last_name", "first_name", "birth_date", "email")


@dataclass(frozen=True)
class Somebody:
    """Whom the register has, and by which nobody else is known."""

    last_name: str
    first_name: str
    birth_date: date
    fide_id: int
    email: str

    @property
    def signs(self) -> set[str]:
        """What tells of him, in small letters, as tables and files write it."""
        return {self.last_name, self.first_name, str(self.fide_id), self.email, *_written(self.birth_date)}


LONG = [
    Somebody("qwibbelthorpe", "zandile", date(2012, 2, 3), 14398866, "qqa@example.org"),
    Somebody("ottolyne", "wanda", date(1981, 4, 5), 14398867, "qqb@example.org"),
    Somebody("vexelby", "hjordis", date(1992, 6, 8), 14398868, "qqc@example.org"),
    Somebody("drumgoold", "ysolde", date(2003, 9, 11), 14398869, "qqd@example.org"),
]
SHORT = [
    Somebody("fyx", "qim", date(2012, 2, 3), 14398866, "qqa@example.org"),
    Somebody("nyl", "jaq", date(1981, 4, 5), 14398867, "qqb@example.org"),
    Somebody("van zyq", "jox", date(1992, 6, 8), 14398868, "qqc@example.org"),
    Somebody("wuq", "lij", date(2003, 9, 11), 14398869, "qqd@example.org"),
]


def _written(day: date) -> tuple[str, str]:
    return day.isoformat(), f"datetime.date({day.year}, {day.month}, {day.day})"


@dataclass
class Walk:
    """A bureau in which people are taken for one another. `whose`: who the row of a key is; `typed`: the rows over which
    something of another's is typed."""

    known: list[Somebody]
    random: Random
    at: datetime = CLOCK
    published: int = 0
    log: list[str] = field(default_factory=list)
    whose: dict[int, Somebody] = field(default_factory=dict)
    typed: set[int] = field(default_factory=set)
    arbiters: dict[int, str] = field(default_factory=dict)

    def go(self, steps: int) -> None:
        """Walk from the first player to the last erasure."""
        self.begin()
        for _ in range(steps):
            self.step()
        self.end()
        self.erase_all()
        self.end()

    def begin(self) -> None:
        """Fill the register, and two months with events."""
        if self.random.random() < 0.5:
            RatingList.objects.create(code="irish", name="Irish", position=9, system="icu")
        opponents = people(3)
        for place, one in enumerate(self.known):
            row = player(one.last_name, one.first_name, birth_date=one.birth_date, fide_id=one.fide_id)
            row.email = one.email
            save_player(row)
            self.whose[row.pk] = one
            if self.random.random() < 0.3:
                user = User.objects.create_user(f"account{place}@example.org")
                called = f"{one.first_name} {one.last_name}"
                arbiter = Arbiter.objects.create(name=called, title="NA", number=row.number, player=row, user=user)
                self.arbiters[arbiter.pk] = called
            if self.random.random() < 0.3:
                hide_player(row, since=MARCH, at=CLOCK, by=None, reason="asked for")
            for month, opponent in zip(MONTHS[:2], opponents, strict=False):
                if self.random.random() < 0.6:
                    event_of([(row, opponent, "1-0")], month.replace(day=9), name=f"Round {place}")
        for month in MONTHS:
            event_of([(opponents[0], opponents[1], "1-0")], month.replace(day=3), name="Also played")

    def steps(self) -> list[Callable[[], str]]:
        """What an officer may do, the more often the more likely."""
        steps = [*[self.merge, self.split, self.type_over] * 4, *[self.undo, self.publish, self.rerate, self.call] * 2]
        return [*steps, self.take_back, self.show, self.marry, self.call_arbiter, self.erase]

    def step(self) -> None:
        """Do one thing that an officer may do, if it is not refused."""
        self.at += timedelta(days=self.random.choice([1, 3, 30]))
        chosen = self.random.choice(self.steps())
        try:
            with transaction.atomic():
                told = chosen()
        except (EventError, RunError, CommandError) as error:
            told = f"refused: {error}"
        self.log.append(f"{chosen.__name__}: {told}")
        for row in Player.objects.filter(pk__in=self.whose, merged_into=None, erased_at=None).exclude(
            pk__in=self.typed
        ):
            his = [row.pk, *Player.objects.filter(merged_into=row).values_list("pk", flat=True)]
            own = set[str]().union(*(self.whose[key].signs for key in his))
            others = set[str]().union(*(one.signs for one in self.known)) - own
            found = (_signs_of(row) - {""}) & others
            assert not found, f"{self.told()}\n{row} has {found}"

    def any(self) -> Player:
        """A player, who may be merged or erased."""
        return Player.objects.get(pk=self.random.choice(sorted(self.whose)))

    def on_register(self) -> Player:
        """A player who is neither merged nor erased."""
        return self.random.choice(list(Player.objects.filter(pk__in=self.whose, merged_into=None, erased_at=None)))

    def merge(self) -> str:
        """Merge two by mistake."""
        old, new = self.any(), self.any()
        choices = [None, ["name"], ["birth", "fide_id", "email"], ["name", "birth", "fide_id", "email"]]
        taken = self.random.choice(choices)
        merge = merge_players(old, new, reason="one", at=self.at, taken=taken, sure=True)
        if old.pk in self.typed:
            self.typed.add(new.pk)
        return f"{merge}, {taken}"

    def undo(self) -> str:
        """Undo a merge."""
        merges = list(Merge.objects.filter(undone_at=None))
        if not merges:
            return "none"
        merge = self.random.choice(merges)
        undo_merge(merge, reason="two", at=self.at)
        return str(merge)

    def split(self) -> str:
        """Split somebody, with sections and those who were merged into him."""
        one, other = self.any(), self.any()
        sections = [section for section in played_in(one) if self.random.random() < 0.5]
        records = [row for row in Player.objects.filter(merged_into=one) if self.random.random() < 0.7]
        split_player(one, other, sections, reason="two", at=self.at, records=records)
        return f"{one} → {other}: {len(sections)} sections, {records}"

    def type_over(self) -> str:
        """Type what is another's over a player's line, or what is his again."""
        row = self.on_register()
        if row.pk in self.typed:
            self.typed.remove(row.pk)
            for name in _OWN:
                setattr(row, name, getattr(self.whose[row.pk], name))
        else:
            self.typed.add(row.pk)
            one = self.random.choice(self.known)
            parts = [
                ("last_name", "first_name"),
                ("birth_date", "email"),
                ("email",),
                ("last_name", "first_name", "birth_date"),
            ]
            for name in self.random.choice(parts):
                setattr(row, name, getattr(one, name))
        save_player(row)
        return f"{row.number} is {row.name}, {row.birth_date}, {row.email}"

    def marry(self) -> str:
        """Rename somebody."""
        row = self.on_register()
        if row.pk not in self.typed:
            held_for_years(row)
            row.last_name = f"Marriedname{self.random.choice('abc')}"
            save_player(row)
        return str(row)

    def call(self) -> str:
        """Call an event or a club after somebody, or not any more."""
        one, row = self.random.choice(self.known), self.on_register()
        event = self.random.choice(list(Event.objects.order_by("pk")))
        event.name = "Round about" if "Memorial" in event.name else f"{one.first_name} {one.last_name} Memorial"
        event.save()
        record("edited", event, at=self.at, by=None, after={"name": event.name})
        row.club = "Rooks" if row.club.endswith("Club") else f"{one.first_name} {one.last_name} Club"
        save_player(row)
        return f"{event}, {row.club} of {row}"

    def call_arbiter(self) -> str:
        """Call an arbiter by another's name, or his own again."""
        rows = list(Arbiter.objects.filter(user__is_active=True).order_by("pk"))
        if not rows:
            return "none"
        row, one = self.random.choice(rows), self.random.choice(self.known)
        own = self.arbiters[row.pk]
        row.name = f"{one.first_name} {one.last_name}" if row.name == own else own
        row.save()
        return f"{own} is {row.name}"

    def show(self) -> str:
        """Hide somebody no longer."""
        row = self.on_register()
        row.hidden_since = None
        save_player(row)
        return str(row)

    def publish(self) -> str:
        """Publish the next month, with its files."""
        if self.published == len(MONTHS):
            return "none"
        run = publish(MONTHS[self.published], at=self.at)
        self.published += 1
        make_downloads(run.pk, at=self.at)
        return str(run)

    def rerate(self) -> str:
        """Publish what is corrected."""
        if not Amendment.objects.filter(rerating=None, applied_at=None).exists():
            return "none"
        rerating = rerate()
        return str(publish_again(rerating) if not rerating.error else rerating.error)

    def take_back(self) -> str:
        """Take back the last re-rating."""
        done = Rerating.objects.filter(state=Rerating.State.PUBLISHED).last()
        if done is not None:
            take_back(done, reason="no", at=self.at)
        return str(done)

    def erase(self) -> str:
        """Erase somebody: only what others have by now may be left of him."""
        row = self.any()
        keys = [row.pk, *Player.objects.filter(merged_into=row).values_list("pk", flat=True)]
        others = Player.objects.exclude(pk__in=keys)
        before = list(others.order_by("pk").values_list("pk", *_OWN, "fide_id", "merged_into", "hidden_since"))
        records = Arbiter.objects.exclude(player__in=keys)
        kept = {sign for other in others for sign in _signs_of(other)}.union(*map(str.split, map(_name, records)))
        erase_player(row, at=self.at, by=None, reason="asked for")
        gone = set[str]().union(*(self.whose[key].signs for key in keys)) - kept
        signs = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(gone)))})(?!\w)")
        left = [(place, found.group()) for place, text in _texts() if gone and (found := signs.search(text))]
        assert not left, f"{self.told()}\nerase {row}: {left}"
        assert before == list(others.order_by("pk").values_list("pk", *_OWN, "fide_id", "merged_into", "hidden_since"))
        return str(row)

    def end(self) -> None:
        """Look at what is there."""
        assert verified() == [], self.told()
        for row in Player.objects.filter(pk__in=self.whose, merged_into=None, erased_at=None):
            his = [row, *Player.objects.filter(merged_into=row)]
            own = set[str]().union(*(self.whose[one.pk].signs for one in his), *map(_signs_of, his))
            told = str([part.rows for part in of_player(row)]).lower()
            others = Player.objects.exclude(pk__in=[one.pk for one in his])
            found = [other.email for other in others if other.email not in own | {""} and other.email in told]
            assert not found, f"{self.told()}\nfetched with the data of {row}: {found}"

    def erase_all(self) -> None:
        """Try as often as there are players."""
        for _ in self.whose:
            try:
                with transaction.atomic():
                    self.log.append(f"erase: {self.erase()}")
            except EventError as error:
                self.log.append(f"erase: refused: {error}")

    def told(self) -> str:
        """What was done."""
        return "\n".join(self.log)


def _signs_of(row: Player) -> set[str]:
    born = _written(row.birth_date) if row.birth_date else ()
    return {row.last_name.lower(), row.first_name.lower(), row.email, str(row.fide_id), *born}


def _name(row: Arbiter) -> str:
    return row.name.lower()


def _texts() -> Iterator[tuple[str, str]]:
    """Yield all that is in the database, and in the public files, with its place, in small letters."""
    for table, rows in everything().items():
        yield table, "\n".join(rows).lower()
    for file in Download.objects.filter(name__endswith=".zip"):
        with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
            for name in archive.namelist():
                yield file.name, f"{name} {archive.read(name).decode('utf-8', 'replace')}".lower()


@pytest.mark.parametrize("seed", range(8))
def test_nothing_of_an_erased_person_is_left_and_others_keep_what_is_theirs(seed):
    walk = Walk([LONG, SHORT][seed % 2], Random(seed))
    walk.go(STEPS)
