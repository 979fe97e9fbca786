"""The four lists of article 24."""

from django.db import migrations

LISTS = [("main", "Main"), ("standard", "Standard"), ("rapid", "Rapid"), ("blitz", "Blitz")]


def fill(apps, schema_editor):
    RatingList = apps.get_model("ratings", "RatingList")
    for position, (code, name) in enumerate(LISTS, start=1):
        RatingList.objects.create(code=code, name=name, position=position)


class Migration(migrations.Migration):
    dependencies = [("ratings", "0001_initial")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
