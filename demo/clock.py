"""The demonstration's time, set to moments of the months that it shows; the machine's clock is never read."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from simple_history.signals import pre_create_historical_record

_ZONE = ZoneInfo("Africa/Johannesburg")


class Clock:
    """A clock that stands at a moment until it is set to another; calling it returns the moment."""

    def __init__(self, day: date) -> None:
        self.now = datetime.combine(day, time(8), _ZONE)

    def __call__(self) -> datetime:
        """Return the moment."""
        return self.now

    def set(self, day: date, hour: int, minute: int = 0) -> datetime:
        """Set the clock to a time of a day, South African time, and return that moment."""
        self.now = datetime.combine(day, time(hour, minute), _ZONE)
        return self.now


@contextmanager
def history_dated_by(clock: Clock) -> Iterator[None]:
    """Date rows of histories that are written inside the block by `clock`."""

    def put_date(*, history_instance: Any, **_: Any) -> None:
        history_instance.history_date = clock.now

    pre_create_historical_record.connect(put_date, weak=False)
    try:
        yield
    finally:
        pre_create_historical_record.disconnect(put_date)
