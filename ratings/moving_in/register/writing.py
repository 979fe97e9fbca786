"""Writes many players of the register at once, with their histories. In the caller's transaction."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from django.db import connection

from accounts.models import User
from config.lib.histories import ADDED, CHANGED, DELETED, add_versions
from config.table_versions import without_row_triggers
from players.models import Player
from players.operations import fill_derived
from ratings.moving_in.jobs.rows import copy_rows

FIELDS = (
    "fide_id", "last_name", "first_name", "folded_name", "birth_date", "birth_year", "sex", "title", "region", "federation",
    "club",
)  # fmt: skip


@contextmanager
def many_players() -> Iterator[None]:
    """Write many players: on SQLite with one new version of their tables for all of them, within one transaction."""
    with without_row_triggers(Player._meta.db_table), without_row_triggers(Player.history.model._meta.db_table):
        yield


def add_players(players: Sequence[Player], *, at: datetime, by: User | None, reason: str) -> None:
    """Put players on the register who have their numbers."""
    for player in players:
        fill_derived(player)
    fields = [field for field in Player._meta.concrete_fields if not field.primary_key]
    copy_rows(
        Player,
        [str(field.column) for field in fields],
        (
            [field.get_db_prep_save(getattr(player, field.attname), connection) for field in fields]
            for player in players
        ),
    )
    numbers = [player.number for player in players]
    keys = list(Player.objects.filter(number__in=numbers).order_by("pk").values_list("pk", flat=True))
    add_versions(Player, keys, ADDED, at=at, by=by, reason=reason)


def change_players(players: Sequence[Player], *, at: datetime, by: User | None, reason: str) -> None:
    """Write the FIELDS of players that are on the register."""
    for player in players:
        fill_derived(player)
    # One statement of all rows; an UPDATE with a case for each row and field takes many times as long.
    Player.objects.bulk_create(players, update_conflicts=True, unique_fields=["id"], update_fields=FIELDS)
    add_versions(Player, [player.pk for player in players], CHANGED, at=at, by=by, reason=reason)


def remove_players(keys: Sequence[int], *, at: datetime, by: User | None, reason: str) -> None:
    """Take players off the register of whom the caller has made sure that nothing depends on them."""
    add_versions(Player, keys, DELETED, at=at, by=by, reason=reason)
    Player.objects.filter(pk__in=keys)._raw_delete(using=connection.alias)
