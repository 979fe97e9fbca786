"""Reads a tournament file, checks it against regulations and registration, and matches its players. Writes nothing."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from config.lib import formatting
from events.appeals.size_requests import permissions_for
from events.archive import read_tournament
from events.files.reader import texts_left_out
from events.models import Event, EventMove, Kind, Section, Submission
from events.rules.arbiters import ArbiterFacts, check_arbiters
from events.rules.constants import HOME
from events.rules.corrections import FILE, MIXED, REGISTRATION, Corrections
from events.rules.deadlines import JOHANNESBURG
from events.rules.findings import Finding, Severity
from events.rules.penalties import Proposal, proposals
from events.rules.player_details import RegisterDetails
from events.rules.registered import check_against_registration
from events.rules.registration import SectionData
from events.rules.section_file import SectionFacts, check_section
from events.rules.states import State
from events.rules.time_controls import type_of_game
from events.rules.tournament import TimeControl, Tournament
from events.submission import matching
from events.submission.arbiter_facts import arbiter_facts
from events.submission.code_pages import unsure_lines
from events.submission.duplicates import repeats
from events.submission.fide_list import listed_entrants
from events.submission.hints import COMMAND_HINTS, MessageHints
from events.submission.match_findings import match_findings
from players.id_bearers import IdBearers, known_as
from players.identity import fold
from players.models import Region

_FINAL = (State.PUBLISHED, State.REFUSED)


@dataclass(frozen=True, slots=True)
class SectionFile:
    """A file as uploaded, with the uploader's data and answers. Days that are not given are taken from the file.

    `section`: the section that the file is for, without results yet or returned; `planned`: its registration, if the file is
    checked against that; `newcomers`: keys of players whom other sections of the event have just registered;
    `control_reason`: why `base` and `increment` count where the file says otherwise.
    """

    content: bytes
    filename: str
    base: int
    increment: int
    event: Event | None = None
    starts: date | None = None
    ends: date | None = None
    format: str = "swiss"
    chosen: Mapping[int, str] = field(default_factory=dict)
    create_players: bool = False
    section: Section | None = None
    open_in: tuple[State, ...] = (State.RETURNED,)
    planned: SectionData | None = None
    control_reason: str = ""
    chief_arbiter: str = ""
    corrections: Corrections = field(default_factory=Corrections)
    newcomers: frozenset[int] = frozenset()
    hints: MessageHints = COMMAND_HINTS


@dataclass(frozen=True, slots=True)
class ValidatedFile:
    """A checked file. `control`, `starts` and `ends` are those that apply after the answers.

    `read`: the content of the file; `tournament`: the content with the answers applied; `planned_rounds`: the file's, else the
    registration's; `penalties`: proposed by the results (articles 51, 52), none if the file cannot be read.
    """

    file: SectionFile
    read: Tournament
    tournament: Tournament
    matches: tuple[matching.Match, ...]
    control: TimeControl
    starts: date | None
    ends: date | None
    fingerprint: str
    planned_rounds: int | None
    penalties: tuple[Proposal, ...]
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> list[Finding]:
        """The errors, which block the file."""
        return self.of(Severity.ERROR)

    @property
    def holds(self) -> list[Finding]:
        """The findings that an officer decides."""
        return self.of(Severity.HOLD)

    def of(self, severity: Severity) -> list[Finding]:
        """Return the findings of a severity."""
        return [finding for finding in self.findings if finding.severity is severity]


Tell = Callable[[str, int], None]  # reports the step that begins, and the progress in per cent


def validate_file(file: SectionFile, *, today: date) -> ValidatedFile:
    """Read a file and check it, as `validate_tournament` does."""
    return validate_tournament(file, read_tournament(file.content, file.filename, file.corrections), today=today)


def validate_tournament(
    file: SectionFile, as_read: Tournament, *, today: date, tell: Tell = lambda stage, percent: None
) -> ValidatedFile:
    """Check the content of a file against regulations and registration, and match its players. Nothing is written.

    Raises ValueError if a choice names a start number that is not in the file, or a player who is not on the register.
    """
    tournament = file.corrections.applied(as_read)
    event = file.section.event if file.section else file.event
    starts, ends = _dates(file, tournament)
    control = _control(file, tournament)
    findings = list(tournament.findings)
    matches: list[matching.Match] = []
    penalties: list[Proposal] = []
    planned_rounds = tournament.planned_rounds or (file.section.planned_rounds if file.section else None)
    fingerprint = results_fingerprint(tournament)
    findings += repeats(file.section, file.content, fingerprint, open_in=file.open_in, hints=file.hints)
    findings += _not_open(file)
    if not tournament.errors:
        if not tournament.played_games:
            message = "The file has no game that was played: there is nothing to rate."
            findings.append(Finding(Severity.ERROR, "no-games", message))
        tell("Looking for the players on the register", 40)
        chosen, gone = matching.still_registered(file.corrections.players)
        findings += [_gone(tournament, number, player) for number, player in gone.items()]
        matches = matching.match_entrants(
            tournament,
            {**file.chosen, **chosen},
            new=file.corrections.new,
            newcomers=file.newcomers,
            as_sent=as_read.entrants,
            unsure=unsure_lines(file.content, as_read, answered=bool(file.corrections.encoding)),
        )
        matches = list(map(matching.called_by_id, matches))
        tournament = replace(tournament, entrants=tuple(match.entrant for match in matches))
        tell("Checking against the regulations", 80)
        if starts is None or ends is None:
            message = f"The file gives no dates. Say when the section was played ({file.hints.days})."
            findings.append(Finding(Severity.ERROR, "dates-missing", message, article="13.2"))
        else:
            findings += _other_dates(file, tournament)
            penalties = proposals(tournament, planned_rounds, format=file.format)
            sent = first_sent(Submission.objects.filter(section=file.section)) if file.section else None
            regions = {key: (code, name) for key, code, name in Region.objects.values_list("pk", "code", "name")}
            facts = SectionFacts(
                tournament=tournament,
                time_control=control,
                format=file.format,
                starts=starts,
                ends=ends,
                organiser=event.organiser_name if event else "",
                chief_arbiter=tournament.chief_arbiter or file.chief_arbiter,
                organiser_number=event.organiser_number if event else "",
                organiser_id_of=organiser_id_of(event) if event else "",
                fide_rated=event.fide_rated if event else False,
                known=_known(matches, {key: code for key, (code, _) in regions.items()}),
                region_codes=dict(regions.values()),
                regions_confirmed=file.corrections.regions,
                host_region=event.region.code if event else "",
                control_answered=bool(file.corrections.control or file.control_reason),
                control_reason=file.control_reason,
                control_mixed=file.corrections.control == MIXED,
                permissions=permissions_for(file.section),
                disabled=file.section.disabled if file.section else False,
                sent=sent,
                federation=event.federation if event else HOME,
                abroad=event is not None and event.kind == Kind.ABROAD,
            )
            findings += check_section(facts, today=today)
            if facts.fide_rated:
                kind = type_of_game(control.base, control.increment, ends)
                findings += listed_entrants(tournament.entrants, starts, kind)
            if file.planned is not None:
                findings += check_against_registration(
                    tournament, file.planned, dates=file.corrections.dates, ends=ends, today=sent or today
                )
        if starts is not None:
            findings += check_arbiters(_arbiters(file, tournament, matches, starts))
        findings += match_findings(
            matches, create=file.create_players, new=file.corrections.new, hints=file.hints, ends=ends
        )
        # Of a new player's name it is an error: only the file can say how he is called.
        findings += texts_left_out(tournament, [match.entrant.name for match in matches if match.player is not None])
    return ValidatedFile(
        file=file,
        read=as_read,
        tournament=tournament,
        matches=tuple(matches),
        control=control,
        starts=starts,
        ends=ends,
        fingerprint=fingerprint,
        planned_rounds=planned_rounds,
        penalties=tuple(penalties),
        findings=tuple(findings),
    )


def first_sent(submissions: QuerySet[Submission]) -> date | None:
    """Return the day in South Africa on which the first of these files was sent in, None without any (article 61).

    What the region recalled was not sent in; what was returned before counts from the day on which it first came.
    """
    # By the order of the event's moves, for the clock may have been ahead at one of them.
    moves = EventMove.objects.filter(event=OuterRef("section__event"))
    sent = moves.filter(target=State.SUBMITTED.value, at=OuterRef("at")).order_by("-pk").values("pk")[:1]
    recalls = moves.filter(recalled=True, target=State.REGISTERED.value, pk__gt=OuterRef("move"))
    standing = submissions.annotate(move=Subquery(sent)).exclude(Exists(recalls))
    first = standing.order_by("pk").values_list("at", flat=True).first()
    return first.astimezone(JOHANNESBURG).date() if first else None


def organiser_id_of(event: Event) -> str:
    """Return the player of another name who has the Chief Organiser's Chess SA id, in words, or ""."""
    number = event.organiser_number
    other = IdBearers([number]).other_than(event.organiser_name, number)
    return known_as(other) if other else ""


