"""The figures of the calculation in the Chess SA rating regulations, by edition, with those of `events.rules.constants`.

Articles are those of the regulations of that edition.
"""

from config.lib.editions import Constant, Edition, edition_named
from events.rules import constants as regulations

EDITIONS: tuple[Edition, ...] = (
    edition_named(regulations.EDITIONS, "2024").extended(
        {
            # Points a whole score is worth: P = Ao + 850 × (S/n − 0.5).
            "performance_span": Constant(850.0, "article 28"),
            # K below the first threshold, then from each threshold of the highest rating on.
            "k_thresholds": Constant((1200.0, 1400.0, 1600.0, 1800.0, 2000.0, 2200.0, 2400.0), "article 31"),
            "k_factors": Constant((40.0, 36.0, 32.0, 28.0, 24.0, 20.0, 16.0, 12.0), "article 31"),
            "unrated_k": Constant(40.0, "articles 31 and 56"),
            # White's We = level + slope × (Rw − Rb).
            "expected_level": Constant(0.541767, "article 33"),
            "expected_slope": Constant(0.001164, "article 33"),
            "difference_bounds": Constant((-460.0, 390.0), "article 34"),
            # Weights of the last tournaments, newest first, and what their sum is divided by.
            "recent_weights": Constant((5.0, 4.0, 3.0, 2.0, 1.0), "article 36"),
            "recent_divisor": Constant(15.0, "article 36"),
            "recent_days": Constant(2920, "article 36"),
            # On Main, by type of game.
            "type_weights": Constant({"standard": 1.00, "rapid": 0.95, "blitz": 0.90}, "article 37"),
            "floor": Constant(500.0, "article 42"),
            "floor_drop": Constant(500.0, "article 42"),
            # (factor, addend) up to the bound, bound included, and above it.
            "fide_bound": Constant(2000.0, "article 45"),
            "fide_low": Constant((0.94, 180.0), "article 45.1"),
            "fide_high": Constant((1.02, 20.0), "article 45.2"),
            # Greatest change = scale × e^(−decay × rating).
            "limit_scale": Constant(916.4904, "article 47"),
            "limit_decay": Constant(0.00142473, "article 47"),
            # R_i weighs (25 − i); 1 + 2 + … + 24 = 300.
            "window": Constant(24, "article 49"),
            "window_divisor": Constant(300.0, "article 49"),
            "unrated_rating": Constant(1200.0, "article 56"),
        }
    ),
)
"""Oldest first. Periods before the first edition are rated by it: see `edition_for` in `ratings.systems.chessa.calculation`."""
