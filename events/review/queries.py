"""Reads what an officer looks at before deciding on an event. The number of queries does not depend on its size."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from django.db.models import F, Q

from accounts.models import Decision, User
from accounts.trail.operations import key_of
from config.lib.shown_rows import Shown, first_of
from events.arbiters.lookup import paid_fees
from events.attachments.queries import proofs
from events.models import (
    AbroadLink,
    Appointment,
    Attachment,
    Correction,
    Entry,
    Event,
    EventMove,
    Fee,
    Kind,
    PastAppointment,
    Penalty,
    Refusal,
    Section,
    Submission,
    SubmissionFinding,
)
from events.organising_body import body_approval, organising_body
from events.readings.queries import readings
from events.review.files import Change, Detail, Place, SectionFiles
from events.review.operations import version_of
from events.rules.fees import has_licence, is_covered
from events.rules.findings import Severity
from events.rules.states import State
from players.lookup import Candidate, Query, look_up
from players.merged import on_register

MOST_OF_TRAIL = 100
_NOT_YET = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding of a section's latest file, with its place there and the proofs that are attached to it. `refused`: its section
    is, so that nothing is decided on it."""

    finding: SubmissionFinding
    section: Section
    place: Place | None
    proofs: Sequence[Attachment]
    refused: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it waits for an officer."""
        return not self.refused and self.finding.waived_at is None

    @property
    def letter(self) -> str:
        """The finding as a line of the letter with which the event is returned."""
        name = f"{self.section.name}, " if self.section.name else ""
        place = f"{self.place.words}: " if self.place else ""
        article = f" (article {self.finding.article})" if self.finding.article else ""
        return f"– {name}{place}{self.finding.message}{article}"


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player of a section: the line of the file, whom it was taken for and why. `new`: registered with a file of the event;
    `alike`: who is on the register under a similar name."""

    entry: Entry
    new: bool
    alike: Sequence[Candidate] = ()


@dataclass(frozen=True, slots=True)
class ArbiterRow:
    """An appointed arbiter with the fees that articles 7 and 12.3 ask for. `licence`: None where FIDE does not rate."""

    appointment: Appointment
    fee: bool
    licence: bool | None


@dataclass(slots=True)
class SectionReview:
    """A section with what its files say. `reason`: why its holds should not stand in the way, as the region said."""

    section: Section
    refusal: Refusal | None
    latest: Submission | None
    findings: list[FindingRow] = field(default_factory=list)
    notes: list[FindingRow] = field(default_factory=list)
    players: list[PlayerRow] = field(default_factory=list)
    penalties: list[Penalty] = field(default_factory=list)
    beside: list[Detail] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    submissions: Sequence[Submission] = ()

    @property
    def name(self) -> str:
        """What the section is called on the page."""
        return self.section.name or "The section"

    @property
    def new(self) -> int:
        """The number of new players."""
        return sum(row.new for row in self.players)

    @property
    def shown_notes(self) -> Shown[FindingRow]:
        """The notes that the page shows."""
        return first_of(self.notes)

    @property
    def shown_players(self) -> Shown[PlayerRow]:
        """The players whom the page shows, new ones and others."""
        return first_of(self.players, lambda row: row.new)

    @property
    def shown_penalties(self) -> Shown[Penalty]:
        """The penalties that the page shows."""
        return first_of(self.penalties, lambda penalty: penalty.status == Penalty.Status.PROPOSED)


