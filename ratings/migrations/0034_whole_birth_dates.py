import csv
import io
import zipfile

from django.db import migrations, models


def note_births(apps, schema_editor):
    """Note which runs' files have whole birth dates: those that have another day than 1 January."""
    downloads = apps.get_model("ratings", "Download").objects.filter(name__startswith="ratings_")
    runs = apps.get_model("ratings", "RatingRun").objects
    for run in list(downloads.order_by().values_list("run", flat=True).distinct()):
        files = downloads.filter(run=run).values_list("content", flat=True)
        runs.filter(pk=run).update(whole_birth_dates=any(map(_has_days, files)))


def _has_days(content):
    with zipfile.ZipFile(io.BytesIO(bytes(content))) as archive:
        text = archive.read(archive.namelist()[0]).decode()
    rows = csv.DictReader(io.StringIO(text, newline=""))  # a name may have what counts as a line's end elsewhere
    return any(not (row["BDATE"] or "").endswith("/01/01") for row in rows)


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0033_amending_files'),
    ]

    operations = [
        migrations.AddField(
            model_name='ratingrun',
            name='whole_birth_dates',
            field=models.BooleanField(editable=False, help_text='Whether its files have them; unknown until they are made.', null=True),
        ),
        migrations.RunPython(note_births, migrations.RunPython.noop),
    ]
