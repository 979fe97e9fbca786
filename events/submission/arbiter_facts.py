"""Reading what the rules about arbiters look at (`events.rules.arbiters`): registration, file and register side by side."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date

from django.conf import settings

from events.arbiters.lookup import entered_as_players, is_player, paid_fees
from events.arbiters.register import ArbiterRegister, name_key
from events.files.arbiters import read_arbiter
from events.models import Arbiter, Event, Kind, Section
from events.rules.arbiters import AppointedArbiter, ArbiterFacts, KnownArbiter, NamedArbiter
from events.rules.tournament import Entrant, Tournament
from events.submission.matching import Match, chess_sa_id


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
    """A section's file, with its players as they were matched, beside the event that it belongs to. Five queries at the most.

    `section` is the one whose results the file brings; what it had before does not count. For a file without a registered
    event, `starts`, `kind` and `fide_rated` are what is said beside it. `added` are the keys of arbiters who, he says,
    served beside those appointed.
    """
    appointed = list(event.appointments.select_related("arbiter").order_by("position")) if event else []
    named = [read_arbiter(text) for text in (tournament.chief_arbiter, *tournament.deputy_arbiters) if text.strip()]
    named = [one for one in named if one.name]
    register = ArbiterRegister(Arbiter.objects.all() if named else ())
    sought = [register.find_by_text(one.name, one.id) for one in named]
    found = [None if one.problem else one.arbiter for one in sought]
    more = list(Arbiter.objects.filter(pk__in=added)) if added else []
    arbiters = {one.pk: one for one in (*(one.arbiter for one in appointed), *more, *(one for one in found if one))}
    paid = paid_fees(arbiters.values())
    elsewhere = entered_as_players(event, arbiters.values(), besides=section)
    known = {pk: _value(one, paid.get(pk, ()), matches, elsewhere=pk in elsewhere) for pk, one in arbiters.items()}
    return ArbiterFacts(
        starts=min(starts, event.starts) if event else starts,
        rounds=tournament.rounds,
        appointed=(
            *(AppointedArbiter(known[one.arbiter_id], one.first_round, one.last_round) for one in appointed),
            *(AppointedArbiter(known[one.pk]) for one in more),
        ),
        named=tuple(
            NamedArbiter(text.name, text.title, text.id, known[one.pk] if one else None)
            for text, one in zip(named, found, strict=True)
        ),
        club=(event.kind if event else kind) == Kind.CLUB,
        fide_rated=event.fide_rated if event else fide_rated,
        year_begins=settings.AOC_YEAR_BEGINS,
    )


def _value(
    arbiter: Arbiter, paid: tuple[tuple[int, date], ...], matches: Iterable[Match], *, elsewhere: bool
) -> KnownArbiter:
    plays = namesake = ""
    for match in matches:
        said = f"start number {match.entrant.number}"
        if _plays(arbiter, match):
            plays = said
        elif not _has_ids(arbiter) and name_key(match.entrant.name) == name_key(arbiter.name):
            namesake = said
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


def _plays(arbiter: Arbiter, match: Match) -> bool:
    if match.player is not None:
        return is_player(arbiter, match.player.pk, match.player.number, match.player.fide_id)
    entrant: Entrant = match.entrant
    fide_id = entrant.fide_id.lstrip("0")
    return bool(
        (arbiter.number and chess_sa_id(entrant) == arbiter.number)
        or (arbiter.fide_id and fide_id == str(arbiter.fide_id))
    )


def _has_ids(arbiter: Arbiter) -> bool:
    return bool(arbiter.player_id or arbiter.number or arbiter.fide_id)
