"""iCalendar as RFC 5545 has it."""

from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st

from events.public.icalendar import CalendarEntry, calendar, escaped, folded

OPEN = CalendarEntry(
    uid="event-7@example.org",
    changed=datetime(2026, 5, 1, 8, 30, tzinfo=UTC),
    starts=date(2026, 5, 30),
    ends=date(2026, 5, 31),
    name="Mopane; Open, A",
    place="Pretoria",
    address="https://example.org/events/7/",
)


def test_a_calendar_of_one_event():
    assert calendar("Rated events", [OPEN]).decode().split("\r\n") == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Chess South Africa//Ratings Bureau//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        "X-WR-CALNAME:Rated events",
        "BEGIN:VEVENT",
        "UID:event-7@example.org",
        "DTSTAMP:20260501T083000Z",
        "DTSTART;VALUE=DATE:20260530",
        "DTEND;VALUE=DATE:20260601",
        "SUMMARY:Mopane\\; Open\\, A",
        "LOCATION:Pretoria",
        "URL:https://example.org/events/7/",
        "STATUS:CONFIRMED",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


def test_text_is_escaped_and_cannot_begin_a_line_of_its_own():
    assert escaped("a\\b;c,d\r\ne\nf\rg\x00\x7f") == "a\\\\b\\;c\\,d\\ne\\nf\\ng"


def test_a_line_of_75_octets_stays_whole_and_one_more_is_folded():
    assert folded("x" * 75) == b"x" * 75 + b"\r\n"
    assert folded("x" * 76) == b"x" * 75 + b"\r\n x\r\n"


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=400))
def test_folding_loses_nothing_and_breaks_no_character(text):
    written = folded(text)
    parts = written.removesuffix(b"\r\n").split(b"\r\n")
    assert all(len(part) <= 75 and part.decode() is not None for part in parts)
    assert written.removesuffix(b"\r\n").replace(b"\r\n ", b"").decode() == text