def _gone(tournament: Tournament, number: int, player: str) -> Finding:
    entrant = tournament.by_number[number]
    message = (
        f"{entrant.called} (start number {number}) was said to be {player}, who is on the register no more. Take that answer"
        " back, and say again who it is."
    )
    return Finding(Severity.ERROR, "player-gone", message, line=entrant.line, article="14.4")


def results_fingerprint(tournament: Tournament) -> str:
    """Return a hash of the games by round, names (or ids) and result; "" for a file without games."""
    names = {entrant.number: fold(entrant.called) for entrant in tournament.entrants}
    games = sorted(
        f"{pairing.round}|{names.get(pairing.white)}|{names.get(pairing.black)}|{pairing.result}"
        for pairing in tournament.pairings
        if pairing.black is not None and pairing.result is not None
    )
    return hashlib.sha256("\n".join(games).encode()).hexdigest() if games else ""


def _arbiters(file: SectionFile, tournament: Tournament, matches: list[matching.Match], starts: date) -> ArbiterFacts:
    event, section = file.event, file.section
    return arbiter_facts(
        section.event if section else None,
        section,
        tournament,
        matches,
        starts=starts,
        kind=event.kind if event else Kind.OVER_THE_BOARD,
        fide_rated=event.fide_rated if event else False,
        added=file.corrections.arbiters,
    )


