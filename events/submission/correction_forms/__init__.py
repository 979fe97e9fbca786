"""The forms beside the findings of an upload's report, by name. Each turns what is entered into answers.

The kind of a finding's correction (`events.rules.corrections`) names its form. `events.submission.report` collects what the
forms ask for. Who the players are, and the details of new ones, are answered in the table of `events.submission.newcomers`.
"""

from collections.abc import Mapping

from events.submission.correction_forms.base import CorrectionForm
from events.submission.correction_forms.penalties import PenaltyNoticeForm
from events.submission.correction_forms.regions import RegionsForm
from events.submission.correction_forms.section import (
    CodePageForm,
    NamedArbitersForm,
    RoundDaysForm,
    SectionDaysForm,
    ServingArbiterForm,
    TimeControlForm,
)

FORMS: Mapping[str, type[CorrectionForm]] = {
    form.name: form
    for form in (
        RoundDaysForm,
        RegionsForm,
        TimeControlForm,
        SectionDaysForm,
        ServingArbiterForm,
        NamedArbitersForm,
        CodePageForm,
        PenaltyNoticeForm,
    )
}
