"""The figures of the USCF (US Chess) rating system, by edition. An event is rated by the edition of its end date.

Each edition changes a few figures of the one before it. The bonus figures of 2023 and 2025 were decided after events
had been rated, and back-dated: a re-rating takes the event's date, never the day of the calculation.
"""

from datetime import date
from fractions import Fraction
from typing import Any

from config.lib.editions import Constant, Edition

_TEXT_2001 = "The US Chess Federation Rating System, Glickman, edition of 2001–2004"
_GUIDE = "Calculations for Established Players, guide of 15 May 2001"
_PEAK_FLOORS_2001 = f"{_TEXT_2001}, rating floors"

_2001: dict[str, Constant] = {
    # We = 1 / (1 + 10^((Ri − R) / 400)); PWe is 0 or 1 from this difference on, and straight between.
    "scale": Constant(400.0, f"{_TEXT_2001}, winning expectancies"),
    # N* = numerator / √(a + b (pivot − R)²) up to the last rating, included; the numerator above it.
    "effective_numerator": Constant(50.0, f"{_TEXT_2001}, effective number of games"),
    "effective_a": Constant(1.0, f"{_TEXT_2001}, effective number of games"),
    "effective_b": Constant(0.00001, f"{_TEXT_2001}, effective number of games"),
    "effective_pivot": Constant(2200.0, f"{_TEXT_2001}, effective number of games"),
    "effective_last": Constant(2200.0, f"{_TEXT_2001}, effective number of games"),
    # K = k / (N' + m); in a half-K event half of k, and half of m.
    "k": Constant(800.0, f"{_TEXT_2001}, K"),
    "half_k": Constant(0.5, f"{_TEXT_2001}, K"),
    # Regular side of a dual-rated event: K × (a − b R) above `above`, `top_k` / (N' + m) from `top` on.
    "dual_k": Constant(None, f"{_TEXT_2001}: no such rule"),
    "bonus_multiplier": Constant(10.0, f"{_TEXT_2001}, bonus; also texts of 22 September 2004 and 11 April 2005"),
    # The threshold is the multiplier times √max(m, this).
    "bonus_least_root": Constant(4.0, f"{_TEXT_2001}, bonus"),
    "bonus_least_games": Constant(3, f"{_TEXT_2001}, bonus"),
    # The most games against one opponent, in general and in an event of exactly `bonus_least_games` games.
    "bonus_meetings": Constant(2, f"{_TEXT_2001}, bonus"),
    "bonus_meetings_least": Constant(2, f"{_TEXT_2001}, bonus"),
    # Special formula, and provisional, up to this N, included.
    "special_games": Constant(8.0, f"{_TEXT_2001}, special rating formula"),
    "provisional_games": Constant(25.0, f"{_TEXT_2001}, established ratings"),
    "special_highest": Constant(2700.0, f"{_TEXT_2001}, special rating formula"),
    "newcomer_effective_games": Constant(1.0, f"{_TEXT_2001}, first estimate of newcomers"),
    # (FIDE rating up to which the row holds, addend, factor); the last row has no bound.
    "fide_conversion": Constant(((None, 50.0, 1.0),), f"{_TEXT_2001}, initial ratings"),
    # Games that a FIDE rating counts for: up to the bound, included, and above it.
    "fide_games": Constant((2150.0, 5.0, 10.0), f"{_TEXT_2001}, initial ratings"),
    # (CFC rating up to which the row holds, addend, factor, games).
    "cfc_conversion": Constant(((1500.0, -90.0, 1.0, 0.0), (None, -240.0, 1.1, 5.0)), f"{_TEXT_2001}, initial ratings"),
    # Least games of a rating in the sister system, and most games that a regular one counts for.
    "sister_games": Constant((4.0, 10.0), f"{_TEXT_2001}, initial ratings"),
    # Start = addend + factor × age from the first age to the last, and `adult` otherwise.
    "days_of_a_year": Constant(365.25, f"{_TEXT_2001}, initial ratings"),
    "age_addend": Constant(300.0, f"{_TEXT_2001}, initial ratings"),
    "age_factor": Constant(50.0, f"{_TEXT_2001}, initial ratings"),
    "age_first": Constant(4.0, f"{_TEXT_2001}, initial ratings"),  # a lower age is read as a typing error
    "age_last": Constant(20.0, f"{_TEXT_2001}, initial ratings"),
    "age_last_included": Constant(True, f"{_TEXT_2001}, initial ratings"),
    "age_lowest_start": Constant(100.0, f"{_TEXT_2001}, lowest rating"),
    "adult_start": Constant(1300.0, f"{_TEXT_2001}, initial ratings"),
    "unknown_start": Constant(750.0, f"{_TEXT_2001}, initial ratings"),
    "absolute_floor": Constant(100.0, f"{_TEXT_2001}, rating floors"),
    # Personal absolute floor: (highest, a win, a draw, an event); an event counts from `event_games` on.
    "personal_floor": Constant(None, f"{_TEXT_2001}: no such rule"),
    "event_games": Constant(3, "rating floors over the board, June 2008"),
    # Peak floor: best published established rating less `drop`, cut to a `step`, between lowest and highest.
    "peak_drop": Constant(200.0, _PEAK_FLOORS_2001),
    "peak_step": Constant(100.0, _PEAK_FLOORS_2001),
    "peak_lowest": Constant(1400.0, _PEAK_FLOORS_2001),
    "peak_highest": Constant(2100.0, _PEAK_FLOORS_2001),
    # In a match the ratings differ by so much at most, and change by `limit` at most (None: only over several years).
    "match_difference": Constant(400.0, f"{_TEXT_2001}, matches"),
    "match_limit": Constant(None, f"{_TEXT_2001}, matches: 200 points in three years"),
    "match_established": Constant(False, f"{_TEXT_2001}, matches: both rated"),
    "half_k_allowed": Constant(True, f"{_TEXT_2001}, K"),
    # Ratings are whole numbers: a gain is rounded up, a loss down.
    "whole_ratings": Constant(True, f"{_TEXT_2001}, rounding"),
    # The one-player formula up to `special_games`: (N R + ΣRi + span (wins − losses)) / (N + m).
    "approximate_span": Constant(400.0, "Approximating Formulas for the USCF Rating System, Glickman"),
    # The guide's tables hold for the system of 2001 only.
    "guide_holds": Constant(True, _GUIDE),
    "guide_established": Constant(50, _GUIDE),
    # (difference, expected score of the higher rated in hundredths); straight between the rows, and flat after the last.
    "guide_expected": Constant(
        ((0, 50), (30, 55), (70, 60), (100, 65), (150, 70), (200, 75), (300, 85), (400, 90), (500, 95), (800, 99)),
        f"{_GUIDE}, table 1",
    ),
    # Games of the event for which the guide has figures: the columns of the next two tables.
    "guide_games": Constant((3, 4, 5, 6, 7, 8, 9), f"{_GUIDE}, tables 2 and 3"),
    # (rating, K by games); straight between the rows, and flat beyond the first and the last.
    "guide_k": Constant(
        (
            (600, (63, 59, 54, 51, 48, 46, 43)),
            (800, (57, 53, 50, 47, 44, 42, 40)),
            (1000, (51, 48, 45, 43, 41, 39, 37)),
            (1200, (44, 42, 40, 38, 36, 35, 33)),
            (1400, (37, 36, 34, 33, 32, 30, 29)),
            (1600, (30, 29, 28, 27, 26, 26, 25)),
            (1800, (24, 23, 22, 22, 21, 21, 20)),
            (2000, (18, 17, 17, 17, 16, 16, 16)),
            (2200, (15, 15, 15, 14, 14, 14, 14)),
        ),
        f"{_GUIDE}, table 2",
    ),
    "guide_cutoff": Constant((20, 20, 22, 24, 26, 28, 30), f"{_GUIDE}, table 3"),
    # In a half-K event the change of the rating is multiplied by this.
    "guide_half_k": Constant(Fraction(1, 2), f"{_GUIDE}, step 3"),
}
_2006: dict[str, Constant] = {
    "age_addend": Constant(0.0, "Ratings Committee recommendation of 2006: 50 × age under 26", confirmed=False),
    "age_first": Constant(0.0, "texts after 2006, second-hand: 100 under age 2", confirmed=False),
    "age_last": Constant(26.0, "Ratings Committee recommendation of 2006: 50 × age under 26", confirmed=False),
    "age_last_included": Constant(False, "Ratings Committee recommendation of 2006", confirmed=False),
    "half_k_allowed": Constant(False, "Ratings Committee, early 2006: half-K events ended"),
    "guide_holds": Constant(False, f"{_GUIDE}: of the system of 2001"),
}
_2008: dict[str, Constant] = {
    "bonus_multiplier": Constant(6.0, "bonus change of July 2008; the value itself is second-hand", confirmed=False),
    "fide_conversion": Constant(
        ((2000.0, 180.0, 0.94), (None, 20.0, 1.02)),
        "rule in use before March 2024; its first day open",
        confirmed=False,
    ),
    "personal_floor": Constant((150.0, 4.0, 2.0, 1.0), "rating floors over the board, June 2008"),
    "whole_ratings": Constant(
        False, "specification of 1 June 2015: decimals; the year of the change is open", confirmed=False
    ),
}
_2012: dict[str, Constant] = {
    "bonus_multiplier": Constant(8.0, "rating estimator pages, August 2012, and the text in force in 2013"),
}
_2013: dict[str, Constant] = {
    "effective_a": Constant(0.662, "US Chess news, change of 18 May 2013"),
    "effective_b": Constant(0.00000739, "US Chess news, change of 18 May 2013"),
    "effective_pivot": Constant(2569.0, "US Chess news, change of 18 May 2013"),
    "effective_last": Constant(2355.0, "US Chess news, change of 18 May 2013"),
    # above, a, b, top, top_k
    "dual_k": Constant((2200.0, 6.5, 0.0025, 2500.0, 200.0), "US Chess news, change of 18 May 2013"),
}
_2014: dict[str, Constant] = {
    "bonus_multiplier": Constant(10.0, "rating estimator, “after March 19, 2014”; Ratings Committee report of 2014"),
}
_2015: dict[str, Constant] = {
    "bonus_multiplier": Constant(12.0, "in force before May 2017; its first day approximate", confirmed=False),
    "peak_lowest": Constant(1200.0, "in force by 2015–2017; its first day open", confirmed=False),
}
_2017: dict[str, Constant] = {"bonus_multiplier": Constant(14.0, "US Chess news, May 2017")}
_2023: dict[str, Constant] = {
    "bonus_multiplier": Constant(12.0, "US Chess news, October 2023: from 1 February 2023, events re-rated"),
}
_2024: dict[str, Constant] = {
    "fide_conversion": Constant(
        ((2000.0, -1073.0, 1.5667), (None, 20.0, 1.02)), "specification of 2026, by way of an implementation"
    ),
}
_2025: dict[str, Constant] = {
    "bonus_multiplier": Constant(10.0, "US Chess, June 2025: from 1 January 2025, events re-rated"),
    "bonus_meetings_least": Constant(1, "specification of 2025 and 2026"),
    "match_limit": Constant(
        50.0, "specification of 2026, matches, by way of an implementation; its first day open", False
    ),
    "match_established": Constant(True, "specification of 2026, matches, by way of an implementation", False),
}