def _known(matches: list[matching.Match], regions: Mapping[int, str]) -> dict[int, RegisterDetails]:
    return {
        match.entrant.number: RegisterDetails(
            birth_date=match.player.birth_date is not None,
            sex=bool(match.player.sex),
            fide_id=match.player.fide_id is not None,
            region=regions.get(match.player.region_id or 0, ""),
        )
        for match in matches
        if match.player is not None
    }


def _control(file: SectionFile, tournament: Tournament) -> TimeControl:
    answer, stated = file.corrections.control, tournament.stated_controls
    if answer == FILE and stated:
        return tournament.time_control or stated[0]
    chosen = next((control for control in stated if str(control) == answer), None)
    return chosen or TimeControl(file.base, file.increment)


def _dates(file: SectionFile, tournament: Tournament) -> tuple[date | None, date | None]:
    planned = file.planned or SectionData()
    if file.corrections.dates == REGISTRATION:
        return planned.starts, planned.ends
    played = [day for day in tournament.round_dates if day]
    ends = file.ends or tournament.ends or max(played, default=None) or file.starts or planned.ends
    starts = file.starts or tournament.starts or min(played, default=None) or planned.starts or ends
    if file.ends and not file.starts and starts and starts > file.ends:
        starts = file.ends
    return starts, ends


def _not_open(file: SectionFile) -> list[Finding]:
    section = file.section
    if section is not None and section.refusals.filter(lifted_at=None).exists():
        message = f"{section} is refused and stays as it is, unless an appeal is upheld (article 11)."
        return [Finding(Severity.ERROR, "not-returned", message, article="11")]
    if section is None or section.event.state in file.open_in:
        return []
    if section.event.state in _FINAL:
        message = f"{section} is {section.event.state} and stays as it is: only a returned section is submitted again."
    else:
        message = (
            f"{section} is {section.event.state}: only a returned section is submitted again. Have it returned first."
        )
    return [Finding(Severity.ERROR, "not-returned", message)]


def _other_dates(file: SectionFile, tournament: Tournament) -> list[Finding]:
    starts, ends = file.starts, file.ends
    if file.corrections.dates == REGISTRATION and file.planned is not None:
        starts, ends = file.planned.starts, file.planned.ends
    differing = [
        f"{word} {formatting.day(entered)} instead of {formatting.day(in_file)}"
        for word, entered, in_file in (("start", starts, tournament.starts), ("end", ends, tournament.ends))
        if entered and in_file and entered != in_file
    ]
    message = f"The uploader’s dates are taken, not the file’s: {', '.join(differing)}."
    return [Finding(Severity.NOTE, "dates-given", message, article="13.2")] if differing else []
