"""Reads the data for the rules on arbiters (`events.rules.arbiters`) from registration, file and register."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from django.db.models import Max
from django.utils import timezone

from config.lib import formatting
from events.arbiters.lookup import ids_of, is_player, others_with_ids_of, paid_fees
from events.arbiters.register import ArbiterMatch, ArbiterRegister, called_with_id
from events.files.arbiters import ArbiterText, read_arbiter
from events.models import Arbiter, Event, Fee, Kind, PastAppointment, Section
from events.readings.queries import readings
from events.rules.arbiters import AppointedArbiter, ArbiterFacts, KnownArbiter, NamedArbiter
from events.rules.tournament import Tournament
from events.submission.matching import Match
from events.submission.other_sections import arbiters_added, playing_elsewhere
from events.submission.persons import ids_on_line
from players.id_bearers import IdBearers, known_as
from players.identity import is_another_name, is_chess_sa_id, sorted_words
from players.pseudonyms import is_pseudonym

MOST_ALIKE = 5  # of one name


def arbiter_facts(
    event: Event | None,
    section: Section | None,
    tournament: Tournament,
    matches: Sequence[Match],
    *,
    starts: date,
    kind: str = Kind.OVER_THE_BOARD,
    fide_rated: bool = False,
    added: Collection[int] = (),
) -> ArbiterFacts:
    """Return the arbiters of a section's file beside those of its event. Eleven queries at most.

    `section`: the section of the file; its previous results do not count. Without a registered event, `starts`, `kind` and
    `fide_rated` are those that the uploader gives. `added`: keys of arbiters who served without being appointed; those
    added to the files of other sections count as well.
    """
    appointed = list(event.appointments.select_related("arbiter").order_by("position")) if event and event.pk else []
    named = [read_arbiter(text) for text in (tournament.chief_arbiter, *tournament.deputy_arbiters) if text.strip()]
    named = [text for text in named if text.name]
    register = ArbiterRegister(Arbiter.objects.all() if named else ())
    searches = [register.find_by_text(text.name, text.id) for text in named]
    named_arbiters = [None if search.problem else search.arbiter for search in searches]
    added = {*added, *arbiters_added(event, section)}
    more = list(Arbiter.objects.filter(pk__in=added)) if added else []
    ended = list(event.past_appointments.filter(during=True).select_related("arbiter")) if event and event.pk else []
    serving = {appointment.arbiter_id for appointment in appointed} | {arbiter.pk for arbiter in more}
    former = {row.arbiter_id: row for row in ended if row.arbiter_id not in serving}
    everybody = (
        *(appointment.arbiter for appointment in appointed),
        *more,
        *filter(None, named_arbiters),
        *(row.arbiter for row in former.values()),
    )
    arbiters = {arbiter.pk: arbiter for arbiter in everybody}
    paid, licences = paid_fees(arbiters.values()), paid_fees(arbiters.values(), Fee.FIDE)
    elsewhere = playing_elsewhere(event, section, arbiters.values())
    bearers = IdBearers([*(text.id for text in named), *ids_of(arbiters.values())])
    others = others_with_ids_of(arbiters.values(), bearers)
    owners = [_bearer(text, search, bearers) for text, search in zip(named, searches, strict=True)]
    known = {
        pk: replace(
            _value(arbiter, paid.get(pk, ()), matches, elsewhere=pk in elsewhere),
            licences=licences.get(pk, ()),
            former=_ended(former[pk]) if pk in former else "",
            id_of=others.get(pk, ""),
        )
        for pk, arbiter in arbiters.items()
    }
    return ArbiterFacts(
        starts=min(starts, event.starts) if event else starts,
        rounds=tournament.rounds,
        appointed=(
            *(AppointedArbiter(known[row.arbiter_id], row.first_round, row.last_round) for row in appointed),
            *(AppointedArbiter(known[arbiter.pk]) for arbiter in more),
        ),
        named=tuple(
            NamedArbiter(text.name, text.title, text.id, known[arbiter.pk], id_of)
            if arbiter
            else replace(
                _unknown(text, id_of, matches),
                alike=tuple(called_with_id(one) for one in register.alike(text)[:MOST_ALIKE])
                if search.arbiter is None
                else (),
            )
            for text, search, arbiter, id_of in zip(named, searches, named_arbiters, owners, strict=True)
        ),
        former=tuple(known[pk] for pk in former),
        club=(event.kind if event else kind) == Kind.CLUB,
        fide_rated=event.fide_rated if event else fide_rated,
        year_begins=readings().aoc_year_begins,
        planned=_planned_rounds(event) if any(row.last_round for row in appointed) else 0,
    )


def _planned_rounds(event: Event | None) -> int:
    """Return the greatest number of rounds that a section of an event is planned with."""
    return (event.sections.aggregate(most=Max("planned_rounds"))["most"] or 0) if event and event.pk else 0


def _bearer(text: ArbiterText, search: ArbiterMatch, bearers: IdBearers) -> str:
    """Return who has the id beside an arbiter's name, if that is somebody of another name; "" otherwise."""
    arbiter = search.arbiter
    if arbiter is not None and search.by != "name":
        if not is_another_name(text.name, arbiter.name):
            return ""
        if is_pseudonym(arbiter.name):  # which would tell who he is on the lists
            return f"{arbiter.number or 'somebody whose data was erased'} on the register of arbiters"
        return f"{arbiter.name} on the register of arbiters"
    player = bearers.other_than(text.name, text.id, besides=arbiter.player_id if arbiter else None)
    return f"{known_as(player)} on the register" if player else ""


