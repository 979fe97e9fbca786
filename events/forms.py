"""What several forms of events share: the check of their days, and findings at fields."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from config.lib.forms import ShownErrors, number_field
from config.lib.pure_texts import PureTexts
from events.models import Arbiter
from events.rules.days import span_errors
from events.rules.findings import Finding
from events.rules.sizes import LAST_POSITION
from events.wording import sentence_of

MOST_ROUNDS_WHY = _("a section is registered with that many rounds at most")
LONG_TEXT = _("At most %(limit_value)s characters; shorten it.")
SHORT_TEXT = _("At most %(limit_value)s characters.")

# What `events.rules.days` finds.
DAYS = PureTexts(
    gettext_noop("%(year)s cannot be meant. Correct the year."),
    gettext_noop("The last day comes before the first. Correct one of them."),
    gettext_noop("That is more than a year. Correct one of the days."),
    gettext_noop("It lies outside the event’s days."),
)


class ArbiterField(forms.ModelChoiceField):
    """A choice of arbiters, each with the title in the reader's language."""

    def label_from_instance(self, obj: Arbiter) -> str:
        """Return the title and the name."""
        return f"{gettext(obj.get_title_display())} {obj.name}"


class DatesMixin(ShownErrors, forms.Form):
    """A form with a first and a last day, `starts` and `ends`."""

    def clean(self) -> dict[str, Any]:
        """Check that the days are plausible and in order."""
        cleaned: dict[str, Any] = super().clean() or {}
        add_findings(self, span_errors(cleaned.get("starts"), cleaned.get("ends")))
        return cleaned


def add_findings(form: forms.BaseForm, findings: Iterable[Finding]) -> None:
    """Put findings at the fields of a form that they name, as errors."""
    for finding in list(findings):
        form.add_error(finding.field, sentence_of(DAYS.said(finding.message), finding.article))


def position_field() -> forms.Field:
    """Return the field of a row's position in its event, as wide as a number is at the desk."""
    field = number_field("Position", 1, LAST_POSITION, required=True)
    field.widget.attrs["class"] = "vIntegerField"
    return field
