"""Checks of the arbiters of a section: articles 6, 7, 8 and 15. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from config.lib import formatting
from events.rules.corrections import ARBITER, NAMED_ARBITER
from events.rules.fees import fee_year, fee_year_label, has_licence, is_covered
from events.rules.findings import Finding, Severity, listed, listed_rounds
from players.identity import FIRST_FIDE_ID, is_chess_sa_id


@dataclass(frozen=True, slots=True)
class KnownArbiter:
    """An arbiter on the register of arbiters. Ids are digits as text or ""; `title` is a code.

    `paid`: the AOC's fees as (fee year, day of payment); `licences`: FIDE's. `former`: until when and why he was appointed, in
    words, if he no longer is. `id_of`: the player of another name who has an id of the arbiter's, in words. `plays`: as which
    player the arbiter is entered; `namesake`: a player of the same name whom no id tells apart. Each "" if there is none.
    """

    key: int
    name: str
    title: str = ""
    number: str = ""
    fide_id: str = ""
    federation: str = "RSA"
    paid: tuple[tuple[int, date], ...] = ()
    licences: tuple[tuple[int, date], ...] = ()
    plays: str = ""
    namesake: str = ""
    former: str = ""
    id_of: str = ""

    @property
    def called(self) -> str:
        """The name, and that the arbiter is appointed no more."""
        return f"{self.name}, formerly appointed" if self.former else self.name


@dataclass(frozen=True, slots=True)
class AppointedArbiter:
    """An arbiter whom the registration appoints, for the rounds from `first` to `last`, or for all rounds."""

    arbiter: KnownArbiter
    first: int | None = None
    last: int | None = None


@dataclass(frozen=True, slots=True)
class NamedArbiter:
    """An arbiter whom the file names; `known` is the entry on the register of arbiters, if there is one.

    `id_of`: the arbiter or player of another name whose id stands beside the name, in words, or "". `plays`, `namesake`: as
    those of `KnownArbiter`, of one who is not on the register of arbiters; `alike`: who on it may be meant, by name.
    """

    name: str
    title: str = ""
    id: str = ""
    known: KnownArbiter | None = None
    id_of: str = ""
    plays: str = ""
    namesake: str = ""
    alike: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArbiterFacts:
    """The input of the checks. Both lists are ordered by position, the Chief Arbiter first. `former`: arbiters who were
    appointed while the event was played, and are no more.

    `starts`: the first day of the event; `club`: a club event, in which arbiters may play; `year_begins`: the month in which
    the AOC's fee year begins.
    """

    starts: date
    rounds: int
    appointed: tuple[AppointedArbiter, ...] = ()
    named: tuple[NamedArbiter, ...] = ()
    former: tuple[KnownArbiter, ...] = ()
    club: bool = False
    fide_rated: bool = False
    year_begins: int = 1
    planned: int = 0

    @property
    def serving(self) -> list[KnownArbiter]:
        """The arbiters on the register who are appointed, were while it was played, or are named, each once."""
        appointed = [appointment.arbiter for appointment in self.appointed]
        named = [entry.known for entry in self.named if entry.known]
        return list({arbiter.key: arbiter for arbiter in [*self.former, *named, *appointed]}.values())


def check_arbiters(facts: ArbiterFacts) -> list[Finding]:
    """Return all findings about arbiters, by article. That no arbiter is named is a finding of `events.rules.section_file`."""
    return [
        *presence(facts),
        *changes(facts),
        *beyond(facts),
        *membership(facts),
        *licence(facts),
        *playing(facts),
        *positions(facts),
        *details(facts),
    ]


def changes(facts: ArbiterFacts) -> Iterable[Finding]:
    """Yield a note on arbiters who were replaced after the event had begun (article 6); articles 7 and 8 ask of them too."""
    if facts.former:
        former = "; ".join(f"{arbiter.name}, {arbiter.former}" for arbiter in facts.former)
        message = f"The arbiters were changed after the event had begun: {former}."
        yield Finding(Severity.NOTE, "arbiters-changed", message, article="6")


def presence(facts: ArbiterFacts) -> Iterable[Finding]:
    """Yield findings of article 6: a recognised arbiter, in an appointed position, in every round."""
    if facts.appointed:
        missing = uncovered(range(1, facts.rounds + 1), [(row.first, row.last) for row in facts.appointed])
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
    for named in facts.named:
        if named.alike:
            message = (
                f"{named.name} is not on the register of arbiters by that name, and may be {' or '.join(named.alike)}. Say who"
                " it is, or name the arbiter as the AOC does, with the id."
            )
            yield Finding(Severity.HOLD, "arbiter-uncertain", message, article="6", correction=NAMED_ARBITER.code)
    unknown = [named.name for named in facts.named if named.known is None and not named.alike]
    if unknown:
        message = (
            f"{listed(unknown)}: not on the register of arbiters, so recognition, membership and playing (articles 6 to 8)"
            " cannot be checked. Name the arbiter as the AOC does, with the id."
        )
        yield Finding(Severity.HOLD, "arbiter-unknown", message, article="6")


def beyond(facts: ArbiterFacts) -> Iterable[Finding]:
    """Yield a note on arbiters who are appointed for rounds that the event has not (article 6). `planned` are all sections'."""
    most = max(facts.rounds, facts.planned)
    if not most:
        return
    rows = [
        f"{row.arbiter.name} (rounds {row.first}–{row.last})" for row in facts.appointed if row.last and row.last > most
    ]
    if rows:
        message = (
            f"Appointed for rounds that the event has not, whose last is round {most}: {listed(rows)}. Correct the rounds in"
            " the registration."
        )
        yield Finding(Severity.NOTE, "arbiter-rounds-beyond", message, article="6")


