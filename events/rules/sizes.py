"""How small a section may be (article 17), and how long the tables of forms are. Pure."""

from datetime import date

from events.rules.constants import edition_for


def smallest(format_: str, ends: date, *, disabled: bool = False) -> tuple[int, int]:
    """Least players (of teams: boards or players a team) and rounds of a format, or of a section for disabled players
    (article 17)."""
    players, rounds = edition_for(ends)["smallest_section"]["disabled" if disabled else format_]
    return players, rounds


FORMAT_NAMES = {"swiss": "Swiss", "scheveningen": "Scheveningen"}


MOST_ROUNDS = 30
