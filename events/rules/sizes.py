"""How small a section may be (article 17), how long the tables of forms are, and how much their fields take. Pure."""

from datetime import date

from events.rules.constants import edition_for


def smallest(format_: str, ends: date, *, disabled: bool = False) -> tuple[int, int]:
    """Least players (of teams: boards or players a team) and rounds of a format, or of a section for disabled players
    (article 17)."""
    players, rounds = edition_for(ends)["smallest_section"]["disabled" if disabled else format_]
    return players, rounds


FORMAT_NAMES = {"swiss": "Swiss", "scheveningen": "Scheveningen"}

MOST_ROUNDS = 30
MOST_TIME = 1000  # minutes of a base time, seconds of an increment
LONGEST_NAME, LONGEST_PLACE = 120, 80  # letters: of an event, a section or a person; of a place
LONGEST_REASON = 1000  # letters of what is said with a step of an event
