"""The figures of the Irish Chess Union's rating system, by edition, from two articles and the Union's own software."""

from config.lib.editions import Constant, Edition

_BONUS = "Irish Chess Union, article on rating bonus points"
_PROVISIONAL = "M. Orr, Unrated or Provisionally Rated Opponents (Irish Chess Union, last updated 29 July 2013)"
_PROGRAM = "icu_ratings 1.8.3, the Irish Chess Union's program, third edition"
_APPLICATION = "the Irish Chess Union's web application"

_COMMON = {
    # Expected score = 1 / (1 + 10^((opponent − own) / 400)).
    "expectation_scale": Constant(400.0, f"{_PROGRAM}; implied by the article on rating bonus points"),
    # A game's credit to the performance = opponent's rating + 400 × (2 × score − 1).
    "performance_span": Constant(400.0, _PROGRAM),
    "full_games": Constant(20, _BONUS),
    # K: first that fits of rating at least, age under, years of membership under; else the last.
    "k_high_rating": Constant(2100.0, f"{_PROGRAM} and {_APPLICATION}"),
    "k_high": Constant(16.0, f"{_PROGRAM} and {_APPLICATION}"),
    "k_junior_age": Constant(21.0, f"{_PROGRAM} and {_APPLICATION}"),
    "k_junior": Constant(40.0, f"{_APPLICATION}; K 40 also in the article on rating bonus points"),
    "k_new_years": Constant(8.0, f"{_PROGRAM} and {_APPLICATION}"),
    "k_new": Constant(32.0, f"{_APPLICATION}; K 32 also in the article on rating bonus points"),
    "k_otherwise": Constant(24.0, f"{_PROGRAM} and {_APPLICATION}"),
    "days_in_year": Constant(366.0, _APPLICATION),
    # Published ratings are at least this; the calculation continues from the rating itself.
    "list_minimum": Constant(700.0, _APPLICATION),
    "tolerance": Constant(0.1, _PROGRAM),
    "sweeps": Constant(50, _PROGRAM),
    "bonus_games": Constant(5, _BONUS),
    # The rating before the bonus must be below this.
    "bonus_ceiling": Constant(2100.0, _BONUS),
    # Threshold = rating + 32 + 3 × (games − 4).
    "threshold_base": Constant(32.0, _BONUS),
    "threshold_step": Constant(3.0, _BONUS),
    "threshold_games": Constant(4, _BONUS),
    "raised_k": Constant(40.0, _BONUS),
    "raise": Constant(1.25, _BONUS),
}

SOFTWARE_3 = Edition(
    name="software-3",
    since=None,
    note="The Irish Chess Union's own program, third edition, in force there since 31 August 2013.",
    constants=_COMMON
    | {
        "start_from_old_rating": Constant(False, _PROGRAM),
        # Steps from a rated or foreign player within which a player can be rated; None: any number.
        "reach": Constant(None, _PROGRAM),
        # Greatest K without a bonus, or the very K factors that have one.
        "bonus_above_k": Constant(24.0, _PROGRAM),
        "bonus_ks": Constant(None, _PROGRAM),
        "bonus_cap": Constant(2100.0, _PROGRAM),
        # Changes anew player by player in the order of their numbers, and only then the estimates.
        "by_number": Constant(True, _PROGRAM),
    },
)

TEXT = Edition(
    name="text",
    since=None,
    note="The Irish Chess Union's articles on bonus points and on unrated or provisionally rated opponents.",
    constants=_COMMON
    | {
        "tolerance": Constant(0.1, f"{_PROGRAM}; the articles refer to one that is not at hand", confirmed=False),
        "sweeps": Constant(50, f"{_PROGRAM}; the articles refer to one that is not at hand", confirmed=False),
        "start_from_old_rating": Constant(True, f"{_PROVISIONAL}: The Solution"),
        "reach": Constant(2, f"{_PROVISIONAL}: A Constraint"),
        "bonus_above_k": Constant(None, _BONUS),
        "bonus_ks": Constant((32.0, 40.0), f"{_BONUS}: Awarding Bonus Points"),
        "bonus_cap": Constant(2099.0, f"{_BONUS}: Awarding Bonus Points"),
        "by_number": Constant(False, f"{_BONUS}: Bonus Checking"),
    },
)

EDITIONS: tuple[Edition, ...] = (SOFTWARE_3, TEXT)
"""Chosen by name, not by date; the last, `text`, is the one that holds where none is named."""
