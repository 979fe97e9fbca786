"""The list as Swiss-Manager imports it: in fixed columns, and as a table with its headings. Pure."""

import csv
import io
from collections.abc import Iterable, Iterator

from config.lib import spreadsheets
from ratings.downloads.formats.listed import PublishedList, ascii_text

TABLE_HEADER = (
    "ID_No", "Name", "Title", "Sex", "Fed", "Clubnumber", "ClubName", "Birthday", "Rtg_Nat", "Fide_No", "Rtg_Int",
)  # fmt: skip
# Two columns hold the old short titles.
_SHORT_TITLES = {
    "GM": "g", "IM": "m", "FM": "f", "CM": "c", "WGM": "wg", "WIM": "wm", "WFM": "wf", "WCM": "wc",
}  # fmt: skip
_ZERO_YEAR = "0"


def fixed_text(listing: PublishedList) -> bytes:
    """Return the list in fixed columns, ASCII, CRLF: id 1-9, name 11-42, title 45-46, federation 49-51, rating 54-57,
    games 60-62, year of birth 65-68, flag from 71: `w` for a woman, `i` for who is inactive."""
    return "".join(f"{line.rstrip()}\r\n" for line in _lines(listing)).encode("ascii")


def _lines(listing: PublishedList) -> Iterator[str]:
    month = f"{listing.day:%b%y}"
    yield f"{'ID number':10}{'Name':34}{'Titl':4}{'Fed':4} {month:5} {'Games':5}{'Born':6}Flag"
    for player in listing.players:
        flag = ("w" if player.sex == "F" else "") + ("i" if player.is_inactive else "")
        yield (
            f"{player.number:9} {ascii_text(player.name)[:32]:32}  {_SHORT_TITLES.get(player.title, ''):2}  "
            f"{player.federation:3}  {player.rounded:4}  {min(player.games, 999):3}  "
            f"{player.born.year if player.born else _ZERO_YEAR:>4}  {flag}"
        )


def table(listing: PublishedList) -> bytes:
    """Return the list as a table by headings: semicolons, UTF-8 with its mark, CRLF; the region stands as the club."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerow(TABLE_HEADER)
    writer.writerows(_rows(listing))
    return text.getvalue().encode("utf-8-sig")


def _rows(listing: PublishedList) -> Iterable[list[object]]:
    for player in listing.players:
        yield [
            player.number,
            spreadsheets.cell(player.name),
            player.title,
            "w" if player.sex == "F" else "",
            player.federation,
            "",
            spreadsheets.cell(player.region),
            player.born.year if player.born else "",
            player.rounded,
            player.fide_id or "",
            "",
        ]
