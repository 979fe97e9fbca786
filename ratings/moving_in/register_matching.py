"""Compares a list of players with the register: who is new, who is on it already and what changes, who might be either.

What the list leaves blank stays as it is; a year of birth does not replace a date of that year. A player's Chess SA id is never
changed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.db.models import Q

from events.files.register_list import RegisterLine
from events.submission.matching import known_person
from players.identity import Person, Strength, fold, folded_name, is_candidate, likelihood
from players.models import Player

CHUNK = 2_000  # lines that are compared, and written, at once
NEW, LEAVE_OUT = "new", "leave out"  # answers; the third is the Chess SA id of the player whom a line means
_LABELS = {
    "last_name": "Surname", "first_name": "First names", "birth": "Birth", "sex": "Sex", "title": "Title",
    "region": "Region", "federation": "Federation", "fide_id": "FIDE id", "club": "Club",
}  # fmt: skip


class Kind(StrEnum):
    """What becomes of a line."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    DOUBTFUL = "doubtful"  # asks for an answer
    LEFT_OUT = "left out"
    REFUSED = "refused"  # the list must be corrected


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field's value on the register and in the list, as text, "" for none."""

    field: str
    before: str
    after: str

    @property
    def label(self) -> str:
        """The field's name for readers."""
        return _LABELS[self.field]


@dataclass(frozen=True, slots=True)
class Difference:
    """What becomes of a line. `player`: on the register; `why`: of the match, of the doubt, or of the refusal."""

    line: RegisterLine
    kind: Kind
    player: Player | None = None
    why: str = ""
    changes: tuple[FieldChange, ...] = ()


def differences(
    lines: Sequence[RegisterLine], answers: Mapping[int, str], *, leave_out_doubtful: bool = False
) -> Iterator[list[Difference]]:
    """Yield the differences of each CHUNK of lines, in their order. One query a chunk.

    `answers`: line → NEW, LEAVE_OUT, or the Chess SA id of the player whom it means; `leave_out_doubtful`: the answer to
    doubtful lines without one is LEAVE_OUT.
    """
    owners: dict[int, int] = {}
    for start in range(0, len(lines), CHUNK):
        chunk = lines[start : start + CHUNK]
        register = _Register(chunk, answers.values())
        found = []
        for line in chunk:
            difference = _difference(line, register, answers.get(line.line, ""))
            player = difference.player
            if player is not None and difference.kind in (Kind.CHANGED, Kind.UNCHANGED):
                first = owners.setdefault(player.pk, line.line)
                if first != line.line:
                    why = f"Line {first} is {player}, too: leave one of them out, or answer that it is somebody else."
                    difference = Difference(line, Kind.REFUSED, player, why)
            elif leave_out_doubtful and difference.kind is Kind.DOUBTFUL:
                difference = replace(difference, kind=Kind.LEFT_OUT)
            found.append(difference)
        yield found


class _Register:
    """The players whom some lines may mean."""

    def __init__(self, lines: Iterable[RegisterLine], answers: Iterable[str]) -> None:
        lines = list(lines)
        numbers = {line.national_id for line in lines if line.national_id} | {*answers} - {NEW, LEAVE_OUT}
        names = {folded_name(line.last_name, line.first_name) for line in lines}
        names |= {folded_name(line.first_name, line.last_name) for line in lines}
        players = Player.objects.filter(
            Q(number__in=numbers)
            | Q(fide_id__in={line.fide_id for line in lines if line.fide_id})
            | Q(folded_name__in=names)
            | Q(birth_date__in={line.birth.day for line in lines if line.birth.day})
        ).select_related("region")
        self.by_number: dict[str, Player] = {}
        self.by_fide: dict[int, Player] = {}
        self.by_word: dict[str, list[Player]] = {}
        for player in players:
            self.by_number[player.number] = player
            if player.fide_id:
                self.by_fide[player.fide_id] = player
            for word in set(player.folded_name.split()):
                self.by_word.setdefault(word, []).append(player)

    def namesakes(self, line: RegisterLine) -> list[Player]:
        """Return the players who share a word of the name."""
        words = fold(line.name).split()
        players = {player.pk: player for word in words for player in self.by_word.get(word, ())}
        return list(players.values())


