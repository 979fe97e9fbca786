"""The first and the last day of an event or a section: in our age, in their order, within the event. Pure."""

from collections.abc import Iterator
from datetime import date

from config.lib.days import day_problem, order_problem
from events.rules.findings import Finding, field_error


def span_errors(starts: date | None, ends: date | None) -> Iterator[Finding]:
    """What is wrong with a first and a last day by themselves, at the fields `starts` and `ends`."""
    for field, day in (("starts", starts), ("ends", ends)):
        if day and (message := day_problem(day)):
            yield field_error(field, "date-implausible", message)
    if starts and ends and (message := order_problem(starts, ends)):
        yield field_error("ends", "dates-in-no-order", message)


def outside_errors(starts: date, ends: date, first: date, last: date) -> Iterator[Finding]:
    """Days of a section outside those of its event, from the `first` to the `last`, at the fields `starts` and `ends`."""
    for field, day in (("starts", starts), ("ends", ends)):
        if not first <= day <= last:
            yield field_error(field, "date-outside", "It lies outside the event’s days.")
