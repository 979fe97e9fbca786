"""Age groups (article 16). Pure."""

from datetime import date

from events.rules.constants import events_edition


def age_group(birth_year: int | None, *, today: date) -> str:
    """Return the age group in the year of a day, such as `U12` or `50+`; "" for other adults and if the year is unknown."""
    if birth_year is None:
        return ""
    youth, veterans = events_edition(today)["age_groups"]
    age = today.year - birth_year
    under = next((f"U{limit}" for limit in youth if age <= limit), "")
    return under or next((f"{limit}+" for limit in reversed(veterans) if age >= limit), "")
