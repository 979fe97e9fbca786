from django.db import migrations
from django.db.models import F


def count_earlier_notices(apps, schema_editor):
    """Refusals made before the notice was kept were notified when they were made."""
    apps.get_model("events", "Refusal").objects.filter(notified_at=None).update(notified_at=F("at"))


class Migration(migrations.Migration):

    dependencies = [("events", "0007_notices_and_reports")]

    operations = [migrations.RunPython(count_earlier_notices, migrations.RunPython.noop)]
