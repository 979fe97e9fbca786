"""What the desk's pages of all kinds of import share: the form of the file, and what a kind has of its own."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.http import HttpRequest

from config.lib.formatting import megabytes
from config.lib.forms import LineField, ShownErrors
from ratings.models import ImportJob
from ratings.periods import RunError, parse_month

# Does what an officer asks for on a job's page; returns what he is told. Raises ImportRefusedError.
Act = Callable[[HttpRequest, ImportJob], str]
# What the template of a kind shows of a job that is not under way.
Shown = Callable[[HttpRequest, ImportJob], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Desk:
    """A kind of import on the desk.

    `title`: of the page that asks for the file; `template`: of a job, extends `admin/ratings/importjob/job.html`; `help`: a
    template that says what the file looks like; `accept`: endings of files that the browser offers; `limit`: bytes of a file;
    `acts`: what the buttons named `do` on its page do, by their value; `form`: what is asked for beside the file; `rows`: the
    lines of a CSV of the job, if it has one.
    """

    kind: ImportJob.Kind
    title: str
    template: str
    help: str
    accept: str
    limit: int
    shown: Shown
    acts: dict[str, Act]
    form: "type[FileForm]" = field(default_factory=lambda: FileForm)
    rows: Callable[[ImportJob], Iterator[Sequence[Any]]] | None = None


class FileForm(ShownErrors, forms.Form):
    """The upload of a list."""

    file = forms.FileField(
        label="List",
        allow_empty_file=True,
        help_text="Everything that it would change is shown before anything is kept.",
    )

    if_larger = "Zip it, or send it in parts."

    def __init__(self, desk: Desk, *args: Any) -> None:
        super().__init__(*args)
        self.limit = desk.limit
        self.fields["file"].widget.attrs["accept"] = desk.accept

    def how(self) -> dict[str, Any]:
        """Return the options of the job, from what was asked for beside the file."""
        return {}

    def clean_file(self) -> Any:
        """Refuse an empty file, and one that is larger than such a list can be."""
        file = self.cleaned_data["file"]
        if not file.size:
            raise forms.ValidationError("The file is empty. Save the list again, and choose it here.")
        if file.size > self.limit:
            raise forms.ValidationError(
                f"The file has {megabytes(file.size)}; at most {megabytes(self.limit)} are taken. {self.if_larger}"
            )
        return file


class MonthForm(FileForm):
    """The upload of a list of a month."""

    month = LineField(
        max_length=7,
        widget=forms.TextInput(attrs={"type": "month", "placeholder": "2024-02", "pattern": "[0-9]{4}-[0-9]{2}"}),
    )

    def how(self) -> dict[str, Any]:
        """Return the month."""
        return {"month": self.cleaned_data["month"]}

    def clean_month(self) -> str:
        """Refuse what is no month."""
        try:
            return f"{parse_month(self.cleaned_data['month']):%Y-%m}"
        except RunError as error:
            raise forms.ValidationError(f"{error}.") from error
