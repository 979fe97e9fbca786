from django.db import migrations
from django.db.models.functions import Lower


def write_small(apps, schema_editor):
    """Keep the addresses of mails in small letters, as those of players and users are."""
    mails = apps.get_model("accounts", "Mail").objects
    mails.exclude(to=Lower("to")).update(to=Lower("to"))


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_squashed_0009_erased_accounts"),
    ]

    operations = [migrations.RunPython(write_small, migrations.RunPython.noop)]
