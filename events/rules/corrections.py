"""What an uploader answers beside the findings on a file: an entry of `KINDS` for each kind of answer. Pure.

A finding names the kind that settles it (`Finding.correction`). A new kind is an entry here, with what it does to a file,
and a form in `events.submission.correction_forms`; a check reads its answers by `Corrections.of`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

from events.rules.tournament import Entrant, Tournament
from players.identity import fold

NEW = "new"
FILE, REGISTRATION = "file", "registration"

Apply = Callable[[Tournament, Mapping[str, str]], Tournament]  # a file, answers as value by key
StillHolds = Callable[[str, str, Tournament, Tournament], bool]  # key, value, the file before, the one in its place


@dataclass(frozen=True, slots=True)
class CorrectionKind:
    """A kind of answer, kept as `code`, key and value, all text; an answer to a whole file has an empty key.

    `form` is the name of the form that asks for it. `apply` gives the file with the answers: as it is, where only checks
    read them. `still_holds` says whether an answer to a file holds for the one that takes its place.
    """

    code: str
    form: str
    apply: Apply = lambda tournament, answers: tournament
    still_holds: StillHolds = lambda key, value, before, after: True


def _with_days(tournament: Tournament, answers: Mapping[str, str]) -> Tournament:
    days = dict(enumerate(tournament.round_dates, start=1))
    days |= {int(key): date.fromisoformat(value) for key, value in answers.items()}
    return replace(tournament, round_dates=tuple(days.get(number) for number in range(1, max(days) + 1)))


def _with_births(tournament: Tournament, answers: Mapping[str, str]) -> Tournament:
    births = {int(key): date.fromisoformat(value) for key, value in answers.items()}
    entrants = tournament.entrants
    completed = (replace(one, birth_date=one.birth_date or births.get(one.number)) for one in entrants)
    return replace(tournament, entrants=tuple(completed))


def _with_genders(tournament: Tournament, answers: Mapping[str, str]) -> Tournament:
    completed = (replace(one, sex=one.sex or answers.get(str(one.number), "")) for one in tournament.entrants)
    return replace(tournament, entrants=tuple(completed))


def _day_holds(key: str, value: str, before: Tournament, after: Tournament) -> bool:
    was, now = (dict(enumerate(file.round_dates, start=1)).get(int(key)) for file in (before, after))
    return now in (None, was)


def _of_same_person(
    still_asked: Callable[[str, Entrant, Entrant], bool] = lambda value, old, new: True,
) -> StillHolds:
    """Of an answer about a line: it holds while the line is that person's and the file does not give the answer itself."""

    def still_holds(key: str, value: str, before: Tournament, after: Tournament) -> bool:
        old, new = (next((one for one in file.entrants if one.number == int(key)), None) for file in (before, after))
        return old is not None and new is not None and fold(old.name) == fold(new.name) and still_asked(value, old, new)

    return still_holds


def _no_other_ids(value: str, old: Entrant, new: Entrant) -> bool:
    same_fide_id = new.fide_id == old.fide_id or (value != NEW and not old.fide_id)
    return same_fide_id and new.national_id in (old.national_id, value)


# Start number → the player's Chess SA id, or `new`.
PLAYER = CorrectionKind("player", "player", still_holds=_of_same_person(_no_other_ids))
# Round → its day, `2024-03-02`.
ROUND_DAY = CorrectionKind("day", "days", _with_days, _day_holds)
# Start number → date of birth, `M` or `F`, where the file gives none.
BIRTH_DATE = CorrectionKind("birth", "people", _with_births, _of_same_person(lambda _, old, new: not new.birth_date))
GENDER = CorrectionKind("sex", "people", _with_genders, _of_same_person(lambda _, old, new: not new.sex))
# Nothing → `file` or `registration`, whichever says what was played.
TIME_CONTROL = CorrectionKind(
    "control", "control", still_holds=lambda key, value, before, after: before.time_control == after.time_control
)
SECTION_DAYS = CorrectionKind(
    "dates",
    "dates",
    still_holds=lambda key, value, before, after: (before.starts, before.ends) == (after.starts, after.ends),
)
# Nothing → a code page.
ENCODING = CorrectionKind(
    "encoding", "encoding", still_holds=lambda key, value, before, after: bool(after.sample_names)
)
# Primary key of an arbiter who served, too → nothing.
ARBITER = CorrectionKind("arbiter", "arbiters")
# Key of a proposal (`events.rules.penalties`) → nothing for “without notice”, else how it was announced. `still_holds` takes
# the start number of the proposal in place of its key.
PENALTY = CorrectionKind("penalty", "penalty", still_holds=_of_same_person())

KINDS: Mapping[str, CorrectionKind] = {
    kind.code: kind
    for kind in (PLAYER, ROUND_DAY, BIRTH_DATE, GENDER, TIME_CONTROL, SECTION_DAYS, ENCODING, ARBITER, PENALTY)
}


@dataclass(frozen=True)
class Corrections:
    """The answers to a file: by the code of their kind, value by key."""

    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def of(self, kind: CorrectionKind) -> Mapping[str, str]:
        """The answers of a kind, value by key."""
        return self.answers.get(kind.code, {})

    def applied(self, tournament: Tournament) -> Tournament:
        """The tournament with what the answers give."""
        for code, answers in self.answers.items():
            tournament = KINDS[code].apply(tournament, answers)
        return tournament

    @cached_property
    def players(self) -> Mapping[int, str]:
        """Start number → Chess SA id, of lines that are players of the register."""
        return {int(key): value for key, value in self.of(PLAYER).items() if value != NEW}

    @cached_property
    def new(self) -> frozenset[int]:
        """The start numbers of lines that are new players."""
        return frozenset(int(key) for key, value in self.of(PLAYER).items() if value == NEW)

    @property
    def control(self) -> str:
        """Whose time control was played: `file`, `registration` or empty."""
        return self.of(TIME_CONTROL).get("", "")

    @property
    def dates(self) -> str:
        """Whose first and last day hold: `file`, `registration` or empty."""
        return self.of(SECTION_DAYS).get("", "")

    @property
    def encoding(self) -> str:
        """The code page of the file, or empty."""
        return self.of(ENCODING).get("", "")

    @property
    def arbiters(self) -> tuple[int, ...]:
        """Primary keys of arbiters who served and are not on the registration."""
        return tuple(map(int, self.of(ARBITER)))


def corrections_from(rows: Iterable[tuple[str, str, str]]) -> Corrections:
    """The answers, each (code of the kind, key, value), as one value."""
    answers: dict[str, dict[str, str]] = {}
    for code, key, value in rows:
        answers.setdefault(code, {})[key] = value
    return Corrections(answers)
