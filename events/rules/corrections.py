"""What an uploader answers to the checks of a file, as one value that the file is then read with. Pure.

Each answer has a kind, a key and a value, all text:

- `player`: start number → Chess SA id, or `new`
- `day`: round → its day, `2024-03-02`
- `birth`, `sex`: start number → date of birth, `M` or `F`, where the file gives none
- `control`, `dates`: nothing → `file` or `registration`
- `encoding`: nothing → a code page
- `arbiter`: key of the arbiter → nothing
- `penalty`: see `events.rules.penalties` → nothing for “without notice”, else how it was announced
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from types import MappingProxyType

from events.rules.tournament import Entrant, Tournament
from players.identity import fold

NEW = "new"
FILE, REGISTRATION = "file", "registration"
_NONE: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Corrections:
    """The answers by what they are about; start numbers and rounds as keys."""

    players: Mapping[int, str] = field(default_factory=lambda: _NONE)
    new: frozenset[int] = frozenset()
    days: Mapping[int, date] = field(default_factory=lambda: MappingProxyType({}))
    births: Mapping[int, date] = field(default_factory=lambda: MappingProxyType({}))
    sexes: Mapping[int, str] = field(default_factory=lambda: _NONE)
    control: str = ""
    dates: str = ""
    encoding: str = ""
    arbiters: tuple[int, ...] = ()
    penalties: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def applied(self, tournament: Tournament) -> Tournament:
        """The tournament with the days, dates of birth and genders that were given."""
        days = list(tournament.round_dates)
        days += [None] * (max((*self.days, len(days)), default=0) - len(days))
        for number, day in self.days.items():
            days[number - 1] = day
        return replace(
            tournament,
            round_dates=tuple(days),
            entrants=tuple(self._completed(entrant) for entrant in tournament.entrants),
        )

    def _completed(self, entrant: Entrant) -> Entrant:
        born, sex = self.births.get(entrant.number), self.sexes.get(entrant.number)
        if born is None and sex is None:
            return entrant
        return replace(entrant, birth_date=entrant.birth_date or born, sex=entrant.sex or sex or "")


def corrections_from(answers: Iterable[tuple[str, str, str]]) -> Corrections:
    """The answers, each (kind, key, value), as one value."""
    by_kind: dict[str, dict[str, str]] = {}
    for kind, key, value in answers:
        by_kind.setdefault(kind, {})[key] = value
    players = {int(key): value for key, value in by_kind.get("player", {}).items()}
    return Corrections(
        players={number: value for number, value in players.items() if value != NEW},
        new=frozenset(number for number, value in players.items() if value == NEW),
        days=_days(by_kind.get("day", {})),
        births=_days(by_kind.get("birth", {})),
        sexes={int(key): value for key, value in by_kind.get("sex", {}).items()},
        control=by_kind.get("control", {}).get("", ""),
        dates=by_kind.get("dates", {}).get("", ""),
        encoding=by_kind.get("encoding", {}).get("", ""),
        arbiters=tuple(int(key) for key in by_kind.get("arbiter", {})),
        penalties=by_kind.get("penalty", {}),
    )


def still_holds(
    kind: str, key: str, value: str, before: Tournament, after: Tournament, *, starts: Mapping[str, int]
) -> bool:
    """Whether an answer to a file holds for the one that takes its place.

    What is said of a line holds while it is the same person's; nothing holds that the new file says itself. `starts` are the
    start numbers of proposed penalties by their keys.
    """
    if kind == "day":
        was, now = (dict(enumerate(one.round_dates, start=1)).get(int(key)) for one in (before, after))
        return now is None or now == was
    if kind == "encoding":
        return bool(after.sample_names)
    if kind == "control":
        return before.time_control == after.time_control
    if kind == "dates":
        return (before.starts, before.ends) == (after.starts, after.ends)
    if kind not in ("player", "birth", "sex", "penalty"):
        return True
    number = starts.get(key) if kind == "penalty" else int(key)
    old = next((one for one in before.entrants if one.number == number), None)
    new = next((one for one in after.entrants if one.number == number), None)
    if old is None or new is None or fold(old.name) != fold(new.name):
        return False
    if kind == "player":
        same_fide_id = new.fide_id == old.fide_id or (value != NEW and not old.fide_id)
        return same_fide_id and new.national_id in (old.national_id, value)
    return not (kind == "birth" and new.birth_date) and not (kind == "sex" and new.sex)


def _days(answers: Mapping[str, str]) -> dict[int, date]:
    return {int(key): date.fromisoformat(value) for key, value in answers.items()}
