"""Compares lines of a list with the register: who is new, who is on it already and what changes, who might be either.

What the list leaves blank stays as it is; a year of birth does not replace a date of that year. A player's Chess SA id is never
changed.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.db.models import Q

from events.files.register_list import RegisterLine
from events.submission.persons import known_person
from players.identity import (
    BirthAgreement,
    Likelihood,
    Person,
    Strength,
    birth_agreement,
    fold,
    folded_name,
    likelihood,
    name_similarity,
)
from players.merged import on_register, players_of
from players.models import Player
from ratings.moving_in.register.nearness import may_be_one

NEW, LEAVE_OUT = "new", "leave out"  # answers; the third is the Chess SA id of the player whom a line means
MOST_CANDIDATES = 5
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
    REFUSED = "refused"  # the list must be corrected, or the line answered


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
class Candidate:
    """A player on the register whom a line may mean: his primary key, the evidence in words, and how likely it is.

    `equal`: name and birth date are the same.
    """

    player: int
    evidence: str
    score: float
    equal: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """What becomes of a line. `player`: on the register; `why`: of the match, of the doubt, or of the refusal."""

    line: RegisterLine
    kind: Kind
    player: Player | None = None
    why: str = ""
    changes: tuple[FieldChange, ...] = ()
    candidates: tuple[Candidate, ...] = ()


Found = list[tuple[Likelihood, Player]]


def differences(lines: Sequence[RegisterLine], answers: Mapping[int, str]) -> list[Difference]:
    """Return what becomes of some lines, in their order, by ids and equal names. One query. Of a player whose data was erased
    the line that is returned has the id alone.

    `answers`: line → NEW, LEAVE_OUT, or the Chess SA id of the player whom it means.
    """
    register = _Register(lines, answers.values())
    given = ((line, answers.get(line.line, "")) for line in lines)
    return [_difference(_as_kept(line, register, answer), register, answer) for line, answer in given]


def _as_kept(line: RegisterLine, register: "_Register", answer: str) -> RegisterLine:
    """Return a line, of a player whose data was erased the id alone. Hazard: lines are kept, beside whom they mean."""
    means = (register.by_number.get(line.national_id), register.by_number.get(answer))
    is_erased = any(player is not None and player.erased_at is not None for player in means)
    return RegisterLine(line.line, "", national_id=line.national_id) if is_erased else line


def settled(line: RegisterLine, found: Found) -> Difference:
    """Return what becomes of a line without an id of the register, when these are the players whom it may mean."""
    if not found:
        return Difference(line, Kind.NEW)
    found = sorted(found, key=lambda pair: (-pair[0].score, pair[1].pk))
    match, player = found[0]
    candidates = tuple(_candidate(line, known, likely) for likely, known in found[:MOST_CANDIDATES])
    if len(found) == 1 and match.strength is Strength.CERTAIN and not line.national_id:
        return _same(line, player, None, match.reason)
    return Difference(line, Kind.DOUBTFUL, player, match.reason, candidates=candidates)


def _candidate(line: RegisterLine, player: Player, match: Likelihood) -> Candidate:
    person, known = person_of(line), known_person(player)
    equal = birth_agreement(person, known) is BirthAgreement.DATE and name_similarity(person, known) == 1.0
    return Candidate(player.pk, match.reason, round(match.score, 3), equal)


def numbers_of(players: Iterable[int]) -> dict[int, str]:
    """Return the Chess SA ids of players, by their primary keys."""
    return dict(Player.objects.filter(pk__in=set(players)).values_list("pk", "number"))


class _Register:
    """The players whom some lines may mean."""

    def __init__(self, lines: Iterable[RegisterLine], answers: Collection[str]) -> None:
        lines = list(lines)
        numbers = {line.national_id for line in lines if line.national_id} | {*answers} - {NEW, LEAVE_OUT}
        names = {folded_name(line.last_name, line.first_name) for line in lines}
        names |= {folded_name(line.first_name, line.last_name) for line in lines}
        players = Player.objects.filter(
            Q(number__in=numbers)
            | Q(fide_id__in={line.fide_id for line in lines if line.fide_id})
            | Q(folded_name__in=names)
        ).select_related("region", "merged_into__region")
        self.by_number: dict[str, Player] = {}
        self.by_fide: dict[int, Player] = {}
        self._by_name: dict[str, list[Player]] = {}
        for row in players:
            player = row.merged_into or row  # to whom the ids of one who was merged lead
            self.by_number[row.number] = player
            if row.fide_id:
                self.by_fide[row.fide_id] = player
            if player == row:
                self._by_name.setdefault(row.folded_name, []).append(row)
        self.by_number |= players_of(on_register().select_related("region"), numbers - self.by_number.keys())

    def namesakes(self, line: RegisterLine) -> list[Player]:
        """Return the players of the same name, whichever part stands first."""
        names = {folded_name(line.last_name, line.first_name), folded_name(line.first_name, line.last_name)}
        return [player for name in names for player in self._by_name.get(name, ())]


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
    if player is not None and player.erased_at is not None:
        return _erased(line, player)
    if player is not None:
        person = person_of(line)
        if by_number is not None:
            person = replace(person, national_id=by_number.number)
        match = likelihood(person, known_person(player))
        if match.strength is Strength.CERTAIN and (by_number is not None or not line.national_id):
            return _same(line, player, by_fide, match.reason)
        candidates = (_candidate(line, player, match),)
        return Difference(line, Kind.DOUBTFUL, player, match.reason, candidates=candidates)
    return settled(line, matches(line, register.namesakes(line)))


def matches(line: RegisterLine, players: Iterable[Player]) -> Found:
    """Return those of some players whom a line may mean, each with how likely it is."""
    person, found = person_of(line), []
    for player in players:
        known = known_person(player)
        match = likelihood(person, known)
        if match.strength is not Strength.POSSIBLE or may_be_one(person, known, match):
            found.append((match, player))
    return found


def _erased(line: RegisterLine, player: Player) -> Difference:
    """Return the refusal of a line that would bring back the name of a player whose data was erased."""
    why = (
        f"{player.number} is the Chess SA id of a player whose data was erased at his wish. Leave the line out; if he asks to"
        " be on the register again, bring him in without this id."
    )
    return Difference(line, Kind.REFUSED, player, why)


def _same(line: RegisterLine, player: Player, bearer: Player | None, why: str) -> Difference:
    if player.erased_at is not None:
        return _erased(line, player)
    if bearer is not None and bearer.pk != player.pk:
        reason = f"Its FIDE id is that of {bearer}, and not of {player}. Correct it."
        return Difference(line, Kind.REFUSED, player, reason)
    changes = tuple(changes_of(line, player))
    return Difference(line, Kind.CHANGED if changes else Kind.UNCHANGED, player, why, changes)


def changes_of(line: RegisterLine, player: Player) -> Iterator[FieldChange]:
    """Yield what a line changes of the player whom it means."""
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


def person_of(line: RegisterLine) -> Person:
    """Return a line as data for the comparison."""
    return Person(
        line.last_name,
        line.first_name,
        line.national_id,
        str(line.fide_id or ""),
        birth_date=line.birth.day,
        birth_year=line.birth.year,
        sex=line.sex,
    )
