"""Reads the tournament records of a TRF: 012 to 142, 192, 222 and XXR. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import islice

from events.files.arbiters import split_persons
from events.files.codes import Code
from events.files.collector import Report, quoted
from events.files.dates import read_date
from events.files.time_control_text import read_by_colour, read_coded, read_free, read_several
from events.files.trf.lines import Records, TrfLine, content_of
from events.files.trf.player_fields import federation_of
from events.rules.limits import LONGEST_TEXT, MAX_ROUNDS, MOST_TIE_BREAKS
from events.rules.tournament import TimeControl

MANDATORY = {"012": "name", "022": "city", "032": "federation", "042": "start", "052": "end", "102": "chief arbiter"}
_DATE_COLUMN, _DATE_WIDTH, _DATE_STRIDE = 92, 8, 10
# FIDE, type codes of record 192.
_TYPE_CODE = re.compile(
    r"(?:FIDE|CUSTOM)_(?:DUTCH|DUBOV|BURSTEIN|LIM|OLYMPIAD|TEAM|SWISS|DOUBLESWISS|ROUNDROBIN|SCHEVENINGEN|KNOCKOUT"
    r"|TEAMSWISS|TEAMROUNDROBIN)(?:_[A-Z0-9]+)*|BERGER_(?:TEAM)?ROUNDROBIN(?:_[A-Z0-9]+)*"
)


@dataclass(frozen=True, slots=True)
class Header:
    """The tournament records; `players` is record 062, `rounds` 142 or XXR."""

    name: str
    city: str
    federation: str
    starts: date | None
    ends: date | None
    players: int | None
    rounds: int | None
    round_dates: tuple[date | None, ...]
    kind: str
    kind_code: str
    chief_arbiter: str
    deputy_arbiters: tuple[str, ...]
    time_control_text: str
    time_control: TimeControl | None
    time_controls: tuple[TimeControl, ...]
    tie_breaks: tuple[str, ...]


def read_header(records: Records, report: Report) -> Header:
    """Return the tournament records; report those that are missing or unreadable."""
    texts = {tag: _text(records, tag, report) for tag in ("012", "022", "032", "092", "102", "122", "192")}
    dates = {tag: _date(records, tag, report) for tag in ("042", "052")}
    missing = [
        f"{tag} ({name})" for tag, name in MANDATORY.items() if not any(content_of(line) for line in records.of(tag))
    ]
    if missing:
        report.add(Code.MISSING_RECORD, f"The file does not say, or leaves blank: {', '.join(missing)}.")
    # Hazard: of parts without end the pattern keeps a mark each.
    if texts["192"] and not _TYPE_CODE.fullmatch(texts["192"][:LONGEST_TEXT]):
        message = f"The type {quoted(texts['192'])} is none of FIDE’s codes; it is kept."
        report.add(Code.UNKNOWN_TYPE_CODE, message, records.of("192")[0].number, 5)
    federation = texts["032"]
    control, controls = _time_controls(texts["122"], records, report)
    return Header(
        name=texts["012"],
        city=texts["022"],
        federation=_federation(federation, records, report),
        starts=dates["042"],
        ends=dates["052"],
        players=_number(records, "062", report),
        rounds=_rounds(records, report),
        round_dates=_round_dates(records.of("132"), report),
        kind=texts["092"],
        kind_code=texts["192"],
        chief_arbiter=texts["102"],
        deputy_arbiters=_deputies(records.of("112"), report),
        time_control_text=texts["122"],
        time_control=control,
        time_controls=controls,
        tie_breaks=_tie_breaks(records),
    )


def _tie_breaks(records: Records) -> tuple[str, ...]:
    """Return the codes by which the standings are ordered, record 212, or else those of 202, which has them without points."""
    for tag in ("212", "202"):
        for line in records.of(tag):
            codes = [
                code.strip()
                for code in re.split(r"[,;\s]+", line.text[4:], maxsplit=MOST_TIE_BREAKS + 1)
                if code.strip()
            ]
            if codes:
                return tuple(codes)
    return ()


def _text(records: Records, tag: str, report: Report) -> str:
    lines = [line for line in records.of(tag) if content_of(line)]
    if not lines:
        return ""
    for line in lines[1:]:
        report.add(Code.REPEATED_RECORD, f"Record {tag} stands a second time; the first one counts.", line.number, 1, 3)
    return content_of(lines[0])


def _federation(text: str, records: Records, report: Report) -> str:
    line = next((line for line in records.of("032") if content_of(line)), None)
    if line is None:
        return ""
    return federation_of(text, line.number, report, column=5)


def _date(records: Records, tag: str, report: Report) -> date | None:
    text = _text(records, tag, report)
    if not text:
        return None
    line = next(line for line in records.of(tag) if content_of(line))
    return _read(text, line.number, 5, False, report)


def _read(text: str, line: int, column: int, short: bool, report: Report) -> date | None:
    read = read_date(text, short)
    form = "YY/MM/DD" if short else "YYYY/MM/DD"
    if read is None:
        message = f"The date {quoted(text)} cannot be read, {form} was expected; it is left out."
        report.add(Code.UNREADABLE_DATE, message, line, column)
        return None
    if not read.canonical:
        message = f"The date {quoted(text)} is read as {read.day.isoformat()}; {form} was expected."
        report.add(Code.DATE_FORMAT, message, line, column)
    return read.day


def _number(records: Records, tag: str, report: Report) -> int | None:
    text = _text(records, tag, report)
    match = re.match(r"\d{1,6}(?!\d)", text)
    if text and not match:
        line = next(line for line in records.of(tag) if content_of(line))
        report.add(Code.UNREADABLE_VALUE, f"Record {tag} holds {quoted(text)}, a number was expected.", line.number, 5)
    return int(match[0]) if match else None


def _rounds(records: Records, report: Report) -> int | None:
    planned = _number(records, "142", report)
    extension = _number(records, "XXR", report)
    return (planned if planned is not None else extension) or None


def _round_dates(lines: list[TrfLine], report: Report) -> tuple[date | None, ...]:
    """Return the dates from the first line with dates in their columns, else all dates on the lines in order."""
    columned = next((line for line in lines if line.text[_DATE_COLUMN - 1 :].strip() and _in_columns(line.text)), None)
    if columned:
        text = columned.text.rstrip()
        starts = range(_DATE_COLUMN - 1, len(text), _DATE_STRIDE)[:MAX_ROUNDS]
        return tuple(
            _read(part, columned.number, start + 1, True, report)
            if (part := text[start : start + _DATE_WIDTH].strip())
            else None
            for start in starts
        )
    parts = ((line, part) for line in lines for part in re.finditer(r"\S+", line.text) if part.start() >= 3)
    return tuple(
        _read(part[0], line.number, part.start() + 1, len(part[0]) <= _DATE_WIDTH, report)
        for line, part in islice(parts, MAX_ROUNDS)
    )


def _in_columns(text: str) -> bool:
    starts = [part.start() for part in re.finditer(r"\S+", text)][1:]
    return all(start >= _DATE_COLUMN - 1 and (start - _DATE_COLUMN + 1) % _DATE_STRIDE == 0 for start in starts)


def _deputies(lines: list[TrfLine], report: Report) -> tuple[str, ...]:
    texts = [(line, content_of(line)) for line in lines if content_of(line)]
    if len(texts) != 1:
        return tuple(text for _, text in texts)
    line, text = texts[0]
    persons = split_persons(text)
    if len(persons) > 1:
        report.add(Code.DEPUTY_LIST, f"Record 112 is read as a list of {len(persons)} persons.", line.number, 5)
    return persons


def _time_controls(text: str, records: Records, report: Report) -> tuple[TimeControl | None, tuple[TimeControl, ...]]:
    """Return the time control that counts unless the uploader says otherwise, and all of them if there are several."""
    coded_lines = [line for line in records.of("222") if content_of(line)]
    texts = list(dict.fromkeys(content_of(line) for line in records.of("122") if content_of(line)))
    read = [control for line in texts for control in (read_several(line) or (read_free(line),)) if control]
    free = read_free(text)
    if not coded_lines:
        if text and free is None:
            message = f"The time control {quoted(text)} is not certain; state the base time and the increment."
            report.add(Code.TIME_CONTROL_UNREAD, message, records.of("122")[0].number, 5)
        return free, _several(read)
    first = coded_lines[0]
    coded = read_coded(content_of(first))
    more = [control for line in coded_lines for control in _coded(content_of(line))]
    if coded is None:
        message = f"Record 222 holds {quoted(content_of(first))}, which is no single base time and increment."
        report.add(Code.TIME_CONTROL_UNREAD, message, first.number, 5)
        records.extra.append(first.text)
        return None, _several([*more, *read])
    if free is not None and free != coded:
        message = (
            f"Record 222 means {coded.base} min + {coded.increment} s, record 122 {free.base} min + {free.increment} s; "
            "222 counts, unless another is said to have been played."
        )
        report.add(Code.TIME_CONTROLS_DIFFER, message, first.number, 5)
    return coded, _several([*more, *read])


def _coded(text: str) -> tuple[TimeControl, ...]:
    control = read_coded(text)
    return (control,) if control else read_by_colour(text)


def _several(controls: Iterable[TimeControl]) -> tuple[TimeControl, ...]:
    different = tuple(dict.fromkeys(controls))
    return different if len(different) > 1 else ()
