"""Bureaus with a player who is on the register twice."""

from collections.abc import Collection
from datetime import UTC, date, datetime
from typing import Any

from config.lib.days import next_month
from events.amending.content import read_content, write_content
from events.amending.edits import players_of, with_player
from events.models import Section
from players.models import Player
from ratings.models import Amendment, Performance, PublishedRun, Rating, Rerating
from ratings.rerating.operations import request_publication, start_rerating
from ratings.rerating.worker import process_rerating
from tests.builders import everything, months, player, publish
from tests.federation import load

FIRST = date(2024, 1, 1)
AT = datetime(2024, 6, 2, 8, tzinfo=UTC)
MONTHS = months(FIRST, 4)
# What only tells what was done: it grows, and nothing else reads it.
_RECORDS = {"ratings_merge", "accounts_decision", "players_historicalplayer"}


def bureau(seed: int, twice: Collection[int] = (), publish_months: int = 4) -> tuple[Player, Player]:
    """Four months of a small federation; a player of it, and another row of the register, `twin`, who played in his place in
    these of his sections, by place. Return the twin and the player."""
    for place, month in enumerate(MONTHS):
        load(players=24, games=40, sections=3, seed=seed + place, month=month, active=1)
    kept = Player.objects.order_by("number")[seed % 24]
    kept.birth_year = 1990
    kept.save()
    twin = player(kept.last_name, kept.first_name, birth_date=date(1990, 3, 4), club="Mopane")
    sections = [section for section in Section.objects.order_by("pk") if kept.pk in players_of(read_content(section))]
    for place in twice:
        section = sections[place % len(sections)]
        content = read_content(section)
        if kept.pk in players_of(content):
            write_content(section, with_player(content, kept.pk, twin.pk))
    for month in MONTHS[:publish_months]:
        publish(month, at=datetime(*next_month(month).timetuple()[:3], 8, tzinfo=UTC))
    return twin, kept


def published() -> list[tuple[Any, ...]]:
    """Every figure of every list in force, without the numbers of the runs."""
    rows: list[tuple[Any, ...]] = []
    for pointer in PublishedRun.objects.order_by("period__month").select_related("run", "period"):
        ratings = Rating.objects.filter(run=pointer.run).order_by("list_id", "player__number")
        names = [field.name for field in Rating._meta.fields if field.name not in ("pk", "run", "player")]
        rows += [
            (str(pointer.period), row.player.number, *(_figure(getattr(row, name)) for name in names))
            for row in ratings.select_related("player", "list", "region")
        ]
        performances = Performance.objects.filter(run=pointer.run).order_by("list_id", "section__pk", "player__number")
        rows += [
            (str(pointer.period), row.player.number, row.list_id, row.section.event.name, row.performance, row.change)
            for row in performances.select_related("player", "section__event")
        ]
    return rows


def _figure(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value


def rerate(first: date | None = None) -> Rerating:
    """Calculate the months anew for all that waits."""
    waiting = list(Amendment.objects.filter(rerating=None, applied_at=None))
    return process_rerating(start_rerating(first, waiting, reason="One person.", at=AT).pk)


def publish_again(rerating: Rerating) -> Rerating:
    """Publish the corrected months."""
    request_publication(rerating, at=AT)
    return process_rerating(rerating.pk)


def rows() -> dict[str, list[str]]:
    """Every row but those of the records."""
    return {table: kept for table, kept in everything().items() if table not in _RECORDS}
