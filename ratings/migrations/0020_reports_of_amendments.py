from django.db import migrations, models


def carry_over(apps, schema_editor):
    """Keep the one report that each amendment had."""
    amendments = apps.get_model("ratings", "Amendment")
    for amendment in amendments.objects.filter(report__isnull=False):
        amendment.reports.add(amendment.report_id)


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0015_readings"),
        ("ratings", "0019_against_the_run_before"),
    ]

    operations = [
        migrations.AddField(
            model_name="amendment",
            name="reports",
            field=models.ManyToManyField(blank=True, related_name="reports_amendments", to="events.errorreport"),
        ),
        migrations.RunPython(carry_over, migrations.RunPython.noop),
        migrations.RemoveField(model_name="amendment", name="report"),
        migrations.AlterField(
            model_name="amendment",
            name="reports",
            field=models.ManyToManyField(blank=True, related_name="amendments", to="events.errorreport"),
        ),
    ]
