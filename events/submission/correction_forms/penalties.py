"""Whether missed rounds were announced."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.lib.forms import PlainTextField, ShownErrors
from events.models import Upload
from events.rules import corrections
from events.rules.sizes import LONGEST_NOTICE
from events.submission.correction_forms.base import CorrectionForm
from events.submission.uploads import Answer


class NoticeForm(ShownErrors, forms.Form):
    """Whether a round was missed without notice, or to whom and why its absence was announced (articles 51, 52)."""

    notice = forms.ChoiceField(
        choices=[("without", _("Without notice")), ("announced", _("Announced, or for a good reason"))],
        widget=forms.RadioSelect,
        error_messages={"required": _("Say whether it was without notice.")},
    )
    reason = PlainTextField(required=False, max_length=LONGEST_NOTICE, label=_("To whom, when, and why"))

    def clean(self) -> dict[str, Any]:
        """Require the reason of an announced absence, and none otherwise: it would not be kept."""
        cleaned: dict[str, Any] = super().clean() or {}
        announced = cleaned.get("notice") == "announced"
        if cleaned.get("notice") == "without" and cleaned.get("reason"):
            self.add_error(
                "reason",
                gettext(
                    "Without notice no reason is kept: choose “Announced, or for a good reason”, or clear this field."
                ),
            )
        cleaned["reason"] = (cleaned.get("reason") or "") if announced else ""
        if announced and not cleaned["reason"] and "reason" not in self.errors:
            self.add_error("reason", gettext("Say to whom it was announced, when, and why."))
        return cleaned


class PenaltyNoticeForm(NoticeForm, CorrectionForm):
    """The answer for a penalty that the file proposes."""

    name = corrections.PENALTY.form

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        super().__init__(upload, key, data)
        proposals: list[dict[str, Any]] = self.report.get("proposals", [])
        self.proposal = next((proposal for proposal in proposals if proposal["key"] == key), {})
        self.stale = not self.proposal

    def _answers(self) -> Iterable[Answer]:
        reason = self.cleaned_data["reason"]
        notice = f"announced: {reason}" if reason else "without notice"
        what = f"{self.proposal['name']}, round {self.proposal['round']}"
        yield Answer(corrections.PENALTY.code, self.key, reason, what, f"{what}: {notice}")
