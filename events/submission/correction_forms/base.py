"""What the forms beside the findings of a report have in common."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config.lib.forms import ShownErrors
from events.models import Upload
from events.rules import corrections
from events.submission.uploads import Answer

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class CorrectionForm(ShownErrors, forms.Form):
    """A form of a report: `name` and `key` identify it, `anchor` is its place on the page, `label` the text of its button.

    `heading`: above its findings; `stale`: the report no longer asks what the form answers; `in_parts`: each field answers a
    question of its own, so that those that are right are kept when others are refused.
    """

    name = ""
    heading: "StrOrPromise" = ""
    label: "StrOrPromise" = ""
    in_parts = False

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        self.upload, self.key, self.report = upload, key, upload.report
        self.anchor = "-".join(part for part in ("u" + str(upload.pk), self.name, key) if part)
        self.stale = False
        super().__init__(data, prefix=self.anchor, use_required_attribute=False)

    def answers(self) -> list[Answer]:
        """Return the answers of a valid form."""
        return list(self._answers())

    def _answers(self) -> Iterable[Answer]:
        raise NotImplementedError


class FindingsForm(CorrectionForm):
    """The answer to a group of findings, which name the form."""

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        super().__init__(upload, key, data)
        asked = any(group["control"] == self.name for group in self.report.get("groups", []))
        codes = [kind.code for kind in corrections.KINDS.values() if kind.form == self.name]
        # Of what was answered, `answer_questions` tells how.
        self.stale = not asked and not upload.corrections.filter(kind__in=codes).exists()


def day_field(label: "StrOrPromise", initial: str = "") -> forms.DateField:
    """Return the field of a day that need not be given; `initial`: an ISO day, or none."""
    return forms.DateField(
        label=label,
        required=False,
        initial=initial,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={"invalid": _("Enter a day as 2026-05-16.")},
    )
