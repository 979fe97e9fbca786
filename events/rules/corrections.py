"""The kinds of corrections by which an uploader answers findings on a file, an entry of `KINDS` for each. Pure.

A finding names the kind that settles it (`Finding.correction`). A new kind is an entry here, with its effect on a file, and
a form in `events.submission.correction_forms`; checks read its answers by `Corrections.of`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

from events.rules.tournament import Entrant, Tournament
from players.identity import fold
from players.pseudonyms import ERASED

NEW = "new"
FILE, REGISTRATION = "file", "registration"
MIXED = "mixed"  # of time controls: there was more than one
CODE_KEY = "="  # before the code of a region, in the key of an answer about all its lines
_LONGEST_CODE = 30

Apply = Callable[
    [Tournament, Mapping[str, str]], Tournament
]  # takes a file and answers (key → value), returns the corrected file
StillHolds = Callable[
    [str, str, Tournament, Tournament], bool
]  # takes key, value, the file and the one that replaces it


@dataclass(frozen=True, slots=True)
class CorrectionKind:
    """A kind of answer, stored as `code`, key and value, all text; an answer about the whole file has the key "".

    `form`: the name of the form that asks for it. `apply` returns the file with the answers; by default unchanged, for
    answers that only checks read. `still_holds` returns whether an answer also holds for a file that replaces the first.
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
    return _with_entrants(
        tournament, lambda entrant: replace(entrant, birth_date=entrant.birth_date or births.get(entrant.number))
    )


def _with_genders(tournament: Tournament, answers: Mapping[str, str]) -> Tournament:
    return _with_entrants(
        tournament, lambda entrant: replace(entrant, sex=entrant.sex or answers.get(str(entrant.number), ""))
    )


def _with_first_names(tournament: Tournament, answers: Mapping[str, str]) -> Tournament:
    return _with_entrants(
        tournament, lambda entrant: replace(entrant, first_name=answers.get(str(entrant.number), entrant.first_name))
    )


def _with_fide_ids(tournament: Tournament, answers: Mapping[str, str]) -> Tournament:
    return _with_entrants(
        tournament, lambda entrant: replace(entrant, fide_id=entrant.fide_id or answers.get(str(entrant.number), ""))
    )


def region_code(entrant: Entrant) -> str:
    """Return the code of a line's region in capitals, as far as an answer's key can hold it."""
    return entrant.region.strip().upper()[:_LONGEST_CODE]


def _with_regions(tournament: Tournament, answers: Mapping[str, str]) -> Tournament:
    def region(entrant: Entrant) -> str:
        of_code = answers.get(f"{CODE_KEY}{region_code(entrant)}", entrant.region)
        return answers.get(str(entrant.number), of_code)

    return _with_entrants(tournament, lambda entrant: replace(entrant, region=region(entrant)))


def _region_holds(key: str, value: str, before: Tournament, after: Tournament) -> bool:
    return key.startswith(CODE_KEY) or _of_same_person(lambda _, old, new: region_code(old) == region_code(new))(
        key, value, before, after
    )


def _with_entrants(tournament: Tournament, change: Callable[[Entrant], Entrant]) -> Tournament:
    return replace(tournament, entrants=tuple(map(change, tournament.entrants)))


def named_arbiters(tournament: Tournament) -> tuple[str, ...]:
    """Return the arbiters as a file names them, the Chief Arbiter first."""
    return (tournament.chief_arbiter, *tournament.deputy_arbiters)


def _with_arbiters(tournament: Tournament, answers: Mapping[str, str]) -> Tournament:
    chief, *deputies = (answers.get(str(place), text) for place, text in enumerate(named_arbiters(tournament)))
    return replace(tournament, chief_arbiter=chief, deputy_arbiters=tuple(deputies))


def _arbiter_holds(key: str, value: str, before: Tournament, after: Tournament) -> bool:
    old, new = (dict(enumerate(named_arbiters(file))).get(int(key)) for file in (before, after))
    return old == new


def _day_holds(key: str, value: str, before: Tournament, after: Tournament) -> bool:
    was, now = (dict(enumerate(file.round_dates, start=1)).get(int(key)) for file in (before, after))
    return now in (None, was)