def _ended(row: PastAppointment) -> str:
    return f"until {formatting.day(timezone.localdate(row.until))}: {row.reason}"


def _value(
    arbiter: Arbiter, paid: tuple[tuple[int, date], ...], matches: Iterable[Match], *, elsewhere: bool
) -> KnownArbiter:
    plays, namesake = _as_player(
        arbiter.name, matches, by_id=partial(_plays, arbiter), told_apart=partial(_told_apart, arbiter)
    )
    return KnownArbiter(
        key=arbiter.pk,
        name=arbiter.name,
        title=arbiter.title,
        number=arbiter.number,
        fide_id=str(arbiter.fide_id or ""),
        federation=arbiter.federation,
        paid=paid,
        plays=plays or ("in another section" if elsewhere else ""),
        namesake=namesake,
    )


def _unknown(text: ArbiterText, id_of: str, matches: Iterable[Match]) -> NamedArbiter:
    """Return an arbiter of the file who is not on the register of arbiters, and as which player of the file he might play."""
    own = text.id.lstrip("0")
    number, fide_id = (own, "") if is_chess_sa_id(own) else ("", own)
    plays, namesake = _as_player(
        text.name,
        matches,
        by_id=lambda match: bool(own) and own in _ids(match),
        told_apart=lambda match: _differ((number, fide_id), _ids_by_kind(match)),
    )
    return NamedArbiter(text.name, text.title, text.id, None, id_of, plays, namesake)


def _as_player(
    name: str, matches: Iterable[Match], *, by_id: Callable[[Match], bool], told_apart: Callable[[Match], bool]
) -> tuple[str, str]:
    """Return as which players of the file an arbiter plays, and bears a name, in words: "" for none."""
    plays = namesake = ""
    for match in matches:
        start_number = f"start number {match.entrant.number}"
        if by_id(match):
            plays = start_number
        elif _has_name(name, match) and not told_apart(match):
            namesake = start_number
    return plays, namesake


def _ids(match: Match) -> set[str]:
    """Return the ids on a line and of its player, without zeros at the front."""
    ids = {match.entrant.national_id, match.entrant.fide_id}
    if match.player is not None:
        ids |= {match.player.number, str(match.player.fide_id or "")}
    return {number.lstrip("0") for number in ids} - {""}


def _plays(arbiter: Arbiter, match: Match) -> bool:
    """Return whether the arbiter is the player of a line, by the register or by an id on the line."""
    player = match.player
    if player is not None and is_player(arbiter, player.pk, player.number, player.fide_id):
        return True
    return is_player(arbiter, None, *ids_on_line(match.entrant))


def _has_name(name: str, match: Match) -> bool:
    names = [match.entrant.name, *([match.player.name] if match.player else [])]
    return sorted_words(name) in map(sorted_words, names)


def _told_apart(arbiter: Arbiter, match: Match) -> bool:
    """Return whether an id that both have, or the player to whom the AOC's register ties the arbiter, is another's."""
    player = match.player
    own = (arbiter.player_id, arbiter.number, str(arbiter.fide_id or ""))
    return _differ(own, (player and player.pk, *_ids_by_kind(match)))


def _ids_by_kind(match: Match) -> tuple[str, str]:
    """Return the Chess SA id and the FIDE id of a line's player, else of the line; "" for none."""
    if match.player is not None:
        return match.player.number, str(match.player.fide_id or "")
    number, fide_id = ids_on_line(match.entrant)[0], match.entrant.fide_id.lstrip("0")
    return number, "" if number == match.entrant.fide_id else fide_id


def _differ(own: Iterable[object], other: Iterable[object]) -> bool:
    """Return whether two people both have an id of a kind, and not the same."""
    return any(one and another and one != another for one, another in zip(own, other, strict=True))
