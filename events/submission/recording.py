"""Writes a checked tournament file with its results, in one transaction."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction

from accounts.models import User
from config.lib.texts import plain_name, shortened
from events.access import require_write_access
from events.archive import store_file, store_findings
from events.models import Entry, Event, Game, Round, Section, Submission, Team
from events.models.section import LONGEST_TIE_BREAKS, ROUND_ROBINS
from events.operations import EventError, add_section, move_event, register_event, require_unmerged
from events.penalties.operations import decided_penalties, keep_decisions, record_proposals
from events.registration.operations import require_late_reason
from events.rules.federations import FEDERATIONS
from events.rules.findings import Finding
from events.rules.game_result import POINTS
from events.rules.penalties import Proposal
from events.rules.player_details import region_of, region_to_assign
from events.rules.sizes import LONGEST_NAME, LONGEST_PLACE
from events.rules.states import State
from events.rules.tiebreaks import ROUND_ROBIN_ORDER, SWISS_ORDER, places, rounds_of, tie_breaks
from events.rules.tournament import Entrant, Tournament
from events.submission.matching import Match
from events.submission.persons import chess_sa_id, ids_on_line
from events.submission.validation import ValidatedFile
from players.models import Player, Region
from players.operations import NewPlayer, lock_numbers, register_players, save_player


def submit_new_event(
    validated: ValidatedFile, event: Event, *, at: datetime, by: User | None = None, late_reason: str = ""
) -> Event:
    """Register a new event of one section and submit the section's file. Raises EventError if it has errors.

    Raises LateError if it is registered after the last day without a `late_reason` (articles 12.2, 60).
    """
    _refuse_errors(validated)
    require_write_access(by, event.region)
    late_reason = require_late_reason(event, late_reason, at=at)
    event.name = plain_name(event.name or validated.tournament.name or validated.file.filename)[:LONGEST_NAME]
    event.organiser_name = plain_name(event.organiser_name)
    event.place = plain_name(event.place or validated.tournament.city)[:LONGEST_PLACE]
    section = Section(
        base_minutes=validated.control.base,
        increment_seconds=validated.control.increment,
        format=validated.file.format,
        starts=event.starts,
        ends=event.ends,
        planned_rounds=validated.tournament.planned_rounds,
    )
    with transaction.atomic():
        add_section(register_event(event, at=at, by=by, reason=late_reason), section)
        submit_section(section, validated, at=at, by=by)
        move_event(event, State.SUBMITTED, at=at, by=by)
    return event


def resubmit(validated: ValidatedFile, *, at: datetime, by: User | None = None) -> Event:
    """Replace the results of a returned section by those of a corrected file. Raises EventError if it has errors."""
    _refuse_errors(validated)
    section = validated.file.section
    if section is None:
        raise EventError(f"{validated.file.filename}: say which returned section it corrects")
    require_write_access(by, section.event.region)
    with transaction.atomic():
        _lock_returned(section)
        write_section(section, validated, at=at, by=by)
        move_event(section.event, State.SUBMITTED, at=at, by=by)
    return section.event


def _lock_returned(section: Section) -> None:
    """Lock the event of a returned section and read it again. Raises EventError if it is no longer returned."""
    events = Event.objects.select_for_update(of=("self",)).select_related("region")
    event = section.event = events.get(pk=section.event_id)
    if event.state != State.RETURNED:
        raise EventError(
            f"{event} is {event.state} by now: somebody else has just sent it in, and nothing of yours was saved"
        )
    section.refresh_from_db(fields=["period", "results_hash", "starts", "ends"])


def write_section(
    section: Section, validated: ValidatedFile, *, at: datetime, by: User | None = None, notes: Iterable[Finding] = ()
) -> Submission:
    """Replace a section's results, days and time control by those of a file, and widen the event's days if need be.

    Decisions on penalties are kept, see `keep_decisions`. `notes`: stored with the findings.
    """
    decided = decided_penalties(section.penalties.all())
    for rows in (section.games, section.guests, section.entries, section.rounds, section.penalties, section.teams):
        rows.all().delete()
    section.base_minutes, section.increment_seconds = validated.control.base, validated.control.increment
    section.format = validated.file.format
    section.starts, section.ends = validated.starts or section.starts, validated.ends or section.ends
    section.planned_rounds = validated.planned_rounds
    # What else there is of it may have been changed since the file was checked.
    section.save(update_fields=["base_minutes", "increment_seconds", "format", "starts", "ends", "planned_rounds"])
    submission = submit_section(section, validated, at=at, by=by, notes=notes)
    keep_decisions(section, decided, at=at, by=by)
    event = section.event
    event.starts, event.ends = min(event.starts, section.starts), max(event.ends, section.ends)
    event.save(update_fields=["starts", "ends"])
    return submission


def submit_section(
    section: Section, validated: ValidatedFile, *, at: datetime, by: User | None = None, notes: Iterable[Finding] = ()
) -> Submission:
    """Write a section's file, findings, players, rounds and games. Raises EventError if the file has errors."""
    _refuse_errors(validated)
    file, tournament = validated.file, validated.tournament
    try:
        with transaction.atomic():
            section.results_hash = validated.fingerprint
            section.save(update_fields=["results_hash"])
            submission = Submission.objects.create(
                section=section,
                file=store_file(file.content),
                name=plain_name(file.filename)[:255],
                at=at,
                by=by,
                format=tournament.format[:20],
                encoding=tournament.encoding[:20],
            )
            store_findings(submission, (*validated.findings, *notes))
            _lock_players(validated.matches)
            players = _players(section, validated.matches, at=at)
            for match in validated.matches:
                if match.player is not None and match.player.pk in file.newcomers:
                    _complete(match.player, match.entrant)
            reasons = {match.entrant.number: match.reason for match in validated.matches}
            regions = _regions_to_assign(section, validated.matches)
            record_results(section, tournament, players, reasons, validated.penalties, regions)
    except IntegrityError as error:
        raise EventError(
            f"{file.filename}: somebody has just submitted the same file, the same results or one of its new players."
            " Nothing was saved: send it again, and the check says which"
        ) from error
    return submission


