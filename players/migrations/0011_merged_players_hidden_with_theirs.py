"""Who is merged into a hidden player was not hidden with him."""

from django.db import migrations
from django.db.models import OuterRef, Subquery


def hide_merged(apps, _):
    """Hide with each hidden player those who are merged into him."""
    players = apps.get_model("players", "Player").objects.order_by()
    merged = players.filter(hidden_since=None, erased_at=None, merged_into__hidden_since__isnull=False)
    into = players.filter(pk=OuterRef("merged_into")).values("hidden_since")
    players.filter(pk__in=list(merged.values_list("pk", flat=True))).update(hidden_since=Subquery(into))


class Migration(migrations.Migration):
    dependencies = [("players", "0010_names_folded_again")]

    operations = [migrations.RunPython(hide_merged, migrations.RunPython.noop)]
