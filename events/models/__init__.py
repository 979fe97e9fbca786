"""Events with their sections, rounds and games, arbiters, penalties, submissions, appeals; rating periods."""

from events.models.abroad import AbroadLink
from events.models.appeal import Appeal, PermissionRequest, Refusal
from events.models.arbiter import Appointment, Arbiter, ArbiterTitle, Fee, Membership, PastAppointment
from events.models.attachment import Attachment
from events.models.claim import ReviewClaim
from events.models.declaration import Declaration
from events.models.error_report import ErrorReport
from events.models.event import BodyApproval, Event, EventMove, Kind, Party
from events.models.penalty import Penalty
from events.models.period import RatingPeriod
from events.models.readings import Readings
from events.models.section import Entry, Format, Game, Guest, Round, Section, Team
from events.models.submission import Submission, SubmissionFinding, SubmittedFile
from events.models.unsaved import UnsavedAnswer, UnsavedRegistration
from events.models.upload import Correction, Reminder, Upload
from events.models.withholding import KeptBackReport, NotRegisteredReport, WithdrawalRequest

__all__ = [
    "AbroadLink", "Appeal", "Appointment", "Arbiter", "ArbiterTitle", "Attachment", "BodyApproval", "Correction", "Declaration",
    "Entry", "ErrorReport", "Event", "EventMove", "Fee", "Format", "Game", "Guest", "KeptBackReport", "Kind", "Membership",
    "NotRegisteredReport", "Party", "PastAppointment", "Penalty", "PermissionRequest", "RatingPeriod", "Readings", "Refusal",
    "Reminder", "ReviewClaim", "Round", "Section", "Submission", "SubmissionFinding", "SubmittedFile", "Team",
    "UnsavedAnswer", "UnsavedRegistration", "Upload", "WithdrawalRequest",
]  # fmt: skip
