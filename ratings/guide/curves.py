"""Curves of K and of the expected score, drawn by the systems' own code, placed in a picture.

A picture is 360 by 220 units; its plot leaves room for the scale at the left and below.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from django.utils.translation import gettext

from config.lib import formatting
from config.lib.editions import Edition
from ratings.systems import icu
from ratings.systems.cfc.formulas import expected_score as cfc_expected
from ratings.systems.cfc.formulas import k_factor as cfc_k
from ratings.systems.chessa.games import expected_scores, k_factors
from ratings.systems.icu.calculation import expected_score as icu_expected
from ratings.systems.uscf.formulas import effective_games, provisional_expectancy, standard_expectancy
from ratings.systems.uscf.formulas import k_factor as uscf_k

Curve = Callable[[float], float]
WIDTH, HEIGHT = 360, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 350, 10, 190
RATINGS = (600, 2800)  # what the pictures show, no limit of any system
DIFFERENCES = (-800, 800)
_STEP = 5
_OWN = 1500  # the lower of two ratings, where only the difference counts
_LONG = 10**6  # years of age and membership beyond every bound
_EVENT_GAMES = (4, 8)  # of the events for which K of US Chess is drawn


@dataclass(frozen=True, slots=True)
class Line:
    """A curve in a picture: its name, its points as SVG writes them, its values at the marks of the scale below."""

    name: str
    points: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark of a scale: its text and its place, in units of the picture."""

    text: str
    place: float


@dataclass(frozen=True, slots=True)
class Picture:
    """Curves over one scale; `across` and `up` are the marks of the scales, `axis` says what stands below."""

    title: str
    axis: str
    across: tuple[Mark, ...]
    up: tuple[Mark, ...]
    lines: tuple[Line, ...]

    @property
    def table(self) -> list[tuple[str, list[str]]]:
        """The values at the marks below, a row each."""
        return [(mark.text, [line.values[index] for line in self.lines]) for index, mark in enumerate(self.across)]


def k_curves(system: str, edition: Edition) -> dict[str, Curve]:
    """Return K by rating for each kind of player that a system tells apart."""
    if system == "chessa":
        return {gettext("by highest rating"): lambda rating: float(k_factors(np.array([rating]), edition)[0])}
    if system == "icu":
        return {
            gettext("under the age for juniors"): lambda rating: icu.k_factor(rating, 0, _LONG, edition),
            gettext("new members"): lambda rating: icu.k_factor(rating, _LONG, 0, edition),
            gettext("others"): lambda rating: icu.k_factor(rating, _LONG, _LONG, edition),
        }
    if system == "uscf":
        return {
            gettext("event of %(games)s games") % {"games": games}: _uscf_k(games, edition) for games in _EVENT_GAMES
        }
    return {gettext("by rating"): lambda rating: float(cfc_k(int(rating), edition))}


def _uscf_k(games: int, edition: Edition) -> Curve:
    return lambda rating: float(uscf_k(rating, effective_games(rating, np.inf, edition), games, edition))


def expected_curves(system: str, edition: Edition) -> dict[str, Curve]:
    """Return the expected score by rating difference, one's own less the opponent's."""
    if system == "chessa":
        return {
            gettext("with White"): lambda difference: float(expected_scores(np.array([difference]), edition)[0]),
            gettext("with Black"): lambda difference: 1.0 - float(expected_scores(np.array([-difference]), edition)[0]),
        }
    if system == "icu":
        return {
            gettext("any game"): lambda difference: float(
                icu_expected(np.array([difference]), np.array([0.0]), edition)[0]
            )
        }
    if system == "uscf":
        return {
            gettext("standard formula"): lambda difference: float(standard_expectancy(difference, 0.0, edition)),
            gettext("special formula"): lambda difference: float(provisional_expectancy(difference, 0.0, edition)),
        }
    return {gettext("any game"): lambda difference: float(cfc_expected(_OWN + int(difference), _OWN, edition))}


def k_picture(system: str, edition: Edition) -> Picture:
    """Return the picture of K by rating."""
    curves = k_curves(system, edition)
    highest = max(curve(float(rating)) for curve in curves.values() for rating in range(*RATINGS, _STEP))
    top = int(-(-highest // 10) * 10)
    return _picture(
        gettext("K by rating"),
        gettext("rating"),
        curves,
        RATINGS,
        range(800, 2800, 400),
        (0, top),
        range(0, top + 1, 10),
        _plain,
    )


def expected_picture(system: str, edition: Edition) -> Picture:
    """Return the picture of the expected score by rating difference."""
    return _picture(
        gettext("Expected score by rating difference"),
        gettext("own rating less the opponent’s"),
        expected_curves(system, edition),
        DIFFERENCES,
        range(-600, 601, 200),
        (0.0, 1.0),
        (0.0, 0.25, 0.5, 0.75, 1.0),
        _share,
    )


def _plain(value: float) -> str:
    return formatting.in_style(f"{value:.1f}".removesuffix(".0").replace("-", "−"))


def _share(value: float) -> str:
    return formatting.in_style(f"{value:.2f}")


def _picture(
    title: str,
    axis: str,
    curves: dict[str, Curve],
    span: tuple[int, int],
    across: Sequence[int],
    height: tuple[float, float],
    up: Sequence[float],
    text: Callable[[float], str],
) -> Picture:
    def x(value: float) -> float:
        return round(_LEFT + (value - span[0]) / (span[1] - span[0]) * (_RIGHT - _LEFT), 1)

    def y(value: float) -> float:
        return round(_BOTTOM - (value - height[0]) / (height[1] - height[0]) * (_BOTTOM - _TOP), 1)

    lines = tuple(
        Line(
            name,
            _thin([(x(place), y(curve(float(place)))) for place in range(span[0], span[1] + 1, _STEP)]),
            tuple(text(curve(float(place))) for place in across),
        )
        for name, curve in curves.items()
    )
    return Picture(
        title,
        axis,
        tuple(Mark(_plain(place), x(place)) for place in across),
        tuple(Mark(formatting.in_style(f"{place:g}"), y(place)) for place in up),
        lines,
    )


def _thin(points: Sequence[tuple[float, float]]) -> str:
    """Return points as SVG writes them, without those between two others on one level."""
    kept = [points[0]]
    for point, following in pairwise(points[1:]):
        if not kept[-1][1] == point[1] == following[1]:
            kept.append(point)
    return " ".join(f"{across:g},{down:g}" for across, down in [*kept, points[-1]])
