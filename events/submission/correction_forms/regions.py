"""Which regions the players of a file are of."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from events.models import Upload
from events.rules import corrections
from events.submission.correction_forms.base import CorrectionForm
from events.submission.uploads import Answer


class RegionsForm(CorrectionForm):
    """The regions meant by unknown codes, and whether file or register is right where they differ."""

    name, heading, label = corrections.REGION.form, _("Regions of players"), _("Take these regions")
    in_parts = True

    def __init__(self, upload: Upload, key: str = "", data: Any = None) -> None:
        super().__init__(upload, key, data)
        regions = self.report.get("regions", {})
        self.lines = {str(line["start"]): line for line in regions.get("differing", [])}
        self.unknown = regions.get("unknown", [])
        self.stale = not (self.lines or self.unknown)
        # A report that was written before it had names shows the codes alone.
        self.names = {code: code for code in regions.get("codes", [])} | regions.get("names", {})
        codes = [("", _("Choose")), *((code, self._named(code)) for code in regions.get("codes", []))]
        for place, code in enumerate(self.unknown):
            label = gettext("%(code)s is region") % {"code": code}
            self.fields[f"code-{place}"] = forms.ChoiceField(label=label, required=False, choices=codes)
        for start, line in self.lines.items():
            file, registered = line["file"], line["registered"]
            choices = [
                ("", _("Choose")),
                (registered, gettext("%(region)s, as on the register") % {"region": self._named(registered)}),
                (file, gettext("%(region)s, as in the file") % {"region": self._named(file)}),
            ]
            self.fields[start] = forms.ChoiceField(
                label=gettext("%(name)s: region") % line, required=False, choices=choices
            )

    def _named(self, code: str) -> str:
        name: str = self.names.get(code, code)
        return name

    def clean(self) -> dict[str, Any]:
        """Require at least one answer."""
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and not any(cleaned.values()):
            raise forms.ValidationError(gettext("Choose at least one region."))
        return cleaned

    def _answers(self) -> Iterable[Answer]:
        for field, region in self.cleaned_data.items():
            if not region:
                continue
            if field.startswith("code-"):
                code = self.unknown[int(field.removeprefix("code-"))]
                key, question = f"{corrections.CODE_KEY}{code}", f"Which region is {code}?"
                yield Answer(corrections.REGION.code, key, region, question, f"{code} is {self._named(region)}.")
                continue
            line = self.lines[field]
            right = "file" if region == line["file"] else "register"
            who = f"{line['name']} (start number {field})"
            yield Answer(
                corrections.REGION.code,
                field,
                region,
                f"{who}: {self._named(line['file'])} or {self._named(line['registered'])}?",
                f"{who} is of {self._named(region)}, as the {right} says.",
            )