_HISTORY: tuple[tuple[str, date, dict[str, Constant], str], ...] = (
    ("2001", date(2001, 1, 1), _2001, "The system of January 2001; the guide to it is of 15 May 2001."),
    ("2006", date(2006, 3, 1), _2006, "Half-K ends; starting ratings of the young fall."),
    ("2008", date(2008, 6, 1), _2008, "Mid-2008: more bonus, personal absolute floors, decimals."),
    ("2012", date(2012, 8, 1), _2012, "Less bonus."),
    ("2013", date(2013, 5, 18), _2013, "New effective games; lower K above 2200 in dual-rated events."),
    ("2014", date(2014, 3, 20), _2014, "Less bonus."),
    ("2015", date(2015, 6, 1), _2015, "Less bonus; peak floors from 1200."),
    ("2017", date(2017, 5, 1), _2017, "Less bonus."),
    (
        "2020",
        date(2020, 6, 1),
        {},
        "Starting ratings became a blend whose weights are not published: give the starting rating, or the rule before"
        " is used.",
    ),
    ("2023", date(2023, 2, 1), _2023, "More bonus; decided in October 2023."),
    ("2024", date(2024, 3, 1), _2024, "FIDE conversion after FIDE's own rescaling."),
    ("2025", date(2025, 1, 1), _2025, "More bonus; decided in June 2025. Over three games nobody may be met twice."),
)


def _accumulate() -> tuple[Edition, ...]:
    constants: dict[str, Any] = {}
    editions = []
    for name, since, changes, note in _HISTORY:
        constants = constants | changes
        editions.append(Edition(name=name, since=since, constants=constants, note=note))
    return tuple(editions)


EDITIONS: tuple[Edition, ...] = _accumulate()
"""Oldest first."""