def _difference(line: RegisterLine, register: _Register, answer: str) -> Difference:
    if answer == LEAVE_OUT:
        return Difference(line, Kind.LEFT_OUT)
    by_number, by_fide = register.by_number.get(line.national_id), register.by_fide.get(line.fide_id or 0)
    if answer == NEW:
        if by_number or by_fide:
            why = (
                f"Its id is that of {by_number or by_fide}: it cannot be a new player. Correct the id, or leave it out."
            )
            return Difference(line, Kind.REFUSED, why=why)
        return Difference(line, Kind.NEW)
    if answer:
        player = register.by_number.get(answer)
        if player is None:
            return Difference(line, Kind.REFUSED, why=f"No player on the register has the Chess SA id {answer}.")
        return _same(line, player, by_fide, "answered")
    if by_number and by_fide and by_number.pk != by_fide.pk:
        why = f"Its Chess SA id is that of {by_number}, its FIDE id that of {by_fide}. Correct one of them."
        return Difference(line, Kind.REFUSED, why=why)
    player = by_number or by_fide
    if player is not None:
        match = likelihood(_person(line), known_person(player))
        if match.strength is Strength.CERTAIN and line.national_id in ("", player.number):
            return _same(line, player, by_fide, match.reason)
        return Difference(line, Kind.DOUBTFUL, player, match.reason)
    return _by_name(line, register)


def _by_name(line: RegisterLine, register: _Register) -> Difference:
    person = _person(line)
    found = []
    for player in register.namesakes(line):
        match = likelihood(person, known_person(player))
        if match.strength is not Strength.POSSIBLE or is_candidate(person, known_person(player), match):
            found.append((match, player))
    if not found:
        return Difference(line, Kind.NEW)
    match, player = max(found, key=lambda pair: (pair[0].score, -pair[1].pk))
    if len(found) == 1 and match.strength is Strength.CERTAIN and not line.national_id:
        return _same(line, player, None, match.reason)
    return Difference(line, Kind.DOUBTFUL, player, match.reason)


def _same(line: RegisterLine, player: Player, bearer: Player | None, why: str) -> Difference:
    if bearer is not None and bearer.pk != player.pk:
        reason = f"Its FIDE id is that of {bearer}, and not of {player}. Correct it."
        return Difference(line, Kind.REFUSED, player, reason)
    changes = tuple(_changes(line, player))
    return Difference(line, Kind.CHANGED if changes else Kind.UNCHANGED, player, why, changes)


def _changes(line: RegisterLine, player: Player) -> Iterator[FieldChange]:
    known = fold(player.last_name), fold(player.first_name)
    if line.first_name and (fold(line.last_name), fold(line.first_name)) != known:
        for name in ("last_name", "first_name"):
            if getattr(line, name) != getattr(player, name):
                yield FieldChange(name, getattr(player, name), getattr(line, name))
    day, year = line.birth.day, line.birth.year
    if (day and day != player.birth_date) or (year and year != player.birth_year):
        yield FieldChange("birth", _birth(player.birth_date, player.birth_year), _birth(day, year))
    region = player.region.code if player.region else ""
    for name, before in (
        ("sex", player.sex),
        ("title", player.title_id or ""),
        ("region", region),
        ("federation", player.federation),
        ("fide_id", str(player.fide_id or "")),
        ("club", player.club),
    ):
        after = str(getattr(line, name) or "")
        if after and after != before:
            yield FieldChange(name, before, after)


def _birth(day: object, year: int | None) -> str:
    return str(day or year or "")


def _person(line: RegisterLine) -> Person:
    return Person(
        line.last_name,
        line.first_name,
        line.national_id,
        str(line.fide_id or ""),
        birth_date=line.birth.day,
        birth_year=line.birth.year,
        sex=line.sex,
    )
