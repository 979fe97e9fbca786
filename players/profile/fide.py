"""FIDE's ratings of a player, beside the national ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from django.utils.translation import gettext_lazy as _

from config.lib import formatting
from players.models import FideRating

NAMES = {
    FideRating.Kind.STANDARD: _("standard"),
    FideRating.Kind.RAPID: _("rapid"),
    FideRating.Kind.BLITZ: _("blitz"),
}


@dataclass(frozen=True, slots=True)
class FideFigure:
    """A rating of FIDE's list of a month. `k`, `games` and `inactive` are None where the list does not say them."""

    kind: FideRating.Kind
    rating: int
    k: int | None
    games: int | None
    inactive: bool | None
    month: date

    @property
    def name(self) -> str:
        """The kind, in the language of the page."""
        return str(NAMES[self.kind])

    @property
    def label(self) -> str:
        """The kind, in English."""
        return str(self.kind.label)

    @property
    def rating_text(self) -> str:
        """The rating as pages show it."""
        return formatting.whole(self.rating)


@dataclass(frozen=True, slots=True)
class FideLine:
    """The ratings of one list of FIDE's."""

    month: date
    figures: Sequence[FideFigure]

    @property
    def month_text(self) -> str:
        """The month of the list."""
        return formatting.month(self.month)


def fide_figures(rows: Iterable[Sequence[Any]]) -> list[FideFigure]:
    """Return the ratings, standard first, of (month counted from year 0, place of the kind, games, rating, K, inactive)."""
    kinds = list(FideRating.Kind)
    return [
        FideFigure(
            kinds[int(place)],
            int(rating),
            None if k is None else int(k),
            None if games is None else int(games),
            None if inactive is None else bool(inactive),
            date(int(month) // 12, int(month) % 12 + 1, 1),
        )
        for month, place, games, rating, k, inactive in sorted(rows, key=lambda row: int(row[1]))
    ]


def fide_lines(figures: Iterable[FideFigure]) -> list[FideLine]:
    """Return the ratings by list, in their order: one line, unless lists of one kind were taken in different months."""
    return [FideLine(month, list(of_list)) for month, of_list in groupby(figures, key=lambda figure: figure.month)]
