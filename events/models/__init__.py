"""Events, sections, rounds, games, arbiters, appointments, penalties, submissions with their findings."""

from events.models.abroad import AbroadLink
from events.models.arbiter import Appointment, Arbiter, ArbiterTitle, Membership
from events.models.event import Event, EventMove, Kind
from events.models.penalty import Penalty
from events.models.section import Entry, Format, Game, Guest, Round, Section
from events.models.submission import Submission, SubmissionFinding, SubmittedFile

__all__ = [
    "AbroadLink",
    "Appointment",
    "Arbiter",
    "ArbiterTitle",
    "Entry",
    "Event",
    "EventMove",
    "Format",
    "Game",
    "Guest",
    "Kind",
    "Membership",
    "Penalty",
    "Round",
    "Section",
    "Submission",
    "SubmissionFinding",
    "SubmittedFile",
]
