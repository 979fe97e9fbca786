"""Who on the register of arbiters is meant by a name and ids: by Chess SA id, then FIDE id, then the exact name."""

from collections.abc import Iterable
from dataclasses import dataclass

from events.models import Arbiter
from players.identity import Person, Strength, fold, likelihood


@dataclass(frozen=True, slots=True)
class Found:
    """The arbiter who is meant, and by what; None for nobody. `problem` says why a person must decide."""

    arbiter: Arbiter | None = None
    by: str = ""
    problem: str = ""


def name_key(name: str) -> str:
    """A name's words, folded and in the order of the alphabet: whichever stands first."""
    return " ".join(sorted(fold(name).split()))


class ArbiterRegister:
    """The register of arbiters, searched in memory: it has some hundreds."""

    def __init__(self, arbiters: Iterable[Arbiter]) -> None:
        """All who may be meant."""
        self.numbers: dict[str, Arbiter] = {}
        self.fide_ids: dict[str, Arbiter] = {}
        self.names: dict[str, list[Arbiter]] = {}
        for one in arbiters:
            self.add(one)

    def add(self, one: Arbiter) -> None:
        """Somebody new, or somebody who has another name or id now."""
        if one.number:
            self.numbers[one.number] = one
        if one.fide_id:
            self.fide_ids[str(one.fide_id)] = one
        bearers = self.names.setdefault(name_key(one.name), [])
        if one not in bearers:
            bearers.append(one)

    def find(self, name: str, *, number: str = "", fide_id: str = "") -> Found:
        """Who bears an id, else the name. Ids and name that speak of two people are a problem, for a person to settle."""
        ids = (("Chess SA id", number, self.numbers.get(number)), ("FIDE id", fide_id, self.fide_ids.get(fide_id)))
        for label, given, one in ids:
            if one is not None:
                return Found(one, label, self._contradiction(one, name, label, given, number=number, fide_id=fide_id))
        candidates = [
            one
            for one in self.names.get(name_key(name), [])
            if _agree(one.number, number) and _agree(_fide(one), fide_id)
        ]
        if len(candidates) > 1:
            return Found(problem=f"{len(candidates)} arbiters are called {name}; say which one by the id.")
        return Found(candidates[0], "name") if candidates else Found()

    def find_by_text(self, name: str, given: str) -> Found:
        """Who is meant where it is not said whose id is given, the federation's or FIDE's."""
        return self.find(name, number=given) if given in self.numbers else self.find(name, fide_id=given)

    def _contradiction(self, one: Arbiter, name: str, label: str, given: str, *, number: str, fide_id: str) -> str:
        if _speaks_against(name, one.name):
            return f"The {label} {given} is that of {one.name} on the register, which is another name than {name}."
        second = self.fide_ids.get(fide_id)
        if second is not None and second != one:
            return f"The Chess SA id {number} is that of {one.name} on the register, the FIDE id {fide_id} {second.name}’s."
        for other, theirs, ours in (("Chess SA id", number, one.number), ("FIDE id", fide_id, _fide(one))):
            if not _agree(theirs, ours):
                return f"{one.name} has the {other} {ours} on the register, not {theirs}."
        return ""


def _fide(one: Arbiter) -> str:
    return str(one.fide_id or "")


def _agree(first: str, second: str) -> bool:
    return not first or not second or first == second


def _speaks_against(first: str, second: str) -> bool:
    same_id = "1"  # what the register of players asks when an id is the same and the names are not
    persons = [Person(last_name=name, first_name="", national_id=same_id) for name in (first, second)]
    return likelihood(*persons).strength is Strength.AGAINST
