"""Checks of a section's file by the regulations, a function for each article. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from config.lib import formatting
from config.lib.days import FIRST_DAY, LONGEST
from events.rules.constants import HOME
from events.rules.corrections import ARBITER, BIRTH_DATE, GENDER, ROUND_DAY, TIME_CONTROL
from events.rules.deadlines import is_late_to_submit, last_day_to_submit
from events.rules.federations import FEDERATIONS
from events.rules.findings import Finding, Severity, listed, listed_rounds, several
from events.rules.limits import MAX_ROUNDS
from events.rules.player_details import RegisterDetails, incomplete_names, regions
from events.rules.sizes import FORMAT_NAMES, smallest
from events.rules.time_controls import speed_errors
from events.rules.tournament import Entrant, Team, TimeControl, Tournament
from players.identity import is_chess_sa_id


@dataclass(frozen=True, slots=True)
class Permission:
    """The answer of a day to a request for permission for a section with a number of players and rounds (article 18)."""

    granted: bool
    players: int
    rounds: int
    day: date


@dataclass(frozen=True, slots=True)
class SectionFacts:
    """The input of the checks: the file, and the data of the registration.

    `organiser_number`: the Chief Organiser's Chess SA id; `organiser_id_of`: the player of another name who has it, in words.
    `known`: by start number; `region_codes`: of all regions, with their names; `regions_confirmed`: start numbers whose region
    the uploader confirms; `host_region`: the code of the region that hosts the event. `control_answered`: the uploader has
    answered which time control was played, `control_reason` why, if it is not told elsewhere; `control_mixed`: by the answer
    there were several. `disabled`: the section is for disabled players only; `sent`: the day on which its first file was sent
    in, None before. `federation`: the registration's; `abroad`: the event is registered as one abroad.
    """

    tournament: Tournament
    time_control: TimeControl
    format: str
    starts: date
    ends: date
    organiser: str
    chief_arbiter: str
    organiser_number: str = ""
    organiser_id_of: str = ""
    fide_rated: bool = False
    known: Mapping[int, RegisterDetails] = field(default_factory=dict)
    region_codes: Mapping[str, str] = field(default_factory=dict)
    regions_confirmed: frozenset[int] = frozenset()
    host_region: str = ""
    control_answered: bool = False
    control_reason: str = ""
    control_mixed: bool = False
    permissions: tuple[Permission, ...] = ()
    disabled: bool = False
    sent: date | None = None
    federation: str = HOME
    abroad: bool = False


def check_section(facts: SectionFacts, *, today: date) -> list[Finding]:
    """Return all findings, in the order of the articles."""
    return [
        *borders(facts),
        *event_details(facts, today=today),
        *incomplete_names(facts.tournament.entrants, facts.known),
        *player_details(facts),
        *births_to_come(facts, today=today),
        *regions(
            facts.tournament.entrants,
            facts.region_codes,
            facts.known,
            facts.regions_confirmed,
            host=facts.host_region,
        ),
        *arbiter_details(facts),
        *smallest_section(facts),
        *time_control(facts),
        *submission_deadline(facts, today=today),
    ]


def borders(facts: SectionFacts) -> Iterable[Finding]:
    """Yield a hold for an event not registered as one abroad, where the file or the registration names another federation.

    Outside the borders only FIDE-rated events are rated, with adjusted ratings (articles 10, 43). What is no code of a
    federation is reported by the readers of files.
    """
    elsewhere = [
        f"the {where} names {federation}"
        for where, federation in (("file", facts.tournament.federation), ("registration", facts.federation))
        if federation in FEDERATIONS and federation != HOME
    ]
    if elsewhere and not facts.abroad:
        message = (
            f"The event is registered as one in South Africa, and {' and '.join(elsewhere)} as its federation. Correct it. What"
            " was played outside the borders is rated as an event abroad only, if it is FIDE rated."
        )
        yield Finding(Severity.HOLD, "federation-elsewhere", message, article="10")


def event_details(facts: SectionFacts, *, today: date) -> Iterable[Finding]:
    """Yield findings of article 13: name, dates of the event and of its rounds, Chief Organiser."""
    if not facts.tournament.name:
        yield Finding(
            Severity.HOLD,
            "event-name-missing",
            "The file names no event. Give the complete name of the event.",
            article="13.1",
        )
    if facts.ends < facts.starts:
        starts = formatting.day(facts.starts)
        message = f"The event ends on {formatting.day(facts.ends)} before it starts on {starts}. Correct the dates."
        yield Finding(Severity.ERROR, "dates-reversed", message, article="13.2")
    if facts.starts < FIRST_DAY:
        message = f"The event starts on {formatting.day(facts.starts)}; no rating is that old. Correct the year."
        yield Finding(Severity.ERROR, "date-implausible", message, article="13.2")
    elif facts.ends <= today and facts.ends - facts.starts > LONGEST:
        span = formatting.days(facts.starts, facts.ends)
        message = f"The event lasts more than a year, {span}. Correct one of the days."
        yield Finding(Severity.ERROR, "date-implausible", message, article="13.2")
    if facts.ends > today:
        message = f"The event ends on {formatting.day(facts.ends)}, which is still to come. Submit it when it has been played."
        yield Finding(Severity.ERROR, "not-ended", message, article="13.2")
    planned = facts.tournament.planned_rounds
    if planned is not None and planned > MAX_ROUNDS:
        message = f"The file plans {planned} rounds; a file can hold {MAX_ROUNDS}. Correct the number of rounds."
        yield Finding(Severity.ERROR, "planned-rounds-implausible", message, article="13.3")
    dated = {number for number, day in enumerate(facts.tournament.round_dates, start=1) if day}
    missing = [number for number in range(1, facts.tournament.rounds + 1) if number not in dated]
    if missing:
        message = f"No date is given for {listed_rounds(missing)}. Give the day on which each round was played."
        yield Finding(Severity.HOLD, "round-dates-missing", message, article="13.3", correction=ROUND_DAY.code)
    outside = [
        f"round {number} on {formatting.day(day)}"
        for number, day in enumerate(facts.tournament.round_dates, start=1)
        if day and not facts.starts <= day <= facts.ends
    ]
    if outside:
        message = (
            f"Outside the event, {formatting.days(facts.starts, facts.ends)}: {listed(outside)}. Correct the dates."
        )
        yield Finding(Severity.HOLD, "round-dates-outside", message, article="13.3", correction=ROUND_DAY.code)
    if not facts.organiser:
        message = "No Chief Organiser is named. Give name, surname and Chess SA id."
        yield Finding(Severity.HOLD, "organiser-missing", message, article="13.5")
    elif not is_chess_sa_id(facts.organiser_number):
        message = f"No Chess SA id of the Chief Organiser, {facts.organiser}, is given. Give it with the name."
        yield Finding(Severity.HOLD, "organiser-id-missing", message, article="13.5")
    elif facts.organiser_id_of:
        message = (
            f"The Chess SA id of the Chief Organiser, {facts.organiser}, is that of {facts.organiser_id_of} on the register."
            " Correct the id or the name in the registration."
        )
        yield Finding(Severity.HOLD, "organiser-id-of-another", message, article="13.5")


def player_details(facts: SectionFacts) -> Iterable[Finding]:
    """Yield findings of article 14: birth date, gender, and in a FIDE-rated event FIDE id.

    Details that the register has are only noted.
    """
    entrants = facts.tournament.entrants
    nothing = RegisterDetails()
    for code, article, needed, detail, description, correction in (
        ("birth-dates-missing", "14.2", True, "birth_date", "full date of birth", BIRTH_DATE.code),
        ("sex-missing", "14.3", True, "sex", "gender (M or F)", GENDER.code),
        ("fide-ids-missing", "14.4", facts.fide_rated, "fide_id", "FIDE id, which a FIDE-rated event asks for", ""),
    ):
        blank = [entrant for entrant in entrants if needed and not getattr(entrant, detail)]
        lacking = [entrant for entrant in blank if not getattr(facts.known.get(entrant.number, nothing), detail)]
        if lacking:
            message = f"{_players(lacking, len(entrants))}: no {description}. Complete them."
            yield Finding(
                Severity.HOLD,
                code,
                message,
                line=lacking[0].line,
                article=article,
                correction=correction,
                lines=several(entrant.line for entrant in lacking),
            )
        if len(blank) > len(lacking):
            lines = formatting.count(len(blank) - len(lacking), "line gives", "lines give")
            message = f"{lines} no {description.partition(',')[0]}; the register has it."
            yield Finding(Severity.NOTE, f"{code.removesuffix('-missing')}-on-register", message, article=article)


def births_to_come(facts: SectionFacts, *, today: date) -> Iterable[Finding]:
    """Yield an error for each date of birth in the future (article 14.2)."""
    for entrant in facts.tournament.entrants:
        born = entrant.birth_date or (date(entrant.birth_year, 1, 1) if entrant.birth_year else None)
        if born is not None and born > today:
            player = f"{entrant.called} (start number {entrant.number})"
            message = f"{player}: the date of birth is still to come. Correct it in the file."
            yield Finding(Severity.ERROR, "birth-date-to-come", message, line=entrant.line, article="14.2")


def arbiter_details(facts: SectionFacts) -> Iterable[Finding]:
    """Yield a finding if no Chief Arbiter is named (article 15)."""
    if not facts.chief_arbiter:
        message = "No Chief Arbiter is named. Give the arbiters in order of position."
        yield Finding(Severity.HOLD, "arbiter-missing", message, article="15", correction=ARBITER.code)


def smallest_section(facts: SectionFacts) -> Iterable[Finding]:
    """Yield findings of article 17: enough players and rounds for the format, or for disabled players (17.5).

    Players participate who played a game, and a round is completed in which one was played: who withdrew before his first
    game does not count (18). A team's boards are those of its players who played in one match. The findings are holds, as the
    bureau may rate the section all the same (17.6).
    """
    players, rounds = smallest(facts.format, facts.ends, disabled=facts.disabled)
    name = "disabled players’" if facts.disabled else FORMAT_NAMES.get(facts.format, facts.format)
    by_team = facts.format in ("team", "scheveningen") and not facts.disabled
    if by_team and not facts.tournament.teams:
        message = (
            f"The file has no teams, which a {name} section has. Upload one with its teams, or correct the format."
        )
        yield Finding(Severity.HOLD, "teams-missing", message, article="17")
    size = min(_team_sizes(facts, players), default=None) if by_team else len(facts.tournament.participants)
    completed = facts.tournament.completed_rounds
    permission = _permission_for(facts, size, completed)
    if size is not None and size < players:
        where = "in the smallest team" if by_team else "with a game"
        played = f"{formatting.count(size, 'player')} {where}"
        message = f"{played}; a {name} section needs at least {players}."
        least = permission.players if permission else 0
        yield _too_few("players", message, "Ask permission, or merge sections.", permission, size >= least)
    if completed < rounds:
        played = f"{formatting.count(completed, 'round')} with a game"
        message = f"{played}; a {name} section needs at least {rounds}."
        least = permission.rounds if permission else 0
        yield _too_few("rounds", message, "Ask permission.", permission, completed >= least)


def _permission_for(facts: SectionFacts, size: int | None, completed: int) -> Permission | None:
    """Return the permission to hold a size against: the latest granted one that covers it, else the latest of all."""
    least_players, least_rounds = smallest(facts.format, facts.ends, disabled=facts.disabled)
    covering = (
        permission
        for permission in facts.permissions
        if permission.granted
        and (size is None or size >= min(permission.players, least_players))
        and completed >= min(permission.rounds, least_rounds)
    )
    return next(covering, next(iter(facts.permissions), None))


def _team_sizes(facts: SectionFacts, enough: int) -> Iterable[int]:
    """Yield each team's boards, in a Scheveningen section its players. Boards are counted up to `enough`: a file may put each
    player into hundreds of teams."""
    tournament = facts.tournament
    if facts.format == "scheveningen":
        participants = tournament.participants
        yield from (len(participants.intersection(team.members)) for team in tournament.teams)
        return
    rounds_by_player = defaultdict(list)
    for game in tournament.games:
        for number in (game.white, game.black):
            rounds_by_player[number].append(game.round)
    for team in tournament.teams:
        yield _boards(team, rounds_by_player, enough)


def _boards(team: Team, rounds_by_player: Mapping[int | None, Sequence[int]], enough: int) -> int:
    boards: Counter[int] = Counter()
    for number in team.members:
        for round_ in rounds_by_player.get(number, ()):
            boards[round_] += 1
            if boards[round_] >= enough:
                return enough
    return max(boards.values(), default=0)


def _too_few(what: str, message: str, correction: str, permission: Permission | None, covered: bool) -> Finding:
    """Return a hold, or a note if permission covers the size (article 18)."""
    if permission is None:
        return Finding(Severity.HOLD, f"too-few-{what}", f"{message} {correction}", article="17")
    if permission.granted and covered:
        message += f" It was permitted on {formatting.day(permission.day)}."
        return Finding(Severity.NOTE, f"too-few-{what}", message, article="18")
    answered = "granted" if permission.granted else "declined"
    sizes = f"{formatting.count(permission.players, 'player')} and {formatting.count(permission.rounds, 'round')}"
    message += f" Permission for {sizes} was {answered} on {formatting.day(permission.day)}; an officer decides."
    return Finding(Severity.HOLD, f"too-few-{what}", message, article="17")


def time_control(facts: SectionFacts) -> Iterable[Finding]:
    """Yield findings of articles 21 to 23: one time control for both players and all rounds, not too fast to be rated.

    Several controls, in the file or in file and registration, are an error until the uploader says which was played.
    """
    given, stated = facts.time_control, facts.tournament.stated_controls
    yield from speed_errors(given.base, given.increment, facts.ends)
    in_file = " and ".join(map(str, stated))
    if facts.control_mixed:
        message = (
            "By the uploader’s answer the games had different time controls, and such a section is not rated: refuse it, or"
            f" decide which one counts; {given} is registered."
        )
        yield Finding(Severity.HOLD, "time-controls-mixed", message, article="21, 22")
    elif set(stated) <= {given}:
        return
    elif facts.control_answered:
        message = f"{given} is taken for all games, and the file says {in_file}. So the uploader says"
        message += f": {facts.control_reason}" if facts.control_reason else "."
        yield Finding(Severity.NOTE, "time-control-given", message, article="22")
    elif len(stated) > 1:
        message = f"The file states several time controls, {in_file}; {given} is registered. Say which one was played."
        yield Finding(Severity.ERROR, "time-controls-several", message, article="21, 22", correction=TIME_CONTROL.code)
    else:
        message = f"The time control is given as {given}, and the file says {in_file}. Say which was played."
        yield Finding(Severity.ERROR, "time-control-differs", message, article="22", correction=TIME_CONTROL.code)


def submission_deadline(facts: SectionFacts, *, today: date) -> Iterable[Finding]:
    """Yield a hold for a file that comes after the rating period that follows the event's (article 61).

    A corrected file came when the section's first one did.
    """
    if is_late_to_submit(facts.ends, today=facts.sent or today):
        message = (
            f"The event ended on {formatting.day(facts.ends)}; its file was due by"
            f" {formatting.day(last_day_to_submit(facts.ends))}. An officer decides whether it is still rated."
        )
        yield Finding(Severity.HOLD, "too-late", message, article="61")


def _players(lacking: Sequence[Entrant], total: int) -> str:
    if len(lacking) == total > 1:
        return f"All {total} players"
    return listed([f"{entrant.name} ({entrant.number})" for entrant in lacking])
