"""The field for a file of evidence, for any form."""

from typing import Any

from django import forms
from django.core.files.base import File

from events.rules.attachments import TAKEN, validate
from events.rules.limits import MAX_BYTES
from events.rules.states import EventError

HELP = f"{TAKEN}. Read by the region and the ratings bureau only."


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
            raise forms.ValidationError(str(error)) from error
        data.seek(0)
        return data
