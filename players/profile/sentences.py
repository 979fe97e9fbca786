"""A month on a rating list in a sentence: what games earned, and what limits, penalties and averages made of it. Pure."""

from dataclasses import dataclass
from datetime import date

import numpy as np
from django.utils.translation import gettext

from config.lib import formatting
from ratings.systems import chessa
from ratings.systems.chessa.calculation import greatest_changes

_SHOWN = 0.05  # less than this is no figure with one decimal


@dataclass(frozen=True, slots=True)
class MonthFigures:
    """What a run wrote of a player's month on one of the regulations' own lists, with the standing a month before.

    `earned` is the sum of the games' changes, `points` and `average_opponent` those of the rated games. `raw_before` None: he
    was unrated. `adjusted`: the points by which the bureau corrected what was published before (article 64).
    """

    calculated_on: date
    games: int
    points: float
    average_opponent: float | None
    earned: float
    weighted_performance: float | None
    raw_before: float | None
    raw: float
    published_before: float | None
    published: float
    adjusted: float = 0.0


@dataclass(frozen=True, slots=True)
class MonthParts:
    """Of what the change of a published rating is made up; the sum of `counted`, `raised`, `adjusted`, `other`, `averaged`.

    `counted`: of what the games earned, within the greatest change (article 47); `raised`: by the weighted performance
    (article 40); `adjusted`: by the bureau (64); `other`: the floor (42) less penalties (51 to 54); `averaged`: by the weighted
    average of the last 24 ratings, where that is or was the published one (49, 50).
    """

    counted: float
    raised: float
    adjusted: float
    other: float
    averaged: float

    @property
    def total(self) -> float:
        """The change of the published rating; of a first one against the rating at which the unrated start (article 56)."""
        return self.counted + self.raised + self.adjusted + self.other + self.averaged


def month_parts(month: MonthFigures) -> MonthParts:
    """Return of what the change of a month is made up."""
    edition = chessa.edition_for(month.calculated_on)
    start = float(edition["unrated_rating"]) if month.raw_before is None else month.raw_before
    before = start if month.published_before is None else month.published_before
    limit = float(greatest_changes(np.array([start]), edition)[0]) if month.games else 0.0
    counted = min(max(month.earned, -limit), limit)
    raised = 0.0
    if month.weighted_performance is not None and month.games:
        raised = max(0.0, min(month.weighted_performance - start, limit) - counted)
    return MonthParts(
        counted=counted,
        raised=raised,
        adjusted=month.adjusted,
        other=month.raw - start - counted - raised - month.adjusted,
        averaged=(month.published - month.raw) - (before - start),
    )


def month_sentence(month: MonthFigures) -> str:
    """Return a month on a list in a sentence: `+12.5 for 3½ of 6 against 1 480 on average; …`."""
    parts = month_parts(month)
    clauses = [_games(month, parts)]
    if parts.raised >= _SHOWN:
        clauses.append(gettext("the weighted performance added %(points)s") % _points(parts.raised))
    if parts.adjusted > 0:
        clauses.append(gettext("an adjustment added %(points)s (article 64)") % _points(parts.adjusted))
    elif parts.adjusted < 0:
        clauses.append(gettext("an adjustment took %(points)s away (article 64)") % _points(parts.adjusted))
    if parts.other >= _SHOWN:
        clauses.append(gettext("the floor of article 42 added %(points)s") % _points(parts.other))
    elif parts.other <= -_SHOWN:
        clauses.append(gettext("penalties took %(points)s away") % _points(parts.other))
    if parts.averaged >= _SHOWN:
        clauses.append(
            gettext("the weighted average of the last 24 ratings added %(points)s") % _points(parts.averaged)
        )
    elif parts.averaged <= -_SHOWN:
        text = gettext("the weighted average of the last 24 ratings took %(points)s away")
        clauses.append(text % _points(parts.averaged))
    text = "; ".join(clauses)
    if month.published_before is None:
        start = {"rating": formatting.rating(month.published - parts.total), "reasons": text}
        return gettext("New on the list, from %(rating)s: %(reasons)s.") % start
    if len(clauses) > 1 and month.games:
        text = gettext("%(reasons)s: %(change)s in all") % {"reasons": text, "change": formatting.change(parts.total)}
    return f"{text}."


def _games(month: MonthFigures, parts: MonthParts) -> str:
    if not month.games:
        return gettext("No rated game")
    values = {
        "change": formatting.change(month.earned),
        "score": formatting.score(month.points),
        "games": month.games,
        "rating": formatting.whole(month.average_opponent),
    }
    if month.average_opponent is None:
        text = gettext("%(change)s for %(score)s of %(games)s") % values
    else:
        text = gettext("%(change)s for %(score)s of %(games)s against %(rating)s on average") % values
    if abs(month.earned - parts.counted) >= _SHOWN:
        counted = {"games": text, "points": formatting.rating(abs(parts.counted))}
        text = gettext("%(games)s, of which %(points)s counts (article 47)") % counted
    return text


def _points(change: float) -> dict[str, str]:
    return {"points": formatting.rating(abs(change))}
