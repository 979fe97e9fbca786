"""What the regulations ask of the arbiters of a section's file: articles 6, 7, 8 and 15. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from config.lib import formatting
from events.rules.corrections import ARBITER
from events.rules.fees import fee_year, fee_year_label, is_covered
from events.rules.findings import Finding, Severity, listed, listed_rounds


@dataclass(frozen=True, slots=True)
class KnownArbiter:
    """An arbiter on the register of arbiters. Ids are digits as text, or empty; `title` is a code.

    `paid` are his fees as (fee year, day of payment). `plays` says as whom he is entered as a player, `namesake` who bears
    only his name; both may be empty.
    """

    key: int
    name: str
    title: str = ""
    number: str = ""
    fide_id: str = ""
    federation: str = "RSA"
    paid: tuple[tuple[int, date], ...] = ()
    plays: str = ""
    namesake: str = ""


@dataclass(frozen=True, slots=True)
class AppointedArbiter:
    """An arbiter whom the registration appoints, for the rounds from `first` to `last` or for all."""

    arbiter: KnownArbiter
    first: int | None = None
    last: int | None = None


@dataclass(frozen=True, slots=True)
class NamedArbiter:
    """An arbiter whom the file names, and who that is on the register of arbiters, if anybody."""

    name: str
    title: str = ""
    id: str = ""
    known: KnownArbiter | None = None


@dataclass(frozen=True, slots=True)
class ArbiterFacts:
    """What the checks look at. Both lists go by position, the Chief Arbiter first; `starts` is the first day of the event.

    `club` says that arbiters may play; `year_begins` is the month in which the AOC's fee year begins.
    """

    starts: date
    rounds: int
    appointed: tuple[AppointedArbiter, ...] = ()
    named: tuple[NamedArbiter, ...] = ()
    club: bool = False
    fide_rated: bool = False
    year_begins: int = 1

    @property
    def serving(self) -> list[KnownArbiter]:
        """All who are appointed or named and on the register, each once."""
        found = [one.arbiter for one in self.appointed] + [one.known for one in self.named if one.known]
        return list({one.key: one for one in found}.values())


def check_arbiters(facts: ArbiterFacts) -> list[Finding]:
    """All findings about arbiters, in the order of the articles. That none is named is said by `events.rules.section_file`."""
    return [*presence(facts), *membership(facts), *playing(facts), *positions(facts), *details(facts)]


def presence(facts: ArbiterFacts) -> Iterable[Finding]:
    """Article 6: a recognised arbiter, in an appointed position, in every round."""
    if facts.appointed:
        missing = uncovered(range(1, facts.rounds + 1), [(one.first, one.last) for one in facts.appointed])
        if missing:
            message = (
                f"No arbiter is appointed for {listed_rounds(missing)}. Add who was there to the event’s arbiters,"
                " or say that nobody was."
            )
            yield Finding(Severity.HOLD, "round-without-arbiter", message, article="6", correction=ARBITER.code)
    elif facts.named:
        message = (
            "No registration with arbiters stands beside the file, so that one was there in every round cannot be checked;"
            " those of the file are taken to have served in all."
        )
        yield Finding(Severity.NOTE, "arbiters-not-appointed", message, article="6")
    unknown = [one.name for one in facts.named if one.known is None]
    if unknown:
        message = (
            f"{listed(unknown)}: not on the register of arbiters, so recognition, membership and playing (articles 6 to 8)"
            " cannot be checked. Name the arbiter as the AOC does, with the id."
        )
        yield Finding(Severity.NOTE, "arbiter-unknown", message, article="6")


def membership(facts: ArbiterFacts) -> Iterable[Finding]:
    """Article 7: an RSA arbiter has paid the AOC’s fee for the year of the event before its start."""
    year = fee_year(facts.starts, begins=facts.year_begins)
    unpaid = []
    for one in facts.serving:
        if not is_covered(one.federation, one.paid, facts.starts, begins=facts.year_begins):
            late = next((day for paid, day in one.paid if paid == year), None)
            unpaid.append(f"{one.name} ({f'paid on {formatting.day(late)}' if late else 'no payment on record'})")
    if unpaid:
        label = fee_year_label(year, begins=facts.year_begins)
        message = (
            f"The AOC’s membership fee of {label} was not paid before the event started on {formatting.day(facts.starts)}:"
            f" {listed(unpaid)}."
            " Send proof of the payment, or the officer decides."
        )
        yield Finding(Severity.HOLD, "membership-unpaid", message, article="7")


def playing(facts: ArbiterFacts) -> Iterable[Finding]:
    """Article 8: no appointed arbiter plays in the event, not even as a filler; club events excepted."""
    if facts.club:
        return
    playing = [f"{one.name} ({one.plays})" for one in facts.serving if one.plays]
    if playing:
        message = f"An arbiter of the event plays in it: {listed(playing)}. Correct the file, or the officer decides."
        yield Finding(Severity.HOLD, "arbiter-plays", message, article="8")
    namesakes = [f"{one.name} ({one.namesake})" for one in facts.serving if one.namesake and not one.plays]
    if namesakes:
        message = (
            f"A player bears the name of an arbiter of the event: {listed(namesakes)}. An arbiter of it may not play."
        )
        yield Finding(Severity.NOTE, "arbiter-namesake", message, article="8")


def positions(facts: ArbiterFacts) -> Iterable[Finding]:
    """Article 15.4: the file’s arbiters are those of the registration, the Chief Arbiter first."""
    if not facts.appointed or not facts.named:
        return
    appointed = [one.arbiter for one in facts.appointed]
    chief, first = appointed[0], facts.named[0]
    if first.known is None or first.known.key != chief.key:
        message = (
            f"The file’s Chief Arbiter is {first.name}, the registration’s is {chief.name}. Correct whichever is wrong."
        )
        yield Finding(Severity.HOLD, "chief-arbiter-differs", message, article="15.4")
    keys = {one.key for one in appointed}
    more = [one.name for one in facts.named[1:] if one.known is None or one.known.key not in keys]
    named = {one.known.key for one in facts.named if one.known}
    fewer = [one.name for one in appointed[1:] if one.key not in named]
    parts = [
        f"{listed(names)} only in the {where}" for names, where in ((more, "file"), (fewer, "registration")) if names
    ]
    if parts:
        message = f"The file’s other arbiters are not those of the registration: {'; '.join(parts)}."
        yield Finding(Severity.NOTE, "arbiters-differ", message, article="15.4")


def details(facts: ArbiterFacts) -> Iterable[Finding]:
    """Articles 15.2 and 15.3: an id and the present title of each arbiter, in the file or on the register."""
    without_id = [one.name for one in facts.named if not _has_id(one, fide_rated=facts.fide_rated)]
    if without_id:
        wanted = "FIDE id, which a FIDE-rated event asks for" if facts.fide_rated else "Chess SA id or FIDE id"
        message = f"{listed(without_id)}: no {wanted}. Give it behind the arbiter’s name."
        yield Finding(Severity.NOTE, "arbiter-id-missing", message, article="15.2")
    untitled = [one.name for one in facts.named if not one.title and (one.known is None or not one.known.title)]
    if untitled:
        message = f"{listed(untitled)}: no title. Give it before the arbiter’s name, as in “NA Name Surname”."
        yield Finding(Severity.NOTE, "arbiter-title-missing", message, article="15.3")
    other = [
        f"{one.name} ({one.title} in the file, {one.known.title} on the register)"
        for one in facts.named
        if one.known and one.title and one.known.title and one.title != one.known.title
    ]
    if other:
        message = f"Another title than on the register of arbiters: {listed(other)}."
        yield Finding(Severity.NOTE, "arbiter-title-differs", message, article="15.3")


def uncovered(rounds: Iterable[int], spans: Sequence[tuple[int | None, int | None]]) -> list[int]:
    """The rounds in none of the spans; a span without a first and last round is all of them (article 6)."""
    return [number for number in rounds if not any((one or 1) <= number <= (two or number) for one, two in spans)]


def _has_id(one: NamedArbiter, *, fide_rated: bool) -> bool:
    if one.known is None:
        return bool(one.id)
    return bool(one.known.fide_id) if fide_rated else bool(one.id or one.known.number or one.known.fide_id)
