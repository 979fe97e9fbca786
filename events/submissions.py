"""A tournament file on its way into the database: read, checked, matched, then written whole or not at all."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal

from django.db import IntegrityError, transaction

from accounts.models import User
from events.findings import Finding, Severity
from events.formats.reader import read
from events.formats.tournament import Entrant, Pairing, TimeControl, Tournament
from events.matching import COMMAND, Match, Ways, chess_sa_id, match_entrants, match_findings
from events.models import (
    Entry,
    Event,
    Format,
    Game,
    Penalty,
    Round,
    Section,
    Submission,
    SubmissionFinding,
    SubmittedFile,
)
from events.operations import EventDetails, EventError, SectionDetails, add_section, move_event, register_event
from events.results import FORFEITS, POINTS, Result
from events.rules import SectionFacts, check_section
from events.scope import refuse_stranger
from events.states import State
from players.identity import fold
from players.models import Player, Region
from players.operations import NewPlayer, register_players
from ratings.systems import chessa

_FINAL = (State.PUBLISHED, State.REFUSED)


@dataclass(frozen=True, slots=True)
class SectionFile:
    """A file as it came, with what the uploader says beside it. Dates left out are taken from the file."""

    content: bytes
    filename: str
    base: int
    increment: int
    event: EventDetails | None = None
    starts: date | None = None
    ends: date | None = None
    format: str = "swiss"
    chosen: Mapping[int, str] = field(default_factory=dict)
    create_players: bool = False
    section: Section | None = None  # the returned one that this file corrects
    ways: Ways = COMMAND


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file that was read and checked, with nothing written yet."""

    file: SectionFile
    tournament: Tournament
    matches: tuple[Match, ...]
    starts: date | None
    ends: date | None
    fingerprint: str
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> list[Finding]:
        """The findings that block."""
        return [finding for finding in self.findings if finding.severity is Severity.ERROR]


def prepare(file: SectionFile, *, today: date) -> Prepared:
    """Read a file, check it against the regulations, match its players. Nothing is written."""
    tournament = read(file.content, file.filename)
    starts, ends = _dates(file, tournament)
    findings = list(tournament.findings)
    matches: list[Match] = []
    fingerprint = results_fingerprint(tournament)
    findings += _already_submitted(file, fingerprint)
    findings += _not_returned(file.section)
    if not tournament.errors:
        if not tournament.played_games:
            message = "The file has no game that was played: there is nothing to rate."
            findings.append(Finding(Severity.ERROR, "no-games", message))
        if starts is None or ends is None:
            message = f"The file gives no dates. Say when the section was played ({file.ways.days})."
            findings.append(Finding(Severity.ERROR, "dates-missing", message, article="13.2"))
        else:
            findings += _other_dates(file, tournament)
            facts = SectionFacts(
                tournament=tournament,
                time_control=TimeControl(file.base, file.increment),
                format=file.format,
                starts=starts,
                ends=ends,
                organiser=file.event.organiser_name if file.event else "",
                chief_arbiter=tournament.chief_arbiter,
                fide_rated=file.event.fide_rated if file.event else False,
            )
            findings += check_section(facts, today=today)
        matches = match_entrants(tournament, file.chosen)
        findings += match_findings(matches, create=file.create_players, ways=file.ways)
    return Prepared(file, tournament, tuple(matches), starts, ends, fingerprint, tuple(findings))


def submit_new_event(prepared: Prepared, details: EventDetails, *, at: datetime, by: User | None = None) -> Event:
    """Register an event of one section and submit the section's file. EventError when a finding blocks it."""
    _refuse_errors(prepared)
    refuse_stranger(by, details.region)
    name = details.name or prepared.tournament.name or prepared.file.filename
    named = replace(details, name=name[:120], place=details.place or prepared.tournament.city[:80])
    with transaction.atomic():
        event = register_event(named, at=at, by=by)
        section = add_section(
            event,
            SectionDetails(
                base=prepared.file.base,
                increment=prepared.file.increment,
                format=Format(prepared.file.format),
                starts=named.starts,
                ends=named.ends,
                planned_rounds=prepared.tournament.planned_rounds,
            ),
        )
        submit_section(section, prepared, at=at, by=by)
        move_event(event, State.SUBMITTED, at=at, by=by)
    return event


def resubmit(prepared: Prepared, *, at: datetime, by: User | None = None) -> Event:
    """Replace the results of a section that was returned by those of a corrected file. EventError when one blocks it."""
    _refuse_errors(prepared)
    section = prepared.file.section
    if section is None:
        raise EventError(f"{prepared.file.filename}: say which returned section it corrects")
    refuse_stranger(by, section.event.region)
    with transaction.atomic():
        _lock_returned(section)
        for rows in (section.games, section.guests, section.entries, section.rounds, section.penalties):
            rows.all().delete()
        section.base_minutes, section.increment_seconds = prepared.file.base, prepared.file.increment
        section.format = Format(prepared.file.format)
        section.starts, section.ends = prepared.starts or section.starts, prepared.ends or section.ends
        section.planned_rounds = prepared.tournament.planned_rounds or section.planned_rounds
        section.save()
        submit_section(section, prepared, at=at, by=by)
        event = section.event
        event.starts, event.ends = min(event.starts, section.starts), max(event.ends, section.ends)
        event.save(update_fields=["starts", "ends"])
        move_event(event, State.SUBMITTED, at=at, by=by)
    return event


