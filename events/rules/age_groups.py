"""Age groups (article 16). Pure."""

from datetime import date

from events.rules.constants import events_edition


def age_group(birth_year: int | None, *, year: int) -> str:
    """Return the age group in the events of a year, such as `U12` or `50+`; "" for other adults and if the birth is unknown.

    The year is that in which the event is held; the day of the year does not matter (article 16).
    """
    if birth_year is None:
        return ""
    youth, veterans = events_edition(date(year, 12, 31))["age_groups"]
    age = year - birth_year
    under = next((f"U{limit}" for limit in youth if age <= limit), "")
    return under or next((f"{limit}+" for limit in reversed(veterans) if age >= limit), "")


def age_groups(*, year: int) -> tuple[str, ...]:
    """Return the groups of a year with an age of their own, youngest first: `U8` … `65+`."""
    youth, veterans = events_edition(date(year, 12, 31))["age_groups"]
    return (*(f"U{limit}" for limit in youth), *(f"{limit}+" for limit in veterans))


def birth_years(group: str, *, year: int) -> tuple[int | None, int | None]:
    """Return the first and the last year of birth of those who may enter the events of an age group in a year (article 16):
    an U18 event is open to U12, too. None: no limit on this side. Raises ValueError for an unknown group."""
    if group not in age_groups(year=year):
        raise ValueError(group)
    age = int(group.strip("U+"))
    return (year - age, None) if group.startswith("U") else (None, year - age)
