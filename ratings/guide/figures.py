"""The figures of the Chess SA regulations as the guide's sentences name them, from the tables of editions."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext

from config.lib import formatting
from config.lib.editions import Edition


def figures(edition: Edition) -> dict[str, str]:
    """Return the figures of an edition in words, by the name that the texts of `ratings.guide.articles` give them."""
    by_format = edition["smallest_section"]
    types: tuple[tuple[float, str], ...] = edition["types_of_game"]
    blitz, rapid, standard, classical = (figure(minutes) for minutes, _ in types)
    low, high = edition["difference_bounds"]
    youth, veterans = edition["age_groups"]
    days = edition["registration_days"]
    weights = edition["type_weights"]
    a, b, c, d = edition["tournament_weight"]
    return {
        **{
            f"{name.replace('-', '_')}_{part}": figure(value)
            for name, pair in by_format.items()
            for part, value in zip(("least", "rounds"), pair, strict=True)
        },
        **{name: figure(edition[name]) for name in _PLAIN},
        "k_steps": k_steps(edition["k_thresholds"], edition["k_factors"]),
        "blitz_from": blitz,
        "rapid_from": rapid,
        "standard_from": standard,
        "classical_from": classical,
        "difference_low": figure(low),
        "difference_high": figure(high),
        "youth": _listed([f"U{age}" for age in youth]),
        "veterans": _listed([f"{age}+" for age in veterans]),
        "days_rated": figure(days["rated"]),
        "days_fide": figure(days["fide"]),
        "days_norm": figure(days["norm"]),
        "weight_standard": figure(weights["standard"]),
        "weight_rapid": figure(weights["rapid"]),
        "weight_blitz": figure(weights["blitz"]),
        "recent_count": str(len(edition["recent_weights"])),
        "recent_steps": _listed([figure(weight) for weight in edition["recent_weights"]]),
        "tournament_weight": gettext("%(a)s − %(b)s / (1 + (minutes / %(c)s)^%(d)s)")
        % {"a": figure(a), "b": figure(b), "c": figure(c), "d": figure(d)},
        "fide_low": _line(*edition["fide_low"]),
        "fide_high": _line(*edition["fide_high"]),
        "limit": gettext("%(scale)s × e^(−%(decay)s × rating)")
        % {"scale": figure(edition["limit_scale"]), "decay": figure(edition["limit_decay"])},
        "expected": gettext("%(level)s + %(slope)s × (White’s rating − Black’s)")
        % {"level": figure(edition["expected_level"]), "slope": figure(edition["expected_slope"])},
    }


_PLAIN = (
    "appeal_days",
    "permission_days",
    "increments",
    "penalty_points",
    "abroad_months",
    "submission_periods",
    "performance_span",
    "unrated_k",
    "recent_divisor",
    "recent_days",
    "floor",
    "floor_drop",
    "fide_bound",
    "window",
    "window_divisor",
    "unrated_rating",
)


def k_steps(thresholds: Sequence[float], factors: Sequence[float]) -> str:
    """Return K by highest rating in words: "40 below 1200, 36 from 1200"."""
    steps = [gettext("%(k)s below %(rating)s") % {"k": figure(factors[0]), "rating": figure(thresholds[0])}]
    steps += [
        gettext("%(k)s from %(rating)s") % {"k": figure(factor), "rating": figure(threshold)}
        for threshold, factor in zip(thresholds, factors[1:], strict=True)
    ]
    return _listed(steps)


def _line(slope: float, base: float) -> str:
    return gettext("%(base)s + %(slope)s × rating") % {"base": figure(base), "slope": figure(slope)}


def figure(value: Any) -> str:
    """Return a figure as pages write it, `−410`, `0.54`."""
    return formatting.in_style(f"{value:g}".replace("-", "−"))


def _listed(texts: Sequence[str]) -> str:
    if len(texts) == 1:
        return texts[0]
    return gettext("%(texts)s and %(last)s") % {"texts": ", ".join(texts[:-1]), "last": texts[-1]}
