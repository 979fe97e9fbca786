"""The figures of the Chess SA regulations as the guide's sentences name them, from the tables of editions. Pure."""

from collections.abc import Sequence
from typing import Any

from config.lib.editions import Edition


def figures(edition: Edition) -> dict[str, str]:
    """Return the figures of an edition in words, by the name that the texts of `ratings.guide.articles` give them."""
    by_format = edition["smallest_section"]
    types: tuple[tuple[float, str], ...] = edition["types_of_game"]
    blitz, rapid, standard, classical = (_text(minutes) for minutes, _ in types)
    low, high = edition["difference_bounds"]
    youth, veterans = edition["age_groups"]
    days = edition["registration_days"]
    weights = edition["type_weights"]
    a, b, c, d = edition["tournament_weight"]
    return {
        **{
            f"{name.replace('-', '_')}_{part}": _text(value)
            for name, pair in by_format.items()
            for part, value in zip(("least", "rounds"), pair, strict=True)
        },
        **{name: _text(edition[name]) for name in _PLAIN},
        "k_steps": k_steps(edition["k_thresholds"], edition["k_factors"]),
        "blitz_from": blitz,
        "rapid_from": rapid,
        "standard_from": standard,
        "classical_from": classical,
        "difference_low": _text(low),
        "difference_high": _text(high),
        "youth": _listed([f"U{age}" for age in youth]),
        "veterans": _listed([f"{age}+" for age in veterans]),
        "days_rated": _text(days["rated"]),
        "days_fide": _text(days["fide"]),
        "days_norm": _text(days["norm"]),
        "weight_standard": _text(weights["standard"]),
        "weight_rapid": _text(weights["rapid"]),
        "weight_blitz": _text(weights["blitz"]),
        "recent_count": str(len(edition["recent_weights"])),
        "recent_steps": _listed([_text(weight) for weight in edition["recent_weights"]]),
        "tournament_weight": f"{a:g} − {b:g} / (1 + (minutes / {c:g})^{d:g})",
        "fide_low": f"{edition['fide_low'][1]:g} + {edition['fide_low'][0]:g} × rating",
        "fide_high": f"{edition['fide_high'][1]:g} + {edition['fide_high'][0]:g} × rating",
        "limit": f"{edition['limit_scale']:g} × e^(−{edition['limit_decay']:g} × rating)",
        "expected": f"{edition['expected_level']:g} + {edition['expected_slope']:g} × (White’s rating − Black’s)",
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
    steps = [f"{factors[0]:g} below {thresholds[0]:g}"]
    steps += [f"{factor:g} from {threshold:g}" for threshold, factor in zip(thresholds, factors[1:], strict=True)]
    return _listed(steps)


def _text(value: Any) -> str:
    return f"{value:g}".replace("-", "−")


def _listed(texts: Sequence[str]) -> str:
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else texts[0]
