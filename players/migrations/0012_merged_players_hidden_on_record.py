"""Those whom 0011 hid have no version that says so: `verify` found a change by hand."""

from django.db import migrations
from django.db.models import Max
from django.utils import timezone


def record_hidden(apps, _):
    """Write a version for each player who is hidden with the one he is merged into, if his history does not say so."""
    players, versions = apps.get_model("players", "Player"), apps.get_model("players", "HistoricalPlayer")
    merged = players.objects.order_by("pk").filter(
        hidden_since__isnull=False, erased_at=None, merged_into__hidden_since__isnull=False
    )
    since = dict(merged.values_list("pk", "hidden_since"))
    newest = versions.objects.order_by().filter(id__in=since).values("id").annotate(newest=Max("history_id"))
    for version in versions.objects.filter(pk__in=newest.values("newest"), hidden_since=None).order_by("pk"):
        version.pk, version._state.adding = None, True
        version.hidden_since = since[version.id]
        version.history_date, version.history_type, version.history_user_id = timezone.now(), "~", None
        version.history_change_reason = "hidden with the player he is merged into"
        version.save()


class Migration(migrations.Migration):
    dependencies = [("players", "0011_merged_players_hidden_with_theirs")]

    operations = [migrations.RunPython(record_hidden, migrations.RunPython.noop)]
