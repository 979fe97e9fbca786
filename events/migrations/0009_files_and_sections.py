import django.db.models.deletion
from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def copy_names(apps, schema_editor):
    """A submission takes the name that its file had."""
    files = apps.get_model("events", "SubmittedFile").objects.filter(pk=OuterRef("file"))
    apps.get_model("events", "Submission").objects.update(name=Subquery(files.values("name")))


class Migration(migrations.Migration):
    dependencies = [("events", "0008_mend")]

    operations = [
        migrations.AddField(
            "submission", "name", models.CharField("file", default="", max_length=255), preserve_default=False
        ),
        migrations.RunPython(copy_names, elidable=True),
        migrations.RemoveField("submittedfile", "name"),
        migrations.AddField(
            "upload",
            "instead_of",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="events.upload",
            ),
        ),
        migrations.AddField("section", "disabled", models.BooleanField("for disabled players only", default=False)),
    ]
