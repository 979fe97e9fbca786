"""What jobs that are over still quoted of the lists that were brought in: values, headings and findings with names."""

from django.db import migrations

QUOTES = ("samples", "columns", "findings", "unreadable", "remarks", "rows")


def drop_quotes(apps, _):
    """Drop the values by which columns were chosen, and of a list that was put away or forgotten all that is quoted of it."""
    jobs = apps.get_model("ratings", "ImportJob").objects
    for job in jobs.filter(state__in=("taken", "undone", "discarded")).order_by("pk"):
        gone = job.state == "discarded" or "forgotten" in job.summary
        dropped = QUOTES if gone else QUOTES[:1]
        summary = {name: value for name, value in job.summary.items() if name not in dropped}
        options = {name: value for name, value in job.options.items() if not (gone and name == "columns")}
        jobs.filter(pk=job.pk).update(summary=summary, options=options)


class Migration(migrations.Migration):
    dependencies = [("ratings", "0028_seal_input_hash")]

    operations = [migrations.RunPython(drop_quotes, migrations.RunPython.noop)]
