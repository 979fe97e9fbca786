"""The field for a file of evidence, for any form."""

from typing import Any

from django import forms
from django.core.files.base import File
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from config.lib.pure_texts import PureTexts
from events.rules.attachments import validate
from events.rules.limits import MAX_BYTES
from events.rules.states import EventError

TAKEN = format_lazy(_("PDF, PNG or JPEG, at most {megabytes} MB"), megabytes=MAX_BYTES // 1_000_000)
# What `events.rules.attachments` refuses.
REFUSED = PureTexts(
    gettext_noop("%(file)s is empty: choose the file again"),
    gettext_noop("%(file)s has %(size)s MB: send PDF, PNG or JPEG, at most %(most)s MB"),
    gettext_noop("%(file)s breaks off before its end: choose a complete %(kind)s file"),
    gettext_noop("%(file)s is neither PDF nor PNG nor JPEG: send PDF, PNG or JPEG, at most %(most)s MB"),
)


class AttachmentField(forms.FileField):
    """A file that is checked by its content; `cleaned_data` has the uploaded file, at its beginning."""

    widget = forms.FileInput(attrs={"accept": "application/pdf,image/png,image/jpeg"})

    def to_python(self, data: "File[Any] | None") -> "File[Any] | None":
        """Return the file. Raises ValidationError for one that is not taken."""
        if data in self.empty_values or data is None:
            return None
        try:
            validate(data.name or "", data.read(MAX_BYTES + 1), data.size)
        except EventError as error:
            raise forms.ValidationError(REFUSED.said(str(error))) from error
        data.seek(0)
        return data
