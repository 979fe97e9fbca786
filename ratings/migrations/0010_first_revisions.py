from django.db import migrations


def write_first_revisions(apps, schema_editor):
    """Every list that is published so far is the first of its month."""
    PublishedRun, Revision = apps.get_model("ratings", "PublishedRun"), apps.get_model("ratings", "Revision")
    rows = PublishedRun.objects.values_list("period", "run", "period__published_at", "run__published_by")
    Revision.objects.bulk_create(
        Revision(period_id=period, number=1, run_id=run, published_at=at, by_id=by) for period, run, at, by in rows
    )


class Migration(migrations.Migration):

    dependencies = [("events", "0012_ids_of_entries"), ("ratings", "0009_reratings")]

    operations = [migrations.RunPython(write_first_revisions, migrations.RunPython.noop)]
