"""The players of a list who may enter the events of an age group (article 16)."""

from django.db.models import Q

from events.rules.age_groups import birth_years
from players.hidden import not_hidden


def in_age_group(group: str, *, year: int) -> Q:
    """Return the condition, for rows with a `player`, for who may enter the events of an age group in a year.

    Players whose year of birth is not on the register, or who are hidden, are in none. Raises ValueError for an unknown group.
    """
    first, last = birth_years(group, year=year)
    born = Q(player__birth_year__lte=last) if first is None else Q(player__birth_year__gte=first)
    return born & not_hidden("player__")
