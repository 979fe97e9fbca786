"""Writes a calendar of events of whole days in the iCalendar format. Pure.

Source: RFC 5545: content lines and folding 3.1, text 3.3.11, dates 3.3.4, events 3.6.1, status 3.8.1.11.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

_WIDEST = 75  # octets a line, without its break


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """An event from its first to its last day. `changed`: the moment of its last change."""

    uid: str
    changed: datetime
    starts: date
    ends: date
    name: str
    place: str = ""
    address: str = ""
    description: str = ""
    cancelled: bool = False


def calendar(name: str, entries: Iterable[CalendarEntry]) -> bytes:
    """Return a calendar in UTF-8, its lines folded and ended by CR LF."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Chess South Africa//Ratings Bureau//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{escaped(name)}",
    ]
    for entry in entries:
        lines += _event(entry)
    lines.append("END:VCALENDAR")
    return b"".join(folded(line) for line in lines)


def _event(entry: CalendarEntry) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{entry.uid}"
    yield f"DTSTAMP:{entry.changed.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    yield f"DTSTART;VALUE=DATE:{entry.starts:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{entry.ends + timedelta(days=1):%Y%m%d}"  # the end is the day after the last
    yield f"SUMMARY:{escaped(entry.name)}"
    if entry.place:
        yield f"LOCATION:{escaped(entry.place)}"
    if entry.description:
        yield f"DESCRIPTION:{escaped(entry.description)}"
    if entry.address:
        yield f"URL:{entry.address}"
    yield f"STATUS:{'CANCELLED' if entry.cancelled else 'CONFIRMED'}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def escaped(text: str) -> str:
    """Return text with backslashes, semicolons, commas and line breaks escaped and other control characters removed."""
    for plain, written in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r\n", "\n"), ("\r", "\n"), ("\n", "\\n")):
        text = text.replace(plain, written)
    return "".join(character for character in text if character >= " " and character != "\x7f")


def folded(line: str) -> bytes:
    """Return a content line in UTF-8, broken after at most 75 octets and never within a character."""
    parts: list[bytes] = []
    part = b""
    for character in line:
        octets = character.encode()
        if len(part) + len(octets) > _WIDEST:
            parts.append(part)
            part = b" "
        part += octets
    return b"\r\n".join([*parts, part]) + b"\r\n"
