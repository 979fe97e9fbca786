"""Checks of a section's file against its registration: days, rounds, format. Pure.

`events.rules.section_file` checks the time control.
"""

from collections.abc import Iterable
from datetime import date

from config.lib import formatting
from events.rules.corrections import REGISTRATION, SECTION_DAYS
from events.rules.deadlines import is_late_to_submit
from events.rules.findings import Finding, Severity, listed
from events.rules.registration import SectionData
from events.rules.tournament import Tournament


def check_against_registration(
    tournament: Tournament, planned: SectionData, *, dates: str, ends: date | None, today: date
) -> Iterable[Finding]:
    """Yield findings on what differs between a file and its registration.

    `dates`: the uploader's answer which first and last day are right, or ""; `ends`: the last day by that answer.
    """
    yield from _days(tournament, planned, answered=bool(dates))
    if (
        dates != REGISTRATION
        and planned.ends
        and ends
        and is_late_to_submit(planned.ends, today=today)
        and not is_late_to_submit(ends, today=today)
    ):
        message = (
            f"By the registered last day, {formatting.day(planned.ends)}, the file would be late; by its own,"
            f" {formatting.day(ends)}, it is not. An officer decides whether it is rated."
        )
        yield Finding(Severity.HOLD, "too-late-as-registered", message, article="61")
    if planned.rounds is not None and tournament.rounds != planned.rounds:
        registered = formatting.count(planned.rounds, "round is", "rounds are")
        message = f"{registered} registered, and the file has {tournament.rounds}."
        if tournament.rounds < planned.rounds:
            message += (
                " If rounds are missing, upload the complete file; if they were not played, say so when you submit."
            )
        else:
            message += " Is it the file of this section? Then the file’s rounds are taken."
        yield Finding(Severity.NOTE, "rounds-differ", message, article="60")
    needed = _rounds_of(planned.format, len(tournament.entrants))
    if needed and tournament.rounds < needed:
        message = (
            f"The section is registered as a {planned.format.replace('-', ' ')}, in which {len(tournament.entrants)} players"
            f" meet in {needed} rounds; the file has {tournament.rounds}. Is the format right?"
        )
        yield Finding(Severity.HOLD, "format-doubtful", message, article="17")
    differing = [
        f"round {number} on {formatting.day(day)} instead of {formatting.day(registered)}"
        for number, (day, registered) in enumerate(zip(tournament.round_dates, planned.days, strict=False), start=1)
        if day and registered and day != registered
    ]
    if differing:
        message = f"Not played on the registered day: {listed(differing)}."
        yield Finding(Severity.NOTE, "round-days-differ", message, article="13.3")


def _rounds_of(format_: str, players: int) -> int:
    """Return the number of rounds of a round-robin or double round-robin; 0 for other formats."""
    cycles = {"round-robin": 1, "double-round-robin": 2}.get(format_, 0)
    return cycles * (players - 1 + players % 2) if players > 1 else 0


def _days(tournament: Tournament, planned: SectionData, *, answered: bool) -> Iterable[Finding]:
    differing = [
        f"{end} {formatting.day(in_file)} instead of {formatting.day(registered)}"
        for end, in_file, registered in (
            ("start", tournament.starts, planned.starts),
            ("end", tournament.ends, planned.ends),
        )
        if in_file and registered and in_file != registered
    ]
    if differing and not answered:
        message = f"The file’s days are not the registered ones: {', '.join(differing)}. Say which are right."
        yield Finding(Severity.HOLD, "dates-differ", message, article="13.2", correction=SECTION_DAYS.code)
    dateless = tournament.starts is None and tournament.ends is None and not any(tournament.round_dates)
    if dateless and planned.starts and planned.ends:
        message = (
            f"The file gives no days: the registered ones are taken, {formatting.days(planned.starts, planned.ends)}."
        )
        yield Finding(Severity.NOTE, "dates-registered", message, article="13.2")