@dataclass(frozen=True, slots=True)
class EventReview:
    """The evidence on an event. `body`: the body of a national event that is not approved, or ""."""

    event: Event
    sections: list[SectionReview]
    arbiters: list[ArbiterRow]
    former: list[PastAppointment]
    trail: list[Decision]
    attachments: list[Attachment]
    moves: list[EventMove]
    senders: list[AbroadLink]
    body: str

    @property
    def sent(self) -> EventMove | None:
        """The move with which it came to the officers last."""
        targets = (State.SUBMITTED.value, State.LATE.value)
        return next((move for move in reversed(self.moves) if move.target in targets), None)

    @property
    def last(self) -> EventMove | None:
        """The move to its state."""
        return self.moves[-1] if self.moves else None

    @property
    def version(self) -> str:
        """What a decision rests on, by `version_of`."""
        files = [submission.pk for section in self.sections for submission in section.submissions]
        holds = [row.finding.pk for row in self.open_holds if row.finding.severity == Severity.HOLD]
        penalties = [(penalty.pk, penalty.status) for section in self.sections for penalty in section.penalties]
        move = max((move.pk for move in self.moves), default=None)
        return version_of(self.event, move, max(files, default=None), holds, penalties)

    @property
    def findings(self) -> list[FindingRow]:
        """All holds, section after section."""
        return [row for section in self.sections for row in section.findings]

    @property
    def open_holds(self) -> list[FindingRow]:
        """The holds that are not waived, of sections that are not refused."""
        return [row for row in self.findings if row.is_open]

    @property
    def shown_findings(self) -> Shown[FindingRow]:
        """The holds that the page shows, in their order: the first that are open, and the latest that are waived."""
        places = {row.finding.pk: place for place, row in enumerate(self.findings)}
        latest = sorted(self.findings, key=lambda row: row.finding.waived_at or _NOT_YET, reverse=True)
        shown = first_of(latest, lambda row: row.is_open)
        return replace(shown, rows=sorted(shown.rows, key=lambda row: places[row.finding.pk]))

    @property
    def has_penalties(self) -> bool:
        """Whether there are any, decided or not."""
        return any(section.penalties for section in self.sections)

    @property
    def penalties(self) -> list[Penalty]:
        """The penalties without a decision, of sections that are not refused."""
        return [
            penalty
            for section in self.sections
            if section.refusal is None
            for penalty in section.penalties
            if penalty.status == Penalty.Status.PROPOSED
        ]

    @property
    def unanswered(self) -> list[Penalty]:
        """Those that the region could have answered: they can be applied as the event is accepted."""
        return [penalty for penalty in self.penalties if not penalty.final]

    @property
    def waiting_penalties(self) -> list[Penalty]:
        """Those that wait for an officer."""
        return [penalty for penalty in self.penalties if penalty.final]


def read_review(event: Event, user: User) -> EventReview:
    """Return the evidence on an event, with the proofs that a user may read. 20 queries at most."""
    sections = list(event.sections.select_related("period", "event").order_by("position", "pk"))
    files = _files(event)
    attached = proofs(event, user)
    refusals = {row.section_id: row for row in Refusal.objects.filter(event=event, lifted_at=None)}
    appointments = list(event.appointments.select_related("arbiter__player").order_by("position"))
    rows = {
        section.pk: _section(event, section, files.get(section.pk, SectionFiles(())), refusals, appointments)
        for section in sections
    }
    _add_findings(rows, files, attached)
    _add_players(rows, files)
    for penalty in Penalty.objects.filter(section__event=event).select_related("player", "decided_by"):
        rows[penalty.section_id].penalties.append(penalty)
    trail = Decision.objects.filter(Q(subject=key_of(event)) | Q(part_of=key_of(event)))
    unapproved = event.kind == Kind.NATIONAL and body_approval(event) is None
    return EventReview(
        event=event,
        sections=list(rows.values()),
        arbiters=_arbiters(event, appointments),
        former=list(event.past_appointments.select_related("arbiter", "by")),
        trail=list(trail[:MOST_OF_TRAIL]),
        attachments=[row for found in attached.values() for row in found],
        moves=list(event.moves.select_related("actor")),
        senders=list(event.abroad_links.select_related("player")) if event.kind == Kind.ABROAD else [],
        body=organising_body(event) if unapproved else "",
    )


