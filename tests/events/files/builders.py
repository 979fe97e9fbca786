"""Small tournament files, written for the tests. Names are invented."""

import struct

from events.rules.findings import Severity
from events.rules.game_result import Result
from events.rules.tournament import Tournament

HEADER = [
    "012 Mopane Open",
    "022 Thohoyandou",
    "032 RSA",
    "042 2026/03/07",
    "052 2026/03/08",
    "062 2",
    "092 Individual: Swiss-System",
    "102 IA Grace Tenza (14399999)",
    "122 90+30",
    "132" + " " * 88 + "26/03/07  26/03/08",
]


def player(
    number: object,
    *rounds: str,
    name: str = "Adendorff, Bets",
    sex: str = "w",
    title: str = "",
    rating: object = 1850,
    federation: str = "RSA",
    identifier: object = 14300001,
    born: str = "1990/05/17",
    points: object = "0.0",
    rank: object = 1,
) -> str:
    """A line 001. Rounds are eight characters each: `   2 w 1`."""
    line = (
        f"001 {number:>4} {sex:1}{title:>3} {name:33} {rating:>4} {federation:3} {identifier:>11} {born:10} {points:>4} "
        f"{rank:>4}"
    )
    return line + "".join(f"  {cell:8}" for cell in rounds)


def trf(*lines: str, header: list[str] | None = None, end: str = "\n") -> bytes:
    """A file of these lines under a full header."""
    return (end.join([*(HEADER if header is None else header), *lines]) + end).encode()


def two(first: str = "   2 w 1", second: str = "   1 b 0", points: tuple[str, str] = ("1.0", "0.0")) -> bytes:
    """A file of two players and one round."""
    return trf(
        player(1, first, points=points[0]),
        player(2, second, name="Cele, Dumisani", sex="m", identifier=14300002, points=points[1], rank=2),
    )


def header_without(tag: str) -> list[str]:
    """The full header without one record."""
    return [line for line in HEADER if not line.startswith(tag)]


def header_with(line: str) -> list[str]:
    """The full header with one record put in place of its like, or added."""
    return [line, *header_without(line[:3])]


Row = tuple[int, int, int]  # White, Black, result

PAIRING_BYE, NOT_PAIRED = 0xFFFF, 0xFFFE
METADATA = {0: "Mopane Open", 5: "Makwarela Hall", 10: "Thohoyandou", 14: "15+10", 20: "RSA", 21: "IA Grace Tenza"}


def _string(text: str) -> bytes:
    units = text.encode("utf-16-le")
    return struct.pack("<H", len(units) // 2) + units


def tunx_player(
    strings: dict[int, str], sex: int = 0, ratings: tuple[int, int] = (0, 0), born: int = 0, fide_id: int = 0
) -> bytes:
    """One player's record: thirty strings and 110 bytes."""
    block = bytearray(110)
    block[6] = sex
    struct.pack_into("<HH", block, 8, *ratings)
    struct.pack_into("<I", block, 0x0E, born)
    struct.pack_into("<I", block, 0x18, fide_id)
    return b"".join(_string(strings.get(index, "")) for index in range(30)) + bytes(block)


def tunx(
    pairings: list[Row],
    players: list[bytes] | int = 4,
    rounds: int = 3,
    current: int = 1,
    kind: int = 0,
    metadata: dict[int, str] | None = None,
    dates: tuple[int, int] = (20260307, 20260308),
) -> bytes:
    """A Swiss-Manager file with the sections that are known."""
    if isinstance(players, int):
        players = [tunx_player({0: f"Surname{number}", 1: "Bheki", 10: "RSA"}) for number in range(1, players + 1)]
    texts = {**METADATA, **(metadata or {})}
    settings = bytearray(0x60)
    struct.pack_into("<H", settings, 0x00, rounds)
    settings[0x0B] = kind
    settings[0x11] = current
    struct.pack_into("<H", settings, 0x13, len(players))
    struct.pack_into("<II", settings, 0x47, *dates)
    return b"".join(
        [
            b"\x93\xff\x89\x44",
            bytes(0x68),
            *(_string(texts.get(index, "")) for index in range(30)),
            b"\x95\xff\x89\x44",
            bytes(settings),
            b"\xa5\xff\x89\x44",
            *players,
            b"\xb3\xff\x89\x44",
            *(struct.pack("<HHH", *row) + bytes(15) for row in pairings),
            b"\xd3\xff\x89\x44",
            bytes(28),
            b"\xe3\xff\x89\x44",
        ]
    )


CSV_DETAILS = (
    "name,Mopane Open",
    "city,Thohoyandou",
    "federation,RSA",
    "starts,2026-03-07",
    "ends,2026-03-08",
    "chief_arbiter,IA Grace Tenza",
    "time_control,90+30",
)
CSV_HEADING = "round,white_id,white,black_id,black,result"


def table(*lines: str, heading: str = CSV_HEADING, end: str = "\n", separator: str = ",") -> bytes:
    """A CSV of results under full details. The lines have commas, which become the separator."""
    text = end.join([*CSV_DETAILS, heading, *lines]) + end
    return text.replace(",", separator).encode()


def game(
    number: object = 1, result: str = "1-0", white: str = '180000001,"Cele, Ann"', black: str = '180000002,"Öz, Ali"'
) -> str:
    """A line of the table: the first two players meet."""
    return f"{number},{white},{black},{result}"


def codes(tournament: Tournament, severity: Severity = Severity.ERROR) -> list[str]:
    """The codes of the findings of a severity, in order."""
    return [finding.code for finding in tournament.findings if finding.severity is severity]


def games(tournament: Tournament) -> list[tuple[int, str, str | None, Result | None]]:
    """Round, White's name, Black's, result."""
    names = {entrant.number: entrant.name for entrant in tournament.entrants}
    return [(p.round, names[p.white], p.black and names[p.black], p.result) for p in tournament.pairings]


def message(tournament: Tournament, code: str) -> str:
    """The message of the first finding of a code."""
    return next(finding.message for finding in tournament.findings if finding.code == code)
