"""The findings on hold of an event to which a proof can be attached, and the proofs."""

from dataclasses import dataclass

from events.attachments.queries import proofs
from events.models import Attachment, Event, SubmissionFinding
from events.operations import sections_to_rate
from events.rules.findings import Severity
from events.rules.states import AWAITING_RESULTS, State
from events.submission.uploads import not_submitted

PROVABLE = (*AWAITING_RESULTS, State.SUBMITTED)
_SHOWN = 90  # characters of a finding in a choice


@dataclass(frozen=True, slots=True)
class ProofsBlock:
    """The part of the results page: `choices` as (key, text of the finding), and what is attached, with its finding.

    `removable`: what is attached can be taken away again.
    """

    choices: list[tuple[str, str]]
    attached: list[tuple[Attachment, str]]
    removable: bool


def holds_to_prove(event: Event) -> list[tuple[str, str]]:
    """Return the findings on hold of an event, each kind once, as (code, text), while an officer has not decided."""
    if event.state not in PROVABLE:
        return []
    found: dict[str, str] = {}
    for upload in not_submitted(event.uploads.all()):
        for group in upload.report.get("groups", []):
            for finding in group["findings"]:
                if finding["severity"] == Severity.HOLD:
                    found.setdefault(finding["code"], finding["message"])
    if event.state == State.SUBMITTED:
        latest = [row.pk for section in sections_to_rate(event) if (row := section.submissions.first())]
        holds = SubmissionFinding.objects.filter(submission__in=latest, severity=Severity.HOLD.value, waived_at=None)
        for code, message in holds.values_list("code", "message"):
            found.setdefault(code, message)
    return [(code, _short(message)) for code, message in found.items()]


def proofs_block(event: Event) -> ProofsBlock:
    """Return what can be proved and what is attached. Four queries at most, and one for each section."""
    choices = holds_to_prove(event)
    words = dict(choices)
    attached = [(row, words.get(code, "")) for code, rows in proofs(event).items() for row in rows]
    return ProofsBlock(choices, attached, removable=event.state in AWAITING_RESULTS)


def _short(message: str) -> str:
    return message if len(message) <= _SHOWN else f"{message[:_SHOWN].rsplit(' ', 1)[0]} …"
