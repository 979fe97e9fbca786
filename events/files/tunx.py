"""Reads Swiss-Manager's own files: TUNX (Swiss), TURX (round robin), TUMX (team Swiss). Pure.

The format is not documented; the layout is what public notes and files agree on. Numbers are little-endian; a string is a
uint16 count of UTF-16 units and the units. Rounds are not stored: a new round starts at a player's next pairing.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from config.lib.days import is_birth_year
from config.lib.formatting import one_line
from config.lib.texts import plain_name
from events.files.arbiters import split_persons
from events.files.checks import check_dates, check_ids, check_name, check_rounds
from events.files.codes import Code
from events.files.collector import Report, quoted
from events.files.dates import stand_in_message
from events.files.time_control_text import read_free, read_several
from events.files.trf.player_fields import PLAYER_TITLES, federation_of
from events.rules.game_result import FORFEITS, Result
from events.rules.limits import MAX_PLAYERS, MAX_RATING, MAX_ROUNDS
from events.rules.tournament import Entrant, Pairing, Tournament
from players.identity import FIRST_FIDE_ID

MAGIC = b"\x93\xff\x89\x44"
CONFIGURATION, PLAYERS, PAIRINGS = b"\x95\xff\x89\x44", b"\xa5\xff\x89\x44", b"\xb3\xff\x89\x44"
MARKER_END = b"\xff\x89\x44"  # the pairings end at the next marker
METADATA_OFFSET = 0x6C
METADATA_STRINGS = 22
NAME, DIRECTOR, VENUE, ARBITERS, CITY, TIME_CONTROL, FEDERATION, CHIEF_ARBITER = 0, 3, 5, 6, 10, 14, 20, 21
PLAYER_STRINGS = 30
PLAYER_BYTES = 110
LEAST_PLAYER = 2 * PLAYER_STRINGS + PLAYER_BYTES  # bytes of one whose texts are blank
PAIRING_BYTES = 21
PAIRING_BYE, NOT_PAIRED = 0xFFFF, 0xFFFE  # instead of Black's number
TYPES = {0: "Swiss system", 1: "Round robin", 2: "Swiss system for teams"}
RESULT_CODES: dict[int, Result | None] = {
    0: None,
    1: Result.WHITE_WINS,
    2: Result.DRAW,
    3: Result.BLACK_WINS,
    4: Result.FORFEIT_WHITE_WINS,
    5: Result.FORFEIT_BLACK_WINS,
}
# Seen once, where both players seem to have been absent; an officer confirms it.
PRESUMED = {6: Result.FORFEIT_BOTH_LOSE}
NOT_PAIRED_RESULTS = {0: Result.ZERO_BYE, 2: Result.HALF_BYE, 3: Result.ZERO_BYE}


class _DamagedError(Exception):
    """The file ends within a record, or lacks a section. Never leaves this module."""


@dataclass(slots=True)
class _Bytes:
    """A reading position in the file."""

    content: bytes
    place: int

    def take(self, size: int) -> bytes:
        part = self.content[self.place : self.place + size]
        if len(part) < size:
            raise _DamagedError(f"the file ends at byte {len(self.content)}, in the middle of a record")
        self.place += size
        return part

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    def text(self) -> str:
        """Return a text; "" for one of which nothing can be seen."""
        text = self.take(2 * self.number(2)).decode("utf-16-le", errors="replace")
        text = one_line(text).strip()
        return text if plain_name(text) else ""


@dataclass(frozen=True, slots=True)
class _Configuration:
    rounds: int
    kind: str
    current_round: int
    players: int
    starts: date | None
    ends: date | None


def read_tunx(content: bytes, report: Report) -> Tournament:
    """Return the tournament of a Swiss-Manager file. Unreadable parts are left out, with an error in the report."""
    tournament = Tournament(format="TUNX", encoding="utf-16-le")
    try:
        metadata = _metadata(content)
        tournament = _with_metadata(tournament, metadata, report)
        configuration = _configuration(content, report)
        tournament = replace(
            tournament,
            kind=configuration.kind,
            starts=configuration.starts,
            ends=configuration.ends,
            planned_rounds=configuration.rounds or None,
        )
        entrants, players_end = _entrants(content, configuration.players, report)
        tournament = replace(tournament, entrants=tuple(entrants))
        pairings = _pairings(content, players_end, len(entrants), report)
        played = _until_current(pairings, configuration.current_round, report)
        tournament = replace(
            tournament,
            rounds=max((pairing.round for pairing in played), default=0),
            pairings=tuple(played),
            forfeit_slots=2 * sum(pairing.result in FORFEITS for pairing in pairings),
            bye_slots=sum(pairing.black is None for pairing in pairings),
        )
    except _DamagedError as error:
        report.add(Code.DAMAGED_FILE, f"The Swiss-Manager file is damaged or cut off: {error}. Send it again.")
    check_ids(tournament.entrants, report)
    check_dates(tournament.starts, tournament.ends, (), (None, None), report)
    check_rounds(tournament, None, report)
    return replace(tournament, findings=report.findings())


def _section(content: bytes, marker: bytes, start: int, name: str) -> _Bytes:
    place = content.find(marker, start)
    if place < 0:
        raise _DamagedError(f"the section of {name} is missing")
    return _Bytes(content, place + len(marker))


def _metadata(content: bytes) -> list[str]:
    place = _Bytes(content, METADATA_OFFSET)
    return [place.text() for _ in range(METADATA_STRINGS)]


def _with_metadata(tournament: Tournament, metadata: list[str], report: Report) -> Tournament:
    text = plain_name(metadata[TIME_CONTROL])
    control = read_free(text)
    if text and control is None:
        message = f"The time control {quoted(text)} is not certain; state the base time and the increment."
        report.add(Code.TIME_CONTROL_UNREAD, message)
    chief_arbiter = metadata[CHIEF_ARBITER] or metadata[DIRECTOR]
    needed = {"name": metadata[NAME], "chief arbiter": chief_arbiter, "federation": metadata[FEDERATION]}
    missing = [name for name, value in needed.items() if not value]
    if missing:
        report.add(Code.MISSING_RECORD, f"The file does not say, or leaves blank: {', '.join(missing)}.")
    return replace(
        tournament,
        name=metadata[NAME],
        chief_arbiter=chief_arbiter,
        deputy_arbiters=split_persons(" ".join(metadata[ARBITERS].split())),
        city=metadata[CITY] or metadata[VENUE],
        time_control_text=text,
        time_control=control,
        time_controls=read_several(text),
        federation=federation_of(metadata[FEDERATION], None, report, None),
    )


def _configuration(content: bytes, report: Report) -> _Configuration:
    section = _section(content, CONFIGURATION, METADATA_OFFSET, "the tournament’s settings")
    block = section.take(0x4F)
    players = int.from_bytes(block[0x13:0x15], "little")
    if players > MAX_PLAYERS:
        message = f"The file announces {players} players, at most {MAX_PLAYERS} can be told apart."
        report.add(Code.TOO_MANY_PLAYERS, message)
    kind = TYPES.get(block[0x0B], "")
    if not kind:
        report.add(Code.UNKNOWN_TYPE_CODE, f"The type of tournament {block[0x0B]} is unknown; 0, 1 and 2 are known.")
    return _Configuration(
        rounds=int.from_bytes(block[0:2], "little"),
        kind=kind,
        current_round=block[0x11],
        players=min(players, MAX_PLAYERS),
        starts=_date(block[0x47:0x4B], "start", report),
        ends=_date(block[0x4B:0x4F], "end", report),
    )


def _date(block: bytes, name: str, report: Report) -> date | None:
    value = int.from_bytes(block, "little")
    day = _day(value)
    if value and day is None:
        report.add(Code.UNREADABLE_DATE, f"The {name} {value} is no date of the form YYYYMMDD; it is left out.")
    return day


def _entrants(content: bytes, count: int, report: Report) -> tuple[list[Entrant], int]:
    place = _section(content, PLAYERS, METADATA_OFFSET, "players")
    entrants = []
    for number in range(1, count + 1):
        texts = [place.text() for _ in range(PLAYER_STRINGS)]
        entrant = _entrant(number, texts, place.take(PLAYER_BYTES), report)
        check_name(entrant, f"Player {number}", report)
        entrants.append(entrant)
    if not entrants:
        report.add(Code.NO_PLAYERS, "The file has no player. Save the tournament with its players.")
    return entrants, place.place


def _entrant(number: int, texts: list[str], block: bytes, report: Report) -> Entrant:
    last, first, title = texts[0], texts[1], texts[4]
    fide_rating, national_rating = (_rating(value, number, report) for value in struct.unpack_from("<HH", block, 8))
    birth, fide_id = struct.unpack_from("<I", block, 0x0E)[0], struct.unpack_from("<I", block, 0x18)[0]
    year = birth // 10_000
    if birth >= 10_000 and not is_birth_year(year):
        report.add(Code.UNKNOWN_BIRTH_DATE, stand_in_message(quoted(str(birth))))
    if title and title not in PLAYER_TITLES:
        report.add(Code.UNKNOWN_TITLE, f"The title {quoted(title)} is no FIDE title; it is left out.")
    return Entrant(
        number=number,
        name=f"{last}, {first}" if first else last,
        last_name=last,
        first_name=first,
        sex="F" if block[6] == 1 else "",
        title=title if title in PLAYER_TITLES else "",
        rating=fide_rating or national_rating,
        federation=federation_of(texts[10], None, report, None),
        club=texts[9],
        fide_id=str(fide_id) if fide_id >= FIRST_FIDE_ID else "",
        national_id=texts[5],
        national_rating=national_rating,
        birth_year=year if is_birth_year(year) else None,
        birth_date=_day(birth) if is_birth_year(year) else None,
    )


def _rating(value: int, number: int, report: Report) -> int | None:
    if value > MAX_RATING:
        message = f"Player {number}: the rating {value} is none of four figures at the most; it is left out."
        report.add(Code.UNREADABLE_RATING, message)
        return None
    return value or None


def _day(value: int) -> date | None:
    try:
        return date(value // 10_000, value // 100 % 100, value % 100)
    except ValueError:
        return None


def _pairings(content: bytes, start: int, players: int, report: Report) -> list[Pairing]:
    section = _section(content, PAIRINGS, start, "pairings")
    pairings: list[Pairing] = []
    number, seen = 1, set[int]()
    for record, (white, black, code) in enumerate(_records(content, section.place), 1):
        sides = {white} if black in (PAIRING_BYE, NOT_PAIRED) else {white, black}
        if not all(1 <= side <= players for side in sides):
            message = f"Pairing {record} is of {white} and {black}, the file has players 1 to {players}."
            report.add(Code.OPPONENT_NOT_IN_FILE, message)
            continue
        if white == black:
            report.add(Code.SELF_PAIRING, f"Pairing {record} is of player {white} with the same player.")
            continue
        if seen & sides:
            number, seen = number + 1, set()
            if number > MAX_ROUNDS:
                message = f"The pairings make more than {MAX_ROUNDS} rounds; the rest is not read."
                report.add(Code.TOO_MANY_ROUNDS, message)
                break
        seen |= sides
        pairings.append(_pairing(number, white, black, code, report))
    return pairings


def _until_current(pairings: list[Pairing], current: int, report: Report) -> list[Pairing]:
    """Return the pairings without absences announced for rounds after the current one."""
    last = max((pairing.round for pairing in pairings if pairing.black is not None), default=0)
    last = max(last, current)
    later = [pairing for pairing in pairings if pairing.round > last]
    if later:
        report.add(
            Code.PLANNED_ABSENCE,
            f"{len(later)} absences are on record for rounds after round {last}; they are counted as byes, but are no "
            "rounds of the tournament yet.",
        )
    return [pairing for pairing in pairings if pairing.round <= last]


def _records(content: bytes, start: int) -> Iterator[tuple[int, int, int]]:
    place = start
    while content[place + 1 : place + 4] != MARKER_END:
        if place + PAIRING_BYTES > len(content):
            raise _DamagedError(f"the pairings stop at byte {len(content)}")
        yield struct.unpack_from("<HHH", content, place)
        place += PAIRING_BYTES


def _pairing(number: int, white: int, black: int, code: int, report: Report) -> Pairing:
    where = f"Round {number}: {white} against {black}"
    if black == PAIRING_BYE:
        return Pairing(number, white, None, Result.PAIRING_BYE)
    if black == NOT_PAIRED:
        if code not in NOT_PAIRED_RESULTS:
            _unknown_code(f"Round {number}: {white}, who is not paired,", code, report)
        return Pairing(number, white, None, NOT_PAIRED_RESULTS.get(code, Result.ZERO_BYE))
    if code not in RESULT_CODES:
        _unknown_code(where, code, report, ", until then it counts as lost by both" if code in PRESUMED else "")
    elif code == 0:
        report.add(Code.UNFINISHED_GAME, f"{where} has no result. Enter it, or say that the game was adjourned.")
    return Pairing(number, white, black, RESULT_CODES.get(code, PRESUMED.get(code)))


def _unknown_code(where: str, code: int, report: Report, meanwhile: str = "") -> None:
    report.add(
        Code.UNKNOWN_RESULT_CODE,
        f"{where} has Swiss-Manager’s result code {code}, whose meaning is not known here; ask the arbiter for the result"
        f"{meanwhile}.",
    )
