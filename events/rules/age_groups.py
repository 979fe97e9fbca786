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
