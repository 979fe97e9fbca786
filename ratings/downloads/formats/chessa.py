"""The list as Chess South Africa's own site gives it. Pure.

UNIQUE_NO,SURNAME,FIRSTNAME,BDATE,SEX,TITLE,RATING,FED; comma, UTF-8, CRLF; a birth date that is not known is 1900/01/01.
"""

import csv
import io
from collections.abc import Iterable

from ratings.downloads.formats.listed import ListedPlayer

HEADER = ("UNIQUE_NO", "SURNAME", "FIRSTNAME", "BDATE", "SEX", "TITLE", "RATING", "FED")
_UNKNOWN = "1900/01/01"


def chessa_csv(players: Iterable[ListedPlayer]) -> bytes:
    """Return the players as CSV, ratings as whole numbers (article 25)."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(HEADER)
    for player in players:
        born = f"{player.born:%Y/%m/%d}" if player.born else _UNKNOWN
        writer.writerow(
            [
                player.number,
                player.last_name,
                player.first_name,
                born,
                player.sex,
                player.title,
                player.rounded,
                player.region,
            ]
        )
    return text.getvalue().encode()