def _lock_returned(section: Section) -> None:
    """Lock the event of a section that is replaced, and take over what it says by then."""
    events = Event.objects.select_for_update(of=("self",)).select_related("region")
    event = section.event = events.get(pk=section.event_id)
    if event.state != State.RETURNED:
        raise EventError(
            f"{event} is {event.state} by now: somebody else has just sent it in, and nothing of yours was saved"
        )
    section.refresh_from_db(fields=["period", "results_hash"])


def submit_section(section: Section, prepared: Prepared, *, at: datetime, by: User | None = None) -> Submission:
    """Write a section's file, findings, players, rounds and games. EventError when a finding blocks it."""
    _refuse_errors(prepared)
    file, tournament = prepared.file, prepared.tournament
    try:
        with transaction.atomic():
            section.results_hash = prepared.fingerprint
            section.save(update_fields=["results_hash"])
            submission = Submission.objects.create(
                section=section,
                file=SubmittedFile.objects.get_or_create(
                    sha256=hashlib.sha256(file.content).hexdigest(),
                    defaults={"name": file.filename[:255], "content": file.content},
                )[0],
                at=at,
                by=by,
                format=tournament.format[:20],
                encoding=tournament.encoding[:20],
            )
            SubmissionFinding.objects.bulk_create(
                SubmissionFinding(
                    submission=submission,
                    **{name: getattr(finding, name) for name in finding.__dataclass_fields__},
                )
                for finding in prepared.findings
            )
            players = _players(section, prepared.matches, at=at)
            record_results(section, tournament, players, {m.entrant.number: m.reason for m in prepared.matches})
    except IntegrityError as error:
        # What the database calls it is nobody's business; the check says which, when the file comes again.
        raise EventError(
            f"{file.filename}: somebody has just submitted the same file, the same results or one of its new players."
            " Nothing was saved: send it again, and the check says which"
        ) from error
    return submission


def record_results(
    section: Section, tournament: Tournament, players: Mapping[int, Player], reasons: Mapping[int, str]
) -> None:
    """Write a section's rounds, entries, games and proposed penalties. `players` and `reasons` go by start number."""
    dates = dict(enumerate(tournament.round_dates, start=1))
    Round.objects.bulk_create(
        Round(section=section, number=number, date=dates.get(number)) for number in range(1, tournament.rounds + 1)
    )
    points = _points(tournament)
    ranks = _ranks(tournament, points)
    Entry.objects.bulk_create(
        Entry(
            section=section,
            player=players[entrant.number],
            number=entrant.number,
            name_in_file=entrant.name[:120],
            rating_in_file=entrant.rating,
            points=Decimal(str(points[entrant.number])),
            rank=ranks[entrant.number],
            match_reason=reasons.get(entrant.number, "")[:200],
        )
        for entrant in tournament.entrants
    )
    Game.objects.bulk_create(
        Game(
            section=section,
            round=pairing.round,
            white=players[pairing.white],
            black=None if pairing.black is None else players[pairing.black],
            result=pairing.result.value,
            colour_known=pairing.colour_known,
        )
        for pairing in tournament.pairings
        if pairing.result is not None
    )
    Penalty.objects.bulk_create(_proposed_penalties(section, tournament, players))


def results_fingerprint(tournament: Tournament) -> str:
    """A hash of who met whom in which round with which result, by name; empty for a file without games."""
    names = {entrant.number: fold(entrant.name) for entrant in tournament.entrants}
    games = sorted(
        f"{pairing.round}|{names.get(pairing.white)}|{names.get(pairing.black)}|{pairing.result}"
        for pairing in tournament.pairings
        if pairing.black is not None and pairing.result is not None
    )
    return hashlib.sha256("\n".join(games).encode()).hexdigest() if games else ""


def _refuse_errors(prepared: Prepared) -> None:
    if prepared.errors:
        count = len(prepared.errors)
        raise EventError(
            f"{prepared.file.filename}: {count} error{'s' if count > 1 else ''} to mend, nothing was saved; first:"
            f" {prepared.errors[0].said}"
        )


def _not_returned(section: Section | None) -> list[Finding]:
    if section is None or section.event.state == State.RETURNED:
        return []
    if section.event.state in _FINAL:
        message = f"{section} is {section.event.state} and stays as it is: only a returned section is submitted again."
    else:
        message = (
            f"{section} is {section.event.state}: only a returned section is submitted again. Have it returned first."
        )
    return [Finding(Severity.ERROR, "not-returned", message)]


def _other_dates(file: SectionFile, tournament: Tournament) -> list[Finding]:
    said = [
        f"{word} {given} instead of {read}"
        for word, given, read in (("start", file.starts, tournament.starts), ("end", file.ends, tournament.ends))
        if given and read and given != read
    ]
    message = f"The uploader's dates are taken, not the file's: {', '.join(said)}."
    return [Finding(Severity.NOTE, "dates-given", message, article="13.2")] if said else []


