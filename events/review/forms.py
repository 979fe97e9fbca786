"""The form of the decision on an event."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import QueryDict

from config.lib.forms import PlainTextField, ShownErrors
from config.lib.parsing import parse_pk
from events.admin_base import ground_field
from events.models import Event, Kind, Section
from events.review.queries import FindingRow
from events.rules.sizes import LONGEST_GROUNDS, LONGEST_LETTER, LONGEST_NOTICE
from events.rules.states import State

WHOLE = "event"


def _text(label: str, longest: int, rows: int, help_text: str = "") -> PlainTextField:
    return PlainTextField(
        label=label,
        max_length=longest,
        required=False,
        help_text=help_text,
        widget=forms.Textarea(attrs={"rows": rows, "cols": 40}),
    )


class DecisionForm(ShownErrors, forms.Form):
    """What an officer decides, with its words. The findings that are ticked for the letter are `ticked`."""

    do = forms.ChoiceField(choices=[(word, word) for word in ("accept", "grant", "return", "refuse")])
    penalty_reason = _text("Reason for applying penalties without an answer", LONGEST_NOTICE, 2)
    grant_reason = _text("Reason", LONGEST_NOTICE, 3, "Why it is registered although late (article 12).")
    letter = _text(
        "Letter", LONGEST_LETTER, 9, "The ticked findings and your own words. It goes out as it stands here."
    )
    what = forms.ChoiceField(label="What is refused")
    reason = _text("Reason for refusing", LONGEST_GROUNDS, 4, "It goes to the region, with the last day to appeal.")
    return_ground = ground_field()
    ground = ground_field()

    def __init__(
        self,
        sent: QueryDict | None = None,
        *,
        event: Event,
        sections: Iterable[Section],
        findings: Iterable[FindingRow],
    ) -> None:
        super().__init__(sent.copy() if sent is not None else None)
        self.sent = sent
        sections, self.findings = list(sections), list(findings)
        self.event, self.sections = event, {str(section.pk): section for section in sections}
        several = [(key, section.name or str(section)) for key, section in self.sections.items()]
        whole = [(WHOLE, "the whole event")] if event.state in (State.SUBMITTED, State.LATE) else []
        self.fields["what"] = forms.ChoiceField(
            label="What is refused",
            required=False,
            choices=[*whole, *(several if len(several) > 1 and event.state != State.LATE else [])],
            widget=forms.RadioSelect,
            initial=WHOLE,
        )
        if event.kind != Kind.ABROAD:
            del self.fields["ground"], self.fields["return_ground"]

    @property
    def ticked(self) -> set[int]:
        """The keys of the findings that are ticked for the letter."""
        return {parse_pk(text) for text in self.sent.getlist("finding")} if self.sent is not None else set()

    def composed(self) -> str:
        """Return the letter that the ticked findings make."""
        ticked = self.ticked
        lines = [row.letter for row in self.findings if row.finding.pk in ticked]
        return "\n\n".join(["Please correct, and send in again:", *lines]) if lines else ""

    def clean(self) -> dict[str, Any]:
        """Check that a decision has its words. A return with ticked findings and no letter gets their letter, to be read."""
        cleaned = super().clean() or {}
        match cleaned.get("do"):
            case "return" if not cleaned.get("letter") and "letter" not in self.errors:
                letter = self.composed()
                if letter:
                    self.data = (
                        {**self.data.dict(), "letter": letter} if isinstance(self.data, QueryDict) else self.data
                    )
                    self.add_error("letter", "This is the letter that the ticked findings make: read it, then return.")
                else:
                    self.add_error("letter", "Say what has to be corrected: tick the findings, or write it.")
            case "refuse":
                if not cleaned.get("what"):
                    self.add_error("what", "Choose what is refused.")
                if not cleaned.get("reason") and "reason" not in self.errors:
                    self.add_error("reason", "Give the reason: the region gets it (article 11).")
            case "grant" if not cleaned.get("grant_reason") and "grant_reason" not in self.errors:
                self.add_error("grant_reason", "Give the reason (article 12).")
        return cleaned
