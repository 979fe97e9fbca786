"""Bureaus with a player who is on the register twice."""

from collections.abc import Collection
from datetime import date

from events.amending.content import read_content, write_content
from events.amending.edits import players_of, with_player
from events.models import Section
from players.models import Player
from tests.builders import everything, player
from tests.ratings.chain import load_months, publish_months

# What only tells what was done: it grows, and nothing else reads it.
_RECORDS = {"ratings_merge", "accounts_decision", "players_historicalplayer"}


def bureau(seed: int, twice: Collection[int] = (), months: int = 4) -> tuple[Player, Player]:
    """Four months of a small federation; a player of it, and another row of the register, `twin`, who played in his place in
    these of his sections, by place. Return the twin and the player."""
    load_months(seed)
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
    publish_months(months)
    return twin, kept


def rows() -> dict[str, list[str]]:
    """Every row but those of the records."""
    return {table: kept for table, kept in everything().items() if table not in _RECORDS}
