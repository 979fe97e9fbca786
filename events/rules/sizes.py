"""The smallest sections (article 17), and the limits of what forms take. Pure."""

from datetime import date

from events.rules.constants import events_edition


def smallest(format_: str, ends: date, *, disabled: bool = False) -> tuple[int, int]:
    """Return the least number of players and of rounds of a format, or of a section for disabled players (article 17).

    For team formats the players are boards or players of each team.
    """
    players, rounds = events_edition(ends)["smallest_section"]["disabled" if disabled else format_]
    return players, rounds


FORMAT_NAMES = {"swiss": "Swiss", "scheveningen": "Scheveningen"}

MOST_ROUNDS = 30
LAST_POSITION = 999  # of a section or an arbiter of an event, as the desk takes it
MOST_TIME = 1000  # minutes of a base time, seconds of an increment
LONGEST_NAME, LONGEST_PLACE = 120, 80  # characters: of an event, a section or a person; of a place
# characters of the reason for a step of an event; of an appeal or request; of an answer to a proposed penalty
LONGEST_REASON, LONGEST_GROUNDS, LONGEST_NOTICE = 1000, 2000, 500
LONGEST_LETTER = 6000  # characters of what an officer writes to the region with an event that is returned