def membership(facts: ArbiterFacts) -> Iterable[Finding]:
    """Yield findings of article 7: RSA arbiters have paid the AOC’s fee for the year of the event before its start."""
    year = fee_year(facts.starts, begins=facts.year_begins)
    unpaid = []
    for arbiter in facts.serving:
        if not is_covered(arbiter.federation, arbiter.paid, facts.starts, begins=facts.year_begins):
            late = next((day for paid, day in arbiter.paid if paid == year), None)
            unpaid.append(f"{arbiter.called} ({f'paid on {formatting.day(late)}' if late else 'no payment on record'})")
    if unpaid:
        label = fee_year_label(year, begins=facts.year_begins)
        message = (
            f"{listed(unpaid)}: the AOC’s membership fee of {label} was not paid before the event started on"
            f" {formatting.day(facts.starts)}. Send proof of the payment, or the officer decides."
        )
        yield Finding(Severity.HOLD, "membership-unpaid", message, article="7")


def licence(facts: ArbiterFacts) -> Iterable[Finding]:
    """Yield a finding of article 12.3: at a FIDE-rated event the AOC's arbiters have paid FIDE's licence fee of its year."""
    if not facts.fide_rated:
        return
    unpaid = [
        arbiter.called
        for arbiter in facts.serving
        if not has_licence(arbiter.federation, arbiter.licences, facts.starts)
    ]
    if unpaid:
        message = (
            f"{listed(unpaid)}: FIDE’s licence fee of {facts.starts.year} was not paid before the event started on"
            f" {formatting.day(facts.starts)}. Send proof of the payment, or the officer decides."
        )
        yield Finding(Severity.HOLD, "licence-unpaid", message, article="12.3")


def playing(facts: ArbiterFacts) -> Iterable[Finding]:
    """Yield findings of article 8: no appointed arbiter plays in the event, not even as a filler, except in club events."""
    if facts.club:
        return
    players = [f"{arbiter.called} ({arbiter.plays})" for arbiter in facts.serving if arbiter.plays]
    players += [f"{entry.name} ({entry.plays})" for entry in facts.named if entry.plays]
    if players:
        message = f"An arbiter of the event plays in it: {listed(players)}. Correct the file, or the officer decides."
        yield Finding(Severity.HOLD, "arbiter-plays", message, article="8")
    namesakes = [
        f"{arbiter.name} ({arbiter.namesake})" for arbiter in facts.serving if arbiter.namesake and not arbiter.plays
    ]
    namesakes += [f"{entry.name} ({entry.namesake})" for entry in facts.named if entry.namesake and not entry.plays]
    if namesakes:
        message = (
            f"A player bears the name of an arbiter of the event, and no id tells them apart: {listed(namesakes)}. An arbiter"
            " may not play. If they are two people, have the arbiter’s Chess SA id put on the register of arbiters, or the"
            " officer decides."
        )
        yield Finding(Severity.HOLD, "arbiter-namesake", message, article="8")


