"""Reads what is registered of an event as far as a table of results has it."""

from typing import Any

from config.lib.spreadsheets import cell
from events.models import Event
from events.operations import sections_to_rate
from events.rules.constants import HOME


def registered_table(event: Event, section: int | None) -> dict[str, Any]:
    """Return the arguments `details` and `days` of `write_template` for a section of an event, or for its only one.

    Without a section they are the event's, without rounds. Three queries.
    """
    sections = sections_to_rate(event).order_by("position", "pk")
    chosen = list((sections.filter(pk=section) if section else sections)[:2])
    only = chosen[0] if len(chosen) == 1 else None
    chief = event.appointments.select_related("arbiter").order_by("position").first()
    details = {
        "name": " ".join(part for part in (event.name, only.name if only else "") if part),
        "city": event.place,
        "federation": HOME,
        "starts": (only or event).starts.isoformat(),
        "ends": (only or event).ends.isoformat(),
        "chief_arbiter": chief.arbiter.name if chief else "",
        "time_control": f"{only.base_minutes}+{only.increment_seconds}" if only else "",
    }
    details = {name: cell(text) for name, text in details.items()}
    if only is None:
        return {"details": details}
    dated = dict(only.rounds.values_list("number", "date"))
    last = max([only.planned_rounds or 0, *dated])
    return {"details": details, "days": [dated.get(number) for number in range(1, last + 1)]}
