"""Finds arbiters on the register by Chess SA id, then FIDE id, then the exact name."""

from collections.abc import Iterable
from dataclasses import dataclass

from events.files.arbiters import ArbiterText
from events.models import Arbiter
from players.identity import Person, is_another_name, is_chess_sa_id, name_similarity, parts_of, sorted_words
from players.merged import present_number
from players.name_index import NameIndex
from players.pseudonyms import is_pseudonym


@dataclass(frozen=True, slots=True)
class ArbiterMatch:
    """The arbiter found, or None, and `by` what: an id or the name. `problem`: why a user must decide, or ""."""

    arbiter: Arbiter | None = None
    by: str = ""
    problem: str = ""


class ArbiterRegister:
    """The register of arbiters, some hundreds, in memory."""

    def __init__(self, arbiters: Iterable[Arbiter]) -> None:
        """Index the arbiters to be searched."""
        self._by_key: dict[int, Arbiter] = {}
        self._sounding: NameIndex | None = None  # of all of them, made when somebody is looked for by it
        self.numbers: dict[str, Arbiter] = {}
        self.fide_ids: dict[str, Arbiter] = {}
        self.names: dict[str, list[Arbiter]] = {}
        for arbiter in arbiters:
            self.add(arbiter)

    def add(self, arbiter: Arbiter) -> None:
        """Add an arbiter, or index the new name and ids of one."""
        if arbiter.number:
            self.numbers[arbiter.number] = arbiter
        if arbiter.fide_id:
            self.fide_ids[str(arbiter.fide_id)] = arbiter
        bearers = self.names.setdefault(sorted_words(arbiter.name), [])
        if arbiter not in bearers:
            bearers.append(arbiter)
        self._by_key.setdefault(arbiter.pk, arbiter)
        self._sounding = None

    def find(self, name: str, *, number: str = "", fide_id: str = "") -> ArbiterMatch:
        """Return the arbiter with an id, else with the name. A problem is set if ids and name are of different arbiters."""
        number = self._present(number)
        ids = (("Chess SA id", number, self.numbers.get(number)), ("FIDE id", fide_id, self.fide_ids.get(fide_id)))
        for label, id_text, arbiter in ids:
            if arbiter is not None:
                return ArbiterMatch(
                    arbiter, label, self._contradiction(arbiter, name, label, id_text, number=number, fide_id=fide_id)
                )
        candidates = [
            arbiter
            for arbiter in self.names.get(sorted_words(name), [])
            if _agree(arbiter.number, number) and _agree(_fide(arbiter), fide_id)
        ]
        if len(candidates) > 1:
            return ArbiterMatch(problem=f"{len(candidates)} arbiters are called {name}; say which one by the id.")
        return ArbiterMatch(candidates[0], "name") if candidates else ArbiterMatch()

    def _present(self, number: str) -> str:
        return number if number in self.numbers else present_number(number)

    def find_by_text(self, name: str, id_text: str) -> ArbiterMatch:
        """Return the arbiter where `given` may be a Chess SA id or a FIDE id."""
        number = self._present(id_text)
        return self.find(name, number=number) if number in self.numbers else self.find(name, fide_id=id_text)

    def alike(self, text: ArbiterText) -> list[Arbiter]:
        """Return those who may be an arbiter whom a file names otherwise: initials, another order, a slip of letters.

        Nobody whose id is another than the one beside the name.
        """
        person = Person(text.name, "")
        if self._sounding is None:
            names = {key: parts_of(Person(arbiter.name, "")) for key, arbiter in self._by_key.items()}
            self._sounding = NameIndex(names)
        (agreeing,) = self._sounding.agreeing([parts_of(person)])
        found = [
            arbiter for arbiter in map(self._by_key.__getitem__, agreeing) if _agree(_own_id(arbiter, text.id), text.id)
        ]
        return sorted(found, key=lambda arbiter: (-name_similarity(person, Person(arbiter.name, "")), arbiter.name))

    def _contradiction(
        self, arbiter: Arbiter, name: str, label: str, id_text: str, *, number: str, fide_id: str
    ) -> str:
        if is_another_name(name, arbiter.name):
            if is_pseudonym(arbiter.name):  # which would tell who he is on the lists
                return f"The {label} {id_text} is that of an arbiter whose data was erased at his wish. Leave it out."
            return (
                f"The {label} {id_text} is that of {arbiter.name} on the register, which is another name than {name}."
            )
        second = self.fide_ids.get(fide_id)
        if second is not None and second != arbiter:
            return f"The Chess SA id {number} is that of {arbiter.name} on the register, the FIDE id {fide_id} {second.name}’s."
        for other_label, listed_id, own_id in (
            ("Chess SA id", number, arbiter.number),
            ("FIDE id", fide_id, _fide(arbiter)),
        ):
            if not _agree(listed_id, own_id):
                return f"{arbiter.name} has the {other_label} {own_id} on the register, not {listed_id}."
        return ""


def _fide(arbiter: Arbiter) -> str:
    return str(arbiter.fide_id or "")


def called_with_id(arbiter: Arbiter) -> str:
    """Return an arbiter's title and name with an id, by which two of a name are told apart."""
    return with_id(str(arbiter), arbiter)


def with_id(name: str, arbiter: Arbiter) -> str:
    """Return a name of an arbiter with his id behind it, if he has one."""
    number = arbiter.number or _fide(arbiter)
    return f"{name} ({number})" if number else name


def _own_id(arbiter: Arbiter, id_text: str) -> str:
    """Return the arbiter's id of the kind that a text has."""
    return arbiter.number if is_chess_sa_id(id_text) else _fide(arbiter)


def _agree(first: str, second: str) -> bool:
    return not first or not second or first == second
