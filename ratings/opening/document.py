"""Reader of standings in the form of rating cases: one case of Chess SA's system for the four lists, one for each list of
another system, or a list of such cases. The players are Chess SA ids. Pure.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Any

from config.lib.days import next_month
from config.lib.editions import Edition, EditionError, edition_named
from events.files.codes import Code as FileCode
from events.files.collector import MOST_ERRORS, Report, quotable
from ratings.cases import cfc, icu, uscf
from ratings.cases.chessa import read_list_standing
from ratings.cases.document import is_too_dense
from ratings.cases.events import CASE_FIELDS, read_player_ids
from ratings.cases.fields import RATING_RANGE, CaseError, Node
from ratings.opening.entries import MOST_LINES, RATINGS, Code, Entry, Place, ReadFile
from ratings.systems import chessa
from ratings.systems import icu as icu_system
from ratings.systems.chessa.columns import LISTS

MAX_BYTES = 100_000_000  # a document is held whole, in up to fifteen times its bytes; 20,000 players may take 80 MB
_ON_LIST = ("rating", "published", "highest", "k")


@dataclass(frozen=True, slots=True)
class OnList:
    """Where a player stands on a list of another system: what the system must know, and what the list shows of him."""

    standing: Any
    rating: float | None
    published: float | None
    highest: float | None
    k: float | None
    shown: bool  # the case says what the list shows; else it follows from the standing


def is_document(content: bytes) -> bool:
    """Return whether a file is JSON and no table."""
    return content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")


def read_document(content: bytes, *, month: date, lists: Mapping[str, tuple[str, str]], chosen: str = "") -> ReadFile:
    """Read cases whose players stand as after a month. Never raises. With errors the entries serve for further findings alone.

    `lists`: code → (name, system); `chosen`: the list of a case of another system that does not name its `list`.
    """
    report = Report()
    entries: list[Entry] = []
    if len(content) > MAX_BYTES:
        most = f"{MAX_BYTES // 1_000_000} MB"
        message = f"The file has more than {most} of JSON. Send a file for each list, or the lists as tables."
        report.add(FileCode.FILE_TOO_LARGE, message)
        return ReadFile((), report.findings())
    if is_too_dense(content):
        message = "The JSON opens more lists and objects than cases have. Export it again."
        report.add(Code.UNREADABLE_CASE, message)
        return ReadFile((), report.findings())
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        place = (error.lineno, error.colno) if isinstance(error, json.JSONDecodeError) else ()
        what = (
            error.msg
            if isinstance(error, json.JSONDecodeError)
            else "its letters are no UTF-8, or it is nested too deeply"
        )
        report.add(Code.UNREADABLE_CASE, f"The JSON cannot be read: {what}. Export it again.", *place)
        return ReadFile((), report.findings())
    cases = (
        (Node(case, f"cases[{index}]") for index, case in enumerate(document))
        if isinstance(document, list)
        else [Node(document, "")]
    )
    for case in cases:
        with _told(report):
            entries += _of_case(case, month, lists, chosen, report)
        if report.is_full:
            report.add(FileCode.TOO_MANY_FAULTY_LINES, f"After {MOST_ERRORS:,} errors the file was read no further.")
            break
        if len(entries) > MOST_LINES:
            message = f"The file has more than {MOST_LINES:,} standings: no more were read. Send a list at a time."
            report.add(FileCode.TOO_MANY_LINES, message)
            break
    _check_once(entries, report)
    if not entries and not report.errors:
        report.add(Code.UNREADABLE_CASE, "The case has no player with a standing.")
    return ReadFile(tuple(entries), report.findings())


@contextmanager
def _told(report: Report) -> Iterator[None]:
    """Report what is wrong with a part of a case, so that the other parts are read."""
    try:
        yield
    except (CaseError, EditionError) as error:
        report.add(_code_of(error), f"{error}{_mend(error)}")


def _code_of(error: Exception) -> Code:
    if not isinstance(error, CaseError):
        return Code.UNREADABLE_CASE
    if ".raw_history" in error.place:
        return Code.HISTORY_GAP if "found nothing" in error.message else Code.HISTORY_BEGINS
    if "stands twice" in error.message:
        return Code.PLAYER_TWICE
    return Code.WRONG_MONTH if error.place.endswith("calculated_on") else Code.UNREADABLE_CASE


def _mend(error: Exception) -> str:
    if _code_of(error) is Code.HISTORY_GAP:
        return ". A former rating is missing: give it, or, if the player was unrated before, take the older ones out."
    return ""


def _of_case(
    case: Node, month: date, lists: Mapping[str, tuple[str, str]], chosen: str, report: Report
) -> Sequence[Entry]:
    case.fields(CASE_FIELDS)
    system = case["system"].choice(["chessa", "icu", "uscf", "cfc"])
    for name, what in (("events", "events"), ("penalties", "penalties")):
        if case.has(name) and any(True for _ in case[name].items()):
            message = (
                f"{case[name].place}: the {what} of the case are of the month after the balance, and are not taken."
            )
            report.add(Code.EVENTS_LEFT_OUT, message)
    if case.has("calculated_on"):
        with _told(report):
            _check_month(case["calculated_on"], month)
    nodes = read_player_ids(case)
    if system == chessa.CODE:
        return _national(case, nodes, month, report)
    code = _list_of(case, system, lists, chosen)
    entries = []
    for name, node in nodes.items():
        with _told(report):
            entries.append(_other(node, name, code, system))
        if report.is_full or len(entries) > MOST_LINES:
            break
    return entries


def _check_month(node: Node, month: date) -> None:
    """Raise CaseError unless a case is of standings after the month: calculated on the first day after it, or after the month
    that follows it, which begins from them."""
    first = next_month(month)
    day = node.day()
    if day not in (first, next_month(first)):
        raise node.fail(
            f"standings after {month:%Y-%m} are those of {first} or before the calculation of {next_month(first)}, found {day}:"
            " choose their month, or another file"
        )


def _list_of(case: Node, system: str, lists: Mapping[str, tuple[str, str]], chosen: str) -> str:
    codes = [code for code, (_, of_system) in lists.items() if of_system == system]
    node = case["list"]
    if not codes:
        raise case["system"].fail(f"the bureau has no list of the system {system}: add it under rating lists first")
    if case.has("list"):
        return node.choice(codes)
    if chosen in codes:
        return chosen
    if len(codes) > 1:
        raise node.fail(f"one of {', '.join(codes)} was expected: there are several lists of the system {system}")
    return codes[0]


def _national(case: Node, players: Mapping[str, Node], month: date, report: Report) -> list[Entry]:
    edition = (
        edition_named(chessa.EDITIONS, case["rules"].text())
        if case.has("rules")
        else chessa.edition_for(next_month(next_month(month)))
    )
    entries = []
    for number, player in players.items():
        of_lists: Mapping[str, Node] = {}
        with _told(report):
            player.fields({"id", "lists"})
            of_lists = player["lists"].members(LISTS) if player.has("lists") else {}
        for name, node in of_lists.items():
            if node.value is None:
                continue
            with _told(report):
                entry = _national_entry(node, number, name, month, edition)
                if entry.raw is not None or entry.pending_penalty:
                    entries.append(entry)
        if report.is_full or len(entries) > MOST_LINES:
            break
    return entries


def _national_entry(node: Node, number: str, name: str, month: date, edition: Edition) -> Entry:
    """Return a player's standing on a list. Raises CaseError."""
    first = next_month(month)
    standing = read_list_standing(node, name, first, edition)
    for field, value in (("raw", standing.raw), ("published", standing.published), ("highest", standing.highest)):
        _check_rating(node[field], value)
    for index, former in enumerate(standing.history):
        _check_rating(Node(None, f"{node.place}.raw_history[{index}]"), former)
    for index, (_, ended, _) in enumerate(standing.recent):
        if ended >= first.toordinal():
            place = Node(None, f"{node.place}.last_performances[{index}].ended")
            raise place.fail(f"the tournament ended after {month:%Y-%m}, of which this is the standing")
    return Entry(
        place=Place(path=node.place),
        number=number,
        list=name,
        raw=standing.raw,
        published=standing.published,
        highest=standing.highest,
        history=standing.history,
        performances=standing.recent,
        pending_penalty=standing.pending_penalty,
        window=standing.window,
        activity=standing.activity,
    )


