"""Small SwissPerfect exports, written for the tests. Names are invented."""

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence

SETTINGS = "[Tournament Info]\r\nName=Mopane Open\r\nArbiter=IA Grace Tenza\r\nRounds=3\r\n[View]\r\nName=1,0\r\n"
PLAYER = {
    "ID": 5, "START_NO": -5, "SURNAME": -25, "FIRSTNAME": -25, "FEDER": -4, "CLUB": -30, "INTL_RTG": 7, "LOC_RTG": 7,
    "INTL_ID": -12, "LOC_ID": -12, "TITLE": -3, "SEX": -1, "BIRTH_DATE": 8, "BONUS": 3,
}  # fmt: skip
GAME = {"ROUND": 3, "WHITE": 5, "BLACK": 5, "W_SCORE": 3, "B_SCORE": 3, "W_TYPE": 2, "B_TYPE": 2}
NARROW = {**dict.fromkeys(PLAYER, 0), "ID": 4, "SURNAME": -3}  # eight bytes a player
_NAMES = ("Adendorff, Bets", "Cele, Dumisani", "Nel, Ali", "Khumalo, Zodwa", "Steyn, Willem")
Row = tuple[int, int, int, int, int, int]  # round, White, Black, half points of White and Black, type of both scores


def dbase(columns: Mapping[str, int], rows: Sequence[Mapping[str, object]], deleted: Sequence[int] = ()) -> bytes:
    """A table in dBase III's format. `columns`: name → width, negative for text, which stands at the left."""
    start = 32 + 32 * len(columns) + 1
    length = 1 + sum(abs(width) for width in columns.values())
    header = struct.pack("<B3BIHH20x", 3, 126, 3, 8, len(rows), start, length)
    for name, width in columns.items():
        kind = b"C" if width < 0 else b"N"
        header += struct.pack("<11sc4xB15x", name.encode(), kind, abs(width))
    records = b""
    for index, row in enumerate(rows):
        records += b"*" if index in deleted else b" "
        for name, width in columns.items():
            value = row.get(name, "")
            cell = value if isinstance(value, bytes) else str(value).encode("cp1252")
            records += cell.ljust(-width) if width < 0 else cell.rjust(width)
    return header + b"\r" + records + b"\x1a"


def sp_player(number: int, **values: object) -> dict[str, object]:
    """A player's record, by column."""
    last, _, first = _NAMES[(number - 1) % len(_NAMES)].partition(", ")
    details = {"ID": number, "START_NO": number, "SURNAME": last, "FIRSTNAME": first, "SEX": 0, "TITLE": 0}
    return {**details, **values}


def sp_game(row: Row) -> dict[str, object]:
    """A record of the results, by column."""
    return dict(zip(GAME, (*row, row[-1]), strict=True))


def packed(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 3, 8, 18, 0, 0)), content, method)
    return out.getvalue()


def sp_files(
    games: Sequence[Row | Mapping[str, object]] = ((1, 1, 2, 2, 0, 1),),
    players: Sequence[Mapping[str, object]] | int = 2,
    settings: str = SETTINGS,
    deleted: Sequence[int] = (),
) -> dict[str, bytes]:
    """The three files of a tournament; `deleted`: indices of players who are deleted."""
    rows = [sp_player(number) for number in range(1, players + 1)] if isinstance(players, int) else players
    results = [sp_game(game) if isinstance(game, tuple) else game for game in games]
    return {
        "open.ini": settings.encode("cp1252"),
        "open.trn": dbase(PLAYER, rows, deleted),
        "open.sco": dbase(GAME, results),
    }


def swissperfect(
    games: Sequence[Row | Mapping[str, object]] = ((1, 1, 2, 2, 0, 1),),
    players: Sequence[Mapping[str, object]] | int = 2,
    settings: str = SETTINGS,
    deleted: Sequence[int] = (),
) -> bytes:
    """A zip of the three files of a tournament."""
    return packed(sp_files(games, players, settings, deleted))


def narrow(players: int, *, said: int | None = None, more: bytes = b"") -> bytes:
    """A zip whose players take eight bytes; `said`: how many its table announces."""
    table = dbase(NARROW, [{"ID": number, "SURNAME": "Nel"} for number in range(1, players + 1)]) + more
    if said is not None:
        table = table[:4] + struct.pack("<I", said) + table[8:]
    return packed({"a.ini": SETTINGS.encode(), "a.trn": table, "a.sco": dbase(GAME, [sp_game((1, 1, 2, 2, 0, 1))])})