def positions(facts: ArbiterFacts) -> Iterable[Finding]:
    """Yield findings of article 15.4: the file’s arbiters are those of the registration, the Chief Arbiter first."""
    if not facts.appointed or not facts.named:
        return
    appointed = [appointment.arbiter for appointment in facts.appointed]
    chief, first = appointed[0], facts.named[0]
    if first.known is None or first.known.key != chief.key:
        message = (
            f"The file’s Chief Arbiter is {first.name}, the registration’s is {chief.name}. Correct whichever is wrong."
        )
        yield Finding(Severity.HOLD, "chief-arbiter-differs", message, article="15.4")
    keys = {arbiter.key for arbiter in appointed}
    strangers = [entry.name for entry in facts.named if entry.known and entry.known.key not in keys]
    if strangers:
        message = (
            f"The file names arbiters whom the registration does not appoint: {listed(strangers)}. Did they serve? Add who"
            " did, or correct the file."
        )
        yield Finding(Severity.HOLD, "arbiter-not-appointed", message, article="6", correction=ARBITER.code)
    named = {entry.known.key for entry in facts.named if entry.known}
    fewer = [arbiter.name for arbiter in appointed[1:] if arbiter.key not in named]
    if fewer:
        message = f"The registration appoints others, too, whom the file does not name: {listed(fewer)}."
        yield Finding(Severity.NOTE, "arbiters-differ", message, article="15.4")


def details(facts: ArbiterFacts) -> Iterable[Finding]:
    """Yield findings of articles 15.2 and 15.3: each arbiter’s id and present title, in the file or on the register.

    That of the register is enough: those appointed stand with it in the registration.
    """
    keys = {named.known.key for named in facts.named if named.known}
    unnamed = [
        NamedArbiter(arbiter.name, known=arbiter)
        for arbiter in {row.arbiter.key: row.arbiter for row in facts.appointed}.values()
        if arbiter.key not in keys
    ]
    arbiters = [*facts.named, *unnamed]
    mistaken = [f"{named.name}, {named.id}: {named.id_of}" for named in facts.named if named.id_of]
    if mistaken:
        message = (
            f"The id beside an arbiter’s name in the file is another person’s: {listed(mistaken)}. Correct the id or the"
            " name."
        )
        yield Finding(Severity.HOLD, "arbiter-id-of-another", message, article="15.2")
    held = [f"{arbiter.name}: {arbiter.id_of}" for arbiter in facts.serving if arbiter.id_of]
    if held:
        message = (
            f"An arbiter’s id on the AOC’s register is another person’s on the register of players: {listed(held)}. Ask the AOC"
            " which is right, or an officer corrects the register."
        )
        yield Finding(Severity.HOLD, "arbiter-id-of-player", message, article="15.2")
    without_id = [arbiter.name for arbiter in arbiters if not _has_id(arbiter, fide_rated=facts.fide_rated)]
    if without_id:
        wanted = "FIDE id, which a FIDE-rated event asks for" if facts.fide_rated else "Chess SA id or FIDE id"
        message = (
            f"{listed(without_id)}: no {wanted}. Give it behind the arbiter’s name in the file, or have it put on the"
            " register."
        )
        yield Finding(Severity.HOLD, "arbiter-id-missing", message, article="15.2")
    untitled = [named.name for named in arbiters if not named.title and not (named.known and named.known.title)]
    if untitled:
        message = f"{listed(untitled)}: no title. Give it before the arbiter’s name, as in “NA Name Surname”."
        yield Finding(Severity.HOLD, "arbiter-title-missing", message, article="15.3")
    other = [
        f"{named.name} ({named.title} in the file, {named.known.title} on the register)"
        for named in facts.named
        if named.known and named.title and named.known.title and named.title != named.known.title
    ]
    if other:
        message = f"Another title than on the register of arbiters: {listed(other)}."
        yield Finding(Severity.NOTE, "arbiter-title-differs", message, article="15.3")


def uncovered(rounds: Iterable[int], spans: Sequence[tuple[int | None, int | None]]) -> list[int]:
    """Return the rounds in none of the spans (first, last); a span (None, None) has all rounds (article 6)."""
    return [number for number in rounds if not any((first or 1) <= number <= (last or number) for first, last in spans)]


def _has_id(named: NamedArbiter, *, fide_rated: bool) -> bool:
    known = named.known
    if fide_rated:
        return bool(known and known.fide_id) or _can_be_fide_id(named.id)
    return bool(named.id or (known and (known.number or known.fide_id)))


def _can_be_fide_id(text: str) -> bool:
    """Return whether an id in a file is taken for FIDE's. Nine digits are a Chess SA id, as with players (14.4)."""
    return text.isdigit() and int(text) >= FIRST_FIDE_ID and not is_chess_sa_id(text)
