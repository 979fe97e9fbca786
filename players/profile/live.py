"""Where a player stands today, where that is not his published rating."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext

from config.languages import counted
from players.profile.lines import PlayedRow
from ratings.lists.definitions import ListDefinition
from ratings.live import queries


@dataclass(frozen=True, slots=True)
class LiveLine:
    """The live ratings that pages show otherwise than the published ones, as (list, rating), and why they moved."""

    ratings: list[tuple[ListDefinition, str]]
    reason: str


def live_line(
    live: queries.Live | None, standings: Iterable[queries.LiveStanding], rows: Iterable[PlayedRow]
) -> LiveLine | None:
    """Return a player's live ratings; None where none is shown otherwise than the published one.

    `live`: what they stand on; `rows` of `played_rows`.
    """
    if live is None:
        return None
    moved = [standing for standing in standings if standing.is_shown_otherwise]
    if not moved:
        return None
    events = {row.event for row in rows if row.section in live.sections}
    reason = gettext("by the weighted average")
    if events:
        reason = gettext("%(events)s not yet published") % {
            "events": counted(len(events), "%(count)s event", "%(count)s events")
        }
    return LiveLine([(standing.listing, standing.listing.rating(standing.rating)) for standing in moved], reason)
