"""Events with their sections, rounds and games, arbiters, penalties, submissions, appeals; rating periods."""

from events.models.abroad import AbroadLink
from events.models.appeal import Appeal, PermissionRequest, Refusal
from events.models.arbiter import Appointment, Arbiter, ArbiterTitle, Membership
from events.models.attachment import Attachment
from events.models.error_report import ErrorReport
from events.models.event import Event, EventMove, Kind
from events.models.penalty import Penalty
from events.models.period import RatingPeriod
from events.models.section import Entry, Format, Game, Guest, Round, Section
from events.models.submission import Submission, SubmissionFinding, SubmittedFile
from events.models.upload import Correction, Reminder, Upload

__all__ = [
    "AbroadLink", "Appeal", "Appointment", "Arbiter", "ArbiterTitle", "Attachment", "Correction", "Entry",
    "ErrorReport", "Event", "EventMove", "Format", "Game", "Guest", "Kind", "Membership", "Penalty",
    "PermissionRequest", "RatingPeriod", "Refusal", "Reminder", "Round", "Section", "Submission", "SubmissionFinding",
    "SubmittedFile", "Upload",
]  # fmt: skip
