"""The findings on hold of an event to which a proof can be attached, and the proofs."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from zlib import crc32

from django.utils.translation import gettext

from config.lib.shown_rows import MOST_SHOWN
from events.attachments.queries import proofs
from events.models import Attachment, Event, SubmissionFinding
from events.operations import sections_to_rate
from events.rules.findings import Severity
from events.rules.states import AWAITING_RESULTS, State
from events.submission.finding_words import finding_said
from events.submission.uploads import not_submitted

PROVABLE = (*AWAITING_RESULTS, State.SUBMITTED)
_SHOWN = 90  # characters of a finding in a choice
_LONGEST_NOTE = 200  # of an attachment


@dataclass(frozen=True, slots=True)
class ProofsBlock:
    """The part of the results page: `choices` as (key, text of the finding), and what is attached, with its finding.

    `removable`: what is attached can be taken away again.
    """

    choices: list[tuple[str, str]]
    attached: list[tuple[Attachment, str]]
    removable: bool


@dataclass(frozen=True, slots=True)
class Hold:
    """A finding on hold: its code, its text and the sections that it stands in, as they are called."""

    code: str
    message: str
    sections: tuple[str, ...]

    @property
    def key(self) -> str:
        """A text that stays as long as the finding does."""
        return f"{self.code}-{crc32(self.message.encode()):08x}"

    @property
    def text(self) -> str:
        """The finding in short, with its sections if they have names, as an attachment keeps it."""
        return (self._where + _short(self.message))[:_LONGEST_NOTE]

    @property
    def shown(self) -> str:
        """The finding for a choice, in the reader's language."""
        return self._where + _short(finding_said(self.message))

    @property
    def _where(self) -> str:
        return f"{', '.join(self.sections)}: " if any(self.sections) else ""


@dataclass(frozen=True, slots=True)
class Others:
    """Two or more findings on hold of one code that are one choice together, which is named by the first."""

    first: Hold
    number: int

    @property
    def code(self) -> str:
        """Their code."""
        return self.first.code

    @property
    def key(self) -> str:
        """A text that stays as long as there are any."""
        return f"{self.code}-others"

    @property
    def text(self) -> str:
        """What a file is a proof for, as an attachment keeps it."""
        return f"{self.number} others, such as: {self.first.text}"[:_LONGEST_NOTE]

    @property
    def shown(self) -> str:
        """The choice, in the reader's language."""
        words = {"count": self.number, "finding": self.first.shown}
        return gettext("%(count)s others, such as: %(finding)s") % words


def holds_to_prove(event: Event) -> list[Hold | Others]:
    """Return the choices of what can be proved, while an officer has not decided: the first findings on hold of an event, each
    once, and of each kind those that are left."""
    holds = _holds(event)
    first, left = holds[:MOST_SHOWN], holds[MOST_SHOWN:]
    numbers = Counter(hold.code for hold in left)
    of_code = {hold.code: hold for hold in reversed(left)}  # the first
    return [
        *first,
        *(Others(of_code[code], number) if number > 1 else of_code[code] for code, number in numbers.items()),
    ]


def _holds(event: Event) -> list[Hold]:
    if event.state not in PROVABLE:
        return []
    sections: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)  # (code, message) → names
    for upload in not_submitted(event.uploads.select_related("section")):
        for group in upload.report.get("groups", []):
            for finding in group["findings"]:
                if finding["severity"] == Severity.HOLD:
                    name = upload.section.name if upload.section else ""
                    sections[finding["code"], finding["message"]][name] = None
    if event.state == State.SUBMITTED:
        latest = [row.pk for section in sections_to_rate(event) if (row := section.submissions.first())]
        holds = SubmissionFinding.objects.filter(submission__in=latest, severity=Severity.HOLD.value, waived_at=None)
        for code, message, name in holds.values_list("code", "message", "submission__section__name"):
            sections[code, message][name] = None
    return [Hold(code, message, tuple(names)) for (code, message), names in sections.items()]


def proofs_block(event: Event) -> ProofsBlock:
    """Return what can be proved and what is attached. Four queries at most, and one for each section."""
    holds = holds_to_prove(event)
    by_code, by_note = {hold.code: hold.shown for hold in reversed(holds)}, {hold.text: hold.shown for hold in holds}
    attached = [
        (row, by_note.get(row.note, row.note) or by_code.get(code, ""))
        for code, rows in proofs(event).items()
        for row in rows
    ]
    return ProofsBlock([(hold.key, hold.shown) for hold in holds], attached, removable=event.state in AWAITING_RESULTS)


def _short(message: str) -> str:
    return message if len(message) <= _SHOWN else f"{message[:_SHOWN].rsplit(' ', 1)[0]} …"
