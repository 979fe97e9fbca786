"""Names with letters that are signs above a line, such as the apostrophe U+02BC, fold to other words since."""

from django.db import migrations

from players.identity import folded_name


def fold_again(apps, _):
    """Give the players, and their history, whose stored name is not that of today's folding the one that is."""
    for name in ("Player", "HistoricalPlayer"):
        rows = apps.get_model("players", name).objects.order_by()
        for key, last, first, stored in rows.values_list("pk", "last_name", "first_name", "folded_name").iterator():
            if (today := folded_name(last, first)) != stored:
                rows.filter(pk=key).update(folded_name=today)


class Migration(migrations.Migration):
    dependencies = [("players", "0009_erased_players")]

    operations = [migrations.RunPython(fold_again, migrations.RunPython.noop)]