def _files(event: Event) -> dict[int, SectionFiles]:
    """Return the files of the sections. Two queries."""
    found: dict[int, list[Submission]] = {}
    submissions = Submission.objects.filter(section__event=event).select_related("file", "by").order_by("pk")
    for submission in submissions:
        found.setdefault(submission.section_id, []).append(submission)
    answers: dict[int, list[tuple[str, str, str]]] = {}
    given = Correction.objects.filter(upload__submission__section__event=event).order_by("pk")
    for submission_id, *answer in given.values_list("upload__submission", "kind", "key", "value"):
        answers.setdefault(submission_id or 0, []).append((answer[0], answer[1], answer[2]))
    return {section: SectionFiles(rows, answers) for section, rows in found.items()}


def _section(
    event: Event,
    section: Section,
    files: SectionFiles,
    refusals: Mapping[int | None, Refusal],
    appointments: Sequence[Appointment],
) -> SectionReview:
    return SectionReview(
        section=section,
        refusal=refusals.get(section.pk),
        latest=files.latest,
        beside=files.beside(event, section, appointments),
        changes=files.changes(),
        submissions=files.submissions[::-1],
    )


def _add_findings(
    rows: Mapping[int, SectionReview], files: Mapping[int, SectionFiles], attached: Mapping[str, list[Attachment]]
) -> None:
    """Add the findings of the latest files, those of the whole file first. One query."""
    latest = {row.latest.pk: row for row in rows.values() if row.latest}
    findings = SubmissionFinding.objects.filter(submission__in=latest).select_related("waived_by")
    for finding in findings.order_by(F("line").asc(nulls_first=True), "pk"):
        row = latest[finding.submission_id]
        place = files[row.section.pk].place_of(finding)
        proved = attached.get(finding.code, [])
        shown = FindingRow(finding, row.section, place, proved, refused=row.refusal is not None)
        (row.notes if finding.severity == Severity.NOTE else row.findings).append(shown)


def _add_players(rows: Mapping[int, SectionReview], files: Mapping[int, SectionFiles]) -> None:
    """Add the players, and who is like the new ones that the page shows. One query, or three."""
    moments = {submission.at for of_section in files.values() for submission in of_section.submissions}
    entries = list(
        Entry.objects.filter(section__in=list(rows)).select_related("player__region").order_by("number", "pk")
    )
    fresh = {entry.player_id for entry in entries if entry.player.registered_at in moments}
    for entry in entries:
        rows[entry.section_id].players.append(PlayerRow(entry, entry.player_id in fresh))
    shown = [row.entry.player_id for section in rows.values() for row in section.shown_players.rows if row.new]
    alike = _alike(shown, entries)
    for section in rows.values():
        section.players = [replace(row, alike=alike.get(row.entry.player_id, ())) for row in section.players]


def _alike(fresh: list[int], entries: Iterable[Entry]) -> dict[int, list[Candidate]]:
    if not fresh:
        return {}
    players = {entry.player_id: entry.player for entry in entries}
    people = [players[key] for key in fresh]
    asked = [Query(name=f"{person.last_name}, {person.first_name}", birth_year=person.birth_year) for person in people]
    found = look_up(on_register(), asked)
    return {
        key: [candidate for candidate in candidates if candidate.player.pk != key]
        for key, candidates in zip(fresh, found, strict=True)
    }


def _arbiters(event: Event, appointments: Sequence[Appointment]) -> list[ArbiterRow]:
    """Return the arbiters with their fees. Three queries, or two where FIDE does not rate."""
    arbiters = [row.arbiter for row in appointments]
    paid = paid_fees(arbiters)
    licences = paid_fees(arbiters, Fee.FIDE) if event.fide_rated else None
    begins = readings().aoc_year_begins
    return [
        ArbiterRow(
            row,
            is_covered(
                row.arbiter.federation,
                paid.get(row.arbiter_id, ()),
                event.starts,
                begins=begins,
            ),
            None
            if licences is None
            else has_licence(row.arbiter.federation, licences.get(row.arbiter_id, ()), event.starts),
        )
        for row in appointments
    ]
