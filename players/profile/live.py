"""Where a player stands today, where that is not his published rating."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from config.kept_reads import kept
from config.lib import formatting
from players.profile.lines import PlayedRow
from ratings.lists.definitions import ListDefinition
from ratings.live import queries


@dataclass(frozen=True, slots=True)
class LiveLine:
    """The live ratings that pages show otherwise than the published ones, as (list, rating), and why they moved."""

    ratings: list[tuple[ListDefinition, str]]
    reason: str


def live_line(player: int, rows: Iterable[PlayedRow], lists: Sequence[ListDefinition]) -> LiveLine | None:
    """Return a player's live ratings on some lists; None where none is shown otherwise than the published one.

    `rows` of `played_rows`. Two queries; one while what the live list stands on is kept.
    """
    live = kept(queries.live)
    if live is None:
        return None
    moved = [standing for standing in queries.live_standings(player, lists) if standing.is_shown_otherwise]
    if not moved:
        return None
    events = {row.event for row in rows if row.section in live.sections}
    reason = f"{formatting.count(len(events), 'event')} not yet published" if events else "by the weighted average"
    return LiveLine([(standing.listing, standing.listing.rating(standing.rating)) for standing in moved], reason)