def _check_rating(node: Node, rating: float | None) -> None:
    if rating is not None and not RATINGS[0] <= rating <= RATINGS[1]:
        raise node.fail(f"a rating from {RATINGS[0]:g} to {RATINGS[1]:g} was expected, found {rating:g}")


def _other(node: Node, number: str, code: str, system: str) -> Entry:
    standing: Any
    if system == icu_system.CODE:
        standing = icu.read_standing(node, icu_system.TEXT)
    else:
        standing = uscf.read_standing(node) if system == "uscf" else cfc.read_standing(node)
    figures: dict[str, float | None] = dict.fromkeys(_ON_LIST)
    shown = node.has("on_list")
    if shown:
        members = node["on_list"].members(_ON_LIST)
        figures |= {name: member.number(*RATING_RANGE) for name, member in members.items() if member.value is not None}
    rating = figures["rating"] if shown else None if standing.rating is None else float(standing.rating)
    return Entry(
        place=Place(path=node.place),
        number=number,
        list=code,
        raw=rating,
        published=figures["published"],
        highest=figures["highest"],
        standing=OnList(standing, rating, figures["published"], figures["highest"], figures["k"], shown),
    )


def _check_once(entries: Sequence[Entry], report: Report) -> None:
    seen: dict[tuple[str, str], Place] = {}
    for entry in entries:
        first = seen.setdefault((entry.number, entry.list), entry.place)
        if first is not entry.place:
            message = f"{entry.place}: {quotable(entry.number)} stands at {first}, too. Take one of them out."
            report.add(Code.PLAYER_TWICE, message)
