"""Events, sections, rounds, games, arbiters, appointments, penalties, submissions with their findings, appeals."""

from events.models.abroad import AbroadLink
from events.models.appeal import Appeal, PermissionRequest, Refusal
from events.models.arbiter import Appointment, Arbiter, ArbiterTitle, Membership
from events.models.event import Event, EventMove, Kind
from events.models.penalty import Penalty
from events.models.section import Entry, Format, Game, Guest, Round, Section
from events.models.submission import Submission, SubmissionFinding, SubmittedFile
from events.models.upload import Mend, Reminder, Upload

__all__ = [
    "AbroadLink",
    "Appeal",
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
    "Mend",
    "Penalty",
    "PermissionRequest",
    "Refusal",
    "Reminder",
    "Round",
    "Section",
    "Submission",
    "SubmissionFinding",
    "SubmittedFile",
    "Upload",
]
