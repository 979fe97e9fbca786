"""What a USCF event makes of a player, and where he stands afterwards. Pure."""

from dataclasses import dataclass, replace

from config.lib.editions import Edition
from ratings.systems.uscf.columns import Record, Standing


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an event made of a player. None: the figure does not arise.

    `start` the rating that the event began from; `formula` "standard", "special" or "guide", None without a game; `k`,
    `expected` and `bonus` of the standard formula; `rating` unrounded (None: still unrated), `published` as listed;
    `games` afterwards (None: not known); `floor` the highest floor that held, None in the approximate method.
    """

    start: float | None
    effective_games: float | None
    formula: str | None
    k: float | None
    score: float
    expected: float | None
    bonus: float | None
    rating: float | None
    published: int | None
    games: float | None
    floor: float | None


STILL_UNRATED = Outcome(None, None, None, None, 0.0, None, None, None, None, 0.0, None)


def standing_after(
    standing: Standing,
    edition: Edition,
    *,
    rating: float,
    games: float | None,
    played: int,
    score: float,
    wins: int,
    draws: int,
) -> Standing:
    """Return a standing after an event with games: `rating` and `games` are the new ones (None: number not known), `played`,
    `score`, `wins` and `draws` those of the event. The peak rises with an established rating."""
    peak = standing.peak
    if games is None or games > edition["provisional_games"]:
        peak = rating if peak is None else max(peak, rating)
    return replace(
        standing,
        rating=rating,
        games=games,
        record=_record_after(standing, played, score),
        peak=peak,
        wins=standing.wins + wins,
        draws=standing.draws + draws,
        events=standing.events + int(played >= edition["event_games"]),
    )


def _record_after(standing: Standing, played: int, score: float) -> Record | None:
    new = standing.rating is None or standing.games == 0
    if score == played and (new or standing.record is Record.ALL_WON):
        return Record.ALL_WON
    if score == 0.0 and (new or standing.record is Record.ALL_LOST):
        return Record.ALL_LOST
    return None
