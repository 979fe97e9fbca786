"""Where a player's ratings begin, if that is an opening balance, and what was filled in there."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from players.profile.history import ListStanding
from ratings.explanations.brought_in import filled_texts
from ratings.lists.definitions import ListDefinition
from ratings.models import Rating, RatingRun


@dataclass(frozen=True, slots=True)
class Beginning:
    """The opening balance from which a player's ratings are calculated: a sentence, and (name, code, what was filled in) for
    each list."""

    text: str
    code: str
    lists: list[tuple[str, str, list[str]]]


def beginning(
    player: int, player_standings: Sequence[ListStanding], lists: Sequence[ListDefinition]
) -> Beginning | None:
    """Return the opening balance in which a player has a rating; None without one, and then no query, else one."""
    opened = [
        standing
        for standing in player_standings
        if standing.publication.kind == RatingRun.Kind.OPENING and standing.published is not None
    ]
    if not opened:
        return None
    publication = opened[0].publication
    marks = dict(Rating.objects.filter(run_id=publication.run, player_id=player).values_list("list_id", "standing"))
    if any(standing.publication.month < publication.month for standing in player_standings):
        text = gettext(
            "The ratings are calculated from the opening balance of %(day)s on, which the federation brought with it; what"
            " stands before it are lists of the former bureau."
        )
    else:
        text = gettext("The ratings begin with the opening balance of %(day)s, which the federation brought with it.")
    on_lists = {standing.listing for standing in opened}
    return Beginning(
        text % {"day": publication.long_day_text},
        publication.code,
        [
            (listing.name, listing.code, filled_texts(marks.get(listing.id)) if listing.is_national else [])
            for listing in lists
            if listing.id in on_lists
        ],
    )
