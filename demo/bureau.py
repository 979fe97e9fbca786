"""An event of the demonstration at the bureau: registered, submitted, checked and decided by the users who would do so."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from random import Random

from demo.clock import Clock
from demo.corrections import corrected
from demo.guests import games_abroad, places_abroad
from demo.officials import Official
from demo.plans import Defect, EventPlan, Fate, SectionPlan
from demo.register import Register
from demo.season import SeasonMonth
from demo.tournaments import play_section
from events.abroad.recording import record_abroad
from events.files.trf.writer import write_trf26
from events.models import Appointment, Event, Format, Kind, Penalty, Section, SubmissionFinding
from events.operations import (
    EventError,
    accept_event,
    add_section,
    approve_body,
    move_event,
    register_event,
    return_event,
)
from events.penalties.operations import decide_penalties
from events.rules.findings import Severity
from events.rules.game_result import POINTS
from events.rules.penalties import proposals
from events.rules.states import State
from events.rules.time_controls import TYPES_OF_GAME, type_of_game
from events.rules.tournament import Tournament
from events.submission.checker import check
from events.submission.recording import record_results, submit_section
from events.submission.uploads import take_file
from events.submission.validation import SectionFile, results_fingerprint, validate_file

_WAIVED = "Complete enough to be rated; the region has promised the missing details (article 12)."
_OVERDUE = "The organiser was in hospital; rated all the same (article 12)."
_APPROVED = "The federation’s own championship, organised by its council (article 62.4)."
_REFUSED = "Two different time controls were used in one section (article 22)."
_RETURNED = "The days of the rounds are missing: complete the file and send it in again (article 13.3)."
_DROPPED = "The player had told the Chief Arbiter before the round."
_CONFIRMED = "No notice was given."
_CONFIRMS = 0.75

Ratings = Mapping[str, Mapping[str, int]]  # list → player's number → published rating


class Bureau:
    """Writes events through the bureau's own operations, at the time of `clock`."""

    def __init__(self, register: Register, officials: Sequence[Official], clock: Clock) -> None:
        self.register, self.officials, self.clock = register, officials, clock

    def announce(self, plan: EventPlan, *, latest: date) -> Event:
        """Register an event before it is played, with sections and arbiters; a plan with the fate DRAFT stays a draft."""
        self.clock.set(min(plan.starts - timedelta(days=13), latest), 9 + len(plan.key) % 8, len(plan.name) % 60)
        if plan.fate is Fate.DRAFT:
            event = self._event(plan)
            event.save()
        else:
            event = register_event(self._event(plan), at=self.clock.now, by=self.register.administrator(plan.region))
        for section in plan.sections:
            add_section(
                event,
                Section(
                    base_minutes=section.base,
                    increment_seconds=section.increment,
                    starts=section.round_dates[0],
                    ends=section.round_dates[-1],
                    name=section.name,
                    format=Format(section.format),
                    planned_rounds=section.rounds,
                ),
            )
        Appointment.objects.bulk_create(
            Appointment(
                event=event,
                arbiter=self.register.arbiters[index],
                position=position,
                first_round=1 if position > 3 else None,
                last_round=3 if position > 3 else None,
            )
            for position, index in enumerate(plan.officials, start=1)
        )
        return event

    def play(
        self, plan: EventPlan, event: Event, month: SeasonMonth, ratings: Ratings, *, sent_on: date, files: bool
    ) -> None:
        """Play an event and submit its results, with `files` as uploads, else directly. Penalties are not yet decided.

        `ratings` are the published ones of the month before.
        """
        self.clock.set(sent_on, 18, len(plan.name) % 60)
        by = self.register.administrator(plan.region)
        for section, row in zip(plan.sections, event.sections.all(), strict=True):
            if plan.kind == Kind.ABROAD:
                self._record_abroad(plan, section, row, month)
                continue
            rated = ratings.get(_list_of(section), {})
            tournament = play_section(plan, section, self.register.people, self.officials, month.index, rated)
            if files:
                self._submit(plan, section, row, tournament)
            else:
                self._record(section, row, tournament)
        move_event(event, State.SUBMITTED, at=self.clock.now, by=by)

    def settle(self, plan: EventPlan, event: Event) -> None:
        """Decide on a submitted event as its fate says, two days after it came in; some fates leave it undecided."""
        came, officer = self.clock.now.date(), self.register.officer
        if plan.fate is Fate.REFUSED:
            at = self.clock.set(came + timedelta(days=2), 11)
            move_event(event, State.REFUSED, at=at, by=officer, reason=_REFUSED)
            proposed = Penalty.objects.filter(section__event=event)
            decide_penalties(
                list(proposed),
                Penalty.Status.DROPPED,
                at=self.clock.now,
                by=self.register.officer,
                reason="The event was refused.",
                final=True,
            )
            return
        if plan.fate in (Fate.RETURNED, Fate.RETURNED_ONCE):
            return_event(event, at=self.clock.set(came, 20, 15), by=officer, reason=_RETURNED)
        if plan.fate is Fate.RETURNED:
            self._upload_again(plan, event)
        if plan.fate is Fate.RETURNED_ONCE:
            at = self.clock.set(came + timedelta(days=1), 7, 50)
            move_event(event, State.SUBMITTED, at=at, by=self.register.administrator(plan.region))
        if plan.fate in (Fate.RATED, Fate.RETURNED_ONCE, Fate.LATE, Fate.OVERDUE):
            self.clock.set(came + timedelta(days=2), 10, len(plan.key) % 60)
            self.accept(plan, event)

    def _upload_again(self, plan: EventPlan, event: Event) -> None:
        """Upload a partly corrected file for each section of a returned event, without submitting the event again."""
        for section in event.sections.all():
            content = bytes(section.submissions.latest("pk").file.content)
            upload = take_file(
                event,
                name=f"{_slug(plan.key)}-corrected.trf",
                content=corrected(content, section.ends),
                at=self.clock.now,
                by=self.register.administrator(plan.region),
                section=section,
            )
            check(upload.pk, today=self.clock.now.date())

    def accept(self, plan: EventPlan, event: Event) -> None:
        """Decide an event's penalties and accept it, with a reason where findings hold it."""
        self._decide_penalties(plan, event)
        holds = SubmissionFinding.objects.filter(submission__section__event=event, severity=Severity.HOLD.value)
        reason = _OVERDUE if plan.fate is Fate.OVERDUE else _WAIVED if holds.exists() else ""
        if plan.kind == Kind.NATIONAL:
            approve_body(event, at=self.clock.now, by=self.register.officer, reason=_APPROVED)
        accept_event(event, at=self.clock.now, by=self.register.officer, reason=reason)

    def _event(self, plan: EventPlan) -> Event:
        organiser = self.register.people[plan.organiser]
        named = Defect.ORGANISER not in plan.defects
        return Event(
            name=plan.name,
            region=self.register.regions[plan.region],
            starts=plan.starts,
            ends=plan.ends,
            kind=Kind(plan.kind),
            organising_body=self.register.regions[plan.region].name if plan.kind == Kind.NATIONAL else "",
            place=plan.place,
            federation=plan.country,
            organiser_name=f"{organiser.first_name} {organiser.last_name}" if named else "",
            organiser_number=organiser.number if named else "",
            fide_rated=plan.fide_rated,
            results_url=f"https://example.org/results/{_slug(plan.key)}" if plan.kind == Kind.ABROAD else "",
        )

    def _record(self, section: SectionPlan, row: Section, tournament: Tournament) -> None:
        by_number = {player.number: player for player in self.register.players(section.players).values()}
        row.results_hash = results_fingerprint(tournament)
        row.save(update_fields=["results_hash"])
        record_results(
            row,
            tournament,
            {entrant.number: by_number[entrant.national_id] for entrant in tournament.entrants},
            {entrant.number: f"same Chess SA id {entrant.national_id}" for entrant in tournament.entrants},
            proposals(tournament, row.planned_rounds, format=row.format),
        )

    def _submit(self, plan: EventPlan, section: SectionPlan, row: Section, tournament: Tournament) -> None:
        file = SectionFile(
            content=write_trf26(tournament),
            filename=f"{_slug(f'{plan.key} {section.name}')}.trf",
            base=section.base,
            increment=section.increment,
            event=self._event(plan),
            starts=section.round_dates[0],
            ends=section.round_dates[-1],
            format=section.format,
            create_players=True,
        )
        validated = validate_file(file, today=self.clock.now.date())
        submit_section(row, validated, at=self.clock.now, by=self.register.administrator(plan.region))

    def _record_abroad(self, plan: EventPlan, section: SectionPlan, row: Section, month: SeasonMonth) -> None:
        players = self.register.players(section.players)
        played = [games_abroad(plan, self.register.people[index], month.index, section.rounds) for index in players]
        points = [sum(POINTS[game.result][0 if game.white else 1] for game in games) for games in played]
        places = places_abroad(plan, points, section.rounds)
        for player, games, place in zip(players.values(), played, places, strict=True):
            record_abroad(row, player, games, rank=place)

    def _decide_penalties(self, plan: EventPlan, event: Event) -> None:
        random = Random(f"{plan.key}/penalties")  # noqa: S311
        proposed: dict[tuple[int, int], list[Penalty]] = {}
        for penalty in Penalty.objects.filter(section__event=event).order_by("section", "player", "round"):
            proposed.setdefault((penalty.section_id, penalty.player_id), []).append(penalty)
        for penalties in proposed.values():
            if random.random() < _CONFIRMS:
                decide_penalties(
                    penalties,
                    Penalty.Status.CONFIRMED,
                    at=self.clock.now,
                    by=self.register.officer,
                    reason=_CONFIRMED,
                    final=True,
                )
            else:
                decide_penalties(
                    penalties,
                    Penalty.Status.DROPPED,
                    at=self.clock.now,
                    by=self.register.officer,
                    reason=_DROPPED,
                    final=True,
                )


def _list_of(section: SectionPlan) -> str:
    """Return the code of the list that the section's time control counts for. Raises EventError if it is not rated."""
    name = type_of_game(section.base, section.increment, section.round_dates[-1])
    if name not in TYPES_OF_GAME:
        raise EventError(f"{section.base}+{section.increment} is not rated (article 23)")
    return name


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