def _already_submitted(file: SectionFile, fingerprint: str) -> list[Finding]:
    others = Submission.objects.select_related("section__event")
    sections = Section.objects.select_related("event")
    if file.section:  # its own file and results do not stand in the way of their correction
        others, sections = others.exclude(section=file.section), sections.exclude(pk=file.section.pk)
    same_file = others.filter(file__sha256=hashlib.sha256(file.content).hexdigest()).first()
    if same_file:
        mend = _how_to_correct(same_file.section, file.ways)
        message = f"This very file was submitted before, for {same_file.section}. {mend}"
        return [Finding(Severity.ERROR, "file-submitted-before", message)]
    same_results = sections.filter(results_hash=fingerprint).first() if fingerprint else None
    if same_results:
        mend = _how_to_correct(same_results, file.ways)
        message = f"The same results were submitted before, for {same_results}. {mend}"
        return [Finding(Severity.ERROR, "results-submitted-before", message)]
    return []


def _how_to_correct(section: Section, ways: Ways) -> str:
    if section.event.state == State.RETURNED:
        return f"It was returned: submit the file for section {section.pk} ({ways.section.format(section.pk)})."
    if section.event.state in _FINAL:
        return f"A section is rated once, and this one is {section.event.state} and stays as it is."
    return f"A section is rated once; to correct it, have it returned, then submit it for section {section.pk}."


def _dates(file: SectionFile, tournament: Tournament) -> tuple[date | None, date | None]:
    played = [day for day in tournament.round_dates if day]
    ends = file.ends or tournament.ends or max(played, default=None) or file.starts
    starts = file.starts or tournament.starts or min(played, default=None) or ends
    if file.ends and not file.starts and starts and starts > file.ends:
        starts = file.ends
    return starts, ends


def _players(section: Section, matches: tuple[Match, ...], *, at: datetime) -> dict[int, Player]:
    new = [match.entrant for match in matches if match.player is None]
    regions = Region.objects.in_bulk({entrant.region for entrant in new}, field_name="code")
    created = register_players([_new_player(entrant, section, regions) for entrant in new], at=at)
    players = {match.entrant.number: match.player for match in matches if match.player is not None}
    players.update({entrant.number: player for entrant, player in zip(new, created, strict=True)})
    return players


def _new_player(entrant: Entrant, section: Section, regions: Mapping[str, Region]) -> NewPlayer:
    """Whose line gives no code of a region belongs to the host's (article 14.5)."""
    return NewPlayer(
        last_name=entrant.last_name[:80],
        first_name=entrant.first_name[:80],
        national_id=chess_sa_id(entrant),
        fide_id=int(entrant.fide_id) if entrant.fide_id.isdecimal() else None,
        birth_date=entrant.birth_date,
        birth_year=entrant.birth_year,
        sex=entrant.sex,
        title=entrant.title,
        region=regions.get(entrant.region, section.event.region),
        federation=entrant.federation,
    )


def _points(tournament: Tournament) -> dict[int, float]:
    counted = {entrant.number: 0.0 for entrant in tournament.entrants}
    for pairing in tournament.pairings:
        if pairing.result is not None:
            white, black = POINTS[pairing.result]
            counted[pairing.white] += white
            if pairing.black is not None:
                counted[pairing.black] += black
    return {
        entrant.number: counted[entrant.number] if entrant.points is None else entrant.points
        for entrant in tournament.entrants
    }


def _ranks(tournament: Tournament, points: Mapping[int, float]) -> dict[int, int]:
    """The file's ranks; where it lacks some, the order by points, then by start number."""
    if all(entrant.rank for entrant in tournament.entrants):
        return {entrant.number: entrant.rank or 0 for entrant in tournament.entrants}
    order = sorted(points, key=lambda number: (-points[number], number))
    return {number: rank for rank, number in enumerate(order, start=1)}


def _proposed_penalties(section: Section, tournament: Tournament, players: Mapping[int, Player]) -> list[Penalty]:
    """Forfeits after round 1: without notice they cost points (article 51). The arbiter or an officer confirms them."""
    edition = chessa.edition_for(section.ends)
    return [
        Penalty(
            section=section,
            player=players[number],
            round=pairing.round,
            kind=Penalty.Kind.FORFEIT,
            points=edition["penalty_points"],
        )
        for pairing in tournament.pairings
        if pairing.result in FORFEITS and pairing.round > 1
        for number in _forfeiters(pairing)
    ]


def _forfeiters(pairing: Pairing) -> list[int]:
    white_absent = pairing.result in (Result.FORFEIT_BLACK_WINS, Result.FORFEIT_BOTH_LOSE)
    black_absent = pairing.result in (Result.FORFEIT_WHITE_WINS, Result.FORFEIT_BOTH_LOSE)
    absent = [pairing.white if white_absent else None, pairing.black if black_absent else None]
    return [number for number in absent if number is not None]