def _of_same_person(still_asked: Callable[[str, Entrant, Entrant], bool] = lambda value, old, new: True) -> StillHolds:
    """Return the test for answers about a player's line, which has the start number as key.

    An answer holds while the line is the same person's and `still_asked` (value, old line, new line) is true.
    """

    def still_holds(key: str, value: str, before: Tournament, after: Tournament) -> bool:
        old, new = before.by_number.get(int(key)), after.by_number.get(int(key))
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
# Start number → a first name of a player who is not on the register.
FIRST_NAME = CorrectionKind("given", "people", _with_first_names, _of_same_person())
# Start number → the FIDE id of a player who is not on the register, where the file gives none.
FIDE_ID = CorrectionKind("fide", "people", _with_fide_ids, _of_same_person(lambda _, old, new: not new.fide_id))
# Start number, or `=` and an unknown code → the code of the region.
REGION = CorrectionKind("region", "regions", _with_regions, _region_holds)
# "" → `file` or `registration`: which of them has the time control that was played; or the control itself, as `90+30`; or
# `mixed`. The reason stands in the answer's text.
TIME_CONTROL = CorrectionKind(
    "control", "control", still_holds=lambda key, value, before, after: before.stated_controls == after.stated_controls
)
SECTION_DAYS = CorrectionKind(
    "dates",
    "dates",
    still_holds=lambda key, value, before, after: (before.starts, before.ends) == (after.starts, after.ends),
)
# "" → a code page.
ENCODING = CorrectionKind(
    "encoding", "encoding", still_holds=lambda key, value, before, after: bool(after.sample_names)
)
# Primary key of an arbiter who served but is not appointed → "".
ARBITER = CorrectionKind("arbiter", "arbiters")
# Place among the arbiters of the file, 0 for the Chief Arbiter → the arbiter of the register who is meant, as a file names him.
NAMED_ARBITER = CorrectionKind("named-arbiter", "named-arbiters", _with_arbiters, _arbiter_holds)
# Key of a proposal (`events.rules.penalties`) → "" for “without notice”, else how it was announced. `still_holds` takes
# the start number of the proposal in place of its key.
PENALTY = CorrectionKind("penalty", "penalty", still_holds=_of_same_person())

_ABOUT_PLAYERS = (PLAYER, BIRTH_DATE, GENDER, FIRST_NAME, FIDE_ID, REGION)
_ABOUT_THE_SECTION = (ROUND_DAY, TIME_CONTROL, SECTION_DAYS, ENCODING, ARBITER, NAMED_ARBITER, PENALTY)
DETAILS = (BIRTH_DATE.code, GENDER.code, FIRST_NAME.code, FIDE_ID.code)  # of new players
KINDS: Mapping[str, CorrectionKind] = {kind.code: kind for kind in (*_ABOUT_PLAYERS, *_ABOUT_THE_SECTION)}


@dataclass(frozen=True)
class Corrections:
    """The answers about a file: code of the kind → key → value."""

    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def of(self, kind: CorrectionKind) -> Mapping[str, str]:
        """Return the answers of a kind: key → value."""
        return self.answers.get(kind.code, {})

    def applied(self, tournament: Tournament) -> Tournament:
        """Return the tournament with the answers applied."""
        for code, answers in self.answers.items():
            tournament = KINDS[code].apply(tournament, answers)
        return tournament

    @cached_property
    def players(self) -> Mapping[int, str]:
        """Start number → Chess SA id, for lines that are players on the register."""
        return {int(key): value for key, value in self.of(PLAYER).items() if value != NEW}

    @cached_property
    def new(self) -> frozenset[int]:
        """The start numbers of lines that are new players."""
        return frozenset(int(key) for key, value in self.of(PLAYER).items() if value == NEW)

    @property
    def control(self) -> str:
        """Which time control was played: `file`, `registration`, `mixed`, or one as `90+30`; "" if it is not answered."""
        return self.of(TIME_CONTROL).get("", "")

    @cached_property
    def regions(self) -> frozenset[int]:
        """The start numbers of lines whose region is answered."""
        return frozenset(int(key) for key in self.of(REGION) if not key.startswith(CODE_KEY))

    @property
    def dates(self) -> str:
        """Which first and last day are right, those of the `file` or the `registration`; "" if it is not answered."""
        return self.of(SECTION_DAYS).get("", "")

    @property
    def encoding(self) -> str:
        """The code page of the file, or ""."""
        return self.of(ENCODING).get("", "")

    @property
    def arbiters(self) -> tuple[int, ...]:
        """Primary keys of arbiters who served but are not on the registration."""
        return tuple(map(int, self.of(ARBITER)))


def corrections_from(rows: Iterable[tuple[str, str, str]]) -> Corrections:
    """Return answers, each given as (code of the kind, key, value). One of which an erasure left nothing is none."""
    answers: dict[str, dict[str, str]] = {}
    for code, key, value in rows:
        if value != ERASED:
            answers.setdefault(code, {})[key] = value
    return Corrections(answers)
