"""Keeps who may be on the register twice, and remembers that two players who look like one person are two."""

from collections.abc import Iterable
from datetime import datetime

from django.db import connection, transaction

from accounts.models import User
from accounts.trail.operations import record
from config.table_versions import TablesRead, table_versions
from players.models import Player
from ratings.duplicates.queries import Duplicate, find_duplicates
from ratings.models import DistinctPair, DuplicateSearch, LikelyDuplicate


def tell_apart(one: Player, other: Player, *, at: datetime, by: User | None = None) -> DistinctPair:
    """Say that two players are two people, so that they are not listed as likely duplicates again."""
    with transaction.atomic():
        # Whoever is being erased is waited for, and has no name afterwards.
        rows = Player.objects.select_for_update(of=("self",)).filter(pk__in=(one.pk, other.pk))
        first, second = rows.order_by("pk")
        pair, created = DistinctPair.objects.get_or_create(first=first, second=second, defaults={"at": at, "by": by})
        if created:
            record("told apart", first, at=at, by=by, after={"another person": str(second)})
    return pair


def refresh_duplicates(*, at: datetime) -> bool:
    """Search the register for duplicates anew if what the search reads was written to since. Returns whether it was searched.

    A pair that is found again keeps the moment at which it was found first.
    """
    versions = table_versions()  # before anything is read: what is written meanwhile is seen the next time
    last = DuplicateSearch.objects.first()
    if last and all(versions.get(table) == version for table, version in last.versions.items()):
        return False
    tables = TablesRead()
    with connection.execute_wrapper(tables):
        found = find_duplicates()
    seen = {table: versions[table] for table in sorted(tables) if table in versions}
    with transaction.atomic():
        search, created = DuplicateSearch.objects.select_for_update().get_or_create(
            pk=1, defaults={"at": at, "versions": {}}
        )
        if not created and (last is None or (search.at, search.versions) != (last.at, last.versions)):
            return False  # another worker was quicker; what it did not see is searched the next time
        _keep(found, at=at)
        search.at, search.versions = at, seen
        search.save()
    return True


def _keep(found: Iterable[Duplicate], *, at: datetime) -> None:
    rows = {}
    for pair in found:
        first, second = sorted(player.pk for player in pair.players)
        rows[first, second] = LikelyDuplicate(
            first_id=first, second_id=second, why=pair.why, score=pair.score, found_at=at
        )
    known = {(row.first_id, row.second_id): row for row in LikelyDuplicate.objects.all()}
    gone = [row.pk for key, row in known.items() if key not in rows]
    LikelyDuplicate.objects.filter(pk__in=gone).delete()
    LikelyDuplicate.objects.bulk_create([row for key, row in rows.items() if key not in known], batch_size=1000)
    changed = [row for key, row in known.items() if key in rows and row.why != rows[key].why]
    for row in changed:
        row.why, row.score = rows[row.first_id, row.second_id].why, rows[row.first_id, row.second_id].score
    LikelyDuplicate.objects.bulk_update(changed, ["why", "score"], batch_size=1000)
