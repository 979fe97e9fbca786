"""Answers about a new player's birth, which arbiters read too, say the year alone since."""

import re

from django.db import migrations

_DAY = re.compile(r": date of birth [0-9]{1,2}\s\w+\s([0-9]{4})\.$")


def keep_years(apps, _):
    """Take the day out of what was answered, and out of what the checks noted of it."""
    answers = apps.get_model("events", "Correction").objects.filter(kind="birth")
    notes = apps.get_model("events", "SubmissionFinding").objects.filter(code="corrected-birth")
    for rows, column in ((answers, "answer"), (notes, "message")):
        for key, text in rows.order_by().values_list("pk", column).iterator():
            rows.filter(pk=key).update(**{column: _DAY.sub(r": date of birth in \1.", text)})


class Migration(migrations.Migration):
    dependencies = [("events", "0021_replaced_files")]

    operations = [migrations.RunPython(keep_years, migrations.RunPython.noop)]
