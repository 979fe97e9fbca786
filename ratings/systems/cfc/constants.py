"""The figures of the CFC (Chess Federation of Canada) rating rules, by edition. Sections are those of its Handbook."""

from datetime import date
from fractions import Fraction

from config.lib.editions import Constant, Edition

_BONUS = "section 414d (motion 2012-S)"

_ARTICLE = "article on the bonus-point system of 2012, after the auditor's in Canadian Chess News"

_2012: dict[str, Constant] = {
    # Largest difference for an expected score of .50, .51 … .99 of the higher rated player; above it 1.
    "expected_bands": Constant(
        (
            *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68),
            *(76, 83, 91, 98, 106, 113, 121, 129, 137, 145),
            *(153, 162, 170, 179, 188, 197, 206, 215, 225, 235),
            *(245, 256, 267, 278, 290, 302, 315, 328, 344, 357),
            *(374, 391, 411, 432, 456, 484, 517, 559, 619, 734),
        ),
        "section 414b, table of expected scores",
    ),
    "expected_first": Constant(Fraction(1, 2), "section 414b, table of expected scores"),
    "expected_step": Constant(Fraction(1, 100), "section 414b, table of expected scores"),
    # Rp = mean rating of the opponents + span × (wins − losses) / games.
    "performance_span": Constant(400, "section 414a"),
    "established_games": Constant(25, "section 415"),
    "published_games": Constant(3, "section 434"),
    "k_boundary": Constant(2200, "section 414d; 414b prints 2199, read as 2200"),
    "k_below": Constant(32, "section 414b"),
    "k_from": Constant(16, "section 414b"),
    # Over the boundary the excess counts for this much, upwards and downwards.
    "crossing_up": Constant(Fraction(1, 2), "section 414b"),
    "crossing_down": Constant(2, "section 414b"),
    "bonus_high": Constant(20, _BONUS),
    "bonus_jump": Constant(Fraction(7, 4), _BONUS),
    # Threshold = factor × Ke × √n; Ke = K / (K below the boundary).
    "threshold_factor": Constant(13, _BONUS),
    "bonus_least_games": Constant(4, _BONUS),
    # n are the rounds of the event, or the player's rated games.
    "bonus_counts_rounds": Constant(False, _BONUS),
    # The least rating whose bonuses go by the K from the boundary on.
    "bonus_k_boundary": Constant(2200, _BONUS),
    # Preliminary rating of the unrated: mean of R − span (wins − losses) / games − this.
    "preliminary_drop": Constant(200, "section 417.1"),
    # With a larger share of unrated players the operator gives the preliminary rating.
    "preliminary_share": Constant(Fraction(1, 2), "section 417.1"),
    "list_minimum": Constant(200, "section 416c"),
    # An established player of this rating or more does not fall under one less; one below it does not fall.
    "low_boundary": Constant(800, "section 416a and 416b"),
    "low_floor": Constant(799, "section 416a and 416b"),
    "match_limit": Constant(50, "section 413"),
    "match_difference": Constant(400, "section 413"),
}

_IN_THE_ARTICLE: dict[str, Constant] = {
    "bonus_high": Constant(20, f"{_ARTICLE}: A"),
    "bonus_jump": Constant(Fraction(7, 4), f"{_ARTICLE}: B"),
    "threshold_factor": Constant(13, f"{_ARTICLE}: B"),
    "bonus_counts_rounds": Constant(True, f"{_ARTICLE}: B, n is the number of rounds in the tournament"),
    "bonus_least_games": Constant(1, f"{_ARTICLE}: no least number of games"),
    # Ke is ½ for players over 2200; ratings are whole numbers.
    "bonus_k_boundary": Constant(2201, f"{_ARTICLE}: A and B, players over 2200"),
    "crossing_up": Constant(1, f"{_ARTICLE}: no rule for crossing 2200"),
    "crossing_down": Constant(1, f"{_ARTICLE}: no rule for crossing 2200"),
}

EDITIONS: tuple[Edition, ...] = (
    Edition(
        name="2012",
        since=date(2012, 8, 1),
        note="CFC Handbook (to 2014), sections 411–436, with the bonus formula in force from 1 August 2012.",
        constants=_2012,
    ),
    Edition(
        name="article",
        since=date(2012, 8, 1),
        note="As 2012, with the bonuses in the words of the article that announced them: by rounds, from the first game on.",
        constants=_2012 | _IN_THE_ARTICLE,
        by_name=True,
    ),
)
"""Oldest first; `article` is never in force by date."""