def record_results(
    section: Section,
    tournament: Tournament,
    players: Mapping[int, Player],
    reasons: Mapping[int, str],
    penalties: Iterable[Proposal],
    regions: Mapping[int, Region] | None = None,
) -> None:
    """Write a section's rounds, entries, games and proposed penalties.

    `players`, `reasons` why a line matches its player, and `regions` that players get who have none: by start number.
    """
    dates = dict(enumerate(tournament.round_dates, start=1))
    Round.objects.bulk_create(
        Round(section=section, number=number, date=dates.get(number)) for number in range(1, tournament.rounds + 1)
    )
    section.tie_breaks = plain_name(",".join(tournament.tie_breaks))[:LONGEST_TIE_BREAKS]
    section.save(update_fields=["tie_breaks"])
    points = _points(tournament)
    ranks = _ranks(section, tournament, points)
    teams = _teams(section, tournament)
    Entry.objects.bulk_create(
        Entry(
            section=section,
            player=players[entrant.number],
            number=entrant.number,
            **_as_written(entrant, players[entrant.number]),
            rating_in_file=entrant.rating,
            points=Decimal(str(points[entrant.number])),
            rank=ranks[entrant.number],
            **teams.get(entrant.number, {}),
            match_reason=shortened(reasons.get(entrant.number, ""), 200),
            region=(regions or {}).get(entrant.number),
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
    record_proposals(section, penalties, players)


def _refuse_errors(validated: ValidatedFile) -> None:
    if validated.errors:
        count = len(validated.errors)
        raise EventError(
            f"{validated.file.filename}: {count} error{'s' if count > 1 else ''} to correct, nothing was saved; first:"
            f" {validated.errors[0].as_line}"
        )


def _players(section: Section, matches: tuple[Match, ...], *, at: datetime) -> dict[int, Player]:
    new = [match.entrant for match in matches if match.player is None]
    regions = Region.objects.in_bulk({region_of(entrant) for entrant in new}, field_name="code")
    created = register_players([_new_player(entrant, section, regions) for entrant in new], at=at)
    players = {match.entrant.number: match.player for match in matches if match.player is not None}
    players.update({entrant.number: player for entrant, player in zip(new, created, strict=True)})
    return players


def _lock_players(matches: Iterable[Match]) -> None:
    """Lock the players of a file who are on the register, in one order: none is merged while it is written. A list of players
    that is taken locks its own in another order, after the numbers.

    Raises EventError if one was merged since the file was checked.
    """
    lock_numbers()
    keys = [match.player.pk for match in matches if match.player is not None]
    players = Player.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=keys).order_by("pk")
    for player in players:
        require_unmerged(player)


def _regions_to_assign(section: Section, matches: Iterable[Match]) -> dict[int, Region]:
    """Return for players on the register without a region that of the file, or else the host region (article 14.5), by start
    number. Hazard: it is theirs once the event is accepted: before an officer has seen it, a file would give whoever sends it
    what a region sees of its players."""
    without = [match.entrant for match in matches if match.player and match.player.region_id is None]
    if not without:
        return {}
    regions, host = {region.code: region for region in Region.objects.all()}, section.event.region.code
    return {entrant.number: regions[region_to_assign(entrant, regions, host)] for entrant in without}


def _complete(player: Player, entrant: Entrant) -> None:
    """Add details of this section to a player whom another section of the event has just registered."""
    details = {
        "birth_date": entrant.birth_date,
        "birth_year": entrant.birth_year,
        "sex": entrant.sex,
        "fide_id": int(entrant.fide_id) if entrant.fide_id.isdecimal() else None,
    }
    lacking = {name: value for name, value in details.items() if value and not getattr(player, name)}
    for name, value in lacking.items():
        setattr(player, name, value)
    if lacking:
        save_player(player)


def _new_player(entrant: Entrant, section: Section, regions: Mapping[str, Region]) -> NewPlayer:
    # without a region in the file, the player belongs to the host region (article 14.5)
    return NewPlayer(
        last_name=plain_name(entrant.last_name)[:LONGEST_PLACE],
        first_name=plain_name(entrant.first_name)[:LONGEST_PLACE],
        national_id=chess_sa_id(entrant),
        fide_id=int(entrant.fide_id) if entrant.fide_id.isdecimal() else None,
        birth_date=entrant.birth_date,
        birth_year=entrant.birth_year,
        sex=entrant.sex,
        title=entrant.title,
        region=regions.get(region_of(entrant), section.event.region),
        federation=entrant.federation if entrant.federation in FEDERATIONS else "",
    )


def _teams(section: Section, tournament: Tournament) -> dict[int, dict[str, Any]]:
    """Write the teams; return team and board by start number. Who stands in several teams is of the first."""
    teams = Team.objects.bulk_create(
        Team(section=section, number=number, name=plain_name(team.name)[:LONGEST_NAME])
        for number, team in enumerate(tournament.teams, start=1)
    )
    members: dict[int, dict[str, Any]] = {}
    for team, named in zip(teams, tournament.teams, strict=True):
        for board, number in enumerate(named.members, start=1):
            members.setdefault(number, {"team": team, "board": board})
    return members


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


def _ranks(section: Section, tournament: Tournament, points: Mapping[int, float]) -> dict[int, int]:
    """Return the places of the file, or else those by points and tie-breaks, which players can share."""
    if all(entrant.rank for entrant in tournament.entrants):
        return {entrant.number: entrant.rank or 0 for entrant in tournament.entrants}
    round_robin = section.format in ROUND_ROBINS
    pairings = [
        (pairing.round, pairing.white, pairing.black, pairing.result)
        for pairing in tournament.pairings
        if pairing.result is not None
    ]
    rounds = rounds_of(pairings, round_robin=round_robin)
    figures = tie_breaks(points, rounds, tournament.rounds, round_robin=round_robin)
    order = ROUND_ROBIN_ORDER if round_robin else SWISS_ORDER
    keys = [(points[number], *(figures[number][tie_break.code] for tie_break in order)) for number in points]
    return dict(zip(points, places(keys), strict=True))


def _as_written(entrant: Entrant, player: Player) -> dict[str, Any]:
    """Return name and ids as they stand in the file; of a player whose data was erased the pseudonym alone."""
    if player.erased_at is not None:
        return {"name_in_file": player.name, "chess_sa_id_in_file": "", "fide_id_in_file": None}
    chess_sa_id, fide_id = ids_on_line(entrant)
    return {
        "name_in_file": plain_name(entrant.called)[:LONGEST_NAME],
        "chess_sa_id_in_file": chess_sa_id,
        "fide_id_in_file": fide_id,
    }
