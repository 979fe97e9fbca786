"""The figures of the regulations on events and files, by edition. No other module states them. Pure.

Source: Chess SA Ratings Bureau, Rating Regulations. `ratings.systems.chessa.constants` adds those of the calculation.
"""

from datetime import date

from config.lib.editions import Constant, Edition, edition_from

HOME = "RSA"  # the federation whose regulations these are

EDITIONS: tuple[Edition, ...] = (
    Edition(
        name="2024",
        since=date(2024, 1, 1),
        note="Chess SA Ratings Bureau, Rating Regulations, effective as of 1 January 2024.",
        constants={
            # Years of age up to which each youth group reaches, and from which each veterans' group begins.
            "age_groups": Constant(((8, 10, 12, 14, 16, 18, 20), (50, 65)), "article 16"),
            "appeal_days": Constant(21, "article 11"),  # calendar days after the notice of refusal
            # Format of a section: (least players, least rounds); of teams: boards or players a team.
            "smallest_section": Constant(
                {
                    "swiss": (6, 5),
                    "round-robin": (6, 5),
                    "double-round-robin": (4, 6),
                    "team": (4, 5),
                    "scheveningen": (5, 5),
                    "disabled": (4, 3),  # for disabled players only, whatever the format
                },
                "article 17",
            ),
            "permission_days": Constant(1, "article 18"),  # calendar days after the end of the event
            # Minutes: base time, and this many increments a move.
            "increments": Constant(60, "article 19"),
            # (least minutes, type of game): each type reaches up to the next; below the first nothing is rated.
            "types_of_game": Constant(
                ((5.0, "blitz"), (10.0, "rapid"), (60.0, "standard"), (120.0, "standard")), "articles 20 and 23"
            ),
            # Tw = a − b / (1 + (t / c)^d), on Main only.
            "tournament_weight": Constant((1.189618, 1.112268, 32.70617, 1.217172), "article 27"),
            "penalty_points": Constant(20.0, "articles 51 and 52"),
            # Days before the start of the event by which its sections are registered: Chess SA rated, FIDE rated, norm event.
            "registration_days": Constant({"rated": 3, "fide": 7, "norm": 30}, "article 60"),
            "abroad_months": Constant(1, "article 10"),  # months after the one in which an event abroad ended
            "submission_periods": Constant(1, "article 61"),  # rating periods after the one in which it ended
        },
    ),
)


def events_edition(day: date) -> Edition:
    """Return the edition of a day; the first edition also for earlier days (article 12)."""
    return edition_from(EDITIONS, day)
