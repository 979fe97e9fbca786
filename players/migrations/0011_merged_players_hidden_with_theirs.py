"""Who is merged into a hidden player was not hidden with him."""

from django.db import migrations
from django.db.models import F, OuterRef, Q, Subquery


def hide_merged(apps, _):
    """Hide, or show, with each player those who are merged into him."""
    players = apps.get_model("players", "Player").objects.order_by()
    merged = players.filter(merged_into__isnull=False, erased_at=None)
    alike = Q(hidden_since=F("merged_into__hidden_since")) | Q(hidden_since=None, merged_into__hidden_since=None)
    keys = list(merged.exclude(alike).values_list("pk", flat=True))
    into = players.filter(pk=OuterRef("merged_into")).values("hidden_since")
    players.filter(pk__in=keys).update(hidden_since=Subquery(into))


class Migration(migrations.Migration):
    dependencies = [("players", "0010_names_folded_again")]

    operations = [migrations.RunPython(hide_merged, migrations.RunPython.noop)]
